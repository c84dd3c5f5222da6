//! Sentences as French and English support texts have them.

use proptest::prelude::*;

use super::sentences;

/// Checks that `text` falls into `expected`; blanks are compared as they stand.
#[track_caller]
fn assert_sentences(text: &str, expected: &[&str]) {
    let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
    assert_eq!(found, expected, "in {text:?}");
}

/// Checks that `text` is one sentence.
#[track_caller]
fn assert_whole(text: &str) {
    assert_sentences(text, &[text]);
}

#[test]
fn plain_sentences_end_at_their_stops() {
    assert_sentences("", &[]);
    assert_sentences(" \n\t ", &[]);
    assert_sentences("Une phrase", &["Une phrase"]);
    assert_sentences("Il pleut. Il vente.", &["Il pleut.", "Il vente."]);
    assert_sentences("  It rains!  Does it? Yes.\n", &["It rains!", "Does it?", "Yes."]);
    assert_sentences("Quoi ?! Non.", &["Quoi ?!", "Non."]);
    assert_sentences("Where? here. Why", &["Where?", "here.", "Why"]);
    assert_sentences("请重启。然后登录。", &["请重启。", "然后登录。"]);
}

#[test]
fn lower_case_accented_letters_may_stand_before_the_stop() {
    assert_sentences(
        "Le service est fermé l'été. Il rouvre à la rentrée. Où ? À Paris.",
        &["Le service est fermé l'été.", "Il rouvre à la rentrée.", "Où ?", "À Paris."],
    );
    assert_sentences("Compte créé. Étape suivante.", &["Compte créé.", "Étape suivante."]);
}

#[test]
fn french_stops_follow_a_no_break_space() {
    assert_sentences(
        "Comment faire\u{a0}? C'est simple\u{202f}! Attendez\u{a0}… Voilà.",
        &["Comment faire\u{a0}?", "C'est simple\u{202f}!", "Attendez\u{a0}…", "Voilà."],
    );
    assert_sentences("Vraiment\u{202f}? !\u{a0}Oui.", &["Vraiment\u{202f}? !", "Oui."]);
    assert_sentences("Est-ce gratuit ? Oui !", &["Est-ce gratuit ?", "Oui !"]);
}

#[test]
fn french_abbreviations_do_not_end_a_sentence() {
    for text in [
        "M. Dupont a écrit à Mme Martin.",
        "MM. Durand et Petit, ainsi que Mlle. Rose, sont absents.",
        "Le Dr. Moreau et le Pr. Blanc répondent.",
        "Selon l'art. 3 du contrat, le délai est de 14 jours.",
        "Voir art. L. 121-3 et art. R. 4 du code.",
        "Le dossier n° 4 est clos.",
        "Certains appareils, p. ex. Windows 10, sont exclus.",
        "Certains appareils (p. ex. les tablettes) sont exclus.",
        "Le support, c.-à-d. Ancre, vous répond.",
        "Cartes, chèques, etc. sont acceptés.",
        "Pour le détail, cf. Annexe 2.",
        "Comme le montre la fig. 4, le voyant clignote.",
        "Le vol. II, chap. IV, p. 12 en parle.",
        "César, en 52 av. J.-C., gagna.",
        "Comptez env. 30 minutes.",
        "Appelez le tél. 01 23 45 67 89.",
        "Il habite à St. Malo.",
        "Écrivez à M. Le Goff.",
        "La réf. ABC-12 figure sur la facture.",
        "Le contrat du 3 janv. 2024 est signé.",
        "L'adresse est 12, bd. Voltaire.",
    ] {
        assert_whole(text);
    }
}

#[test]
fn english_abbreviations_do_not_end_a_sentence() {
    for text in [
        "Mr. Smith met Mrs. Jones and Dr. Watson.",
        "Use a browser, e.g. Firefox, to sign in.",
        "The owner, i.e. You or your team, decides.",
        "Acme Inc. Support answers within a day.",
        "See No. 5 on the list.",
        "The U.S. Army uses it.",
        "The books of J. K. Rowling are out of stock.",
        "John F. Kennedy was president.",
        "Open at 9 a.m. on weekdays.",
        "Firefox vs. Chrome is a matter of taste.",
        "See pp. 12 and Fig. 3.",
        "It ships on Dec. 24.",
    ] {
        assert_whole(text);
    }
}

