//! What a job of ingestion tells while it runs and at its end.

use std::path::PathBuf;

use ancre_domain::{Document, DocumentId, ErrorCode, ErrorDetails, Explain, Warning};
use ancre_extract::ReadProgress;

use super::{IndexProgress, SkipReason};

/// Why something failed, for people and programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: ErrorCode,
    /// One English sentence.
    pub message: String,
    /// What to do next, where there is something to do.
    pub hint: Option<String>,
    /// What a program can act on beyond the code.
    pub details: Option<ErrorDetails>,
}

impl Failure {
    /// What an error says of itself.
    pub fn of(error: &dyn Explain) -> Self {
        Self {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
            details: error.details(),
        }
    }
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileOutcome {
    /// Where it is; for a file of an archive, the archive's path and the one inside.
    pub path: PathBuf,
    /// Its title, once it was read.
    pub title: Option<String>,
    /// Its document, once it has one.
    pub document: Option<DocumentId>,
    /// How many chunks the document has; 0 until it is searchable.
    pub chunk_count: u32,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
    /// How it ended.
    pub result: FileResult,
}

/// How one file ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileResult {
    /// Searchable now.
    Indexed,
    /// The base holds the same text already, or another file of this job brings it.
    AlreadyHere,
    /// It could not be read or indexed.
    Failed(Failure),
    /// It was not tried.
    Skipped(SkipReason),
    /// Somebody asked to stop before it was done; it is queued if it has a document.
    Cancelled,
    /// The job stopped before its turn; it is queued if it has a document.
    Waiting,
}

/// What happens while a job runs.
#[derive(Debug, Clone, PartialEq)]
pub enum IngestEvent {
    /// The folders were looked through.
    FilesFound {
        /// How many files will be tried.
        total: u32,
        /// How many will not.
        skipped: u32,
    },
    /// A file is an archive: what is in it is tried in its place.
    ArchiveOpened {
        /// The archive.
        path: PathBuf,
        /// How many files are in it.
        files: u32,
    },
    /// Scanned pages of a file are being recognised.
    FileRecognising {
        /// The file.
        path: PathBuf,
        /// How far it is.
        progress: ReadProgress,
    },
    /// A file was read and has a document in the base.
    FileRegistered {
        /// The file.
        path: PathBuf,
        /// Its document.
        document: Document,
        /// Whether the base held the same text already.
        was_there: bool,
    },
    /// A file could not be read or stored.
    FileFailed {
        /// The file.
        path: PathBuf,
        /// Why.
        failure: Failure,
    },
    /// A document is being indexed.
    DocumentIndexing {
        /// The document.
        document: DocumentId,
        /// How far it is.
        progress: IndexProgress,
    },
    /// A document is searchable.
    DocumentReady {
        /// The document.
        document: Document,
    },
    /// A document is in error.
    DocumentFailed {
        /// The document.
        document: DocumentId,
        /// Why.
        failure: Failure,
    },
    /// The job is over.
    Finished {
        /// What became of each file.
        report: IngestReport,
    },
}

/// What became of the files of a job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IngestReport {
    /// Each file that was found, in order, then what was skipped.
    pub files: Vec<FileOutcome>,
    /// Why the job stopped before its end, if it did; what was finished stays.
    pub stopped: Option<Failure>,
}

impl IngestReport {
    /// How many files ended in a way that `wanted` accepts.
    pub fn count(&self, wanted: impl Fn(&FileResult) -> bool) -> usize {
        self.files.iter().filter(|file| wanted(&file.result)).count()
    }

    /// Whether every file that was tried is in the base now.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
            && self.files.iter().all(|file| {
                matches!(
                    file.result,
                    FileResult::Indexed | FileResult::AlreadyHere | FileResult::Skipped(_)
                )
            })
    }
}
