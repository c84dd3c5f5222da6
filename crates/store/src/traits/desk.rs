//! Agents, tickets, runs and the snapshots of cited passages.

use ancre_domain::{
    Agent, AgentDetails, AgentId, Language, Message, MessageId, Page, PageRequest, ProjectId, Run,
    RunId, RunStatus, Ticket, TicketId, TicketSource, Timestamp,
};

use crate::StoreError;

/// A ticket about to be made, with the customer's first message.
#[derive(Debug, Clone)]
pub struct NewTicket {
    /// The project it will belong to.
    pub project_id: ProjectId,
    /// Its subject.
    pub subject: String,
    /// The customer's words.
    pub body: String,
    /// Their language.
    pub language: Option<Language>,
    /// The agent that will answer, if it was chosen.
    pub agent_id: Option<AgentId>,
}

/// A ticket as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketListing {
    /// The ticket.
    pub ticket: Ticket,
    /// The beginning of the customer's last message, one line of at most 160 characters.
    pub preview: String,
    /// The agent's name, where one is assigned.
    pub agent_name: Option<String>,
    /// How its latest run ended, if it has one.
    pub latest_run_status: Option<RunStatus>,
}

/// A run that is about to be kept, with everything it made.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// The run.
    pub run: Run,
    /// Its draft, when it proposed one; its id is the run's `reply_message_id`.
    pub reply: Option<Message>,
    /// The passages that the draft cites, one per number.
    pub ticket_sources: Vec<TicketSource>,
}

/// Agents, tickets and runs.
pub trait DeskStore {
    /// Makes an agent. [`StoreError::NameTaken`]; [`StoreError::NotFound`] for a base that is not
    /// one of the project's.
    fn create_agent(
        &self,
        project: &ProjectId,
        details: &AgentDetails,
        now: Timestamp,
    ) -> Result<Agent, StoreError>;

    /// Changes an agent; the same errors as [`Self::create_agent`].
    fn update_agent(
        &self,
        project: &ProjectId,
        id: &AgentId,
        details: &AgentDetails,
        now: Timestamp,
    ) -> Result<Agent, StoreError>;

    /// One agent.
    fn agent(&self, project: &ProjectId, id: &AgentId) -> Result<Agent, StoreError>;

    /// The agent of that name, without regard to case.
    fn find_agent(&self, project: &ProjectId, name: &str) -> Result<Option<Agent>, StoreError>;

    /// Every agent of the project by name.
    fn list_agents(&self, project: &ProjectId) -> Result<Vec<Agent>, StoreError>;

    /// Deletes an agent. Its runs stay; its tickets lose their assignment.
    fn delete_agent(&self, project: &ProjectId, id: &AgentId) -> Result<(), StoreError>;

    /// Makes a ticket and its first message.
    fn create_ticket(&self, ticket: &NewTicket, now: Timestamp) -> Result<Ticket, StoreError>;

    /// One ticket.
    fn ticket(&self, project: &ProjectId, id: &TicketId) -> Result<Ticket, StoreError>;

    /// The tickets of a project, the last changed first.
    fn list_tickets(
        &self,
        project: &ProjectId,
        page: PageRequest,
    ) -> Result<Page<TicketListing>, StoreError>;

    /// The messages of a ticket, oldest first.
    fn messages(&self, project: &ProjectId, id: &TicketId) -> Result<Vec<Message>, StoreError>;

    /// Deletes a ticket with its messages, runs and snapshots.
    fn delete_ticket(&self, project: &ProjectId, id: &TicketId) -> Result<(), StoreError>;

    /// Keeps a run, its draft and its snapshots in one transaction, and marks the ticket: the
    /// agent becomes its agent, and it is drafted when there is a draft.
    fn store_run(&self, run: &StoredRun) -> Result<(), StoreError>;

    /// One run.
    fn run(&self, project: &ProjectId, id: &RunId) -> Result<Run, StoreError>;

    /// The runs of a ticket, newest first.
    fn runs(&self, project: &ProjectId, ticket: &TicketId) -> Result<Vec<Run>, StoreError>;

    /// The snapshots behind the numbers of a draft, by number.
    fn ticket_sources(
        &self,
        project: &ProjectId,
        message: &MessageId,
    ) -> Result<Vec<TicketSource>, StoreError>;
}
