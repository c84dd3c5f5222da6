//! The tables `runs` and `ticket_sources`. Rows of both are written once and never changed.

use ancre_domain::{
    CharRange, Direction, Language, MessageId, PageKind, ProjectId, Run, RunId, RunStatus,
    RunTimings, SourceKind, TicketId, TicketSource, TicketStatus,
};
use rusqlite::{Row, Transaction, named_params, params};

use super::place::Trouble;
use super::{fault, not_found, rows, tickets};
use crate::traits::StoredRun;

/// Keeps a run with its draft and its snapshots, and marks the ticket.
pub(super) fn store(transaction: &Transaction<'_>, stored: &StoredRun) -> Result<(), Trouble> {
    require_coherent(stored)?;
    let run = &stored.run;
    let sql = "SELECT 1 FROM messages WHERE id = ?1 AND ticket_id = ?2";
    let key = [run.message_id.as_str(), run.ticket_id.as_str()];
    rows::one(transaction, sql, key, |_| Ok(()))?
        .ok_or_else(|| not_found("message", run.message_id.as_str()))?;

    if let Some(reply) = &stored.reply {
        tickets::insert_message(transaction, reply)?;
    }
    insert_run(transaction, run)?;
    for source in &stored.ticket_sources {
        insert_ticket_source(transaction, source)?;
    }
    // An agent that was deleted meanwhile leaves the ticket without one.
    rows::change(
        transaction,
        "UPDATE tickets SET
             agent_id = (SELECT id FROM agents
                         WHERE id = ?2 AND agents.project_id = tickets.project_id)
         WHERE id = ?1",
        params![run.ticket_id.as_str(), run.agent_id.as_str()],
    )?;
    if let Some(reply) = &stored.reply {
        rows::change(
            transaction,
            "UPDATE tickets SET status = ?2, updated_at = max(updated_at, ?3) WHERE id = ?1",
            params![
                run.ticket_id.as_str(),
                TicketStatus::Drafted.as_str(),
                reply.created_at.as_millis()
            ],
        )?;
    }
    Ok(())
}

/// The run, or the error that the project has none such.
pub(super) fn require(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &RunId,
) -> Result<Run, Trouble> {
    rows::one(
        transaction,
        "SELECT runs.* FROM runs JOIN tickets ON tickets.id = ticket_id
         WHERE runs.id = ?1 AND project_id = ?2",
        [id.as_str(), project.as_str()],
        read_run,
    )?
    .ok_or_else(|| not_found("run", id.as_str()))
}

/// The runs of a ticket, newest first.
pub(super) fn of_ticket(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    ticket: &TicketId,
) -> Result<Vec<Run>, Trouble> {
    tickets::require(transaction, project, ticket)?;
    rows::all(
        transaction,
        "SELECT * FROM runs WHERE ticket_id = ?1 ORDER BY created_at DESC, rowid DESC",
        [ticket.as_str()],
        read_run,
    )
}

/// The snapshots behind a draft, by number.
pub(super) fn ticket_sources(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    message: &MessageId,
) -> Result<Vec<TicketSource>, Trouble> {
    let sql = "SELECT 1 FROM messages JOIN tickets ON tickets.id = ticket_id
               WHERE messages.id = ?1 AND project_id = ?2";
    rows::one(transaction, sql, [message.as_str(), project.as_str()], |_| Ok(()))?
        .ok_or_else(|| not_found("message", message.as_str()))?;
    rows::all(
        transaction,
        "SELECT * FROM ticket_sources WHERE message_id = ?1 ORDER BY position",
        [message.as_str()],
        read_ticket_source,
    )
}

/// A run, its draft and its snapshots must speak of each other.
fn require_coherent(stored: &StoredRun) -> Result<(), Trouble> {
    let run = &stored.run;
    let reply = stored.reply.as_ref();
    if reply.map(|message| &message.id) != run.reply_message_id.as_ref() {
        return Err(fault(format!("run {} names another draft than its own", run.id)));
    }
    let is_draft_coherent = reply.is_none_or(|message| {
        message.ticket_id == run.ticket_id
            && message.run_id.as_ref() == Some(&run.id)
            && message.direction == Direction::Draft
    });
    if !is_draft_coherent {
        return Err(fault(format!("the draft of run {} is not of that run", run.id)));
    }
    let are_sources_coherent = stored.ticket_sources.iter().all(|source| {
        source.ticket_id == run.ticket_id
            && source.run_id == run.id
            && Some(&source.message_id) == run.reply_message_id.as_ref()
    });
    if are_sources_coherent {
        Ok(())
    } else {
        Err(fault(format!("a snapshot of run {} is not of its draft", run.id)))
    }
}

