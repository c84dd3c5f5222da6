//! The threads that work, in the process that opened the data folder for writing.
//!
//! A worker takes a job, does what its kind says and gives it up, for as long as the application
//! is open. Nothing that a job does ends a worker: not an error, not a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use ancre_domain::{ErrorCode, Job, JobFailure, Timestamp};
use ancre_store::StoreError;
use ancre_store::traits::JobEnding;

use super::schedule::{LANES, Lane, MOST_ATTEMPTS, next, pause};
use super::work::work_of;
use super::{JobContext, JobEnd, Running, Told, adopt};
use crate::Ancre;
use crate::wire::{Event, JobSummary};

/// How often somebody looks at the queue without being called, and says that its jobs are alive.
const BEAT: Duration = Duration::from_secs(10);

/// How many due jobs are looked at; behind so many no short one is looked for.
const LOOK: u32 = 50;

/// How long a worker rests when the store does not answer.
const TROUBLE: Duration = Duration::from_secs(1);

/// The worker threads, once they were needed.
#[derive(Debug, Default)]
pub(crate) struct Workers(Mutex<Vec<JoinHandle<()>>>);

impl Workers {
    /// Starts the threads, unless they are at work. `ancre` makes a handle for each.
    pub(crate) fn start(&self, ancre: impl Fn() -> Ancre) {
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !threads.is_empty() {
            return;
        }
        // Before anybody reads a file: a text that a job has just stored looks as if it had none.
        take_up(&ancre());
        for lane in LANES {
            let ancre = ancre();
            let thread = std::thread::Builder::new().name("ancre-job".to_owned());
            match thread.spawn(move || work(&ancre, lane)) {
                Ok(thread) => threads.push(thread),
                // With fewer threads the queue is slower, no more.
                Err(error) => tracing::error!(%error, "a worker thread could not be started"),
            }
        }
    }

    /// Does something else beside the work, once, on a thread that ends with the others.
    pub(crate) fn beside(&self, act: impl FnOnce() + Send + 'static) {
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::thread::Builder::new().name("ancre-look".to_owned()).spawn(act) {
            Ok(thread) => threads.push(thread),
            Err(error) => tracing::error!(%error, "a thread could not be started"),
        }
    }

    /// Asks the workers to give their jobs back, and waits until they have. They start no more.
    pub(crate) fn stop(&self, ancre: &Ancre) {
        ancre.jobs().stop();
        let threads = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A worker that panicked has nothing more to give back.
            let _ = thread.join();
        }
        ancre.jobs().part();
    }
}

/// What waits without a job gets one, once, before the first is taken.
fn take_up(ancre: &Ancre) {
    if let Err(error) = adopt(ancre) {
        tracing::warn!(%error, "documents that wait could not be taken up");
    }
}

fn work(ancre: &Ancre, lane: Lane) {
    while !ancre.jobs().is_stopping() {
        let seen = ancre.jobs().calls();
        match take(ancre, lane) {
            Ok(Some(job)) => run(ancre, &job),
            Ok(None) => ancre.jobs().wait(seen, until_next(ancre)),
            Err(error) => {
                tracing::warn!(%error, "the next job could not be taken");
                ancre.jobs().wait(seen, TROUBLE);
            }
        }
    }
}

/// Leases the next job for this lane.
fn take(ancre: &Ancre, lane: Lane) -> Result<Option<Job>, StoreError> {
    let _choosing = ancre.jobs().choosing.lock().unwrap_or_else(PoisonError::into_inner);
    let now = ancre.clock().now();
    let mut due = ancre.store().due_jobs(now, LOOK)?;
    // Those of other projects wait until theirs is open.
    due.retain(|job| job.project_id == *ancre.project());
    let Some(job) = next(&due, lane, |id| ancre.jobs().running(id).is_some()) else {
        return Ok(None);
    };
    match ancre.store().lease_job(&job.id, now) {
        Ok(leased) => {
            if let Some(job) = &leased {
                ancre.jobs().set_written(&job.id);
                ancre.jobs().begin(&job.id);
            }
            Ok(leased)
        }
        Err(error) => {
            // Whoever waits for one of them is not left without a word.
            for job in &due {
                ancre.jobs().set_unwritten(job, JobFailure::of(&error), soon(now));
            }
            Err(error)
        }
    }
}

/// When something is tried again that the store did not do.
fn soon(now: Timestamp) -> Timestamp {
    let trouble = i64::try_from(TROUBLE.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().saturating_add(trouble))
}

/// How long nothing is due, as far as is known.
fn until_next(ancre: &Ancre) -> Duration {
    let now = ancre.clock().now();
    let due = ancre.store().next_due(now).ok().flatten();
    let pause = due.map(|due| due.as_millis() - now.as_millis());
    pause
        .and_then(|pause| u64::try_from(pause).ok())
        .map_or(BEAT, |pause| Duration::from_millis(pause.max(10)).min(BEAT))
}

