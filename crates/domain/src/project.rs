//! The outer boundary.

use serde::Serialize;

use crate::{ProjectId, Timestamp};

/// A project: its sources, bases, agents and tickets are invisible to every other project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}
