//! Agents, tickets, drafts.

use std::sync::Arc;

use ancre_desk::extractive::ExtractiveRunner;
use ancre_desk::runs::{self, Desk};
use ancre_desk::tickets::{self, PastedTicket};
use ancre_domain::{
    Agent, AgentDetails, AgentId, Direction, ErrorCode, Message, Page, Run, Ticket, TicketSource,
};
use ancre_store::traits::TicketListing;

use super::Never;
use crate::Ancre;
use crate::wire::{
    AgentRef, CreateTicket, Draft, DraftCitation, DraftReply, DraftStep, Event, ListTickets,
    Nothing, PassageRef, PassageView, TicketRef, TicketSummary, TicketView, UpdateAgent, WireError,
};

/// Lists the agents by name.
///
/// # Errors
///
/// What the store says.
pub fn list_agents(ancre: &Ancre, _: Nothing, _: &dyn Fn(Never)) -> Result<Vec<Agent>, WireError> {
    Ok(ancre.store().list_agents(ancre.project())?)
}

/// Shows one agent.
///
/// # Errors
///
/// `not_found`.
pub fn get_agent(ancre: &Ancre, input: AgentRef, _: &dyn Fn(Never)) -> Result<Agent, WireError> {
    Ok(ancre.store().agent(ancre.project(), &input.agent_id)?)
}

/// Makes an agent.
///
/// # Errors
///
/// `invalid_input`, `name_taken`, `not_found` for a base that is not there.
pub fn create_agent(
    ancre: &Ancre,
    input: AgentDetails,
    _: &dyn Fn(Never),
) -> Result<Agent, WireError> {
    let details = checked(input)?;
    let agent = ancre.store().create_agent(ancre.project(), &details, ancre.clock().now())?;
    ancre.tell(Event::AgentsChanged);
    ancre.tell(Event::KnowledgeBasesChanged);
    Ok(agent)
}

/// Changes an agent.
///
/// # Errors
///
/// Those of [`create_agent`], and `not_found` for the agent.
pub fn update_agent(
    ancre: &Ancre,
    input: UpdateAgent,
    _: &dyn Fn(Never),
) -> Result<Agent, WireError> {
    let details = checked(input.details)?;
    let now = ancre.clock().now();
    let agent = ancre.store().update_agent(ancre.project(), &input.agent_id, &details, now)?;
    ancre.tell(Event::AgentsChanged);
    ancre.tell(Event::KnowledgeBasesChanged);
    ancre.tell(Event::TicketsChanged);
    Ok(agent)
}

/// Deletes an agent; its runs stay.
///
/// # Errors
///
/// `not_found`.
pub fn delete_agent(
    ancre: &Ancre,
    input: AgentRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ancre.store().delete_agent(ancre.project(), &input.agent_id)?;
    ancre.tell(Event::AgentsChanged);
    ancre.tell(Event::KnowledgeBasesChanged);
    ancre.tell(Event::TicketsChanged);
    Ok(Nothing {})
}

/// Lists tickets, the last changed first.
///
/// # Errors
///
/// What the store says.
pub fn list_tickets(
    ancre: &Ancre,
    input: ListTickets,
    _: &dyn Fn(Never),
) -> Result<Page<TicketSummary>, WireError> {
    let Page { items, total } = ancre.store().list_tickets(ancre.project(), input.page)?;
    Ok(Page { items: items.into_iter().map(TicketSummary::from).collect(), total })
}

/// Makes a ticket from what a customer wrote.
///
/// # Errors
///
/// `empty` when the message is blank, `too_large`, `not_found` for the agent.
pub fn create_ticket(
    ancre: &Ancre,
    input: CreateTicket,
    progress: &dyn Fn(Never),
) -> Result<TicketView, WireError> {
    let pasted = PastedTicket {
        subject: &input.subject,
        body: &input.body,
        language: ancre_extract::detect_language(&input.body),
        agent_id: input.agent_id,
    };
    let ticket = tickets::new_ticket(ancre.store(), ancre.clock(), ancre.project(), &pasted)?;
    ancre.tell(Event::TicketsChanged);
    get_ticket(ancre, TicketRef { ticket_id: ticket.id }, progress)
}

