//! Why a document could not be read.

use std::path::PathBuf;

use ancre_domain::{ErrorCode, Explain};

/// A reading error. Each costs one document.
#[derive(Debug, thiserror::Error)]
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
    #[error("reading {} failed: {detail}", path.display())]
    ReadFailed {
        /// The path.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// The format is not read.
    #[error("{format} files are not read yet")]
    Unsupported {
        /// What it is, such as `PDF` or `.xyz`.
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
    /// It is too large.
    #[error("it has {byte_count} bytes; at most {limit} are read")]
    TooLarge {
        /// Its size in bytes.
        byte_count: u64,
        /// The limit in bytes.
        limit: u64,
    },
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
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::FileNotFound { .. } => "Check the path; the file may have been moved.",
            Self::PermissionDenied { .. } => "Give yourself the right to read it and try again.",
            Self::NotAFile { .. } => "Choose a regular file.",
            Self::ReadFailed { .. } => "Copy the file to a local disk and try again.",
            Self::Unsupported { .. } => "Save it as plain text or Markdown and add that.",
            Self::Binary { .. } => "Open it in the program that made it and save it as text.",
            Self::Empty => "Check that the file was saved with its content.",
            Self::TooLarge { .. } => "Split it into smaller files.",
        };
        Some(hint.to_owned())
    }
}
