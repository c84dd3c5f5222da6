//! Stories of slides.

use ancre_domain::{PageKind, Warning};

use crate::format::Format;
use crate::mutation::mutations;
use crate::office::packing::{content, pack, pack_stored, pages, read};

const KIND: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn shape(placeholder: &str, paragraphs: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:cNvPr id='1' name='x'/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>\
         <p:txBody>{paragraphs}</p:txBody></p:sp>"
    )
}

fn p(properties: &str, words: &str) -> String {
    format!("<a:p>{properties}<a:r><a:t>{words}</a:t></a:r></a:p>")
}

fn title(words: &str) -> String {
    shape("<p:ph type='title'/>", &p("", words))
}

fn slide(shapes: &str) -> String {
    format!("<p:sld><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>")
}

/// A show of these parts in this order, each a name in `ppt/slides` and its content, with further
/// entries.
fn show(slides: &[(&str, String)], others: &[(&str, String)]) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    let (mut ids, mut relations) = (String::new(), String::new());
    for (at, (name, content)) in slides.iter().enumerate() {
        ids.push_str(&format!("<p:sldId id='{}' r:id='s{at}'/>", 256 + at));
        relations.push_str(&format!(
            "<Relationship Id='s{at}' Type='{KIND}/slide' Target='slides/{name}'/>"
        ));
        if !content.is_empty() {
            entries.push((format!("ppt/slides/{name}"), content.clone()));
        }
    }
    entries.push((
        "ppt/presentation.xml".to_owned(),
        format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"),
    ));
    entries.push((
        "ppt/_rels/presentation.xml.rels".to_owned(),
        format!("<Relationships>{relations}</Relationships>"),
    ));
    entries.extend(others.iter().map(|(name, content)| ((*name).to_owned(), content.clone())));
    entries
}

fn packed(entries: &[(String, String)]) -> Vec<u8> {
    pack(&borrowed(entries))
}

fn borrowed(entries: &[(String, String)]) -> Vec<(&str, &str)> {
    entries.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect()
}

#[test]
fn slides_come_in_the_order_of_the_show_hidden_ones_too() {
    let hidden = slide(&title("Hidden")).replace("<p:sld>", "<p:sld show='0'>");
    let bytes = packed(&show(
        &[
            ("slide3.xml", slide(&title("First"))),
            ("slide1.xml", hidden),
            ("slide2.xml", slide(&title("Last"))),
        ],
        &[],
    ));
    let parsed = read(&bytes, Format::Pptx).unwrap();
    assert_eq!(parsed.pagination.as_ref().unwrap().kind, PageKind::Slide);
    let page = |number: u32, text: &str| (number, text.to_owned());
    assert_eq!(pages(&parsed), [page(1, "# First"), page(2, "# Hidden"), page(3, "# Last")]);
}

#[test]
fn a_slide_has_its_title_its_bullets_its_table_and_its_notes() {
    let body = shape(
        "<p:ph idx='1'/>",
        &[
            p("", "one"),
            p("<a:pPr lvl='1'/>", "deep"),
            p("<a:pPr><a:buAutoNum type='arabicParenR'/></a:pPr>", "first"),
            p("<a:pPr><a:buAutoNum type='arabicParenR'/></a:pPr>", "second"),
            p("<a:pPr><a:buNone/></a:pPr>", "Plain."),
        ]
        .concat(),
    );
    let number = shape("<p:ph type='sldNum'/>", &p("", "7"));
    let tc = |attributes: &str, words: &str| {
        format!("<a:tc {attributes}><a:txBody>{}</a:txBody></a:tc>", p("", words))
    };
    let table = format!(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow='1'/>\
         <a:tr>{}{}</a:tr><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></a:graphicData></a:graphic>\
         </p:graphicFrame>",
        tc("", "Plan"),
        tc("", "Price"),
        tc("rowSpan='2'", "Duo"),
        tc("", "29"),
        tc("vMerge='1'", ""),
        tc("", "30")
    );
    let grouped = format!("<p:grpSp>{}</p:grpSp>", shape("", &p("", "In a group.")));
    let notes = format!(
        "<p:notes><p:cSld><p:spTree>{}{}</p:spTree></p:cSld></p:notes>",
        shape("<p:ph type='body'/>", &p("", "Say hello.")),
        shape("<p:ph type='sldNum'/>", &p("", "1"))
    );
    let relations = format!(
        "<Relationships><Relationship Id='n' Type='{KIND}/notesSlide' \
         Target='../notesSlides/n.xml'/></Relationships>"
    );
    let shapes = [body, number, table, grouped, title("Plans")].concat();
    let bytes = packed(&show(
        &[("slide1.xml", slide(&shapes))],
        &[("ppt/slides/_rels/slide1.xml.rels", relations), ("ppt/notesSlides/n.xml", notes)],
    ));
    assert_eq!(
        read(&bytes, Format::Pptx).unwrap().text,
        "# Plans\n\n- one\n  - deep\n1) first\n2) second\n\nPlain.\n\n- Plan: Duo; Price: 29\n\
         - Plan: Duo; Price: 30\n\nIn a group.\n\n## Notes\n\nSay hello.\n"
    );
}

