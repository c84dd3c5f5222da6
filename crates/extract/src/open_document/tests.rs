//! Stories of OpenDocument texts and slides, each built here from the few parts that it needs.

use ancre_domain::{PageKind, Warning};

use crate::format::Format;
use crate::mutation::mutations;
use crate::office::packing::{self, pack, pack_stored, pages, read};
use crate::{ExtractError, Parsed};

const TEXT: &str = "application/vnd.oasis.opendocument.text";
const SHOW: &str = "application/vnd.oasis.opendocument.presentation";

fn content(styles: &str, body: &str) -> String {
    format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body>{body}</office:body></office:document-content>"
    )
}

fn document(styles: &str, body: &str) -> Result<Parsed, ExtractError> {
    let content = content(styles, &format!("<office:text>{body}</office:text>"));
    read(&pack(&[("mimetype", TEXT), ("content.xml", &content)]), Format::Odt)
}

fn text(styles: &str, body: &str) -> String {
    document(styles, body).unwrap().text
}

fn show(pages: &str) -> Result<Parsed, ExtractError> {
    let body = format!("<office:presentation>{pages}</office:presentation>");
    read(&pack(&[("mimetype", SHOW), ("content.xml", &content("", &body))]), Format::Odp)
}

#[test]
fn blanks_are_one_and_those_that_count_have_elements() {
    let body = "<text:p>a\n   b<text:s text:c='2'/>c<text:tab/>d<text:line-break/>e\
                <text:span> f</text:span><text:page-number>7</text:page-number></text:p>";
    assert_eq!(text("", body), "a b  c\td\ne f\n");
}

#[test]
fn headings_have_levels_and_a_title_is_one_by_its_style() {
    let styles = "<style:style style:name='P1' style:family='paragraph' \
                  style:parent-style-name='Title'/>";
    let body = "<text:p text:style-name='P1'>Guide</text:p>\
                <text:h text:outline-level='2'>Délais</text:h><text:p>Sous trente jours.</text:p>";
    assert_eq!(text(styles, body), "# Guide\n\n## Délais\n\nSous trente jours.\n");
}

#[test]
fn headings_have_their_numbers_where_the_document_numbers_them() {
    let styles = "<s><office:styles><text:outline-style>\
        <text:outline-level-style text:level='1' style:num-format='1'/>\
        <text:outline-level-style text:level='2' style:num-format='1' text:display-levels='2'/>\
        <text:outline-level-style text:level='3' style:num-format=''/>\
        </text:outline-style></office:styles></s>";
    let h =
        |level: u8, words: &str| format!("<text:h text:outline-level='{level}'>{words}</text:h>");
    let body = [h(1, "A"), h(2, "B"), h(2, "C"), h(3, "D"), h(1, "E"), h(2, "F")].concat();
    let content = content("", &format!("<office:text>{body}</office:text>"));
    let bytes = pack(&[("mimetype", TEXT), ("content.xml", &content), ("styles.xml", styles)]);
    assert_eq!(
        read(&bytes, Format::Odt).unwrap().text,
        "# 1 A\n\n## 1.1 B\n\n## 1.2 C\n\n### D\n\n# 2 E\n\n## 2.1 F\n"
    );
}

#[test]
fn a_list_counts_goes_on_and_nests_by_its_style() {
    let styles = "<text:list-style style:name='L1'>\
        <text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>\
        <text:list-level-style-number text:level='2' style:num-format='a' style:num-suffix=')' \
         text:display-levels='2'/>\
        <text:list-level-style-bullet text:level='3' text:bullet-char='•'/></text:list-style>";
    let item = |inside: &str| format!("<text:list-item>{inside}</text:list-item>");
    let p = |words: &str| format!("<text:p>{words}</text:p>");
    let deep = format!("<text:list>{}{}</text:list>", item(&p("deep")), item(&p("deeper")));
    let body = format!(
        "<text:list text:style-name='L1'>{}{}</text:list>{}\
         <text:list text:style-name='L1' text:continue-numbering='true'>{}</text:list>\
         <text:list text:style-name='L1'>{}</text:list>\
         <text:list text:style-name='unknown'>{}</text:list>",
        item(&format!("{}{}", p("one"), p("goes on"))),
        item(&format!("{}{deep}", p("two"))),
        p("Between."),
        item(&p("three")),
        item(&p("anew")),
        item(&p("bullet")),
    );
    assert_eq!(
        text(styles, &body),
        "1. one\ngoes on\n2. two\n  2.a) deep\n  2.b) deeper\n\nBetween.\n\n3. three\n1. anew\n\
         - bullet\n"
    );
}

