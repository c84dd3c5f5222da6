//! Stories of packages that are damaged, or made to do harm.

use super::xml::{Element, Tree, decode};
use super::*;
use crate::format::Format;
use crate::mutation::mutations;
use crate::office::packing::{pack, pack_stored};

#[test]
fn an_entry_is_found_whatever_the_case_of_its_name() {
    let bytes = pack(&[("word/Document.xml", "a"), ("word/document.XML", "b")]);
    let package = Package::open(&bytes).unwrap();
    assert_eq!(package.read("word/Document.xml"), Ok(Some(b"a".to_vec())));
    assert_eq!(package.read("/WORD/document.xml"), Ok(Some(b"b".to_vec())));
    assert_eq!(package.read("word/styles.xml"), Ok(None));
    assert!(!package.is_damaged());
}

#[test]
fn names_that_lead_out_of_the_package_do_no_harm() {
    let bytes = pack(&[("../../etc/passwd", "a"), ("/absolute", "b")]);
    let package = Package::open(&bytes).unwrap();
    assert_eq!(package.names().count(), 2);
    assert_eq!(package.read("absolute"), Ok(Some(b"b".to_vec())));
}

#[test]
fn a_package_of_too_many_entries_is_refused() {
    let names: Vec<String> = (0..10_001).map(|number| number.to_string()).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let error = check_budget(&pack_stored(&entries)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it is too large: the number of its parts is 10001; the limit is 10000"
    );
    assert_eq!(check_budget(&pack_stored(&entries[..10_000])), Ok(()));
}

