//! A conversation with a customer.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Language, MessageId, ProjectId, RunId, TicketId, Timestamp};

/// A conversation with a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Ticket {
    /// Its id.
    pub id: TicketId,
    /// The project it belongs to.
    pub project_id: ProjectId,
    /// Its subject, never empty.
    pub subject: String,
    /// Whether it waits for a reply.
    pub status: TicketStatus,
    /// The agent that answers it, once one was chosen.
    pub agent_id: Option<AgentId>,
    /// When it came.
    pub created_at: Timestamp,
    /// When its last message came.
    pub updated_at: Timestamp,
}

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum TicketStatus {
    /// Nobody has proposed a reply yet.
    Open,
    /// A draft waits for its reviewer.
    Drafted,
}

impl TicketStatus {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Drafted => "drafted",
        }
    }

    /// The status that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Open, Self::Drafted].into_iter().find(|status| status.as_str() == word)
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// The conversation it is part of.
    pub ticket_id: TicketId,
    /// Who wrote it.
    pub direction: Direction,
    /// Its text.
    pub body: String,
    /// Its language, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// The run that proposed it, for a draft.
    pub run_id: Option<RunId>,
    /// When it came.
    pub created_at: Timestamp,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Direction {
    /// The customer.
    Inbound,
    /// A reply that a run proposed; nothing is sent by itself.
    Draft,
}

impl Direction {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inbound => "inbound",
            Self::Draft => "draft",
        }
    }

    /// The direction that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Inbound, Self::Draft].into_iter().find(|direction| direction.as_str() == word)
    }
}
