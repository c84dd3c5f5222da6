//! Indexes of bases: their models, their generations, and what a new one costs.

use ancre_domain::{ChunkingSettings, IndexGeneration, IndexHealth, KnowledgeBaseId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::WireError;

/// The index that a base answers from, and those beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IndexSummary {
    /// The number of the generation that answers, from 1.
    pub generation: u32,
    /// The version of the model that made it; none where it is from before versions were kept.
    pub embedding_version: Option<String>,
    /// Whether it can be searched as it should be.
    pub health: IndexHealth,
    /// Whether indexing the base again would make another index: of another version of its model,
    /// or cut as its settings say now.
    pub is_outdated: bool,
    /// The one that is being built.
    pub building: Option<IndexGeneration>,
    /// The one that answered before and can be brought back.
    pub previous: Option<IndexGeneration>,
    /// How the texts were cut that are searched; the base's own chunking is for the next indexing.
    pub chunking_in_use: ChunkingSettings,
}

/// An embedding model on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InstalledModel {
    /// Its id; of a pack that cannot be read, the name of its folder.
    pub id: String,
    /// Its version; empty where the pack cannot be read.
    pub version: String,
    /// The length of its vectors; 0 where the pack cannot be read.
    pub dimension: u32,
    /// How many tokens it reads of a text.
    pub max_tokens: u32,
    /// The licence of its weights, as an SPDX expression.
    pub license: String,
    /// Whether new bases use it.
    pub is_default: bool,
    /// Why it cannot be used, if so.
    pub error: Option<WireError>,
}

/// Asks for a new index of a base, or what one would cost. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reindex {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// The embedding model; the base's own when absent.
    #[serde(default)]
    #[ts(optional)]
    pub model: Option<String>,
    /// Characters per chunk; as the base's settings say when absent.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_size: Option<u32>,
    /// Characters that consecutive chunks share; as the base's settings say when absent.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_overlap: Option<u32>,
}

/// What a new index costs, measured on this machine.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ReindexEstimate {
    /// Documents that have to be built.
    pub documents: u32,
    /// Chunks that they will have.
    pub chunks: u32,
    /// Of these, how many were embedded before and need nothing.
    pub cached_chunks: u32,
    /// How long it takes.
    #[ts(type = "number")]
    pub milliseconds: u64,
    /// How many bytes the database grows by until the old index is discarded.
    #[ts(type = "number")]
    pub disk_bytes: u64,
    /// How fast the model is here; 0 where nothing is to be embedded and nobody knows.
    pub passages_per_second: f64,
}