/// Shows a ticket, its messages and its latest draft.
///
/// # Errors
///
/// `not_found`.
pub fn get_ticket(
    ancre: &Ancre,
    input: TicketRef,
    _: &dyn Fn(Never),
) -> Result<TicketView, WireError> {
    let (store, project) = (ancre.store(), ancre.project());
    let ticket = store.ticket(project, &input.ticket_id)?;
    let is_inbound = |message: &Message| message.direction == Direction::Inbound;
    let mut messages = store.messages(project, &ticket.id)?;
    messages.retain(is_inbound);
    let runs = store.runs(project, &ticket.id)?;
    let draft_count = u32::try_from(runs.len()).unwrap_or(u32::MAX);
    let draft = match runs.into_iter().next() {
        Some(run) => Some(with_citations(ancre, run)?),
        None => None,
    };
    Ok(TicketView { ticket, messages, draft, draft_count })
}

/// Deletes a ticket with its drafts and snapshots.
///
/// # Errors
///
/// `not_found`.
pub fn delete_ticket(
    ancre: &Ancre,
    input: TicketRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ancre.store().delete_ticket(ancre.project(), &input.ticket_id)?;
    ancre.tell(Event::TicketsChanged);
    Ok(Nothing {})
}

/// Lets an agent propose a cited reply. Its passages are kept before it is returned.
///
/// # Errors
///
/// `not_found`, `agent_without_bases`, and what the model or the store say.
pub fn draft_reply(
    ancre: &Ancre,
    input: DraftReply,
    progress: &dyn Fn(DraftStep),
) -> Result<Draft, WireError> {
    let ticket = ancre.store().ticket(ancre.project(), &input.ticket_id)?;
    let agent_id = answering_agent(ancre, &ticket, input.agent_id)?;
    // A wrong agent is said at once, not after the model was loaded.
    let agent = ancre.store().agent(ancre.project(), &agent_id)?;
    if agent.details.kb_ids.is_empty() {
        return Err(ancre_desk::DeskError::AgentWithoutBases { agent: agent.details.name }.into());
    }
    let embedder = ancre.engine().embedder()?;
    let runner = ExtractiveRunner::new(Arc::clone(&embedder));
    let working = Desk {
        store: ancre.store(),
        embedder: &*embedder,
        runner: &runner,
        clock: ancre.clock(),
        default_language: super::settings::reply_language(ancre)?,
    };
    let mut on_step = |step| {
        if let Some(step) = DraftStep::of_run(step) {
            progress(step);
        }
    };
    let drafted = working.draft_reply(
        ancre.project(),
        &ticket.id,
        &agent_id,
        ancre.jobs().stopping(),
        &mut on_step,
    )?;
    let draft = draft(drafted.run, &drafted.ticket_sources)?;
    ancre.tell(Event::TicketDrafted { ticket_id: ticket.id });
    ancre.tell(Event::TicketsChanged);
    Ok(draft)
}

/// Shows the snapshot behind a number of a draft.
///
/// # Errors
///
/// `not_found` when the draft has no such number.
pub fn get_passage(
    ancre: &Ancre,
    input: PassageRef,
    _: &dyn Fn(Never),
) -> Result<PassageView, WireError> {
    let sources = ancre.store().ticket_sources(ancre.project(), &input.message_id)?;
    let source = sources.into_iter().find(|source| source.position == input.number);
    let Some(source) = source else {
        return Err(WireError {
            code: ErrorCode::NotFound,
            message: format!("the draft has no passage [{}]", input.number),
            hint: None,
            details: None,
        });
    };
    let is_document_there = match ancre.store().document(ancre.project(), &source.document_id) {
        Ok(_) => true,
        Err(ancre_store::StoreError::NotFound { .. }) => false,
        Err(error) => return Err(error.into()),
    };
    Ok(PassageView {
        number: source.position,
        document_title: source.document_title,
        source_uri: source.source_uri,
        source_kind: source.source_kind,
        source_id: source.source_id,
        document_id: source.document_id,
        kb_id: source.kb_id,
        kb_name: source.kb_name,
        content: source.content_full,
        used_ranges: source.used_ranges,
        position: source.chunk_position,
        range: source.chunk_range,
        page: source.page,
        page_kind: source.page_kind,
        page_label: source.page_label,
        heading: source.heading,
        distance: source.distance,
        is_document_there,
        created_at: source.created_at,
    })
}

