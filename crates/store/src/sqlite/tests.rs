//! What only this implementation can show: full disks, lost tables, panics, the pool.

mod broken_tables;
mod index;

use std::sync::atomic::{AtomicUsize, Ordering};

use ancre_domain::{
    CharRange, Chunk, ChunkId, ChunkingSettings, Document, DocumentFailure, DocumentStatus,
    ErrorCode, Explain, KnowledgeBase, Language, ProjectId, SourceKind, Timestamp,
};
use proptest::prelude::*;

use super::*;
use crate::traits::{
    DocumentStore, IndexedChunk, KnowledgeBaseStore, LexicalText, NewKnowledgeBase, NewSource,
    SettingsStore, SourceStore,
};

mod grown_bases;

const NOW: Timestamp = Timestamp::from_millis(1_000);

/// A store in a temporary folder, with one base for vectors of three numbers.
struct Ground {
    folder: tempfile::TempDir,
    store: SqliteStore,
    project: ProjectId,
    kb: KnowledgeBase,
}

impl Ground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path()).unwrap();
        let project = store.default_project(NOW).unwrap().id;
        let new = NewKnowledgeBase {
            project_id: project.clone(),
            name: "FAQ".to_owned(),
            description: String::new(),
            embedding_model_id: "axes".to_owned(),
            embedding_version: None,
            embedding_dim: 3,
            chunking: ChunkingSettings::default(),
        };
        let kb = store.create_knowledge_base(&new, NOW).unwrap();
        Self { folder, store, project, kb }
    }

    fn store_source(&self, number: u32, text: &str) -> Result<ancre_domain::Source, StoreError> {
        let new = NewSource {
            project_id: self.project.clone(),
            kind: SourceKind::Inline,
            uri: None,
            title: "Délais".to_owned(),
            mime: "text/plain".to_owned(),
            sha256: format!("{number:064x}"),
            bytes: None,
            text: text.to_owned(),
            outline: Vec::new(),
            pagination: None,
            warnings: Vec::new(),
            language: Some(Language::Fr),
        };
        self.store.store_source(&new, NOW).map(|stored| stored.source)
    }

    fn ready(&self, number: u32, vectors: &[[f32; 3]]) -> Document {
        self.ready_by(number, vectors, 1)
    }

    /// Of three windows to a passage.
    fn ready_with_windows(&self, number: u32, vectors: &[[f32; 3]]) -> Document {
        self.ready_by(number, vectors, 3)
    }

    fn ready_by(&self, number: u32, vectors: &[[f32; 3]], windows: usize) -> Document {
        let source = self.store_source(number, "texte").unwrap();
        let attached = self.store.attach_source(&self.project, &self.kb.id, &source.id, NOW);
        let document = attached.unwrap().0;
        self.store.claim_document(&self.project, &document.id).unwrap();
        let chunks: Vec<Chunk> =
            (0..vectors.len() / windows).map(|at| chunk(&document, at)).collect();
        self.store.store_chunks(&document.id, &chunks).unwrap();
        let indexed: Vec<IndexedChunk> = chunks
            .iter()
            .zip(vectors.chunks(windows))
            .map(|(chunk, windows)| indexed(chunk, windows))
            .collect();
        self.store.finish_document(&document.id, &indexed, NOW).unwrap()
    }
}

fn chunk(document: &Document, at: usize) -> Chunk {
    Chunk {
        id: ChunkId::generate(NOW),
        document_id: document.id.clone(),
        position: rows::length(at),
        content: "texte".to_owned(),
        range: CharRange { start: 0, end: 5 },
        page: None,
        page_kind: None,
        page_label: None,
        heading: None,
        token_count: 1,
        tokens_outside_window: 0,
    }
}

fn indexed(chunk: &Chunk, windows: &[[f32; 3]]) -> IndexedChunk {
    IndexedChunk {
        chunk_id: chunk.id.clone(),
        windows: windows.iter().map(|vector| vector.to_vec()).collect(),
        lexical: words(),
        language: None,
        tokens_outside_window: 0,
    }
}

fn words() -> LexicalText {
    words_of("texte")
}

fn words_of(body: &str) -> LexicalText {
    LexicalText { body: body.to_owned(), ..LexicalText::default() }
}

#[test]
fn a_full_disk_is_said_and_takes_nothing_away() {
    let ground = Ground::new();
    let kept = ground.ready(1, &[[1.0, 0.0, 0.0]]);
    let writer = connections::lock(&ground.store.writer);
    let pages: i64 = writer.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    writer.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).unwrap();
    drop(writer);

    let full = ground.store_source(2, &"long ".repeat(100_000));
    assert!(matches!(full, Err(StoreError::DiskFull)), "{full:?}");
    let document = ground.store.document(&ground.project, &kept.id).unwrap();
    assert_eq!(document.status, DocumentStatus::Ready);
    let found = ground.store.nearest(&ground.project, &ground.kb.id, &[1.0, 0.0, 0.0], 6, None);
    assert_eq!(found.unwrap().len(), 1);

    let writer = connections::lock(&ground.store.writer);
    writer.query_row("PRAGMA max_page_count = 1000000", [], |_| Ok(())).unwrap();
    drop(writer);
    ground.store_source(2, &"long ".repeat(100_000)).expect("there is room again");
}

