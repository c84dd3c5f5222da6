//! What a job has in its hands while it is worked on.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use ancre_domain::{Cancellation, ErrorCode, Job, JobFailure, JobProgress, JobStep, Timestamp};
use serde::de::DeserializeOwned;

use super::Running;
use super::estimate::Pace;
use crate::Ancre;
use crate::wire::{Event, JobSummary};

/// The shortest time between two events of a job that change no step, in milliseconds.
const EVENT_MS: i64 = 250;

/// The shortest time between two writes of a job's progress, in milliseconds.
const WRITE_MS: i64 = 1_000;

/// One run of a job: the application, the job as it was when the run began, the flag that stops
/// it, and its progress, which is told and kept from here.
pub struct JobContext<'a> {
    ancre: &'a Ancre,
    job: &'a Job,
    running: &'a Running,
    state: Mutex<State>,
}

struct State {
    step: Option<JobStep>,
    progress: JobProgress,
    pace: Pace,
    told: Timestamp,
    written: Timestamp,
}

impl<'a> JobContext<'a> {
    pub(super) fn new(ancre: &'a Ancre, job: &'a Job, running: &'a Running) -> Self {
        let now = ancre.clock().now();
        let progress = JobProgress {
            current: None,
            remaining_ms: None,
            chunks_per_minute: None,
            ..job.progress.clone()
        };
        let state = State {
            step: job.step,
            pace: Pace::begin(now, &progress),
            progress,
            told: now,
            written: now,
        };
        Self { ancre, job, running, state: Mutex::new(state) }
    }

    /// The application: its store, engine, reader and clock.
    pub fn ancre(&self) -> &'a Ancre {
        self.ancre
    }

    /// The job as it was when this run began.
    pub fn job(&self) -> &'a Job {
        self.job
    }

    /// Raised when the work has to stop soon, for whatever reason. Work looks at it between steps
    /// that take at most a few seconds.
    pub fn cancellation(&self) -> &'a Cancellation {
        &self.running.cancellation
    }

    /// What the job was asked to do.
    ///
    /// # Errors
    ///
    /// What the store says; `internal` when the payload is not of this form.
    pub fn payload<T: DeserializeOwned>(&self) -> Result<T, JobFailure> {
        let text =
            self.ancre.store().job_payload(&self.job.id).map_err(|error| JobFailure::of(&error))?;
        serde_json::from_str(&text).map_err(|error| JobFailure {
            code: ErrorCode::Internal,
            message: "what this job is to do cannot be read".to_owned(),
            hint: Some("Cancel it and ask for it again.".to_owned()),
            details: Some(serde_json::json!({ "detail": error.to_string() })),
        })
    }

    /// What the job does now; told and written at once.
    pub fn set_step(&self, step: JobStep) {
        let has_changed = self.with(|state| state.step.replace(step) != Some(step));
        if has_changed {
            self.publish(true);
        }
    }

    /// Changes the progress. It is told at most four times a second and written once; the pace
    /// and the time that is left follow from it.
    pub fn report(&self, change: impl FnOnce(&mut JobProgress)) {
        self.with(|state| change(&mut state.progress));
        self.publish(false);
    }

    /// The step and progress as they are.
    pub fn progress(&self) -> (Option<JobStep>, JobProgress) {
        self.with(|state| (state.step, state.progress.clone()))
    }

    /// How many chunks of an item are embedded, for lists that show the item meanwhile; `None`
    /// once it has its outcome.
    pub(super) fn set_item_chunks(&self, number: u32, chunks: Option<u32>) {
        let mut items = self.running.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        match chunks {
            Some(chunks) => items.insert(number, chunks),
            None => items.remove(&number),
        };
    }

    /// Whether anything was finished in this run.
    pub(super) fn got_anywhere(&self) -> bool {
        let (_, progress) = self.progress();
        let before = &self.job.progress;
        progress.items_done > before.items_done || progress.chunks_done > before.chunks_done
    }

    fn publish(&self, is_due: bool) {
        let now = self.ancre.clock().now();
        let (step, progress, is_told, is_written) = self.with(|state| {
            let State { step, progress, pace, told, written } = state;
            let passed = |since: Timestamp, pause| now.as_millis() - since.as_millis() >= pause;
            let is_told = is_due || passed(*told, EVENT_MS);
            let is_written = is_due || passed(*written, WRITE_MS);
            if is_told || is_written {
                pace.note(now, progress);
                progress.chunks_per_minute = pace.chunks_per_minute(now, progress);
                progress.remaining_ms = pace.remaining_ms(now, *step, progress);
            }
            if is_told {
                *told = now;
            }
            if is_written {
                *written = now;
            }
            let live = (*step, progress.clone());
            *self.running.live.lock().unwrap_or_else(PoisonError::into_inner) = Some(live.clone());
            (live.0, live.1, is_told, is_written)
        });
        if is_written {
            match self.ancre.store().keep_job(&self.job.id, step, &progress, now) {
                Ok(true) => {}
                // Somebody paused or cancelled it, in this process or another.
                Ok(false) => self.running.cancellation.cancel(),
                Err(error) => {
                    tracing::warn!(job = %self.job.id, %error, "progress could not be written");
                }
            }
        }
        if is_told && !self.cancellation().is_cancelled() {
            let job = Job { step, progress, ..self.job.clone() };
            self.ancre.tell(Event::JobChanged { job: Box::new(JobSummary::from(job)) });
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for JobContext<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("JobContext").field("job", &self.job.id).finish_non_exhaustive()
    }
}
