//! `ancre ticket`

use ancre_app::operations::desk;
use ancre_app::wire::{
    CreateTicket, Draft, DraftReply, ListTickets, Nothing, PassageRef, TicketRef, TicketSummary,
    TicketView, WireError,
};
use ancre_domain::ErrorCode;

use super::ingest::read_standard_input;
use crate::arguments::TicketCommand;
use crate::names;
use crate::output::{Outcome, line, lines, place, print_json, print_table};
use crate::session::{Session, all};

pub(crate) fn run(session: &Session, command: TicketCommand) -> Result<Outcome, WireError> {
    match command {
        TicketCommand::New { subject, body, stdin: _, agent } => {
            let body = match body {
                Some(body) => body,
                None => read_standard_input()?,
            };
            let agent_id = agent.map(|name| session.agent(&name).map(|it| it.id)).transpose()?;
            let input = CreateTicket { subject, body, agent_id };
            let view = desk::create_ticket(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&view);
            } else {
                line!("made the ticket “{}” ({})", view.ticket.subject, view.ticket.id);
            }
        }
        TicketCommand::List => list(session)?,
        TicketCommand::Show { id } => {
            let ticket_id = names::ticket(&id)?;
            let view = desk::get_ticket(&session.ancre, TicketRef { ticket_id }, &|_| ())?;
            if session.json {
                print_json(&view);
            } else {
                print_ticket(&view);
            }
        }
        TicketCommand::Passage { id, number } => passage(session, &id, number)?,
        TicketCommand::Draft { id, agent } => {
            let ticket_id = names::ticket(&id)?;
            let agent_id = agent.map(|name| session.agent(&name).map(|it| it.id)).transpose()?;
            let input = DraftReply { ticket_id, agent_id };
            let draft = desk::draft_reply(&session.ancre, input, &|_| ())?;
            if session.json {
                print_json(&draft);
            } else {
                print_draft(&draft);
            }
        }
        TicketCommand::Delete { id } => {
            let ticket_id = names::ticket(&id)?;
            desk::delete_ticket(&session.ancre, TicketRef { ticket_id }, &|_| ())?;
            if session.json {
                print_json(&Nothing {});
            } else {
                line!("deleted the ticket {id}");
            }
        }
    }
    Ok(Outcome::Done)
}

fn list(session: &Session) -> Result<(), WireError> {
    let tickets: Vec<TicketSummary> =
        all(|page| desk::list_tickets(&session.ancre, ListTickets { page }, &|_| ()))?;
    if session.json {
        print_json(&tickets);
    } else if tickets.is_empty() {
        line!("there are no tickets yet; “ancre ticket new --subject S --body T” makes one");
    } else {
        let heading = ["STATUS", "SUBJECT", "AGENT", "ID"];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        rows.extend(tickets.iter().map(|summary| {
            vec![
                summary.ticket.status.as_str().to_owned(),
                summary.ticket.subject.clone(),
                summary.agent_name.clone().unwrap_or_default(),
                summary.ticket.id.to_string(),
            ]
        }));
        print_table(&rows);
    }
    Ok(())
}

/// Shows the snapshot behind a number of a ticket's latest draft.
fn passage(session: &Session, id: &str, number: u32) -> Result<(), WireError> {
    let ticket_id = names::ticket(id)?;
    let view = desk::get_ticket(&session.ancre, TicketRef { ticket_id }, &|_| ())?;
    let draft = view.draft.ok_or_else(|| WireError {
        code: ErrorCode::NotFound,
        message: "the ticket has no draft yet".to_owned(),
        hint: Some(format!("“ancre ticket draft {id}” makes one.")),
        details: None,
    })?;
    let input = PassageRef { message_id: draft.message_id, number };
    let passage = desk::get_passage(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&passage);
        return Ok(());
    }
    let place = place(passage.page, passage.page_kind, passage.page_label.as_deref());
    let place = place.map(|place| format!(", {place}")).unwrap_or_default();
    line!("[{number}] {}{place}, in “{}”", passage.document_title, passage.kb_name);
    lines!("{}", passage.content);
    Ok(())
}

fn print_ticket(view: &TicketView) {
    line!("{} ({})", view.ticket.subject, view.ticket.status.as_str());
    for message in &view.messages {
        line!("");
        lines!("{}", message.body);
    }
    if let Some(draft) = &view.draft {
        line!("");
        line!("--- draft by {} ---", draft.agent);
        line!("");
        print_draft(draft);
    }
}

fn print_draft(draft: &Draft) {
    lines!("{}", draft.text);
    if let Some(reason) = &draft.reason {
        line!("");
        line!("({reason})");
    }
    if !draft.citations.is_empty() {
        line!("");
    }
    for citation in &draft.citations {
        let source = citation.source_uri.as_deref().map(|uri| format!(" ({uri})"));
        let place = place(citation.page, citation.page_kind, citation.page_label.as_deref());
        line!(
            "[{}] {}{}{}",
            citation.number,
            citation.document_title,
            place.map(|place| format!(", {place}")).unwrap_or_default(),
            source.unwrap_or_default()
        );
        line!("    {}", citation.content_preview);
    }
}
