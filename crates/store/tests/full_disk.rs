//! A disk without a byte left: what makes room works, what reads works, nothing is lost.
//!
//! The disk is a small file system in memory, which takes the right to mount one; where a test may
//! not, it says so and checks nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ancre_domain::{
    CharRange, Chunk, ChunkId, ChunkingSettings, Document, DocumentStatus, GenerationState, JobId,
    JobKind, JobState, KnowledgeBase, PageRequest, ProjectId, SourceKind, Timestamp,
};
use ancre_store::traits::{
    DocumentFilter, DocumentStore, GenerationStore, IndexedChunk, JobEnding, JobStore,
    KnowledgeBaseStore, LexicalText, NewGeneration, NewJob, NewKnowledgeBase, NewSource,
    SettingsStore, SourceFilter, SourceStore,
};
use ancre_store::{Access, SqliteStore, StoreError};

const NOW: Timestamp = Timestamp::from_millis(1_000);
const DIMENSION: usize = 384;
const MIB: u64 = 1024 * 1024;

/// A disk of its own, for as long as it lives.
struct SmallDisk {
    place: tempfile::TempDir,
}

impl SmallDisk {
    fn of(mebibytes: u64) -> Option<Self> {
        let place = tempfile::tempdir().expect("a temporary folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m"), "tmpfs"])
            .arg(place.path())
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self { place });
        }
        println!("not checked: whoever runs this may not mount a small disk");
        None
    }

    fn data(&self) -> PathBuf {
        self.place.path().join("data")
    }

    /// Takes whatever room there is.
    fn fill(&self) {
        let mut file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.place.path().join("ballast"))
            .expect("a file");
        for size in [64 * 1024, 4 * 1024] {
            while file.write(&vec![1; size]).is_ok_and(|written| written > 0) {}
        }
    }

    fn free(&self) -> u64 {
        let output = Command::new("df")
            .args(["--output=avail", "-B1"])
            .arg(self.place.path())
            .output()
            .expect("the free room");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.lines().last().and_then(|line| line.trim().parse().ok()).expect("a number")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.place.path()).status();
    }
}

struct Ground {
    disk: SmallDisk,
    store: SqliteStore,
    project: ProjectId,
    kb: KnowledgeBase,
}

impl Ground {
    fn on_disk_of(mebibytes: u64) -> Option<Self> {
        let disk = SmallDisk::of(mebibytes)?;
        let store = SqliteStore::open(&disk.data()).expect("the folder opens");
        let project = store.default_project(NOW).expect("the project").id;
        let new = NewKnowledgeBase {
            project_id: project.clone(),
            name: "FAQ".to_owned(),
            description: String::new(),
            embedding_model_id: "test".to_owned(),
            embedding_version: None,
            embedding_dim: u32::try_from(DIMENSION).expect("small"),
            chunking: ChunkingSettings::default(),
        };
        let kb = store.create_knowledge_base(&new, NOW).expect("a base");
        Some(Self { disk, store, project, kb })
    }

    fn queued(&self, number: usize, length: usize) -> Document {
        let text = format!("{number} {}", "passage ".repeat(length / 8));
        let new = NewSource {
            project_id: self.project.clone(),
            kind: SourceKind::Upload,
            uri: None,
            title: format!("Texte {number}"),
            mime: "text/plain".to_owned(),
            sha256: format!("{number:064x}"),
            bytes: Some(text.as_bytes().to_vec()),
            text,
            outline: Vec::new(),
            pagination: None,
            warnings: Vec::new(),
            language: None,
        };
        let source = self.store.store_source(&new, NOW).expect("a source").source;
        self.store.attach_source(&self.project, &self.kb.id, &source.id, NOW).expect("attached").0
    }

    /// A ready document of so many chunks of 2,000 characters, with five windows each.
    fn ready(&self, number: usize, chunks: usize) -> Document {
        let document = self.queued(number, chunks * 1_800);
        self.store.claim_document(&self.project, &document.id).expect("it is free");
        let (chunks, indexed) = cut(&document, chunks);
        self.store.store_chunks(&document.id, &chunks).expect("its chunks");
        self.store.finish_document(&document.id, &indexed, NOW).expect("its vectors")
    }

    fn found(&self) -> usize {
        let vector = direction(7);
        let hits = self.store.nearest(&self.project, &self.kb.id, &vector, 5, None);
        hits.expect("a search").len()
    }

    /// Closes the store and opens it again on the disk as it is.
    fn reopened(self) -> Self {
        self.reopened_after(|_| ())
    }

    /// The same on a disk that is filled when nobody has the folder open.
    fn filled_and_reopened(self) -> Self {
        self.reopened_after(SmallDisk::fill)
    }

