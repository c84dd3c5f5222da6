//! Durable jobs as an interface sees them. Words stand in for the model, and wait a little before
//! each batch so that there is something to interrupt.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, DocumentRef, Event, Ingest, IngestFiles, IngestReport, JobItemView,
    JobRef, JobSummary, KnowledgeBaseRef, ListDocuments, ListJobItems, ListJobs, MoveJob, Nothing,
    Password, RetryJob,
};
use ancre_app::{Ancre, EmbedderLoader, Options};
use ancre_domain::{
    Clock as _, DocumentStatus, ErrorCode, JobId, JobItemState, JobState, KnowledgeBaseId,
    PageRequest,
};
use ancre_knowledge::ingestion::{NewText, register_text};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_store::SqliteStore;
use ancre_store::traits::SourceStore as _;
use ancre_testkit::WordEmbedder;

struct Words {
    pause: Duration,
    lost_after: Option<usize>,
}

impl Words {
    fn embedder(&self) -> WordEmbedder {
        let embedder = WordEmbedder::new(64).pausing(self.pause);
        match self.lost_after {
            Some(batches) => embedder.losing_its_model_after(batches),
            None => embedder,
        }
    }
}

impl EmbedderLoader for Words {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(self.embedder().description().clone())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        Ok(Arc::new(self.embedder()))
    }
}

/// A data folder with a base, and files beside it.
struct Ground {
    folder: tempfile::TempDir,
    heard: Arc<Mutex<Vec<JobSummary>>>,
}

impl Ground {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), heard: Arc::default() }
    }

    fn open(&self, words: Words) -> Ancre {
        let mut options = Options::new(self.folder.path().join("data"), Arc::new(words));
        let heard = Arc::clone(&self.heard);
        options.events = Arc::new(move |event| {
            if let Event::JobChanged { job } = event {
                heard.lock().unwrap().push(*job);
            }
        });
        Ancre::open(options).unwrap()
    }

    fn slow(&self, milliseconds: u64) -> Ancre {
        self.open(Words { pause: Duration::from_millis(milliseconds), lost_after: None })
    }

    fn quick(&self) -> Ancre {
        self.slow(0)
    }

    fn files(&self, name: &str, count: usize) -> PathBuf {
        let folder = self.folder.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for number in 0..count {
            let text = format!("In {name}, rule {number} applies.");
            std::fs::write(folder.join(format!("{number:05}.txt")), text).unwrap();
        }
        folder
    }
}

fn base(ancre: &Ancre, name: &str) -> KnowledgeBaseId {
    let input = CreateKnowledgeBase {
        name: name.to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    rag::create_knowledge_base(ancre, input, &|_| ()).unwrap().knowledge_base.id
}

fn ingest(ancre: &Ancre, kb_id: &KnowledgeBaseId, path: &Path) -> IngestReport {
    let paths = vec![path.to_str().unwrap().to_owned()];
    let input =
        IngestFiles { kb_id: kb_id.clone(), paths, title: None, password: None, recognise: false };
    rag::ingest_files(ancre, input, &|_| ()).unwrap()
}

fn jobs(ancre: &Ancre) -> Vec<JobSummary> {
    rag::list_jobs(ancre, ListJobs::default(), &|_| ()).unwrap().items
}

fn job(ancre: &Ancre, id: &JobId) -> JobSummary {
    rag::get_job(ancre, JobRef { job_id: id.clone() }, &|_| ()).unwrap()
}

fn items(ancre: &Ancre, id: &JobId) -> Vec<JobItemView> {
    let page = PageRequest { offset: 0, limit: PageRequest::MAX_LIMIT };
    let input = ListJobItems { job_id: id.clone(), state: None, page };
    rag::list_job_items(ancre, input, &|_| ()).unwrap().items
}

fn job_ref(job: &JobSummary) -> JobRef {
    JobRef { job_id: job.id.clone() }
}

/// The job of that title, once it looks as it should.
fn await_job(ancre: &Ancre, title: &str, looks: impl Fn(&JobSummary) -> bool) -> JobSummary {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let job = jobs(ancre).into_iter().find(|job| job.title == title && looks(job));
        if let Some(job) = job {
            return job;
        }
        assert!(Instant::now() < deadline, "{title}: {:?}", jobs(ancre));
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn ready(ancre: &Ancre, kb_id: &KnowledgeBaseId) -> u32 {
    let input = KnowledgeBaseRef { kb_id: kb_id.clone() };
    rag::get_knowledge_base(ancre, input, &|_| ()).unwrap().counts.ready
}

#[test]
fn a_job_goes_on_where_the_process_before_ended() {
    let ground = Ground::new();
    let some = ground.files("some", 20);
    let ancre = ground.slow(60);
    let kb_id = base(&ancre, "Help");
    let report = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ingest(&ancre, &kb_id, &some));
        await_job(&ancre, "some", |job| job.items_done >= 2);
        ancre.stop_jobs();
        waiting.join().unwrap()
    });
    assert!(report.ready >= 2 && report.ready < 20, "{report:?}");
    let left = job(&ancre, &report.job_id);
    assert_eq!(left.state, JobState::Queued, "an orderly end gives the job back");
    drop(ancre);

    let ancre = ground.quick();
    let resumed = rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    assert_eq!((resumed.ready, resumed.failed, resumed.waiting), (20 - report.ready, 0, 0));
    let done = job(&ancre, &report.job_id);
    assert_eq!((done.state, done.items_done, done.items_total), (JobState::Done, 20, 20));
    let items = items(&ancre, &report.job_id);
    assert!(items.iter().all(|item| item.state == JobItemState::Ready), "{items:?}");
    assert_eq!(ready(&ancre, &kb_id), 20);
    assert_eq!(done.chunks_done, 20);
}

