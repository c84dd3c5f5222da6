//! Stories of PDFs, each written here, and what is read of them.

use std::cell::RefCell;
use std::path::Path;

use ancre_domain::{PageKind, Warning};

use super::written::{Written, WrittenPage};
use super::{read_document, with_document};
use crate::content::Block;
use crate::input::{Input, Libraries, ReadProgress};
use crate::mutation::mutations;
use crate::recognition::{GrayImage, Recognised, Recogniser};
use crate::{ExtractError, Parsed, picture, read};

const BODY: &str = "Vous avez trente jours pour renvoyer un article qui ne convient pas, sans \
    donner de raison. Le remboursement est fait sur le moyen de paiement de la commande, en cinq \
    jours ouvrés après la réception du colis.";

/// What set-up installed in the clone.
fn libraries() -> Libraries {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/pdfium");
    let pdfium = folder.join(libloading::library_filename("pdfium"));
    assert!(pdfium.exists(), "{} is missing: run `make setup`", pdfium.display());
    Libraries { pdfium: Some(pdfium), ..Libraries::default() }
}

fn input<'a>(bytes: &'a [u8], libraries: &'a Libraries) -> Input<'a> {
    Input {
        bytes,
        file_name: "guide.pdf",
        password: None,
        recognise: false,
        libraries,
        depth: 0,
        progress: &|_| (),
    }
}

fn parse(written: &Written) -> Result<Parsed, ExtractError> {
    read::parse(&input(&written.bytes(), &libraries()))
}

fn page() -> WrittenPage {
    WrittenPage::default()
}

#[test]
fn lines_become_running_text_and_paragraphs_stay_apart() {
    let (first, y) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let (first, _) = first.wrapped(70.0, y - 11.0, 11.0, 300.0, BODY);
    let parsed = parse(&Written::default().page(first)).unwrap();
    assert_eq!(parsed.text, format!("{BODY}\n\n{BODY}\n"));
    assert_eq!(parsed.title, "guide");
    assert_eq!(parsed.mime, "application/pdf");
    assert_eq!(parsed.warnings, []);
}

#[test]
fn an_indent_begins_a_paragraph() {
    let mut indented = page();
    let lines = [
        (84.0, "Les frais de retour sont à la charge du"),
        (70.0, "client, sauf si l’article est défectueux ou"),
        (70.0, "s’il a été livré par erreur, auquel cas nous les"),
        (84.0, "Tout article doit revenir dans son carton"),
        (70.0, "d’origine avec ses accessoires."),
    ];
    for (x, text) in lines {
        let at = lines.iter().position(|line| *line == (x, text)).unwrap();
        indented =
            indented.line(x, 750.0 - 13.0 * f32::from(u8::try_from(at).unwrap()), 11.0, text);
    }
    let parsed = parse(&Written::default().page(indented)).unwrap();
    assert_eq!(parsed.text.matches("\n\n").count(), 1, "{}", parsed.text);
    assert!(parsed.text.contains("nous les\n\nTout article"), "{}", parsed.text);
}

#[test]
fn divided_words_are_whole_and_french_typography_stays() {
    let lines = page()
        .line(70.0, 750.0, 11.0, "Prenez rendez-")
        .line(70.0, 737.0, 11.0, "vous pour le rembour-")
        .line(70.0, 724.0, 11.0, "sement\u{a0}: «\u{a0}29\u{a0}€\u{a0}» l’œuvre…");
    let parsed = parse(&Written::default().page(lines)).unwrap();
    assert_eq!(
        parsed.text,
        // PDFium takes the no-break space of this encoding for a space.
        "Prenez rendez-vous pour le remboursement : « 29 € » l’œuvre…\n"
    );
}

#[test]
fn an_address_keeps_its_lines() {
    let lines = page()
        .line(70.0, 750.0, 11.0, "Ancre SA")
        .line(70.0, 737.0, 11.0, "Service des retours")
        .line(70.0, 724.0, 11.0, "12 rue de la Paix, 75002 Paris");
    let parsed = parse(&Written::default().page(lines)).unwrap();
    assert_eq!(parsed.text, "Ancre SA\nService des retours\n12 rue de la Paix, 75002 Paris\n");
}

#[test]
fn short_lines_under_each_other_stay_lines() {
    let (text, y) = page().wrapped(70.0, 750.0, 11.0, 400.0, BODY);
    let names = ["Solo", "Duo", "Trio"].iter().zip([20.0, 33.0, 46.0]);
    let lines = names.fold(text, |page, (name, down)| page.line(70.0, y - down, 11.0, name));
    let parsed = parse(&Written::default().page(lines)).unwrap();
    assert_eq!(parsed.text, format!("{BODY}\n\nSolo\nDuo\nTrio\n"));
}

