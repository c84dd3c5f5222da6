//! Letters of the extractive runner on a small help centre, with a deterministic embedder of
//! words: what is quoted, in which order, and what is never written. What a real model changes is
//! in `real_model.rs`.

#![allow(clippy::expect_used, reason = "a test ends where a step of its story fails")]

mod desk_test;

use ancre_desk::citations::number;
use ancre_desk::extractive::ExtractiveRunner;
use ancre_desk::support::check;
use ancre_domain::{Cancellation, Language, Sentence, Support};
use ancre_models::{Generation, GenerationRequest, ModelError, Passage, Runner};
use proptest::prelude::*;

use desk_test::{help_centre, passage, with_distances, word_embedder};

fn write(language: Language, question: &str, passages: &[Passage]) -> Generation {
    let passages = &with_distances(question, passages);
    let request =
        GenerationRequest { language, question, passages, instructions: "", signature: "" };
    ExtractiveRunner::new(word_embedder())
        .generate(&request, &Cancellation::new())
        .expect("the runner answers")
}

/// The letter as the customer reads it, after numbering and the support check.
fn letter(language: Language, question: &str, passages: &[Passage]) -> String {
    ancre_desk::citations::render(&checked(&write(language, question, passages), passages))
}

fn checked(generation: &Generation, passages: &[Passage]) -> Vec<Sentence> {
    let draft = number(&generation.parts, passages);
    let contents = |numbers: &[u32]| -> Vec<&str> {
        numbers
            .iter()
            .map(|n| passages[draft.cited[*n as usize - 1].index].content.as_str())
            .collect()
    };
    let sentences = draft.sentences.iter().map(|sentence| Sentence {
        text: sentence.text.clone(),
        citations: sentence.citations.clone(),
        support: check(&sentence.text, &contents(&sentence.citations), ""),
        starts_paragraph: sentence.starts_paragraph,
    });
    sentences.collect()
}

#[test]
fn a_french_question_gets_a_french_letter() {
    let passages = help_centre(Language::Fr);
    insta::assert_snapshot!(letter(
        Language::Fr,
        "Remboursement\n\nBonjour,\nJ’ai renvoyé un article. Quel est le délai de remboursement ?\nMerci d’avance\nJeanne",
        &passages,
    ));
}

#[test]
fn an_english_question_gets_an_english_letter() {
    let passages = help_centre(Language::En);
    insta::assert_snapshot!(letter(
        Language::En,
        "Password\n\nHi,\nHow do I reset my password?\n\nBest regards,\nPaul",
        &passages,
    ));
}

#[test]
fn each_of_two_questions_gets_its_paragraph() {
    let passages = help_centre(Language::En);
    insta::assert_snapshot!(letter(
        Language::En,
        "Two things\n\nHow long does standard delivery take? And where do I download my invoice?",
        &passages,
    ));
}

#[test]
fn a_question_without_an_answer_is_told_so_beside_the_answered_one() {
    let passages = help_centre(Language::Fr);
    insta::assert_snapshot!(letter(
        Language::Fr,
        "Deux questions\n\nOù télécharger ma facture ? Quelle météo fera-t-il samedi à Marseille ?",
        &passages,
    ));
}

#[test]
fn nothing_relevant_is_said_plainly() {
    for (language, question) in [
        (Language::Fr, "Recette\n\nComment préparer une tarte aux pommes ?"),
        (Language::En, "Weather\n\nWill it rain in Glasgow on Sunday?"),
    ] {
        let generation = write(language, question, &help_centre(language));
        assert!(!generation.has_evidence);
        assert!(generation.parts.iter().all(|part| part.citations.is_empty()));
        insta::assert_snapshot!(
            format!("nothing_relevant_{}", language.code()),
            letter(language, question, &help_centre(language))
        );
    }
}

#[test]
fn passages_in_the_other_language_are_introduced_as_such() {
    // Names and numbers are what the two languages share here.
    let passages = [passage(1, "SEPA", "The IBAN of our SEPA account is on the page Virement.")];
    insta::assert_snapshot!(letter(Language::Fr, "IBAN SEPA virement", &passages));
}

