//! Scans, text layers, and text that cannot be read.

use std::cell::RefCell;
use std::path::Path;

use ancre_domain::Warning;

use super::{BODY, input, libraries, page, parse, scan};
use crate::content::Block;
use crate::input::{Input, ReadProgress};
use crate::pdf::{read_document, with_document, written::Written};
use crate::recognition::{GrayImage, Recognised, Recogniser};
use crate::{ExtractError, read};

#[test]
fn scans_are_counted_and_the_rest_is_read() {
    let (text, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let parsed = parse(&Written::default().page(scan()).page(text).page(scan())).unwrap();
    assert_eq!(parsed.warnings, [Warning::ScannedPages { pages: vec![1, 3], total: 3 }]);
    assert!(parsed.text.starts_with("Vous"));
}

#[test]
fn scans_alone_have_no_text_layer_and_nothing_at_all_is_empty() {
    let scans = Written::default().page(scan()).page(scan());
    assert_eq!(parse(&scans), Err(ExtractError::NoTextLayer { pages: 2 }));
    assert_eq!(parse(&Written::default().page(page())), Err(ExtractError::Empty));
    let stamp = page().picture(500.0, 780.0, 40.0, 40.0);
    assert_eq!(parse(&Written::default().page(stamp)), Err(ExtractError::Empty));
}

#[test]
fn the_text_layer_of_a_scan_is_read_and_said_to_be_recognised() {
    let layered = scan().hidden(70.0, 750.0, 11.0, "Vous avez trente jours pour renvoyer.");
    let parsed = parse(&Written::default().page(layered)).unwrap();
    assert_eq!(parsed.text, "Vous avez trente jours pour renvoyer.\n");
    assert_eq!(parsed.warnings, [Warning::RecognisedPages { pages: vec![1], total: 1 }]);
}

#[test]
fn real_documents_are_not_called_garbled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    for name in [
        "pdfjs__tracemonkey.pdf",
        "docl__multi_page.pdf",
        "pypdf__GeoBase_NHNC1_Data_Model_UML_EN.pdf",
        "pypdf__multilang.pdf",
        "tika__testPDFVarious.pdf",
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let parsed = read::parse(&input(&bytes, &libraries())).unwrap();
        assert_eq!(parsed.warnings, [], "{name}");
    }
}

#[test]
fn a_page_whose_letters_are_others_is_called_garbled() {
    // Each letter three places on, as a font with a wrong table gives it.
    let shift = |it: char| match it {
        'a'..='z' => char::from(b'a' + (u8::try_from(it).unwrap() - b'a' + 3) % 26),
        _ => it,
    };
    let (clear, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, &format!("{BODY} {BODY}"));
    let text: String = format!("{BODY} {BODY}").chars().map(shift).collect();
    let (garbled, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, &text);
    let parsed = parse(&Written::default().page(clear).page(garbled)).unwrap();
    assert_eq!(parsed.warnings, [Warning::GarbledPages { pages: vec![2], total: 2 }]);
}

/// Says what size of picture it was given.
struct Measuring;

impl Recogniser for Measuring {
    fn recognise(&self, image: &GrayImage) -> Result<Recognised, ExtractError> {
        assert_eq!(image.pixels.len(), (image.width * image.height) as usize);
        assert!(image.pixels.iter().any(|it| *it < 250), "the scan is drawn");
        let text = format!("Reconnu en {} sur {}", image.width, image.height);
        Ok(Recognised { paragraphs: vec![text], confidence: 0.9 })
    }
}

#[test]
fn scans_are_recognised_one_by_one_when_somebody_wants_it() {
    let (text, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let bytes = Written::default().page(text).page(scan()).page(scan().turned(90)).bytes();
    let (libraries, heard) = (libraries(), RefCell::new(Vec::new()));
    let hear = |progress: ReadProgress| heard.borrow_mut().push(progress);
    let input = Input { recognise: true, progress: &hear, ..input(&bytes, &libraries) };
    let content =
        with_document(&input, |opened| read_document(opened, &input, &|| Ok(Box::new(Measuring))));
    let content = content.unwrap().unwrap();
    assert!(
        content.blocks.contains(&Block::Paragraph("Reconnu en 2479 sur 3508".to_owned())),
        "{content:?}"
    );
    assert!(content.blocks.contains(&Block::Paragraph("Reconnu en 3508 sur 2479".to_owned())));
    assert_eq!(content.warnings, [Warning::RecognisedPages { pages: vec![2, 3], total: 3 }]);
    let done: Vec<(u32, u32)> =
        heard.take().iter().map(|it| (it.pages_done, it.pages_total)).collect();
    assert_eq!(done, [(1, 2), (2, 2)]);
}
