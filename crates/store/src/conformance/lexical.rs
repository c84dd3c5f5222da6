//! The search by words.

use ancre_domain::{DocumentFailure, ErrorCode};

use super::Subject;
use super::scene::{Scene, Told, WEIGHTS, new_base, query, refused};
use crate::StoreError;
use crate::traits::{LexicalQuery, LexicalTerm, LexicalWeights};

/// As typed, in capitals, without accents: it is one word.
pub fn words_are_found_whatever_their_case_and_accents(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "Délai de livraison", &[0.0])?;
    scene.ready(&kb, "Erreur E-1042 de facture@ancre.example", &[10.0])?;
    for word in ["délai", "DÉLAI", "delai", "livraison"] {
        assert_eq!(scene.with_word(&kb.id, word)?, ["Délai de livraison"], "{word}");
    }
    for word in ["E-1042", "e-1042", "facture@ancre.example"] {
        assert_eq!(scene.with_word(&kb.id, word)?.len(), 1, "{word}");
    }
    assert_eq!(scene.with_word(&kb.id, "inconnu")?, [""; 0]);
    let any = scene.store().lexical(
        &scene.project,
        &kb.id,
        &query(&["inconnu", "livraison", "facture"]),
        WEIGHTS,
        6,
    )?;
    let any = any.matches;
    assert_eq!(any.len(), 2, "one of the words is enough");
    assert!(any.iter().all(|found| found.score > 0.0));
    Ok(())
}

/// Words that follow each other, and a word that goes on.
pub fn phrases_and_beginnings_are_found(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "mot de passe oublié", &[0.0])?;
    scene.ready(&kb, "passe le mot", &[10.0])?;
    let found = |words: &[&str], is_prefix| {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let query = LexicalQuery { terms: vec![LexicalTerm { words, is_prefix }] };
        let found = scene.store().lexical(&scene.project, &kb.id, &query, WEIGHTS, 6)?;
        Ok::<_, StoreError>(found.matches.len())
    };
    assert_eq!(found(&["mot"], false)?, 2);
    assert_eq!(found(&["mot", "de", "passe"], false)?, 1);
    assert_eq!(found(&["passe", "de"], false)?, 0);
    assert_eq!(found(&["oubl"], false)?, 0);
    assert_eq!(found(&["oubl"], true)?, 1);
    assert_eq!(found(&["mot", "de", "pas"], true)?, 1);
    Ok(())
}

