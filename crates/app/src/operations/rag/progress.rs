//! What a job tells while it works.
//!
//! Ingestion tells everything that happens; a window needs to know what changed, a few times a
//! second. The reporter counts, estimates the time that is left, passes changes of state on at
//! once and the rest at most ten times a second, through the caller's channel and, for other
//! windows, as events.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ancre_domain::{Document, DocumentId, ErrorCode, JobId, KnowledgeBaseId, ProjectId, Timestamp};
use ancre_knowledge::ingestion::{Failure, IndexProgress, IngestEvent};

use super::ingestion::{count, refusal};
use crate::Ancre;
use crate::wire::{
    Event, IngestOutcome, IngestPhase, IngestProgress, IngestReport, IngestResult,
    RecognitionProgress, WireError,
};

/// The shortest time between two events that change no state, in milliseconds.
const QUIET_MS: i64 = 100;

/// The shortest time between two reloads of lists in open windows, in milliseconds.
const LISTS_MS: i64 = 500;

/// What a job works on: a document, with the file it came from.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) path: Option<String>,
    pub(super) title: String,
    pub(super) document: Option<Document>,
}

impl Item {
    pub(super) fn of_document(document: &Document) -> Self {
        Self { path: None, title: document.title.clone(), document: Some(document.clone()) }
    }

    pub(super) fn outcome(self, result: IngestResult, error: Option<WireError>) -> IngestOutcome {
        IngestOutcome {
            path: self.path,
            title: self.title,
            result,
            chunk_count: self.document.as_ref().map_or(0, |document| document.chunk_count),
            document_id: self.document.as_ref().map(|document| document.id.clone()),
            error,
            warnings: self.document.map(|document| document.warnings).unwrap_or_default(),
        }
    }
}

/// Tells how one job goes on.
pub(super) struct Reporter<'a> {
    ancre: &'a Ancre,
    progress: &'a dyn Fn(IngestProgress),
    /// The paths that a person named: see [`result_of_failure`].
    named: BTreeSet<PathBuf>,
    state: Mutex<State>,
}

struct State {
    now: IngestProgress,
    began: Timestamp,
    told: Timestamp,
    lists_told: Timestamp,
    /// Chunks of documents that are done; the current one's are added to it.
    chunks_before: u32,
    items: HashMap<DocumentId, Item>,
}

impl<'a> Reporter<'a> {
    /// Begins to report on a job that feeds one base.
    pub(super) fn begin(
        ancre: &'a Ancre,
        job: &JobId,
        kb_id: &KnowledgeBaseId,
        progress: &'a dyn Fn(IngestProgress),
    ) -> Self {
        let now = IngestProgress {
            job_id: job.clone(),
            kb_id: kb_id.clone(),
            phase: IngestPhase::Finding,
            items_total: 0,
            items_done: 0,
            items_failed: 0,
            chunks_done: 0,
            chunks_total: 0,
            chunks_embedded: 0,
            current: None,
            recognition: None,
            remaining_ms: None,
            outcome: None,
            stopped: None,
        };
        let began = ancre.clock().now();
        let state = State {
            now,
            began,
            told: began,
            lists_told: began,
            chunks_before: 0,
            items: HashMap::new(),
        };
        let reporter = Self { ancre, progress, named: BTreeSet::new(), state: Mutex::new(state) };
        reporter.change(|_| ());
        reporter
    }

    /// The same, for a job on paths that a person named.
    pub(super) fn naming(self, named: &BTreeSet<PathBuf>) -> Self {
        let mut reporter = self;
        named.clone_into(&mut reporter.named);
        reporter
    }

    /// Begins to report on documents that wait in any base.
    pub(super) fn resume(
        ancre: &'a Ancre,
        job: &JobId,
        first: &KnowledgeBaseId,
        total: u32,
        progress: &'a dyn Fn(IngestProgress),
    ) -> Self {
        let reporter = Self::begin(ancre, job, first, progress);
        reporter.change(|state| {
            state.now.items_total = total;
            state.now.phase = IngestPhase::Indexing;
        });
        reporter
    }

    /// The project whose documents it reports on.
    pub(super) fn project(&self) -> &ProjectId {
        self.ancre.project()
    }