#[test]
fn an_abbreviation_can_end_a_sentence() {
    assert_sentences(
        "Nous acceptons les cartes, chèques, etc. Le paiement est immédiat.",
        &["Nous acceptons les cartes, chèques, etc.", "Le paiement est immédiat."],
    );
    assert_sentences(
        "We ship to the U.S. The delivery takes a week.",
        &["We ship to the U.S.", "The delivery takes a week."],
    );
    assert_sentences(
        "It belongs to Acme Inc. They sold it.",
        &["It belongs to Acme Inc.", "They sold it."],
    );
    assert_sentences(
        "Prenez de la vitamine C. Elle aide.",
        &["Prenez de la vitamine C.", "Elle aide."],
    );
    assert_sentences("The answer is no. Try again.", &["The answer is no.", "Try again."]);
    assert_sentences(
        "Le délai est de 5 min. Patientez.",
        &["Le délai est de 5 min.", "Patientez."],
    );
    assert_sentences("Open until 9 p.m. We close then.", &["Open until 9 p.m.", "We close then."]);
}

#[test]
fn numbers_versions_and_addresses_hold_together() {
    for text in [
        "La version 2.0.1 pèse 3.5 Mo et coûte 1.200,50 €.",
        "Allez sur https://exemple.fr/aide?page=2.html#a et connectez-vous.",
        "Écrivez à jean.dupont@exemple.co.uk ou à support@ancre.example.",
        "Installez Node.js et .NET sur www.exemple.com, puis redémarrez.",
        "Le fichier config.toml est dans ~/.config/ancre.",
    ] {
        assert_whole(text);
    }
    assert_sentences(
        "Passez à la 2.0.1. Puis ouvrez https://exemple.fr. Cliquez.",
        &["Passez à la 2.0.1.", "Puis ouvrez https://exemple.fr.", "Cliquez."],
    );
    assert_sentences(
        "C'était en 2024. 3 ans après, non.",
        &["C'était en 2024.", "3 ans après, non."],
    );
    assert_sentences(
        "Deux étapes : 1. Ouvrez le menu. 2. Fermez-le.",
        &["Deux étapes : 1. Ouvrez le menu.", "2. Fermez-le."],
    );
}

#[test]
fn an_ellipsis_before_a_small_letter_goes_on() {
    assert_whole("Attendez… encore un peu.");
    assert_whole("Wait... a little more.");
    assert_whole("Le contrat « […] Les parties » le dit.");
    assert_sentences("Attendez... Voilà.", &["Attendez...", "Voilà."]);
    assert_sentences("Attendez… 3 minutes.", &["Attendez…", "3 minutes."]);
}

#[test]
fn closing_quotes_belong_to_the_sentence() {
    assert_sentences(
        "Le message dit « Erreur. » Relancez l'application.",
        &["Le message dit « Erreur. »", "Relancez l'application."],
    );
    assert_sentences(
        "«\u{a0}Partez\u{a0}!\u{a0}» Il partit.",
        &["«\u{a0}Partez\u{a0}!\u{a0}»", "Il partit."],
    );
    assert_sentences("He said “Go.” Then he left.", &["He said “Go.”", "Then he left."]);
    assert_sentences("He said \"Go.\" Then he left.", &["He said \"Go.\"", "Then he left."]);
    assert_sentences("(See above.) It works.", &["(See above.)", "It works."]);
    assert_sentences("**Important.** Sauvegardez.", &["**Important.**", "Sauvegardez."]);
    assert_sentences("C'est prouvé.[12] Voyez.", &["C'est prouvé.[12]", "Voyez."]);
    assert_sentences(
        "Lisez [la page.](https://a.fr/b) Merci.",
        &["Lisez [la page.](https://a.fr/b)", "Merci."],
    );
    assert_sentences("Fini. « Bien », dit-il.", &["Fini.", "« Bien », dit-il."]);
}

#[test]
fn a_stop_inside_a_quotation_that_goes_on_is_no_end() {
    assert_whole("« Pourquoi ? » demanda le client.");
    assert_whole("« C'est cassé. » se plaint-elle.");
    assert_whole("“Where is it?” she asked.");
    assert_whole("Le texte « Erreur 3. Réessayez. » s'affiche en rouge.");
    assert_whole("The page “Not found. Try again.” is shown.");
    assert_whole("Ouvrez le menu (en haut. Il est bleu.) et choisissez.");
    assert_whole("Tapez `git commit -m \"Fini. Voilà\"` dans le terminal.");
    assert_sentences("« Partez. Revenez. » Il sortit.", &["« Partez.", "Revenez. »", "Il sortit."]);
    assert_sentences(
        "Le message dit : « Erreur 3. Réessayez. » Relancez.",
        &["Le message dit : « Erreur 3. Réessayez. »", "Relancez."],
    );
}

