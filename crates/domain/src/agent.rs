//! Who answers.

use serde::{Deserialize, Serialize};

use crate::{AgentId, KnowledgeBaseId, ProjectId, SearchMode, Timestamp};

/// An AI persona that answers. (A person is a user or a reviewer, never an agent.)
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// Everything that a person may set.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(flatten))]
    pub details: AgentDetails,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What a person sets of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AgentDetails {
    /// Its name, unique in the project.
    pub name: String,
    /// What it is for; may be empty.
    #[serde(default)]
    pub description: String,
    /// How it should answer; may be empty. The extractive runner, which writes nothing of its
    /// own, has no use for it.
    #[serde(default)]
    pub instructions: String,
    /// The bases it may search, and no others.
    pub kb_ids: Vec<KnowledgeBaseId>,
    /// How many passages a search gives it, 1 to 50.
    #[serde(default = "AgentDetails::default_top_k")]
    pub top_k: u32,
    /// Passages farther than this cosine distance are not used; none: no limit.
    #[serde(default)]
    pub max_distance: Option<f64>,
    /// How its passages are found.
    #[serde(default)]
    pub search_mode: SearchMode,
    /// The closing line of its replies; empty: the product's own courtesy.
    #[serde(default)]
    pub signature: String,
}

impl AgentDetails {
    /// How many passages an agent gets when nobody said otherwise.
    pub const fn default_top_k() -> u32 {
        6
    }
}