#[test]
fn a_table_of_contents_keeps_its_lines_and_loses_its_dots() {
    let contents = page()
        .line(70.0, 750.0, 11.0, "Retours ........................................... 3")
        .line(70.0, 737.0, 11.0, "Remboursements ...................... 12");
    let parsed = parse(&Written::default().page(contents)).unwrap();
    assert_eq!(parsed.text, "Retours … 3\nRemboursements … 12\n");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let (both, _) = page().wrapped(60.0, 750.0, 10.0, 220.0, &BODY.replace("Vous", "D’abord vous"));
    let (both, _) = both.wrapped(310.0, 750.0, 10.0, 220.0, &BODY.replace("Vous", "Ensuite vous"));
    let parsed = parse(&Written::default().page(both)).unwrap();
    assert!(parsed.text.starts_with("D’abord vous avez trente jours pour"), "{}", parsed.text);
    assert!(parsed.text.contains("du colis.\n\nEnsuite vous avez"), "{}", parsed.text);
}

#[test]
fn a_sentence_goes_on_in_the_next_column() {
    let columns = page()
        .line(60.0, 100.0, 10.0, "Le remboursement est fait sur le")
        .line(60.0, 88.0, 10.0, "moyen de paiement que vous")
        .line(310.0, 750.0, 10.0, "avez choisi à la commande.");
    let parsed = parse(&Written::default().page(columns)).unwrap();
    assert!(parsed.text.contains("que vous avez choisi"), "{}", parsed.text);
}

#[test]
fn lists_have_their_items_and_depths() {
    let list = page()
        .line(70.0, 750.0, 11.0, "Il faut pour un retour :")
        .line(80.0, 737.0, 11.0, "• le carton d’origine, avec tout ce qu’il y avait dedans au")
        .line(90.0, 724.0, 11.0, "moment de la livraison")
        .line(80.0, 711.0, 11.0, "• le bon de retour")
        .line(100.0, 698.0, 11.0, "– imprimé")
        .line(80.0, 685.0, 11.0, "• une copie de la facture")
        .line(70.0, 660.0, 11.0, "Puis :")
        .line(80.0, 647.0, 11.0, "1. Emballez.")
        .line(80.0, 634.0, 11.0, "2. Envoyez.");
    let parsed = parse(&Written::default().page(list)).unwrap();
    assert_eq!(
        parsed.text,
        "Il faut pour un retour :\n\n- le carton d’origine, avec tout ce qu’il y avait dedans au \
         moment de la livraison\n- le bon de retour\n  - imprimé\n- une copie de la facture\n\n\
         Puis :\n\n1. Emballez.\n2. Envoyez.\n"
    );
}

#[test]
fn large_letters_are_headings_and_the_metadata_have_the_title() {
    let (first, _) = page()
        .line(70.0, 780.0, 22.0, "Guide des retours")
        .line(70.0, 740.0, 15.0, "Délais")
        .wrapped(70.0, 715.0, 11.0, 400.0, BODY);
    let parsed = parse(&Written::default().title("Retours 2026").page(first)).unwrap();
    assert!(parsed.text.starts_with("# Guide des retours\n\n## Délais\n\nVous"), "{}", parsed.text);
    assert_eq!(parsed.title, "Retours 2026");
    assert_eq!(parsed.outline.len(), 2);
}

#[test]
fn bookmarks_are_the_outline() {
    let (first, _) =
        page().bold(70.0, 780.0, 11.0, "1 Retours").wrapped(70.0, 760.0, 11.0, 400.0, BODY);
    let (second, _) =
        page().line(70.0, 780.0, 11.0, "Délais").wrapped(70.0, 760.0, 11.0, 400.0, BODY);
    let written = Written::default()
        .page(first)
        .page(second)
        .bookmark(1, 0, "Retours")
        .bookmark(2, 1, "Délais")
        .bookmark(1, 1, "Nulle part");
    let parsed = parse(&written).unwrap();
    let outline: Vec<(u8, &str)> =
        parsed.outline.iter().map(|it| (it.level, it.title.as_str())).collect();
    assert_eq!(outline, [(1, "1 Retours"), (2, "Délais")]);
}

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
fn a_table_over_two_pages_keeps_its_header() {
    let row = |page: WrittenPage, y: f32, cells: [&str; 3]| {
        cells
            .iter()
            .zip([70.0, 250.0, 400.0])
            .fold(page, |page, (text, x)| page.line(x, y, 11.0, text))
    };
    let first = row(page(), 100.0, ["Forfait", "Prix", "Durée"]);
    let first = row(row(first, 85.0, ["Solo", "19 €", "un mois"]), 70.0, ["Duo", "29 €", "un an"]);
    let second = row(page(), 780.0, ["Forfait", "Prix", "Durée"]);
    let second = row(second, 765.0, ["Trio", "39 €", "deux ans"]).line(
        70.0,
        700.0,
        11.0,
        "Fin du tableau des prix.",
    );
    let parsed = parse(&Written::default().page(first).page(second)).unwrap();
    let page_two = parsed.pagination.unwrap().pages[1].start as usize;
    let second: String = parsed.text.chars().skip(page_two).collect();
    assert!(parsed.text.contains("Forfait\u{a0}: Duo"), "{}", parsed.text);
    assert!(second.starts_with("- Forfait\u{a0}: Trio\u{202f}; Prix\u{a0}: 39 €"), "{second}");
    assert!(second.ends_with("\n\nFin du tableau des prix.\n"), "{second}");
}

