//! The use case of the desk: an agent drafts a reply to a ticket.
//!
//! One run goes through search, writing, numbering and checking, and is then kept whole, its
//! draft and the snapshots of the cited passages included, in one transaction, before anybody
//! sees the draft. A run that finds nothing is kept too, with its reason. A run that is stopped
//! or fails leaves nothing behind. It blocks; run it off the threads that must answer.

use ancre_domain::{
    Agent, AgentId, Cancellation, CharRange, Clock, Direction, Hit, Language, Message, MessageId,
    ProjectId, Run, RunHit, RunId, RunStatus, RunTimings, SearchRecord, Sentence, Ticket, TicketId,
    TicketSource, TicketSourceId, Timestamp,
};
use ancre_knowledge::search::{OneEmbedder, SearchRequest, search, searched_indexes};
use ancre_models::{Embedder, GenerationRequest, Passage, Runner};
use ancre_store::traits::{Store, StoredRun};

use crate::citations::{self, NumberedDraft};
use crate::passages::passages_of;
use crate::place::{Place, place_of};
use crate::question::search_query;
use crate::words::language_of;
use crate::{DeskError, support};

/// What a run works with.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// Where tickets, agents and passages are kept.
    pub store: &'a dyn Store,
    /// The embedder of the agent's bases.
    pub embedder: &'a dyn Embedder,
    /// What writes.
    pub runner: &'a dyn Runner,
    /// Tells when the run began and how long its steps took.
    pub clock: &'a dyn Clock,
    /// The language of a reply when neither message nor passages tell theirs.
    pub default_language: Language,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftStep {
    /// Looking for passages.
    Searching,
    /// The runner writes.
    Writing,
    /// Numbering the citations and checking the sentences.
    Checking,
    /// Everything is stored.
    Done,
}

/// A run as it was stored.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftedRun {
    /// The run.
    pub run: Run,
    /// The snapshots behind its numbers: the one with position n explains `[n]`.
    pub ticket_sources: Vec<TicketSource>,
}

/// The longest preview of a cited passage, in characters.
const PREVIEW_CHARS: usize = 160;

