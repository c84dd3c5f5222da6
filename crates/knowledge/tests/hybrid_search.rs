//! Stories of searching by meaning and by words together.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a story that cannot go on ends there")]

mod search_test;

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ancre_domain::{
    Cancellation, Clock, ErrorCode, Explain, KnowledgeBase, Language, ProjectId, SearchMode,
};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::search::{
    OneEmbedder, QueryEmbedder, Reranking, SearchRequest, passages_around, search,
    search_and_rerank,
};
use ancre_models::{ModelError, Reranker};
use ancre_store::traits::{DocumentStore, KnowledgeBaseStore};
use ancre_testkit::{Scene, TemporaryStore, WordEmbedder};
use search_test::{add, find, refusal, titles};

fn scene() -> (Scene, KnowledgeBase) {
    let scene = Scene::with_embedder(WordEmbedder::new(256));
    let base = scene.knowledge_base("Aide");
    (scene, base)
}

fn request(query: &str, base: &KnowledgeBase) -> SearchRequest {
    SearchRequest::new(query, vec![base.id.clone()])
}

fn in_mode(mode: SearchMode, query: &str, base: &KnowledgeBase) -> SearchRequest {
    SearchRequest { mode, ..request(query, base) }
}

/// A help centre of three pages.
fn help_centre() -> (Scene, KnowledgeBase) {
    let (scene, base) = scene();
    add(&scene, &base, "Erreurs", "Le code E-1042 dit que l’imprimante n’a plus d’encre.");
    add(&scene, &base, "Remboursements", "Les remboursements sont versés sous 14 jours.");
    add(&scene, &base, "Livraison", "La livraison standard prend de 3 à 5 jours ouvrés.");
    (scene, base)
}

#[test]
fn a_code_is_found_as_it_was_typed() {
    let (scene, base) = help_centre();
    for query in ["E-1042", "que veut dire e-1042 ?", "erreur E 1042", "“E–1042”"] {
        let hit = find(&scene, &request(query, &base)).hits.remove(0);
        assert_eq!(hit.document_title, "Erreurs", "{query}");
        assert_eq!(hit.lexical_rank, Some(1), "{query}");
    }
}

#[test]
fn a_hit_names_the_code_that_it_was_found_by_and_others_do_not() {
    let (scene, base) = help_centre();
    let found = find(&scene, &request("que veut dire e-1042 ?", &base));
    let [first, others @ ..] = &found.hits[..] else { panic!("nothing was found") };
    assert_eq!(first.document_title, "Erreurs");
    assert!(first.matched_terms.contains(&"e-1042".to_owned()), "{:?}", first.matched_terms);
    assert!(found.terms.contains(&"e-1042".to_owned()), "{:?}", found.terms);
    let content = &first.chunk.content;
    let marked: Vec<&str> = first.matches.iter().map(|it| it.slice(content).unwrap()).collect();
    assert!(marked.contains(&"E-1042"), "{marked:?}");
    assert!(others.iter().all(|hit| !hit.matched_terms.contains(&"e-1042".to_owned())));
}

#[test]
fn the_language_of_each_passage_is_its_own() {
    let (scene, base) = scene();
    let french =
        "Les remboursements sont versés sous quatorze jours après la réception. ".repeat(28);
    let english =
        "The delivery of your parcel takes three to five working days at most. ".repeat(28);
    add(&scene, &base, "Deux langues", &format!("{french}\n\n{english}"));
    for (query, language) in [
        ("remboursements versés après la réception", Language::Fr),
        ("delivery of your parcel in working days", Language::En),
    ] {
        let hit = find(&scene, &request(query, &base)).hits.remove(0);
        assert_eq!(hit.language, Some(language), "{query}: {}", hit.chunk.content);
    }
}

