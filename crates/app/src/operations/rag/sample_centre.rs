//! Puts the samples in place, through the same operations that a person uses.
//!
//! It can be asked again at any time: what is there already, by its name, stays as it is.

use ancre_domain::{
    AgentDetails, AgentId, KnowledgeBaseId, Page, PageRequest, SearchMode, SourceKind, TicketId,
};

use super::{bases, ingestion};
use crate::Ancre;
use crate::operations::desk;
use crate::samples::{self, Samples};
use crate::wire::{
    CreateKnowledgeBase, CreateTicket, IngestProgress, InstallSamples, SamplesInstalled, WireError,
};

/// Puts a sample help centre, its agent and its tickets in place.
///
/// # Errors
///
/// What the model or the store say; what was made before stays and is taken up by the next call.
pub fn install_samples(
    ancre: &Ancre,
    input: InstallSamples,
    progress: &dyn Fn(IngestProgress),
) -> Result<SamplesInstalled, WireError> {
    let samples = samples::in_language(input.language);
    let kb_id = base(ancre, samples)?;
    let texts = samples.articles.iter().map(|article| ingestion::Text {
        title: article.title,
        text: article.text,
        kind: SourceKind::Inline,
        uri: Some(article.uri),
        mime: "text/markdown",
    });
    let report = ingestion::ingest_texts(ancre, &kb_id, texts.collect(), progress)?;
    let failed = report.outcomes.into_iter().find_map(|outcome| outcome.error);
    if let Some(error) = report.stopped.or(failed) {
        return Err(error);
    }
    let agent_id = agent(ancre, samples, &kb_id)?;
    let mut first: Option<TicketId> = None;
    // The list shows the last ticket on top, so the one to open first is made last.
    for sample in samples.tickets.iter().rev() {
        let id = match ticket_with_subject(ancre, sample.subject)? {
            Some(id) => id,
            None => {
                let input = CreateTicket {
                    subject: sample.subject.to_owned(),
                    body: sample.body.to_owned(),
                    agent_id: Some(agent_id.clone()),
                };
                desk::create_ticket(ancre, input, &|_| ())?.ticket.id
            }
        };
        first = Some(id);
    }
    let ticket_id = first.ok_or_else(|| WireError::fault("there are no sample tickets"))?;
    Ok(SamplesInstalled { kb_id, ticket_id, at: ancre.clock().now() })
}

fn base(ancre: &Ancre, samples: &Samples) -> Result<KnowledgeBaseId, WireError> {
    let found = ancre.store().find_knowledge_base(ancre.project(), samples.knowledge_base)?;
    if let Some(base) = found {
        return Ok(base.id);
    }
    let input = CreateKnowledgeBase {
        name: samples.knowledge_base.to_owned(),
        description: samples.description.to_owned(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    Ok(bases::create_knowledge_base(ancre, input, &|_| ())?.knowledge_base.id)
}

fn agent(ancre: &Ancre, samples: &Samples, kb_id: &KnowledgeBaseId) -> Result<AgentId, WireError> {
    if let Some(agent) = ancre.store().find_agent(ancre.project(), samples.agent)? {
        return Ok(agent.id);
    }
    let details = AgentDetails {
        name: samples.agent.to_owned(),
        description: samples.agent_description.to_owned(),
        instructions: String::new(),
        kb_ids: vec![kb_id.clone()],
        top_k: AgentDetails::default_top_k(),
        max_distance: None,
        search_mode: SearchMode::default(),
        signature: samples.signature.to_owned(),
    };
    Ok(desk::create_agent(ancre, details, &|_| ())?.id)
}

/// Looks among the newest tickets only: beyond them, another sample ticket does no harm.
fn ticket_with_subject(ancre: &Ancre, subject: &str) -> Result<Option<TicketId>, WireError> {
    let page = PageRequest { offset: 0, limit: PageRequest::MAX_LIMIT };
    let Page { items, .. } = ancre.store().list_tickets(ancre.project(), page)?;
    let found = items.into_iter().map(|listing| listing.ticket).find(|it| it.subject == subject);
    Ok(found.map(|ticket| ticket.id))
}
