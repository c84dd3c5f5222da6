//! Stories of the paragraphs, lists and pages of text documents.

use ancre_domain::{PageKind, Warning};

use crate::format::Format;
use crate::mutation::mutations;
use crate::office::packing::{content, pack, pack_stored, pages, read};
use crate::{ExtractError, Parsed};

const MAIN: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A document of this body, with other parts: each its kind and its content.
fn entries(body: &str, parts: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut relations = String::new();
    let mut entries = Vec::new();
    for (at, (kind, content)) in parts.iter().enumerate() {
        relations.push_str(&format!(
            "<Relationship Id='r{at}' Type='{MAIN}/{kind}' Target='part{at}.xml'/>"
        ));
        entries.push((format!("word/part{at}.xml"), (*content).to_owned()));
    }
    entries.push((
        "_rels/.rels".to_owned(),
        format!(
            "<Relationships><Relationship Id='m' Type='{MAIN}/officeDocument' \
             Target='word/document.xml'/></Relationships>"
        ),
    ));
    entries.push((
        "word/_rels/document.xml.rels".to_owned(),
        format!("<Relationships>{relations}</Relationships>"),
    ));
    entries.push((
        "word/document.xml".to_owned(),
        format!("<w:document><w:body>{body}</w:body></w:document>"),
    ));
    entries
}

fn borrowed(entries: &[(String, String)]) -> Vec<(&str, &str)> {
    entries.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect()
}

fn document(body: &str, parts: &[(&str, &str)]) -> Result<Parsed, ExtractError> {
    read(&pack(&borrowed(&entries(body, parts))), Format::Docx)
}

pub(super) fn text(body: &str, parts: &[(&str, &str)]) -> String {
    document(body, parts).unwrap().text
}

/// A paragraph with these properties.
pub(super) fn p(properties: &str, words: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>")
}

fn item(list: u8, level: u8, words: &str) -> String {
    let properties =
        format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr>");
    p(&properties, words)
}

pub(super) fn tc(properties: &str, words: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p("", words))
}

const NUMBERING: &str = "<w:numbering>\
    <w:abstractNum w:abstractNumId='7'>\
      <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>\
      <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='%1.%2)'/></w:lvl>\
    </w:abstractNum>\
    <w:abstractNum w:abstractNumId='8'>\
      <w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/><w:lvlText w:val='\u{f0b7}'/></w:lvl>\
    </w:abstractNum>\
    <w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>\
    <w:num w:numId='2'><w:abstractNumId w:val='7'/>\
      <w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>\
    <w:num w:numId='3'><w:abstractNumId w:val='8'/></w:num>\
    </w:numbering>";

#[test]
fn a_numbered_list_counts_nests_and_restarts() {
    let body = [
        item(1, 0, "one"),
        item(1, 1, "deep"),
        item(1, 1, "deeper"),
        item(1, 0, "two"),
        item(1, 1, "again"),
        p("", "Between."),
        item(1, 0, "goes on"),
        item(2, 0, "restarts"),
        item(3, 0, "bullet"),
        item(0, 0, "no item"),
    ]
    .concat();
    assert_eq!(
        text(&body, &[("numbering", NUMBERING)]),
        "1. one\n  1.a) deep\n  1.b) deeper\n2. two\n  2.a) again\n\nBetween.\n\n3. goes on\n\
         1. restarts\n- bullet\n\nno item\n"
    );
}