#[test]
fn every_hit_says_why_it_was_found() {
    let (scene, base) = help_centre();
    let found = find(&scene, &request("Quand mon remboursement est-il versé ?", &base));
    assert_eq!((found.mode, found.language), (SearchMode::Hybrid, Some(Language::Fr)));
    assert_eq!(found.terms, ["remboursement", "versé"]);
    let best = &found.hits[0];
    assert_eq!(best.document_title, "Remboursements");
    assert_eq!((best.vector_rank, best.lexical_rank), (Some(1), Some(1)));
    assert!(best.lexical_score.unwrap() > 0.0 && best.score > 0.5 && best.distance < 1.0);
    assert_eq!(best.matched_terms, found.terms);
    let content = &best.chunk.content;
    let marked: Vec<&str> = best.matches.iter().map(|it| it.slice(content).unwrap()).collect();
    assert_eq!(marked, ["remboursements", "versés"]);
    let other = found.hits.iter().find(|hit| hit.document_title == "Livraison").unwrap();
    assert_eq!((other.lexical_rank, other.lexical_score), (None, None), "only vectors found it");
}

#[test]
fn the_limit_of_distance_is_for_evidence_of_meaning() {
    let (scene, base) = help_centre();
    let query = "livraison express gratuite à domicile";
    let near = SearchRequest { max_distance: Some(0.000_1), ..request(query, &base) };
    let hits = find(&scene, &near).hits;
    assert_eq!(hits.len(), 1, "what has no word of the question is too far");
    assert_eq!(hits[0].document_title, "Livraison");
    assert_eq!(hits[0].vector_rank, None);
    let unlimited = find(&scene, &request(query, &base)).hits;
    let same = unlimited.iter().find(|hit| hit.chunk.id == hits[0].chunk.id).unwrap();
    assert!((same.distance - hits[0].distance).abs() < 1e-9, "its distance is the real one");
    assert!(hits[0].distance > 0.000_1 && hits[0].distance < 2.0);
}

#[test]
fn a_search_by_words_needs_no_model() {
    let (scene, base) = help_centre();
    let by_words = in_mode(SearchMode::Text, "remboursement", &base);
    let found = search(&*scene.store, None, scene.project_id(), &by_words).unwrap();
    assert_eq!(found.hits.len(), 1, "the others do not have the word");
    assert!((found.hits[0].distance - 2.0).abs() < 1e-9, "not known");
    assert!(find(&scene, &by_words).hits[0].distance < 1.0, "with a model it is");
    assert_eq!(scene.embedder.query_count(), 1);

    let by_meaning = in_mode(SearchMode::Hybrid, "remboursement", &base);
    let refused = search(&*scene.store, None, scene.project_id(), &by_meaning).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::ModelMissing);
}

#[test]
fn a_question_without_a_known_word_is_answered_by_meaning() {
    let (scene, base) = help_centre();
    assert_eq!(find(&scene, &request("… ?! »", &base)).hits.len(), 3);
    assert_eq!(find(&scene, &in_mode(SearchMode::Text, "zzz yyy", &base)).hits.len(), 0);
    assert_eq!(find(&scene, &request("zzz yyy", &base)).hits.len(), 3);
}

#[test]
fn passages_that_say_the_same_take_one_place() {
    let (scene, base) = scene();
    let notice = "Le service client est ouvert de 9 à 18 heures, du lundi au vendredi.";
    for number in 0..150 {
        // Sources are kept once for each text, so the setting differs and the words do not.
        add(
            &scene,
            &base,
            &format!("Page {number}"),
            &format!("{}{notice}", "\n".repeat(number) + &"*".repeat(number + 1) + " "),
        );
    }
    add(&scene, &base, "Adresse", "Le service client se trouve à Brest.");
    let hits = find(&scene, &request("service client ouvert heures", &base)).hits;
    let opening = hits.iter().filter(|hit| hit.chunk.content.contains("9 à 18")).count();
    assert_eq!(opening, 1);
    assert!(hits.iter().any(|hit| hit.document_title == "Adresse"), "there is room for others");
}

#[test]
fn a_document_that_is_switched_off_is_found_by_neither_side() {
    let (scene, base) = help_centre();
    let document = add(&scene, &base, "Ancien tarif", "Le remboursement coûtait 9,90 €.");
    for mode in SearchMode::ALL {
        assert!(
            titles(&scene, &in_mode(mode, "remboursement 9,90", &base))
                .contains(&"Ancien tarif".to_owned())
        );
    }
    scene.store.set_document_enabled(scene.project_id(), &document, false).unwrap();
    for mode in SearchMode::ALL {
        assert!(
            !titles(&scene, &in_mode(mode, "remboursement 9,90", &base))
                .contains(&"Ancien tarif".to_owned())
        );
    }
}

