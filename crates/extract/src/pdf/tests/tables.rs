//! Tables, drawn and not, and what only looks like one.

use super::{BODY, page, parse};
use crate::pdf::written::{Written, WrittenPage};

/// Cells beside each other.
fn row(page: WrittenPage, y: f32, xs: &[f32], cells: &[&str]) -> WrittenPage {
    xs.iter()
        .zip(cells)
        .filter(|(_, text)| !text.is_empty())
        .fold(page, |page, (x, text)| page.line(*x, y, 11.0, text))
}

/// Rows of cells, 15 points apart.
fn rows(page: WrittenPage, top: f32, xs: &[f32], rows: &[&[&str]]) -> WrittenPage {
    let heights = (0_u8..).map(|at| top - 15.0 * f32::from(at));
    rows.iter().zip(heights).fold(page, |page, (cells, y)| row(page, y, xs, cells))
}

fn text_of(pages: impl IntoIterator<Item = WrittenPage>) -> String {
    let written = pages.into_iter().fold(Written::default(), Written::page);
    // What is between a title and its value depends on the language, which few words hardly tell.
    parse(&written).unwrap().text.replace(['\u{a0}', '\u{202f}'], "")
}

/// As `text_of` gives them.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_drawn_table_of_two_columns_is_known_by_its_lines() {
    let xs = [70.0, 122.0, 200.0];
    let table = page().ruled(&xs, &[760.0, 740.0, 720.0, 700.0]);
    // The gap between the columns is as narrow as between words.
    let table = rows(table, 746.0, &[73.0, 125.0], &[&["Forfait X", "Prix"]]);
    let table = rows(table, 726.0, &[73.0, 125.0], &[&["Solo plus", "19,50 €"]]);
    let table = rows(table, 706.0, &[73.0, 125.0], &[&["Duo", "29,50 €"]]);
    let text = text_of([table]);
    assert_eq!(
        lines(&text),
        ["- Forfait X: Solo plus; Prix: 19,50 €", "- Forfait X: Duo; Prix: 29,50 €"]
    );
}

#[test]
fn a_drawn_table_on_a_turned_page_is_known_too() {
    let xs = [70.0, 200.0, 330.0];
    let table = page().ruled(&xs, &[760.0, 740.0, 720.0, 700.0]);
    let table = rows(table, 746.0, &[73.0, 203.0], &[&["Forfait", "Prix"]]);
    let table = rows(table, 726.0, &[73.0, 203.0], &[&["Solo", "19 €"]]);
    let table = rows(table, 706.0, &[73.0, 203.0], &[&["Duo", "29 €"]]);
    let expected = ["- Forfait: Solo; Prix: 19 €", "- Forfait: Duo; Prix: 29 €"];
    for degrees in [90, 180, 270] {
        let text = text_of([table.clone().turned(degrees)]);
        assert_eq!(lines(&text), expected, "{degrees}");
    }
    // Drawn sideways, as a wide table on a page that stands upright.
    let sideways = page()
        .content("q 0 1 -1 0 800 0 cm\n")
        .ruled(&xs, &[760.0, 740.0, 720.0, 700.0])
        .content("Q\n");
    let sideways = [("Forfait", "Prix", 746.0), ("Solo", "19 €", 726.0), ("Duo", "29 €", 706.0)]
        .into_iter()
        .fold(sideways, |page, (name, value, y)| {
            page.sideways(800.0 - y, 73.0, 11.0, name).sideways(800.0 - y, 203.0, 11.0, value)
        });
    let text = text_of([sideways]);
    assert_eq!(lines(&text), expected);
}

#[test]
fn thin_rectangles_are_lines_and_cells_of_several_lines_are_one() {
    let bar = |x: f32, y: f32, width: f32, height: f32| format!("{x} {y} {width} {height} re f\n");
    let mut table = page();
    for y in [760.0, 740.0, 712.0, 684.0] {
        table = table.content(&bar(70.0, y, 330.0, 0.5));
    }
    for x in [70.0, 180.0, 399.5] {
        table = table.content(&bar(x, 684.0, 0.5, 76.0));
    }
    let table = table
        .line(73.0, 746.0, 11.0, "Cas")
        .line(183.0, 746.0, 11.0, "Règle")
        // Cell by cell, as word processors write them.
        .line(73.0, 728.0, 11.0, "Article")
        .line(73.0, 715.0, 11.0, "défectueux")
        .line(183.0, 728.0, 11.0, "Ancre paie le retour et le rembour-")
        .line(183.0, 715.0, 11.0, "sement du port.")
        .line(73.0, 700.0, 11.0, "Regret")
        .line(183.0, 700.0, 11.0, "Le client paie le retour.");
    let text = text_of([table]);
    assert_eq!(
        lines(&text),
        [
            "- Cas: Règle",
            "- Article défectueux: Ancre paie le retour et le remboursement du port.",
            "- Regret: Le client paie le retour."
        ]
    );
}

