//! Durable work: a job, and the items that it works on.
//!
//! A job outlives the window that asked for it and the process that works on it. What is here is
//! its record as storage keeps it and as rules read it; who works on it when, and how, is decided
//! elsewhere. What a job was asked to do is its payload, which only its kind understands.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    DocumentId, ErrorCode, ErrorDetails, Explain, JobId, KnowledgeBaseId, ProjectId, Timestamp,
    Warning,
};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// The word in the database and in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// The value that [`Self::as_str`] names so.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words! {
    /// What a job does.
    JobKind {
        /// Takes files, folders or texts into a base.
        Ingest = "ingest",
        /// Builds a new generation of a base's index.
        Reindex = "reindex",
        /// Builds the full-text index of a base that has none.
        TextIndex = "text_index",
        /// Recognises the scanned pages of documents.
        Recognise = "recognise",
        /// Fetches the pages of a site.
        Crawl = "crawl",
        /// Fetches mail.
        Mail = "mail",
    }
}

words! {
    /// Where a job stands.
    JobState {
        /// It waits for its turn, or for its next attempt.
        Queued = "queued",
        /// Somebody works on it.
        Running = "running",
        /// It waits for a person: somebody paused it, or its attempts are used up.
        Paused = "paused",
        /// It came to its end; single items may have failed.
        Done = "done",
        /// It cannot go on, for a reason that is kept.
        Failed = "failed",
        /// Somebody cancelled it.
        Cancelled = "cancelled",
    }
}

impl JobState {
    /// Whether nothing more happens unless somebody asks again.
    pub const fn is_ended(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

words! {
    /// What a job is doing.
    JobStep {
        /// Looking for what there is to do.
        Finding = "finding",
        /// Reading files.
        Reading = "reading",
        /// Cutting and embedding.
        Indexing = "indexing",
        /// Checking that what was built is whole.
        Verifying = "verifying",
        /// Putting what was built in its place.
        Switching = "switching",
    }
}

words! {
    /// Where an item of a job stands.
    JobItemState {
        /// It waits for its turn.
        Queued = "queued",
        /// Its file is being read.
        Reading = "reading",
        /// Its text is in the library; it is cut, or waits for the embedder.
        Splitting = "splitting",
        /// Its chunks are being embedded.
        Embedding = "embedding",
        /// It is searchable.
        Ready = "ready",
        /// It could not be read or indexed.
        Failed = "failed",
        /// The base had the same text already; a success.
        AlreadyHere = "already_here",
        /// It was not tried, and the reason is kept.
        Skipped = "skipped",
        /// The job was cancelled before its turn.
        Cancelled = "cancelled",
    }
}

impl JobItemState {
    /// Whether it has its outcome.
    pub const fn is_ended(self) -> bool {
        !matches!(self, Self::Queued | Self::Reading | Self::Splitting | Self::Embedding)
    }
}

/// Why a job or an item of it failed, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JobFailure {
    /// The stable code.
    pub code: ErrorCode,
    /// One English sentence.
    pub message: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What a program can act on beyond the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
}

impl JobFailure {
    /// What an error says of itself.
    pub fn of(error: &dyn Explain) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
            details: error.details(),
        }
    }

    /// Whether the reason can pass by itself, so that trying again later makes sense: a busy
    /// database, a full disk, a model that is not installed yet, or a base that has to be indexed
    /// again first. A bad document stays one.
    pub const fn can_pass(&self) -> bool {
        matches!(
            self.code,
            ErrorCode::DatabaseBusy
                | ErrorCode::DiskFull
                | ErrorCode::ModelMissing
                | ErrorCode::ModelMismatch
                | ErrorCode::RuntimeMissing
        )
    }
}

impl fmt::Display for JobFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for JobFailure {}

impl Explain for JobFailure {
    fn code(&self) -> ErrorCode {
        self.code
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn details(&self) -> Option<ErrorDetails> {
        self.details.clone()
    }
}

/// How far a job is. Every count is of items unless it says chunks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct JobProgress {
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
    /// That have warnings, and are worth a look.
    pub items_flagged: u32,
    /// Chunks that are indexed.
    pub chunks_done: u32,
    /// Chunks that are known so far.
    pub chunks_total: u32,
    /// The pace over the last minute or so, while it runs.
    pub chunks_per_minute: Option<u32>,
    /// Estimated milliseconds until the end, once it can be told.
    pub remaining_ms: Option<u64>,
    /// What it is at: a title or a file's name.
    pub current: Option<String>,
}

/// A piece of durable work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// The base that it works on; it may be gone.
    pub kb_id: Option<KnowledgeBaseId>,
    /// That base's name, while it is there.
    pub kb_name: Option<String>,
    /// What it does.
    pub kind: JobKind,
    /// What a list calls it.
    pub title: String,
    /// Where it stands.
    pub state: JobState,
    /// What it does, or did last; `None` before it began.
    pub step: Option<JobStep>,
    /// How often it was put off since it last got anywhere.
    pub attempts: u32,
    /// When it is tried again, if it was put off.
    pub not_before: Option<Timestamp>,
    /// How far it is.
    pub progress: JobProgress,
    /// Why it failed, was put off, or was paused by itself.
    pub failure: Option<JobFailure>,
    /// When somebody asked for it.
    pub created_at: Timestamp,
    /// When it was first worked on.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// A file or text that a job works on, with its own outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobItem {
    /// Its number in the job, from 1; an archive's files come after everything that was known
    /// before it was opened.
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
    /// How often its indexing was begun.
    pub attempts: u32,
    /// What only the job's kind understands.
    pub payload: Option<String>,
    /// Why it failed or was not tried.
    pub failure: Option<JobFailure>,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_database_use_the_same_word() {
        for word in ["queued", "reading", "already_here", "cancelled"] {
            let state = JobItemState::from_word(word).unwrap();
            assert_eq!(serde_json::to_value(state).unwrap(), word);
            assert_eq!(state.as_str(), word);
        }
        assert_eq!(serde_json::to_value(JobKind::TextIndex).unwrap(), "text_index");
        assert_eq!(JobState::from_word("gone"), None);
    }

    #[test]
    fn progress_of_an_older_version_reads() {
        let progress: JobProgress = serde_json::from_str("{\"itemsTotal\":3}").unwrap();
        assert_eq!(progress, JobProgress { items_total: 3, ..JobProgress::default() });
    }
}
