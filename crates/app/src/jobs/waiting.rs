//! Waiting for jobs, for callers that want to see the end.

use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use ancre_domain::{ErrorCode, Job, JobId, JobItem, JobItemState, JobKind, JobState, PageRequest};

use super::listening::Told;
use super::{Watch, adopt};
use crate::Ancre;
use crate::wire::{
    IngestOutcome, IngestProgress, IngestReport, IngestResult, QueueResumed, WireError,
};

/// How often one looks at a job of which nothing is heard.
const LOOK: Duration = Duration::from_secs(2);

/// Waits until a job rests: it has ended, or is put off or paused for a reason of its own. One
/// that a person paused is waited for. When the process works no more, the job is given as it is.
pub(crate) fn wait_for(
    ancre: &Ancre,
    id: &JobId,
    watch: &Watch,
    progress: &dyn Fn(IngestProgress),
) -> Result<Job, WireError> {
    loop {
        let job = ancre.store().job(ancre.project(), id)?;
        if rests(&job) {
            // What was told before the end is still to be heard.
            for told in watch.0.try_iter() {
                hear(told, progress);
            }
            return Ok(job);
        }
        loop {
            match watch.0.recv_timeout(LOOK) {
                Ok(Told::Rested) | Err(RecvTimeoutError::Timeout) => break,
                Ok(told) => hear(told, progress),
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
    adopt(ancre)?;
    let mut watched = Vec::new();
    let mut end = QueueEnd::default();
    let of_state = |id: &JobId, state| {
        let page = PageRequest { offset: 0, limit: 0 };
        ancre.store().list_job_items(ancre.project(), id, state, page).map(|items| items.total)
    };
    for (project, id) in ancre.store().active_jobs()? {
        if project == *ancre.project() {
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
            end.waiting += job.progress.items_total.saturating_sub(job.progress.items_done);
        }
    }
    Ok(end)
}

fn hear(told: Told, progress: &dyn Fn(IngestProgress)) {
    if let Told::Progress(told) = told {
        progress(*told);
    }
}

fn rests(job: &Job) -> bool {
    job.state.is_ended() || (job.state != JobState::Running && job.failure.is_some())
}

/// Why a job did not come to its end, if it did not.
fn stopped(job: &Job) -> Option<WireError> {
    let is_done = matches!(job.state, JobState::Done | JobState::Cancelled);
    job.failure.clone().filter(|_| !is_done).map(WireError::from)
}

/// An item as the report of an ingestion has it. What has no outcome was not reached.
pub(super) fn outcome_of_item(item: JobItem) -> IngestOutcome {
    let result = match item.state {
        JobItemState::Ready => IngestResult::Ready,
        JobItemState::AlreadyHere => IngestResult::AlreadyHere,
        JobItemState::Failed => IngestResult::Failed,
        JobItemState::Skipped => IngestResult::Skipped,
        JobItemState::Queued
        | JobItemState::Reading
        | JobItemState::Splitting
        | JobItemState::Embedding
        | JobItemState::Cancelled => IngestResult::Cancelled,
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