#[test]
fn tables_have_their_header_and_merged_cells_their_value() {
    let cell = |attributes: &str, words: &str| {
        format!("<table:table-cell {attributes}><text:p>{words}</text:p></table:table-cell>")
    };
    let covered = "<table:covered-table-cell/>";
    let body = format!(
        "<table:table><table:table-column table:number-columns-repeated='3'/>\
         <table:table-header-rows><table:table-row>{}{}{covered}</table:table-row>\
         </table:table-header-rows><table:table-row>{}{}</table:table-row>\
         <table:table-row>{covered}{}{}</table:table-row></table:table>",
        cell("", "Plan"),
        cell("table:number-columns-spanned='2'", "Price"),
        cell("table:number-rows-spanned='2'", "Duo"),
        cell("table:number-columns-repeated='2'", "29"),
        cell("", "30"),
        cell("table:number-columns-repeated='99999999'", ""),
    );
    assert_eq!(text("", &body), "- Plan: Duo; Price: 29; Price: 29\n- Plan: Duo; Price: 30\n");
}

#[test]
fn notes_stand_at_their_place_remarks_after_and_deletions_nowhere() {
    let body = "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>\
        </text:deletion></text:changed-region></text:tracked-changes>\
        <text:p>Free<text:note><text:note-citation>1</text:note-citation><text:note-body>\
        <text:p>Thirty days.</text:p></text:note-body></text:note> returns\
        <office:annotation><dc:creator>Zoé</dc:creator><dc:date>2024</dc:date>\
        <text:p>Check.</text:p></office:annotation>.\
        <draw:frame><draw:text-box><text:p>Boxed.</text:p></draw:text-box>\
        <svg:desc>The plug at the back of the box</svg:desc></draw:frame></text:p>";
    assert_eq!(
        text("", body),
        "Free [note 1: Thirty days.] returns.\n\n[comment by Zoé: Check.]\n\nBoxed.\n\n\
         The plug at the back of the box\n"
    );
}

#[test]
fn pages_come_from_the_last_layout_and_from_wanted_breaks() {
    let styles = "<style:style style:name='B' style:family='paragraph'>\
                  <style:paragraph-properties fo:break-before='page'/></style:style>";
    let body = "<text:p text:style-name='B'>One.</text:p><text:p text:style-name='B'>Two.</text:p>\
                <text:p><text:soft-page-break/>Three.</text:p>";
    let parsed = document(styles, body).unwrap();
    assert_eq!(parsed.pagination.as_ref().unwrap().kind, PageKind::ApproximatePage);
    let page = |number: u32, text: &str| (number, text.to_owned());
    assert_eq!(pages(&parsed), [page(1, "One."), page(2, "Two."), page(3, "Three.")]);
}

#[test]
fn running_words_of_a_text_are_said_once() {
    let styles = "<office:document-styles><office:master-styles><style:master-page>\
        <style:header><text:p>Confidential</text:p></style:header>\
        <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>\
        </style:master-page></office:master-styles></office:document-styles>";
    let content = content("", "<office:text><text:p>Body.</text:p></office:text>");
    let meta = "<m><office:meta><dc:title>Guide des retours</dc:title></office:meta></m>";
    let bytes = pack(&[
        ("mimetype", TEXT),
        ("content.xml", &content),
        ("styles.xml", styles),
        ("meta.xml", meta),
    ]);
    let parsed = read(&bytes, Format::Odt).unwrap();
    assert_eq!(parsed.text, "Confidential\n\nBody.\n");
    assert_eq!(parsed.title, "Guide des retours");
}

#[test]
fn a_chart_in_a_text_says_its_values() {
    let cell =
        |words: &str| format!("<table:table-cell><text:p>{words}</text:p></table:table-cell>");
    let chart = format!(
        "<o><office:body><office:chart><chart:chart><chart:title><text:p>Sales</text:p>\
         </chart:title><table:table><table:table-header-rows><table:table-row>{}{}\
         </table:table-row></table:table-header-rows><table:table-rows><table:table-row>{}{}\
         </table:table-row></table:table-rows></table:table></chart:chart></office:chart>\
         </office:body></o>",
        cell(""),
        cell("Duo"),
        cell("2024"),
        cell("12")
    );
    let body = "<office:text><text:p><draw:frame><draw:object xlink:href='./Object 1'/>\
                </draw:frame></text:p></office:text>";
    let bytes = pack(&[
        ("mimetype", TEXT),
        ("content.xml", &content("", body)),
        ("Object 1/content.xml", &chart),
    ]);
    assert_eq!(read(&bytes, Format::Odt).unwrap().text, "Sales\n\n- 2024; Duo: 12\n");
}

