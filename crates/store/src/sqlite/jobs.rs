//! The tables `jobs` and `job_items`, and where each part of a job's life is written down: leases
//! and ends in [`leases`] and [`ending`], what a person asks in [`wishes`], items in [`items`].

mod ending;
mod items;
mod leases;
mod wishes;

use ancre_domain::{
    Document, DocumentId, ErrorCode, Job, JobFailure, JobId, JobItem, JobItemState, JobKind,
    JobProgress, JobState, JobStep, KnowledgeBaseId, Page, PageRequest, ProjectId, SourceId,
    Timestamp,
};
pub(super) use ending::end_those_of_base;
use rusqlite::{Row, Transaction, params};

use super::place::Trouble;
use super::{SqliteStore, documents, not_found, rows};
use crate::StoreError;
use crate::traits::{ItemChange, JobEnding, JobStore, NewJob, NewJobItem};

/// What a [`Job`] is read from. The payload, which may name ten thousand paths, is not.
const JOB: &str = "SELECT id, project_id, kb_id, kind, title, state, step, attempts, not_before, \
     progress, error_code, error_message, created_at, started_at, finished_at, \
     (SELECT name FROM knowledge_bases WHERE knowledge_bases.id = kb_id) AS kb_name FROM jobs";

impl JobStore for SqliteStore {
    fn enqueue_job(&self, new: &NewJob, now: Timestamp) -> Result<Job, StoreError> {
        self.write(|transaction| {
            enqueue(transaction, new, now)?;
            require(transaction, &new.id)
        })
    }

    fn job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError> {
        self.read(|transaction| require_in_project(transaction, project, id))
    }

    fn job_payload(&self, id: &JobId) -> Result<String, StoreError> {
        self.read(|transaction| {
            let sql = "SELECT payload FROM jobs WHERE id = ?1";
            rows::one(transaction, sql, [id.as_str()], |row| row.get(0))?
                .ok_or_else(|| not_found("job", id.as_str()))
        })
    }

    fn list_jobs(&self, project: &ProjectId, page: PageRequest) -> Result<Page<Job>, StoreError> {
        self.read(|transaction| list(transaction, project, page))
    }

    fn due_jobs(&self, now: Timestamp, limit: u32) -> Result<Vec<Job>, StoreError> {
        self.read(|transaction| leases::due(transaction, now, limit))
    }

    fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.read(|transaction| leases::next_due(transaction, now))
    }

    fn active_jobs(&self) -> Result<Vec<(ProjectId, JobId)>, StoreError> {
        self.read(|transaction| {
            rows::all(
                transaction,
                "SELECT id, project_id FROM jobs WHERE state IN ('queued', 'running')
                 ORDER BY position",
                [],
                |row| Ok((rows::id(row, "project_id")?, rows::id(row, "id")?)),
            )
        })
    }

    fn lease_job(&self, id: &JobId, now: Timestamp) -> Result<Option<Job>, StoreError> {
        self.write(|transaction| leases::lease(transaction, &self.instance, id, now))
    }

    fn keep_job(
        &self,
        id: &JobId,
        step: Option<JobStep>,
        progress: &JobProgress,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(|transaction| leases::keep(transaction, &self.instance, id, step, progress, now))
    }

    fn beat(&self, now: Timestamp) -> Result<(), StoreError> {
        self.write(|transaction| {
            rows::change(
                transaction,
                "UPDATE jobs SET heartbeat_at = ?2 WHERE state = 'running' AND leased_by = ?1",
                params![self.instance.name(), now.as_millis()],
            )?;
            Ok(())
        })
    }

    fn end_job(&self, id: &JobId, ending: &JobEnding, now: Timestamp) -> Result<Job, StoreError> {
        self.write_in_need(|transaction| leases::end(transaction, &self.instance, id, ending, now))
    }

    fn release_abandoned_jobs(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        self.write_in_need(|transaction| {
            leases::release_abandoned(transaction, &self.instance, now)
        })
    }

    fn pause_job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError> {
        self.write_in_need(|transaction| wishes::pause(transaction, project, id))
    }

    fn resume_job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError> {
        self.write_in_need(|transaction| wishes::resume(transaction, project, id))
    }

    fn cancel_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        now: Timestamp,
    ) -> Result<Job, StoreError> {
        self.write_in_need(|transaction| wishes::cancel(transaction, project, id, now))
    }

    fn retry_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        number: Option<u32>,
        now: Timestamp,
    ) -> Result<(Job, u32), StoreError> {
        self.write(|transaction| wishes::retry(transaction, project, id, number, now))
    }

    fn retry_failed(
        &self,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<(Vec<JobId>, u32), StoreError> {
        self.write(|transaction| wishes::retry_failed(transaction, project, now))
    }

    fn move_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        before: Option<&JobId>,
    ) -> Result<(), StoreError> {
        self.write(|transaction| wishes::move_before(transaction, project, id, before))
    }

    fn clear_jobs(&self, project: &ProjectId) -> Result<u32, StoreError> {
        self.erase(|transaction| {
            let sql = "DELETE FROM jobs
                 WHERE project_id = ?1 AND state IN ('done', 'failed', 'cancelled')";
            rows::change(transaction, sql, [project.as_str()]).map(rows::length)
        })
    }

    fn add_job_items(
        &self,
        id: &JobId,
        items: &[NewJobItem],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            require(transaction, id)?;
            items::add(transaction, id, items, now)
        })
    }

    fn replace_job_item(
        &self,
        id: &JobId,
        number: u32,
        items: &[NewJobItem],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|transaction| items::replace(transaction, id, number, items, now))
    }

    fn clear_job_items(&self, id: &JobId) -> Result<(), StoreError> {
        self.write(|transaction| {
            let sql = "DELETE FROM job_items WHERE job_id = ?1";
            rows::change(transaction, sql, [id.as_str()])?;
            Ok(())
        })
    }

    fn list_job_items(
        &self,
        project: &ProjectId,
        id: &JobId,
        state: Option<JobItemState>,
        page: PageRequest,
    ) -> Result<Page<JobItem>, StoreError> {
        self.read(|transaction| {
            require_in_project(transaction, project, id)?;
            items::list(transaction, id, state, page)
        })
    }

    fn next_job_items(
        &self,
        id: &JobId,
        after: u32,
        limit: u32,
    ) -> Result<Vec<JobItem>, StoreError> {
        self.read(|transaction| items::next(transaction, id, after, limit))
    }

    fn change_job_item(
        &self,
        id: &JobId,
        number: u32,
        state: JobItemState,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.write(|transaction| items::change(transaction, id, number, state, change, now))
    }

    fn attach_item_source(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        source: &SourceId,
        (id, number): (&JobId, u32),
        now: Timestamp,
    ) -> Result<Option<(Document, bool)>, StoreError> {
        self.write(|transaction| {
            if !items::is_open(transaction, id, number)? {
                return Ok(None);
            }
            let attached = documents::attach(transaction, project, kb, source, now)?;
            items::set_document(transaction, id, number, &attached.0.id)?;
            Ok(Some(attached))
        })
    }

    fn count_job_items(&self, id: &JobId) -> Result<JobProgress, StoreError> {
        self.read(|transaction| items::count(transaction, id))
    }

    fn documents_without_job(
        &self,
    ) -> Result<Vec<(ProjectId, KnowledgeBaseId, DocumentId)>, StoreError> {
        self.read(items::documents_without_job)
    }
}