#[test]
fn nothing_of_another_base_or_project_is_found() {
    let (scene, base) = help_centre();
    let other = scene.knowledge_base("Interne");
    add(&scene, &other, "Secret", "Le remboursement secret E-1042.");
    for mode in SearchMode::ALL {
        let found = titles(&scene, &in_mode(mode, "remboursement secret E-1042", &base));
        assert!(!found.contains(&"Secret".to_owned()), "{mode:?}");
        let elsewhere = ProjectId::generate(scene.clock.now());
        let embedder = OneEmbedder(&scene.embedder);
        let asked = in_mode(mode, "secret", &other);
        let refused = search(&*scene.store, Some(&embedder), &elsewhere, &asked).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::NotFound, "{mode:?}");
    }
}

#[test]
fn a_base_that_has_the_words_comes_before_one_that_has_few() {
    let (scene, shop) = help_centre();
    let office = scene.knowledge_base("Bureau");
    for number in 0..40 {
        let text = format!("Note {number} : la réunion du jour {number} sur les jours ouvrés.");
        add(&scene, &office, &format!("Réunion {number}"), &text);
    }
    let both = vec![office.id.clone(), shop.id.clone()];
    let query = "remboursement versé en combien de jours";
    let by_words = SearchRequest { mode: SearchMode::Text, ..SearchRequest::new(query, both) };
    assert_eq!(titles(&scene, &by_words)[0], "Remboursements");
    let hits = find(&scene, &by_words).hits;
    assert!(hits.windows(2).all(|pair| pair[0].lexical_score >= pair[1].lexical_score));
    let ranks: BTreeSet<_> = hits.iter().map(|hit| hit.lexical_rank).collect();
    assert_eq!(ranks.len(), hits.len(), "one ranking over both bases");
}

/// The embedder of a base by its model.
struct Models<'a>([&'a WordEmbedder; 2]);

impl QueryEmbedder for Models<'_> {
    fn embed_for(&self, base: &KnowledgeBase, query: &str) -> Result<Vec<f32>, KnowledgeError> {
        let [one, other] = self.0;
        OneEmbedder(one)
            .embed_for(base, query)
            .or_else(|_| OneEmbedder(other).embed_for(base, query))
    }
}

#[test]
fn bases_of_two_models_are_searched_together() {
    let (mut scene, first) = help_centre();
    let old = std::mem::replace(&mut scene.embedder, WordEmbedder::new(64).named("another"));
    let second = scene.knowledge_base("Boutique");
    add(&scene, &second, "Avoirs", "Un avoir remplace le remboursement d’un bon cadeau.");
    let models = Models([&old, &scene.embedder]);
    let both = SearchRequest::new("remboursement d’un bon cadeau", vec![first.id, second.id]);
    for mode in SearchMode::ALL {
        let request = SearchRequest { mode, ..both.clone() };
        let found = search(&*scene.store, Some(&models), scene.project_id(), &request).unwrap();
        assert_eq!(found.hits[0].document_title, "Avoirs", "{mode:?}");
        assert!(found.hits.iter().any(|hit| hit.document_title == "Remboursements"), "{mode:?}");
    }
    assert_eq!(refusal(&scene, &both), ErrorCode::ModelMismatch, "one of the models is not there");
}

/// Deletes the base while its question is embedded.
struct Deleting<'a>(&'a Scene);

impl QueryEmbedder for Deleting<'_> {
    fn embed_for(&self, base: &KnowledgeBase, query: &str) -> Result<Vec<f32>, KnowledgeError> {
        self.0.store.delete_knowledge_base(
            self.0.project_id(),
            &base.id,
            ancre_domain::Timestamp::from_millis(9),
        )?;
        OneEmbedder(&self.0.embedder).embed_for(base, query)
    }
}

#[test]
fn a_base_that_is_deleted_while_it_is_searched_is_said_to_be_gone() {
    let (scene, base) = help_centre();
    let request = request("remboursement", &base);
    let found = search(&*scene.store, Some(&Deleting(&scene)), scene.project_id(), &request);
    assert_eq!(found.unwrap_err().code(), ErrorCode::NotFound);
}

