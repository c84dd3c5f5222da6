//! How something was searched, kept beside what was found, so that an old run can be understood and
//! compared after the agent, the base or its index has changed. Nothing in it is looked up again.

use serde::{Deserialize, Serialize};

use crate::{KnowledgeBaseId, SearchMode};

/// The settings of a search that a run rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchRecord {
    /// Which rankings were followed.
    pub mode: SearchMode,
    /// How many passages were asked for.
    pub top_k: u32,
    /// How far evidence of meaning reached, a cosine distance in [0, 2]; none: no limit.
    pub max_distance: Option<f64>,
    /// The indexes that answered, in the order of their bases' ids.
    pub indexes: Vec<SearchedIndex>,
}

/// The index of a base at the time of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SearchedIndex {
    /// The base; it may be gone.
    pub kb_id: KnowledgeBaseId,
    /// The number of its generation; none for a base from before generations.
    pub generation: Option<u32>,
    /// The embedder whose vectors it held.
    pub embedding_model_id: String,
    /// That embedder's version; none where it was indexed before versions were kept.
    pub embedding_version: Option<String>,
}
