//! Agents, tickets, runs and snapshots.

use ancre_domain::{
    Agent, AgentId, CharRange, ChunkId, Direction, DocumentId, KnowledgeBaseId, Language, Message,
    MessageId, PageKind, PageRequest, Run, RunHit, RunId, RunStatus, RunTimings, SearchMode,
    SearchRecord, SearchedIndex, Sentence, SourceId, SourceKind, Support, Ticket, TicketSource,
    TicketSourceId, TicketStatus,
};

use super::Subject;
use super::scene::{Scene, Told, details, new_base, refused};
use crate::StoreError;
use crate::traits::{NewTicket, StoredRun};

impl Scene {
    fn agent_named(&self, name: &str) -> Result<Agent, StoreError> {
        self.store().create_agent(&self.project, &details(name, Vec::new()), self.now())
    }

    fn ticket_with(&self, body: &str, agent: Option<&AgentId>) -> Result<Ticket, StoreError> {
        let ticket = NewTicket {
            project_id: self.project.clone(),
            subject: "Où est ma commande ?".to_owned(),
            body: body.to_owned(),
            language: Some(Language::Fr),
            agent_id: agent.cloned(),
        };
        self.store().create_ticket(&ticket, self.now())
    }

    /// A run on the ticket's first message, with a draft that cites two passages.
    fn drafted(&self, ticket: &Ticket, agent: &Agent) -> Result<StoredRun, StoreError> {
        let question = self.store().messages(&self.project, &ticket.id)?.swap_remove(0);
        let now = self.now();
        let (run_id, reply_id) = (RunId::generate(now), MessageId::generate(now));
        let citing = |position: u32| TicketSource {
            id: TicketSourceId::generate(now),
            ticket_id: ticket.id.clone(),
            message_id: reply_id.clone(),
            run_id: run_id.clone(),
            position,
            document_id: DocumentId::generate(now),
            chunk_id: ChunkId::generate(now),
            kb_id: KnowledgeBaseId::generate(now),
            kb_name: "FAQ".to_owned(),
            source_id: SourceId::generate(now),
            document_title: "Délais".to_owned(),
            source_uri: None,
            source_kind: SourceKind::Inline,
            content_preview: "Trois jours".to_owned(),
            content_full: "Trois jours\nouvrés.".to_owned(),
            chunk_position: 4,
            chunk_range: CharRange { start: 10, end: 29 },
            page: Some(2),
            page_kind: Some(PageKind::Slide),
            page_label: Some("ii".to_owned()),
            heading: Some("Livraison › Délais".to_owned()),
            distance: 0.1 + 0.2,
            used_ranges: vec![CharRange { start: 0, end: 11 }],
            created_at: now,
        };
        let run = Run {
            id: run_id.clone(),
            ticket_id: ticket.id.clone(),
            message_id: question.id,
            reply_message_id: Some(reply_id.clone()),
            agent_id: agent.id.clone(),
            agent_name: agent.details.name.clone(),
            runner: "extractive".to_owned(),
            status: RunStatus::Drafted,
            language: Language::Fr,
            query: "où est ma commande".to_owned(),
            search: Some(SearchRecord {
                mode: SearchMode::Text,
                top_k: 4,
                max_distance: Some(0.1 + 0.2),
                indexes: vec![SearchedIndex {
                    kb_id: KnowledgeBaseId::generate(now),
                    generation: Some(2),
                    embedding_model_id: "axes".to_owned(),
                    embedding_version: Some("3".to_owned()),
                }],
            }),
            hits: vec![RunHit {
                chunk_id: ChunkId::generate(now),
                source_id: SourceId::generate(now),
                kb_id: KnowledgeBaseId::generate(now),
                distance: 1.0 / 3.0,
                score: 0.1 + 0.7,
                vector_rank: Some(2),
                lexical_rank: Some(1),
                lexical_score: Some(1.0 / 7.0),
                matched_terms: vec!["commande".to_owned()],
            }],
            sentences: vec![Sentence {
                text: "Trois jours ouvrés.".to_owned(),
                citations: vec![1, 2],
                support: Support::Supported,
                starts_paragraph: true,
            }],
            text: "Trois jours ouvrés [1][2].".to_owned(),
            reason: None,
            timings: RunTimings { search_ms: 7, generate_ms: 3 },
            created_at: now,
        };
        let reply = Message {
            id: reply_id.clone(),
            ticket_id: ticket.id.clone(),
            direction: Direction::Draft,
            body: run.text.clone(),
            language: Some(Language::Fr),
            run_id: Some(run_id.clone()),
            created_at: now,
        };
        Ok(StoredRun { run, reply: Some(reply), ticket_sources: vec![citing(1), citing(2)] })
    }
}