#[test]
fn a_paused_job_rests_and_a_cancelled_one_ends() {
    let ground = Ground::new();
    let some = ground.files("some", 30);
    let ancre = ground.slow(60);
    let kb_id = base(&ancre, "Help");
    let report = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ingest(&ancre, &kb_id, &some));
        let job = await_job(&ancre, "some", |job| job.items_done >= 1);
        let paused = rag::pause_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        assert_eq!(paused.state, JobState::Paused);
        // What is at it is put down first.
        std::thread::sleep(Duration::from_millis(500));
        let before = ready(&ancre, &kb_id);
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(ready(&ancre, &kb_id), before, "nobody works on it");
        assert!(!waiting.is_finished(), "whoever waits still waits");

        rag::resume_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        await_job(&ancre, "some", |job| job.items_done > before);
        rag::cancel_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        waiting.join().unwrap()
    });
    assert_eq!(report.ready + report.cancelled, 30, "{report:?}");
    let ended = job(&ancre, &report.job_id);
    assert_eq!(ended.state, JobState::Cancelled);
    let refused = rag::pause_job(&ancre, job_ref(&ended), &|_| ()).unwrap_err();
    assert_eq!(refused.code, ErrorCode::JobEnded);
    // What was cancelled is not taken up behind the person's back.
    drop(ancre);
    let ancre = ground.quick();
    ancre.start_jobs();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(ready(&ancre, &kb_id), report.ready);
}

#[test]
fn jobs_get_on_side_by_side_and_a_short_one_passes_them() {
    let ground = Ground::new();
    let folders = ["one", "two", "three"].map(|name| ground.files(name, 40));
    let ancre = ground.slow(60);
    let kb_id = base(&ancre, "Help");
    std::thread::scope(|scope| {
        for folder in &folders[..2] {
            scope.spawn(|| ingest(&ancre, &kb_id, folder));
        }
        for title in ["one", "two"] {
            await_job(&ancre, title, |job| job.state == JobState::Running && job.items_done > 0);
        }
        let text = Ingest {
            kb_id: kb_id.clone(),
            title: "Short".to_owned(),
            text: "The car park closes at ten.".to_owned(),
            source_kind: None,
            source_uri: None,
            mime: None,
            batch_size: None,
        };
        assert_eq!(rag::ingest(&ancre, text, &|_| ()).unwrap().ready, 1);
        let long = jobs(&ancre).into_iter().filter(|job| job.items_total == 40);
        let running = long.filter(|job| job.state == JobState::Running).count();
        assert_eq!(running, 2, "both are still at it");

        let third = scope.spawn(|| ingest(&ancre, &kb_id, &folders[2]));
        let waits = await_job(&ancre, "three", |job| job.state == JobState::Queued);
        let fourth = scope.spawn(|| ingest(&ancre, &kb_id, &ground.files("four", 1)));
        let last = await_job(&ancre, "four", |job| job.state == JobState::Queued);
        let input = MoveJob { job_id: last.id, before: Some(waits.id) };
        rag::move_job(&ancre, input, &|_| ()).unwrap();
        let order: Vec<String> = jobs(&ancre)
            .into_iter()
            .filter(|job| job.state == JobState::Queued)
            .map(|job| job.title)
            .collect();
        assert_eq!(order, ["four", "three"]);
        for title in ["one", "two"] {
            let job = await_job(&ancre, title, |_| true);
            // One that has just ended needs none.
            let _ = rag::cancel_job(&ancre, job_ref(&job), &|_| ());
        }
        assert_eq!(fourth.join().unwrap().ready, 1);
        assert_eq!(third.join().unwrap().ready, 40);
    });
}

