//! Text that runs: paragraphs, lists, columns, headings, fields, turned pages.

use super::{BODY, page, parse};
use crate::pdf::written::Written;

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
