//! Stories of ingestion: what a base holds after files and texts went in, whatever went wrong.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ancre_domain::{
    Cancellation, ChunkingSettings, Clock, DocumentStatus, ErrorCode, Explain, KnowledgeBase,
    Warning,
};
use ancre_extract::{Libraries, Reader};
use ancre_knowledge::IndexingLine;
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::ingestion::{
    AddedSource, DEFAULT_BATCH_SIZE, FileResult, IndexOutcome, Indexer, IngestEvent, IngestReport,
    NewText, Reading, ingest_files, register_text,
};
use ancre_store::traits::{DocumentStore, KnowledgeBaseStore, SourceStore};
use ancre_testkit::{Scene, WordEmbedder};
use tempfile::TempDir;

/// A line belongs to one model of one store, so each indexer of a story has its own.
fn line() -> &'static IndexingLine {
    Box::leak(Box::default())
}

const SMALL: ChunkingSettings = ChunkingSettings { size: 100, overlap: 20 };

fn indexer(scene: &Scene) -> Indexer<'_> {
    Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line: line(),
        clock: &scene.clock,
        batch_size: DEFAULT_BATCH_SIZE,
    }
}

/// One that embeds a passage at a time.
fn slow_indexer(scene: &Scene) -> Indexer<'_> {
    Indexer { batch_size: 1, ..indexer(scene) }
}

fn register(
    scene: &Scene,
    base: &KnowledgeBase,
    text: &str,
) -> Result<AddedSource, KnowledgeError> {
    let text = NewText::pasted("Titre", text);
    register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text)
}

fn index(scene: &Scene, added: &AddedSource) -> IndexOutcome {
    indexer(scene)
        .index_document(scene.project_id(), &added.document.id, &Cancellation::new(), &mut |_| {})
        .unwrap()
}

fn ingest(scene: &Scene, base: &KnowledgeBase, paths: &[PathBuf]) -> IngestReport {
    let cancellation = Cancellation::new();
    let reader = Reader::in_process(Libraries::default());
    let reading = Reading::with(&reader);
    let project = scene.project_id();
    ingest_files(&indexer(scene), reading, project, &base.id, paths, &cancellation, &|_| {})
        .unwrap()
}

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn long_text(sentences: usize) -> String {
    (0..sentences).map(|number| format!("La phrase numéro {number} est ici. ")).collect()
}

#[test]
fn a_text_becomes_chunks_that_are_slices_with_headings() {
    let scene = Scene::new();
    let base = scene.knowledge_base_with("Aide", SMALL);
    let folder = folder_with(&[(
        "aide.md",
        &format!("# Remboursements\n\n{}\n\n## Délais\n\n{}", long_text(6), long_text(3)),
    )]);
    let report = ingest(&scene, &base, &[folder.path().to_owned()]);
    assert!(report.is_complete());

    let document = &scene.documents(&base)[0];
    assert_eq!(
        (document.status, document.title.as_str()),
        (DocumentStatus::Ready, "Remboursements")
    );
    let text = scene.store.source_text(scene.project_id(), &document.source_id).unwrap();
    let chunks = scene.store.chunks(scene.project_id(), &document.id).unwrap();
    assert!(chunks.len() > 3 && document.chunk_count as usize == chunks.len());
    for chunk in &chunks {
        assert_eq!(chunk.range.slice(&text), Some(chunk.content.as_str()));
        assert_eq!(chunk.token_count, chunk.range.char_count().div_ceil(4));
    }
    assert_eq!(chunks[0].heading.as_deref(), Some("Remboursements"));
    assert_eq!(chunks.last().unwrap().heading.as_deref(), Some("Remboursements › Délais"));
}

#[test]
fn the_same_text_is_already_here_the_second_time() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let first = register(&scene, &base, "Bonjour. Voilà.").unwrap();
    assert!(!first.was_there);
    assert!(matches!(index(&scene, &first), IndexOutcome::Ready(_)));
    let second = register(&scene, &base, "Bonjour. Voilà.").unwrap();
    assert!(second.was_there && second.document.id == first.document.id);
    assert!(matches!(index(&scene, &second), IndexOutcome::WasReady));
    assert_eq!(scene.embedder.batch_count(), 1, "nothing was embedded again");
}