impl Desk<'_> {
    /// Drafts a reply of `agent` to the customer's latest message on `ticket`, from passages of
    /// the agent's bases and no others, and stores run, draft and snapshots. `on_step` hears
    /// each step as it begins.
    ///
    /// # Errors
    ///
    /// [`DeskError::NothingToAnswer`], [`DeskError::AgentWithoutBases`],
    /// [`DeskError::Cancelled`] when `cancellation` was raised before the run was stored, and the
    /// errors of search, runner and store. After any error nothing of the run is stored.
    pub fn draft_reply(
        &self,
        project: &ProjectId,
        ticket: &TicketId,
        agent: &AgentId,
        cancellation: &Cancellation,
        on_step: &mut dyn FnMut(DraftStep),
    ) -> Result<DraftedRun, DeskError> {
        let began = self.clock.now();
        let go_on = || if cancellation.is_cancelled() { Err(DeskError::Cancelled) } else { Ok(()) };
        let ticket = self.store.ticket(project, ticket)?;
        let agent = self.store.agent(project, agent)?;
        let messages = self.store.messages(project, &ticket.id)?;
        let message = latest_inbound(messages).ok_or(DeskError::NothingToAnswer)?;
        if agent.details.kb_ids.is_empty() {
            return Err(DeskError::AgentWithoutBases { agent: agent.details.name });
        }
        go_on()?;

        on_step(DraftStep::Searching);
        let query = search_query(&ticket.subject, &message.body);
        if query.is_empty() {
            return Err(DeskError::NothingToAnswer);
        }
        let search = self.record(project, &agent)?;
        let hits = self.find(project, &agent, &query)?;
        let passages = passages_of(self.store, project, &hits)?;
        let found = self.clock.now();
        go_on()?;

        on_step(DraftStep::Writing);
        let language = message
            .language
            .or_else(|| language_of(&message.body))
            .or_else(|| hits.first().and_then(|hit| language_of(&hit.chunk.content)))
            .unwrap_or(self.default_language);
        let question = format!("{}\n\n{}", ticket.subject, message.body);
        let request = GenerationRequest {
            language,
            question: &question,
            passages: &passages,
            instructions: &agent.details.instructions,
            signature: &agent.details.signature,
        };
        let generation = self.runner.generate(&request, cancellation)?;
        go_on()?;

        on_step(DraftStep::Checking);
        let numbered = citations::number(&generation.parts, &passages);
        if !numbered.dropped.is_empty() {
            tracing::warn!(
                runner = self.runner.id(),
                dropped = ?numbered.dropped,
                "the runner cited passages that it was not given"
            );
        }
        let checked = check(&numbered, &passages, &agent.details.signature);
        let places = self.places(project, &hits, &numbered)?;
        let written = self.clock.now();
        let draft = Draft {
            ticket: &ticket,
            agent: &agent,
            message: &message,
            search: &search,
            hits: &hits,
            numbered: &numbered,
            places: &places,
            language,
            began,
            written,
        };
        let timings = RunTimings {
            search_ms: milliseconds(began, found),
            generate_ms: milliseconds(found, written),
        };
        let stored = draft.to_stored(self.runner.id(), query, checked, timings);
        go_on()?;
        self.store.store_run(&stored)?;
        on_step(DraftStep::Done);
        Ok(DraftedRun { run: stored.run, ticket_sources: stored.ticket_sources })
    }

    fn find(&self, project: &ProjectId, agent: &Agent, query: &str) -> Result<Vec<Hit>, DeskError> {
        let request = SearchRequest {
            query: query.to_owned(),
            kb_ids: agent.details.kb_ids.clone(),
            top_k: agent.details.top_k,
            max_distance: agent.details.max_distance,
            mode: agent.details.search_mode,
        };
        let embedder = OneEmbedder(self.embedder);
        Ok(search(self.store, Some(&embedder), project, &request)?.hits)
    }

    /// How the agent searches, and in which indexes, before it does.
    fn record(&self, project: &ProjectId, agent: &Agent) -> Result<SearchRecord, DeskError> {
        Ok(SearchRecord {
            mode: agent.details.search_mode,
            top_k: agent.details.top_k,
            max_distance: agent.details.max_distance,
            indexes: searched_indexes(self.store, project, &agent.details.kb_ids)?,
        })
    }

    /// Where each cited passage was used, in the order of the numbers.
    fn places(
        &self,
        project: &ProjectId,
        hits: &[Hit],
        numbered: &NumberedDraft,
    ) -> Result<Vec<Place>, DeskError> {
        let cited = numbered.cited.iter().filter_map(|it| Some((hits.get(it.index)?, it)));
        cited
            .map(|(hit, cited)| Ok(place_of(self.store, project, hit, &cited.used_ranges)?))
            .collect()
    }
}

fn latest_inbound(messages: Vec<Message>) -> Option<Message> {
    messages.into_iter().rev().find(|message| message.direction == Direction::Inbound)
}

fn check(numbered: &NumberedDraft, passages: &[Passage], signature: &str) -> Vec<Sentence> {
    let content = |number: &u32| {
        let cited = numbered.cited.get(*number as usize - 1)?;
        passages.get(cited.index).map(|passage| passage.content.as_str())
    };
    let checked = numbered.sentences.iter().map(|sentence| {
        let cited: Vec<&str> = sentence.citations.iter().filter_map(content).collect();
        Sentence {
            text: sentence.text.clone(),
            citations: sentence.citations.clone(),
            support: support::check(&sentence.text, &cited, signature),
            starts_paragraph: sentence.starts_paragraph,
        }
    });
    checked.collect()
}

fn milliseconds(from: Timestamp, to: Timestamp) -> u32 {
    u32::try_from(to.as_millis().saturating_sub(from.as_millis()).max(0)).unwrap_or(u32::MAX)
}

/// A draft on its way to the store.
struct Draft<'a> {
    ticket: &'a Ticket,
    agent: &'a Agent,
    message: &'a Message,
    search: &'a SearchRecord,
    hits: &'a [Hit],
    numbered: &'a NumberedDraft,
    places: &'a [Place],
    language: Language,
    began: Timestamp,
    written: Timestamp,
}