#[test]
fn bold_titles_are_told_from_values_that_are_words_too() {
    let table = page()
        .ruled(&[70.0, 180.0, 400.0], &[760.0, 740.0, 720.0])
        .bold(73.0, 746.0, 11.0, "Cas")
        .bold(183.0, 746.0, 11.0, "Règle")
        .line(73.0, 726.0, 11.0, "Regret")
        .line(183.0, 726.0, 11.0, "Le client paie le retour.");
    assert_eq!(lines(&text_of([table])), ["- Cas: Regret; Règle: Le client paie le retour."]);
}

#[test]
fn a_title_over_two_columns_and_a_value_over_two_rows_stand_in_each() {
    let table = page()
        .ruled(&[70.0, 170.0], &[760.0, 720.0])
        .ruled(&[170.0, 270.0, 370.0], &[740.0, 720.0, 700.0, 680.0])
        .rule([170.0, 760.0], [370.0, 760.0])
        .rule([370.0, 760.0], [370.0, 740.0])
        .ruled(&[70.0, 170.0], &[720.0, 680.0]);
    let table = row(table, 746.0, &[73.0, 240.0], &["Forfait", "Prix"]);
    let table = row(table, 726.0, &[173.0, 273.0], &["par mois", "par an"]);
    let table = row(table, 706.0, &[73.0, 173.0, 273.0], &["Duo", "29 €", "290 €"]);
    let table = row(table, 686.0, &[173.0, 273.0], &["27 €", "270 €"]);
    let text = text_of([table]);
    assert_eq!(
        lines(&text),
        [
            "- Forfait: Duo; Prix › par mois: 29 €; Prix › par an: 290 €",
            "- Forfait: Duo; Prix › par mois: 27 €; Prix › par an: 270 €"
        ]
    );
}

#[test]
fn names_and_prices_without_lines_are_a_table() {
    let text = text_of([rows(
        page(),
        750.0,
        &[70.0, 250.0],
        &[
            &["Forfait", "Prix"],
            &["Solo", "1\u{a0}900,50\u{a0}€"],
            &["Duo", "29 €"],
            &["Trio", "39 €"],
        ],
    )]);
    assert_eq!(
        lines(&text),
        [
            "- Forfait: Solo; Prix: 1 900,50 €",
            "- Forfait: Duo; Prix: 29 €",
            "- Forfait: Trio; Prix: 39 €"
        ]
    );
}

#[test]
fn labels_and_their_values_are_pairs() {
    let text = text_of([rows(
        page(),
        750.0,
        &[70.0, 250.0],
        &[&["Client :", "Anne Dupont"], &["Ville :", "Lyon"], &["Commande :", "12 mars"]],
    )]);
    assert_eq!(lines(&text), ["- Client: Anne Dupont", "- Ville: Lyon", "- Commande: 12 mars"]);
}

#[test]
fn what_stands_in_two_columns_is_not_always_a_table() {
    let layouts: [&[&[&str]]; 5] = [
        // Sender and receiver.
        &[
            &["Ancre SA", "Anne Dupont"],
            &["12 rue de la Paix", "3 place du Port"],
            &["75002 Paris", "69001 Lyon"],
        ],
        // Contents.
        &[&["Retours", "3"], &["Remboursements", "12"], &["Garantie", "12"], &["Index", "40"]],
        // A list with its numbers.
        &[&["1.", "Emballez l’article"], &["2.", "Collez le bon"], &["3.", "Envoyez le colis"]],
        // A form.
        &[&["Nom :", "Prénom :"], &["Rue :", "Ville :"], &["Date :", "Lieu :"]],
        // Running text.
        &[
            &["Vous avez trente jours pour", "Le remboursement est fait sur"],
            &["renvoyer un article qui ne", "le moyen de paiement de la"],
            &["convient pas sans donner de", "commande, en cinq jours après"],
        ],
    ];
    for layout in layouts {
        let text = text_of([rows(page(), 750.0, &[70.0, 300.0], layout)]);
        assert!(!text.contains("- ") && !text.contains("; "), "{text}");
    }
}

