//! Whose a job is while it is worked on: `jobs.leased_by`.
//!
//! A lease holds as long as the store that made it is open; see [`Instance`]. The heartbeat beside
//! it is for people: a lock of the operating system tells the living more surely than a time.

use ancre_domain::{Job, JobFailure, JobId, JobProgress, JobState, JobStep, Timestamp};
use rusqlite::{Transaction, params};

use super::super::instance::Instance;
use super::super::place::Trouble;
use super::super::rows;
use super::{JOB, ending, items, read_job, recount, require};
use crate::traits::JobEnding;

/// The first queued jobs that may be worked on now.
pub(super) fn due(
    transaction: &Transaction<'_>,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<Job>, Trouble> {
    rows::all(
        transaction,
        &format!(
            "{JOB} WHERE state = 'queued' AND coalesce(not_before, 0) <= ?1
             ORDER BY position LIMIT ?2"
        ),
        params![now.as_millis(), limit],
        read_job,
    )
}

pub(super) fn next_due(
    transaction: &Transaction<'_>,
    now: Timestamp,
) -> Result<Option<Timestamp>, Trouble> {
    let due = rows::one(
        transaction,
        "SELECT min(not_before) FROM jobs WHERE state = 'queued' AND not_before > ?1",
        [now.as_millis()],
        |row| row.get::<_, Option<i64>>(0),
    )?;
    Ok(due.flatten().map(Timestamp::from_millis))
}

/// Takes a queued job for `instance`.
pub(super) fn lease(
    transaction: &Transaction<'_>,
    instance: &Instance,
    id: &JobId,
    now: Timestamp,
) -> Result<Option<Job>, Trouble> {
    let changed = rows::change(
        transaction,
        "UPDATE jobs SET state = 'running', leased_by = ?2, heartbeat_at = ?3,
             started_at = coalesce(started_at, ?3), not_before = NULL, error_code = NULL,
             error_message = NULL
         WHERE id = ?1 AND state = 'queued'",
        params![id.as_str(), instance.name(), now.as_millis()],
    )?;
    if changed == 0 { Ok(None) } else { require(transaction, id).map(Some) }
}

/// Writes down how far a job is; `false` when `instance` has no lease of it.
pub(super) fn keep(
    transaction: &Transaction<'_>,
    instance: &Instance,
    id: &JobId,
    step: Option<JobStep>,
    progress: &JobProgress,
    now: Timestamp,
) -> Result<bool, Trouble> {
    let changed = rows::change(
        transaction,
        "UPDATE jobs SET step = ?3, progress = ?4, heartbeat_at = ?5
         WHERE id = ?1 AND state = 'running' AND leased_by = ?2",
        params![
            id.as_str(),
            instance.name(),
            step.map(JobStep::as_str),
            serde_json::to_string(progress)?,
            now.as_millis(),
        ],
    )?;
    Ok(changed > 0)
}

/// Gives a job up, unless a person decided otherwise meanwhile, and tidies its items up.
pub(super) fn end(
    transaction: &Transaction<'_>,
    instance: &Instance,
    id: &JobId,
    ending: &JobEnding,
    now: Timestamp,
) -> Result<Job, Trouble> {
    let (state, failure, not_before, attempts) = match ending {
        JobEnding::Done => (JobState::Done, None, None, Some(0)),
        JobEnding::Failed(failure) => (JobState::Failed, Some(failure), None, Some(0)),
        JobEnding::PutOff { failure, not_before, attempts } => {
            (JobState::Queued, Some(failure), Some(not_before.as_millis()), Some(*attempts))
        }
        JobEnding::Paused(failure) => (JobState::Paused, Some(failure), None, Some(0)),
        JobEnding::Released => (JobState::Queued, None, None, None),
    };
    rows::change(
        transaction,
        "UPDATE jobs SET state = ?3, leased_by = NULL, error_code = ?4, error_message = ?5,
             not_before = ?6, attempts = coalesce(?7, attempts), finished_at = ?8
         WHERE id = ?1 AND state = 'running' AND leased_by = ?2",
        params![
            id.as_str(),
            instance.name(),
            state.as_str(),
            failure.map(|failure| failure.code.as_str()),
            failure.map(message),
            not_before,
            attempts,
            state.is_ended().then(|| now.as_millis()),
        ],
    )?;
    match require(transaction, id)?.state {
        JobState::Cancelled => ending::cancel_items(transaction, id, None, now)?,
        _ => ending::put_back(transaction, id, now)?,
    }
    if require(transaction, id)?.state == JobState::Done {
        stay_true(transaction, id)?;
    }
    recount(transaction, id)?;
    require(transaction, id)
}

/// A job that came to its end is not done while items of it wait or were cancelled.
fn stay_true(transaction: &Transaction<'_>, id: &JobId) -> Result<(), Trouble> {
    if !items::next(transaction, id, 0, 1)?.is_empty() {
        // Somebody wanted an item tried again in the last moment.
        let sql = "UPDATE jobs SET state = 'queued', finished_at = NULL WHERE id = ?1";
        rows::change(transaction, sql, [id.as_str()])?;
        return Ok(());
    }
    // Somebody tried some items of a cancelled job again; the others stay cancelled. An item that
    // is cancelled for a reason of its own, as one whose document was taken away, was decided on.
    let sql = "UPDATE jobs SET state = 'cancelled' WHERE id = ?1 AND EXISTS (
                   SELECT 1 FROM job_items
                   WHERE job_id = ?1 AND job_items.state = 'cancelled' AND error IS NULL)";
    rows::change(transaction, sql, [id.as_str()])?;
    Ok(())
}

/// Puts back in the queue what stores that are gone had leased.
pub(super) fn release_abandoned(
    transaction: &Transaction<'_>,
    instance: &Instance,
    now: Timestamp,
) -> Result<Vec<JobId>, Trouble> {
    let leased: Vec<(JobId, String)> = rows::all(
        transaction,
        "SELECT id, leased_by FROM jobs WHERE state = 'running' ORDER BY position",
        [],
        |row| Ok((rows::id(row, "id")?, row.get("leased_by")?)),
    )?;
    let mut released = Vec::new();
    for (id, holder) in leased {
        if instance.is_alive(transaction, &holder)? {
            continue;
        }
        rows::change(
            transaction,
            "UPDATE jobs SET state = 'queued', leased_by = NULL WHERE id = ?1",
            [id.as_str()],
        )?;
        ending::put_back(transaction, &id, now)?;
        recount(transaction, &id)?;
        released.push(id);
    }
    Ok(released)
}

fn message(failure: &JobFailure) -> &str {
    &failure.message
}
