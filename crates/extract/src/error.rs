//! Why a document could not be read.

use std::path::PathBuf;

use ancre_domain::{ErrorCode, ErrorDetails, Explain};
use serde::{Deserialize, Serialize};

/// A reading error. Each costs one document. It crosses from the worker as JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ExtractError {
    /// The path leads nowhere.
    #[error("{} does not exist", path.display())]
    FileNotFound {
        /// The path.
        path: PathBuf,
    },
    /// The system does not let us read it.
    #[error("{} may not be read", path.display())]
    PermissionDenied {
        /// The path.
        path: PathBuf,
    },
    /// A device, a pipe, a socket, a folder.
    #[error("{} is not a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Reading failed half-way.
    #[error("the file {} could not be read", path.display())]
    ReadFailed {
        /// The path.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// The format is not read.
    #[error("{format} files are not read")]
    Unsupported {
        /// What it is, such as `Outlook message` or `.xyz`.
        format: String,
    },
    /// The content is not text.
    #[error("the content is not text, whatever its name says: {detail}")]
    Binary {
        /// What gave it away, such as `it begins like a PNG image`.
        detail: String,
    },
    /// There is nothing to read.
    #[error("there is no text in it")]
    Empty,
    /// It is larger than what is read.
    #[error("it is too large: {what} is {size}; the limit is {limit}")]
    TooLarge {
        /// What of it is too large, such as `the file` or `its unpacked content`.
        what: String,
        /// How large that is, with its unit; `more` where nobody counted to the end.
        size: String,
        /// The most that is read, with its unit.
        limit: String,
    },
    /// It is protected by a password, and none was given.
    #[error("it is protected by a password")]
    Password {
        /// Whether it can be read with the password; office documents cannot yet.
        can_unlock: bool,
    },
    /// The password does not open it.
    #[error("the password does not open it")]
    WrongPassword,
    /// Its pages are pictures of text.
    #[error("it is a scan of {pages} page{}: there is no text to read", if *pages == 1 { "" } else { "s" })]
    NoTextLayer {
        /// How many pages it has.
        pages: u32,
    },
    /// It is damaged, and nothing could be read of it.
    #[error("it is damaged: {detail}")]
    Corrupt {
        /// What is wrong with it, in a few words.
        detail: String,
    },
    /// Reading took too long and was stopped.
    #[error("reading it took more than {seconds} seconds and was stopped")]
    Timeout {
        /// How long was waited.
        seconds: u64,
    },
    /// The process that read it ended before it was done.
    #[error("the reader ended while it read this document: {detail}")]
    WorkerDied {
        /// How it ended, such as `it needed more than 1 GiB of memory`.
        detail: String,
    },
    /// Somebody asked to stop.
    #[error("the reading was cancelled")]
    Cancelled,
}

impl ExtractError {
    /// An error of a damaged file.
    pub(crate) fn corrupt(detail: impl std::fmt::Display) -> Self {
        Self::Corrupt { detail: detail.to_string() }
    }
}

impl Explain for ExtractError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::FileNotFound { .. } => ErrorCode::FileNotFound,
            Self::PermissionDenied { .. } => ErrorCode::PermissionDenied,
            Self::NotAFile { .. } => ErrorCode::NotAFile,
            Self::ReadFailed { .. } => ErrorCode::ReadFailed,
            Self::Unsupported { .. } => ErrorCode::Unsupported,
            Self::Binary { .. } => ErrorCode::Binary,
            Self::Empty => ErrorCode::Empty,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::Password { .. } => ErrorCode::Password,
            Self::WrongPassword => ErrorCode::WrongPassword,
            Self::NoTextLayer { .. } => ErrorCode::NoTextLayer,
            Self::Corrupt { .. } => ErrorCode::Corrupt,
            Self::Timeout { .. } => ErrorCode::Timeout,
            Self::WorkerDied { .. } => ErrorCode::WorkerDied,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::FileNotFound { .. } => "Check the path; the file may have been moved.",
            Self::PermissionDenied { .. } => "Give yourself the right to read it and try again.",
            Self::NotAFile { .. } => "Choose a regular file.",
            Self::ReadFailed { .. } => "Copy the file to a local disk and try again.",
            Self::Unsupported { .. } => {
                "Save it as PDF or in a format of today's office programs and add that."
            }
            Self::Binary { .. } => "Open it in the program that made it and save it as text.",
            Self::Empty => "Check that the file was saved with its content.",
            Self::TooLarge { .. } => "Split it into smaller files.",
            Self::Password { can_unlock: true } => "Give the password; it is not stored.",
            Self::Password { can_unlock: false } => {
                "Open it in its own program, save it without a password and add that."
            }
            Self::WrongPassword => "Check upper and lower case, and try again.",
            Self::NoTextLayer { .. } => "Let Ancre recognise the text of its pages.",
            Self::Corrupt { .. } => {
                "Open it in its own program, which may repair it, save it again and add that."
            }
            Self::Timeout { .. } => "Split it into smaller files, or save it again as PDF.",
            Self::WorkerDied { .. } => {
                "Try again; if it happens again, the file is probably damaged: open it in its own \
                 program and save it again."
            }
            Self::Cancelled => "Add it again when you like.",
        };
        Some(hint.to_owned())
    }

    /// `{ canUnlock }` for a password that is wanted.
    fn details(&self) -> Option<ErrorDetails> {
        match self {
            Self::Password { can_unlock } => Some(serde_json::json!({ "canUnlock": can_unlock })),
            Self::ReadFailed { detail, .. } => Some(serde_json::json!({ "detail": detail })),
            _ => None,
        }
    }
}
