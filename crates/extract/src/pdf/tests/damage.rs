//! Files that are cut off or damaged: what is left of them is read, and nothing panics.

use ancre_domain::Warning;

use super::{BODY, input, libraries, page, scan};
use crate::input::Libraries;
use crate::mutation::mutations;
use crate::pdf::written::Written;
use crate::{ExtractError, picture, read};

#[test]
fn a_page_that_is_lost_is_named_and_the_others_are_read() {
    let text = |text: &str| page().line(70.0, 700.0, 11.0, text);
    let bytes = Written::default().page(text("Un")).page(text("Deux")).page(text("Trois")).bytes();
    // The tree of pages leads to an object that is not there.
    let kids = bytes.windows(7).position(|it| it == b" 10 0 R").unwrap();
    let mut damaged = bytes;
    damaged[kids..kids + 7].copy_from_slice(b" 99 0 R");
    let parsed = read::parse(&input(&damaged, &libraries())).unwrap();
    assert_eq!(parsed.text, "Un\n\nTrois\n");
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![2] }]);
    let numbers: Vec<u32> = parsed.pagination.unwrap().pages.iter().map(|it| it.number).collect();
    assert_eq!(numbers, [1, 3]);
}

#[test]
fn a_page_whose_content_is_damaged_is_lost_and_a_blank_one_is_not() {
    let text = |text: &str| page().line(70.0, 700.0, 11.0, text);
    let blank = page().content("q 0 0 1 rg 10 10 50 50 re W n /P << /MCID 0 >> BDC EMC Q\n");
    let written = Written::default()
        .page(text("Un"))
        .page(blank)
        .page(page())
        .page(text("Quatre"))
        .page(text("Cinq"));
    let mut bytes = written.bytes();
    // One loses all of its content, the other its first word.
    for (word, length) in [("(Quatre)", 51), ("(Cinq)", 3)] {
        let word = bytes.windows(word.len()).position(|it| it == word.as_bytes()).unwrap();
        let start = word - "BT /F1 11 Tf 0 Tr 1 0 0 1 70 700 Tm ".len();
        bytes[start..start + length].fill(b'\xA7');
    }
    let parsed = read::parse(&input(&bytes, &libraries())).unwrap();
    assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![4] }]);
    assert_eq!(parsed.pagination.unwrap().page_count(), 5);
}

#[test]
fn a_document_that_was_cut_off_keeps_the_pages_before_the_cut() {
    let text = |number: u8| page().line(70.0, 700.0, 11.0, &format!("Article {number} en vigueur"));
    let written = (1..=9).fold(Written::default(), |written, number| written.page(text(number)));
    let bytes = written.bytes();
    let mut most = 0;
    for tenths in 2..10 {
        let cut = bytes.len() * tenths / 10;
        let parsed = match read::parse(&input(&bytes[..cut], &libraries())) {
            Err(ExtractError::Corrupt { .. }) => {
                assert_eq!(most, 0, "{tenths} tenths hold what fewer did");
                continue;
            }
            parsed => parsed.unwrap(),
        };
        assert_eq!(parsed.warnings, [Warning::Partial { pages: vec![] }], "{tenths}");
        let count = parsed.text.matches("en vigueur").count();
        assert!(parsed.text.starts_with("Article 1 en vigueur"), "{tenths}: {}", parsed.text);
        assert!(count >= most, "{tenths}: {count} after {most}");
        most = count;
    }
    assert!(most >= 8, "only {most} pages are found");
}

#[test]
fn a_cut_before_the_first_page_leaves_nothing() {
    let bytes = Written::default().page(page().line(70.0, 700.0, 11.0, "Un")).bytes();
    let first = bytes.windows(12).position(|it| it == b"/Type /Page ").unwrap();
    let read = read::parse(&input(&bytes[..first], &libraries()));
    assert!(matches!(read, Err(ExtractError::Corrupt { .. })), "{read:?}");
}

#[test]
fn damaged_files_that_were_cut_off_cost_themselves() {
    let (first, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let bytes =
        Written::default().page(first.field("Nom", "Anne")).page(scan()).page(page()).bytes();
    let libraries = libraries();
    let mut count = 0;
    for damaged in mutations(&bytes, 200) {
        let cut = damaged.len() * (1 + count % 9) / 10;
        let _ = crate::pdf::read(&input(&damaged[..cut], &libraries));
        count += 1;
    }
    assert_eq!(count, 200);
}

#[test]
fn damaged_files_cost_themselves() {
    let (first, _) =
        page().line(70.0, 780.0, 18.0, "Retours").wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let bytes = Written::default()
        .page(first.field("Nom", "Anne").ruled(&[60.0, 200.0, 400.0], &[770.0, 745.0, 700.0]))
        .page(scan().free_text("Urgent"))
        .bookmark(1, 0, "Retours")
        .bookmark(2, 1, "Plus")
        .bytes();
    let with_pdfium = libraries();
    let mut count = 0;
    for damaged in mutations(&bytes, 500) {
        // What comes out does not matter, only that something does.
        let _ = crate::pdf::read(&input(&damaged, &with_pdfium)).map(|it| count += it.blocks.len());
        let _ = picture::page_picture(&input(&damaged, &with_pdfium), 1, 200);
    }
    assert!(count > 500, "most of it is still read: {count}");
}

#[test]
fn damaged_files_cost_themselves_without_pdfium_too() {
    let bytes = Written::default().page(page().line(70.0, 700.0, 11.0, BODY)).bytes();
    let without = Libraries::default();
    for damaged in mutations(&bytes, 500) {
        let _ = crate::pdf::read(&input(&damaged, &without));
    }
}
