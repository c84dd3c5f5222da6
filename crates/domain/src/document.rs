//! A source in a knowledge base.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, ErrorCode, KnowledgeBaseId, SourceId, SourceKind, Timestamp, Warning};

/// One source attached to one knowledge base. It has its own status, chunks and error: the same
/// source may be ready in one base and in error in another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Document {
    /// Its id.
    pub id: DocumentId,
    /// The base it is in.
    pub kb_id: KnowledgeBaseId,
    /// The source it shows.
    pub source_id: SourceId,
    /// How the source came.
    pub source_kind: SourceKind,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// Its title.
    pub title: String,
    /// The media type of the original.
    pub mime: String,
    /// SHA-256 of the text.
    pub sha256: String,
    /// Where it stands.
    pub status: DocumentStatus,
    /// Length of the text in characters.
    pub char_count: u32,
    /// How many chunks it has; 0 until it is ready.
    pub chunk_count: u32,
    /// Whether searches see it once it is ready; a document that is switched off keeps its place.
    pub is_enabled: bool,
    /// Why it is in error, if it is.
    pub failure: Option<DocumentFailure>,
    /// What a person should know of how it was read and indexed.
    pub warnings: Vec<Warning>,
    /// When it was attached.
    pub created_at: Timestamp,
    /// When it became ready.
    pub ingested_at: Option<Timestamp>,
}

/// Where a document stands. Only a ready one is seen by searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum DocumentStatus {
    /// Stored, waiting to be indexed.
    Queued,
    /// Being cut and embedded.
    Indexing,
    /// Whole and searchable.
    Ready,
    /// Not indexed, for a reason that is kept.
    Error,
}

impl DocumentStatus {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Indexing => "indexing",
            Self::Ready => "ready",
            Self::Error => "error",
        }
    }

    /// The status that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Queued, Self::Indexing, Self::Ready, Self::Error]
            .into_iter()
            .find(|status| status.as_str() == word)
    }
}

/// Why a document is in error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DocumentFailure {
    /// The stable code.
    pub code: ErrorCode,
    /// One English sentence.
    pub message: String,
}

/// How many documents of a base stand where, and how much it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DocumentCounts {
    /// Waiting.
    pub queued: u32,
    /// Being indexed.
    pub indexing: u32,
    /// Searchable.
    pub ready: u32,
    /// In error.
    pub error: u32,
    /// Chunks of the ready ones.
    pub chunks: u32,
}