impl Draft<'_> {
    fn to_stored(
        &self,
        runner: &str,
        query: String,
        sentences: Vec<Sentence>,
        timings: RunTimings,
    ) -> StoredRun {
        let id = RunId::generate(self.began);
        let reply_id = MessageId::generate(self.written);
        let text = citations::render(&sentences);
        let (status, reason) = self.outcome();
        let reply = Message {
            id: reply_id.clone(),
            ticket_id: self.ticket.id.clone(),
            direction: Direction::Draft,
            body: text.clone(),
            language: Some(self.language),
            run_id: Some(id.clone()),
            created_at: self.written,
        };
        let ticket_sources = self.snapshots(&id, &reply_id);
        let run = Run {
            id,
            ticket_id: self.ticket.id.clone(),
            message_id: self.message.id.clone(),
            reply_message_id: Some(reply_id),
            agent_id: self.agent.id.clone(),
            agent_name: self.agent.details.name.clone(),
            runner: runner.to_owned(),
            status,
            language: self.language,
            query,
            search: Some(self.search.clone()),
            hits: self.hits.iter().map(run_hit).collect(),
            sentences,
            text,
            reason,
            timings,
            created_at: self.began,
        };
        StoredRun { run, reply: Some(reply), ticket_sources }
    }

    /// A run is drafted when it cites something, whatever the runner says of itself.
    fn outcome(&self) -> (RunStatus, Option<String>) {
        if !self.numbered.cited.is_empty() {
            (RunStatus::Drafted, None)
        } else if self.hits.is_empty() {
            let reason = "The agent's knowledge bases hold no passage near this message.";
            (RunStatus::NoEvidence, Some(reason.to_owned()))
        } else {
            let reason = "None of the passages that were found answers this message.";
            (RunStatus::NoEvidence, Some(reason.to_owned()))
        }
    }

    fn snapshots(&self, run: &RunId, reply: &MessageId) -> Vec<TicketSource> {
        let cited = (1..).zip(self.numbered.cited.iter().zip(self.places));
        cited
            .filter_map(|(position, (cited, place))| {
                let hit = self.hits.get(cited.index)?;
                Some(self.snapshot(run, reply, position, hit, &cited.used_ranges, place.clone()))
            })
            .collect()
    }

    fn snapshot(
        &self,
        run: &RunId,
        reply: &MessageId,
        position: u32,
        hit: &Hit,
        used_ranges: &[CharRange],
        place: Place,
    ) -> TicketSource {
        TicketSource {
            id: TicketSourceId::generate(self.written),
            ticket_id: self.ticket.id.clone(),
            message_id: reply.clone(),
            run_id: run.clone(),
            position,
            document_id: hit.chunk.document_id.clone(),
            chunk_id: hit.chunk.id.clone(),
            kb_id: hit.kb_id.clone(),
            kb_name: hit.kb_name.clone(),
            source_id: hit.source_id.clone(),
            document_title: hit.document_title.clone(),
            source_uri: hit.source_uri.clone(),
            source_kind: hit.source_kind,
            content_preview: hit.preview(PREVIEW_CHARS),
            content_full: hit.chunk.content.clone(),
            chunk_position: hit.chunk.position,
            chunk_range: hit.chunk.range,
            page: place.page,
            page_kind: place.page_kind,
            page_label: place.page_label,
            heading: place.heading,
            distance: hit.distance,
            used_ranges: used_ranges.to_vec(),
            created_at: self.written,
        }
    }
}

fn run_hit(hit: &Hit) -> RunHit {
    RunHit {
        chunk_id: hit.chunk.id.clone(),
        source_id: hit.source_id.clone(),
        kb_id: hit.kb_id.clone(),
        distance: hit.distance,
        score: hit.score,
        vector_rank: hit.vector_rank,
        lexical_rank: hit.lexical_rank,
        lexical_score: hit.lexical_score,
        matched_terms: hit.matched_terms.clone(),
    }
}
