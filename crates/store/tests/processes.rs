//! Several stores on one folder: threads, processes, and processes that are killed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ancre_domain::{
    CharRange, Chunk, ChunkId, ChunkingSettings, Document, DocumentId, DocumentStatus,
    KnowledgeBase, ProjectId, SourceKind, Timestamp,
};
use ancre_store::traits::{
    DocumentStore, IndexedChunk, KnowledgeBaseStore, LexicalText, NewKnowledgeBase, NewSource,
    SettingsStore, SourceStore, StorageStore,
};
use ancre_store::{Access, SqliteStore, StoreError};

const NOW: Timestamp = Timestamp::from_millis(1_000);

/// What a process of its own is told by its environment: the folder, and the document to claim.
const FOLDER: &str = "ANCRE_TEST_FOLDER";
const DOCUMENT: &str = "ANCRE_TEST_DOCUMENT";

fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(folder).expect("the folder opens")
}

fn base(store: &SqliteStore, project: &ProjectId, name: &str) -> KnowledgeBase {
    let new = NewKnowledgeBase {
        project_id: project.clone(),
        name: name.to_owned(),
        description: String::new(),
        embedding_model_id: "test".to_owned(),
        embedding_version: None,
        embedding_dim: 2,
        chunking: ChunkingSettings::default(),
    };
    store.create_knowledge_base(&new, NOW).expect("a base")
}

fn queued(store: &SqliteStore, kb: &KnowledgeBase, number: usize) -> Document {
    let new = NewSource {
        project_id: kb.project_id.clone(),
        kind: SourceKind::Inline,
        uri: None,
        title: format!("Texte {number}"),
        mime: "text/plain".to_owned(),
        sha256: format!("{number:064x}"),
        bytes: None,
        text: format!("texte {number}"),
        outline: Vec::new(),
        pagination: None,
        warnings: Vec::new(),
        language: None,
    };
    let source = store.store_source(&new, NOW).expect("a source").source;
    store.attach_source(&kb.project_id, &kb.id, &source.id, NOW).expect("a document").0
}

fn chunk(document: &DocumentId) -> Chunk {
    Chunk {
        id: ChunkId::generate(NOW),
        document_id: document.clone(),
        position: 0,
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

/// Takes a document from the queue to ready.
fn index(store: &SqliteStore, project: &ProjectId, id: &DocumentId) {
    store.claim_document(project, id).expect("it is free");
    let chunk = chunk(id);
    store.store_chunks(id, std::slice::from_ref(&chunk)).expect("its chunk");
    let embedded = IndexedChunk {
        chunk_id: chunk.id,
        windows: vec![vec![1.0, 0.0]],
        lexical: LexicalText::default(),
        language: None,
        tokens_outside_window: 0,
    };
    store.finish_document(id, &[embedded], NOW).expect("its vector");
}

/// Runs one of the ignored tests below as a process of its own.
fn spawn(test: &str, folder: &Path, document: &str) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(DOCUMENT, document)
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .expect("another process")
}

#[test]
#[ignore = "a part of a_killed_process_holds_nothing_up"]
fn process_that_claims_and_waits() {
    let folder = std::env::var(FOLDER).expect("started by the other test");
    let store = open(Path::new(&folder));
    let id: DocumentId = std::env::var(DOCUMENT).expect("a document").parse().expect("an id");
    let project = store.default_project(NOW).expect("the project").id;
    store.claim_document(&project, &id).expect("it is free");
    store.store_chunks(&id, &[chunk(&id)]).expect("half of its work");
    println!("claimed");
    // Until it is killed; or until the other test is gone, so that it never outlives it.
    let _ = std::io::stdin().read_line(&mut String::new());
}

/// Waits until another process says so.
fn wait_for(other: &mut Child, word: &str) {
    let output = BufReader::new(other.stdout.take().expect("its output"));
    let has_said = output.lines().map_while(Result::ok).any(|line| line.contains(word));
    assert!(has_said, "the other process got as far as “{word}”");
}

#[test]
fn a_killed_process_holds_nothing_up() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let store = open(ground.path());
    let project = store.default_project(NOW).expect("the project").id;
    let kb = base(&store, &project, "FAQ");
    let document = queued(&store, &kb, 1);
    drop(store);
    let mut other = spawn("process_that_claims_and_waits", ground.path(), document.id.as_str());
    wait_for(&mut other, "claimed");

    let onlooker = open(ground.path());
    assert!(onlooker.is_read_only(), "the other process writes");
    let claimed = onlooker.document(&project, &document.id).expect("reading goes on");
    assert_eq!(claimed.status, DocumentStatus::Indexing);
    let refused = onlooker.claim_document(&project, &document.id);
    assert!(matches!(refused, Err(StoreError::DataInUse { .. })), "{refused:?}");

    other.kill().expect("it can be killed");
    other.wait().expect("it ends");
    assert!(SqliteStore::is_free(ground.path()), "its lock ended with it");
    let store = open(ground.path());
    assert!(!store.is_read_only());
    let released = store.release_abandoned_documents().expect("its claim can be taken");
    assert_eq!(released, std::slice::from_ref(&document.id));
    let waiting = store.document(&project, &document.id).expect("it is there");
    assert_eq!(waiting.status, DocumentStatus::Queued);
    assert_eq!(store.chunks(&project, &document.id).expect("its chunks"), []);
    let locks = std::fs::read_dir(ground.path().join("locks")).expect("the locks").count();
    assert_eq!(locks, 1, "only this store's own lock file is left");
    index(&store, &project, &document.id);
}

