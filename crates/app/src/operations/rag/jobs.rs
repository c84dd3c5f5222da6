//! Durable jobs: showing them, and what a person asks of them.

use std::sync::PoisonError;

use ancre_domain::{Job, JobId, JobKind, Page};

use crate::Ancre;
use crate::jobs::{Told, forget_build};
use crate::operations::Never;
use crate::operations::rag::recognition::ensure_can_recognise;
use crate::wire::{
    Event, JobItemView, JobRef, JobSummary, ListJobItems, ListJobs, MoveJob, Nothing, RetryJob,
    WireError,
};

/// Lists jobs: running, queued in their order, paused, then ended ones, the last ended first.
///
/// # Errors
///
/// What the store says.
pub fn list_jobs(
    ancre: &Ancre,
    input: ListJobs,
    _: &dyn Fn(Never),
) -> Result<Page<JobSummary>, WireError> {
    let Page { items, total } = ancre.store().list_jobs(ancre.project(), input.page)?;
    let live = |job| JobSummary::from(ancre.jobs().live(job));
    Ok(Page { items: items.into_iter().map(live).collect(), total })
}

/// Shows a job.
///
/// # Errors
///
/// `not_found`.
pub fn get_job(ancre: &Ancre, input: JobRef, _: &dyn Fn(Never)) -> Result<JobSummary, WireError> {
    Ok(ancre.jobs().live(ancre.store().job(ancre.project(), &input.job_id)?).into())
}

/// Lists a job's items by number.
///
/// # Errors
///
/// `not_found`.
pub fn list_job_items(
    ancre: &Ancre,
    input: ListJobItems,
    _: &dyn Fn(Never),
) -> Result<Page<JobItemView>, WireError> {
    let ListJobItems { job_id, state, page } = input;
    let Page { items, total } =
        ancre.store().list_job_items(ancre.project(), &job_id, state, page)?;
    let mut items: Vec<JobItemView> = items.into_iter().map(JobItemView::from).collect();
    if let Some(running) = ancre.jobs().running(&job_id) {
        let chunks = running.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        for item in &mut items {
            if let Some(done) = chunks.get(&item.number) {
                item.chunks_done = *done;
            }
        }
    }
    Ok(Page { items, total })
}

/// Keeps a job from being worked on; what it finished stays.
///
/// # Errors
///
/// `not_found`, `job_ended`.
pub fn pause_job(ancre: &Ancre, input: JobRef, _: &dyn Fn(Never)) -> Result<JobSummary, WireError> {
    let job = ancre.store().pause_job(ancre.project(), &input.job_id)?;
    ancre.jobs().interrupt(&job.id);
    Ok(changed(ancre, job))
}

/// Lets a paused job go on, or one that waits for its next attempt try again now.
///
/// # Errors
///
/// `not_found`, `job_ended`.
pub fn resume_job(
    ancre: &Ancre,
    input: JobRef,
    _: &dyn Fn(Never),
) -> Result<JobSummary, WireError> {
    let job = ancre.store().resume_job(ancre.project(), &input.job_id)?;
    Ok(going(ancre, job))
}

/// Ends a job; what it finished stays. One that was cancelled before stays so.
///
/// # Errors
///
/// `not_found`, `job_ended`.
pub fn cancel_job(
    ancre: &Ancre,
    input: JobRef,
    _: &dyn Fn(Never),
) -> Result<JobSummary, WireError> {
    let job = ancre.store().cancel_job(ancre.project(), &input.job_id, ancre.clock().now())?;
    let is_running = ancre.jobs().running(&job.id).is_some();
    ancre.jobs().interrupt(&job.id);
    if !is_running {
        // Nobody works on it who could say that it is over.
        ancre.jobs().tell(&job.id, &Told::Rested);
        if job.kind == JobKind::Reindex {
            forget_build(ancre, &job);
        }
    }
    Ok(changed(ancre, job))
}

/// Lets whoever works on a job, or waits for it, know that it was cancelled with its base.
pub(super) fn was_cancelled(ancre: &Ancre, id: &JobId) {
    ancre.jobs().interrupt(id);
    if ancre.jobs().running(id).is_none() {
        ancre.jobs().tell(id, &Told::Rested);
    }
    match ancre.store().job(ancre.project(), id) {
        Ok(job) => drop(changed(ancre, job)),
        Err(error) => tracing::warn!(job = %id, %error, "a cancelled job cannot be shown"),
    }
}

/// Tries a job again: one item, or each that failed or was cancelled.
///
/// # Errors
///
/// `not_found`, also for an item that has not failed; `unsupported` where scans are to be recognised
/// and nothing can.
pub fn retry_job(
    ancre: &Ancre,
    input: RetryJob,
    _: &dyn Fn(Never),
) -> Result<JobSummary, WireError> {
    if input.recognise {
        ensure_can_recognise(ancre)?;
        ancre.jobs().recognise_scans(&input.job_id, input.number);
    }
    if let Some(password) = input.password {
        ancre.jobs().keep_password(&input.job_id, password);
    }
    let now = ancre.clock().now();
    let (job, _) = ancre.store().retry_job(ancre.project(), &input.job_id, input.number, now)?;
    Ok(going(ancre, job))
}

/// Tries the failed items of every job again, and says how many there are.
///
/// # Errors
///
/// What the store says.
pub fn retry_failed(ancre: &Ancre, _: Nothing, _: &dyn Fn(Never)) -> Result<u32, WireError> {
    let (jobs, items) = ancre.store().retry_failed(ancre.project(), ancre.clock().now())?;
    for id in jobs {
        match ancre.store().job(ancre.project(), &id) {
            Ok(job) => drop(changed(ancre, job)),
            Err(error) => tracing::warn!(%error, "a job went while it was tried again"),
        }
    }
    ancre.start_jobs();
    ancre.jobs().call();
    Ok(items)
}

/// Moves a job before another, or behind all.
///
/// # Errors
///
/// `not_found`, `job_ended` for either.
pub fn move_job(ancre: &Ancre, input: MoveJob, _: &dyn Fn(Never)) -> Result<Nothing, WireError> {
    ancre.store().move_job(ancre.project(), &input.job_id, input.before.as_ref())?;
    ancre.tell(Event::JobsChanged);
    Ok(Nothing {})
}

/// Forgets the jobs that have ended; what they made stays.
///
/// # Errors
///
/// What the store says.
pub fn clear_jobs(ancre: &Ancre, _: Nothing, _: &dyn Fn(Never)) -> Result<Nothing, WireError> {
    ancre.store().clear_jobs(ancre.project())?;
    ancre.tell(Event::JobsChanged);
    Ok(Nothing {})
}

fn changed(ancre: &Ancre, job: Job) -> JobSummary {
    let summary = JobSummary::from(job);
    ancre.tell(Event::JobChanged { job: Box::new(summary.clone()) });
    summary
}

fn going(ancre: &Ancre, job: Job) -> JobSummary {
    let summary = changed(ancre, job);
    ancre.start_jobs();
    ancre.jobs().call();
    summary
}