    fn reopened_after(self, act: impl FnOnce(&SmallDisk)) -> Self {
        let Self { disk, store, project, kb } = self;
        drop(store);
        act(&disk);
        let store = SqliteStore::open(&disk.data()).expect("it opens on a full disk");
        Self { disk, store, project, kb }
    }

    fn log(&self) -> u64 {
        let log = std::fs::metadata(self.disk.data().join("ancre.db-wal"));
        log.map_or(0, |log| log.len())
    }
}

fn cut(document: &Document, chunks: usize) -> (Vec<Chunk>, Vec<IndexedChunk>) {
    let one = |at: usize| {
        let words: String =
            (0..220).map(|word| format!("mot{} ", (at * 131 + word * 17) % 9_973)).collect();
        let chunk = Chunk {
            id: ChunkId::generate(NOW),
            document_id: document.id.clone(),
            position: u32::try_from(at).expect("small"),
            content: words.clone(),
            range: CharRange { start: 0, end: 5 },
            page: None,
            page_kind: None,
            page_label: None,
            heading: None,
            token_count: 1,
            tokens_outside_window: 0,
        };
        let indexed = IndexedChunk {
            chunk_id: chunk.id.clone(),
            windows: (0..5).map(|window| direction(at * 5 + window)).collect(),
            lexical: LexicalText { body: words, ..LexicalText::default() },
            language: None,
            tokens_outside_window: 0,
        };
        (chunk, indexed)
    };
    (0..chunks).map(one).unzip()
}

fn direction(seed: usize) -> Vec<f32> {
    let mut state = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 40) as f32 / (1_u64 << 24) as f32 - 0.5
    };
    let vector: Vec<f32> = (0..DIMENSION).map(|_| next()).collect();
    let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
    vector.iter().map(|it| it / length).collect()
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

#[test]
fn a_source_is_deleted_on_a_full_disk_and_its_room_comes_back() {
    let Some(ground) = Ground::on_disk_of(48) else { return };
    let small = ground.ready(1, 40);
    let large = ground.ready(2, 900);
    let ground = ground.filled_and_reopened();
    let full = ground.store.set_setting("large", &"x".repeat(400_000));
    assert!(matches!(full, Err(StoreError::DiskFull)), "{full:?}");
    let (store, project) = (&ground.store, &ground.project);
    store.delete_source(project, &small.source_id).expect("a small one goes");
    assert_eq!(ground.found(), 5, "the other one is whole");
    ground.disk.fill();
    let database = length(&ground.disk.data().join("ancre.db"));
    store
        .delete_source(project, &large.source_id)
        .expect("one that is larger than the reserve goes");
    assert!(length(&ground.disk.data().join("ancre.db")) < database / 4, "the file is cut");
    assert!(ground.disk.free() > 8 * MIB, "and there is room: {}", ground.disk.free());
    let left = store.list_sources(project, &SourceFilter::default(), PageRequest::default());
    assert_eq!(left.expect("a list").total, 0);

    let ground = ground.reopened();
    assert_eq!(length(&ground.disk.data().join("ancre.reserve")), 8 * MIB, "it is made again");
    ground.ready(3, 40);
    assert_eq!(ground.found(), 5, "life goes on");
}

#[test]
fn a_base_a_document_an_index_and_a_job_end_on_a_full_disk() {
    let Some(ground) = Ground::on_disk_of(64) else { return };
    let detached = ground.ready(1, 100);
    ground.ready(2, 400);
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let new = NewGeneration {
        embedding_model_id: "test".to_owned(),
        embedding_version: None,
        embedding_dim: u32::try_from(DIMENSION).expect("small"),
        chunking: ChunkingSettings::default(),
    };
    let begun = store.begin_generation(project, kb, &new, NOW).expect("begun").number;
    for id in store.documents_to_build(project, kb).expect("two") {
        let document = store.document(project, &id).expect("it is there");
        let (chunks, indexed) = cut(&document, 60);
        store.add_to_generation(project, &id, begun, &chunks, &indexed, NOW).expect("built");
    }
    let job = NewJob {
        id: JobId::generate(NOW),
        project_id: project.clone(),
        kb_id: Some(kb.clone()),
        kind: JobKind::Ingest,
        title: "aide".to_owned(),
        payload: "{}".to_owned(),
        items: Vec::new(),
    };
    store.enqueue_job(&job, NOW).expect("queued");
    store.lease_job(&job.id, NOW).expect("leased");

    ground.disk.fill();
    store.end_job(&job.id, &JobEnding::Released, NOW).expect("it can be given up");
    ground.disk.fill();
    let ended = store.cancel_job(project, &job.id, NOW).expect("it can be cancelled");
    assert_eq!(ended.state, JobState::Cancelled);
    ground.disk.fill();
    store.clear_jobs(project).expect("it can be forgotten");
    ground.disk.fill();
    store.delete_document(project, &detached.id).expect("it can be detached");
    ground.disk.fill();
    store.cancel_generation(project, kb).expect("the new index goes");
    let states = store.generations(project, kb).expect("a list");
    assert_eq!(states.iter().map(|it| it.state).collect::<Vec<_>>(), [GenerationState::Serving]);
    assert_eq!(ground.found(), 5, "the old one serves");
    ground.disk.fill();
    store.delete_knowledge_base(project, kb, NOW).expect("the base goes");
    assert!(ground.disk.free() > 4 * MIB, "{}", ground.disk.free());
}