#[test]
#[ignore = "a part of processes_may_open_a_fresh_folder_at_once"]
fn process_that_opens_and_writes() {
    let folder = std::env::var(FOLDER).expect("started by the other test");
    let store = match SqliteStore::open(Path::new(&folder)) {
        Ok(store) => store,
        // Two seconds were not enough for the one that prepares the folder.
        Err(StoreError::PreparationBlocked { .. }) => return,
        Err(error) => panic!("{error:?}"),
    };
    let project = store.default_project(NOW).expect("the project");
    let written = store.set_setting(&std::process::id().to_string(), project.id.as_str());
    assert_eq!(
        matches!(written, Err(StoreError::DataInUse { .. })),
        store.is_read_only(),
        "it wrote, or said why not: {written:?}"
    );
}

#[test]
fn processes_may_open_a_fresh_folder_at_once() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let folder = ground.path().join("fresh");
    let others: Vec<Child> =
        (0..6).map(|_| spawn("process_that_opens_and_writes", &folder, "")).collect();
    let ids: Vec<u32> = others.iter().map(Child::id).collect();
    for other in others {
        let output = other.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let store = open(&folder);
    let project = store.default_project(NOW).expect("the project");
    let seen: Vec<String> =
        ids.iter().filter_map(|id| store.setting(&id.to_string()).expect("the settings")).collect();
    assert!(!seen.is_empty(), "one at least had its turn");
    assert!(seen.iter().all(|id| id == project.id.as_str()), "all made the same project");
}

#[test]
#[ignore = "a part of what_is_not_prepared_cannot_be_read_beside_a_writer"]
fn process_that_holds_the_lock() {
    let folder = std::env::var(FOLDER).expect("started by the other test");
    let lock = std::fs::File::create(Path::new(&folder).join("ancre.lock")).expect("the lock");
    lock.lock().expect("it is free");
    println!("holding");
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn what_is_not_prepared_cannot_be_read_beside_a_writer() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let mut other = spawn("process_that_holds_the_lock", ground.path(), "");
    wait_for(&mut other, "holding");
    let fresh = SqliteStore::open(ground.path());
    assert!(matches!(fresh, Err(StoreError::PreparationBlocked { .. })), "{fresh:?}");
    other.kill().expect("it can be killed");
    other.wait().expect("it ends");

    drop(open(ground.path()));
    rusqlite::Connection::open(ground.path().join("ancre.db"))
        .and_then(|database| database.pragma_update(None, "user_version", 2))
        .expect("a database of an older version");
    let mut other = spawn("process_that_holds_the_lock", ground.path(), "");
    wait_for(&mut other, "holding");
    let older = SqliteStore::open_for(ground.path(), Access::Read);
    assert!(matches!(older, Err(StoreError::PreparationBlocked { .. })), "{older:?}");
    other.kill().expect("it can be killed");
    other.wait().expect("it ends");
}

#[test]
fn a_reader_keeps_no_writer_away() {
    let ground = tempfile::tempdir().expect("a temporary folder");
    let project = open(ground.path()).default_project(NOW).expect("the project").id;
    let reader = SqliteStore::open_for(ground.path(), Access::Read).expect("there is one to read");
    assert!(reader.is_read_only());
    let writer = open(ground.path());
    let kb = base(&writer, &project, "FAQ");
    assert_eq!(reader.knowledge_base(&project, &kb.id).expect("it sees what is written"), kb);
    let refused = reader.set_setting("a", "b");
    assert!(matches!(refused, Err(StoreError::DataInUse { .. })), "{refused:?}");
}

#[test]
fn two_stores_index_side_by_side_while_others_search() {
    const DOCUMENTS: usize = 40;
    let ground = tempfile::tempdir().expect("a temporary folder");
    let (window, terminal) = (open(ground.path()), open(ground.path()));
    let project = window.default_project(NOW).expect("the project").id;
    let kb = base(&window, &project, "FAQ");
    std::thread::scope(|scope| {
        for (at, store) in [&window, &terminal, &window, &terminal].into_iter().enumerate() {
            let (project, kb) = (&project, &kb);
            scope.spawn(move || {
                for number in 0..DOCUMENTS {
                    let document = queued(store, kb, at * DOCUMENTS + number);
                    index(store, project, &document.id);
                }
            });
            scope.spawn(move || {
                let mut seen = 0;
                while seen < 4 * DOCUMENTS {
                    let found = store.nearest(project, &kb.id, &[0.0, 1.0], 500, None);
                    let now = found.expect("a search beside the writers").len();
                    assert!(now >= seen, "what was found once stays found");
                    seen = now;
                }
            });
        }
    });
    let counts = terminal.document_counts(&project, &kb.id).expect("the counts");
    assert_eq!((counts.ready, counts.chunks), (160, 160));
}
