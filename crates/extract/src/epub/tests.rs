use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;
use crate::input::Libraries;
use crate::mutation::mutations;
use crate::{Parsed, read};

const CONTAINER: &str = "<container><rootfiles><rootfile full-path='OEBPS/book.opf' \
     media-type='application/oebps-package+xml'/></rootfiles></container>";

const BOOK: &str = "<package xmlns='http://www.idpf.org/2007/opf' \
     xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>Le guide</dc:title></metadata>\
     <manifest><item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
     <item id='a' href='text/un%20.xhtml' media-type='application/xhtml+xml'/>\
     <item id='b' href='text/deux.xhtml' media-type='application/xhtml+xml'/>\
     <item id='c' href='text/notes.xhtml' media-type='application/xhtml+xml'/>\
     <item id='p' href='p.png' media-type='image/png'/></manifest>\
     <spine><itemref idref='n'/><itemref idref='c' linear='no'/><itemref idref='b'/>\
     <itemref idref='a'/><itemref idref='p'/></spine></package>";

const NAVIGATION: &str = "<html xmlns:epub='x'><body><nav epub:type='toc'><ol>\
     <li><a href='text/deux.xhtml#x'>Chapitre <b>deux</b></a></li>\
     <li><a href='text/un%20.xhtml'>Autre</a></li></ol></nav></body></html>";

fn package(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn book_with(more: &[(&str, &str)]) -> Vec<u8> {
    let mut files = vec![
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OEBPS/book.opf", BOOK),
        ("OEBPS/nav.xhtml", NAVIGATION),
        (
            "OEBPS/text/deux.xhtml",
            "<html><head><title/></head><body><p>Deux&#160;!</p></body></html>",
        ),
        (
            "OEBPS/text/notes.xhtml",
            "<html><body><h2>Notes</h2><p>&eacute;t&eacute;</p></body></html>",
        ),
    ];
    files.extend(more);
    package(&files)
}

const FIRST: (&str, &str) =
    ("OEBPS/text/un .xhtml", "<html><body><h1>Un</h1><p>Texte.</p></body></html>");

fn parsed(bytes: &[u8]) -> Result<Parsed, ExtractError> {
    read::parse(&Input {
        bytes,
        file_name: "livre.epub",
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}

#[test]
fn chapters_are_read_in_their_order_with_their_titles() {
    let parsed = parsed(&book_with(&[FIRST])).unwrap();
    assert_eq!(
        parsed.text,
        "# Chapitre deux\n\nDeux\u{a0}!\n\n# Un\n\nTexte.\n\n## Notes\n\nété\n"
    );
    assert_eq!(parsed.title, "Le guide");
    assert_eq!(parsed.warnings, []);
}

#[test]
fn a_missing_chapter_is_told() {
    let parsed = parsed(&book_with(&[])).unwrap();
    assert!(!parsed.text.contains("Texte."));
    assert_eq!(parsed.warnings, [Warning::Partial { pages: Vec::new() }]);
}

#[test]
fn titles_come_from_the_list_of_older_books_too() {
    let book = "<package><metadata><title>Vieux</title></metadata><manifest>\
         <item id='t' href='toc.ncx' media-type='application/x-dtbncx+xml'/>\
         <item id='a' href='a.html' media-type='application/xhtml+xml'/></manifest>\
         <spine toc='t'><itemref idref='a'/></spine></package>";
    let list = "<ncx><navMap><navPoint><navLabel><text>Préface</text></navLabel>\
         <content src='a.html'/></navPoint></navMap></ncx>";
    let bytes = package(&[
        ("mimetype", "application/epub+zip"),
        ("x/old.opf", book),
        ("x/toc.ncx", list),
        ("x/a.html", "<p>Bonjour."),
    ]);
    assert_eq!(parsed(&bytes).unwrap().text, "# Préface\n\nBonjour.\n");
}

#[test]
fn encrypted_chapters_are_refused_and_encrypted_fonts_are_not() {
    let encryption = |uri: &str| {
        format!(
            "<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI='{uri}'/>\
             </enc:CipherData></enc:EncryptedData></encryption>"
        )
    };
    let with =
        |uri: &str| parsed(&book_with(&[FIRST, ("META-INF/encryption.xml", &encryption(uri))]));
    assert_eq!(with("OEBPS/text/un%20.xhtml"), Err(ExtractError::Password { can_unlock: false }));
    assert!(with("OEBPS/fonts/a.otf").is_ok());
}

#[test]
fn a_book_without_chapters_is_damaged() {
    let bytes = package(&[("mimetype", "application/epub+zip"), ("a.txt", "x")]);
    assert!(matches!(parsed(&bytes), Err(ExtractError::Corrupt { .. })));
}

#[test]
fn no_damage_stops_the_reader() {
    for damaged in mutations(&book_with(&[FIRST]), 500) {
        if let Ok(book) = parsed(&damaged) {
            assert!(!book.text.is_empty());
        }
    }
}
