//! Knowledge: bases, documents, ingestion, search.

use ancre_domain::{
    CharRange, Document, DocumentCounts, DocumentId, DocumentStatus, Heading, JobId, KnowledgeBase,
    KnowledgeBaseId, Language, PageRequest, Pagination, SourceKind, Timestamp, Warning,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{IndexSummary, Password, WireError};

/// Nothing to say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A base with what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct KnowledgeBaseSummary {
    /// The base.
    #[serde(flatten)]
    #[ts(flatten)]
    pub knowledge_base: KnowledgeBase,
    /// What it holds.
    pub counts: DocumentCounts,
    /// The names of the agents that may search it.
    pub agents: Vec<String>,
    /// The index that it answers from.
    pub index: IndexSummary,
}

/// Makes a base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateKnowledgeBase {
    /// Its name, 1 to 100 characters.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub description: String,
    /// The embedding model; the default pack when absent.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<String>,
    /// Characters per chunk; 2,000 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_size: Option<u32>,
    /// Characters that consecutive chunks share; 200 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_overlap: Option<u32>,
}

/// Names a base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KnowledgeBaseRef {
    /// The base.
    pub kb_id: KnowledgeBaseId,
}

/// Names a document.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentRef {
    /// The document.
    pub document_id: DocumentId,
}

/// Names a job.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JobRef {
    /// The job.
    pub job_id: JobId,
}

/// Asks for a piece of a base's documents, newest first.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListDocuments {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Only those that stand here.
    #[serde(default)]
    #[ts(optional)]
    pub status: Option<DocumentStatus>,
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// A document with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DocumentText {
    /// The document.
    pub document: Document,
    /// Its text.
    pub text: String,
    /// The headings of the text.
    pub outline: Vec<Heading>,
    /// The pages of the text, where the format has pages.
    pub pagination: Option<Pagination>,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
    /// Whether its pages can be shown as they look: a PDF whose original is kept.
    pub has_page_pictures: bool,
    /// Its language, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// Where its chunks lie in the text, in order; empty until it is ready.
    pub chunks: Vec<CharRange>,
    /// For each chunk, how many of the model's tokens lay outside its window and are not in its
    /// vector.
    pub tokens_outside_window: Vec<u32>,
}

/// Adds a text to a base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ingest {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// The text's title.
    pub title: String,
    /// The text.
    pub text: String,
    /// How it came; `inline` when absent.
    #[serde(default)]
    #[ts(optional)]
    pub source_kind: Option<SourceKind>,
    /// Where it came from.
    #[serde(default)]
    #[ts(optional)]
    pub source_uri: Option<String>,
    /// Its media type; `text/plain` when absent.
    #[serde(default)]
    #[ts(optional)]
    pub mime: Option<String>,
    /// How many chunks are embedded at once, 1 to 256; 16 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub batch_size: Option<u32>,
}

/// Asks what would become of paths, before they are ingested.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewPaths {
    /// Files and folders.
    pub paths: Vec<String>,
}

/// What would become of paths, judged by their names alone; at most 10,000 files are counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PathsPreview {
    /// Files that would be read.
    pub supported: u32,
    /// Files of kinds that are not read.
    pub unsupported: u32,
    /// Hidden and lock files that would be passed over.
    pub hidden: u32,
    /// Folders among the given paths.
    pub folders: u32,
    /// Paths that lead nowhere or may not be read.
    pub unreadable: u32,
    /// The bytes of the supported files.
    #[ts(type = "number")]
    pub byte_count: u64,
    /// Whether there was more than was counted.
    pub is_truncated: bool,
}

/// Adds files and folders to a base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IngestFiles {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Files, and folders that are taken with everything in them.
    pub paths: Vec<String>,
    /// A title in place of the document's own; only for a single file.
    #[serde(default)]
    #[ts(optional)]
    pub title: Option<String>,
    /// A password to open it with; only for a single file.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub password: Option<Password>,
    /// Whether scanned pages are recognised, which takes seconds a page; not when absent.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub recognise: bool,
}

/// How far an ingestion is. Sent when it begins, at most ten times a second while it works, at
/// each change of state of an item, and at the end.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IngestProgress {
    /// The job, for cancelling it.
    pub job_id: JobId,
    /// The base that is fed.
    pub kb_id: KnowledgeBaseId,
    /// What it is doing.
    pub phase: IngestPhase,
    /// Items it knows of so far.
    pub items_total: u32,
    /// Items that have their outcome.
    pub items_done: u32,
    /// Items that ended in error.
    pub items_failed: u32,
    /// Chunks of the current document that are embedded.
    pub chunks_done: u32,
    /// Chunks of the current document.
    pub chunks_total: u32,
    /// Chunks embedded since the job began.
    pub chunks_embedded: u32,
    /// The current item's title or file name.
    pub current: Option<String>,
    /// How far the recognition of the current item's scanned pages is, while it goes on.
    pub recognition: Option<RecognitionProgress>,
    /// Estimated milliseconds until the end, once it can be told.
    #[ts(type = "number | null")]
    pub remaining_ms: Option<u64>,
    /// The outcome that this event brings, if it brings one.
    pub outcome: Option<IngestOutcome>,
    /// Why nothing can be done now, with the phase `waiting`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub waits: Option<WaitingFor>,
    /// Why the job stopped before its end, if it did; told with the phase `finished`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stopped: Option<WireError>,
}