#[test]
fn headings_are_known_by_level_by_name_in_french_and_by_what_they_are_based_on() {
    let styles = "<w:styles>\
        <w:style w:type='paragraph' w:styleId='Titre2'><w:name w:val='Titre 2'/></w:style>\
        <w:style w:type='paragraph' w:styleId='Mine'><w:basedOn w:val='Titre2'/></w:style>\
        <w:style w:type='paragraph' w:styleId='Top'><w:name w:val='Title'/></w:style>\
        <w:style w:type='paragraph' w:styleId='L'><w:name w:val='x'/>\
          <w:pPr><w:outlineLvl w:val='2'/></w:pPr></w:style></w:styles>";
    let style = |name: &str, words: &str| p(&format!("<w:pStyle w:val='{name}'/>"), words);
    let body = [
        style("Top", "Guide"),
        style("Titre2", "Délais"),
        style("Mine", "Frais"),
        style("L", "Détail"),
        p("<w:outlineLvl w:val='0'/>", "Direct"),
        style("Unknown", "Texte"),
    ]
    .concat();
    let parsed = document(&body, &[("styles", styles)]).unwrap();
    let outline: Vec<(u8, &str)> =
        parsed.outline.iter().map(|it| (it.level, it.title.as_str())).collect();
    assert_eq!(outline, [(1, "Guide"), (2, "Délais"), (2, "Frais"), (3, "Détail"), (1, "Direct")]);
    assert!(parsed.text.ends_with("\n\nTexte\n"));
}

#[test]
fn a_numbered_heading_keeps_its_number() {
    let properties = "<w:outlineLvl w:val='1'/><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/>\
                      </w:numPr>";
    let text = text(&p(properties, "Retours"), &[("numbering", NUMBERING)]);
    assert_eq!(text, "## 1. Retours\n");
}

#[test]
fn what_was_deleted_hidden_or_instructs_is_left_out_and_what_a_field_shows_stays() {
    let body = "<w:p><w:ins><w:r><w:t>new </w:t></w:r></w:ins>\
        <w:del><w:r><w:delText>old </w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>away </w:t></w:r></w:moveFrom>\
        <w:moveTo><w:r><w:t>here </w:t></w:r></w:moveTo>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden </w:t></w:r>\
        <w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>result </w:t></w:r>\
        <w:r><w:fldChar w:fldCharType='end'/></w:r>\
        <w:fldSimple w:instr=' PAGE '><w:r><w:t>7</w:t></w:r></w:fldSimple>\
        <w:hyperlink><w:r><w:t>link</w:t><w:tab/><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:hyperlink>\
        </w:p>";
    assert_eq!(text(body, &[]), "new here result link\ta\nb\n");
}

#[test]
fn pages_are_approximate_and_there_only_when_the_file_has_breaks() {
    let wanted = "<w:p><w:r><w:br w:type='page'/></w:r></w:p>";
    let laid_out =
        |words: &str| format!("<w:p><w:r><w:lastRenderedPageBreak/><w:t>{words}</w:t></w:r></w:p>");
    let inside =
        "<w:p><w:r><w:t>Three </w:t><w:lastRenderedPageBreak/><w:t>four.</w:t></w:r></w:p>";
    let body = [
        p("", "One."),
        wanted.to_owned(),
        laid_out("Two."),
        laid_out("Still three."),
        inside.to_owned(),
        p("", "Four."),
        p("<w:pageBreakBefore/>", "Five."),
    ]
    .concat();
    let parsed = document(&body, &[]).unwrap();
    assert_eq!(parsed.pagination.as_ref().unwrap().kind, PageKind::ApproximatePage);
    let page = |number: u32, text: &str| (number, text.to_owned());
    assert_eq!(
        pages(&parsed),
        [
            page(1, "One."),
            page(2, "Two."),
            page(3, "Still three.\n\nThree\nfour."),
            page(4, "Four."),
            page(5, "Five.")
        ]
    );
    assert_eq!(document(&p("", "One."), &[]).unwrap().pagination, None);
}

