//! `ancre ticket`

use ancre_app::operations::desk;
use ancre_app::wire::{
    CreateTicket, Draft, DraftReply, ListTickets, Nothing, TicketRef, TicketSummary, TicketView,
    WireError,
};
use ancre_domain::PageRequest;

use super::ingest::read_standard_input;
use crate::arguments::TicketCommand;
use crate::names;
use crate::output::{Outcome, line, place, print_json, print_table};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: TicketCommand) -> Result<Outcome, WireError> {
    match command {
        TicketCommand::New { subject, body, stdin: _, agent } => {
            let body = match body {
                Some(body) => body,
                None => read_standard_input()?,
            };
            let agent_id = agent.map(|name| session.agent(&name)).transpose()?;
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
        TicketCommand::Draft { id, agent } => {
            let ticket_id = names::ticket(&id)?;
            let agent_id = agent.map(|name| session.agent(&name)).transpose()?;
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
    let mut tickets: Vec<TicketSummary> = Vec::new();
    loop {
        let offset = u32::try_from(tickets.len()).unwrap_or(u32::MAX);
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let piece = desk::list_tickets(&session.ancre, ListTickets { page }, &|_| ())?;
        let is_last = piece.items.is_empty();
        tickets.extend(piece.items);
        if is_last || tickets.len() >= piece.total as usize {
            break;
        }
    }
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

fn print_ticket(view: &TicketView) {
    line!("{} ({})", view.ticket.subject, view.ticket.status.as_str());
    for message in &view.messages {
        line!("\n{}", message.body);
    }
    if let Some(draft) = &view.draft {
        line!("\n--- draft by {} ---\n", draft.agent);
        print_draft(draft);
    }
}

fn print_draft(draft: &Draft) {
    line!("{}", draft.text);
    if let Some(reason) = &draft.reason {
        line!("\n({reason})");
    }
    if !draft.citations.is_empty() {
        line!("");
    }
    for citation in &draft.citations {
        let source = citation.source_uri.as_deref().map(|uri| format!(" ({uri})"));
        let place = place(citation.page, citation.page_kind, citation.page_label.as_deref());
        line!(
            "[{}] {}{}{}\n    {}",
            citation.number,
            citation.document_title,
            place.map(|place| format!(", {place}")).unwrap_or_default(),
            source.unwrap_or_default(),
            citation.content_preview
        );
    }
}
