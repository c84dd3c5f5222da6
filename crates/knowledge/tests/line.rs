//! Stories of the indexing line: whose turn it is, what is embedded, and what never again.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::ops::ControlFlow;

use ancre_domain::{Cancellation, ChunkingSettings, DocumentId, DocumentStatus, KnowledgeBase};
use ancre_knowledge::ingestion::{IndexOutcome, Indexer, NewText, register_text};
use ancre_knowledge::{CACHE_SETTING, IndexingLine, LineDocument, LineEvent};
use ancre_store::traits::{DocumentStore, EmbeddingCache, SettingsStore};
use ancre_testkit::{Scene, WordEmbedder};

static LINE: IndexingLine = IndexingLine::new();

fn indexer(scene: &Scene) -> Indexer<'_> {
    Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line: &LINE,
        clock: &scene.clock,
        batch_size: 4,
    }
}

fn register(scene: &Scene, base: &KnowledgeBase, title: &str, text: &str) -> DocumentId {
    let text = NewText::pasted(title, text);
    let added = register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text);
    added.unwrap().document.id
}

fn item(scene: &Scene, document_id: &DocumentId) -> LineDocument {
    LineDocument {
        project_id: scene.project_id().clone(),
        document_id: document_id.clone(),
        cancellation: Cancellation::new(),
    }
}

/// Indexes documents and gives the order in which they ended.
fn index(scene: &Scene, documents: Vec<LineDocument>) -> Vec<(DocumentId, bool)> {
    let mut ended = Vec::new();
    indexer(scene).index_documents(&mut documents.into_iter(), &mut |event| {
        if let LineEvent::Ended { document, outcome } = event {
            ended.push((document, matches!(outcome, Ok(IndexOutcome::Ready(_)))));
        }
        ControlFlow::Continue(())
    });
    ended
}

fn prose(of: &str, sentences: usize) -> String {
    (0..sentences).map(|number| format!("La phrase {number} parle de {of}. ")).collect()
}

#[test]
fn a_small_document_does_not_wait_for_a_large_one() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 900));
    let notes: Vec<DocumentId> =
        (0..30).map(|number| register(&scene, &base, "Note", &format!("Note {number}."))).collect();
    let order = [&book].into_iter().chain(&notes).map(|id| item(&scene, id)).collect();
    let ended = index(&scene, order);
    assert!(ended.iter().all(|(_, is_ready)| *is_ready));
    assert_eq!(ended.len(), 31);
    assert_eq!(ended.last().map(|(id, _)| id), Some(&book), "every note was ready before");
    let in_order: Vec<&DocumentId> = ended.iter().map(|(id, _)| id).take(30).collect();
    assert_eq!(in_order, notes.iter().collect::<Vec<_>>());
}

#[test]
fn one_document_is_cancelled_and_the_others_go_on() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let [one, other] =
        ["un", "deux"].map(|of| item(&scene, &register(&scene, &base, of, &prose(of, 200))));
    let mut ended = Vec::new();
    let cancellation = one.cancellation.clone();
    let (first, second) = (one.document_id.clone(), other.document_id.clone());
    indexer(&scene).index_documents(&mut vec![one, other].into_iter(), &mut |event| {
        match event {
            LineEvent::Progressed { progress, .. } if progress.chunks_done > 1 => {
                cancellation.cancel();
            }
            LineEvent::Progressed { .. } => {}
            LineEvent::Ended { document, outcome } => ended.push((document, outcome.unwrap())),
        }
        ControlFlow::Continue(())
    });
    assert!(matches!(&ended[0], (id, IndexOutcome::Cancelled) if *id == first), "{ended:?}");
    assert!(matches!(&ended[1], (id, IndexOutcome::Ready(_)) if *id == second), "{ended:?}");
    let document = scene.store.document(scene.project_id(), &first).unwrap();
    assert_eq!(document.status, DocumentStatus::Queued);
}

#[test]
fn whoever_listens_can_stop_the_line_and_what_was_begun_waits() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let documents: Vec<LineDocument> = (0..3)
        .map(|number| {
            item(&scene, &register(&scene, &base, "Livre", &prose(&number.to_string(), 100)))
        })
        .collect();
    indexer(&scene).index_documents(&mut documents.into_iter(), &mut |_| ControlFlow::Break(()));
    let statuses: Vec<_> = scene.documents(&base).iter().map(|it| it.status).collect();
    assert_eq!(statuses, [DocumentStatus::Queued; 3]);
}

