//! Stories of searching by meaning, and of requests that mean nothing.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

mod search_test;

use ancre_domain::{Clock, ErrorCode, KnowledgeBase, KnowledgeBaseId, SearchMode};
use ancre_knowledge::search::SearchRequest;
use ancre_testkit::{Scene, WordEmbedder};
use search_test::{add, find, refusal, titles};

/// A search by vectors alone.
fn by_meaning(query: impl Into<String>, kb_ids: Vec<KnowledgeBaseId>) -> SearchRequest {
    SearchRequest { mode: SearchMode::Vector, ..SearchRequest::new(query, kb_ids) }
}

/// Two bases: refunds and printers in one, opening hours in the other.
fn two_bases() -> (Scene, KnowledgeBase, KnowledgeBase) {
    let scene = Scene::with_embedder(WordEmbedder::new(256));
    let (shop, office) = (scene.knowledge_base("Boutique"), scene.knowledge_base("Bureau"));
    add(&scene, &shop, "Remboursements", "Le remboursement est versé sous 14 jours.");
    add(&scene, &shop, "Imprimantes", "L'imprimante demande une cartouche d'encre.");
    add(&scene, &office, "Horaires", "Le bureau des remboursements ouvre à 9 heures.");
    (scene, shop, office)
}

#[test]
fn the_nearest_come_first_from_every_base_that_is_named() {
    let (scene, shop, office) = two_bases();
    let query = "  Quand le remboursement est-il versé ?\n";
    let request = by_meaning(query, vec![office.id.clone(), shop.id.clone()]);
    assert_eq!(titles(&scene, &request), ["Remboursements", "Horaires", "Imprimantes"]);
    assert_eq!(scene.embedder.query_count(), 1, "one question, one embedding");

    let only_office = by_meaning(query, vec![office.id.clone()]);
    assert_eq!(titles(&scene, &only_office), ["Horaires"]);
    let twice = by_meaning(query, vec![office.id.clone(), office.id]);
    assert_eq!(titles(&scene, &twice), ["Horaires"]);
}

#[test]
fn distances_are_cosine_distances_and_can_be_limited() {
    let (scene, shop, office) = two_bases();
    // A passage is embedded with its title before it.
    let text = "Remboursements\n\nLe remboursement est versé sous 14 jours.";
    let mut request = by_meaning(text, vec![shop.id, office.id]);
    let hits = find(&scene, &request).hits;
    assert!(hits[0].distance.abs() < 1e-5, "the same text: {}", hits[0].distance);
    assert!(hits.windows(2).all(|pair| pair[0].distance <= pair[1].distance));
    assert!(hits.iter().all(|hit| (hit.score - (1.0 - hit.distance)).abs() < 1e-9));

    request.max_distance = Some(hits[1].distance);
    assert_eq!(titles(&scene, &request).len(), 2, "the limit itself is within");
    request.max_distance = Some(0.0001);
    assert_eq!(titles(&scene, &request), ["Remboursements"]);
    request.max_distance = None;
    request.top_k = 1;
    assert_eq!(titles(&scene, &request), ["Remboursements"]);
    request.top_k = SearchRequest::MAX_TOP_K;
    assert_eq!(titles(&scene, &request).len(), 3, "more than there are");
}

#[test]
fn requests_that_mean_nothing_are_refused() {
    let (scene, shop, _) = two_bases();
    let request = SearchRequest::new("remboursement", vec![shop.id]);
    let refused = [
        SearchRequest { query: " \n".to_owned(), ..request.clone() },
        SearchRequest { top_k: 0, ..request.clone() },
        SearchRequest { top_k: 10_001, ..request.clone() },
        SearchRequest { max_distance: Some(-0.1), ..request.clone() },
        SearchRequest { max_distance: Some(2.1), ..request.clone() },
        SearchRequest { max_distance: Some(f64::NAN), ..request.clone() },
        SearchRequest { max_distance: Some(f64::INFINITY), ..request },
    ];
    for request in refused {
        assert_eq!(refusal(&scene, &request), ErrorCode::InvalidInput, "{request:?}");
    }
}

#[test]
fn an_empty_base_is_an_empty_list_and_a_missing_one_an_error() {
    let scene = Scene::new();
    let empty = scene.knowledge_base("Vide");
    assert!(titles(&scene, &SearchRequest::new("mot", vec![empty.id.clone()])).is_empty());
    assert!(titles(&scene, &SearchRequest::new("mot", vec![])).is_empty());
    let missing = KnowledgeBaseId::generate(scene.clock.now());
    let request = SearchRequest::new("mot", vec![empty.id, missing]);
    assert_eq!(refusal(&scene, &request), ErrorCode::NotFound);
}

#[test]
fn a_base_of_another_model_is_refused() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    scene.embedder = WordEmbedder::new(64).named("another");
    let request = SearchRequest::new("mot", vec![base.id]);
    assert_eq!(refusal(&scene, &request), ErrorCode::ModelMismatch);
}

#[test]
fn a_question_longer_than_the_window_is_answered() {
    let (scene, shop, _) = two_bases();
    let query = "remboursement ".repeat(5_000);
    assert_eq!(titles(&scene, &SearchRequest::new(query, vec![shop.id]))[0], "Remboursements");
}