#[test]
fn a_list_comes_with_the_line_that_introduces_it() {
    let content = "To return an article:\n\n1. Open **My orders**.\n2. Choose the article\n3. Print the label.\n\nOther words.";
    let text =
        letter(Language::En, "How do I return an article?", &[passage(1, "Returns", content)]);
    assert!(
        text.contains("To return an article:\n1. Open My orders.\n2. Choose the article\n3. Print the label. [1]"),
        "{text}"
    );
}

#[test]
fn a_sentence_that_leans_on_another_brings_it_along() {
    let content = "The gift card is sent by mail. It is valid for twelve months after purchase.";
    let text = letter(
        Language::En,
        "How many months is it valid after purchase?",
        &[passage(1, "Gift card", content)],
    );
    assert!(
        text.contains(
            "The gift card is sent by mail. [1] It is valid for twelve months after purchase. [1]"
        ),
        "{text}"
    );
}

#[test]
fn what_a_chunk_has_cut_is_not_quoted() {
    let mut cut = passage(
        1,
        "Shipping",
        "Paris is free of charge for delivery. Delivery takes 3 days. Delivery to islands",
    );
    cut.continues_before = true;
    cut.continues_after = true;
    let text = letter(Language::En, "Is delivery to Paris free of charge?", &[cut]);
    assert!(!text.contains("Paris is free"), "the sentence may have begun with “Outside”: {text}");
    assert!(!text.contains("islands"), "{text}");
}

#[test]
fn what_visibly_begins_with_its_chunk_is_quoted() {
    for content in [
        "- Delivery to Paris is free of charge.\n- Delivery takes 3 days.",
        "## Delivery\nDelivery to Paris is free of charge.",
        "of the other page.\n\nDelivery to Paris is free of charge.",
    ] {
        let mut begun = passage(1, "Shipping", content);
        begun.continues_before = true;
        let text = letter(Language::En, "Is delivery to Paris free of charge?", &[begun]);
        assert!(text.contains("Delivery to Paris is free"), "{content:?}: {text}");
    }
}

#[test]
fn headings_tables_code_and_questions_are_no_answers() {
    for content in [
        "# Delivery to Lyon takes three days",
        "| Delivery | Lyon |\n|---|---|\n| delivery to Lyon takes | three days |",
        "```\nDelivery to Lyon takes three days.\n```",
        "How long does delivery to Lyon take?",
        "- Delivery to Lyon",
        "",
        "   \n\n",
    ] {
        let generation =
            write(Language::En, "How long does delivery to Lyon take?", &[passage(1, "", content)]);
        assert!(!generation.has_evidence, "{content:?} → {:?}", generation.parts);
    }
}

#[test]
fn brackets_of_passage_and_customer_are_not_numbers() {
    let passages = [
        passage(1, "Phone", "Unrelated words stand here for once."),
        passage(2, "Phone", "To reach our sales team by phone, press [1]."),
    ];
    let text = letter(Language::En, "How do I reach your sales team by phone [7]?", &passages);
    assert!(text.contains("press (1). [1]"), "{text}");
    assert!(!text.contains("[7]"), "{text}");
}

#[test]
fn what_the_overlap_shows_twice_is_quoted_once() {
    let sentence = "A refund takes fourteen days after the return.";
    let passages = [passage(1, "Refunds", sentence), passage(2, "Refunds", sentence)];
    let text = letter(Language::En, "How many days does a refund take?", &passages);
    assert_eq!(text.matches("fourteen days").count(), 1, "{text}");
}

#[test]
fn fifty_passages_are_no_trouble() {
    let filler: Vec<String> =
        (0..40).map(|n| format!("Item number {n} is stored in hall {n}.")).collect();
    let mut passages: Vec<Passage> =
        (1..50).map(|n| passage(n, "Halls", &filler.join(" "))).collect();
    passages.push(passage(50, "Refunds", "A refund takes fourteen days after the return."));
    let text = letter(Language::En, "How many days does a refund take?", &passages);
    assert!(text.contains("A refund takes fourteen days after the return. [1]"), "{text}");
}

