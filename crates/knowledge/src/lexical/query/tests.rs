//! What questions become.

use proptest::prelude::*;

use super::*;
use crate::lexical::lexical_text;

/// The terms of a question; the words of a phrase are joined by `+`.
fn terms(text: &str) -> Vec<String> {
    Query::read(text).terms.into_iter().map(|term| term.words.join("+")).collect()
}

#[test]
fn stop_words_of_the_language_are_left_out() {
    assert_eq!(
        terms("Comment puis-je obtenir le remboursement de l’article ?"),
        ["obtenir", "remboursement", "article"]
    );
    assert_eq!(
        terms("How do I get a refund for the article I returned?"),
        ["refund", "article", "returned"]
    );
    let query = Query::read("Où est passée ma commande, s'il vous plaît ?");
    assert_eq!(query.language, Some(Language::Fr));
}

#[test]
fn a_question_of_stop_words_only_is_searched_as_typed() {
    assert_eq!(terms("Qui est-ce ?"), ["qui", "est", "ce"]);
    assert_eq!(terms("to be or not to be"), ["to", "be", "or", "not"]);
    assert_eq!(terms("?! … »"), Vec::<String>::new());
    assert!(Query::read("").is_empty());
}

#[test]
fn identifiers_are_one_term_as_typed() {
    for (text, expected) in [
        ("erreur E-1042", vec!["erreur", "e+1042"]),
        ("Que veut dire le code AB/12-X ?", vec!["dire", "code", "ab+12+x"]),
        ("version 2.4.1.", vec!["version", "2+4+1"]),
        (
            "écrire à jean.dupont@exemple.fr",
            vec!["ecrire", "jean+dupont+exemple+fr", "dupont", "exemple"],
        ),
        (
            "https://aide.exemple.fr/retours?id=7",
            vec!["https+aide+exemple+fr+retours+id+7", "exemple", "retours"],
        ),
        ("livraison à 9,90 €", vec!["livraison", "9+90"]),
        ("la commande 1042.Merci", vec!["commande", "1042"]),
        ("clé wi-fi et port USB-C", vec!["cle", "wi+fi", "port", "usb+c"]),
        ("abonnement porte-monnaie", vec!["abonnement", "porte", "monnaie"]),
    ] {
        assert_eq!(terms(text), expected, "{text}");
    }
}

#[test]
fn numbers_are_found_however_their_thousands_are_divided() {
    for text in ["12 345", "12\u{202F}345", "12,345", "12345"] {
        assert_eq!(terms(text), ["12345"], "{text}");
    }
    let passage = lexical_text("", None, "Le plafond est de 12 345 €.", None);
    assert!(passage.body.split(' ').any(|word| word == "12345"), "{}", passage.body);
}

#[test]
fn syntax_of_search_engines_is_only_words() {
    for text in ["\"", "AND OR NOT", "a NEAR(b", "title:x*", "(((", "col : ^\"x\"", "-- ; DROP"] {
        let query = Query::read(text).lexical_query();
        let is_word =
            |word: &String| word.chars().all(char::is_alphanumeric) || word.starts_with('\u{E000}');
        assert!(query.terms.iter().flat_map(|term| &term.words).all(is_word), "{text}");
    }
}

#[test]
fn a_long_question_keeps_what_tells_most() {
    let filler: String = (0..9_000)
        .map(|at| format!("mot{} ", "abcdefghij".chars().nth(at % 10).unwrap()))
        .collect();
    let text = format!("imprimante bloquée E-1042 remboursement {filler}");
    let query = Query::read(&text);
    assert!(query.terms.len() <= MAX_TERMS);
    let shown: Vec<&str> = query.terms.iter().map(|term| term.shown.as_str()).collect();
    assert!(shown.starts_with(&["imprimante", "bloquée", "E-1042", "remboursement"]), "{shown:?}");
    let many: String = (0..200).map(|at| format!("E-{at} ")).collect();
    assert_eq!(Query::read(&many).terms.len(), MAX_TERMS);
}

#[test]
fn what_matched_is_shown_in_characters() {
    let query = Query::read("remboursements de l'E-1042");
    let content = "Été : l’article E 1042 est remboursé.";
    let matches = query.matches("Garantie", None, content);
    assert_eq!(matches.terms, ["remboursements", "E-1042"]);
    let shown: Vec<_> = matches.ranges.iter().map(|range| range.slice(content).unwrap()).collect();
    assert_eq!(shown, ["E 1042", "remboursé"]);
    let elsewhere = query.matches("Remboursement", Some("E-1042"), "rien");
    assert_eq!((elsewhere.terms.len(), elsewhere.ranges.len()), (2, 0));
}

proptest! {
    #[test]
    fn an_identifier_is_found_where_it_was_written(
        identifier in "[A-Za-z]{1,4}[-/._][0-9]{1,5}([-/._][A-Z0-9]{1,4})?",
        before in "[a-zéà' ]{0,30}",
    ) {
        let passage = lexical_text("", None, &format!("{before} ({identifier}), ensuite"), None);
        let query = Query::read(&identifier);
        let phrase = query.terms[0].words.join(" ");
        prop_assert!(format!(" {} ", passage.body).contains(&format!(" {phrase} ")), "{phrase} in {}", passage.body);
    }

    #[test]
    fn whatever_is_typed_is_a_question(text in ".{0,200}", content in ".{0,200}") {
        let query = Query::read(&text);
        prop_assert!(query.terms.iter().all(|term| !term.words.is_empty()));
        let matches = query.matches(&text, None, &content);
        for range in &matches.ranges {
            prop_assert!(range.slice(&content).is_some_and(|it| !it.is_empty()));
        }
        prop_assert!(matches.ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
    }
}