#[test]
fn fields_and_notes_come_at_the_end_of_their_page() {
    let form = page()
        .line(70.0, 750.0, 11.0, "Bon de retour")
        .field("Nom", "Anne Dupont")
        .free_text("Urgent");
    let parsed = parse(&Written::default().page(form)).unwrap();
    assert_eq!(parsed.text, "Bon de retour\n\nNom: Anne Dupont\n\nUrgent\n");
}

#[test]
fn a_turned_page_reads_like_an_upright_one() {
    for degrees in [90, 180, 270] {
        let (turned, _) = page().wrapped(70.0, 750.0, 11.0, 300.0, BODY);
        let parsed = parse(&Written::default().page(turned.turned(degrees))).unwrap();
        assert_eq!(parsed.text, format!("{BODY}\n"), "{degrees}");
    }
}

#[test]
fn a_page_drawn_sideways_to_be_turned_reads_like_an_upright_one() {
    let sideways = page()
        .sideways(60.0, 70.0, 11.0, "Tableau des délais dans lesquels")
        .sideways(73.0, 70.0, 11.0, "Ancre rembourse un article rendu")
        .sideways(86.0, 70.0, 11.0, "Carte ou virement.");
    let parsed = parse(&Written::default().page(sideways.turned(90))).unwrap();
    assert_eq!(
        parsed.text,
        "Tableau des délais dans lesquels Ancre rembourse un article rendu Carte ou virement.\n"
    );
}

#[test]
fn pages_that_are_all_the_same_are_not_taken_for_headers() {
    let (form, _) = page().wrapped(70.0, 800.0, 11.0, 400.0, BODY);
    let written = (0..6).fold(Written::default(), |written, _| written.page(form.clone()));
    assert_eq!(parse(&written).unwrap().text.matches("Vous avez").count(), 6);
}

fn scan() -> WrittenPage {
    page().picture(20.0, 20.0, 555.0, 800.0)
}

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
        let _ = super::read(&input(&damaged[..cut], &libraries));
        count += 1;
    }
    assert_eq!(count, 200);
}

#[test]
fn more_pages_than_are_read_are_refused() {
    assert_eq!(super::refuse_too_many_pages(10_000), Ok(()));
    assert!(matches!(super::refuse_too_many_pages(10_001), Err(ExtractError::TooLarge { .. })));
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

#[test]
fn damaged_files_cost_themselves() {
    let (first, _) =
        page().line(70.0, 780.0, 18.0, "Retours").wrapped(70.0, 750.0, 11.0, 300.0, BODY);
    let bytes = Written::default()
        .page(first.field("Nom", "Anne"))
        .page(scan().free_text("Urgent"))
        .bookmark(1, 0, "Retours")
        .bookmark(2, 1, "Plus")
        .bytes();
    let with_pdfium = libraries();
    let mut count = 0;
    for damaged in mutations(&bytes, 500) {
        // What comes out does not matter, only that something does.
        let _ = super::read(&input(&damaged, &with_pdfium)).map(|it| count += it.blocks.len());
        let _ = picture::page_picture(&input(&damaged, &with_pdfium), 1, 200);
    }
    assert!(count > 500, "most of it is still read: {count}");
}

#[test]
fn damaged_files_cost_themselves_without_pdfium_too() {
    let bytes = Written::default().page(page().line(70.0, 700.0, 11.0, BODY)).bytes();
    let without = Libraries::default();
    for damaged in mutations(&bytes, 500) {
        let _ = super::read(&input(&damaged, &without));
    }
}