#[test]
fn one_source_serves_two_bases() {
    let scene = Scene::new();
    let (one, other) = (scene.knowledge_base("Un"), scene.knowledge_base("Deux"));
    let first = register(&scene, &one, "Bonjour.").unwrap();
    let second = register(&scene, &other, "Bonjour.").unwrap();
    assert_eq!(first.document.source_id, second.document.source_id);
    assert!(!second.was_there && first.document.id != second.document.id);
}

#[test]
fn a_blank_text_is_refused_and_leaves_nothing() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let error = register(&scene, &base, " \n\u{a0}").unwrap_err();
    assert_eq!(error.code(), ErrorCode::Empty);
    assert!(error.hint().is_some());
    assert!(scene.documents(&base).is_empty());
}

#[test]
fn progress_is_told_between_batches() {
    // Slow, because of batches that follow one another at once only the last is told.
    let embedder = WordEmbedder::new(64).pausing(Duration::from_millis(3));
    let scene = Scene::with_embedder(embedder);
    let base = scene.knowledge_base_with("Aide", SMALL);
    let added = register(&scene, &base, &long_text(120)).unwrap();
    let mut heard = Vec::new();
    indexer(&scene)
        .index_document(scene.project_id(), &added.document.id, &Cancellation::new(), &mut |at| {
            heard.push((at.chunks_done, at.chunks_total));
        })
        .unwrap();
    let total = heard[0].1;
    assert!(total > 32, "{total}");
    assert_eq!(heard.first(), Some(&(0, total)));
    assert_eq!(heard.last(), Some(&(total, total)));
    assert!(heard.len() > 2 && heard.is_sorted(), "{heard:?}");
    assert!(heard.iter().all(|(done, _)| done % 16 == 0 || *done == total), "{heard:?}");
}

#[test]
fn a_document_that_fails_keeps_its_reason_and_nothing_else() {
    let scene = Scene::with_embedder(WordEmbedder::new(16).refusing("numéro 60"));
    let base = scene.knowledge_base_with("Aide", SMALL);
    let added = register(&scene, &base, &long_text(120)).unwrap();
    assert!(matches!(index(&scene, &added), IndexOutcome::Failed(_)));

    let document = scene.store.document(scene.project_id(), &added.document.id).unwrap();
    assert_eq!(document.status, DocumentStatus::Error);
    let failure = document.failure.unwrap();
    assert_eq!(failure.code, ErrorCode::ModelFailed);
    assert!(failure.message.contains("told to refuse"), "{}", failure.message);
    assert!(scene.store.chunks(scene.project_id(), &document.id).unwrap().is_empty());
    let vector = vec![1.0; 16];
    let nearest = scene.store.nearest(scene.project_id(), &base.id, &vector, 9, None).unwrap();
    assert!(nearest.is_empty());
}

#[test]
fn a_document_in_error_is_indexed_again_when_its_file_comes_again() {
    let mut scene = Scene::with_embedder(WordEmbedder::new(16).refusing("Bonjour"));
    let base = scene.knowledge_base("Aide");
    let folder = folder_with(&[("a.txt", "Bonjour à tous.")]);
    let paths = [folder.path().join("a.txt")];
    assert!(matches!(ingest(&scene, &base, &paths).files[0].result, FileResult::Failed(_)));

    scene.embedder = WordEmbedder::new(16);
    assert_eq!(ingest(&scene, &base, &paths).files[0].result, FileResult::Indexed);
    assert_eq!(ingest(&scene, &base, &paths).files[0].result, FileResult::AlreadyHere);
    assert_eq!(scene.documents(&base).len(), 1);
}

#[test]
fn a_cancelled_document_waits_whole_in_the_queue() {
    let cancellation = Cancellation::new();
    let embedder = WordEmbedder::new(16).cancelling_after(2, cancellation.clone());
    let scene = Scene::with_embedder(embedder);
    let base = scene.knowledge_base_with("Aide", SMALL);
    let added = register(&scene, &base, &long_text(120)).unwrap();
    let outcome = indexer(&scene)
        .index_document(scene.project_id(), &added.document.id, &cancellation, &mut |_| {})
        .unwrap();
    assert!(matches!(outcome, IndexOutcome::Cancelled));
    let document = scene.store.document(scene.project_id(), &added.document.id).unwrap();
    assert_eq!((document.status, document.chunk_count), (DocumentStatus::Queued, 0));
    assert!(scene.store.chunks(scene.project_id(), &document.id).unwrap().is_empty());
    assert_eq!(scene.embedder.batch_count(), 2, "it stopped between batches");
}