/// The job, or the error that it is gone.
fn require(transaction: &Transaction<'_>, id: &JobId) -> Result<Job, Trouble> {
    let sql = format!("{JOB} WHERE id = ?1");
    rows::one(transaction, &sql, [id.as_str()], read_job)?
        .ok_or_else(|| not_found("job", id.as_str()))
}

/// The job, or the error that the project has none such.
fn require_in_project(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &JobId,
) -> Result<Job, Trouble> {
    let sql = format!("{JOB} WHERE id = ?1 AND project_id = ?2");
    rows::one(transaction, &sql, [id.as_str(), project.as_str()], read_job)?
        .ok_or_else(|| not_found("job", id.as_str()))
}

fn enqueue(transaction: &Transaction<'_>, new: &NewJob, now: Timestamp) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO jobs (id, project_id, kb_id, kind, title, state, position, payload, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 'queued', (SELECT coalesce(max(position), 0) + 1 FROM jobs),
                 ?6, ?7)",
        params![
            new.id.as_str(),
            new.project_id.as_str(),
            new.kb_id.as_ref().map(KnowledgeBaseId::as_str),
            new.kind.as_str(),
            new.title,
            new.payload,
            now.as_millis(),
        ],
    )?;
    items::add(transaction, &new.id, &new.items, now)?;
    recount(transaction, &new.id)
}

fn list(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    page: PageRequest,
) -> Result<Page<Job>, Trouble> {
    let (limit, offset) = rows::limit_and_offset(page);
    let items = rows::all(
        transaction,
        &format!(
            "{JOB} WHERE project_id = ?1
             ORDER BY CASE state WHEN 'running' THEN 0 WHEN 'queued' THEN 1 WHEN 'paused' THEN 2
                      ELSE 3 END,
                      CASE WHEN finished_at IS NULL THEN position END, finished_at DESC, id DESC
             LIMIT ?2 OFFSET ?3"
        ),
        params![project.as_str(), limit, offset],
        read_job,
    )?;
    let sql = "SELECT count(*) FROM jobs WHERE project_id = ?1";
    let total = rows::one(transaction, sql, [project.as_str()], |row| row.get(0))?;
    Ok(Page { items, total: total.unwrap_or_default() })
}

/// Takes the counts of a job's progress anew from its items, if it has any: other kinds of work
/// count for themselves. What is only true of a run goes.
fn recount(transaction: &Transaction<'_>, id: &JobId) -> Result<(), Trouble> {
    let before = require(transaction, id)?.progress;
    let counted = items::count(transaction, id)?;
    let progress = if counted.items_total > 0 { counted } else { before };
    let progress =
        JobProgress { chunks_per_minute: None, remaining_ms: None, current: None, ..progress };
    rows::change(
        transaction,
        "UPDATE jobs SET progress = ?2 WHERE id = ?1",
        params![id.as_str(), serde_json::to_string(&progress)?],
    )?;
    Ok(())
}

fn read_job(row: &Row<'_>) -> rusqlite::Result<Job> {
    let code = rows::optional_word(row, "error_code", ErrorCode::from_word)?;
    let failure = match code {
        Some(code) => {
            Some(JobFailure { code, message: row.get("error_message")?, hint: None, details: None })
        }
        None => None,
    };
    let time = |column| -> rusqlite::Result<Option<Timestamp>> {
        Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
    };
    Ok(Job {
        id: rows::id(row, "id")?,
        project_id: rows::id(row, "project_id")?,
        kb_id: rows::optional_id(row, "kb_id")?,
        kb_name: row.get("kb_name")?,
        kind: rows::word(row, "kind", JobKind::from_word)?,
        title: row.get("title")?,
        state: rows::word(row, "state", JobState::from_word)?,
        step: rows::optional_word(row, "step", JobStep::from_word)?,
        attempts: row.get("attempts")?,
        not_before: time("not_before")?,
        progress: rows::json(row, "progress")?,
        failure,
        created_at: rows::time(row, "created_at")?,
        started_at: time("started_at")?,
        finished_at: time("finished_at")?,
    })
}