/// Names are compared without regard to case; an agent may keep its own.
pub fn an_agent_name_is_taken_whatever_its_case(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let other = scene.agent_named("adam")?;
    refused!(scene.agent_named("ZOÉ"), StoreError::NameTaken { .. });
    let rename = |id, name| {
        scene.store().update_agent(&scene.project, id, &details(name, Vec::new()), scene.now())
    };
    refused!(rename(&other.id, "zoé"), StoreError::NameTaken { .. });
    let renamed = rename(&agent.id, "ZOÉ")?;
    assert!(renamed.updated_at > agent.updated_at && renamed.created_at == agent.created_at);
    assert_eq!(scene.store().agent(&scene.project, &agent.id)?, renamed);
    assert_eq!(scene.store().find_agent(&scene.project, "zoé")?.as_ref(), Some(&renamed));
    assert_eq!(scene.store().list_agents(&scene.project)?, [other, renamed]);
    Ok(())
}

/// A base of another project cannot be assigned, at first or later.
pub fn an_agent_gets_only_bases_of_its_project(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let own = scene.base("FAQ")?;
    let foreign = new_base(&scene.subject.other_project, "FAQ");
    let foreign = scene.store().create_knowledge_base(&foreign, scene.now())?;
    let both = details("Zoé", vec![own.id.clone(), foreign.id]);
    let result = scene.store().create_agent(&scene.project, &both, scene.now());
    refused!(result, StoreError::NotFound { .. });
    assert_eq!(scene.store().list_agents(&scene.project)?, []);

    let possible = details("Zoé", vec![own.id]);
    let agent = scene.store().create_agent(&scene.project, &possible, scene.now())?;
    assert_eq!(agent.details, possible);
    let result = scene.store().update_agent(&scene.project, &agent.id, &both, scene.now());
    refused!(result, StoreError::NotFound { .. });
    assert_eq!(scene.store().agent(&scene.project, &agent.id)?, agent);
    Ok(())
}

/// Its runs stay as they were; its tickets have no agent any more.
pub fn a_deleted_agent_leaves_its_tickets(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", Some(&agent.id))?;
    let stored = scene.drafted(&ticket, &agent)?;
    scene.store().store_run(&stored)?;
    let late = scene.drafted(&ticket, &agent)?;

    scene.store().delete_agent(&scene.project, &agent.id)?;
    refused!(scene.store().agent(&scene.project, &agent.id), StoreError::NotFound { .. });
    assert_eq!(scene.store().ticket(&scene.project, &ticket.id)?.agent_id, None);
    assert_eq!(scene.store().run(&scene.project, &stored.run.id)?, stored.run);

    scene.store().store_run(&late)?;
    let after = scene.store().ticket(&scene.project, &ticket.id)?;
    assert_eq!(after.agent_id, None, "a run that ends late does not bring the agent back");
    Ok(())
}

/// A ticket is open and holds one inbound message; its agent must be of the project.
pub fn a_ticket_begins_with_the_customers_words(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour,\noù est-elle ?", Some(&agent.id))?;
    assert_eq!(ticket.status, TicketStatus::Open);
    assert_eq!(scene.store().ticket(&scene.project, &ticket.id)?, ticket);
    let messages = scene.store().messages(&scene.project, &ticket.id)?;
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].body, "Bonjour,\noù est-elle ?");
    assert_eq!(messages[0].direction, Direction::Inbound);
    assert_eq!(messages[0].language, Some(Language::Fr));

    let absent = AgentId::generate(scene.now());
    refused!(scene.ticket_with("x", Some(&absent)), StoreError::NotFound { .. });
    let everything = PageRequest::default();
    assert_eq!(scene.store().list_tickets(&scene.project, everything)?.total, 1);
    Ok(())
}

