//! What can go wrong at the desk.

use ancre_domain::{ErrorCode, Explain};
use ancre_models::ModelError;
use ancre_store::StoreError;

/// A desk error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// The message says nothing.
    #[error("the message of the ticket is empty")]
    EmptyMessage,
    /// A field of the ticket is longer than what is accepted.
    #[error("the {field} is too long: {actual} {unit}, and at most {limit} are accepted")]
    TooLarge {
        /// Which field.
        field: &'static str,
        /// How long it is.
        actual: usize,
        /// How long it may be.
        limit: usize,
        /// What is counted: `characters` or `bytes`.
        unit: &'static str,
    },
    /// The ticket has no message of a customer.
    #[error("the ticket has no message to answer")]
    NothingToAnswer,
    /// The agent has no bases.
    #[error("the agent “{agent}” has no knowledge base to answer from")]
    AgentWithoutBases {
        /// The agent's name.
        agent: String,
    },
    /// Somebody asked to stop; nothing was stored.
    #[error("the draft was stopped")]
    Cancelled,
    /// The search failed.
    #[error(transparent)]
    Search(ancre_knowledge::KnowledgeError),
    /// The runner failed.
    #[error(transparent)]
    Runner(ModelError),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ModelError> for DeskError {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Cancelled => Self::Cancelled,
            error => Self::Runner(error),
        }
    }
}

impl From<ancre_knowledge::KnowledgeError> for DeskError {
    fn from(error: ancre_knowledge::KnowledgeError) -> Self {
        if error.code() == ErrorCode::Cancelled { Self::Cancelled } else { Self::Search(error) }
    }
}

impl Explain for DeskError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::EmptyMessage | Self::NothingToAnswer => ErrorCode::Empty,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::AgentWithoutBases { .. } => ErrorCode::AgentWithoutBases,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Search(error) => error.code(),
            Self::Runner(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::EmptyMessage => Some("Paste what the customer wrote.".to_owned()),
            Self::TooLarge { .. } => Some("Shorten it, or attach the rest as a file.".to_owned()),
            Self::AgentWithoutBases { .. } => {
                Some("Assign at least one knowledge base to the agent.".to_owned())
            }
            Self::NothingToAnswer | Self::Cancelled => None,
            Self::Search(error) => error.hint(),
            Self::Runner(error) => error.hint(),
            Self::Store(error) => error.hint(),
        }
    }
}
