//! What a job leaves when nobody works on it any more: its items wait again or end with it, and so
//! do their documents.

use ancre_domain::{ErrorCode, JobFailure, JobId, JobItemState, KnowledgeBaseId, Timestamp};
use rusqlite::{Transaction, params};

use super::super::place::Trouble;
use super::super::rows;
use super::items::OPEN;
use super::recount;

/// After nobody works on a job any more: what was at it waits again.
pub(super) fn put_back(
    transaction: &Transaction<'_>,
    id: &JobId,
    now: Timestamp,
) -> Result<(), Trouble> {
    forgive(transaction, id)?;
    let sql = "UPDATE job_items SET state = 'queued', updated_at = ?2
         WHERE job_id = ?1 AND state IN ('reading', 'splitting', 'embedding')";
    rows::change(transaction, sql, params![id.as_str(), now.as_millis()])?;
    Ok(())
}

/// After a job was cancelled: what has no outcome is cancelled with it, for this reason if there
/// is one beyond the wish of a person. Documents that no other job will index say so, so that
/// nobody waits for them; trying the item or the document again indexes them.
pub(super) fn cancel_items(
    transaction: &Transaction<'_>,
    id: &JobId,
    reason: Option<&JobFailure>,
    now: Timestamp,
) -> Result<(), Trouble> {
    forgive(transaction, id)?;
    rows::change(
        transaction,
        &format!(
            "UPDATE job_items SET state = ?2, error = ?3, updated_at = ?4
             WHERE job_id = ?1 AND state IN {OPEN}"
        ),
        params![
            id.as_str(),
            JobItemState::Cancelled.as_str(),
            reason.map(serde_json::to_string).transpose()?,
            now.as_millis()
        ],
    )?;
    rows::change(
        transaction,
        &format!(
            "UPDATE documents SET status = 'error', error_code = ?2, error_message = ?3
             WHERE status = 'queued'
               AND id IN (SELECT document_id FROM job_items
                          WHERE job_id = ?1 AND state = 'cancelled')
               AND NOT EXISTS (SELECT 1 FROM job_items AS other
                               WHERE other.document_id = documents.id AND other.state IN {OPEN})"
        ),
        params![
            id.as_str(),
            ErrorCode::Cancelled.as_str(),
            "its indexing was cancelled before it was done"
        ],
    )?;
    Ok(())
}

/// Cancels every job on a base that is about to go, with its items, and says which had not ended.
pub(in crate::sqlite) fn end_those_of_base(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
    now: Timestamp,
) -> Result<Vec<JobId>, Trouble> {
    let reason = JobFailure {
        code: ErrorCode::NotFound,
        message: "its knowledge base was deleted".to_owned(),
        hint: None,
        details: None,
    };
    let jobs: Vec<JobId> = rows::all(
        transaction,
        "SELECT id FROM jobs
         WHERE kb_id = ?1 AND state IN ('queued', 'running', 'paused') ORDER BY position",
        [kb.as_str()],
        |row| rows::id(row, "id"),
    )?;
    for id in &jobs {
        rows::change(
            transaction,
            "UPDATE jobs SET state = 'cancelled', leased_by = NULL, not_before = NULL,
                 error_code = ?2, error_message = ?3, finished_at = ?4
             WHERE id = ?1",
            params![id.as_str(), reason.code.as_str(), reason.message, now.as_millis()],
        )?;
        cancel_items(transaction, id, Some(&reason), now)?;
        recount(transaction, id)?;
    }
    Ok(jobs)
}

/// A reason that stops the job is not the document's own.
fn forgive(transaction: &Transaction<'_>, id: &JobId) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "UPDATE documents SET status = 'queued', error_code = NULL, error_message = NULL
         WHERE status = 'error' AND id IN (
             SELECT document_id FROM job_items WHERE job_id = ?1 AND state = 'embedding')",
        [id.as_str()],
    )?;
    Ok(())
}
