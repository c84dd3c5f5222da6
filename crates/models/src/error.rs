//! What can go wrong with models.

use std::io;
use std::path::PathBuf;

use ancre_domain::{ErrorCode, Explain};

/// A model error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A file of a model pack, or the whole pack, is not there.
    #[error("the model file {} is missing", path.display())]
    Missing {
        /// The file or folder.
        path: PathBuf,
    },
    /// A file of a model pack is not what its manifest says.
    #[error("the model file {} is damaged: {detail}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// ONNX Runtime is not there or does not load.
    #[error("ONNX Runtime could not be loaded from {}: {detail}", path.display())]
    RuntimeMissing {
        /// Where it was looked for.
        path: PathBuf,
        /// What the loader says.
        detail: String,
    },
    /// A model pack cannot be written.
    #[error("{} cannot be written: {cause}", path.display())]
    NotWritten {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The model did not answer.
    #[error("the model did not answer: {0}")]
    Failed(String),
    /// Somebody asked to stop.
    #[error("stopped before it was done")]
    Cancelled,
}

impl Explain for ModelError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Missing { .. } => ErrorCode::ModelMissing,
            Self::Damaged { .. } => ErrorCode::ModelDamaged,
            Self::RuntimeMissing { .. } => ErrorCode::RuntimeMissing,
            Self::NotWritten { cause, .. } => match cause.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    ErrorCode::PermissionDenied
                }
                _ => ErrorCode::Internal,
            },
            Self::Failed(_) => ErrorCode::ModelFailed,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Missing { .. } | Self::Damaged { .. } => {
                "Run “make setup”, which makes the model pack again, or reinstall Ancre; a pack of \
                 your own, import again."
            }
            Self::NotWritten { .. } => {
                "See that the data folder can be written and its disk has room."
            }
            Self::RuntimeMissing { .. } => {
                "Run “make setup”, which installs ONNX Runtime, or reinstall Ancre."
            }
            Self::Failed(_) => "Try again; if it happens again, restart Ancre.",
            Self::Cancelled => return None,
        };
        Some(hint.to_owned())
    }
}