/// The agent that was asked for, else the ticket's own, else the only one there is.
fn answering_agent(
    ancre: &Ancre,
    ticket: &Ticket,
    asked: Option<AgentId>,
) -> Result<AgentId, WireError> {
    if let Some(agent) = asked.or_else(|| ticket.agent_id.clone()) {
        return Ok(agent);
    }
    let mut agents = ancre.store().list_agents(ancre.project())?;
    match (agents.pop(), agents.is_empty()) {
        (Some(only), true) => Ok(only.id),
        (None, _) => Err(WireError {
            hint: Some("Make an agent and assign bases to it.".to_owned()),
            ..WireError::invalid("there is no agent to answer")
        }),
        (Some(_), false) => Err(WireError {
            hint: Some("Choose the agent that shall answer.".to_owned()),
            ..WireError::invalid("there are several agents")
        }),
    }
}

/// What the store cannot judge of an agent: names with nothing in them, figures out of range.
fn checked(mut details: AgentDetails) -> Result<AgentDetails, WireError> {
    details.name = super::name("agent", &details.name)?;
    if !(1..=50).contains(&details.top_k) {
        return Err(WireError::invalid("an agent gets 1 to 50 passages"));
    }
    if details.max_distance.is_some_and(|distance| !(0.0..=2.0).contains(&distance)) {
        return Err(WireError::invalid("a distance is between 0 and 2"));
    }
    details.kb_ids.sort();
    details.kb_ids.dedup();
    Ok(details)
}

fn with_citations(ancre: &Ancre, run: Run) -> Result<Draft, WireError> {
    let sources = match &run.reply_message_id {
        Some(message) => ancre.store().ticket_sources(ancre.project(), message)?,
        None => Vec::new(),
    };
    draft(run, &sources)
}

fn draft(run: Run, sources: &[TicketSource]) -> Result<Draft, WireError> {
    let Some(message_id) = run.reply_message_id else {
        return Err(WireError::fault(format!("the run {} proposed nothing", run.id)));
    };
    Ok(Draft {
        run_id: run.id,
        ticket_id: run.ticket_id,
        message_id,
        status: run.status,
        agent: run.agent_name,
        risk: None,
        language: run.language,
        text: run.text,
        citations: sources.iter().map(DraftCitation::from).collect(),
        sentences: run.sentences,
        reason: run.reason,
        search: run.search,
        timings: run.timings,
        created_at: run.created_at,
    })
}

impl DraftStep {
    /// The step as interfaces know it; the end is the answer itself.
    fn of_run(step: runs::DraftStep) -> Option<Self> {
        match step {
            runs::DraftStep::Searching => Some(Self::Searching),
            runs::DraftStep::Writing => Some(Self::Writing),
            runs::DraftStep::Checking => Some(Self::Checking),
            runs::DraftStep::Done => None,
        }
    }
}

impl From<&TicketSource> for DraftCitation {
    fn from(source: &TicketSource) -> Self {
        Self {
            number: source.position,
            chunk_id: source.chunk_id.clone(),
            document_title: source.document_title.clone(),
            source_uri: source.source_uri.clone(),
            page: source.page,
            page_kind: source.page_kind,
            page_label: source.page_label.clone(),
            content_preview: source.content_preview.clone(),
        }
    }
}

impl From<TicketListing> for TicketSummary {
    fn from(listing: TicketListing) -> Self {
        Self {
            ticket: listing.ticket,
            preview: listing.preview,
            agent_name: listing.agent_name,
            latest_run_status: listing.latest_run_status,
        }
    }
}