#[test]
fn a_base_of_another_model_is_refused_before_anything_is_done() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let added = register(&scene, &base, "Bonjour.").unwrap();
    for embedder in [WordEmbedder::new(64).named("another"), WordEmbedder::new(32)] {
        scene.embedder = embedder;
        let cancellation = Cancellation::new();
        let error = indexer(&scene)
            .index_document(scene.project_id(), &added.document.id, &cancellation, &mut |_| {})
            .unwrap_err();
        assert_eq!(error.code(), ErrorCode::ModelMismatch);
        let files = [PathBuf::from("missing.md")];
        let project = scene.project_id();
        let reader = Reader::in_process(Libraries::default());
        let refused = ingest_files(
            &indexer(&scene),
            Reading::with(&reader),
            project,
            &base.id,
            &files,
            &cancellation,
            &|_| {},
        );
        assert_eq!(refused.unwrap_err().code(), ErrorCode::ModelMismatch);
    }
    assert_eq!(scene.documents(&base)[0].status, DocumentStatus::Queued);
}

#[test]
fn every_file_of_a_folder_has_its_own_outcome() {
    let scene = Scene::with_embedder(WordEmbedder::new(16).refusing("poison"));
    let base = scene.knowledge_base("Aide");
    let folder = folder_with(&[
        ("a.md", "# Bonjour\n\nVoilà."),
        ("b.txt", "Autre texte."),
        ("copy.md", "# Bonjour\n\nVoilà."),
        ("d.txt", "Du poison."),
        ("empty.txt", " \n"),
        ("image.png", "not really"),
        ("really.txt", "GIF89a…"),
        ("~$b.txt", "lock"),
    ]);
    let missing = folder.path().join("missing.md");
    let events = RefCell::new(Vec::new());
    let paths = [folder.path().to_owned(), missing];
    let reader = Reader::in_process(Libraries::default());
    let report = ingest_files(
        &indexer(&scene),
        Reading::with(&reader),
        scene.project_id(),
        &base.id,
        &paths,
        &Cancellation::new(),
        &|event| events.borrow_mut().push(event),
    )
    .unwrap();

    let words: Vec<(String, String)> = report
        .files
        .iter()
        .map(|file| {
            let word = match &file.result {
                FileResult::Failed(failure) => failure.code.as_str().to_owned(),
                other => format!("{other:?}"),
            };
            (file.path.file_name().unwrap().to_string_lossy().into_owned(), word)
        })
        .collect();
    let expected = [
        ("a.md", "Indexed"),
        ("b.txt", "Indexed"),
        ("copy.md", "AlreadyHere"),
        ("d.txt", "model_failed"),
        ("empty.txt", "empty"),
        ("image.png", "unsupported"),
        ("really.txt", "binary"),
        ("missing.md", "file_not_found"),
        ("~$b.txt", "Skipped(LockFile)"),
    ];
    let words: Vec<(&str, &str)> =
        words.iter().map(|(name, word)| (name.as_str(), word.as_str())).collect();
    assert_eq!(words, expected);
    assert!(report.stopped.is_none() && !report.is_complete());
    assert_eq!(scene.documents(&base).len(), 3, "unread files leave no document");

    let events = events.into_inner();
    assert_eq!(events[0], IngestEvent::FilesFound { total: 8, skipped: 1 });
    assert_eq!(events.last(), Some(&IngestEvent::Finished { report }));
    let count =
        |wanted: fn(&IngestEvent) -> bool| events.iter().filter(|event| wanted(event)).count();
    assert_eq!(count(|event| matches!(event, IngestEvent::FileRegistered { .. })), 4);
    assert_eq!(count(|event| matches!(event, IngestEvent::FileFailed { .. })), 4);
    assert_eq!(count(|event| matches!(event, IngestEvent::DocumentReady { .. })), 2);
    assert_eq!(count(|event| matches!(event, IngestEvent::DocumentFailed { .. })), 1);
}

