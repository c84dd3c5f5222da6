//! What every open window should know, whoever caused it.

use ancre_domain::{KnowledgeBaseId, TicketId};
use serde::Serialize;
use ts_rs::TS;

use super::{EngineStatus, IngestProgress, JobSummary};

/// Something that happened, in the past tense. Progress of one call goes through that call's own
/// channel; these go to everyone.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Event {
    /// Bases were made, changed or deleted, or what they hold has changed.
    KnowledgeBasesChanged,
    /// Documents of a base came, went or changed their status.
    DocumentsChanged {
        /// The base.
        kb_id: KnowledgeBaseId,
    },
    /// Sources of the library came, went, or got another title.
    SourcesChanged,
    /// Agents were made, changed or deleted.
    AgentsChanged,
    /// Tickets were made or deleted, or the list's order changed.
    TicketsChanged,
    /// A ticket got a draft.
    TicketDrafted {
        /// The ticket.
        ticket_id: TicketId,
    },
    /// A job moved on; for windows other than the one that began it.
    JobProgressed(Box<IngestProgress>),
    /// A job came or changed: each change of state at once, its progress at most four times a
    /// second.
    JobChanged {
        /// The job as it is now.
        job: Box<JobSummary>,
    },
    /// The list of jobs has another order, or other jobs.
    JobsChanged,
    /// The embedding model was loaded, or could not be.
    EngineChanged(EngineStatus),
    /// Settings were changed.
    SettingsChanged,
}