#[test]
fn a_strict_document_is_read_by_its_relations() {
    let strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    let bytes = pack(&[
        (
            "_rels/.rels",
            &format!(
                "<Relationships><Relationship Id='a' Type='{strict}/officeDocument' \
                 Target='/other/main.xml'/></Relationships>"
            ),
        ),
        (
            "[Content_Types].xml",
            "<Types><Override PartName='/other/main.xml' ContentType='application/\
             vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'/></Types>",
        ),
        (
            "other/main.xml",
            "<document xmlns='http://purl.oclc.org/ooxml/wordprocessingml/main'><body><p><r>\
             <t>Strict.</t></r></p></body></document>",
        ),
        ("docProps/core.xml", "<c><dc:title>Strict guide</dc:title></c>"),
    ]);
    let parsed = read(&bytes, Format::Docx).unwrap();
    assert_eq!((parsed.text.as_str(), parsed.title.as_str()), ("Strict.\n", "Strict guide"));
}

#[test]
fn a_document_cut_short_gives_what_stands_before_the_cut() {
    let mut entries = entries(&p("", "Before the cut."), &[]);
    let main = &mut entries.last_mut().unwrap().1;
    let end = main.find("</w:body>").unwrap();
    main.truncate(end);
    main.push_str("<w:p><w:r><w:t>cut he");
    let parsed = read(&pack(&borrowed(&entries)), Format::Docx).unwrap();
    assert_eq!(parsed.text, "Before the cut.\n\ncut he\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![] }]);

    entries.last_mut().unwrap().1 = "<w:document><w:bo".to_owned();
    let error = read(&pack(&borrowed(&entries)), Format::Docx).unwrap_err();
    assert!(matches!(error, ExtractError::Corrupt { .. }), "{error}");
}

#[test]
fn a_document_without_words_is_empty() {
    assert_eq!(document("<w:p/>", &[]), Err(ExtractError::Empty));
}

#[test]
fn no_damage_to_a_document_ends_in_a_panic() {
    let body = format!(
        "{}{}<w:tbl><w:tr>{}{}</w:tr><w:tr>{}</w:tr></w:tbl><w:p><w:r><w:br w:type='page'/>\
         <w:footnoteReference w:id='1'/></w:r></w:p>",
        item(1, 0, "one"),
        item(2, 1, "two"),
        tc("<w:gridSpan w:val='3'/><w:vMerge/>", "A"),
        tc("", "B"),
        tc("", "C")
    );
    let footnotes = "<w:footnotes><w:footnote w:id='1'><w:p><w:r><w:t>n</w:t></w:r></w:p>\
        </w:footnote></w:footnotes>";
    let entries = entries(&body, &[("numbering", NUMBERING), ("footnotes", footnotes)]);
    for bytes in mutations(&pack_stored(&borrowed(&entries)), 500) {
        let _ = content(&bytes, Format::Docx);
    }
    for bytes in mutations(&pack(&borrowed(&entries)), 500) {
        let _ = content(&bytes, Format::Docx);
    }
}

#[test]
fn a_table_of_contents_is_left_out_and_its_pages_count() {
    let contents = |inside: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/>\
             </w:docPartObj></w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"
        )
    };
    let entries = p("", "Contents") + "<w:p><w:r><w:br w:type='page'/></w:r></w:p>";
    let styles = "<w:styles><w:style w:type='paragraph' w:styleId='T'><w:name w:val='toc 1'/>\
                  </w:style></w:styles>";
    let body = p("", "Guide")
        + &contents(&entries)
        + &p("<w:pStyle w:val='T'/>", "Returns 3")
        + &p("", "words");
    let parsed = document(&body, &[("styles", styles)]).unwrap();
    assert_eq!(parsed.text, "Guide\n\nwords\n");
    assert_eq!(parsed.pagination.map(|it| it.page_count()), Some(2));
}

#[test]
fn a_control_that_asks_to_be_filled_in_says_nothing() {
    let control = |words: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:r><w:t>{words}</w:t></w:r>\
             </w:sdtContent></w:sdt>"
        )
    };
    let prompt = control("Cliquez ici pour taper du texte.");
    let sample = control("Jane Doe");
    let body = format!("<w:p>{prompt}{sample}<w:r><w:noBreakHyphen/></w:r></w:p>{prompt}");
    assert_eq!(text(&body, &[]), "Jane Doe-\n");
}
