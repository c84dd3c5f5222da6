//! What deleting leaves behind on the disk, and giving it back.
#![allow(clippy::expect_used, clippy::panic, reason = "a test")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use ancre_domain::{
    Cancellation, CharRange, Chunk, ChunkId, ChunkingSettings, Document, DocumentFailure,
    ErrorCode, KnowledgeBase, ProjectId, SourceKind, Timestamp,
};
use ancre_store::traits::{
    DocumentStore, IndexedChunk, KnowledgeBaseStore, LexicalText, NewKnowledgeBase, NewSource,
    SourceStore, StorageSize, StorageStore,
};
use ancre_store::{SqliteStore, StoreError};

const NOW: Timestamp = Timestamp::from_millis(1_000);

/// A folder with a base for vectors of `dimension` numbers.
struct Ground {
    folder: tempfile::TempDir,
    store: SqliteStore,
    project: ProjectId,
    kb: KnowledgeBase,
    dimension: u32,
}

impl Ground {
    fn new(dimension: u32) -> Self {
        Self::in_folder(tempfile::tempdir().expect("a temporary folder"), dimension)
    }

    fn in_folder(folder: tempfile::TempDir, dimension: u32) -> Self {
        let store = SqliteStore::open(folder.path()).expect("the folder opens");
        let project = store.default_project(NOW).expect("the project").id;
        let new = NewKnowledgeBase {
            project_id: project.clone(),
            name: "FAQ".to_owned(),
            description: String::new(),
            embedding_model_id: "test".to_owned(),
            embedding_version: None,
            embedding_dim: dimension,
            chunking: ChunkingSettings::default(),
        };
        let kb = store.create_knowledge_base(&new, NOW).expect("a base");
        Self { folder, store, project, kb, dimension }
    }

    fn queued(&self, number: usize, text: &str) -> Document {
        let new = NewSource {
            project_id: self.project.clone(),
            kind: SourceKind::Upload,
            uri: None,
            title: format!("Texte {number}"),
            mime: "text/plain".to_owned(),
            sha256: format!("{number:064x}"),
            bytes: Some(text.as_bytes().to_vec()),
            text: text.to_owned(),
            outline: Vec::new(),
            pagination: None,
            warnings: Vec::new(),
            language: None,
        };
        let source = self.store.store_source(&new, NOW).expect("a source").source;
        let attached = self.store.attach_source(&self.project, &self.kb.id, &source.id, NOW);
        attached.expect("a document").0
    }

    /// A ready document of so many chunks, each with its own direction and words.
    fn ready(&self, number: usize, chunks: usize, text: &str) -> Document {
        let document = self.queued(number, text);
        self.store.claim_document(&self.project, &document.id).expect("it is free");
        let chunks: Vec<Chunk> = (0..chunks).map(|at| chunk(&document, at, text)).collect();
        self.store.store_chunks(&document.id, &chunks).expect("its chunks");
        let indexed: Vec<IndexedChunk> = chunks
            .iter()
            .enumerate()
            .map(|(at, chunk)| IndexedChunk {
                chunk_id: chunk.id.clone(),
                windows: vec![direction(number * 10_000 + at, self.dimension)],
                lexical: LexicalText { body: chunk.content.clone(), ..LexicalText::default() },
                language: None,
                tokens_outside_window: 0,
            })
            .collect();
        self.store.finish_document(&document.id, &indexed, NOW).expect("its vectors")
    }

    fn size(&self) -> StorageSize {
        self.store.storage_size().expect("the size")
    }

    fn compact(&self) -> Result<(), StoreError> {
        self.store.compact(&Cancellation::new())
    }

    fn nearest(&self, seed: usize) -> Vec<(ChunkId, String)> {
        let vector = direction(seed, self.dimension);
        let hits = self.store.nearest(&self.project, &self.kb.id, &vector, 20, None);
        hits.expect("a search")
            .into_iter()
            .map(|hit| (hit.chunk.id, format!("{:.6}", hit.distance)))
            .collect()
    }
}

fn chunk(document: &Document, at: usize, text: &str) -> Chunk {
    let position = u32::try_from(at).expect("a small number");
    Chunk {
        id: ChunkId::generate(NOW),
        document_id: document.id.clone(),
        position,
        content: format!("{at} {text}"),
        range: CharRange { start: 0, end: 5 },
        page: None,
        page_kind: None,
        page_label: None,
        heading: None,
        token_count: 1,
        tokens_outside_window: 0,
    }
}

/// A vector of length 1 that differs from seed to seed.
fn direction(seed: usize, dimension: u32) -> Vec<f32> {
    let mut state = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    let vector: Vec<f32> = (0..dimension).map(|_| next()).collect();
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter().map(|it| it / length).collect()
}

