//! What the fuzz targets share: one document through the door of the crate, and packages that are
//! whole but for one part.

// Each target uses what it needs.
#![allow(dead_code)]

use std::io::{Cursor, Write as _};

use ancre_extract::{Libraries, Parsed, ReadOptions, Reader};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads a document in this process and checks what every text must be.
pub fn read(bytes: &[u8], name: &str) {
    let reader = Reader::in_process(Libraries::default());
    check(reader.read_bytes(bytes, name, ReadOptions::default()).ok());
}

/// Checks what was read, if anything was.
pub fn check(parsed: Option<Parsed>) {
    let Some(parsed) = parsed else { return };
    assert!(!parsed.text.trim().is_empty());
    assert!(!parsed.text.contains(|it: char| it.is_control() && !matches!(it, '\n' | '\t')));
    let length = parsed.text.chars().count() as u32;
    assert!(parsed.outline.iter().all(|heading| heading.start < length));
    let pages = parsed.pagination.iter().flat_map(|it| &it.pages);
    assert!(pages.map(|page| page.start).is_sorted(), "pages are in order");
}

/// Unpacks an archive, which only has a door from the disk.
pub fn unpack(bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("ancre-fuzz-{}.zip", std::process::id()));
    std::fs::write(&path, bytes).expect("the folder for temporary files can be written");
    let _ = Reader::in_process(Libraries::default()).read_path(&path, ReadOptions::default());
}

/// A package of the format of `name` whose part `part` has these bytes.
pub fn package(name: &str, part: &str, bytes: &[u8]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |path: &str, content: &[u8]| {
        writer.start_file(path, SimpleFileOptions::default()).expect("a part begins");
        writer.write_all(content).expect("memory takes it");
    };
    for (path, content) in surroundings(name).iter().filter(|(path, _)| *path != part) {
        add(path, content.as_bytes());
    }
    add(part, bytes);
    writer.finish().expect("the package ends").into_inner()
}

fn surroundings(name: &str) -> &'static [(&'static str, &'static str)] {
    match name {
        "a.docx" => &[
            ("[Content_Types].xml", r#"<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#),
            ("_rels/.rels", r#"<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#),
        ],
        "a.pptx" => &[
            ("[Content_Types].xml", r#"<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>"#),
            ("_rels/.rels", r#"<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="ppt/presentation.xml"/></Relationships>"#),
            ("ppt/presentation.xml", r#"<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst></p:presentation>"#),
            ("ppt/_rels/presentation.xml.rels", r#"<Relationships><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide1.xml"/></Relationships>"#),
        ],
        "a.xlsx" => &[
            ("[Content_Types].xml", r#"<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#),
            ("_rels/.rels", r#"<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#),
            ("xl/workbook.xml", r#"<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="s"/></sheets></workbook>"#),
            ("xl/_rels/workbook.xml.rels", r#"<Relationships><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#),
            ("xl/worksheets/sheet1.xml", r#"<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>"#),
            ("xl/worksheets/_rels/sheet1.xml.rels", r#"<Relationships><Relationship Id="c" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="../comments1.xml"/></Relationships>"#),
        ],
        "a.odt" => &[("mimetype", "application/vnd.oasis.opendocument.text")],
        "a.ods" => &[("mimetype", "application/vnd.oasis.opendocument.spreadsheet")],
        "a.odp" => &[("mimetype", "application/vnd.oasis.opendocument.presentation")],
        "a.epub" => &[
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", r#"<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>"#),
            ("book.opf", r#"<package><manifest><item id="c" href="chapter.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>"#),
        ],
        "a.h5p" => &[("h5p.json", r#"{"title":"x","mainLibrary":"H5P.Text"}"#)],
        _ => &[],
    }
}