#[test]
fn charts_frames_and_boxes_of_text_are_no_tables() {
    // A chart: lines across and up, and a few words between.
    let chart = page()
        .ruled(&[100.0, 150.0, 200.0, 250.0, 300.0], &[700.0, 660.0, 620.0, 580.0, 540.0])
        .line(110.0, 670.0, 9.0, "Ventes")
        .line(210.0, 590.0, 9.0, "2024")
        .line(60.0, 540.0, 9.0, "0");
    // Two boxes beside each other.
    let boxes = page().ruled(&[60.0, 300.0, 540.0], &[770.0, 500.0]);
    let (boxes, _) = boxes.wrapped(66.0, 750.0, 10.0, 220.0, BODY);
    let (boxes, _) = boxes.wrapped(306.0, 750.0, 10.0, 220.0, BODY);
    for page in [chart, boxes] {
        let text = text_of([page]);
        assert!(!text.contains("- "), "{text}");
    }
}

#[test]
fn an_invoice_has_its_lines_and_its_sums() {
    let xs = [70.0, 300.0, 360.0, 450.0];
    let invoice = page().line(70.0, 780.0, 11.0, "Facture 2026-118 du 12 mars");
    let invoice = rows(
        invoice,
        740.0,
        &xs,
        &[
            &["Désignation", "Qté", "Prix", "Montant"],
            &["Lampe de bureau", "2", "19,00 €", "38,00 €"],
            &["Ampoule", "4", "2,50 €", "10,00 €"],
            &["Port", "1", "4,90 €", "4,90 €"],
            &["Total", "", "", "52,90 €"],
        ],
    );
    let text = text_of([invoice]);
    assert!(text.starts_with("Facture 2026-118 du 12 mars\n"), "{text}");
    assert!(
        text.contains("- Désignation: Lampe de bureau; Qté: 2; Prix: 19,00 €; Montant: 38,00 €"),
        "{text}"
    );
    assert!(text.ends_with("- Désignation: Total; Montant: 52,90 €\n"), "{text}");
}

#[test]
fn a_table_over_two_pages_keeps_its_header() {
    let xs = [70.0, 250.0, 400.0];
    let head = ["Forfait", "Prix", "Durée"];
    let first = rows(
        page(),
        130.0,
        &xs,
        &[
            &head,
            &["Solo", "19 €", "un mois"],
            &["Duo", "29 €", "un an"],
            &["Quatuor", "35 €", "un an"],
        ],
    );
    let rest = ["Trio", "39 €", "deux ans"];
    let repeated = rows(page(), 780.0, &xs, &[&head, &rest]);
    let bare = rows(page(), 780.0, &xs, &[&rest]);
    // Other widths, so narrow that the header is one piece.
    let narrow =
        rows(page(), 780.0, &[70.0, 115.0, 150.0], &[&head, &["Trio", "39 €", "deux ans"]]);
    for second in [repeated, bare, narrow] {
        let second = second.line(70.0, 700.0, 11.0, "Fin du tableau des prix.");
        let text = text_of([first.clone(), second]);
        assert!(text.contains("- Forfait: Duo; Prix: 29 €; Durée: un an"), "{text}");
        assert!(text.contains("- Forfait: Trio; Prix: 39 €; Durée: deux ans\n"), "{text}");
        assert!(text.ends_with("\n\nFin du tableau des prix.\n"), "{text}");
        assert_eq!(text.matches("Forfait").count(), 4, "{text}");
    }
}

#[test]
fn a_drawn_table_over_two_pages_keeps_its_header_past_the_page_number() {
    let (xs, starts) = ([70.0, 200.0, 330.0], [73.0, 203.0]);
    let first = page().ruled(&xs, &[160.0, 140.0, 120.0, 100.0]);
    let first = row(first, 146.0, &starts, &["Forfait", "Prix"]);
    let first = row(first, 126.0, &starts, &["Solo", "19 €"]);
    let first = row(first, 106.0, &starts, &["Duo", "29 €"]).line(290.0, 30.0, 9.0, "Page 1");
    let second = page().ruled(&xs, &[780.0, 760.0, 740.0]);
    let second = row(second, 766.0, &starts, &["Trio", "39 €"]);
    let second = row(second, 746.0, &starts, &["Quatuor", "49 €"]);
    let text = text_of([first, second]);
    assert!(text.contains("- Forfait: Trio; Prix: 39 €"), "{text}");
    assert!(text.contains("- Forfait: Quatuor; Prix: 49 €"), "{text}");
}