#[test]
fn a_base_that_lost_its_vectors_says_so() {
    let ground = Ground::new();
    let document = ground.ready(1, &[[1.0, 0.0, 0.0]]);
    let table = format!("vec_kb_{}", ground.kb.id);
    connections::lock(&ground.store.writer).execute_batch(&format!("DROP TABLE {table}")).unwrap();

    let found = ground.store.nearest(&ground.project, &ground.kb.id, &[1.0, 0.0, 0.0], 6, None);
    assert_eq!(found.unwrap_err().code(), ErrorCode::IndexMissing);
    ground.store.delete_document(&ground.project, &document.id).expect("what is left can go");
    ground.store.delete_knowledge_base(&ground.project, &ground.kb.id, NOW).expect("and its base");
}

#[test]
fn deleted_documents_and_bases_leave_no_vectors() {
    let ground = Ground::new();
    let document = ground.ready(1, &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    ground.ready(2, &[[0.0, 0.0, 1.0]]);
    let table = format!("vec_kb_{}", ground.kb.id);
    let count = |sql: &str| -> i64 {
        connections::lock(&ground.store.writer).query_row(sql, [], |row| row.get(0)).unwrap()
    };
    ground.store.delete_document(&ground.project, &document.id).unwrap();
    assert_eq!(count(&format!("SELECT count(*) FROM {table}")), 1);

    ground.store.delete_knowledge_base(&ground.project, &ground.kb.id, NOW).unwrap();
    let left = "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'vec\\_kb\\_%' ESCAPE '\\'";
    assert_eq!(count(left), 0, "vec0's own tables go with it");
    assert_eq!(count("SELECT count(*) FROM document_chunks"), 0);
}

#[test]
fn a_panic_of_one_user_does_not_stop_the_next() {
    let ground = Ground::new();
    let write = std::panic::AssertUnwindSafe(|| {
        ground.store.write(|transaction| -> Result<(), Trouble> {
            transaction.execute("INSERT INTO settings VALUES ('half', 'done')", [])?;
            panic!("in the middle");
        })
    });
    assert!(std::panic::catch_unwind(write).is_err());
    for _ in 0..=connections::READERS {
        let read = std::panic::AssertUnwindSafe(|| {
            ground.store.read(|_| -> Result<(), Trouble> { panic!("in the middle") })
        });
        assert!(std::panic::catch_unwind(read).is_err());
    }
    assert_eq!(ground.store.setting("half").unwrap(), None);
    ground.store.set_setting("whole", "done").unwrap();
    assert_eq!(ground.store.setting("whole").unwrap().as_deref(), Some("done"));
}

#[test]
fn no_more_readers_than_the_pool_has_work_at_once() {
    let ground = Ground::new();
    let (reading, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 * connections::READERS {
            scope.spawn(|| {
                ground
                    .store
                    .read(|_| {
                        most.fetch_max(
                            reading.fetch_add(1, Ordering::SeqCst) + 1,
                            Ordering::SeqCst,
                        );
                        std::thread::sleep(std::time::Duration::from_millis(5));
                        reading.fetch_sub(1, Ordering::SeqCst);
                        Ok(())
                    })
                    .unwrap();
            });
        }
    });
    let most = most.into_inner();
    assert!((2..=connections::READERS).contains(&most), "{most} read at once");
}

#[test]
fn readers_and_writers_share_the_log() {
    let ground = Ground::new();
    let mode = |connection: &Connection| -> String {
        connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap()
    };
    assert_eq!(mode(&connections::lock(&ground.store.writer)), "wal");
    assert_eq!(ground.store.read(|transaction| Ok(mode(transaction))).unwrap(), "wal");
}