#[test]
fn an_encrypted_text_says_that_it_has_a_password() {
    let manifest = "<manifest:manifest><manifest:file-entry><manifest:encryption-data/>\
                    </manifest:file-entry></manifest:manifest>";
    let bytes = pack(&[
        ("mimetype", TEXT),
        ("content.xml", "\u{1}\u{2}\u{3}"),
        ("META-INF/manifest.xml", manifest),
    ]);
    assert_eq!(read(&bytes, Format::Odt), Err(ExtractError::Password { can_unlock: false }));
}

#[test]
fn a_text_cut_short_gives_what_stands_before_the_cut() {
    let whole = content("", "<office:text><text:p>Before.</text:p><text:p>cut");
    let cut = &whole[..whole.find("cut").unwrap() + 2];
    let bytes = pack(&[("mimetype", TEXT), ("content.xml", cut)]);
    let parsed = read(&bytes, Format::Odt).unwrap();
    assert_eq!(parsed.text, "Before.\n\ncu\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![] }]);
    let nothing = pack(&[("mimetype", TEXT), ("content.xml", "<office:doc")]);
    assert!(matches!(read(&nothing, Format::Odt), Err(ExtractError::Corrupt { .. })));
}

#[test]
fn a_slide_has_its_title_its_bullets_and_its_notes_but_no_words_of_its_template() {
    let frame = |class: &str, inside: &str| {
        format!(
            "<draw:frame presentation:class='{class}'><draw:text-box>{inside}</draw:text-box>\
             </draw:frame>"
        )
    };
    let bullets = "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item>\
                   <text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list>";
    let pages_xml = format!(
        "<draw:page>{}{}{}<draw:custom-shape><text:p>In a shape.</text:p></draw:custom-shape>\
         <draw:frame presentation:class='outline' presentation:placeholder='true'><draw:text-box>\
         <text:p>Click to edit</text:p></draw:text-box></draw:frame>\
         <presentation:notes>{}</presentation:notes></draw:page><draw:page>{}</draw:page>",
        frame("outline", bullets),
        frame("title", "<text:p>Plans</text:p>"),
        frame("page-number", "<text:p>1</text:p>"),
        frame("notes", "<text:p>Say hello.</text:p>"),
        frame("title", "<text:p>End</text:p>"),
    );
    let parsed = show(&pages_xml).unwrap();
    let page = |number: u32, text: &str| (number, text.to_owned());
    assert_eq!(
        pages(&parsed),
        [
            page(1, "# Plans\n\n- one\n  - deep\n\nIn a shape.\n\n## Notes\n\nSay hello."),
            page(2, "# End")
        ]
    );
}

#[test]
fn no_damage_to_an_open_document_ends_in_a_panic() {
    let text = content(
        "<text:list-style style:name='L'><text:list-level-style-number text:level='1' \
         style:num-format='I'/></text:list-style>",
        "<office:text><text:h text:outline-level='1'>A</text:h><text:list text:style-name='L'>\
         <text:list-item><text:p>b<text:s text:c='9'/></text:p></text:list-item></text:list>\
         <table:table><table:table-row><table:table-cell table:number-columns-repeated='2'/>\
         </table:table-row></table:table></office:text>",
    );
    let slides = content(
        "",
        "<office:presentation><draw:page><draw:frame presentation:class='title'><draw:text-box>\
         <text:p>A</text:p></draw:text-box></draw:frame></draw:page></office:presentation>",
    );
    for (mark, content, format) in [(TEXT, text, Format::Odt), (SHOW, slides, Format::Odp)] {
        let entries = [("mimetype", mark), ("content.xml", content.as_str())];
        for bytes in mutations(&pack_stored(&entries), 500) {
            let _ = packing::content(&bytes, format);
        }
        for bytes in mutations(&pack(&entries), 500) {
            let _ = packing::content(&bytes, format);
        }
    }
}

#[test]
fn a_table_of_contents_is_left_out() {
    let body = "<text:table-of-content><text:index-body><text:p>Returns 3</text:p></text:index-body>\
                </text:table-of-content><text:p>words</text:p>";
    assert_eq!(text("", body), "words\n");
}

#[test]
fn a_formula_gives_its_signs() {
    let body = "<office:text><text:p>Area<draw:frame><draw:object xlink:href='./Object 1'/>\
                </draw:frame></text:p></office:text>";
    let formula = "<math><semantics><mrow><mi>a</mi><mo>=</mo><mn>2</mn></mrow>\
                   <annotation>a = 2</annotation></semantics></math>";
    let bytes = pack(&[
        ("mimetype", TEXT),
        ("content.xml", &content("", body)),
        ("Object 1/content.xml", formula),
    ]);
    assert_eq!(read(&bytes, Format::Odt).unwrap().text, "Area\n\na=2\n");
}