#[test]
fn the_same_text_is_embedded_once_whatever_the_base() {
    let scene = Scene::new();
    let (one, other) = (scene.knowledge_base("Un"), scene.knowledge_base("Deux"));
    let text = prose("remboursement", 100);
    let first = register(&scene, &one, "Retours", &text);
    index(&scene, vec![item(&scene, &first)]);
    let batches = scene.embedder.batch_count();
    assert!(batches > 0);
    let second = register(&scene, &other, "Retours", &text);
    assert_eq!(index(&scene, vec![item(&scene, &second)]), [(second, true)]);
    assert_eq!(scene.embedder.batch_count(), batches, "everything was remembered");
}

#[test]
fn a_killed_process_finds_what_it_had_embedded() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 600));
    let mut whole = 0;
    index(&scene, vec![item(&scene, &register(&scene, &base, "Autre", &prose("rien", 600)))]);
    whole += scene.embedder.batch_count();
    scene.embedder = WordEmbedder::new(64).losing_its_model_after(whole - 2);
    index(&scene, vec![item(&scene, &book)]);
    assert_ne!(scene.documents(&base)[1].status, DocumentStatus::Ready);

    scene.store = scene.store.restart().unwrap();
    scene.embedder = WordEmbedder::new(64);
    assert_eq!(index(&scene, vec![item(&scene, &book)]), [(book, true)]);
    assert!(scene.embedder.batch_count() <= 3, "{}", scene.embedder.batch_count());
}

#[test]
fn the_cache_keeps_to_its_size() {
    let scene = Scene::new();
    scene.store.set_setting(CACHE_SETTING, "20000").unwrap();
    let base = scene.knowledge_base("Aide");
    let book = register(&scene, &base, "Livre", &prose("tout", 600));
    let outcome = indexer(&scene).index_document(
        scene.project_id(),
        &book,
        &Cancellation::new(),
        &mut |_| {},
    );
    assert!(matches!(outcome, Ok(IndexOutcome::Ready(_))));
    let bytes = scene.store.cached_bytes().unwrap();
    assert!((1..=20_000).contains(&bytes), "{bytes}");
}

#[test]
fn no_text_is_in_no_vector() {
    // A window of few words, so that even windows are too long for the model.
    let scene = Scene::with_embedder(WordEmbedder::new(64).with_window(20));
    let base = scene.knowledge_base("Aide");
    let row = "Référence A 1 B 2 C 3 D 4 E 5 F 6 G 7 H 8 I 9 J 10 K 11 L 12 M 13 N 14 O 15.\n\n";
    let text = format!("{}Le mot rare est quetzalcoatl.", row.repeat(12));
    let id = register(&scene, &base, "Tarif", &text);
    assert_eq!(index(&scene, vec![item(&scene, &id)]), [(id.clone(), true)]);
    let chunks = scene.store.chunks(scene.project_id(), &id).unwrap();
    assert!(chunks.iter().all(|chunk| chunk.tokens_outside_window == 0));
    assert!(scene.documents(&base)[0].warnings.is_empty());
}

#[test]
fn a_chunk_without_a_place_to_cut_says_what_is_outside() {
    let scene = Scene::with_embedder(WordEmbedder::new(64).with_window(2));
    let base = scene.knowledge_base_with("Aide", ChunkingSettings { size: 100, overlap: 0 });
    let id = register(&scene, &base, "KB-1", "Un deux trois quatre.");
    assert_eq!(index(&scene, vec![item(&scene, &id)]), [(id.clone(), true)]);
    let chunks = scene.store.chunks(scene.project_id(), &id).unwrap();
    assert_eq!(chunks[0].tokens_outside_window, 2);
}

#[test]
fn several_jobs_share_the_model() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let jobs: Vec<Vec<LineDocument>> = (0..3)
        .map(|job| {
            let text = |number| prose(&format!("{job} et {number}"), 40);
            (0..4)
                .map(|number| item(&scene, &register(&scene, &base, "Note", &text(number))))
                .collect()
        })
        .collect();
    std::thread::scope(|scope| {
        for job in jobs {
            let scene = &scene;
            scope.spawn(move || assert!(index(scene, job).iter().all(|(_, is_ready)| *is_ready)));
        }
    });
    assert_eq!(scene.documents(&base).len(), 12);
}
