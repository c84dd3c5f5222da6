//! The tables `tickets` and `messages`.

use ancre_domain::{
    AgentId, Direction, Language, Message, MessageId, Page, PageRequest, ProjectId, RunStatus,
    Ticket, TicketId, TicketStatus, Timestamp, preview,
};
use rusqlite::{Row, Transaction, params};

use super::place::Trouble;
use super::projects_and_sources::require_project;
use super::{agents, not_found, rows};
use crate::traits::{NewTicket, TicketListing};

/// The longest preview of a message, in characters.
const PREVIEW: usize = 160;

pub(super) fn create(
    transaction: &Transaction<'_>,
    new: &NewTicket,
    now: Timestamp,
) -> Result<Ticket, Trouble> {
    require_project(transaction, &new.project_id)?;
    if let Some(agent) = &new.agent_id {
        agents::require(transaction, &new.project_id, agent)?;
    }
    let ticket = Ticket {
        id: TicketId::generate(now),
        project_id: new.project_id.clone(),
        subject: new.subject.clone(),
        status: TicketStatus::Open,
        agent_id: new.agent_id.clone(),
        created_at: now,
        updated_at: now,
    };
    rows::change(
        transaction,
        "INSERT INTO tickets (id, project_id, subject, status, agent_id, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            ticket.id.as_str(),
            ticket.project_id.as_str(),
            ticket.subject,
            ticket.status.as_str(),
            ticket.agent_id.as_ref().map(AgentId::as_str),
            now.as_millis(),
            now.as_millis(),
        ],
    )?;
    let message = Message {
        id: MessageId::generate(now),
        ticket_id: ticket.id.clone(),
        direction: Direction::Inbound,
        body: new.body.clone(),
        language: new.language,
        run_id: None,
        created_at: now,
    };
    insert_message(transaction, &message)?;
    Ok(ticket)
}

/// The ticket, or the error that the project has none such.
pub(super) fn require(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &TicketId,
) -> Result<Ticket, Trouble> {
    let sql = "SELECT * FROM tickets WHERE id = ?1 AND project_id = ?2";
    rows::one(transaction, sql, [id.as_str(), project.as_str()], read_ticket)?
        .ok_or_else(|| not_found("ticket", id.as_str()))
}

pub(super) fn list(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    page: PageRequest,
) -> Result<Page<TicketListing>, Trouble> {
    let (limit, offset) = rows::limit_and_offset(page);
    let items = rows::all(
        transaction,
        // A message may be a book; of its beginning this is more than a preview can show, unless
        // it is mostly blank.
        "SELECT tickets.*, agents.name AS agent_name,
                (SELECT substr(body, 1, 4000) FROM messages
                 WHERE ticket_id = tickets.id AND direction = 'inbound'
                 ORDER BY created_at DESC, rowid DESC LIMIT 1) AS beginning,
                (SELECT status FROM runs WHERE ticket_id = tickets.id
                 ORDER BY created_at DESC, rowid DESC LIMIT 1) AS run_status
         FROM tickets LEFT JOIN agents ON agents.id = tickets.agent_id
         WHERE tickets.project_id = ?1
         ORDER BY tickets.updated_at DESC, tickets.rowid DESC LIMIT ?2 OFFSET ?3",
        params![project.as_str(), limit, offset],
        |row| {
            let beginning: Option<String> = row.get("beginning")?;
            Ok(TicketListing {
                ticket: read_ticket(row)?,
                preview: preview(beginning.as_deref().unwrap_or_default(), PREVIEW),
                agent_name: row.get("agent_name")?,
                latest_run_status: rows::optional_word(row, "run_status", RunStatus::from_word)?,
            })
        },
    )?;
    let sql = "SELECT count(*) FROM tickets WHERE project_id = ?1";
    let total = rows::one(transaction, sql, [project.as_str()], |row| row.get(0))?;
    Ok(Page { items, total: total.unwrap_or_default() })
}

pub(super) fn messages(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &TicketId,
) -> Result<Vec<Message>, Trouble> {
    require(transaction, project, id)?;
    rows::all(
        transaction,
        "SELECT * FROM messages WHERE ticket_id = ?1 ORDER BY created_at, rowid",
        [id.as_str()],
        read_message,
    )
}

pub(super) fn delete(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &TicketId,
) -> Result<(), Trouble> {
    let sql = "DELETE FROM tickets WHERE id = ?1 AND project_id = ?2";
    match rows::change(transaction, sql, [id.as_str(), project.as_str()])? {
        0 => Err(not_found("ticket", id.as_str())),
        _ => Ok(()),
    }
}

pub(super) fn insert_message(
    transaction: &Transaction<'_>,
    message: &Message,
) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO messages (id, ticket_id, direction, body, language, run_id, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            message.id.as_str(),
            message.ticket_id.as_str(),
            message.direction.as_str(),
            message.body,
            message.language.map(Language::code),
            message.run_id.as_ref().map(ancre_domain::RunId::as_str),
            message.created_at.as_millis(),
        ],
    )?;
    Ok(())
}

fn read_ticket(row: &Row<'_>) -> rusqlite::Result<Ticket> {
    Ok(Ticket {
        id: rows::id(row, "id")?,
        project_id: rows::id(row, "project_id")?,
        subject: row.get("subject")?,
        status: rows::word(row, "status", TicketStatus::from_word)?,
        agent_id: rows::optional_id(row, "agent_id")?,
        created_at: rows::time(row, "created_at")?,
        updated_at: rows::time(row, "updated_at")?,
    })
}

fn read_message(row: &Row<'_>) -> rusqlite::Result<Message> {
    Ok(Message {
        id: rows::id(row, "id")?,
        ticket_id: rows::id(row, "ticket_id")?,
        direction: rows::word(row, "direction", Direction::from_word)?,
        body: row.get("body")?,
        language: rows::optional_word(row, "language", Language::from_code)?,
        run_id: rows::optional_id(row, "run_id")?,
        created_at: rows::time(row, "created_at")?,
    })
}
