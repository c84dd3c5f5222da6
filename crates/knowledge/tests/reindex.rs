//! Stories of a new index beside the one that answers.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::cell::RefCell;

use ancre_domain::{
    Cancellation, ChunkingSettings, DocumentId, DocumentStatus, ErrorCode, Explain as _,
    GenerationState, KnowledgeBase,
};
use ancre_knowledge::ingestion::{IndexOutcome, Indexer, NewText, register_text};
use ancre_knowledge::reindex::{ReindexEvent, estimate, reindex};
use ancre_knowledge::words::add_missing_words;
use ancre_knowledge::{IndexingLine, KnowledgeError};
use ancre_models::Embedder;
use ancre_store::traits::{DocumentStore, GenerationStore, KnowledgeBaseStore};
use ancre_testkit::{Scene, WordEmbedder};

/// A line belongs to one model of one store, so each indexer of a story has its own.
fn line() -> &'static IndexingLine {
    Box::leak(Box::default())
}

const SMALL: ChunkingSettings = ChunkingSettings { size: 300, overlap: 30 };

fn indexer<'a>(scene: &'a Scene, embedder: &'a dyn Embedder) -> Indexer<'a> {
    Indexer { store: &*scene.store, embedder, line: line(), clock: &scene.clock, batch_size: 4 }
}

fn prose(of: &str) -> String {
    (0..60).map(|number| format!("La phrase {number} parle de {of}. ")).collect()
}

fn add(scene: &Scene, base: &KnowledgeBase, of: &str) -> DocumentId {
    let text = NewText::pasted(format!("Sur {of}"), prose(of));
    let added = register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text);
    let id = added.unwrap().document.id;
    let cancellation = Cancellation::new();
    let outcome = indexer(scene, &scene.embedder).index_document(
        scene.project_id(),
        &id,
        &cancellation,
        &mut |_| {},
    );
    assert!(matches!(outcome, Ok(IndexOutcome::Ready(_))), "{outcome:?}");
    id
}

/// A base with three documents, in the scene's model.
fn scene() -> (Scene, KnowledgeBase) {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    for of in ["remboursement", "livraison", "facture"] {
        add(&scene, &base, of);
    }
    (scene, base)
}

fn other_model() -> WordEmbedder {
    WordEmbedder::new(32).named("other-words")
}

fn build(
    scene: &Scene,
    base: &KnowledgeBase,
    model: &WordEmbedder,
    cancellation: &Cancellation,
    sink: &dyn Fn(ReindexEvent),
) -> Result<u32, KnowledgeError> {
    let indexer = indexer(scene, model);
    let generation = reindex(&indexer, scene.project_id(), &base.id, SMALL, cancellation, sink)?;
    Ok(generation.number)
}

/// What the base finds for a question, with this model.
fn found(scene: &Scene, base: &KnowledgeBase, model: &dyn Embedder, of: &str) -> Vec<String> {
    let vector = model.embed_query(&format!("Sur {of}")).unwrap().vector;
    let hits = scene.store.nearest(scene.project_id(), &base.id, &vector, 1, None).unwrap();
    hits.into_iter().map(|hit| hit.document_title).collect()
}

fn states(scene: &Scene, base: &KnowledgeBase) -> Vec<(u32, GenerationState)> {
    let generations = scene.store.generations(scene.project_id(), &base.id).unwrap();
    generations.into_iter().map(|it| (it.number, it.state)).collect()
}