#[test]
fn long_questions_and_any_number_of_hits_are_answered() {
    let (scene, base) = help_centre();
    let empty = scene.knowledge_base("Vide");
    let long = "remboursement versé ".repeat(5_000);
    for mode in SearchMode::ALL {
        for top_k in [1, 5_000] {
            let request = SearchRequest { top_k, ..in_mode(mode, &long, &base) };
            let hits = find(&scene, &request).hits;
            assert_eq!(hits[0].document_title, "Remboursements", "{mode:?}");
            assert!(hits.len() <= top_k as usize);
        }
        assert_eq!(find(&scene, &in_mode(mode, "mot", &empty)).hits.len(), 0);
        let none = SearchRequest { top_k: 0, ..in_mode(mode, "mot", &base) };
        assert_eq!(refusal(&scene, &none), ErrorCode::InvalidInput);
    }
}

/// Likes passages with a word, once nobody holds its gate.
struct Likes {
    word: &'static str,
    gate: Mutex<Receiver<()>>,
    fails: bool,
}

impl Reranker for Likes {
    fn id(&self) -> &str {
        "likes"
    }

    fn rerank(&self, _: &str, passages: &[&str], _: &Cancellation) -> Result<Vec<f32>, ModelError> {
        // An error: whoever held it let go.
        let _ = self.gate.lock().unwrap().recv();
        if self.fails {
            return Err(ModelError::Failed("it was told to".to_owned()));
        }
        Ok(passages.iter().map(|it| if it.contains(self.word) { 3.0 } else { -3.0 }).collect())
    }
}

#[test]
fn a_reranker_has_the_last_word_if_it_is_in_time() {
    let (scene, base) = help_centre();
    let embedder = OneEmbedder(&scene.embedder);
    let request = request("Quand mon remboursement est-il versé ?", &base);
    // Only who is late on purpose has little time: a busy machine keeps nobody else waiting so long.
    let long = Duration::from_secs(60);
    let first = |gate: Receiver<()>, fails, budget| {
        let likes = Arc::new(Likes { word: "livraison", gate: Mutex::new(gate), fails });
        let reranking = Reranking { budget, ..Reranking::new(likes) };
        let (store, project) = (&*scene.store, scene.project_id());
        let hit = search_and_rerank(store, Some(&embedder), project, &request, Some(&reranking))
            .unwrap()
            .hits
            .remove(0);
        (hit, reranking.misses())
    };
    let open = || {
        let (_, gate) = channel();
        gate
    };
    let (reranked, misses) = first(open(), false, long);
    assert_eq!((reranked.document_title.as_str(), misses), ("Livraison", 0));
    assert!(reranked.score > 0.9 && reranked.score < 1.0);
    // Held until the search has answered: one that waited for it would never end.
    let (held, gate) = channel();
    let (late, misses) = first(gate, false, Duration::from_millis(300));
    assert_eq!((late.document_title.as_str(), misses), ("Remboursements", 1));
    drop(held);
    let (failed, misses) = first(open(), true, long);
    assert_eq!((failed.document_title.as_str(), misses), ("Remboursements", 1));
}

#[test]
fn what_stands_around_a_passage_can_be_read() {
    let (scene, base) = scene();
    let text: String = (0..60)
        .map(|at| format!("Paragraphe {at} : {}\n\n", "des mots pour remplir. ".repeat(12)))
        .collect();
    add(&scene, &base, "Guide", &text);
    let hit = find(&scene, &request("Paragraphe 30", &base)).hits.remove(0);
    let (store, project): (&TemporaryStore, _) = (&scene.store, scene.project_id());
    let around = passages_around(&**store, project, &hit.chunk.id, 1, 2).unwrap();
    let positions: Vec<u32> = around.iter().map(|chunk| chunk.position).collect();
    let at = hit.chunk.position;
    assert_eq!(positions, (at.saturating_sub(1)..=at + 2).collect::<Vec<_>>());
    let elsewhere = ProjectId::generate(scene.clock.now());
    let refused = passages_around(&**store, &elsewhere, &hit.chunk.id, 1, 1).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::NotFound);
}
