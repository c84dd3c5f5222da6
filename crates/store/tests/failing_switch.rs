//! What becomes of a base when the change to its new index fails half-way, as on a full disk.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test")]

use ancre_domain::{
    CharRange, Chunk, ChunkId, ChunkingSettings, DocumentId, GenerationState, KnowledgeBaseId,
    ProjectId, SourceKind, Timestamp,
};
use ancre_store::traits::{
    DocumentStore, GenerationStore, IndexedChunk, KnowledgeBaseStore, LexicalText, NewGeneration,
    NewKnowledgeBase, NewSource, SourceStore,
};
use ancre_store::{SqliteStore, StoreError};

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn cut(document: &DocumentId, vector: Vec<f32>) -> (Vec<Chunk>, Vec<IndexedChunk>) {
    let chunk = Chunk {
        id: ChunkId::generate(at(5)),
        document_id: document.clone(),
        position: 0,
        content: "Bonjour.".to_owned(),
        range: CharRange { start: 0, end: 8 },
        page: None,
        page_kind: None,
        page_label: None,
        heading: None,
        token_count: 2,
        tokens_outside_window: 0,
    };
    let indexed = IndexedChunk {
        chunk_id: chunk.id.clone(),
        windows: vec![vector],
        lexical: LexicalText { body: "bonjour".to_owned(), ..LexicalText::default() },
        language: None,
        tokens_outside_window: 0,
    };
    (vec![chunk], vec![indexed])
}

/// A base with one ready document and a whole generation of another dimension beside it.
fn base_about_to_switch(store: &SqliteStore) -> (ProjectId, KnowledgeBaseId) {
    let project = store.default_project(at(1)).unwrap().id;
    let base = NewKnowledgeBase {
        project_id: project.clone(),
        name: "Aide".to_owned(),
        description: String::new(),
        embedding_model_id: "old".to_owned(),
        embedding_version: Some("1".to_owned()),
        embedding_dim: 2,
        chunking: ChunkingSettings::default(),
    };
    let kb = store.create_knowledge_base(&base, at(1)).unwrap().id;
    let source = NewSource {
        project_id: project.clone(),
        kind: SourceKind::Inline,
        uri: None,
        title: "Bonjour".to_owned(),
        mime: "text/plain".to_owned(),
        sha256: "0".repeat(64),
        bytes: None,
        text: "Bonjour.".to_owned(),
        outline: Vec::new(),
        pagination: None,
        warnings: Vec::new(),
        language: None,
    };
    let source = store.store_source(&source, at(2)).unwrap().source.id;
    let document = store.attach_source(&project, &kb, &source, at(3)).unwrap().0.id;
    store.claim_document(&project, &document).unwrap();
    let (chunks, indexed) = cut(&document, vec![1.0, 0.0]);
    store.store_chunks(&document, &chunks).unwrap();
    store.finish_document(&document, &indexed, at(4)).unwrap();

    let new = NewGeneration {
        embedding_model_id: "new".to_owned(),
        embedding_version: Some("1".to_owned()),
        embedding_dim: 3,
        chunking: ChunkingSettings::default(),
    };
    let number = store.begin_generation(&project, &kb, &new, at(5)).unwrap().number;
    let (chunks, indexed) = cut(&document, vec![0.0, 1.0, 0.0]);
    store.add_to_generation(&project, &document, number, &chunks, &indexed, at(6)).unwrap();
    (project, kb)
}

#[test]
fn a_switch_that_fails_leaves_the_old_index_serving() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let (project, kb) = base_about_to_switch(&store);
    // The last of the switch's writes fails, after the others were made.
    let database = rusqlite::Connection::open(folder.path().join("ancre.db")).unwrap();
    database
        .execute_batch(
            "CREATE TRIGGER full_disk BEFORE UPDATE OF generation ON knowledge_bases
             BEGIN SELECT RAISE(ABORT, 'no space'); END",
        )
        .unwrap();
    let refused = store.switch_generation(&project, &kb, at(7));
    assert!(matches!(refused, Err(StoreError::Failed { .. })), "{refused:?}");

    let base = store.knowledge_base(&project, &kb).unwrap();
    assert_eq!((base.embedding_model_id.as_str(), base.embedding_dim), ("old", 2));
    assert_eq!(store.nearest(&project, &kb, &[1.0, 0.0], 1, None).unwrap().len(), 1);
    let states: Vec<_> =
        store.generations(&project, &kb).unwrap().into_iter().map(|it| it.state).collect();
    assert_eq!(states, [GenerationState::Serving, GenerationState::Building]);

    database.execute_batch("DROP TRIGGER full_disk").unwrap();
    drop(store);
    let store = SqliteStore::open(folder.path()).unwrap();
    store.switch_generation(&project, &kb, at(8)).unwrap();
    assert_eq!(store.nearest(&project, &kb, &[0.0, 1.0, 0.0], 1, None).unwrap().len(), 1);
}