fn run(ancre: &Ancre, job: &Job) {
    let Some(running) = ancre.jobs().running(&job.id) else { return };
    tell_change(ancre, job.clone());
    let context = JobContext::new(ancre, job, &running);
    let is_over = Mutex::new(false);
    let rung = Condvar::new();
    let end = std::thread::scope(|scope| {
        let heart = scope.spawn(|| beat(ancre, &is_over, &rung));
        let end = catch_unwind(AssertUnwindSafe(|| match work_of(job.kind) {
            Some(work) => work.run(&context),
            None => JobEnd::Failed(unknown()),
        }));
        *is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        rung.notify_all();
        let _ = heart.join();
        end.unwrap_or_else(|_| JobEnd::Failed(panicked()))
    });
    let ending = ending(ancre.clock().now(), job, &running, &context, end);
    let ended = give_up(ancre, job, &ending);
    ancre.jobs().set_written(&job.id);
    let has_ended = ended.as_ref().is_some_and(|job| job.state.is_ended());
    ancre.jobs().finish(&job.id, has_ended);
    if let Some(job) = ended {
        tell_change(ancre, job);
    }
    ancre.jobs().tell(&job.id, &Told::Rested);
    ancre.jobs().call();
    // What was indexed anew leaves words behind, as what was deleted does.
    ancre.compact_when_worthwhile();
}

/// Says now and then that a job is alive, also while it tells nothing.
fn beat(ancre: &Ancre, is_over: &Mutex<bool>, rung: &Condvar) {
    let mut over = is_over.lock().unwrap_or_else(PoisonError::into_inner);
    while !*over {
        let waited = rung.wait_timeout_while(over, BEAT, |over| !*over);
        over = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(over, _)| over);
        if !*over {
            // Only a sign for people: the living are told by their lock.
            let _ = ancre.store().beat(ancre.clock().now());
        }
    }
}

/// What becomes of a job that was worked on.
fn ending(
    now: Timestamp,
    job: &Job,
    running: &Running,
    context: &JobContext<'_>,
    end: JobEnd,
) -> JobEnding {
    match end {
        JobEnd::Done => JobEnding::Done,
        JobEnd::Stopped => JobEnding::Released,
        // What fails because it has to stop has not failed.
        JobEnd::Failed(failure)
            if failure.code == ErrorCode::Cancelled && running.cancellation.is_cancelled() =>
        {
            JobEnding::Released
        }
        JobEnd::Failed(failure) if failure.can_pass() => {
            let attempts = if context.got_anywhere() { 1 } else { job.attempts + 1 };
            if attempts > MOST_ATTEMPTS {
                return JobEnding::Paused(failure);
            }
            let rest = i64::try_from(pause(attempts).as_millis()).unwrap_or(i64::MAX);
            let not_before = Timestamp::from_millis(now.as_millis().saturating_add(rest));
            JobEnding::PutOff { failure, not_before, attempts }
        }
        JobEnd::Failed(failure) => JobEnding::Failed(failure),
    }
}

/// Writes down how the work ended; on a disk so full that not even the reserve is left, that too
/// has to wait, and whoever waits for the job is told. When the process ends first, the next one
/// finds the job as it was.
fn give_up(ancre: &Ancre, job: &Job, ending: &JobEnding) -> Option<Job> {
    loop {
        match ancre.store().end_job(&job.id, ending, ancre.clock().now()) {
            Ok(job) => return Some(job),
            Err(error @ StoreError::NotFound { .. }) => {
                tracing::warn!(job = %job.id, %error, "a job went while it was worked on");
                return None;
            }
            Err(error) => {
                tracing::warn!(job = %job.id, %error, "the end of a job could not be written");
                if ancre.jobs().is_stopping() {
                    return None;
                }
                let (failure, next) = match ending {
                    JobEnding::PutOff { failure, not_before, .. } => (failure.clone(), *not_before),
                    JobEnding::Failed(failure) | JobEnding::Paused(failure) => {
                        (failure.clone(), soon(ancre.clock().now()))
                    }
                    JobEnding::Done | JobEnding::Released => {
                        (JobFailure::of(&error), soon(ancre.clock().now()))
                    }
                };
                ancre.jobs().set_unwritten(job, failure, next);
                ancre.jobs().wait(ancre.jobs().calls(), TROUBLE);
            }
        }
    }
}

pub(super) fn tell_change(ancre: &Ancre, job: Job) {
    ancre.tell(Event::JobChanged { job: Box::new(JobSummary::from(job)) });
}

fn unknown() -> JobFailure {
    JobFailure {
        code: ErrorCode::Unsupported,
        message: "this version of Ancre does not know this kind of job".to_owned(),
        hint: Some("Install the newest version of Ancre.".to_owned()),
        details: None,
    }
}

fn panicked() -> JobFailure {
    JobFailure {
        code: ErrorCode::Internal,
        message: "a fault of the program ended this job".to_owned(),
        hint: Some("Try again; if it happens again, restart Ancre.".to_owned()),
        details: None,
    }
}