fn insert_run(transaction: &Transaction<'_>, run: &Run) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO runs (id, ticket_id, message_id, reply_message_id, agent_id, agent_name,
                           runner, status, language, query, search, hits, sentences, text,
                           reason, search_ms, generate_ms, created_at)
         VALUES (:id, :ticket_id, :message_id, :reply_message_id, :agent_id, :agent_name,
                 :runner, :status, :language, :query, :search, :hits, :sentences, :text,
                 :reason, :search_ms, :generate_ms, :created_at)",
        named_params! {
            ":id": run.id.as_str(),
            ":ticket_id": run.ticket_id.as_str(),
            ":message_id": run.message_id.as_str(),
            ":reply_message_id": run.reply_message_id.as_ref().map(MessageId::as_str),
            ":agent_id": run.agent_id.as_str(),
            ":agent_name": run.agent_name,
            ":runner": run.runner,
            ":status": run.status.as_str(),
            ":language": run.language.code(),
            ":query": run.query,
            ":search": run.search.as_ref().map(serde_json::to_string).transpose()?,
            ":hits": serde_json::to_string(&run.hits)?,
            ":sentences": serde_json::to_string(&run.sentences)?,
            ":text": run.text,
            ":reason": run.reason,
            ":search_ms": run.timings.search_ms,
            ":generate_ms": run.timings.generate_ms,
            ":created_at": run.created_at.as_millis(),
        },
    )?;
    Ok(())
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<Run> {
    Ok(Run {
        id: rows::id(row, "id")?,
        ticket_id: rows::id(row, "ticket_id")?,
        message_id: rows::id(row, "message_id")?,
        reply_message_id: rows::optional_id(row, "reply_message_id")?,
        agent_id: rows::id(row, "agent_id")?,
        agent_name: row.get("agent_name")?,
        runner: row.get("runner")?,
        status: rows::word(row, "status", RunStatus::from_word)?,
        language: rows::word(row, "language", Language::from_code)?,
        query: row.get("query")?,
        search: rows::optional_json(row, "search")?,
        hits: rows::json(row, "hits")?,
        sentences: rows::json(row, "sentences")?,
        text: row.get("text")?,
        reason: row.get("reason")?,
        timings: RunTimings {
            search_ms: row.get("search_ms")?,
            generate_ms: row.get("generate_ms")?,
        },
        created_at: rows::time(row, "created_at")?,
    })
}

fn insert_ticket_source(
    transaction: &Transaction<'_>,
    source: &TicketSource,
) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO ticket_sources (id, ticket_id, message_id, run_id, position, document_id,
             chunk_id, kb_id, kb_name, source_id, document_title, source_uri, source_kind,
             content_preview, content_full, chunk_position, chunk_start, chunk_end, page,
             page_kind, page_label, heading, distance, used_ranges, created_at)
         VALUES (:id, :ticket_id, :message_id, :run_id, :position, :document_id,
             :chunk_id, :kb_id, :kb_name, :source_id, :document_title, :source_uri, :source_kind,
             :content_preview, :content_full, :chunk_position, :chunk_start, :chunk_end, :page,
             :page_kind, :page_label, :heading, :distance, :used_ranges, :created_at)",
        named_params! {
            ":id": source.id.as_str(),
            ":ticket_id": source.ticket_id.as_str(),
            ":message_id": source.message_id.as_str(),
            ":run_id": source.run_id.as_str(),
            ":position": source.position,
            ":document_id": source.document_id.as_str(),
            ":chunk_id": source.chunk_id.as_str(),
            ":kb_id": source.kb_id.as_str(),
            ":kb_name": source.kb_name,
            ":source_id": source.source_id.as_str(),
            ":document_title": source.document_title,
            ":source_uri": source.source_uri,
            ":source_kind": source.source_kind.as_str(),
            ":content_preview": source.content_preview,
            ":content_full": source.content_full,
            ":chunk_position": source.chunk_position,
            ":chunk_start": source.chunk_range.start,
            ":chunk_end": source.chunk_range.end,
            ":page": source.page,
            ":page_kind": source.page_kind.map(PageKind::as_str),
            ":page_label": source.page_label,
            ":heading": source.heading,
            ":distance": source.distance,
            ":used_ranges": serde_json::to_string(&source.used_ranges)?,
            ":created_at": source.created_at.as_millis(),
        },
    )?;
    Ok(())
}

fn read_ticket_source(row: &Row<'_>) -> rusqlite::Result<TicketSource> {
    Ok(TicketSource {
        id: rows::id(row, "id")?,
        ticket_id: rows::id(row, "ticket_id")?,
        message_id: rows::id(row, "message_id")?,
        run_id: rows::id(row, "run_id")?,
        position: row.get("position")?,
        document_id: rows::id(row, "document_id")?,
        chunk_id: rows::id(row, "chunk_id")?,
        kb_id: rows::id(row, "kb_id")?,
        kb_name: row.get("kb_name")?,
        source_id: rows::id(row, "source_id")?,
        document_title: row.get("document_title")?,
        source_uri: row.get("source_uri")?,
        source_kind: rows::word(row, "source_kind", SourceKind::from_word)?,
        content_preview: row.get("content_preview")?,
        content_full: row.get("content_full")?,
        chunk_position: row.get("chunk_position")?,
        chunk_range: CharRange { start: row.get("chunk_start")?, end: row.get("chunk_end")? },
        page: row.get("page")?,
        page_kind: rows::optional_word(row, "page_kind", PageKind::from_word)?,
        page_label: row.get("page_label")?,
        heading: row.get("heading")?,
        distance: row.get("distance")?,
        used_ranges: rows::json(row, "used_ranges")?,
        created_at: rows::time(row, "created_at")?,
    })
}
