//! Durable work: who works on which job, and who listens.
//!
//! Jobs stand in the store (`ancre_store::traits::JobStore`) and survive the process; this is what
//! one process adds. Worker threads take jobs from the queue and do what their kind's
//! [`JobWork`] says, watched through a [`JobContext`]. Here stand only things that may be
//! forgotten: which jobs run here, the flags that stop them, who waits for them, and what was asked
//! for one attempt only, such as passwords.

mod context;
mod estimate;
mod ingest;
mod listening;
mod measuring;
mod recognise;
mod reindex;
mod report;
mod request;
mod schedule;
mod text_index;
mod waiting;
mod work;
mod worker;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ancre_domain::{
    Cancellation, Job, JobFailure, JobId, JobProgress, JobState, JobStep, KnowledgeBaseId,
    Timestamp,
};

pub use context::JobContext;
pub(crate) use ingest::IngestPayload;
pub(crate) use listening::{Told, Watch};
pub(crate) use reindex::{ReindexPayload, forget as forget_build};
pub(crate) use request::{
    JobRequest, NewText, adopt, ask, base_to_feed, ingest_documents, ingest_texts,
};
pub(crate) use text_index::ask_for_missing_words;
pub(crate) use waiting::{wait_for_all, wait_for_report};
pub use work::{JobEnd, JobWork};
pub(crate) use worker::Workers;

use crate::wire::Password;

/// The jobs of this process.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    /// Held while a worker chooses, so that two never look at the same queue.
    choosing: Mutex<()>,
    state: Mutex<State>,
    woken: Condvar,
    stopping: Cancellation,
}

#[derive(Debug, Default)]
struct State {
    running: HashMap<JobId, Running>,
    watches: HashMap<JobId, Vec<Sender<Told>>>,
    passwords: HashMap<JobId, Password>,
    /// The items whose scans are to be recognised; `None` stands for all of a job.
    scans: HashMap<JobId, HashSet<Option<u32>>>,
    measurements: HashMap<KnowledgeBaseId, Cancellation>,
    /// Jobs as they should stand in the store, which cannot be written now.
    unwritten: HashMap<JobId, Job>,
    /// Counts the reasons to look at the queue again.
    calls: u64,
}

/// The step and progress of a job at one moment.
type Live = (Option<JobStep>, JobProgress);

/// What is known of a job only while it runs here.
#[derive(Debug, Clone, Default)]
pub(crate) struct Running {
    pub(crate) cancellation: Cancellation,
    /// How far it is, which is written down once a second only.
    live: Arc<Mutex<Option<Live>>>,
    /// Chunks that are embedded of the items that are at it, by number.
    pub(crate) chunks: Arc<Mutex<BTreeMap<u32, u32>>>,
}

impl Jobs {
    /// Lets the workers look at the queue again.
    pub(crate) fn call(&self) {
        self.lock().calls += 1;
        self.woken.notify_all();
    }

    /// Asks whoever works on a job to stop; what becomes of it stands in the store.
    pub(crate) fn interrupt(&self, id: &JobId) {
        if let Some(running) = self.lock().running.get(id) {
            running.cancellation.cancel();
        }
    }

    /// The job, if it runs here.
    pub(crate) fn running(&self, id: &JobId) -> Option<Running> {
        self.lock().running.get(id).cloned()
    }

    /// A job as it is at this moment: with its progress, if it runs here, and with what could not
    /// be written down of it.
    pub(crate) fn live(&self, job: Job) -> Job {
        if let Some(unwritten) = self.lock().unwritten.get(&job.id)
            && matches!(job.state, JobState::Running | JobState::Queued)
        {
            return unwritten.clone();
        }
        let running = self.running(&job.id).filter(|_| job.state == JobState::Running);
        let live = running.and_then(|running| {
            running.live.lock().unwrap_or_else(PoisonError::into_inner).clone()
        });
        match live {
            Some((step, progress)) => Job { step, progress, ..job },
            None => job,
        }
    }

    /// Says of a job what cannot be written down: why nothing happens with it, and when it is tried
    /// again.
    fn set_unwritten(&self, job: &Job, failure: JobFailure, not_before: Timestamp) {
        let job = Job {
            state: JobState::Queued,
            failure: Some(failure),
            not_before: Some(not_before),
            ..job.clone()
        };
        self.lock().unwritten.insert(job.id.clone(), job.clone());
        self.tell(&job.id.clone(), &Told::Waits(Box::new(job)));
    }

    /// The store says it again: of this job, and of every other that nobody works on here.
    fn set_written(&self, id: &JobId) {
        let State { unwritten, running, .. } = &mut *self.lock();
        unwritten.retain(|other, _| other != id && running.contains_key(other));
    }

    /// Keeps a password for a job as long as this process lives.
    pub(crate) fn keep_password(&self, id: &JobId, password: Password) {
        self.lock().passwords.insert(id.clone(), password);
    }

    fn password(&self, id: &JobId) -> Option<Password> {
        self.lock().passwords.get(id).cloned()
    }

    /// Has the scans of an item recognised, or of all of a job, as long as this process lives.
    pub(crate) fn recognise_scans(&self, id: &JobId, number: Option<u32>) {
        self.lock().scans.entry(id.clone()).or_default().insert(number);
    }

    fn recognises_scans(&self, id: &JobId, number: u32) -> bool {
        let state = self.lock();
        let items = state.scans.get(id);
        items.is_some_and(|items| items.contains(&None) || items.contains(&Some(number)))
    }

    /// Raised when the application ends; also for work that is no job.
    pub(crate) fn stopping(&self) -> &Cancellation {
        &self.stopping
    }

    /// Asks every worker to stop and give its job back.
    fn stop(&self) {
        let state = self.lock();
        self.stopping.cancel();
        for running in state.running.values() {
            running.cancellation.cancel();
        }
        for measurement in state.measurements.values() {
            measurement.cancel();
        }
        drop(state);
        self.woken.notify_all();
    }

    /// Tells whoever waits that nobody works any more.
    fn part(&self) {
        self.lock().watches.clear();
    }

    fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    fn begin(&self, id: &JobId) -> Running {
        let running = Running::default();
        let mut state = self.lock();
        if self.is_stopping() {
            running.cancellation.cancel();
        }
        state.running.insert(id.clone(), running.clone());
        running
    }

    fn finish(&self, id: &JobId, has_ended: bool) {
        let mut state = self.lock();
        state.running.remove(id);
        if has_ended {
            state.passwords.remove(id);
            state.scans.remove(id);
        }
    }

    fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// Waits until somebody calls after `seen`, or the patience ends.
    fn wait(&self, seen: u64, patience: Duration) {
        let quiet = |state: &mut State| state.calls == seen && !self.is_stopping();
        // Whatever the reason to wake, the caller looks again.
        let _ = self.woken.wait_timeout_while(self.lock(), patience, quiet);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scans_are_recognised_of_the_item_that_was_meant_until_its_job_has_ended() {
        let jobs = Jobs::default();
        let now = Timestamp::from_millis(1);
        let (one, whole) = (JobId::generate(now), JobId::generate(now));
        jobs.recognise_scans(&one, Some(3));
        jobs.recognise_scans(&whole, None);
        let recognised = |id| [2, 3].map(|number| jobs.recognises_scans(id, number));
        assert_eq!((recognised(&one), recognised(&whole)), ([false, true], [true, true]));
        jobs.finish(&one, false);
        assert_eq!(recognised(&one), [false, true], "it was only paused");
        jobs.finish(&one, true);
        assert_eq!(recognised(&one), [false, false]);
    }
}