#[test]
fn a_raised_flag_stops_the_runner() {
    let passages = help_centre(Language::En);
    let request = GenerationRequest {
        language: Language::En,
        question: "How long does a refund take?",
        passages: &passages,
        instructions: "",
        signature: "",
    };
    let flag = Cancellation::new();
    flag.cancel();
    let answer = ExtractiveRunner::new(word_embedder()).generate(&request, &flag);
    assert!(matches!(answer, Err(ModelError::Cancelled)));
}

#[test]
fn the_agents_own_closing_replaces_the_courtesy() {
    let request = GenerationRequest {
        language: Language::Fr,
        question: "Bonjour ?",
        passages: &[],
        instructions: "",
        signature: "L’équipe Ancre",
    };
    let generation =
        ExtractiveRunner::new(word_embedder()).generate(&request, &Cancellation::new()).unwrap();
    assert_eq!(generation.parts.last().map(|part| part.text.as_str()), Some("L’équipe Ancre"));
}

/// Sentences of help pages, some with markup, some that lean on others, glued at random.
fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("A **refund** takes fourteen days after the return.".to_owned()),
        Just("It then appears on the card within [two days](https://x.example/a).".to_owned()),
        Just("Refunds of gift cards are made as credit_note [3].".to_owned()),
        Just("Le remboursement prend quatorze jours après le retour.".to_owned()),
        Just("Il apparaît ensuite sur la carte.".to_owned()),
        Just("# Refunds".to_owned()),
        Just("- a refund by cheque".to_owned()),
        Just("A refund needs:".to_owned()),
        Just("> Quoted refund words, days and cards.".to_owned()),
        Just("| refund | days |".to_owned()),
        Just("```".to_owned()),
        Just("*".to_owned()),
        Just("«\u{a0}Refund\u{a0}» means the money comes back to the card\u{202f}!".to_owned()),
        "[a-zA-Z *_`\\[\\]().!?é]{0,40}",
    ];
    let glue = prop_oneof![Just(" "), Just("\n"), Just("\n\n")];
    prop::collection::vec((piece, glue), 0..12).prop_map(|pieces| {
        pieces.iter().flat_map(|(piece, glue)| [piece.clone(), (*glue).to_owned()]).collect()
    })
}

proptest! {
    #[test]
    fn every_quoted_sentence_is_verbatim_in_its_passage(
        contents in prop::collection::vec(content(), 0..5),
        edges in any::<(bool, bool)>(),
    ) {
        let passages: Vec<Passage> = (1..).zip(&contents).map(|(number, content)| Passage {
            continues_before: edges.0,
            continues_after: edges.1,
            ..passage(number, "Refunds", content)
        }).collect();
        let question = "How many days does a refund take to my card? Et le remboursement ?";
        let generation = write(Language::En, question, &passages);
        prop_assert_eq!(&generation, &write(Language::En, question, &passages), "deterministic");
        let cites = generation.parts.iter().any(|part| !part.citations.is_empty());
        prop_assert_eq!(generation.has_evidence, cites);
        for sentence in checked(&generation, &passages) {
            let is_courtesy = sentence.citations.is_empty();
            let expected = if is_courtesy { Support::NoClaim } else { Support::Supported };
            prop_assert_eq!(sentence.support, expected, "{:?} from {:?}", sentence.text, contents);
        }
        for citation in generation.parts.iter().flat_map(|part| &part.citations) {
            let passage = &passages[citation.number as usize - 1];
            let used = citation.range.and_then(|range| range.slice(&passage.content));
            prop_assert!(used.is_some_and(|words| !words.trim().is_empty()));
        }
    }

    #[test]
    fn any_message_and_any_passage_are_read_without_a_crash(
        question in "\\PC{0,200}", content in "\\PC{0,200}"
    ) {
        let passages = [passage(1, "Title", &content)];
        let _ = checked(&write(Language::Fr, &question, &passages), &passages);
    }
}
