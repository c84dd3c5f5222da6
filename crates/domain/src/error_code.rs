//! The stable codes of everything that can go wrong.
//!
//! A code exists because someone acts on it: the interface shows its sentence in the reader's
//! language, a script branches on it, the terminal picks its exit code by it. Codes are never
//! renamed; the English sentence may be.

use std::error::Error;

use serde::{Deserialize, Serialize};

/// What a program can act on beyond an error's code: a JSON object with names in camelCase.
pub type ErrorDetails = serde_json::Value;

/// What went wrong, as a word that stays the same for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ErrorCode {
    /// A value that the caller gave is outside what is possible.
    InvalidInput,
    /// The named thing does not exist (or belongs to another project).
    NotFound,
    /// A base, agent or other thing of this name exists already.
    NameTaken,
    /// The library holds this text already, as another source.
    AlreadyInLibrary,
    /// A base cannot be deleted while agents are assigned to it.
    KnowledgeBaseInUse,
    /// An agent that has no bases cannot answer from any.
    AgentWithoutBases,
    /// The path does not lead to anything.
    FileNotFound,
    /// The system does not let us read the file.
    PermissionDenied,
    /// The path leads to something that is not a regular file: a device, a pipe, a socket.
    NotAFile,
    /// Reading the file failed half-way.
    ReadFailed,
    /// The file's format is not read by this version.
    Unsupported,
    /// The content is not text.
    Binary,
    /// There is no text in it.
    Empty,
    /// It is larger than what is accepted.
    TooLarge,
    /// The document is protected by a password.
    Password,
    /// The password that was given does not open the document.
    WrongPassword,
    /// The pages are pictures: there is no text to read until it is recognised.
    NoTextLayer,
    /// The file is damaged, and nothing could be read of it.
    Corrupt,
    /// Reading the document took too long and was stopped.
    Timeout,
    /// The process that read the document ended before it was done.
    WorkerDied,
    /// The work was stopped because somebody asked.
    Cancelled,
    /// Another process is indexing this document.
    DocumentBusy,
    /// The job has ended: what was asked makes sense only before.
    JobEnded,
    /// The model pack is not there.
    ModelMissing,
    /// No reranker is installed, or none of that name.
    RerankerMissing,
    /// A folder holds no reranker that can be used: a file is missing or not what it must be.
    RerankerDamaged,
    /// A file of the model pack is not the one that its manifest names.
    ModelDamaged,
    /// ONNX Runtime could not be loaded.
    RuntimeMissing,
    /// The model did not answer.
    ModelFailed,
    /// The base was made with another model than the one that is loaded.
    ModelMismatch,
    /// Another process is using the data folder, which can only be read meanwhile.
    DataInUse,
    /// It has to wait for work that is in progress.
    WorkInProgress,
    /// The vectors of the base are gone or of another length: it has to be indexed again.
    IndexMissing,
    /// A new index cannot serve yet: documents are missing in it.
    GenerationIncomplete,
    /// The data folder cannot be written.
    DataReadOnly,
    /// The disk is full.
    DiskFull,
    /// The database was written by a newer version of Ancre.
    DatabaseNewer,
    /// The database is damaged or is not one of ours.
    DatabaseDamaged,
    /// Another process keeps the database busy.
    DatabaseBusy,
    /// A fault of the program.
    Internal,
}

impl ErrorCode {
    /// Every code; the interface has a sentence for each.
    pub const ALL: [Self; 40] = [
        Self::InvalidInput,
        Self::NotFound,
        Self::NameTaken,
        Self::AlreadyInLibrary,
        Self::KnowledgeBaseInUse,
        Self::AgentWithoutBases,
        Self::FileNotFound,
        Self::PermissionDenied,
        Self::NotAFile,
        Self::ReadFailed,
        Self::Unsupported,
        Self::Binary,
        Self::Empty,
        Self::TooLarge,
        Self::Password,
        Self::WrongPassword,
        Self::NoTextLayer,
        Self::Corrupt,
        Self::Timeout,
        Self::WorkerDied,
        Self::Cancelled,
        Self::DocumentBusy,
        Self::JobEnded,
        Self::ModelMissing,
        Self::RerankerMissing,
        Self::RerankerDamaged,
        Self::ModelDamaged,
        Self::RuntimeMissing,
        Self::ModelFailed,
        Self::ModelMismatch,
        Self::DataInUse,
        Self::WorkInProgress,
        Self::IndexMissing,
        Self::GenerationIncomplete,
        Self::DataReadOnly,
        Self::DiskFull,
        Self::DatabaseNewer,
        Self::DatabaseDamaged,
        Self::DatabaseBusy,
        Self::Internal,
    ];

    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::NotFound => "not_found",
            Self::NameTaken => "name_taken",
            Self::AlreadyInLibrary => "already_in_library",
            Self::KnowledgeBaseInUse => "knowledge_base_in_use",
            Self::AgentWithoutBases => "agent_without_bases",
            Self::FileNotFound => "file_not_found",
            Self::PermissionDenied => "permission_denied",
            Self::NotAFile => "not_a_file",
            Self::ReadFailed => "read_failed",
            Self::Unsupported => "unsupported",
            Self::Binary => "binary",
            Self::Empty => "empty",
            Self::TooLarge => "too_large",
            Self::Password => "password",
            Self::WrongPassword => "wrong_password",
            Self::NoTextLayer => "no_text_layer",
            Self::Corrupt => "corrupt",
            Self::Timeout => "timeout",
            Self::WorkerDied => "worker_died",
            Self::Cancelled => "cancelled",
            Self::DocumentBusy => "document_busy",
            Self::JobEnded => "job_ended",
            Self::ModelMissing => "model_missing",
            Self::RerankerMissing => "reranker_missing",
            Self::RerankerDamaged => "reranker_damaged",
            Self::ModelDamaged => "model_damaged",
            Self::RuntimeMissing => "runtime_missing",
            Self::ModelFailed => "model_failed",
            Self::ModelMismatch => "model_mismatch",
            Self::DataInUse => "data_in_use",
            Self::WorkInProgress => "work_in_progress",
            Self::IndexMissing => "index_missing",
            Self::GenerationIncomplete => "generation_incomplete",
            Self::DataReadOnly => "data_read_only",
            Self::DiskFull => "disk_full",
            Self::DatabaseNewer => "database_newer",
            Self::DatabaseDamaged => "database_damaged",
            Self::DatabaseBusy => "database_busy",
            Self::Internal => "internal",
        }
    }

    /// The code that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == word)
    }
}

/// An error that can say what it is and what to do next. `Display` is its sentence.
pub trait Explain: Error {
    /// Its stable code.
    fn code(&self) -> ErrorCode;

    /// What to do next, as one English sentence, where there is something to do.
    fn hint(&self) -> Option<String> {
        None
    }

    /// What a program can act on beyond the code, where there is something.
    fn details(&self) -> Option<ErrorDetails> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_database_use_the_same_word() {
        for code in ErrorCode::ALL {
            assert_eq!(
                serde_json::to_value(code).ok(),
                Some(serde_json::Value::from(code.as_str()))
            );
        }
    }
}
