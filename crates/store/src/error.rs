//! What can go wrong with storage.

use std::path::PathBuf;

use ancre_domain::{ErrorCode, ErrorDetails, Explain, IndexHealth};

/// A storage error. The first group is a person's mistake or a race; the second is the machine's
/// state; the last is a fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such thing in this project.
    #[error("there is no {kind} “{id}” in this project")]
    NotFound {
        /// What was looked for, such as `knowledge base`.
        kind: &'static str,
        /// The id or name that was given.
        id: String,
    },
    /// The name is taken.
    #[error("the name “{name}” belongs to another {kind} already")]
    NameTaken {
        /// What has the name.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Agents are assigned to the base.
    #[error("the knowledge base is assigned to {}", agents.join(", "))]
    KnowledgeBaseInUse {
        /// Their names.
        agents: Vec<String>,
    },
    /// A living process is indexing the document.
    #[error("another process is indexing this document")]
    DocumentBusy,
    /// A job that has ended cannot be paused, resumed, moved or cancelled.
    #[error("this job has ended")]
    JobEnded,
    /// A vector does not fit its base.
    #[error("the base holds vectors of {expected} numbers; this one has {actual}")]
    WrongDimension {
        /// The base's dimension.
        expected: u32,
        /// The vector's length.
        actual: u32,
    },
    /// The vectors of a base are gone, or are not as long as its model's.
    #[error("the knowledge base “{base}” cannot be searched by meaning: {}", reason(*.health))]
    IndexMissing {
        /// The base's name.
        base: String,
        /// What is wrong: `VectorsMissing` or `WrongDimension`.
        health: IndexHealth,
    },
    /// The index changed under a document that was being indexed for the one before: it has to be
    /// put back in the queue and indexed again.
    #[error("the index of the knowledge base changed while this document was being indexed")]
    GenerationChanged,
    /// The generation that is being built cannot serve yet.
    #[error("{missing} documents are not whole in the new index")]
    GenerationIncomplete {
        /// How many documents are not whole in it; all of them where what they say of themselves
        /// is not what the tables hold.
        missing: u32,
    },

    /// Another process writes in the data folder; this store can only read.
    #[error("another Ancre is using the data folder {}; here it can only be read", folder.display())]
    DataInUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The database must be made or brought up to date, and another process has the folder.
    #[error(
        "the data folder {} has to be prepared for this version, and another Ancre is using it",
        folder.display()
    )]
    PreparationBlocked {
        /// The folder.
        folder: PathBuf,
    },
    /// Documents are being indexed or jobs run, and what was asked has to wait for that.
    #[error("work is in progress; space can be given back when it is done")]
    WorkInProgress,
    /// The data folder cannot be written.
    #[error("the data folder {} cannot be written", folder.display())]
    ReadOnly {
        /// The folder.
        folder: PathBuf,
    },
    /// The disk is full.
    #[error("the disk that holds the data folder is full")]
    DiskFull,
    /// The database is of a newer version.
    #[error("the database has format {found}; this version of Ancre reads up to {supported}")]
    Newer {
        /// The database's format.
        found: u32,
        /// The newest that this program knows.
        supported: u32,
    },
    /// The file is damaged, or is no database of ours.
    #[error("the database {} is damaged, or is no database of Ancre", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says, for the curious.
        detail: String,
        /// Whether there are copies from before an update.
        has_copies: bool,
    },
    /// Another process kept the database locked for longer than we wait.
    #[error("another process keeps the database busy")]
    Busy,

    /// SQLite or the system failed in a way that has no words of its own.
    #[error("the database {} could not be read or written", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What they say, for the curious.
        detail: String,
    },

    /// Anything else: a fault of the program.
    #[error("storage failed: {0}")]
    Fault(String),
}

impl Explain for StoreError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound { .. } => ErrorCode::NotFound,
            Self::NameTaken { .. } => ErrorCode::NameTaken,
            Self::KnowledgeBaseInUse { .. } => ErrorCode::KnowledgeBaseInUse,
            Self::DocumentBusy => ErrorCode::DocumentBusy,
            Self::JobEnded => ErrorCode::JobEnded,
            Self::WrongDimension { .. } => ErrorCode::ModelMismatch,
            Self::DataInUse { .. } | Self::PreparationBlocked { .. } => ErrorCode::DataInUse,
            Self::WorkInProgress => ErrorCode::WorkInProgress,
            Self::IndexMissing { .. } => ErrorCode::IndexMissing,
            // Like work that somebody stopped: nothing is wrong, and it is done again.
            Self::GenerationChanged => ErrorCode::Cancelled,
            Self::GenerationIncomplete { .. } => ErrorCode::GenerationIncomplete,
            Self::ReadOnly { .. } => ErrorCode::DataReadOnly,
            Self::DiskFull => ErrorCode::DiskFull,
            Self::Newer { .. } => ErrorCode::DatabaseNewer,
            Self::Damaged { .. } => ErrorCode::DatabaseDamaged,
            Self::Busy => ErrorCode::DatabaseBusy,
            Self::Failed { .. } | Self::Fault(_) => ErrorCode::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NameTaken { .. } => "Choose another name.",
            Self::KnowledgeBaseInUse { .. } => "Take the base away from these agents first.",
            Self::DocumentBusy => "Wait until it is done, or close the other window of Ancre.",
            Self::JobEnded => "Try it again instead, as a whole or its failed items.",
            Self::WrongDimension { .. } => "Make a new base with the model that is loaded.",
            Self::DataInUse { .. } => "Do it in the Ancre that is open, or quit that one first.",
            Self::PreparationBlocked { .. } => "Close the other Ancre, then start this one again.",
            Self::WorkInProgress => "Wait until it is done, or stop it, then try again.",
            Self::IndexMissing { .. } => {
                "Index the base again (“ancre kb reindex”): its sources are all there."
            }
            Self::GenerationIncomplete { .. } => {
                "Let the work go on; if it says so again, cancel it and index the base anew."
            }
            Self::ReadOnly { .. } => {
                "Check that it is a folder in which you may write, or choose another data folder."
            }
            Self::DiskFull => "Free some space and try again; nothing that was finished is lost.",
            Self::Newer { .. } => "Install the newest version of Ancre.",
            Self::Damaged { has_copies: true, .. } => {
                "Put a copy from the folder “backups” of the data folder in its place, or move it \
                 away to begin anew."
            }
            Self::Damaged { has_copies: false, .. } => {
                "Put a copy of your own in its place, if you have one, or move it away to begin \
                 anew."
            }
            Self::Failed { .. } => {
                "Check the disk and try again; if it happens again, restart Ancre."
            }
            Self::Busy => "Close other programs that use this data folder and try again.",
            Self::NotFound { .. } | Self::GenerationChanged | Self::Fault(_) => return None,
        };
        Some(hint.to_owned())
    }

    fn details(&self) -> Option<ErrorDetails> {
        match self {
            Self::Damaged { detail, .. } | Self::Failed { detail, .. } => {
                Some(serde_json::json!({ "detail": detail }))
            }
            _ => None,
        }
    }
}

const fn reason(health: IndexHealth) -> &'static str {
    match health {
        IndexHealth::WrongDimension => "its vectors are not as long as its model's",
        _ => "its vectors are gone",
    }
}