    /// How many items there are, and what the first events may be about.
    pub(super) fn expect(&self, items: &[Item]) {
        self.change(|state| {
            state.now.items_total = count(items.len());
            state.now.phase = IngestPhase::Indexing;
        });
    }

    /// The current item is so far.
    pub(super) fn indexing(&self, item: &Item, progress: IndexProgress) {
        self.with(|state| state.indexing(&item.title, progress));
        self.tell_quietly();
    }

    /// An item has its outcome.
    pub(super) fn item_done(&self, outcome: &IngestOutcome) {
        self.change(|state| state.item_done(outcome.clone()));
        self.with(|state| state.now.outcome = None);
    }

    /// Hears what ingestion tells.
    pub(super) fn hear(&self, event: IngestEvent) {
        match event {
            IngestEvent::FilesFound { total, .. } => self.change(|state| {
                state.now.items_total = total;
                state.now.phase = IngestPhase::Reading;
            }),
            IngestEvent::ArchiveOpened { files, .. } => self.change(|state| {
                state.now.items_total = state.now.items_total.saturating_sub(1) + files;
            }),
            IngestEvent::FileRecognising { path, progress } => {
                self.with(|state| {
                    state.now.phase = IngestPhase::Reading;
                    state.now.current = Some(name_of(&path));
                    state.now.recognition = Some(RecognitionProgress {
                        pages_done: progress.pages_done,
                        pages_total: progress.pages_total,
                    });
                });
                self.tell_quietly();
            }
            IngestEvent::FileRegistered { path, document, .. } => {
                let item = Item {
                    path: Some(path.to_string_lossy().into_owned()),
                    title: document.title.clone(),
                    document: Some(document.clone()),
                };
                let is_ready = document.status == ancre_domain::DocumentStatus::Ready;
                let mut is_twice = false;
                self.with(|state| {
                    state.now.current = Some(item.title.clone());
                    state.now.recognition = None;
                    if !is_ready {
                        is_twice = state.items.insert(document.id, item.clone()).is_some();
                    }
                });
                if is_ready || is_twice {
                    self.item_done(&item.outcome(IngestResult::AlreadyHere, None));
                } else {
                    self.tell_quietly();
                }
            }
            IngestEvent::FileFailed { path, failure } => {
                let result = result_of_failure(failure.code, &path, &self.named);
                let title = name_of(&path);
                let path = Some(path.to_string_lossy().into_owned());
                let item = Item { path, title, document: None };
                self.item_done(&item.outcome(result, Some(refusal(failure))));
            }
            IngestEvent::DocumentIndexing { document, progress } => {
                if let Some(item) = self.item(&document) {
                    self.with(|state| {
                        if let Some(document) = &item.document {
                            state.now.kb_id = document.kb_id.clone();
                        }
                    });
                    self.indexing(&item, progress);
                }
            }
            IngestEvent::DocumentReady { document } => {
                if let Some(item) = self.item(&document.id) {
                    let item = Item { document: Some(document), ..item };
                    self.item_done(&item.outcome(IngestResult::Ready, None));
                }
            }
            IngestEvent::DocumentFailed { document, failure } => self.failed(&document, failure),
            // `finish` ends the job, with the outcomes as interfaces know them.
            IngestEvent::Finished { .. } => {}
        }
    }

    /// Ends the job and makes its report.
    pub(super) fn finish(
        &self,
        outcomes: Vec<IngestOutcome>,
        stopped: Option<WireError>,
    ) -> IngestReport {
        self.end(stopped.clone());
        let of_result = |result| count(outcomes.iter().filter(|it| it.result == result).count());
        let (job_id, kb_id) =
            self.with(|state| (state.now.job_id.clone(), state.now.kb_id.clone()));
        IngestReport {
            job_id,
            kb_id: Some(kb_id),
            ready: of_result(IngestResult::Ready),
            already_here: of_result(IngestResult::AlreadyHere),
            failed: of_result(IngestResult::Failed),
            skipped: of_result(IngestResult::Skipped),
            cancelled: of_result(IngestResult::Cancelled),
            outcomes,
            stopped,
        }
    }