/// Signs of the query language, nothing at all, too much of everything: never an error, never
/// a command.
pub fn whatever_is_typed_is_a_query(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    scene.ready(&kb, "prix et tarif", &[0.0])?;
    let long = "prix ".repeat(20_000);
    let unbroken = "x".repeat(100_000);
    for word in [
        "",
        " ",
        "\0",
        "\"",
        "\"\"",
        "'",
        "*",
        "^",
        "-",
        "+",
        "(",
        ")",
        "{",
        "}",
        ":",
        "\\",
        "%",
        "AND",
        "OR",
        "NOT",
        "NEAR",
        "NEAR(a b)",
        "title:",
        "title : prix",
        "{title body}:prix",
        "prix*",
        "prix OR",
        "prix\0inconnu",
        "prix\"",
        "\"prix",
        "-prix",
        "^prix",
        "a\" OR \"prix",
        "🦀",
        "\u{301}",
        "\u{202e}",
        "ﬁ",
        "'; DROP TABLE documents; --",
        &long,
        &unbroken,
    ] {
        for is_prefix in [false, true] {
            let term = LexicalTerm { words: vec![word.to_owned()], is_prefix };
            let pair = LexicalTerm { words: vec![word.to_owned(), word.to_owned()], is_prefix };
            let query = LexicalQuery { terms: vec![term, pair] };
            scene.store().lexical(&scene.project, &kb.id, &query, WEIGHTS, 6)?;
        }
    }
    assert_eq!(scene.with_word(&kb.id, "a\" OR \"prix")?, [""; 0], "a phrase, not two words");
    assert_eq!(scene.with_word(&kb.id, "NOT")?, [""; 0]);
    assert_eq!(scene.with_word(&kb.id, "prix*")?.len(), 1);

    let many: Vec<String> = (0..50_000).map(|number| format!("mot{number}")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.insert(0, "tarif");
    let found = scene.store().lexical(&scene.project, &kb.id, &query(&many), WEIGHTS, 6)?;
    assert_eq!(found.matches.len(), 1, "the first of very many words count");
    let one = LexicalTerm { words: vec!["inconnu".to_owned(); 50_000], is_prefix: false };
    let query = LexicalQuery { terms: vec![one, LexicalTerm { words: vec![], is_prefix: true }] };
    assert_eq!(scene.store().lexical(&scene.project, &kb.id, &query, WEIGHTS, 6)?.matches, []);
    let strange = LexicalWeights { title: f64::NAN, heading: -1.0, body: f64::INFINITY };
    scene.store().lexical(&scene.project, &kb.id, &query, strange, 6)?;
    Ok(())
}

/// The same word in the title, in the headings, in the text.
pub fn a_field_counts_as_much_as_its_weight(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let mut by_field = Vec::new();
    for field in 0..3 {
        let (document, mut indexed) = scene.indexing(&kb, &format!("champ {field}"), &[0.0])?;
        let words = [0, 1, 2].map(|at| if at == field { "cherché" } else { "rien" }.to_owned());
        [indexed[0].lexical.title, indexed[0].lexical.heading, indexed[0].lexical.body] = words;
        by_field.push(indexed[0].chunk_id.clone());
        scene.store().finish_document(&document.id, &indexed, scene.now())?;
    }
    for (best, [title, heading, body]) in
        [[9.0, 1.0, 1.0], [1.0, 9.0, 1.0], [1.0, 1.0, 9.0]].into_iter().enumerate()
    {
        let weights = LexicalWeights { title, heading, body };
        let found =
            scene.store().lexical(&scene.project, &kb.id, &query(&["cherche"]), weights, 6)?;
        let found = found.matches;
        assert_eq!((found.len(), &found[0].chunk_id), (3, &by_field[best]));
        assert_eq!(found[1].score, found[2].score);
        assert!(found[1].chunk_id < found[2].chunk_id, "of equally good ones the older first");
    }
    Ok(())
}

/// Ready and switched-on documents of that base, in that project.
pub fn a_search_for_words_sees_only_what_it_may(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let (kb, internal) = (scene.base("FAQ")?, scene.base("Interne' OR 1=1 --")?);
    scene.ready(&internal, "secret interne", &[0.0])?;
    scene.queued(&kb, "secret en attente")?;
    scene.indexing(&kb, "secret en cours", &[0.0])?;
    let failed = scene.ready(&kb, "secret en erreur", &[0.0])?;
    let failure = DocumentFailure { code: ErrorCode::ModelFailed, message: "No.".to_owned() };
    scene.store().fail_document(&failed.id, &failure)?;
    assert_eq!(scene.with_word(&kb.id, "secret")?, [""; 0]);
    assert_eq!(scene.with_word(&internal.id, "secret")?, ["secret interne"]);

    // More than is looked at in the first round, and every one better than the last.
    let off = scene.ready(&kb, "secret", &[0.0; 60])?;
    scene.store().set_document_enabled(&scene.project, &off.id, false)?;
    scene.ready(&kb, "un secret dont on parle beaucoup moins souvent", &[0.0])?;
    assert_eq!(scene.with_word(&kb.id, "secret")?.len(), 1);

    let other = &scene.subject.other_project;
    scene.store().create_knowledge_base(&new_base(other, "FAQ"), scene.now())?;
    for k in [0, 6, 5_000] {
        let crossing = scene.store().lexical(other, &kb.id, &query(&["secret"]), WEIGHTS, k);
        refused!(crossing, StoreError::NotFound { .. });
    }
    Ok(())
}

/// None, one, and more than there are; in a base without text nothing.
pub fn every_k_is_answered_by_words(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    assert_eq!(scene.with_word(&kb.id, "x")?, [""; 0], "a base with no text");
    scene.ready(&kb, "x", &[0.0; 300])?;
    for k in [0, 1, 6, 299, 300, 301, 5_000, u32::MAX] {
        let found = scene.store().lexical(&scene.project, &kb.id, &query(&["x"]), WEIGHTS, k)?;
        let found = found.matches;
        assert_eq!(found.len(), (k as usize).min(300), "k = {k}");
        assert!(found.is_sorted_by(|a, b| a.chunk_id < b.chunk_id), "equals by age for k = {k}");
    }
    Ok(())
}

/// What was detached or failed leaves no words behind, and may come again.
pub fn words_go_with_their_document(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "retours", &[0.0, 10.0])?;
    scene.ready(&kb, "retours et échanges", &[20.0])?;
    scene.store().delete_document(&scene.project, &document.id)?;
    assert_eq!(scene.with_word(&kb.id, "retours")?, ["retours et échanges"]);
    scene.ready(&kb, "retours", &[0.0])?;
    assert_eq!(scene.with_word(&kb.id, "retours")?.len(), 2);
    Ok(())
}
