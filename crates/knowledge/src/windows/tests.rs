#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use proptest::prelude::*;

use super::*;

fn cut(text: &str) -> Vec<&str> {
    windows(text).into_iter().map(|window| &text[window]).collect()
}

fn prose(sentences: usize) -> String {
    (0..sentences).map(|number| format!("La phrase numéro {number} parle du délai. ")).collect()
}

#[test]
fn a_short_chunk_is_one_window() {
    assert_eq!(cut("  Bonjour. Voilà.\n"), ["Bonjour. Voilà."]);
    assert!(cut(" \n\u{a0}").is_empty());
}

#[test]
fn a_long_chunk_is_cut_between_sentences_into_windows_of_about_one_length() {
    let text = prose(45);
    let windows = cut(&text);
    assert_eq!(windows.len(), text.chars().count().div_ceil(WINDOW_SIZE), "{windows:#?}");
    for window in &windows {
        assert!(window.starts_with("La phrase") && window.ends_with("délai."), "{window}");
    }
    let lengths: Vec<usize> = windows.iter().map(|window| window.chars().count()).collect();
    let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    assert!(most - least <= 160, "{lengths:?}");
}

#[test]
fn a_title_goes_before_a_window_unless_it_says_nothing_new() {
    assert_eq!(with_title(" Retours ", "Sous 14 jours."), "Retours\n\nSous 14 jours.");
    for title in ["", "faq-2024.pdf", "KB0012", "aide/retours"] {
        assert_eq!(with_title(title, "# Retours\nSous 14 jours."), "# Retours\nSous 14 jours.");
    }
    assert_eq!(with_title("Retours", "# Retours\nOui."), "# Retours\nOui.");
    assert!(with_title(&"mot ".repeat(100), "Oui.").chars().count() < 130);
}

#[test]
fn rows_and_items_stay_whole_and_keep_their_marks() {
    let rows: String = (0..80).map(|row| format!("- Référence: A{row}; Prix: {row} €\n")).collect();
    for window in cut(&rows) {
        assert!(window.starts_with("- Référence") && window.ends_with('€'), "{window}");
    }
}

#[test]
fn a_sentence_without_end_is_cut_between_words_and_a_word_without_end_between_graphemes() {
    let words = "mot ".repeat(1_000);
    assert!(cut(&words).iter().all(|window| window.starts_with("mot") && window.ends_with("mot")));
    let accents = "e\u{301}".repeat(2_000);
    assert!(cut(&accents).iter().all(|window| window.starts_with('e')));
}

#[test]
fn a_window_falls_into_two_near_its_middle() {
    let text = prose(10);
    let whole = trimmed(&text, 0..text.len());
    let [first, second] = halves(&text, &whole).unwrap();
    assert!(text[first.clone()].ends_with('.') && text[second.clone()].starts_with("La phrase"));
    assert!(first.len().abs_diff(second.len()) < 60);
    let word = "x".repeat(500);
    let [first, second] = halves(&word, &(0..500)).unwrap();
    assert_eq!((first, second), (0..250, 250..500));
    assert_eq!(halves("Trop court.", &(0..11)), None);
}

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("La phrase est ici. ".to_owned()),
        Just("\n\n## Titre\n".to_owned()),
        Just("- Plan: Duo; Prix: 29 €\n".to_owned()),
        Just("---\n".to_owned()),
        "[a-zé]{1,12} ",
        "[a-z]{200,1200}",
        "\\PC{0,40}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn windows_cover_every_character_once_and_are_never_too_long(text in texts()) {
        let windows = windows(&text);
        let mut covered = 0;
        for window in &windows {
            let slice = &text[window.clone()];
            prop_assert!(!slice.is_empty() && slice.trim() == slice);
            prop_assert!(slice.chars().count() <= LONGEST_WINDOW);
            prop_assert!(window.start >= covered);
            prop_assert!(text[covered..window.start].trim().is_empty());
            covered = window.end;
        }
        prop_assert!(text[covered..].trim().is_empty());
    }

    #[test]
    fn halves_cover_their_window(text in texts()) {
        for window in windows(&text) {
            let long = text[window.clone()].chars().count() >= 2 * SMALLEST_HALF;
            let parts = halves(&text, &window);
            prop_assert!(!long || parts.is_some(), "{:?}", &text[window.clone()]);
            let Some([first, second]) = parts else { continue };
            prop_assert_eq!((first.start, second.end), (window.start, window.end));
            prop_assert!(first.end <= second.start && !first.is_empty() && !second.is_empty());
            prop_assert!(text[first.end..second.start].trim().is_empty());
        }
    }
}
