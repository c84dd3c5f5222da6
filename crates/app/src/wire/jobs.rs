//! Durable work, as lists and the progress centre show it.

use ancre_domain::{
    DocumentId, Job, JobFailure, JobId, JobItem, JobItemState, JobKind, JobState, JobStep,
    KnowledgeBaseId, PageRequest, Timestamp, Warning,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Password, WireError};

/// A job and how far it is. Counts are of items unless they say chunks.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct JobSummary {
    /// Its id.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// The base that it works on; it may be gone.
    pub kb_id: Option<KnowledgeBaseId>,
    /// That base's name, while it is there.
    pub kb_name: Option<String>,
    /// What it is about: a file, a folder, a title.
    pub title: String,
    /// Where it stands.
    pub state: JobState,
    /// What it does, or did last.
    pub step: Option<JobStep>,
    /// How often it was put off since it last got anywhere.
    pub attempts: u32,
    /// That are known so far.
    pub items_total: u32,
    /// That have their outcome, whatever it is; those that were cancelled have none.
    pub items_done: u32,
    /// That could not be read or indexed.
    pub items_failed: u32,
    /// Whose text was there already.
    pub items_already_here: u32,
    /// That were not tried.
    pub items_skipped: u32,
    /// That were cancelled before their turn.
    pub items_cancelled: u32,
    /// That have warnings and are worth a look.
    pub items_flagged: u32,
    /// Chunks that are indexed.
    pub chunks_done: u32,
    /// Chunks that are known so far.
    pub chunks_total: u32,
    /// The measured pace, while it runs.
    pub chunks_per_minute: Option<u32>,
    /// Estimated milliseconds until the end, once it can be told.
    #[ts(type = "number | null")]
    pub remaining_ms: Option<u64>,
    /// What it is at: a title or a file's name.
    pub current: Option<String>,
    /// When it is tried again, if it was put off.
    pub next_attempt_at: Option<Timestamp>,
    /// Why it failed, was put off, or was paused by itself.
    pub error: Option<WireError>,
    /// When somebody asked for it.
    pub created_at: Timestamp,
    /// When it was first worked on.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

impl From<Job> for JobSummary {
    fn from(job: Job) -> Self {
        let progress = job.progress;
        let is_running = job.state == JobState::Running;
        Self {
            id: job.id,
            kind: job.kind,
            kb_id: job.kb_id,
            kb_name: job.kb_name,
            title: job.title,
            state: job.state,
            step: job.step,
            attempts: job.attempts,
            items_total: progress.items_total,
            items_done: progress.items_done,
            items_failed: progress.items_failed,
            items_already_here: progress.items_already_here,
            items_skipped: progress.items_skipped,
            items_cancelled: progress.items_cancelled,
            items_flagged: progress.items_flagged,
            chunks_done: progress.chunks_done,
            chunks_total: progress.chunks_total,
            chunks_per_minute: progress.chunks_per_minute.filter(|_| is_running),
            remaining_ms: progress.remaining_ms.filter(|_| is_running),
            current: progress.current.filter(|_| is_running),
            next_attempt_at: job.not_before,
            error: job.failure.map(WireError::from),
            created_at: job.created_at,
            started_at: job.started_at,
            finished_at: job.finished_at,
        }
    }
}

/// An item of a job.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "JobItem")]
pub struct JobItemView {
    /// Its number in the job, from 1.
    pub number: u32,
    /// Where the file is; for a file of an archive, the archive's path and the one inside.
    pub path: Option<String>,
    /// Its title, or the file's name until it was read.
    pub title: String,
    /// Where it stands.
    pub state: JobItemState,
    /// Its document, once it has one.
    pub document_id: Option<DocumentId>,
    /// How many chunks the document has; 0 until it is searchable.
    pub chunk_count: u32,
    /// How many chunks are embedded so far.
    pub chunks_done: u32,
    /// How often its indexing was begun.
    pub attempts: u32,
    /// Why it failed or was not tried.
    pub error: Option<WireError>,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
}

impl From<JobItem> for JobItemView {
    fn from(item: JobItem) -> Self {
        Self {
            number: item.number,
            path: item.path,
            title: item.title,
            state: item.state,
            document_id: item.document_id,
            chunk_count: item.chunk_count,
            chunks_done: item.chunk_count,
            attempts: item.attempts,
            error: item.failure.map(WireError::from),
            warnings: item.warnings,
        }
    }
}

/// Asks for a piece of the list of jobs.
#[derive(Debug, Clone, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListJobs {
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// Asks for a piece of a job's items.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListJobItems {
    /// The job.
    pub job_id: JobId,
    /// Only those that stand here.
    #[serde(default)]
    #[ts(optional)]
    pub state: Option<JobItemState>,
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// Tries a job again.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryJob {
    /// The job.
    pub job_id: JobId,
    /// One item; each that failed or was cancelled when absent.
    #[serde(default)]
    #[ts(optional)]
    pub number: Option<u32>,
    /// A password to open it with. It is kept in memory only.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub password: Option<Password>,
    /// Whether pages that are scans are recognised this time. It is kept in memory only, too.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub recognise: bool,
}

/// Moves a job in the queue.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MoveJob {
    /// The job.
    pub job_id: JobId,
    /// The job before which it is taken; behind all others when null.
    pub before: Option<JobId>,
}

impl From<WireError> for JobFailure {
    fn from(error: WireError) -> Self {
        let WireError { code, message, hint, details } = error;
        Self { code, message, hint, details }
    }
}