#[test]
fn a_cancelled_job_keeps_what_is_done_and_queues_the_rest() {
    let cancellation = Cancellation::new();
    let embedder = WordEmbedder::new(16).cancelling_after(1, cancellation.clone());
    let scene = Scene::with_embedder(embedder);
    let base = scene.knowledge_base("Aide");
    let folder = folder_with(&[("a.txt", "Un."), ("b.txt", "Deux."), ("c.txt", "Trois.")]);
    let reader = Reader::in_process(Libraries::default());
    let report = ingest_files(
        &slow_indexer(&scene),
        Reading::with(&reader),
        scene.project_id(),
        &base.id,
        &[folder.path().to_owned()],
        &cancellation,
        &|_| {},
    )
    .unwrap();
    // The first was embedded when the cancelling came; whether it was stored by then is open.
    let of = |result| report.files.iter().filter(|file| file.result == result).count() as u32;
    let (indexed, cancelled) = (of(FileResult::Indexed), of(FileResult::Cancelled));
    assert!(indexed <= 1 && indexed + cancelled == 3, "{:?}", report.files);
    let counts = scene.store.document_counts(scene.project_id(), &base.id).unwrap();
    assert_eq!((counts.ready, counts.queued, counts.indexing), (indexed, cancelled, 0));

    let resumed = indexer(&scene).resume_queued(&Cancellation::new(), &|_| {}).unwrap();
    assert_eq!((resumed.indexed, resumed.waiting), (cancelled, 0));
    let counts = scene.store.document_counts(scene.project_id(), &base.id).unwrap();
    assert_eq!((counts.ready, counts.queued), (3, 0), "what was done is not lost");
}

#[test]
fn what_a_killed_process_was_indexing_is_indexed_at_the_next_start() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let added = register(&scene, &base, "Bonjour.").unwrap();
    scene.store.claim_document(scene.project_id(), &added.document.id).unwrap();

    let Scene { store, embedder, clock, project } = scene;
    let scene = Scene { store: store.restart().unwrap(), embedder, clock, project };
    let report = indexer(&scene).resume_queued(&Cancellation::new(), &|_| {}).unwrap();
    assert_eq!((report.indexed, report.failed, report.waiting), (1, 0, 0));
    assert_eq!(scene.documents(&base)[0].status, DocumentStatus::Ready);
    assert!(scene.clock.now() > scene.documents(&base)[0].created_at);
}

#[test]
fn the_queue_of_a_base_of_another_model_stays() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    register(&scene, &base, "Bonjour.").unwrap();
    scene.embedder = WordEmbedder::new(64).named("another");
    let report = indexer(&scene).resume_queued(&Cancellation::new(), &|_| {}).unwrap();
    assert_eq!((report.indexed, report.failed, report.waiting), (0, 0, 1));
    assert_eq!(scene.documents(&base)[0].status, DocumentStatus::Queued);
}

#[test]
fn chunks_beyond_the_window_say_so() {
    let scene = Scene::with_embedder(WordEmbedder::new(16).with_window(5));
    let base = scene.knowledge_base("Aide");
    let added = register(&scene, &base, "un deux trois quatre cinq six sept").unwrap();
    index(&scene, &added);
    let chunks = scene.store.chunks(scene.project_id(), &added.document.id).unwrap();
    assert_eq!(chunks[0].tokens_outside_window, 3, "the title before it takes one");
    let warnings = [Warning::OutsideWindow { passages: 1, total: 1 }];
    assert_eq!(scene.documents(&base)[0].warnings, warnings);
}

#[test]
fn a_fault_that_would_cost_every_document_stops_the_job_once() {
    let mut scene = Scene::with_embedder(WordEmbedder::new(16).losing_its_model_after(1));
    let base = scene.knowledge_base("Aide");
    let folder = folder_with(&[
        ("a.txt", "Un."),
        ("b.txt", "Deux."),
        ("c.txt", "Trois."),
        ("d.txt", "Quatre."),
    ]);
    let reader = Reader::in_process(Libraries::default());
    let report = ingest_files(
        &slow_indexer(&scene),
        Reading::with(&reader),
        scene.project_id(),
        &base.id,
        &[folder.path().to_owned()],
        &Cancellation::new(),
        &|_| {},
    )
    .unwrap();
    assert_eq!(report.stopped.as_ref().map(|stop| stop.code), Some(ErrorCode::ModelMissing));
    assert_eq!(report.files[0].result, FileResult::Indexed);
    assert!(matches!(report.files[1].result, FileResult::Failed(_)));
    assert_eq!(report.count(|result| *result == FileResult::Waiting), 2);
    let counts = scene.store.document_counts(scene.project_id(), &base.id).unwrap();
    assert_eq!((counts.ready, counts.error, counts.queued), (1, 1, 2));

    scene.embedder = WordEmbedder::new(16);
    let resumed = indexer(&scene).resume_queued(&Cancellation::new(), &|_| {}).unwrap();
    assert_eq!((resumed.indexed, resumed.stopped), (2, None));
}