    /// Tells that the job is over, once.
    fn end(&self, stopped: Option<WireError>) {
        if self.with(|state| state.now.phase) == IngestPhase::Finished {
            return;
        }
        self.change(|state| {
            state.now.phase = IngestPhase::Finished;
            state.now.current = None;
            state.now.recognition = None;
            state.now.stopped = stopped;
            state.lists_told = Timestamp::default();
        });
    }

    fn failed(&self, document: &DocumentId, failure: Failure) {
        if let Some(item) = self.item(document) {
            self.item_done(&item.outcome(IngestResult::Failed, Some(refusal(failure))));
        }
    }

    /// The item behind a document; one that an earlier process registered is looked up.
    fn item(&self, id: &DocumentId) -> Option<Item> {
        let known = self.with(|state| state.items.get(id).cloned());
        known.or_else(|| {
            let document = self.ancre.store().document(self.ancre.project(), id).ok()?;
            let item = Item::of_document(&document);
            self.with(|state| state.items.insert(id.clone(), item.clone()));
            Some(item)
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A change of state: told at once.
    fn change(&self, act: impl FnOnce(&mut State)) {
        self.with(act);
        self.tell();
    }

    fn tell_quietly(&self) {
        let now = self.ancre.clock().now();
        if self.with(|state| now.as_millis() - state.told.as_millis() >= QUIET_MS) {
            self.tell();
        }
    }

    fn tell(&self) {
        let now = self.ancre.clock().now();
        let (progress, are_lists_due) = self.with(|state| {
            state.told = now;
            let are_lists_due = now.as_millis() - state.lists_told.as_millis() >= LISTS_MS;
            if are_lists_due {
                state.lists_told = now;
            }
            state.now.remaining_ms = state.remaining(now);
            (state.now.clone(), are_lists_due)
        });
        if are_lists_due {
            self.ancre.tell(Event::DocumentsChanged { kb_id: progress.kb_id.clone() });
            self.ancre.tell(Event::KnowledgeBasesChanged);
        }
        self.ancre.tell(Event::JobProgressed(Box::new(progress.clone())));
        (self.progress)(progress);
    }
}

/// A file of a kind that is not read is an error when a person named it, and no more than a
/// remark when it only lay in a folder or an archive.
pub(super) fn result_of_failure(
    code: ErrorCode,
    path: &Path,
    named: &BTreeSet<PathBuf>,
) -> IngestResult {
    if code == ErrorCode::Unsupported && !named.contains(path) {
        IngestResult::Skipped
    } else {
        IngestResult::Failed
    }
}

/// A path's last part, as lists show it.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whoever watches a job hears its end, also when an error cut it short.
impl Drop for Reporter<'_> {
    fn drop(&mut self) {
        self.end(None);
    }
}

impl State {
    fn indexing(&mut self, title: &str, progress: IndexProgress) {
        if self.now.current.as_deref() != Some(title) || self.now.phase != IngestPhase::Indexing {
            self.now.phase = IngestPhase::Indexing;
            self.now.current = Some(title.to_owned());
        }
        self.now.chunks_done = progress.chunks_done;
        self.now.chunks_total = progress.chunks_total;
        self.now.chunks_embedded = self.chunks_before + progress.chunks_done;
    }

    fn item_done(&mut self, outcome: IngestOutcome) {
        self.now.items_done += 1;
        if outcome.result == IngestResult::Failed {
            self.now.items_failed += 1;
        }
        self.chunks_before += outcome.chunk_count;
        self.now.chunks_embedded = self.chunks_before;
        self.now.chunks_done = 0;
        self.now.chunks_total = 0;
        self.now.recognition = None;
        self.now.outcome = Some(outcome);
    }

    /// By the pace of the items so far, once two of them are done; the current one counts by the
    /// share of its chunks that is embedded.
    fn remaining(&self, now: Timestamp) -> Option<u64> {
        if self.now.phase != IngestPhase::Indexing {
            return None;
        }
        let share = f64::from(self.now.chunks_done) / f64::from(self.now.chunks_total.max(1));
        let done = f64::from(self.now.items_done) + share;
        let left = f64::from(self.now.items_total) - done;
        let elapsed = (now.as_millis() - self.began.as_millis()) as f64;
        let is_known = (done >= 2.0 || share > 0.1) && left >= 0.0;
        is_known.then_some((elapsed / done * left) as u64)
    }
}