/// A draft moves its ticket to the top; a listing shows agent, preview and the latest run.
pub fn tickets_come_in_pages_the_last_changed_first(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let old = scene.ticket_with(&"très\nlong ".repeat(100), None)?;
    let recent = scene.ticket_with("court", None)?;
    scene.store().store_run(&scene.drafted(&old, &agent)?)?;

    let list =
        |offset, limit| scene.store().list_tickets(&scene.project, PageRequest { offset, limit });
    let first = list(0, 1)?;
    assert_eq!(first.total, 2);
    let listing = &first.items[0];
    assert_eq!(listing.ticket.id, old.id, "it was changed last");
    assert_eq!(listing.ticket.status, TicketStatus::Drafted);
    assert_eq!(listing.agent_name.as_deref(), Some("Zoé"));
    assert_eq!(listing.latest_run_status, Some(RunStatus::Drafted));
    assert!(listing.preview.starts_with("très long très") && listing.preview.ends_with('…'));
    assert!(listing.preview.chars().count() <= 160);

    let second = list(1, 1)?;
    assert_eq!(second.items[0].ticket, recent);
    assert_eq!(second.items[0].preview, "court");
    assert_eq!(second.items[0].latest_run_status, None);
    Ok(())
}

/// Run, draft and snapshots read back to the last digit, and the ticket is marked.
pub fn a_run_is_kept_whole(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", None)?;
    let stored = scene.drafted(&ticket, &agent)?;
    let second = scene.drafted(&ticket, &agent)?;
    scene.store().store_run(&stored)?;
    scene.store().store_run(&second)?;

    assert_eq!(scene.store().run(&scene.project, &stored.run.id)?, stored.run);
    let runs = scene.store().runs(&scene.project, &ticket.id)?;
    assert_eq!(runs, [second.run.clone(), stored.run.clone()], "newest first");
    let Some(reply) = stored.reply else { panic!("it has a draft") };
    let messages = scene.store().messages(&scene.project, &ticket.id)?;
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[1], reply, "oldest first");
    let sources = scene.store().ticket_sources(&scene.project, &reply.id)?;
    assert_eq!(sources, stored.ticket_sources);

    let marked = scene.store().ticket(&scene.project, &ticket.id)?;
    assert_eq!(marked.status, TicketStatus::Drafted);
    assert_eq!(marked.agent_id, Some(agent.id));
    assert_eq!(marked.updated_at, second.run.created_at);
    Ok(())
}

/// Whatever is wrong with the last part, nothing of the first is seen.
pub fn a_run_is_kept_whole_or_not_at_all(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", None)?;
    let good = scene.drafted(&ticket, &agent)?;

    let mut twice = good.clone();
    twice.ticket_sources[1].position = 1;
    let mut astray = good.clone();
    astray.ticket_sources[1].message_id = MessageId::generate(scene.now());
    let mut another_draft = good.clone();
    another_draft.run.reply_message_id = None;
    for bad in [twice, astray, another_draft] {
        refused!(scene.store().store_run(&bad), StoreError::Fault(_) | StoreError::Failed { .. });
    }
    let mut nowhere = good.clone();
    nowhere.run.message_id = MessageId::generate(scene.now());
    refused!(scene.store().store_run(&nowhere), StoreError::NotFound { .. });

    assert_eq!(scene.store().runs(&scene.project, &ticket.id)?, []);
    assert_eq!(scene.store().messages(&scene.project, &ticket.id)?.len(), 1);
    assert_eq!(scene.store().ticket(&scene.project, &ticket.id)?, ticket);

    scene.store().store_run(&good)?;
    refused!(scene.store().store_run(&good), StoreError::Fault(_) | StoreError::Failed { .. });
    assert_eq!(scene.store().messages(&scene.project, &ticket.id)?.len(), 2);
    Ok(())
}

/// A run that found nothing to say is kept too.
pub fn a_run_without_a_draft_leaves_the_ticket_open(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", None)?;
    let mut silent = scene.drafted(&ticket, &agent)?;
    silent.run.status = RunStatus::NoEvidence;
    silent.run.reply_message_id = None;
    silent.run.reason = Some("Nothing relevant was found.".to_owned());
    silent.reply = None;
    silent.ticket_sources.clear();
    scene.store().store_run(&silent)?;

    assert_eq!(scene.store().run(&scene.project, &silent.run.id)?, silent.run);
    let after = scene.store().ticket(&scene.project, &ticket.id)?;
    assert_eq!(after.status, TicketStatus::Open);
    assert_eq!(after.agent_id, Some(agent.id));
    Ok(())
}