#[test]
fn lists_are_read_from_an_index_in_their_order() {
    let ground = Ground::new();
    let plan = |sql: &str| -> String {
        let writer = connections::lock(&ground.store.writer);
        let mut statement = writer.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map([], |row| row.get::<_, String>("detail")).unwrap();
        steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
    };
    for sql in [
        "SELECT * FROM documents WHERE kb_id = 'k' ORDER BY created_at DESC, rowid DESC",
        "SELECT * FROM documents WHERE kb_id = 'k' AND status = 's'
         ORDER BY created_at DESC, rowid DESC",
        "SELECT id FROM documents WHERE status = 'queued' ORDER BY created_at, rowid",
        "SELECT id FROM documents WHERE claimed_by IS NOT NULL ORDER BY created_at, rowid",
        "SELECT * FROM document_chunks WHERE document_id = 'd' AND generation = 1
         ORDER BY position",
        "SELECT * FROM tickets WHERE project_id = 'p' ORDER BY updated_at DESC, rowid DESC",
        "SELECT * FROM messages WHERE ticket_id = 't' ORDER BY created_at, rowid",
        "SELECT * FROM runs WHERE ticket_id = 't' ORDER BY created_at DESC, rowid DESC",
        "SELECT * FROM agents WHERE project_id = 'p' ORDER BY name_key",
        "SELECT * FROM ticket_sources WHERE message_id = 'm' ORDER BY position",
    ] {
        let plan = plan(sql);
        assert!(plan.contains("USING INDEX") && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
    }
}

#[test]
fn readers_cannot_write() {
    let ground = Ground::new();
    let written = ground
        .store
        .read(|transaction| Ok(transaction.execute("INSERT INTO settings VALUES ('a', 'b')", [])?));
    assert_eq!(written.unwrap_err().code(), ErrorCode::DataReadOnly);
}

/// Unit vectors along the axes: their distances are 0, √2 and 2 exactly, and many are equal.
fn axis() -> impl Strategy<Value = [f32; 3]> {
    (0..3_usize, prop::bool::ANY).prop_map(|(axis, is_positive)| {
        let mut vector = [0.0; 3];
        vector[axis] = if is_positive { 1.0 } else { -1.0 };
        vector
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_search_finds_chunks_by_all_their_windows(
        chunks in prop::collection::vec(prop::collection::vec(axis(), 1..5), 0..12),
        question in axis(),
        k in 0..14_u32,
    ) {
        let ground = Ground::new();
        let document = ground.ready(1, &[]);
        let (stored, indexed): (Vec<Chunk>, Vec<IndexedChunk>) = chunks
            .iter()
            .enumerate()
            .map(|(at, windows)| {
                let chunk = chunk(&document, at);
                let indexed = indexed(&chunk, windows);
                (chunk, indexed)
            })
            .unzip();
        let failure = DocumentFailure { code: ErrorCode::Internal, message: String::new() };
        ground.store.fail_document(&document.id, &failure).unwrap();
        ground.store.claim_document(&ground.project, &document.id).unwrap();
        ground.store.store_chunks(&document.id, &stored).unwrap();
        ground.store.finish_document(&document.id, &indexed, NOW).unwrap();

        let distance = |window: &[f32; 3]| -> f64 {
            1.0 - f64::from(question.iter().zip(window).map(|(a, b)| a * b).sum::<f32>())
        };
        let mut expected: Vec<f64> = chunks
            .iter()
            .map(|windows| {
                let distances: Vec<f64> = windows.iter().map(distance).collect();
                let best = distances.iter().copied().fold(f64::INFINITY, f64::min);
                let count = f64::from(rows::length(distances.len()));
                f64::midpoint(best, distances.iter().sum::<f64>() / count)
            })
            .collect();
        let of_each: Vec<(ChunkId, f64)> =
            stored.iter().map(|chunk| chunk.id.clone()).zip(expected.iter().copied()).collect();
        expected.sort_by(f64::total_cmp);
        expected.truncate(k as usize);
        let found =
            ground.store.nearest(&ground.project, &ground.kb.id, &question, k, None).unwrap();
        prop_assert_eq!(found.len(), expected.len());
        let mut seen = std::collections::HashSet::new();
        for (hit, expected) in found.iter().zip(expected) {
            let (_, own) = of_each.iter().find(|(id, _)| *id == hit.chunk.id).unwrap();
            prop_assert!((hit.distance - expected).abs() < 1e-6);
            prop_assert!((hit.distance - own).abs() < 1e-6);
            prop_assert!(seen.insert(&hit.chunk.id));
        }
    }

    #[test]
    fn a_search_finds_what_comparing_everything_finds(
        documents in prop::collection::vec(prop::collection::vec(axis(), 0..6), 0..5),
        question in axis(),
        k in 0..30_u32,
    ) {
        let ground = Ground::new();
        let mut expected = Vec::new();
        for (number, vectors) in (0..).zip(&documents) {
            let document = ground.ready(number, vectors);
            let chunks = ground.store.chunks(&ground.project, &document.id).unwrap();
            for (chunk, vector) in chunks.into_iter().zip(vectors) {
                let cosine: f32 = question.iter().zip(vector).map(|(a, b)| a * b).sum();
                expected.push((1.0 - f64::from(cosine), chunk.id));
            }
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        expected.truncate(k as usize);
        let found =
            ground.store.nearest(&ground.project, &ground.kb.id, &question, k, None).unwrap();
        let distances_fit = found
            .iter()
            .zip(&expected)
            .all(|(hit, (distance, _))| (hit.distance - distance).abs() < 1e-6);
        prop_assert!(distances_fit, "cosine distances: {found:?}");
        let found: Vec<_> = found.into_iter().map(|hit| hit.chunk.id).collect();
        let expected: Vec<_> = expected.into_iter().map(|(_, id)| id).collect();
        prop_assert_eq!(found, expected);
    }
}
