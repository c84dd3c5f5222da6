//! Agents, tickets, drafts.

use ancre_domain::{
    AgentDetails, AgentId, CharRange, ChunkId, DocumentId, KnowledgeBaseId, Language, Message,
    MessageId, PageKind, PageRequest, RunId, RunStatus, RunTimings, SearchRecord, Sentence,
    SourceId, SourceKind, Ticket, TicketId, Timestamp,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Names an agent.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentRef {
    /// The agent.
    pub agent_id: AgentId,
}

/// Changes an agent.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UpdateAgent {
    /// The agent.
    pub agent_id: AgentId,
    /// What it becomes.
    pub details: AgentDetails,
}

/// Makes a ticket from what a customer wrote.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateTicket {
    /// Its subject; when blank, the first words of the message.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub subject: String,
    /// The customer's words.
    pub body: String,
    /// The agent that shall answer.
    #[serde(default)]
    #[ts(optional)]
    pub agent_id: Option<AgentId>,
}

/// Names a ticket.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TicketRef {
    /// The ticket.
    pub ticket_id: TicketId,
}

/// Asks for a piece of the tickets, the last changed first.
#[derive(Debug, Clone, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTickets {
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// A ticket as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TicketSummary {
    /// The ticket.
    #[serde(flatten)]
    #[ts(flatten)]
    pub ticket: Ticket,
    /// The beginning of the customer's last message.
    pub preview: String,
    /// The agent's name.
    pub agent_name: Option<String>,
    /// How its latest run ended.
    pub latest_run_status: Option<RunStatus>,
}

/// A ticket, its messages and its latest draft.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct TicketView {
    /// The ticket.
    #[serde(flatten)]
    #[ts(flatten)]
    pub ticket: Ticket,
    /// The customer's messages, oldest first.
    pub messages: Vec<Message>,
    /// The latest draft, if there is one.
    pub draft: Option<Draft>,
    /// How many drafts there have been.
    pub draft_count: u32,
}

/// Asks an agent for a draft.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftReply {
    /// The ticket.
    pub ticket_id: TicketId,
    /// The agent; when absent the ticket's own, else the only one there is.
    #[serde(default)]
    #[ts(optional)]
    pub agent_id: Option<AgentId>,
}

/// The step a draft is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DraftStep {
    /// Looking for passages.
    Searching,
    /// Writing the reply.
    Writing,
    /// Checking each sentence against its passage.
    Checking,
}

/// The reply that a run proposes.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The run.
    pub run_id: RunId,
    /// The ticket.
    pub ticket_id: TicketId,
    /// The draft's message; its citations are numbered within it.
    pub message_id: MessageId,
    /// How the run ended.
    pub status: RunStatus,
    /// The agent's name at the time.
    pub agent: String,
    /// The risk of the message; not weighed by this version.
    #[ts(type = "null")]
    pub risk: Option<()>,
    /// The language of the reply.
    pub language: Language,
    /// The reply as the customer would read it, with its numbers.
    pub text: String,
    /// The passages behind the numbers, by number.
    pub citations: Vec<DraftCitation>,
    /// The reply sentence by sentence.
    pub sentences: Vec<Sentence>,
    /// Why there is no answer, as one English sentence.
    pub reason: Option<String>,
    /// How it was searched; none for a draft of an earlier version.
    pub search: Option<SearchRecord>,
    /// How long the steps took.
    pub timings: RunTimings,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A passage behind a number.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct DraftCitation {
    /// The number in the draft, from 1.
    pub number: u32,
    /// The chunk, as it was.
    pub chunk_id: ChunkId,
    /// The document's title at the time.
    pub document_title: String,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// The page of the first words that were quoted.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document called the page, where that was more than its number.
    pub page_label: Option<String>,
    /// The passage's beginning, one line.
    pub content_preview: String,
}

/// Asks for the passage behind a number.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PassageRef {
    /// The draft's message.
    pub message_id: MessageId,
    /// The number in it.
    pub number: u32,
}

/// The snapshot behind a number.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PassageView {
    /// The number.
    pub number: u32,
    /// The document's title at the time.
    pub document_title: String,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// How the source came.
    pub source_kind: SourceKind,
    /// The source, as it was.
    pub source_id: SourceId,
    /// The document, as it was.
    pub document_id: DocumentId,
    /// The base, as it was.
    pub kb_id: KnowledgeBaseId,
    /// The base's name at the time.
    pub kb_name: String,
    /// The whole passage, as it was.
    pub content: String,
    /// The parts of `content` that the draft used, in characters.
    pub used_ranges: Vec<CharRange>,
    /// The chunk's place in its document, from 0.
    pub position: u32,
    /// Where the passage lay in the document's text, in characters.
    pub range: CharRange,
    /// The page of the first words that were quoted.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document called the page, where that was more than its number.
    pub page_label: Option<String>,
    /// The headings that these words stood under.
    pub heading: Option<String>,
    /// Cosine distance to the question, in [0, 2].
    pub distance: f64,
    /// Whether the document is still in its base.
    pub is_document_there: bool,
    /// When the snapshot was taken.
    pub created_at: Timestamp,
}
