//! The index of a knowledge base, and the one that is built beside it.
//!
//! A base answers from one generation. A change of model or of chunking builds the next one beside
//! it; when that is whole the base switches, and the old one stays until it is discarded.

use serde::{Deserialize, Serialize};

use crate::{ChunkingSettings, Timestamp};

/// One index of a base: chunks cut with one setting, vectors of one model, words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct IndexGeneration {
    /// Its number within the base, from 1.
    pub number: u32,
    /// What it is for.
    pub state: GenerationState,
    /// The embedder whose vectors it holds.
    pub embedding_model_id: String,
    /// That embedder's version; none where it was indexed before versions were kept.
    pub embedding_version: Option<String>,
    /// The length of the vectors.
    pub embedding_dim: u32,
    /// How its texts were cut when it was begun.
    pub chunking: ChunkingSettings,
    /// Documents that are whole in it.
    pub documents: u32,
    /// Chunks that have their vectors in it.
    pub chunks: u32,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it was whole.
    pub finished_at: Option<Timestamp>,
}

/// What a generation is for. A base has at most one of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum GenerationState {
    /// It is not whole yet, and nobody searches it.
    Building,
    /// Searches are answered from it.
    Serving,
    /// It served before, and can be brought back.
    Previous,
}

impl GenerationState {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Building => "building",
            Self::Serving => "serving",
            Self::Previous => "previous",
        }
    }

    /// The state that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Building, Self::Serving, Self::Previous]
            .into_iter()
            .find(|state| state.as_str() == word)
    }
}

/// Whether a base can be searched as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum IndexHealth {
    /// By meaning and by words.
    Ok,
    /// Its vectors lie in the table that bases once shared. It works; indexing it again gives it a
    /// table of its own.
    Legacy,
    /// Its vectors are gone: it has to be indexed again.
    VectorsMissing,
    /// Its vectors are not as long as its model's: it has to be indexed again.
    WrongDimension,
    /// Passages of it are gone: it has to be indexed again.
    ChunksMissing,
    /// The model that it was indexed with is not installed: it is searched by words alone, and
    /// takes nothing new, until that model is there or it is indexed again with another.
    ModelMissing,
    /// By meaning only: its words are not indexed, or not all of them yet.
    NoTextIndex,
}