#[test]
fn the_boxes_of_a_diagram_are_items() {
    let data = format!(
        "<dgm:dataModel><dgm:ptLst><dgm:pt type='pres'/><dgm:pt><dgm:t>{}</dgm:t></dgm:pt>\
         <dgm:pt type='parTrans'><dgm:t>{}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>",
        p("", "Ask"),
        p("", "never")
    );
    let frame = "<p:graphicFrame><a:graphic><a:graphicData><dgm:relIds r:dm='d'/>\
                 </a:graphicData></a:graphic></p:graphicFrame>";
    let relations = format!(
        "<Relationships><Relationship Id='d' Type='{KIND}/diagramData' \
         Target='../diagrams/data1.xml'/></Relationships>"
    );
    let bytes = packed(&show(
        &[("slide1.xml", slide(frame))],
        &[("ppt/slides/_rels/slide1.xml.rels", relations), ("ppt/diagrams/data1.xml", data)],
    ));
    assert_eq!(read(&bytes, Format::Pptx).unwrap().text, "- Ask\n");
}

#[test]
fn a_lost_slide_is_named_and_the_others_are_read() {
    let cut = "<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Cut".to_owned();
    let bytes = packed(&show(
        &[
            ("slide1.xml", slide(&title("Whole"))),
            ("slide2.xml", String::new()),
            ("slide3.xml", cut),
        ],
        &[],
    ));
    let parsed = read(&bytes, Format::Pptx).unwrap();
    assert_eq!(parsed.text, "# Whole\n\nCut\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![2, 3] }]);
}

#[test]
fn without_its_list_a_show_is_read_by_the_numbers_of_its_slides() {
    let mut entries =
        show(&[("slide10.xml", slide(&title("Ten"))), ("slide9.xml", slide(&title("Nine")))], &[]);
    for (name, content) in &mut entries {
        if name == "ppt/presentation.xml" {
            content.truncate(20);
        }
    }
    let parsed = read(&packed(&entries), Format::Pptx).unwrap();
    assert_eq!(parsed.text, "# Nine\n\n# Ten\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![] }]);
}

#[test]
fn no_damage_to_a_show_ends_in_a_panic() {
    let shapes = [title("A"), shape("<p:ph/>", &p("<a:pPr lvl='8'/>", "b"))].concat();
    let entries = show(&[("slide1.xml", slide(&shapes)), ("slide2.xml", slide(&title("B")))], &[]);
    for bytes in mutations(&pack_stored(&borrowed(&entries)), 500) {
        let _ = content(&bytes, Format::Pptx);
    }
    for bytes in mutations(&packed(&entries), 500) {
        let _ = content(&bytes, Format::Pptx);
    }
}

#[test]
fn comments_on_a_slide_follow_it() {
    let comments = "<cmLst><cm><text>Old remark</text></cm><cm><txBody><p><r><t>New remark</t></r></p>\
                    </txBody><replyLst><reply><txBody><p><r><t>Answer</t></r></p></txBody></reply>\
                    </replyLst></cm></cmLst>";
    let relations = "<Relationships><Relationship Id='c' Type='http://x/comments' \
                     Target='../comments/c.xml'/></Relationships>";
    let others = [
        ("ppt/slides/_rels/a.xml.rels", relations.to_owned()),
        ("ppt/comments/c.xml", comments.to_owned()),
    ];
    let entries = show(&[("a.xml", slide(&title("Plans")))], &others);
    let text = read(&packed(&entries), Format::Pptx).unwrap().text;
    assert_eq!(
        text,
        "# Plans\n\n[comment: Old remark]\n\n[comment: New remark]\n\n[comment: Answer]\n"
    );
}
