//! Pages: their numbers, what repeats on them, their pictures, and what is read without PDFium.

use std::path::Path;

use ancre_domain::PageKind;

use super::{BODY, input, libraries, page, parse, scan};
use crate::input::{Input, Libraries};
use crate::pdf::{refuse_too_many_pages, written::Written};
use crate::{ExtractError, picture, read};

#[test]
fn pages_have_numbers_and_the_labels_that_say_more() {
    let text = |text: &str| page().line(70.0, 700.0, 11.0, text);
    let written = Written::default()
        .page(text("Préface"))
        .page(text("Suite de la préface"))
        .page(text("Chapitre"))
        .front_matter(2);
    let pagination = parse(&written).unwrap().pagination.unwrap();
    assert_eq!(pagination.kind, PageKind::Page);
    let labels: Vec<(u32, Option<&str>)> =
        pagination.pages.iter().map(|it| (it.number, it.label.as_deref())).collect();
    assert_eq!(labels, [(1, Some("i")), (2, Some("ii")), (3, Some("1"))]);
}

#[test]
fn running_headers_and_page_numbers_are_left_out() {
    let mut written = Written::default();
    for number in 1..=6 {
        let (one, _) = page()
            .line(70.0, 810.0, 9.0, "Ancre SA – Guide des retours")
            .line(280.0, 30.0, 9.0, &format!("{number} / 6"))
            .wrapped(70.0, 750.0, 11.0, 400.0, &format!("Article {number}. {BODY} {BODY} {BODY}"));
        written = written.page(one);
    }
    let parsed = parse(&written).unwrap();
    assert!(!parsed.text.contains("Ancre SA") && !parsed.text.contains("/ 6"), "{}", parsed.text);
    assert_eq!(parsed.text.matches("Vous avez").count(), 18);
}

#[test]
fn pages_that_are_all_the_same_are_not_taken_for_headers() {
    let (form, _) = page().wrapped(70.0, 800.0, 11.0, 400.0, BODY);
    let written = (0..6).fold(Written::default(), |written, _| written.page(form.clone()));
    assert_eq!(parse(&written).unwrap().text.matches("Vous avez").count(), 6);
}

#[test]
fn a_thousand_pages_are_read_each_with_its_number() {
    let mut written = Written::default();
    for number in 1..=1000 {
        written =
            written.page(page().line(70.0, 700.0, 11.0, &format!("Article {number} du règlement")));
    }
    let parsed = parse(&written).unwrap();
    let pagination = parsed.pagination.unwrap();
    assert_eq!(pagination.page_count(), 1000);
    let at = pagination.pages[999].start as usize;
    assert_eq!(parsed.text.chars().skip(at).collect::<String>(), "Article 1000 du règlement\n");
}

#[test]
fn more_pages_than_are_read_are_refused() {
    assert_eq!(refuse_too_many_pages(10_000), Ok(()));
    assert!(matches!(refuse_too_many_pages(10_001), Err(ExtractError::TooLarge { .. })));
}

#[test]
fn without_pdfium_the_words_are_read_and_no_more() {
    let (text, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let bytes = Written::default().page(text.clone()).page(text).bytes();
    let parsed = read::parse(&input(&bytes, &Libraries::default())).unwrap();
    assert_eq!(parsed.pagination.unwrap().page_count(), 2);
    assert!(parsed.text.contains("Vous avez trente jours pour renvoyer"), "{}", parsed.text);
    assert!(matches!(
        read::parse(&input(b"%PDF-1.7\nnothing", &Libraries::default())),
        Err(ExtractError::Corrupt { .. })
    ));
}

#[test]
fn a_protected_document_is_no_empty_one_without_pdfium() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/documents/pypdf__libreoffice-writer-password.pdf");
    let bytes = std::fs::read(path).unwrap();
    let read = read::parse(&input(&bytes, &Libraries::default()));
    assert_eq!(read, Err(ExtractError::Password { can_unlock: false }));
}

#[test]
fn a_page_is_drawn_as_wide_as_one_asks() {
    let bytes = Written::default().page(scan()).page(scan().turned(90)).bytes();
    let libraries = libraries();
    let input = input(&bytes, &libraries);
    let size = |page, width| {
        let png = picture::page_picture(&input, page, width).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
        (reader.info().width, reader.info().height)
    };
    assert_eq!(size(1, 600), (600, 849));
    assert_eq!(size(2, 600), (600, 424));
    assert_eq!(size(1, 1).0, 200);
    assert_eq!(size(1, 9_999).0, 2400);
    for page in [0, 3, u32::MAX] {
        assert!(matches!(
            picture::page_picture(&input, page, 600),
            Err(ExtractError::Corrupt { .. })
        ));
    }
}

#[test]
fn pictures_of_other_formats_and_without_pdfium_are_not_drawn() {
    let libraries = Libraries::default();
    let text = Input { file_name: "a.txt", ..input(b"Bonjour", &libraries) };
    assert!(matches!(picture::page_picture(&text, 1, 600), Err(ExtractError::Unsupported { .. })));
    let bytes = Written::default().page(scan()).bytes();
    let picture = picture::page_picture(&input(&bytes, &libraries), 1, 600);
    assert!(matches!(picture, Err(ExtractError::Unsupported { .. })));
}