/// Document, base and agent go; run, draft and snapshots stay word for word.
pub fn snapshots_outlive_what_they_show(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let document = scene.ready(&kb, "délais", &[0.0])?;
    let chunk = scene.store().chunks(&scene.project, &document.id)?.swap_remove(0);
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", None)?;
    let mut stored = scene.drafted(&ticket, &agent)?;
    let shown = &mut stored.ticket_sources[0];
    shown.document_id = document.id.clone();
    shown.chunk_id = chunk.id;
    shown.kb_id = kb.id.clone();
    shown.source_id = document.source_id;
    scene.store().store_run(&stored)?;

    scene.store().delete_document(&scene.project, &document.id)?;
    scene.store().delete_knowledge_base(&scene.project, &kb.id, scene.now())?;
    scene.store().delete_agent(&scene.project, &agent.id)?;

    let Some(reply) = stored.reply else { panic!("it has a draft") };
    let sources = scene.store().ticket_sources(&scene.project, &reply.id)?;
    assert_eq!(sources, stored.ticket_sources);
    assert_eq!(scene.store().run(&scene.project, &stored.run.id)?, stored.run);
    assert!(scene.store().messages(&scene.project, &ticket.id)?.contains(&reply));
    Ok(())
}

/// Messages, runs and snapshots go with their ticket, and no others.
pub fn a_deleted_ticket_takes_everything_with_it(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let (gone, kept) = (scene.ticket_with("un", None)?, scene.ticket_with("deux", None)?);
    let (of_gone, of_kept) = (scene.drafted(&gone, &agent)?, scene.drafted(&kept, &agent)?);
    scene.store().store_run(&of_gone)?;
    scene.store().store_run(&of_kept)?;

    scene.store().delete_ticket(&scene.project, &gone.id)?;
    let project = &scene.project;
    refused!(scene.store().ticket(project, &gone.id), StoreError::NotFound { .. });
    refused!(scene.store().messages(project, &gone.id), StoreError::NotFound { .. });
    refused!(scene.store().run(project, &of_gone.run.id), StoreError::NotFound { .. });
    refused!(scene.store().delete_ticket(project, &gone.id), StoreError::NotFound { .. });
    let Some(reply) = of_gone.reply else { panic!("it had a draft") };
    refused!(scene.store().ticket_sources(project, &reply.id), StoreError::NotFound { .. });
    assert_eq!(scene.store().run(project, &of_kept.run.id)?, of_kept.run);
    Ok(())
}

/// Nothing of the desk can be read or changed from another project.
pub fn tickets_are_invisible_to_other_projects(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let agent = scene.agent_named("Zoé")?;
    let ticket = scene.ticket_with("Bonjour", None)?;
    let stored = scene.drafted(&ticket, &agent)?;
    scene.store().store_run(&stored)?;
    let other = &scene.subject.other_project;
    let (store, everything) = (scene.store(), PageRequest::default());
    refused!(store.agent(other, &agent.id), StoreError::NotFound { .. });
    refused!(store.delete_agent(other, &agent.id), StoreError::NotFound { .. });
    let changed = store.update_agent(other, &agent.id, &agent.details, scene.now());
    refused!(changed, StoreError::NotFound { .. });
    refused!(store.ticket(other, &ticket.id), StoreError::NotFound { .. });
    refused!(store.messages(other, &ticket.id), StoreError::NotFound { .. });
    refused!(store.delete_ticket(other, &ticket.id), StoreError::NotFound { .. });
    refused!(store.run(other, &stored.run.id), StoreError::NotFound { .. });
    refused!(store.runs(other, &ticket.id), StoreError::NotFound { .. });
    let Some(reply) = stored.reply else { panic!("it has a draft") };
    refused!(store.ticket_sources(other, &reply.id), StoreError::NotFound { .. });
    assert_eq!(store.find_agent(other, "Zoé")?, None);
    assert_eq!(store.list_agents(other)?, []);
    assert_eq!(store.list_tickets(other, everything)?.total, 0);
    Ok(())
}
