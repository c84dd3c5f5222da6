//! What a job that feeds a base tells while it works.
//!
//! Work tells everything that happens; a window needs to know what changed, a few times a second.
//! The reporter counts, passes outcomes on at once and the rest at most ten times a second: to
//! whoever waits for the job, to every window as events, and to the job's own record.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ancre_domain::{JobItem, JobProgress, KnowledgeBaseId, Timestamp};
use ancre_knowledge::ingestion::IndexProgress;

use super::JobContext;
use super::listening::Told;
use super::waiting::outcome_of_item;
use crate::Ancre;
use crate::wire::{
    Event, IngestPhase, IngestProgress, IngestResult, RecognitionProgress, WireError,
};

/// The shortest time between two events that change no state, in milliseconds.
const QUIET_MS: i64 = 100;

/// The shortest time between two reloads of lists in open windows, in milliseconds.
const LISTS_MS: i64 = 500;

/// Tells how one run of a job goes on. Whoever listens hears the end when it is dropped.
pub(super) struct Reporter<'a> {
    context: &'a JobContext<'a>,
    state: Mutex<State>,
}

struct State {
    now: IngestProgress,
    told: Timestamp,
    lists_told: Timestamp,
    /// Chunks of items that are done; those of the current ones are added to it.
    chunks_before: u32,
    /// Embedded chunks and all of them, of each item that is at it.
    at_it: BTreeMap<u32, (u32, u32)>,
}

impl<'a> Reporter<'a> {
    /// Begins to report, from where earlier runs of the job got.
    pub(super) fn begin(context: &'a JobContext<'a>, kb_id: &KnowledgeBaseId) -> Self {
        let (_, before) = context.progress();
        let began = context.ancre().clock().now();
        let now = IngestProgress {
            job_id: context.job().id.clone(),
            kb_id: kb_id.clone(),
            phase: IngestPhase::Finding,
            items_total: before.items_total,
            items_done: before.items_done,
            items_failed: before.items_failed,
            chunks_done: 0,
            chunks_total: 0,
            chunks_embedded: before.chunks_done,
            current: None,
            recognition: None,
            remaining_ms: None,
            outcome: None,
            waits: None,
            stopped: None,
        };
        let state = State {
            now,
            told: began,
            lists_told: began,
            chunks_before: before.chunks_done,
            at_it: BTreeMap::new(),
        };
        let reporter = Self { context, state: Mutex::new(state) };
        reporter.change(|_| ());
        reporter
    }

    /// The items were counted anew.
    pub(super) fn counted(&self, counts: &JobProgress) {
        self.context.report(|progress| copy_counts(counts, progress));
        self.change(|state| {
            state.now.items_total = counts.items_total;
            state.now.items_done = counts.items_done;
            state.now.items_failed = counts.items_failed;
            state.now.phase = IngestPhase::Reading;
        });
    }

    /// An archive turned out to hold so many files.
    pub(super) fn archive_opened(&self, files: u32) {
        let more = |total: u32| total.saturating_sub(1) + files;
        self.context.report(|progress| progress.items_total = more(progress.items_total));
        self.change(|state| state.now.items_total = more(state.now.items_total));
    }

    /// A file is being read.
    pub(super) fn reading(&self, title: &str, recognition: Option<RecognitionProgress>) {
        self.quietly(|state| {
            // What is embedded meanwhile says more of how far the job is.
            if recognition.is_some() || state.at_it.is_empty() {
                state.now.phase = IngestPhase::Reading;
                state.now.current = Some(title.to_owned());
            }
            state.now.recognition = recognition;
        });
        self.context.report(|progress| progress.current = Some(title.to_owned()));
    }

    /// An item is so far.
    pub(super) fn indexing(&self, number: u32, title: &str, index: IndexProgress) {
        let IndexProgress { chunks_done, chunks_total } = index;
        self.context.set_item_chunks(number, Some(chunks_done));
        let (embedded, total) = self.quietly(|state| {
            state.at_it.insert(number, (chunks_done, chunks_total));
            state.now.phase = IngestPhase::Indexing;
            state.now.current = Some(title.to_owned());
            state.now.recognition = None;
            state.now.chunks_done = chunks_done;
            state.now.chunks_total = chunks_total;
            state.count_chunks()
        });
        self.context.report(|progress| {
            progress.chunks_done = embedded;
            progress.chunks_total = total;
            progress.current = Some(title.to_owned());
        });
    }

