//! What the stories of searching share.

#![allow(dead_code, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use ancre_domain::{Cancellation, DocumentId, ErrorCode, Explain, KnowledgeBase};
use ancre_knowledge::IndexingLine;
use ancre_knowledge::ingestion::{DEFAULT_BATCH_SIZE, Indexer, NewText, register_text};
use ancre_knowledge::search::{OneEmbedder, SearchOutcome, SearchRequest, search};
use ancre_testkit::Scene;

/// A line belongs to one model of one store, so each indexer of a story has its own.
fn line() -> &'static IndexingLine {
    Box::leak(Box::default())
}

/// Adds a text to a base and indexes it.
pub fn add(scene: &Scene, base: &KnowledgeBase, title: &str, text: &str) -> DocumentId {
    let text = NewText::pasted(title, text);
    let added =
        register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text).unwrap();
    let indexer = Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line: line(),
        clock: &scene.clock,
        batch_size: DEFAULT_BATCH_SIZE,
    };
    let (project, cancellation) = (scene.project_id(), Cancellation::new());
    indexer.index_document(project, &added.document.id, &cancellation, &mut |_| {}).unwrap();
    added.document.id
}

/// What a search with the scene's embedder finds.
pub fn find(scene: &Scene, request: &SearchRequest) -> SearchOutcome {
    let embedder = OneEmbedder(&scene.embedder);
    search(&*scene.store, Some(&embedder), scene.project_id(), request).unwrap()
}

/// The titles of what is found, best first.
pub fn titles(scene: &Scene, request: &SearchRequest) -> Vec<String> {
    find(scene, request).hits.into_iter().map(|hit| hit.document_title).collect()
}

/// Why a search is refused.
pub fn refusal(scene: &Scene, request: &SearchRequest) -> ErrorCode {
    let embedder = OneEmbedder(&scene.embedder);
    let found = search(&*scene.store, Some(&embedder), scene.project_id(), request);
    found.unwrap_err().code()
}