#[test]
fn a_deleted_base_ends_its_job_and_no_other() {
    let ground = Ground::new();
    let (some, others) = (ground.files("some", 40), ground.files("others", 10));
    let ancre = ground.slow(60);
    let (gone, kept) = (base(&ancre, "Gone"), base(&ancre, "Kept"));
    std::thread::scope(|scope| {
        let failing = scope.spawn(|| ingest(&ancre, &gone, &some));
        let other = scope.spawn(|| ingest(&ancre, &kept, &others));
        await_job(&ancre, "some", |job| job.items_done >= 1);
        let input = KnowledgeBaseRef { kb_id: gone.clone() };
        rag::delete_knowledge_base(&ancre, input, &|_| ()).unwrap();
        let report = failing.join().unwrap();
        assert_eq!(report.stopped.map(|error| error.code), Some(ErrorCode::NotFound));
        assert_eq!(other.join().unwrap().ready, 10);
    });
    let ended = await_job(&ancre, "some", |job| job.state == JobState::Cancelled);
    assert_eq!(ended.error.map(|error| error.code), Some(ErrorCode::NotFound), "it says why");
    assert_eq!(ended.kb_name, None);
    assert_eq!(ended.items_done + ended.items_cancelled, 40);
    let resumed = rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    assert_eq!((resumed.waiting, resumed.stopped), (0, None), "nobody waits for what never comes");
}

#[test]
fn a_document_that_is_detached_meanwhile_is_no_failure() {
    let ground = Ground::new();
    let some = ground.files("some", 20);
    let ancre = ground.slow(40);
    let kb_id = base(&ancre, "Help");
    let report = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ingest(&ancre, &kb_id, &some));
        let deadline = Instant::now() + Duration::from_secs(60);
        let waits = loop {
            let status = Some(DocumentStatus::Queued);
            let page = PageRequest::default();
            let input = ListDocuments { kb_id: kb_id.clone(), status, page };
            let queued = rag::list_documents(&ancre, input, &|_| ()).unwrap().items;
            if let Some(document) = queued.into_iter().next() {
                break document.id;
            }
            assert!(Instant::now() < deadline);
        };
        rag::delete_document(&ancre, DocumentRef { document_id: waits }, &|_| ()).unwrap();
        waiting.join().unwrap()
    });
    assert_eq!((report.ready, report.failed, report.cancelled), (19, 0, 1), "{report:?}");
    assert_eq!(job(&ancre, &report.job_id).state, JobState::Done);
}

#[test]
fn what_can_pass_puts_a_job_off_and_fails_no_document() {
    let ground = Ground::new();
    let some = ground.files("some", 12);
    let ancre = ground.open(Words { pause: Duration::from_millis(5), lost_after: Some(0) });
    let kb_id = base(&ancre, "Help");
    let report = ingest(&ancre, &kb_id, &some);
    assert_eq!(report.stopped.map(|error| error.code), Some(ErrorCode::ModelMissing));
    assert_eq!(report.failed, 0);
    let put_off = job(&ancre, &report.job_id);
    assert_eq!((put_off.state, put_off.items_failed), (JobState::Queued, 0));
    assert!(put_off.next_attempt_at.unwrap() > ancre_app::SystemClock.now());
    assert_eq!(put_off.error.unwrap().code, ErrorCode::ModelMissing);
    let status = Some(DocumentStatus::Error);
    let input = ListDocuments { kb_id: kb_id.clone(), status, page: PageRequest::default() };
    assert_eq!(rag::list_documents(&ancre, input, &|_| ()).unwrap().total, 0);
    drop(ancre);

    let ancre = ground.quick();
    rag::resume_job(&ancre, JobRef { job_id: report.job_id.clone() }, &|_| ()).unwrap();
    rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    assert_eq!(job(&ancre, &report.job_id).state, JobState::Done);
    assert_eq!(ready(&ancre, &kb_id), 12);
}

#[test]
fn what_failed_is_tried_again_one_by_one_or_all_at_once() {
    let ground = Ground::new();
    let some = ground.files("some", 1);
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(some.join(name), "").unwrap();
    }
    let ancre = ground.quick();
    let kb_id = base(&ancre, "Help");
    let report = ingest(&ancre, &kb_id, &some);
    assert_eq!((report.ready, report.failed), (1, 3));
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(some.join(name), format!("Now {name} has words.")).unwrap();
    }
    let failed =
        items(&ancre, &report.job_id).into_iter().find(|item| item.title == "b.txt").unwrap();
    assert_eq!(failed.state, JobItemState::Failed);
    assert_eq!(failed.error.unwrap().code, ErrorCode::Empty);
    let number = Some(failed.number);
    let again =
        RetryJob { job_id: report.job_id.clone(), number, password: None, recognise: false };
    rag::retry_job(&ancre, again, &|_| ()).unwrap();
    let done =
        |failed| move |job: &JobSummary| job.state == JobState::Done && job.items_failed == failed;
    await_job(&ancre, "some", done(2));
    assert_eq!(ready(&ancre, &kb_id), 2);
    assert_eq!(rag::retry_failed(&ancre, Nothing {}, &|_| ()).unwrap(), 2);
    await_job(&ancre, "some", done(0));
    assert_eq!(ready(&ancre, &kb_id), 4);
    rag::clear_jobs(&ancre, Nothing {}, &|_| ()).unwrap();
    assert_eq!(jobs(&ancre), []);
}

