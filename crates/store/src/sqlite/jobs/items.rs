//! The table `job_items`.

use ancre_domain::{
    DocumentId, JobId, JobItem, JobItemState, JobProgress, KnowledgeBaseId, Page, PageRequest,
    ProjectId, Timestamp,
};
use rusqlite::{Row, Transaction, params};

use super::super::place::Trouble;
use super::super::{not_found, rows};
use crate::traits::{ItemChange, NewJobItem};

/// The states without an outcome, as SQL has them.
pub(super) const OPEN: &str = "('queued', 'reading', 'splitting', 'embedding')";

/// Adds items behind those that the job has.
pub(super) fn add(
    transaction: &Transaction<'_>,
    id: &JobId,
    items: &[NewJobItem],
    now: Timestamp,
) -> Result<(), Trouble> {
    let sql = "SELECT coalesce(max(number), 0) FROM job_items WHERE job_id = ?1";
    let last: u32 =
        rows::one(transaction, sql, [id.as_str()], |row| row.get(0))?.unwrap_or_default();
    let mut statement = transaction.prepare_cached(
        "INSERT INTO job_items (job_id, number, path, title, state, document_id, chunk_count,
                                payload, error, warnings, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for (number, item) in (last + 1..).zip(items) {
        statement.execute(params![
            id.as_str(),
            number,
            item.path,
            item.title,
            item.state.as_str(),
            item.document_id.as_ref().map(DocumentId::as_str),
            item.chunk_count,
            item.payload,
            item.failure.as_ref().map(serde_json::to_string).transpose()?,
            serde_json::to_string(&item.warnings)?,
            now.as_millis(),
        ])?;
    }
    Ok(())
}

/// Puts items in the place of one.
pub(super) fn replace(
    transaction: &Transaction<'_>,
    id: &JobId,
    number: u32,
    items: &[NewJobItem],
    now: Timestamp,
) -> Result<(), Trouble> {
    // Added first: the numbers of what follows are never used twice.
    add(transaction, id, items, now)?;
    let sql = "DELETE FROM job_items WHERE job_id = ?1 AND number = ?2";
    match rows::change(transaction, sql, params![id.as_str(), number])? {
        0 => Err(not_found("job item", number.to_string())),
        _ => Ok(()),
    }
}

pub(super) fn list(
    transaction: &Transaction<'_>,
    id: &JobId,
    state: Option<JobItemState>,
    page: PageRequest,
) -> Result<Page<JobItem>, Trouble> {
    // Two fixed conditions rather than one with an OR, which no index could serve.
    let condition =
        if state.is_some() { "job_id = ?1 AND state = ?2" } else { "job_id = ?1 AND ?2 IS NULL" };
    let state = state.map(JobItemState::as_str);
    let (limit, offset) = rows::limit_and_offset(page);
    let items = rows::all(
        transaction,
        &format!("SELECT * FROM job_items WHERE {condition} ORDER BY number LIMIT ?3 OFFSET ?4"),
        params![id.as_str(), state, limit, offset],
        read_item,
    )?;
    let total = rows::one(
        transaction,
        &format!("SELECT count(*) FROM job_items WHERE {condition}"),
        params![id.as_str(), state],
        |row| row.get(0),
    )?;
    Ok(Page { items, total: total.unwrap_or_default() })
}

/// The first items after a number that have no outcome.
pub(super) fn next(
    transaction: &Transaction<'_>,
    id: &JobId,
    after: u32,
    limit: u32,
) -> Result<Vec<JobItem>, Trouble> {
    rows::all(
        transaction,
        &format!(
            "SELECT * FROM job_items
             WHERE job_id = ?1 AND state IN {OPEN} AND number > ?2 ORDER BY number LIMIT ?3"
        ),
        params![id.as_str(), after, limit],
        read_item,
    )
}

/// Writes where an item stands. What the change does not name stays: a title, a document.
pub(super) fn change(
    transaction: &Transaction<'_>,
    id: &JobId,
    number: u32,
    state: JobItemState,
    change: &ItemChange,
    now: Timestamp,
) -> Result<(), Trouble> {
    let changed = rows::change(
        transaction,
        "UPDATE job_items SET state = ?3, title = coalesce(?4, title),
             document_id = coalesce(?5, document_id), chunk_count = ?6, error = ?7,
             warnings = ?8, updated_at = ?9, attempts = attempts + (?3 = 'embedding')
         WHERE job_id = ?1 AND number = ?2",
        params![
            id.as_str(),
            number,
            state.as_str(),
            change.title,
            change.document_id.as_ref().map(DocumentId::as_str),
            change.chunk_count,
            change.failure.as_ref().map(serde_json::to_string).transpose()?,
            serde_json::to_string(&change.warnings)?,
            now.as_millis(),
        ],
    )?;
    if changed == 0 { Err(not_found("job item", number.to_string())) } else { Ok(()) }
}

/// Whether an item has no outcome.
pub(super) fn is_open(
    transaction: &Transaction<'_>,
    id: &JobId,
    number: u32,
) -> Result<bool, Trouble> {
    let sql =
        format!("SELECT 1 FROM job_items WHERE job_id = ?1 AND number = ?2 AND state IN {OPEN}");
    Ok(rows::one(transaction, &sql, params![id.as_str(), number], |_| Ok(()))?.is_some())
}

/// Writes which document an item is about.
pub(super) fn set_document(
    transaction: &Transaction<'_>,
    id: &JobId,
    number: u32,
    document: &DocumentId,
) -> Result<(), Trouble> {
    let sql = "UPDATE job_items SET document_id = ?3 WHERE job_id = ?1 AND number = ?2";
    rows::change(transaction, sql, params![id.as_str(), number, document.as_str()])?;
    Ok(())
}

/// What the items of a job add up to.
pub(super) fn count(transaction: &Transaction<'_>, id: &JobId) -> Result<JobProgress, Trouble> {
    let groups = rows::all(
        transaction,
        "SELECT state, count(*) AS items, sum(chunk_count) AS chunks,
                sum(warnings <> '[]') AS flagged
         FROM job_items WHERE job_id = ?1 GROUP BY state",
        [id.as_str()],
        |row| {
            Ok((
                rows::word(row, "state", JobItemState::from_word)?,
                row.get::<_, u32>("items")?,
                row.get::<_, u32>("chunks")?,
                row.get::<_, u32>("flagged")?,
            ))
        },
    )?;
    let mut progress = JobProgress::default();
    for (state, items, chunks, flagged) in groups {
        progress.items_total += items;
        if !state.is_ended() {
            continue;
        }
        if state == JobItemState::Cancelled {
            progress.items_cancelled = items;
            continue;
        }
        progress.items_done += items;
        progress.items_flagged += flagged;
        match state {
            JobItemState::Ready => progress.chunks_done += chunks,
            JobItemState::Failed => progress.items_failed = items,
            JobItemState::AlreadyHere => progress.items_already_here = items,
            JobItemState::Skipped => progress.items_skipped = items,
            _ => {}
        }
    }
    progress.chunks_total = progress.chunks_done;
    Ok(progress)
}

/// The documents that wait and that nobody will take up.
pub(super) fn documents_without_job(
    transaction: &Transaction<'_>,
) -> Result<Vec<(ProjectId, KnowledgeBaseId, DocumentId)>, Trouble> {
    // One that was cancelled waits for a person. The inner list is only made when there is an
    // outer row.
    rows::all(
        transaction,
        &format!(
            "SELECT documents.id, kb_id, project_id
             FROM documents JOIN knowledge_bases ON knowledge_bases.id = kb_id
             WHERE status = 'queued' AND documents.id NOT IN (
                 SELECT document_id FROM job_items
                 WHERE document_id IS NOT NULL AND (state IN {OPEN} OR state = 'cancelled'))
             ORDER BY documents.created_at, documents.rowid"
        ),
        [],
        |row| Ok((rows::id(row, "project_id")?, rows::id(row, "kb_id")?, rows::id(row, "id")?)),
    )
}

fn read_item(row: &Row<'_>) -> rusqlite::Result<JobItem> {
    Ok(JobItem {
        number: row.get("number")?,
        path: row.get("path")?,
        title: row.get("title")?,
        state: rows::word(row, "state", JobItemState::from_word)?,
        document_id: rows::optional_id(row, "document_id")?,
        chunk_count: row.get("chunk_count")?,
        attempts: row.get("attempts")?,
        payload: row.get("payload")?,
        failure: rows::optional_json(row, "error")?,
        warnings: rows::json(row, "warnings")?,
    })
}
