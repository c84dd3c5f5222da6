//! Waiting for jobs, for callers that want to see the end.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use ancre_domain::{
    ErrorCode, Job, JobId, JobItem, JobItemState, JobKind, JobProgress, JobState, PageRequest,
    Timestamp,
};

use ancre_store::StoreError;

use super::listening::Told;
use super::{Watch, adopt};
use crate::Ancre;
use crate::wire::{
    IngestOutcome, IngestPhase, IngestProgress, IngestReport, IngestResult, QueueResumed,
    WaitingFor, WireError,
};

/// How often one looks at a job of which nothing is heard.
const LOOK: Duration = Duration::from_secs(2);

/// How often whoever waits is told again that nothing can be done.
const REMINDER: Duration = Duration::from_secs(10);

/// Waits until a job rests: it has ended, or is put off or paused for a reason of its own. One
/// that a person paused is waited for, and so is one with which nothing can be done now, of which
/// `progress` tells why and when it is tried again. When the process works no more, the job is
/// given as it is.
pub(crate) fn wait_for(
    ancre: &Ancre,
    id: &JobId,
    watch: &Watch,
    progress: &dyn Fn(IngestProgress),
) -> Result<Job, WireError> {
    let mut reminded = None;
    let mut hear = |told| match told {
        Told::Progress(told) => progress(*told),
        Told::Waits(job) => {
            if reminded.is_none_or(|reminded: Instant| reminded.elapsed() >= REMINDER) {
                reminded = Some(Instant::now());
                waiting_of(*job).into_iter().for_each(progress);
            }
        }
        Told::Rested => {}
    };
    loop {
        let job = ancre.store().job(ancre.project(), id)?;
        if rests(&job, ancre.clock().now()) {
            // What was told before the end is still to be heard.
            watch.0.try_iter().for_each(hear);
            return Ok(job);
        }
        loop {
            match watch.0.recv_timeout(LOOK) {
                Ok(Told::Rested) | Err(RecvTimeoutError::Timeout) => break,
                Ok(told) => hear(told),
                Err(RecvTimeoutError::Disconnected) => {
                    return Ok(ancre.store().job(ancre.project(), id)?);
                }
            }
        }
    }
}