#[test]
fn a_base_changes_its_model_and_answers_all_the_while() {
    let (scene, base) = scene();
    let model = other_model();
    let sink = |event| {
        if matches!(event, ReindexEvent::Building { .. } | ReindexEvent::Switching) {
            let answer = found(&scene, &base, &scene.embedder, "livraison");
            assert_eq!(answer, ["Sur livraison"], "the old index answers");
        }
    };
    assert_eq!(build(&scene, &base, &model, &Cancellation::new(), &sink).unwrap(), 2);
    assert_eq!(found(&scene, &base, &model, "facture"), ["Sur facture"], "the new one does");
    let base = scene.store.knowledge_base(scene.project_id(), &base.id).unwrap();
    assert_eq!((base.embedding_model_id.as_str(), base.embedding_dim), ("other-words", 32));
    assert_eq!(base.chunking, SMALL);

    let (project, kb) = (scene.project_id(), &base.id);
    let now = ancre_domain::Clock::now(&scene.clock);
    scene.store.restore_generation(project, kb, now).unwrap();
    assert_eq!(found(&scene, &base, &scene.embedder, "facture"), ["Sur facture"]);
    scene.store.discard_generation(project, kb).unwrap();
    assert_eq!(states(&scene, &base), [(1, GenerationState::Serving)]);
}

#[test]
fn a_build_that_is_stopped_leaves_the_old_index_and_goes_on_later() {
    let (scene, base) = scene();
    let cancellation = Cancellation::new();
    let sink = |event| {
        if matches!(event, ReindexEvent::Built { .. }) {
            cancellation.cancel();
        }
    };
    let error = build(&scene, &base, &other_model(), &cancellation, &sink).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Cancelled);
    assert_eq!(
        states(&scene, &base),
        [(1, GenerationState::Serving), (2, GenerationState::Building)]
    );
    assert_eq!(found(&scene, &base, &scene.embedder, "livraison"), ["Sur livraison"]);

    let heard = RefCell::new(Vec::new());
    let sink = |event| heard.borrow_mut().push(event);
    assert_eq!(build(&scene, &base, &other_model(), &Cancellation::new(), &sink).unwrap(), 2);
    let first = heard.borrow()[0].clone();
    let is_kept = matches!(first, ReindexEvent::Found { documents: 3, built: 1.. });
    assert!(is_kept, "what was built is kept: {first:?}");

    let (scene, base) = self::scene();
    let cancelled = Cancellation::new();
    cancelled.cancel();
    build(&scene, &base, &other_model(), &cancelled, &|_| {}).unwrap_err();
    scene.store.cancel_generation(scene.project_id(), &base.id).unwrap();
    assert_eq!(states(&scene, &base), [(1, GenerationState::Serving)]);
}

#[test]
fn a_process_killed_at_any_step_goes_on() {
    // A model that goes away after some batches stands for the kill: the store is dropped as it is.
    let (whole, base) = scene();
    let fresh = other_model();
    build(&whole, &base, &fresh, &Cancellation::new(), &|_| {}).unwrap();
    let passages = |model: &WordEmbedder| model.batches().iter().map(Vec::len).sum::<usize>();
    // With fewer batches than that it cannot come to its end, however they are mixed.
    for batches in 0..passages(&fresh) / 4 {
        let (mut scene, base) = scene();
        let failing = other_model().losing_its_model_after(batches);
        build(&scene, &base, &failing, &Cancellation::new(), &|_| {}).unwrap_err();
        scene.store = scene.store.restart().unwrap();
        assert_eq!(found(&scene, &base, &scene.embedder, "facture"), ["Sur facture"]);

        let model = other_model();
        assert_eq!(build(&scene, &base, &model, &Cancellation::new(), &|_| {}).unwrap(), 2);
        assert_eq!(found(&scene, &base, &model, "facture"), ["Sur facture"]);
        assert_eq!(
            passages(&model) + passages(&failing),
            passages(&fresh),
            "nothing was embedded twice after {batches} batches"
        );
    }
}

#[test]
fn documents_that_come_and_go_meanwhile_are_part_of_it() {
    let (scene, base) = scene();
    let gone = scene.documents(&base)[0].id.clone();
    let is_first = RefCell::new(true);
    let sink = |event| {
        if matches!(event, ReindexEvent::Built { .. }) && is_first.replace(false) {
            scene.store.delete_document(scene.project_id(), &gone).unwrap();
            add(&scene, &base, "garantie");
        }
    };
    let model = other_model();
    build(&scene, &base, &model, &Cancellation::new(), &sink).unwrap();
    assert_eq!(found(&scene, &base, &model, "garantie"), ["Sur garantie"]);
    let documents = scene.documents(&base);
    assert_eq!(documents.len(), 3);
    assert!(documents.iter().all(|it| it.status == DocumentStatus::Ready));
}

