//! The jobs that run in this process, so that they can be stopped.
//!
//! What a job has finished is in the store and survives without this list; a job that the
//! process took with it is found again by its queued documents.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ancre_domain::{Cancellation, JobId, Timestamp};

/// The running jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs(Mutex<HashMap<JobId, Cancellation>>);

impl Jobs {
    /// Enters a job that begins now; it leaves when the guard is dropped.
    pub(crate) fn begin(&self, now: Timestamp) -> RunningJob<'_> {
        let id = JobId::generate(now);
        let cancellation = Cancellation::new();
        self.lock().insert(id.clone(), cancellation.clone());
        RunningJob { jobs: self, id, cancellation }
    }

    /// Asks a job to stop; `false` when no such job runs.
    pub(crate) fn cancel(&self, id: &JobId) -> bool {
        let jobs = self.lock();
        let job = jobs.get(id);
        if let Some(cancellation) = job {
            cancellation.cancel();
        }
        job.is_some()
    }

    pub(crate) fn cancel_all(&self) {
        for cancellation in self.lock().values() {
            cancellation.cancel();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, Cancellation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job while it runs.
pub(crate) struct RunningJob<'a> {
    jobs: &'a Jobs,
    pub(crate) id: JobId,
    pub(crate) cancellation: Cancellation,
}

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.jobs.lock().remove(&self.id);
    }
}