/// [`wait_for`], and what became of each item.
pub(crate) fn wait_for_report(
    ancre: &Ancre,
    id: &JobId,
    watch: &Watch,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let job = wait_for(ancre, id, watch, progress)?;
    let mut outcomes = Vec::new();
    loop {
        let offset = u32::try_from(outcomes.len()).unwrap_or(u32::MAX);
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let items = ancre.store().list_job_items(ancre.project(), id, None, page)?.items;
        if items.is_empty() {
            break;
        }
        outcomes.extend(items.into_iter().map(outcome_of_item));
    }
    let of_result = |result| {
        let count = outcomes.iter().filter(|outcome| outcome.result == result).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    Ok(IngestReport {
        job_id: job.id.clone(),
        kb_id: job.kb_id.clone(),
        ready: of_result(IngestResult::Ready),
        already_here: of_result(IngestResult::AlreadyHere),
        failed: of_result(IngestResult::Failed),
        skipped: of_result(IngestResult::Skipped),
        cancelled: of_result(IngestResult::Cancelled),
        waiting: of_result(IngestResult::Waiting),
        stopped: stopped(&job),
        outcomes,
    })
}

/// How the waiting for a whole queue ended.
pub(crate) type QueueEnd = QueueResumed;

/// Takes up what waits without a job, lets the workers begin, and waits for every job that is
/// queued or running now.
pub(crate) fn wait_for_all(
    ancre: &Ancre,
    progress: &dyn Fn(IngestProgress),
) -> Result<QueueEnd, WireError> {
    let mut end = QueueEnd::default();
    match adopt(ancre) {
        Ok(_) => {}
        // The jobs that there are can be waited for all the same.
        Err(error) if error.code == ErrorCode::DiskFull => end.stopped = Some(error),
        Err(error) => return Err(error),
    }
    let mut watched = Vec::new();
    let of_state = |id: &JobId, state| {
        let page = PageRequest { offset: 0, limit: 0 };
        ancre.store().list_job_items(ancre.project(), id, state, page).map(|items| items.total)
    };
    for (project, id) in ancre.store().active_jobs()? {
        if project == *ancre.project() {
            try_now(ancre, &id)?;
            let before = of_state(&id, Some(JobItemState::Ready))?;
            let failed_before = of_state(&id, Some(JobItemState::Failed))?;
            let watch = ancre.jobs().watch(&id);
            watched.push((id, watch, before, failed_before));
        }
    }
    ancre.start_jobs();
    ancre.jobs().call();
    for (id, watch, before, failed_before) in watched {
        let job = match wait_for(ancre, &id, &watch, progress) {
            Ok(job) => job,
            // Somebody cleared it away once it had ended.
            Err(error) if error.code == ErrorCode::NotFound => continue,
            Err(error) => return Err(error),
        };
        end.stopped = end.stopped.or_else(|| stopped(&job));
        if job.kind == JobKind::Reindex {
            end.indexes_built += u32::from(job.state == JobState::Done);
            end.indexes_waiting += u32::from(!job.state.is_ended());
            continue;
        }
        end.ready += of_state(&id, Some(JobItemState::Ready))?.saturating_sub(before);
        end.failed += of_state(&id, Some(JobItemState::Failed))?.saturating_sub(failed_before);
        if !job.state.is_ended() {
            let JobProgress { items_total, items_done, items_cancelled, .. } = job.progress;
            end.waiting += items_total.saturating_sub(items_done + items_cancelled);
        }
    }
    Ok(end)
}

/// Lets a job that was put off try again now, since a person asks for it. Where that cannot be
/// written down it waits for its time, and one that somebody ended meanwhile stays ended.
fn try_now(ancre: &Ancre, id: &JobId) -> Result<(), WireError> {
    let job = ancre.store().job(ancre.project(), id)?;
    if job.state != JobState::Queued || job.failure.is_none() {
        return Ok(());
    }
    match ancre.store().resume_job(ancre.project(), id) {
        Ok(_) | Err(StoreError::DiskFull | StoreError::JobEnded) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What is told of a job with which nothing can be done now.
fn waiting_of(job: Job) -> Option<IngestProgress> {
    let error = WireError::from(job.failure?);
    Some(IngestProgress {
        job_id: job.id,
        kb_id: job.kb_id?,
        phase: IngestPhase::Waiting,
        items_total: job.progress.items_total,
        items_done: job.progress.items_done,
        items_failed: job.progress.items_failed,
        chunks_done: 0,
        chunks_total: 0,
        chunks_embedded: job.progress.chunks_done,
        current: None,
        recognition: None,
        remaining_ms: None,
        outcome: None,
        waits: Some(WaitingFor { error, next_attempt_at: job.not_before }),
        stopped: None,
    })
}

/// Whether nothing happens with a job until something else does. One that was put off and is due
/// is about to be taken.
fn rests(job: &Job, now: Timestamp) -> bool {
    let is_put_off = job.not_before.is_some_and(|not_before| not_before > now);
    match job.state {
        JobState::Done | JobState::Failed | JobState::Cancelled => true,
        JobState::Running => false,
        JobState::Queued => job.failure.is_some() && is_put_off,
        JobState::Paused => job.failure.is_some(),
    }
}

/// Why a job did not come to its end, if it did not.
fn stopped(job: &Job) -> Option<WireError> {
    // One that a person cancelled has none.
    job.failure.clone().filter(|_| job.state != JobState::Done).map(WireError::from)
}

/// An item as the report of an ingestion has it. What has no outcome waits.
pub(super) fn outcome_of_item(item: JobItem) -> IngestOutcome {
    let result = match item.state {
        JobItemState::Ready => IngestResult::Ready,
        JobItemState::AlreadyHere => IngestResult::AlreadyHere,
        JobItemState::Failed => IngestResult::Failed,
        JobItemState::Skipped => IngestResult::Skipped,
        JobItemState::Queued
        | JobItemState::Reading
        | JobItemState::Splitting
        | JobItemState::Embedding => IngestResult::Waiting,
        JobItemState::Cancelled => IngestResult::Cancelled,
    };
    IngestOutcome {
        path: item.path,
        title: item.title,
        result,
        document_id: item.document_id,
        chunk_count: item.chunk_count,
        error: item.failure.map(WireError::from),
        warnings: item.warnings,
    }
}
