//! What can go wrong between a text and a hit.

use ancre_domain::{DocumentFailure, ErrorCode, ErrorDetails, Explain};
use ancre_extract::ExtractError;
use ancre_models::ModelError;
use ancre_store::StoreError;

/// An error of indexing or searching: what storage, a model or a reader says, or one of our own.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// Storage.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedder.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Reading a file.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// There is nothing but blanks in the text.
    #[error("there is no text in it")]
    Empty,
    /// A new version of one source that holds many documents.
    #[error("an archive holds many documents; it cannot take the place of one")]
    ArchiveAsVersion,
    /// The new version of a source is the text of another one.
    #[error("the library has this text already: “{title}”")]
    AlreadyInLibrary {
        /// The title of the source that has it.
        title: String,
    },
    /// The text has more characters than a position can count.
    #[error("it has more than four thousand million characters")]
    TooLong,
    /// A question without words.
    #[error("the question is empty")]
    EmptyQuery,
    /// A number of hits that is not answered.
    #[error("{top_k} hits were asked for; 1 to {limit} are possible")]
    InvalidTopK {
        /// What was asked for.
        top_k: u32,
        /// The most that is possible.
        limit: u32,
    },
    /// A distance that no two vectors have.
    #[error("{max_distance} is no distance; distances are between 0 and 2")]
    InvalidDistance {
        /// What was asked for.
        max_distance: f64,
    },
    /// A base has no questions to measure it with.
    #[error("the base has no questions")]
    NoQuestions,
    /// Somebody asked to stop.
    #[error("stopped before it was done")]
    Cancelled,
    /// A search by meaning needs an embedder, and none was given.
    #[error("a search by meaning needs an embedding model")]
    NoEmbedder,
    /// The base was made with another embedder.
    #[error(
        "the base “{base}” holds vectors of {expected} ({expected_dimension} numbers); the model \
         that is loaded is {actual} ({actual_dimension} numbers)"
    )]
    ModelMismatch {
        /// The base's name.
        base: String,
        /// The embedder it was made with.
        expected: String,
        /// The length of its vectors.
        expected_dimension: u32,
        /// The embedder that is loaded.
        actual: String,
        /// The length of that one's vectors.
        actual_dimension: u32,
    },
    /// The base holds vectors of the embedder as it was before an update.
    #[error(
        "the base “{base}” was indexed with version {expected} of {model}; version {actual} is \
         installed, and vectors of both cannot be compared"
    )]
    ModelUpdated {
        /// The base's name.
        base: String,
        /// The embedder.
        model: String,
        /// The version whose vectors the base holds.
        expected: String,
        /// The version that is loaded.
        actual: String,
    },
    /// The vectors of a model cannot be indexed.
    #[error("the vectors of {model} have {dimension} numbers; 1 to {limit} can be indexed")]
    UnfitModel {
        /// The model.
        model: String,
        /// The length of its vectors.
        dimension: u32,
        /// The longest vectors that can be indexed.
        limit: u32,
    },
    /// The embedder gave another number of vectors than it was given texts.
    #[error("the model gave {actual} vectors for {expected} texts")]
    WrongVectorCount {
        /// How many texts it was given.
        expected: usize,
        /// How many vectors came back.
        actual: usize,
    },
}

impl KnowledgeError {
    /// Whether every further document would meet the same fault, so that a job had better stop
    /// and say so once. A locked database counts: we have waited for it already.
    pub fn stops_the_job(&self) -> bool {
        matches!(
            self.code(),
            ErrorCode::DataInUse
                | ErrorCode::DataReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::DatabaseNewer
                | ErrorCode::DatabaseDamaged
                | ErrorCode::DatabaseBusy
                | ErrorCode::ModelMissing
                | ErrorCode::ModelDamaged
                | ErrorCode::RuntimeMissing
                | ErrorCode::ModelMismatch
        )
    }

    /// What is kept with a document that this error cost.
    pub(crate) fn to_document_failure(&self) -> DocumentFailure {
        DocumentFailure { code: self.code(), message: self.to_string() }
    }
}

impl Explain for KnowledgeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Store(error) => error.code(),
            Self::Model(error) => error.code(),
            Self::Extract(error) => error.code(),
            Self::EmptyQuery
            | Self::InvalidTopK { .. }
            | Self::InvalidDistance { .. }
            | Self::UnfitModel { .. }
            | Self::NoQuestions => ErrorCode::InvalidInput,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::NoEmbedder => ErrorCode::ModelMissing,
            Self::ArchiveAsVersion => ErrorCode::Unsupported,
            Self::AlreadyInLibrary { .. } => ErrorCode::AlreadyInLibrary,
            Self::Empty => ErrorCode::Empty,
            Self::TooLong => ErrorCode::TooLarge,
            Self::ModelMismatch { .. } | Self::ModelUpdated { .. } => ErrorCode::ModelMismatch,
            Self::WrongVectorCount { .. } => ErrorCode::ModelFailed,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Store(error) => return error.hint(),
            Self::Model(error) => return error.hint(),
            Self::Extract(error) => return error.hint(),
            Self::Empty => "Check that the text was copied with its content.",
            Self::ArchiveAsVersion => "Choose the document in it that is the new version.",
            Self::AlreadyInLibrary { .. } => {
                "Add that source to the bases that need it, and delete this one if it is not needed."
            }
            Self::TooLong => "Split it into smaller files.",
            Self::EmptyQuery => "Type a few words.",
            Self::InvalidTopK { .. } => "Ask for fewer hits, or at least one.",
            Self::InvalidDistance { .. } => "Leave the distance out to see every hit.",
            Self::NoQuestions => "Make a question from a search, or import some.",
            Self::Cancelled => return None,
            Self::NoEmbedder => "Search by words, or load a model.",
            Self::ModelMismatch { .. } => {
                "Index the base again with a model that is installed, or install the base's model."
            }
            Self::ModelUpdated { .. } => {
                "Index the base again, then add to it; until then it is searched as it is."
            }
            Self::UnfitModel { .. } => "Choose another model.",
            Self::WrongVectorCount { .. } => "Try again; if it happens again, restart Ancre.",
        };
        Some(hint.to_owned())
    }

    fn details(&self) -> Option<ErrorDetails> {
        match self {
            Self::Store(error) => error.details(),
            Self::Model(error) => error.details(),
            Self::Extract(error) => error.details(),
            _ => None,
        }
    }
}