#[test]
fn reading_needs_no_room() {
    let Some(ground) = Ground::on_disk_of(40) else { return };
    ground.ready(1, 20);
    let Ground { disk, store, project, kb } = ground;
    drop(store);
    // Not even the reserve is there: somebody needed its room.
    std::fs::remove_file(disk.data().join("ancre.reserve")).expect("it was there");
    disk.fill();
    assert_eq!(disk.free(), 0);
    let store = SqliteStore::open_for(&disk.data(), Access::Read).expect("it opens");
    assert_eq!(store.nearest(&project, &kb.id, &direction(7), 5, None).expect("a search").len(), 5);
    let documents =
        store.list_documents(&project, &kb.id, DocumentFilter::default(), PageRequest::default());
    assert_eq!(documents.expect("a list").items[0].status, DocumentStatus::Ready);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| store.list_jobs(&project, PageRequest::default()).map(drop)))
            .collect();
        for reader in readers {
            reader.join().expect("no panic").expect("each has its turn");
        }
    });
}

#[test]
fn a_switch_on_a_full_disk_leaves_the_old_index_serving() {
    let Some(ground) = Ground::on_disk_of(64) else { return };
    for number in 0..4 {
        ground.ready(number, 60);
    }
    let (store, project, kb) = (&ground.store, &ground.project, &ground.kb.id);
    let build = || {
        let new = NewGeneration {
            embedding_model_id: "other".to_owned(),
            embedding_version: None,
            embedding_dim: u32::try_from(DIMENSION).expect("small"),
            chunking: ChunkingSettings::default(),
        };
        let begun = store.begin_generation(project, kb, &new, NOW)?.number;
        for id in store.documents_to_build(project, kb)? {
            let document = store.document(project, &id)?;
            let (chunks, indexed) = cut(&document, 60);
            store.add_to_generation(project, &id, begun, &chunks, &indexed, NOW)?;
        }
        Ok::<_, StoreError>(())
    };
    build().expect("there is room to build");
    std::fs::write(ground.disk.data().join("ancre.reserve"), "").expect("the reserve was needed");
    ground.disk.fill();
    let switched = store.switch_generation(project, kb, NOW);
    let base = store.knowledge_base(project, kb).expect("it is there");
    // What fits into the log's own room may be switched all the same; half-way there is nothing.
    match switched {
        Ok(_) => assert_eq!(base.embedding_model_id, "other"),
        Err(error) => {
            assert!(matches!(error, StoreError::DiskFull), "{error:?}");
            assert_eq!(base.embedding_model_id, "test");
        }
    }
    assert_eq!(ground.found(), 5);
    std::fs::remove_file(ground.disk.place.path().join("ballast")).expect("room");
    if base.embedding_model_id == "test" {
        build().expect("nothing is missing");
        store.switch_generation(project, kb, NOW).expect("now there is room");
    }
    assert_eq!(store.knowledge_base(project, kb).expect("there").embedding_model_id, "other");
    assert_eq!(ground.found(), 5);
}

/// For `docs/PERFORMANCE.md`:
/// `cargo test -p ancre-store --test full_disk -- --ignored measure --nocapture`.
#[test]
#[ignore = "measures, and asserts nothing"]
fn measure_what_deleting_takes_of_the_log() {
    for chunks in [50, 100, 200, 400, 800] {
        let Some(ground) = Ground::on_disk_of(200) else { return };
        ground.ready(0, 3_000);
        let document = ground.ready(1, chunks);
        let keeper = rusqlite::Connection::open(ground.disk.data().join("ancre.db")).expect("open");
        let _: u32 = keeper
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
            .expect("empty");
        // A reader keeps the log from being emptied at the end.
        keeper.execute_batch("BEGIN; SELECT count(*) FROM documents").expect("a reader");
        ground.store.delete_document(&ground.project, &document.id).expect("it goes");
        println!("{chunks} chunks: {} KiB of log", ground.log() / 1024);
    }
}