#[test]
fn text_that_was_embedded_before_is_not_embedded_again() {
    let (scene, base) = scene();
    let model = other_model();
    build(&scene, &base, &model, &Cancellation::new(), &|_| {}).unwrap();
    let batches = model.batch_count();
    // Back to the first model, with the chunks that it had.
    let indexer = indexer(&scene, &scene.embedder);
    let before = scene.embedder.batch_count();
    let chunking = ChunkingSettings::default();
    let cancellation = Cancellation::new();
    let (project, kb) = (scene.project_id(), &base.id);
    let cost = estimate(&indexer, project, kb, chunking, &cancellation).unwrap();
    assert!(cost.chunks > 0 && cost.cached_chunks == cost.chunks, "{cost:?}");
    assert_eq!((cost.documents, cost.passages, cost.duration.as_millis()), (3, 0, 0));
    reindex(&indexer, project, kb, chunking, &cancellation, &|_| {}).unwrap();
    assert_eq!(scene.embedder.batch_count(), before);
    assert_eq!(model.batch_count(), batches);
}

#[test]
fn an_estimate_says_what_is_missing_and_how_long_it_takes() {
    let (scene, base) = scene();
    let model = other_model();
    let indexer = indexer(&scene, &model);
    let (project, kb) = (scene.project_id(), &base.id);
    let cost = estimate(&indexer, project, kb, SMALL, &Cancellation::new()).unwrap();
    assert!(model.batch_count() > 0, "the model was tried, as nobody knew how fast it is");
    assert_eq!(cost.documents, 3);
    assert!(cost.chunks > 15 && cost.passages > 0 && cost.cached_chunks < cost.chunks, "{cost:?}");
    assert!(cost.passages_per_second > 0.0 && !cost.duration.is_zero(), "{cost:?}");
    assert!(cost.disk_bytes > 3 * 2_000, "{cost:?}");
    assert_eq!(states(&scene, &base).len(), 1, "nothing was begun");
    let empty = scene.knowledge_base("Vide");
    let cost = estimate(&indexer, project, &empty.id, SMALL, &Cancellation::new()).unwrap();
    assert_eq!((cost.documents, cost.chunks, cost.disk_bytes), (0, 0, 0));
}

#[test]
fn a_model_whose_vectors_cannot_be_indexed_is_refused_before_anything() {
    let (scene, base) = scene();
    let model = WordEmbedder::new(8_193);
    let error = build(&scene, &base, &model, &Cancellation::new(), &|_| {}).unwrap_err();
    assert!(matches!(error, KnowledgeError::UnfitModel { dimension: 8_193, .. }), "{error}");
    assert_eq!((model.batch_count(), states(&scene, &base).len()), (0, 1));
}

#[test]
fn a_document_that_cannot_be_built_keeps_the_old_index_serving() {
    let (scene, base) = scene();
    let model = other_model().refusing("livraison");
    let error = build(&scene, &base, &model, &Cancellation::new(), &|_| {}).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ModelFailed);
    assert_eq!(found(&scene, &base, &scene.embedder, "livraison"), ["Sur livraison"]);
    let missing = scene.store.documents_to_build(scene.project_id(), &base.id).unwrap();
    assert_eq!(missing.len(), 1, "the others are built");
}

#[test]
fn a_base_with_its_words_needs_none() {
    let (scene, base) = scene();
    let (project, kb) = (scene.project_id(), &base.id);
    let done = add_missing_words(&*scene.store, project, kb, &Cancellation::new(), &mut |_| {});
    assert_eq!(done.unwrap(), 0);
}