#[test]
fn deleting_here_and_there_leaves_room_that_compacting_gives_back() {
    let ground = Ground::new(64);
    let documents: Vec<Document> =
        (0..12).map(|number| ground.ready(number, 600, "Un passage comme un autre. ")).collect();
    let full = ground.size();
    for (at, document) in documents.iter().enumerate() {
        if at % 3 > 0 {
            ground.store.delete_document(&ground.project, &document.id).expect("it goes");
        }
    }
    let before = ground.nearest(7);
    let left = ground.size();
    assert!(left.reclaimable > left.database / 4, "{left:?}");

    ground.compact().expect("nothing is in the way");
    let after = ground.size();
    assert!(after.database < full.database / 2, "{full:?} became {after:?}");
    assert!(after.reclaimable < after.database / 5, "{after:?}");
    assert_eq!(ground.nearest(7), before, "and searches find what they found");
    let again = ground.ready(99, 10, "Un nouveau.");
    assert_eq!(again.chunk_count, 10, "life goes on");
}

#[test]
fn a_database_from_before_is_rewritten_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A first page is written before anything is said of vacuuming, as earlier versions did.
    rusqlite::Connection::open(folder.path().join("ancre.db"))
        .and_then(|database| database.pragma_update(None, "journal_mode", "WAL"))
        .expect("an empty database");
    let ground = Ground::in_folder(folder, 8);
    let mode = || -> u32 {
        let database = rusqlite::Connection::open(ground.folder.path().join("ancre.db"));
        let mode =
            |it: rusqlite::Connection| it.pragma_query_value(None, "auto_vacuum", |row| row.get(0));
        database.and_then(mode).expect("the mode")
    };
    assert_eq!(mode(), 0);
    let document = ground.ready(1, 1_500, &"long ".repeat(200));
    ground.ready(2, 100, "court");
    ground.store.delete_document(&ground.project, &document.id).expect("it goes");
    let (before, found) = (ground.size(), ground.nearest(7));
    ground.compact().expect("nothing is in the way");
    assert!(ground.size().database < before.database / 2, "{:?}", ground.size());
    assert_eq!((mode(), ground.nearest(7)), (2, found));
}

#[test]
fn compacting_waits_for_work_in_progress() {
    let ground = Ground::new(8);
    let document = ground.ready(1, 1_500, "long");
    let busy = ground.queued(2, "court");
    ground.store.claim_document(&ground.project, &busy.id).expect("it is free");
    ground.store.delete_document(&ground.project, &document.id).expect("it goes");
    let before = ground.size();
    let refused = ground.compact();
    assert!(matches!(refused, Err(StoreError::WorkInProgress)), "{refused:?}");
    assert_eq!(ground.size(), before);
    ground.store.release_document(&busy.id).expect("it is ours");
    ground.compact().expect("now it may");
    assert!(ground.size().reclaimable < before.reclaimable);

    let stopped = Cancellation::new();
    stopped.cancel();
    ground.store.compact(&stopped).expect("stopping is no error");
}

#[test]
fn a_deleted_source_leaves_nothing_to_read_on_the_disk() {
    let ground = Ground::new(8);
    let secret = "Le mot de passe du coffre est hippopotame-sidéral.";
    let document = ground.ready(1, 3, &secret.repeat(300));
    ground.ready(2, 3, "autre chose");
    let is_there = || {
        ["ancre.db", "ancre.db-wal"].iter().any(|name| {
            let bytes = std::fs::read(ground.folder.path().join(name)).unwrap_or_default();
            let word = "passe du coffre".as_bytes();
            bytes.windows(word.len()).any(|window| window == word)
        })
    };
    assert!(is_there(), "the test can see it");
    ground.store.delete_source(&ground.project, &document.source_id).expect("it goes");
    assert!(!is_there(), "neither in the database nor in its log");
}

