//! What a person asks of a job. It takes effect at once, also on one that is worked on: whoever
//! works on it has lost the lease, notices, and tidies up.

use ancre_domain::{Job, JobId, JobState, ProjectId, Timestamp};
use rusqlite::{Transaction, params};

use super::super::place::Trouble;
use super::super::{not_found, rows};
use super::{ending, recount, require, require_in_project};
use crate::StoreError;

pub(super) fn pause(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Job, Trouble> {
    require_going(transaction, project, id)?;
    rows::change(
        transaction,
        "UPDATE jobs SET state = 'paused', leased_by = NULL, not_before = NULL
         WHERE id = ?1 AND state <> 'paused'",
        [id.as_str()],
    )?;
    require(transaction, id)
}

pub(super) fn resume(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Job, Trouble> {
    let job = require_going(transaction, project, id)?;
    if job.state != JobState::Running {
        wait_again(transaction, id)?;
    }
    require(transaction, id)
}

pub(super) fn cancel(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
    now: Timestamp,
) -> Result<Job, Trouble> {
    let job = require_in_project(transaction, project, id)?;
    match job.state {
        JobState::Cancelled => return Ok(job),
        state if state.is_ended() => return Err(StoreError::JobEnded.into()),
        _ => {}
    }
    rows::change(
        transaction,
        "UPDATE jobs SET state = 'cancelled', leased_by = NULL, not_before = NULL,
             error_code = NULL, error_message = NULL, finished_at = ?2
         WHERE id = ?1",
        params![id.as_str(), now.as_millis()],
    )?;
    ending::cancel_items(transaction, id, None, now)?;
    recount(transaction, id)?;
    require(transaction, id)
}

pub(super) fn retry(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
    number: Option<u32>,
    now: Timestamp,
) -> Result<(Job, u32), Trouble> {
    let job = require_in_project(transaction, project, id)?;
    // The document keeps its error until it is claimed; an interface shows the item instead.
    let changed = rows::change(
        transaction,
        "UPDATE job_items SET state = 'queued', error = NULL, updated_at = ?3
         WHERE job_id = ?1 AND (?2 IS NULL OR number = ?2) AND state IN ('failed', 'cancelled')",
        params![id.as_str(), number, now.as_millis()],
    )?;
    if changed == 0 && number.is_some() {
        return Err(not_found("failed item", format!("{id}/{}", number.unwrap_or_default())));
    }
    let is_for_nothing = changed == 0 && job.state == JobState::Done;
    if !is_for_nothing && job.state != JobState::Running {
        wait_again(transaction, id)?;
    }
    if job.state != JobState::Running {
        recount(transaction, id)?;
    }
    Ok((require(transaction, id)?, rows::length(changed)))
}

pub(super) fn retry_failed(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    now: Timestamp,
) -> Result<(Vec<JobId>, u32), Trouble> {
    let jobs: Vec<JobId> = rows::all(
        transaction,
        "SELECT id FROM jobs
         WHERE project_id = ?1 AND (state = 'failed' OR EXISTS (
             SELECT 1 FROM job_items WHERE job_id = jobs.id AND job_items.state = 'failed'))
         ORDER BY position",
        [project.as_str()],
        |row| rows::id(row, "id"),
    )?;
    let mut total = 0;
    for id in &jobs {
        let job = require(transaction, id)?;
        total += rows::change(
            transaction,
            "UPDATE job_items SET state = 'queued', error = NULL, updated_at = ?2
             WHERE job_id = ?1 AND state = 'failed'",
            params![id.as_str(), now.as_millis()],
        )?;
        if job.state != JobState::Running {
            if job.state != JobState::Paused {
                wait_again(transaction, id)?;
            }
            recount(transaction, id)?;
        }
    }
    Ok((jobs, rows::length(total)))
}

/// Moves a job between its new neighbours; where rounding leaves no room, everything is numbered
/// anew.
pub(super) fn move_before(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
    before: Option<&JobId>,
) -> Result<(), Trouble> {
    require_going(transaction, project, id)?;
    let Some(before) = before else {
        let sql = "UPDATE jobs SET position = (SELECT max(position) + 1 FROM jobs) WHERE id = ?1";
        rows::change(transaction, sql, [id.as_str()])?;
        return Ok(());
    };
    require_going(transaction, project, before)?;
    if id == before {
        return Ok(());
    }
    let place = |transaction: &Transaction<'_>| {
        let sql = "SELECT position,
                 coalesce((SELECT max(position) FROM jobs AS other
                           WHERE other.position < jobs.position AND other.id <> ?2),
                          position - 2)
             FROM jobs WHERE id = ?1";
        rows::one(transaction, sql, [before.as_str(), id.as_str()], |row| {
            Ok((row.get::<_, f64>(0)?, row.get::<_, f64>(1)?))
        })?
        .ok_or_else(|| not_found("job", before.as_str()))
    };
    let (mut after, mut previous) = place(transaction)?;
    let between = |previous: f64, after: f64| f64::midpoint(previous, after);
    let has_room = |previous: f64, after: f64| {
        let middle = between(previous, after);
        previous < middle && middle < after
    };
    if !has_room(previous, after) {
        rows::change(
            transaction,
            "UPDATE jobs SET position = numbered.place FROM (
                 SELECT id, row_number() OVER (ORDER BY position, id) AS place FROM jobs
             ) AS numbered WHERE numbered.id = jobs.id",
            [],
        )?;
        (after, previous) = place(transaction)?;
    }
    rows::change(
        transaction,
        "UPDATE jobs SET position = ?2 WHERE id = ?1",
        params![id.as_str(), between(previous, after)],
    )?;
    Ok(())
}

/// The job, if it has not ended.
fn require_going(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Job, Trouble> {
    let job = require_in_project(transaction, project, id)?;
    if job.state.is_ended() { Err(StoreError::JobEnded.into()) } else { Ok(job) }
}

/// Puts a job back in the queue at its place, as if it had never been put off.
fn wait_again(transaction: &Transaction<'_>, id: &JobId) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "UPDATE jobs SET state = 'queued', attempts = 0, not_before = NULL, error_code = NULL,
             error_message = NULL, finished_at = NULL
         WHERE id = ?1",
        [id.as_str()],
    )?;
    Ok(())
}