#[test]
fn a_small_package_that_unpacks_to_much_is_refused_by_what_it_declares() {
    let zeros = "0".repeat(11 << 20);
    let bytes = pack(&[("word/document.xml", &zeros)]);
    assert!(bytes.len() < 100_000);
    assert!(matches!(check_budget(&bytes), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn a_video_does_not_count_unless_somebody_reads_it() {
    let video = "0".repeat(65 << 20);
    let bytes = pack(&[("ppt/media/media1.MP4", &video), ("ppt/presentation.xml", "<p/>")]);
    assert_eq!(check_budget(&bytes), Ok(()));
    let package = Package::open(&bytes).unwrap();
    assert_eq!(package.read("ppt/presentation.xml"), Ok(Some(b"<p/>".to_vec())));
    let video = package.read("ppt/media/media1.mp4");
    assert!(matches!(video, Err(ExtractError::TooLarge { .. })), "it is not unpacked");
    let renamed = pack(&[("ppt/media/media1.xml", &"0".repeat(65 << 20))]);
    assert!(matches!(check_budget(&renamed), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn a_long_sheet_is_read_piece_by_piece_and_never_whole() {
    let sheet = "0".repeat(65 << 20);
    for name in ["content.xml", "xl/worksheets/sheet1.xml"] {
        let bytes = pack_stored(&[(name, &sheet)]);
        assert_eq!(check_budget(&bytes), Ok(()), "{name}");
        let whole = Package::open(&bytes).unwrap().read(name);
        assert!(matches!(whole, Err(ExtractError::TooLarge { .. })), "{name}");
        let tight = check_budget(&pack(&[(name, &sheet)]));
        assert!(matches!(tight, Err(ExtractError::TooLarge { .. })), "{name}");
    }
    let other = pack_stored(&[("word/document.xml", &sheet)]);
    assert!(matches!(check_budget(&other), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn a_size_that_is_declared_too_small_is_not_believed() {
    let zeros = "0".repeat(12 << 20);
    let mut bytes = pack(&[("word/document.xml", &zeros)]);
    let declared = u32::try_from(zeros.len()).unwrap().to_le_bytes();
    for at in 0..bytes.len() - 4 {
        if bytes[at..at + 4] == declared {
            bytes[at..at + 4].copy_from_slice(&1_000_u32.to_le_bytes());
        }
    }
    let package = Package::open(&bytes).unwrap();
    match package.read("word/document.xml") {
        Ok(content) => assert!(content.unwrap_or_default().len() <= 1_001),
        Err(error) => assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}"),
    }
    // Without its directory, only the counting stops it.
    let cut = &bytes[..bytes.len() - 60];
    match Package::open(cut).and_then(|package| package.read("word/document.xml")) {
        Ok(content) => assert!(content.unwrap_or_default().len() <= 1_001),
        Err(error) => assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}"),
    }
}

#[test]
fn what_is_read_again_and_again_counts_each_time() {
    let bytes = pack_stored(&[("a", "words")]);
    let package = Package::open(&bytes).unwrap();
    package.unpacked.set((256 << 20) - 7);
    assert_eq!(package.read("a"), Ok(Some(b"words".to_vec())));
    assert!(matches!(package.read("a"), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn a_package_cut_short_gives_the_entries_before_the_cut() {
    let body = format!("<document>{}</document>", "<p>words of many kinds</p>".repeat(2_000));
    let bytes = pack(&[("word/styles.xml", "<styles/>"), ("word/document.xml", &body)]);
    let cut = &bytes[..bytes.len() - 200];
    assert!(check_budget(cut).is_err(), "other parsers need the directory");
    let package = Package::open(cut).unwrap();
    assert!(package.is_damaged());
    assert_eq!(package.read("word/styles.xml"), Ok(Some(b"<styles/>".to_vec())));
    let read = package.read("word/document.xml").unwrap().unwrap();
    assert!(body.as_bytes().starts_with(&read) && read.len() > 1_000, "{}", read.len());
    assert_eq!(format_of(cut), Ok(Format::Docx));
}

#[test]
fn an_encrypted_entry_says_that_it_has_a_password() {
    let mut bytes = pack(&[("h5p.json", "{}")]);
    let directory = bytes.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    bytes[6] |= 1;
    bytes[directory + 8] |= 1;
    let package = Package::open(&bytes).unwrap();
    assert_eq!(package.read("h5p.json"), Err(ExtractError::Password { can_unlock: false }));
}

#[test]
fn a_package_is_known_by_its_mark_and_without_it_by_its_parts() {
    let types = |main: &str| format!("<Types><Override ContentType='application/{main}'/></Types>");
    let opendocument = |kind: &str| format!("application/vnd.oasis.opendocument.{kind}");
    for (name, content, format) in [
        ("mimetype", opendocument("text"), Ok(Format::Odt)),
        ("mimetype", opendocument("spreadsheet-template"), Ok(Format::Ods)),
        ("mimetype", opendocument("presentation"), Ok(Format::Odp)),
        ("mimetype", "application/epub+zip\n".to_owned(), Ok(Format::Epub)),
        (
            "[Content_Types].xml",
            types("vnd.ms-word.template.macroEnabledTemplate.main+xml"),
            Ok(Format::Docx),
        ),
        (
            "[Content_Types].xml",
            types("vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"),
            Ok(Format::Pptx),
        ),
        (
            "[Content_Types].xml",
            types("vnd.ms-excel.sheet.macroEnabled.main+xml"),
            Ok(Format::Xlsx),
        ),
        (
            "[Content_Types].xml",
            types("vnd.ms-excel.sheet.binary.macroEnabled.main"),
            Err(ExtractError::Unsupported { format: ".xlsb".to_owned() }),
        ),
        ("h5p.json", "{}".to_owned(), Ok(Format::H5p)),
        ("xl/workbook.xml", String::new(), Ok(Format::Xlsx)),
        ("content.xml", "<office:body><office:text>".to_owned(), Ok(Format::Odt)),
        ("guide.docx", String::new(), Ok(Format::Zip)),
    ] {
        assert_eq!(format_of(&pack(&[(name, &content)])), format, "{name}: {content}");
    }
}

#[test]
fn no_damage_to_a_package_ends_in_a_panic() {
    let bytes = pack(&[("mimetype", "application/epub+zip"), ("a.xml", "<a>&#233;<b/></a>")]);
    for damaged in mutations(&bytes, 500) {
        let _ = format_of(&damaged);
        if let Ok(package) = Package::open(&damaged) {
            for name in ["mimetype", "a.xml"] {
                let text = package.read(name).ok().flatten().unwrap_or_default();
                let text = decode(&text);
                let _ = Tree::of(&text).root().map(Element::text);
            }
        }
    }
}

#[test]
fn no_damage_to_xml_ends_in_a_panic() {
    let xml = "<?xml version='1.0'?><a x:y='1&amp;2'><!-- c --><b>&#x41;</b><![CDATA[d]]></a>";
    for damaged in mutations(xml.as_bytes(), 500) {
        let text = decode(&damaged);
        let tree = Tree::of(&text);
        let Some(root) = tree.root() else { continue };
        let _ = (root.text(), root.attribute("y"), root.descendants().count());
    }
}

#[test]
fn entities_that_multiply_are_not_expanded() {
    let bomb = "<!DOCTYPE a [<!ENTITY b 'bbbbbbbbbb'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>\
                <a d='&c;'>&c;&lt;&#8364;</a>";
    let tree = Tree::of(bomb);
    let root = tree.root().unwrap();
    assert_eq!(root.text(), "&c;<€");
    assert_eq!(root.attribute("d").as_deref(), Some("&c;"));
}

#[test]
fn xml_that_breaks_off_keeps_what_came_before() {
    for (xml, words) in [
        ("<a><b>one</b><b>tw", "onetw"),
        ("<a><b>one</b><b at='", "one"),
        ("<a><b>one</c>two</b></a>", "onetwo"),
        ("<a>one</b></a>", "one"),
    ] {
        let tree = Tree::of(xml);
        assert!(tree.damage().is_some(), "{xml}");
        assert_eq!(tree.root().map(Element::text).as_deref(), Some(words), "{xml}");
    }
    let deep = "<a>".repeat(1_000);
    assert!(Tree::of(&deep).damage().is_some_and(|damage| damage.contains("too deeply")));
}

#[test]
fn xml_is_read_in_the_encoding_it_says() {
    let utf16: Vec<u8> = "\u{FEFF}<?xml encoding='UTF-16'?><a>é</a>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(decode(&utf16).ends_with("<a>é</a>"));
    assert!(decode(b"<?xml version='1.0' encoding=\"ISO-8859-1\"?><a>\xE9</a>").contains('é'));
    assert!(decode(b"<?xml version='1.0' encoding='UTF-16'?><a>x</a>").ends_with("<a>x</a>"));
}