#[test]
fn single_words_of_what_was_deleted_are_not_on_the_disk_either() {
    let is_there = |ground: &Ground, word: &str| {
        ["ancre.db", "ancre.db-wal"].iter().any(|name| {
            let bytes = std::fs::read(ground.folder.path().join(name)).unwrap_or_default();
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        })
    };
    let ground = Ground::new(8);
    for number in 10..40 {
        ground.ready(number, 20, &"un passage comme un autre ".repeat(60));
    }
    let words = ["zyxhippopotame", "wqvsideral", "kjhfidele", "pqtneuf", "vbgrompu", "trzcoupe"];
    let [deleted, detached, replaced, successor, failed, cut_anew] =
        [0, 1, 2, 3, 4, 5].map(|at| ground.ready(at + 1, 3, words[at]));
    let store = &ground.store;
    let wipe = || store.wipe_deleted(&Cancellation::new()).expect("it comes to its end");
    assert!(words.iter().all(|word| is_there(&ground, word)));
    assert!(!store.has_deleted_words().expect("an answer"));

    // Once for all that went before.
    store.delete_source(&ground.project, &deleted.source_id).expect("it goes");
    store.delete_document(&ground.project, &detached.id).expect("it goes");
    store.delete_source(&ground.project, &detached.source_id).expect("it goes");
    assert!(store.has_deleted_words().expect("an answer"), "it is known what is to be done");
    assert!(wipe());
    assert!(!store.has_deleted_words().expect("an answer"));
    assert!(!is_there(&ground, "zyxhippopotame"), "a deleted source");
    assert!(!is_there(&ground, "wqvsideral"), "a detached one");
    assert!(is_there(&ground, "kjhfidele"), "others stay");

    let (project, source) = (&ground.project, &successor.source_id);
    store.attach_in_place_of(project, &replaced.id, source, NOW).expect("it takes the place");
    wipe();
    assert!(!is_there(&ground, "kjhfidele"), "an old version");
    assert!(is_there(&ground, "pqtneuf"), "the new one is there");

    let broken = DocumentFailure { code: ErrorCode::Corrupt, message: "it broke".to_owned() };
    store.fail_document(&failed.id, &broken).expect("it failed");
    store.delete_source(project, &failed.source_id).expect("its text goes");
    store.fail_document(&cut_anew.id, &broken).expect("it failed");
    store.claim_document(project, &cut_anew.id).expect("it is free");
    store.store_chunks(&cut_anew.id, &[chunk(&cut_anew, 0, "autre")]).expect("cut anew");
    store.release_document(&cut_anew.id).expect("it is ours");
    store.delete_source(project, &cut_anew.source_id).expect("its text goes");
    wipe();
    assert!(!is_there(&ground, "vbgrompu"), "one that failed");
    assert!(!is_there(&ground, "trzcoupe"), "one that was cut anew");

    let stopped = Cancellation::new();
    stopped.cancel();
    store.delete_source(project, &successor.source_id).expect("it goes");
    let has_ended = store.wipe_deleted(&stopped).expect("stopping is no error");
    assert!(!has_ended || !store.has_deleted_words().expect("an answer"));
    wipe();
    assert!(!is_there(&ground, "pqtneuf"), "a later call went on");
    store.delete_knowledge_base(&ground.project, &ground.kb.id, NOW).expect("it goes");
    let text_table = format!("fts_kb_{}", ground.kb.id);
    let database = rusqlite::Connection::open(ground.folder.path().join("ancre.db"));
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = ?1";
    let tables =
        database.and_then(|it| it.query_row(sql, [text_table], |row| row.get::<_, u32>(0)));
    assert_eq!(tables.expect("a count"), 0);
}

const FOLDER: &str = "ANCRE_TEST_FOLDER";

#[test]
#[ignore = "a part of a_disk_that_fills_while_compacting_costs_nothing"]
fn process_that_compacts_on_a_full_disk() {
    let folder = std::env::var(FOLDER).expect("started by the other test");
    let store = SqliteStore::open(Path::new(&folder)).expect("the folder opens");
    let outcome = store.compact(&Cancellation::new());
    println!("refused: {}", outcome.is_err());
}

/// No file may grow beyond what the database has, so neither the log nor a copy finds room.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_while_compacting_costs_nothing() {
    let ground = Ground::new(64);
    let documents: Vec<Document> =
        (0..6).map(|number| ground.ready(number, 900, &"passage ".repeat(20))).collect();
    for document in &documents[1..5] {
        ground.store.delete_document(&ground.project, &document.id).expect("it goes");
    }
    let Ground { folder, store, project, kb, dimension } = ground;
    drop(store);
    let blocks = 64; // of 512 bytes: less than one step of compacting writes
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(std::env::current_exe().expect("this test"))
        .args(["--exact", "process_that_compacts_on_a_full_disk", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .stderr(Stdio::null())
        .output()
        .expect("another process");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("refused: true"), "it met the limit: {said}");

    let store = SqliteStore::open(folder.path()).expect("the folder opens");
    let ground = Ground { folder, store, project, kb, dimension };
    let kept = ground.store.chunks(&ground.project, &documents[0].id).expect("its chunks");
    assert_eq!(kept.len(), 900);
    let found = ground.nearest(0);
    assert_eq!(found[0].0, kept[0].id, "searches find what they found");
    ground.compact().expect("with room, it goes on where it was");
}

/// For `docs/PERFORMANCE.md`: `cargo test -p ancre-store --test space -- --ignored measure --nocapture`.
#[test]
#[ignore = "measures, and asserts nothing"]
fn measure_what_ten_thousand_deleted_chunks_leave() {
    for (name, keep) in [("one document in ten stays", 10), ("every second one stays", 2)] {
        let ground = Ground::new(384);
        let documents: Vec<Document> =
            (0..200).map(|number| ground.ready(number, 100, &"passage ".repeat(250))).collect();
        let full = ground.size();
        let begun = Instant::now();
        for (at, document) in documents.iter().enumerate() {
            if at % keep > 0 {
                ground.store.delete_document(&ground.project, &document.id).expect("it goes");
            }
        }
        let (deleting, left) = (begun.elapsed(), ground.size());
        let begun = Instant::now();
        ground.compact().expect("nothing is in the way");
        println!("{name}: {full:?}");
        println!("  deleted in {deleting:?}: {left:?}");
        println!("  compacted in {:?}: {:?}", begun.elapsed(), ground.size());
    }
}