    /// An item is not at it any more, without an outcome.
    pub(super) fn put_down(&self, number: u32) {
        self.context.set_item_chunks(number, None);
        self.lock().at_it.remove(&number);
    }

    /// An item has its outcome.
    pub(super) fn item_done(&self, item: JobItem) {
        self.context.set_item_chunks(item.number, None);
        let number = item.number;
        let is_flagged = !item.warnings.is_empty();
        let outcome = outcome_of_item(item);
        let (result, chunks) = (outcome.result, outcome.chunk_count);
        let (embedded, total) = self.change(|state| {
            state.at_it.remove(&number);
            state.now.items_done += 1;
            if result == IngestResult::Failed {
                state.now.items_failed += 1;
            }
            if result == IngestResult::Ready {
                state.chunks_before += chunks;
            }
            state.now.chunks_done = 0;
            state.now.chunks_total = 0;
            state.now.recognition = None;
            state.now.outcome = Some(outcome);
            state.count_chunks()
        });
        self.context.report(|progress| {
            if result == IngestResult::Cancelled {
                progress.items_cancelled += 1;
            } else {
                progress.items_done += 1;
            }
            match result {
                IngestResult::Failed => progress.items_failed += 1,
                IngestResult::AlreadyHere => progress.items_already_here += 1,
                IngestResult::Skipped => progress.items_skipped += 1,
                IngestResult::Ready | IngestResult::Cancelled | IngestResult::Waiting => {}
            }
            progress.items_flagged += u32::from(is_flagged);
            progress.chunks_done = embedded;
            progress.chunks_total = total;
        });
    }

    /// Why the job stops before its end; told with the end.
    pub(super) fn stopped(&self, error: WireError) {
        self.lock().now.stopped = Some(error);
    }

    fn ancre(&self) -> &Ancre {
        self.context.ancre()
    }

    /// A change of state: told at once.
    fn change<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = act(&mut state);
        self.tell(&mut state);
        result
    }

    fn quietly<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = act(&mut state);
        let now = self.ancre().clock().now();
        if now.as_millis() - state.told.as_millis() >= QUIET_MS {
            self.tell(&mut state);
        }
        result
    }

    /// Tells under the lock, so that nobody hears an older state after a newer one.
    fn tell(&self, state: &mut State) {
        let now = self.ancre().clock().now();
        state.told = now;
        state.now.remaining_ms = self.context.progress().1.remaining_ms;
        let progress = state.now.clone();
        state.now.outcome = None;
        let is_over = progress.phase == IngestPhase::Finished;
        if is_over || now.as_millis() - state.lists_told.as_millis() >= LISTS_MS {
            state.lists_told = now;
            self.ancre().tell(Event::DocumentsChanged { kb_id: progress.kb_id.clone() });
            self.ancre().tell(Event::KnowledgeBasesChanged);
        }
        self.ancre().tell(Event::JobProgressed(Box::new(progress.clone())));
        self.ancre().jobs().tell(&progress.job_id.clone(), &Told::Progress(Box::new(progress)));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whoever watches a job hears the end of its run, also when an error cut it short.
impl Drop for Reporter<'_> {
    fn drop(&mut self) {
        self.change(|state| {
            state.now.phase = IngestPhase::Finished;
            state.now.current = None;
            state.now.recognition = None;
        });
    }
}

impl State {
    /// Chunks that are embedded, and all that are known.
    fn count_chunks(&mut self) -> (u32, u32) {
        let done: u32 = self.at_it.values().map(|(done, _)| done).sum();
        let all: u32 = self.at_it.values().map(|(_, all)| all).sum();
        self.now.chunks_embedded = self.chunks_before + done;
        (self.chunks_before + done, self.chunks_before + all)
    }
}

/// The counts of items, without what a run knows besides.
fn copy_counts(counts: &JobProgress, progress: &mut JobProgress) {
    progress.items_total = counts.items_total;
    progress.items_done = counts.items_done;
    progress.items_failed = counts.items_failed;
    progress.items_already_here = counts.items_already_here;
    progress.items_skipped = counts.items_skipped;
    progress.items_cancelled = counts.items_cancelled;
    progress.items_flagged = counts.items_flagged;
}
