//! Stories of what stands in and around the paragraphs of text documents: tables, notes, boxes,
//! charts, headers and footers.

use super::document::{p, tc, text};

#[test]
fn merged_cells_say_their_value_in_every_row_and_their_title_over_every_column() {
    let header = "<w:trPr><w:tblHeader/></w:trPr>";
    let restart = "<w:vMerge w:val='restart'/>";
    let rows = [
        format!(
            "<w:tr>{header}{}{}</w:tr>",
            tc("", "Plan"),
            tc("<w:gridSpan w:val='2'/>", "Price")
        ),
        format!("<w:tr>{}{}{}</w:tr>", tc(restart, "Duo"), tc("", "29"), tc("", "30")),
        format!("<w:tr>{}{}{}</w:tr>", tc("<w:vMerge/>", ""), tc("", "31"), tc("", "32")),
    ]
    .concat();
    assert_eq!(
        text(&format!("<w:tbl>{rows}</w:tbl>"), &[]),
        "- Plan: Duo; Price: 29; Price: 30\n- Plan: Duo; Price: 31; Price: 32\n"
    );
}

#[test]
fn a_table_inside_a_table_follows_it_and_a_table_for_layout_is_text() {
    let inner = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        tc("", "k"),
        tc("", "v"),
        tc("", "size"),
        tc("", "12")
    );
    let outer = format!(
        "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}<w:tc>{}{inner}</w:tc></w:tr></w:tbl>",
        tc("", "A"),
        tc("", "B"),
        tc("", "1"),
        p("", "2")
    );
    assert_eq!(text(&outer, &[]), "- A: 1; B: 2\n- k: size; v: 12\n");
    let layout = format!(
        "<w:tbl><w:tr>{}</w:tr><w:tr>{}</w:tr></w:tbl>",
        tc("", "Above."),
        tc("", "Below.")
    );
    assert_eq!(text(&layout, &[]), "Above.\n\nBelow.\n");
}

#[test]
fn notes_stand_at_their_place_and_comments_after_their_paragraph() {
    let footnotes = "<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>\
        <w:footnote w:id='2'><w:p><w:r><w:footnoteRef/><w:t> Thirty days.</w:t></w:r></w:p>\
        </w:footnote></w:footnotes>";
    let endnotes = "<w:endnotes><w:endnote w:id='1'><w:p><w:r><w:t>End.</w:t></w:r></w:p>\
        </w:endnote></w:endnotes>";
    let comments = "<w:comments><w:comment w:id='4' w:author='Zoé'><w:p><w:r><w:t>Check.</w:t>\
        </w:r></w:p></w:comment></w:comments>";
    let body = "<w:p><w:r><w:t>Refunds</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>\
        <w:r><w:t> are free.</w:t><w:endnoteReference w:id='1'/><w:commentReference w:id='4'/>\
        <w:footnoteReference w:id='2'/></w:r></w:p>";
    let parts = [("footnotes", footnotes), ("endnotes", endnotes), ("comments", comments)];
    assert_eq!(
        text(body, &parts),
        "Refunds [note 1: Thirty days.] are free. [note i: End.]\n\n[comment by Zoé: Check.]\n"
    );
}

#[test]
fn boxes_and_described_pictures_follow_their_paragraph() {
    let boxed = p("", "In the box.");
    let body = format!(
        "<w:p><w:r><w:t>Anchor.</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing>\
         <wp:anchor><wp:docPr id='1' name='Picture 1' descr='The plug at the back of the box'/>\
         <wps:txbx><w:txbxContent>{boxed}</w:txbxContent></wps:txbx></wp:anchor></w:drawing>\
         </mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{boxed}</w:txbxContent>\
         </v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>{}",
        p("", "Next.")
    );
    assert_eq!(
        text(&body, &[]),
        "Anchor.\n\nThe plug at the back of the box\n\nIn the box.\n\nNext.\n"
    );
}

#[test]
fn a_chart_says_its_values() {
    let series = |name: &str, value: &str| {
        format!(
            "<c:ser><c:tx><c:v>{name}</c:v></c:tx><c:cat><c:pt idx='0'><c:v>2024</c:v></c:pt></c:cat>\
             <c:val><c:pt idx='0'><c:v>{value}</c:v></c:pt></c:val></c:ser>"
        )
    };
    let chart = format!(
        "<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title>{}{}\
         </c:chart></c:chartSpace>",
        series("Duo", "0.30000000000000004"),
        series("Solo", "12")
    );
    let body = "<w:p><w:r><w:drawing><c:chart r:id='r0'/></w:drawing></w:r></w:p>";
    assert_eq!(text(body, &[("chart", &chart)]), "Sales\n\n- Duo 2024: 0.3; Solo 2024: 12\n");
}

#[test]
fn headers_and_footers_are_said_once_and_page_numbers_never() {
    let header = format!("<w:hdr>{}</w:hdr>", p("", "Confidential"));
    let footer = "<w:ftr><w:p><w:r><w:t xml:space='preserve'>Guide – Page </w:t></w:r>\
        <w:fldSimple w:instr='PAGE'><w:r><w:t>3</w:t></w:r></w:fldSimple></w:p></w:ftr>";
    let section = "<w:sectPr><w:headerReference r:id='r0'/><w:footerReference r:id='r1'/>\
        <w:headerReference r:id='r2'/></w:sectPr>";
    let repeated = format!("<w:hdr>{}</w:hdr>", p("", "The body"));
    let parts = [("header", header.as_str()), ("footer", footer), ("header", &repeated)];
    let body = format!("{}{section}", p("", "The body."));
    assert_eq!(text(&body, &parts), "Confidential\n\nThe body.\n\nGuide\n");
}