#[test]
fn ten_thousand_files_are_known_and_listed_at_once() {
    let ground = Ground::new();
    let many = ground.files("many", 10_000);
    std::fs::write(many.join(".hidden.txt"), "x").unwrap();
    let ancre = ground.slow(50);
    let kb_id = base(&ancre, "Help");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ingest(&ancre, &kb_id, &many));
        let job = await_job(&ancre, "many", |job| job.items_total == 10_001 && job.items_done > 1);
        assert_eq!(job.items_skipped, 1);
        let page = PageRequest { offset: 9_900, limit: 500 };
        let state = Some(JobItemState::Queued);
        let input = ListJobItems { job_id: job.id.clone(), state, page };
        let page = rag::list_job_items(&ancre, input, &|_| ()).unwrap();
        assert!(page.total > 9_900, "nearly all wait still: {}", page.total);
        assert_eq!(rag::get_job(&ancre, job_ref(&job), &|_| ()).unwrap().state, JobState::Running);
        rag::cancel_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        let report = waiting.join().unwrap();
        assert_eq!(report.outcomes.len(), 10_001);
        assert_eq!((report.skipped, report.failed), (1, 0));
    });
}

#[test]
fn a_running_job_tells_its_pace_and_the_time_that_is_left_and_an_ended_one_neither() {
    let ground = Ground::new();
    let files = ground.files("files", 2_000);
    let ancre = ground.slow(100);
    let kb_id = base(&ancre, "Help");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ingest(&ancre, &kb_id, &files));
        let is_told = |job: &JobSummary| {
            job.chunks_per_minute.is_some_and(|pace| pace > 0)
                && job.remaining_ms.is_some_and(|left| left > 0)
        };
        let job = await_job(&ancre, "files", is_told);
        assert!(job.items_done < job.items_total, "{job:?}");
        rag::cancel_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        waiting.join().unwrap();
        let ended = rag::get_job(&ancre, job_ref(&job), &|_| ()).unwrap();
        assert_eq!((ended.remaining_ms, ended.chunks_per_minute), (None, None));
    });
}

#[test]
fn documents_that_wait_without_a_job_are_taken_up() {
    let ground = Ground::new();
    let ancre = ground.quick();
    let kb_id = base(&ancre, "Help");
    drop(ancre);
    let store = SqliteStore::open(&ground.folder.path().join("data")).unwrap();
    let clock = ancre_app::SystemClock;
    let project = store.default_project(clock.now()).unwrap().id;
    let text = NewText::pasted("Parking", "The car park closes at ten.");
    register_text(&store, &clock, &project, &kb_id, text).unwrap();
    drop(store);
    let ancre = ground.quick();
    ancre.start_jobs();
    await_job(&ancre, "Parking", |job| job.state == JobState::Done);
    assert_eq!(ready(&ancre, &kb_id), 1);
}

#[test]
fn a_password_is_never_written_down() {
    let ground = Ground::new();
    let ancre = ground.quick();
    let kb_id = base(&ancre, "Help");
    let input = IngestFiles {
        kb_id,
        paths: vec![ground.files("some", 1).join("00000.txt").to_str().unwrap().to_owned()],
        title: None,
        password: Some(Password::from("sésame-ouvre-toi".to_owned())),
        recognise: false,
    };
    assert_eq!(rag::ingest_files(&ancre, input, &|_| ()).unwrap().ready, 1);
    for file in ["ancre.db", "ancre.db-wal"] {
        let bytes = std::fs::read(ground.folder.path().join("data").join(file)).unwrap();
        let word = "same-ouvre-toi".as_bytes();
        assert!(!bytes.windows(word.len()).any(|window| window == word), "{file}");
    }
}

#[test]
fn each_change_of_state_is_told() {
    let ground = Ground::new();
    let some = ground.files("some", 3);
    let ancre = ground.quick();
    let kb_id = base(&ancre, "Help");
    ingest(&ancre, &kb_id, &some);
    await_job(&ancre, "some", |job| job.state == JobState::Done);
    drop(ancre);
    let mut states: Vec<JobState> =
        ground.heard.lock().unwrap().iter().map(|job| job.state).collect();
    states.dedup();
    assert_eq!(states, [JobState::Queued, JobState::Running, JobState::Done]);
}