#[test]
fn sentences_begin_with_accents_digits_quotes_and_names_in_small_letters() {
    assert_sentences("Non. À vous. Écrivez. Ça ira.", &["Non.", "À vous.", "Écrivez.", "Ça ira."]);
    assert_sentences("Fini. 3 jours suffisent.", &["Fini.", "3 jours suffisent."]);
    assert_sentences("Fini. \"Bien\" suffit.", &["Fini.", "\"Bien\" suffit."]);
    assert_sentences(
        "Chargez-le. iPhone et iPad aussi.",
        &["Chargez-le.", "iPhone et iPad aussi."],
    );
    assert_sentences("Fini. – Oui.", &["Fini.", "– Oui."]);
}

#[test]
fn lines_that_stand_alone_are_sentences_of_their_own() {
    assert_sentences(
        "# Remboursements\nLe délai est de 14 jours. Il court\ndès la livraison.\n\nFin",
        &["Remboursements", "Le délai est de 14 jours.", "Il court\ndès la livraison.", "Fin"],
    );
    assert_sentences(
        "Il faut :\n- un compte\n- une carte. Valide.\n  Bien sûr\n* [x] du temps\n10) fin",
        &["Il faut :", "un compte", "une carte.", "Valide.", "Bien sûr", "du temps", "fin"],
    );
    assert_sentences("1. Ouvrez.\n2. Fermez\n3. Partez", &["Ouvrez.", "Fermez", "Partez"]);
    assert_sentences("> Bonjour. Merci\n> > Oui", &["Bonjour.", "Merci\n> > Oui"]);
    assert_sentences("Titre\n=====\nTexte\n\n---\n\nSuite", &["Titre", "Texte", "Suite"]);
    assert_sentences(
        "| Pays | Délai. Jours |\n|---|:--:|\n| France | 2 |",
        &["| Pays | Délai. Jours |", "| France | 2 |"],
    );
    assert_sentences(
        "Lancez :\n```sh\nmake run. Now\nls\n```\nFini.",
        &["Lancez :", "make run. Now", "ls", "Fini."],
    );
    assert_sentences("Un\r\n\r\nDeux\r\n", &["Un", "Deux"]);
    assert_sentences("selon l'art.\n3. Le délai court.", &["selon l'art.\n3.", "Le délai court."]);
    assert_sentences("#hashtag -5 degrés", &["#hashtag -5 degrés"]);
}

#[test]
fn long_runs_of_marks_take_no_time() {
    for unit in [".", "(", "\" ", "« ", ". ", "a. ", "` ", "? ", "\n", "- ", "> ", "[1]", "M. "] {
        let text = unit.repeat(200_000);
        let found = sentences(&text);
        assert!(found.len() <= text.len(), "{unit:?}");
    }
}

proptest! {
    #[test]
    fn sentences_are_trimmed_ascending_and_leave_no_letter_out(
        text in r#"([a-zéÀ0-9]{1,6}|[ .!?…\n«»"'()#*>|-]|\u{a0}|M\. |etc\. |- |\n\n){0,80}"#
    ) {
        let found = sentences(&text);
        let mut covered_to = 0;
        for range in &found {
            prop_assert!(range.start >= covered_to, "{range:?} overlaps in {text:?}");
            let left_out = &text[covered_to..range.start];
            prop_assert!(!left_out.contains(char::is_alphabetic), "{left_out:?} lost in {text:?}");
            let sentence = &text[range.clone()];
            prop_assert!(!sentence.is_empty() && sentence.trim() == sentence, "{sentence:?}");
            covered_to = range.end;
        }
        prop_assert!(!text[covered_to..].contains(char::is_alphabetic), "the end of {text:?} lost");
    }

    #[test]
    fn any_text_can_be_split(text in any::<String>()) {
        for range in sentences(&text) {
            prop_assert!(text.get(range).is_some());
        }
    }
}