/// Why nothing can be done with a job now.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct WaitingFor {
    /// The reason.
    pub error: WireError,
    /// When it is tried again.
    pub next_attempt_at: Option<Timestamp>,
}

/// How far the recognition of scanned pages is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RecognitionProgress {
    /// Pages that are recognised.
    pub pages_done: u32,
    /// Pages that are scans.
    pub pages_total: u32,
}

/// What an ingestion is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum IngestPhase {
    /// Looking through folders.
    Finding,
    /// Reading files.
    Reading,
    /// Cutting and embedding.
    Indexing,
    /// Nothing can be done now; it is tried again.
    Waiting,
    /// Ended.
    Finished,
}

/// What became of one file or text.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IngestOutcome {
    /// The path, for a file.
    pub path: Option<String>,
    /// The title, or the file's name.
    pub title: String,
    /// What became of it.
    pub result: IngestResult,
    /// The document, where there is one.
    pub document_id: Option<DocumentId>,
    /// How many chunks it has.
    pub chunk_count: u32,
    /// Why it failed or was passed over.
    pub error: Option<WireError>,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
}

/// What became of a file or text, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum IngestResult {
    /// It is searchable.
    Ready,
    /// The base had the same text already; a success.
    AlreadyHere,
    /// It could not be read or indexed.
    Failed,
    /// It is hidden, a lock file, or of a kind that is not read.
    Skipped,
    /// The job was cancelled first.
    Cancelled,
    /// It was not reached: its job is put off, paused, or goes on later.
    Waiting,
}

/// What an ingestion did.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IngestReport {
    /// The job.
    pub job_id: JobId,
    /// The base; the first of several; none where a source was replaced that is in no base.
    pub kb_id: Option<KnowledgeBaseId>,
    /// Newly searchable.
    pub ready: u32,
    /// Already there.
    pub already_here: u32,
    /// Failed.
    pub failed: u32,
    /// Passed over.
    pub skipped: u32,
    /// Cancelled before their turn.
    pub cancelled: u32,
    /// Not reached yet: the job is put off, or goes on later.
    pub waiting: u32,
    /// Each item's outcome.
    pub outcomes: Vec<IngestOutcome>,
    /// Why the job stopped before its end, if it did.
    pub stopped: Option<WireError>,
}

impl IngestReport {
    /// Of a job that concerned no base, and so had nothing to index.
    pub(crate) fn of_no_base(job_id: JobId) -> Self {
        Self {
            job_id,
            kb_id: None,
            ready: 0,
            already_here: 0,
            failed: 0,
            skipped: 0,
            cancelled: 0,
            waiting: 0,
            outcomes: Vec::new(),
            stopped: None,
        }
    }

    /// Puts the report of a further job with this one, which keeps the name of the first that
    /// concerned a base.
    pub(crate) fn add(&mut self, other: Self) {
        if self.kb_id.is_none() {
            self.job_id = other.job_id;
            self.kb_id = other.kb_id;
        }
        self.ready += other.ready;
        self.already_here += other.already_here;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.cancelled += other.cancelled;
        self.waiting += other.waiting;
        self.outcomes.extend(other.outcomes);
        self.stopped = self.stopped.take().or(other.stopped);
    }
}

/// What became of the work that an earlier process left waiting: documents, and indexes that are
/// built anew, whose documents count for nothing here because they were ready before.
#[derive(Debug, Clone, Default, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QueueResumed {
    /// Searchable now.
    pub ready: u32,
    /// In error now.
    pub failed: u32,
    /// Still waiting: the job was stopped, or another process has them.
    pub waiting: u32,
    /// Bases that answer from a new index now.
    pub indexes_built: u32,
    /// Bases whose new index is not whole yet; they answer as before.
    pub indexes_waiting: u32,
    /// Why the job stopped before its end, if it did.
    pub stopped: Option<WireError>,
}

/// Puts the sample help centre, its agent and its tickets in place.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InstallSamples {
    /// In which language.
    pub language: Language,
}

/// What the samples made.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SamplesInstalled {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// The ticket to open first.
    pub ticket_id: ancre_domain::TicketId,
    /// When it was done.
    pub at: Timestamp,
}

/// The formats that are read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SupportedFormats {
    /// File extensions without the dot, lower case.
    pub extensions: Vec<String>,
    /// Whether scanned pages can be recognised here.
    pub can_recognise: bool,
}
