//! The desk's trait, table family by table family: [`agents`],
//! [`tickets`] with their messages, [`runs`] with their snapshots.

use ancre_domain::{
    Agent, AgentDetails, AgentId, Message, MessageId, Page, PageRequest, ProjectId, Run, RunId,
    Ticket, TicketId, TicketSource, Timestamp,
};

use super::{SqliteStore, agents, runs, tickets};
use crate::StoreError;
use crate::traits::{DeskStore, NewTicket, StoredRun, TicketListing};

impl DeskStore for SqliteStore {
    fn create_agent(
        &self,
        project: &ProjectId,
        details: &AgentDetails,
        now: Timestamp,
    ) -> Result<Agent, StoreError> {
        self.write(|transaction| agents::create(transaction, project, details, now))
    }

    fn update_agent(
        &self,
        project: &ProjectId,
        id: &AgentId,
        details: &AgentDetails,
        now: Timestamp,
    ) -> Result<Agent, StoreError> {
        self.write(|transaction| agents::update(transaction, project, id, details, now))
    }

    fn agent(&self, project: &ProjectId, id: &AgentId) -> Result<Agent, StoreError> {
        self.read(|transaction| agents::require(transaction, project, id))
    }

    fn find_agent(&self, project: &ProjectId, name: &str) -> Result<Option<Agent>, StoreError> {
        self.read(|transaction| agents::by_name(transaction, project, name))
    }

    fn list_agents(&self, project: &ProjectId) -> Result<Vec<Agent>, StoreError> {
        self.read(|transaction| agents::list(transaction, project))
    }

    fn delete_agent(&self, project: &ProjectId, id: &AgentId) -> Result<(), StoreError> {
        self.erase(|transaction| agents::delete(transaction, project, id))
    }

    fn create_ticket(&self, ticket: &NewTicket, now: Timestamp) -> Result<Ticket, StoreError> {
        self.write(|transaction| tickets::create(transaction, ticket, now))
    }

    fn ticket(&self, project: &ProjectId, id: &TicketId) -> Result<Ticket, StoreError> {
        self.read(|transaction| tickets::require(transaction, project, id))
    }

    fn list_tickets(
        &self,
        project: &ProjectId,
        page: PageRequest,
    ) -> Result<Page<TicketListing>, StoreError> {
        self.read(|transaction| tickets::list(transaction, project, page))
    }

    fn messages(&self, project: &ProjectId, id: &TicketId) -> Result<Vec<Message>, StoreError> {
        self.read(|transaction| tickets::messages(transaction, project, id))
    }

    fn delete_ticket(&self, project: &ProjectId, id: &TicketId) -> Result<(), StoreError> {
        self.erase(|transaction| tickets::delete(transaction, project, id))
    }

    fn store_run(&self, run: &StoredRun) -> Result<(), StoreError> {
        self.write(|transaction| runs::store(transaction, run))
    }

    fn run(&self, project: &ProjectId, id: &RunId) -> Result<Run, StoreError> {
        self.read(|transaction| runs::require(transaction, project, id))
    }

    fn runs(&self, project: &ProjectId, ticket: &TicketId) -> Result<Vec<Run>, StoreError> {
        self.read(|transaction| runs::of_ticket(transaction, project, ticket))
    }

    fn ticket_sources(
        &self,
        project: &ProjectId,
        message: &MessageId,
    ) -> Result<Vec<TicketSource>, StoreError> {
        self.read(|transaction| runs::ticket_sources(transaction, project, message))
    }
}
