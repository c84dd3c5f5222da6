//! Stories of runs: from a pasted ticket to a stored draft with its snapshots, on a real store.

#![allow(clippy::expect_used, reason = "a test ends where a step of its story fails")]

mod desk_test;

use ancre_desk::DeskError;
use ancre_desk::extractive::ExtractiveRunner;
use ancre_desk::runs::{Desk, DraftStep, DraftedRun};
use ancre_desk::tickets::{MAX_BODY_BYTES, PastedTicket, new_ticket};
use ancre_domain::{
    Agent, AgentDetails, Cancellation, Clock, Direction, ErrorCode, Explain, Heading,
    KnowledgeBase, KnowledgeBaseId, Language, PageKind, Pagination, RunStatus, SearchMode, Support,
    TextPage, Ticket, TicketStatus,
};
use ancre_knowledge::IndexingLine;
use ancre_knowledge::ingestion::{IndexOutcome, Indexer, NewText, register_text};
use ancre_models::{Citation, Generation, GenerationRequest, ModelError, Part, Runner};
use ancre_store::traits::{DeskStore, DocumentStore};
use ancre_testkit::{Scene, WordEmbedder};

use desk_test::{help_centre, word_embedder};

/// A line belongs to one model of one store, so each indexer of a story has its own.
fn line() -> &'static IndexingLine {
    Box::leak(Box::default())
}

fn scene() -> Scene {
    Scene::with_embedder(WordEmbedder::new(512))
}

fn fill(scene: &Scene, name: &str, language: Language) -> KnowledgeBase {
    let base = scene.knowledge_base(name);
    for page in help_centre(language) {
        add(scene, &base, &page.title, &page.content);
    }
    base
}

fn add(scene: &Scene, base: &KnowledgeBase, title: &str, text: &str) {
    index(scene, base, NewText::pasted(title, text));
}

fn index(scene: &Scene, base: &KnowledgeBase, text: NewText) {
    let title = text.title.clone();
    let added = register_text(&*scene.store, &scene.clock, scene.project_id(), &base.id, text)
        .expect("the text is kept");
    let indexer = Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line: line(),
        clock: &scene.clock,
        batch_size: 16,
    };
    let outcome = indexer
        .index_document(scene.project_id(), &added.document.id, &Cancellation::new(), &mut |_| {})
        .expect("the text is indexed");
    assert!(!matches!(outcome, IndexOutcome::Failed(_)), "{title} is indexed");
}

fn agent(scene: &Scene, kb_ids: Vec<KnowledgeBaseId>) -> Agent {
    let details = AgentDetails {
        name: "Ada".to_owned(),
        description: String::new(),
        instructions: String::new(),
        kb_ids,
        top_k: 6,
        max_distance: None,
        search_mode: SearchMode::default(),
        signature: String::new(),
    };
    scene.store.create_agent(scene.project_id(), &details, scene.clock.now()).expect("an agent")
}

fn ticket(scene: &Scene, subject: &str, body: &str) -> Ticket {
    let pasted = PastedTicket { subject, body, language: None, agent_id: None };
    new_ticket(&*scene.store, &scene.clock, scene.project_id(), &pasted).expect("a ticket")
}

fn draft_with(
    scene: &Scene,
    runner: &dyn Runner,
    ticket: &Ticket,
    agent: &Agent,
    cancellation: &Cancellation,
    on_step: &mut dyn FnMut(DraftStep),
) -> Result<DraftedRun, DeskError> {
    let desk = Desk {
        store: &*scene.store,
        embedder: &scene.embedder,
        runner,
        clock: &scene.clock,
        default_language: Language::En,
    };
    desk.draft_reply(scene.project_id(), &ticket.id, &agent.id, cancellation, on_step)
}

fn draft(scene: &Scene, ticket: &Ticket, agent: &Agent) -> Result<DraftedRun, DeskError> {
    let runner = ExtractiveRunner::new(word_embedder());
    draft_with(scene, &runner, ticket, agent, &Cancellation::new(), &mut |_| {})
}

#[test]
fn a_draft_searches_as_its_agent_does_and_keeps_how() {
    let scene = scene();
    let base = fill(&scene, "Aide", Language::Fr);
    let mut agent = agent(&scene, vec![base.id.clone()]);
    let ticket = ticket(&scene, "", "Bonjour, quel est le délai de remboursement d’un article ?");
    for mode in SearchMode::ALL {
        agent.details =
            AgentDetails { search_mode: mode, top_k: 4, max_distance: Some(1.5), ..agent.details };
        let (project, now) = (scene.project_id(), scene.clock.now());
        scene.store.update_agent(project, &agent.id, &agent.details, now).expect("the agent");
        let run = draft(&scene, &ticket, &agent).expect("a draft").run;
        let search = run.search.as_ref().expect("how it was searched");
        assert_eq!((search.mode, search.top_k, search.max_distance), (mode, 4, Some(1.5)));
        let [index] = &search.indexes[..] else { unreachable!("one base: {search:?}") };
        assert_eq!((&index.kb_id, index.generation), (&base.id, Some(1)));
        assert!((1..=4).contains(&run.hits.len()), "{mode:?}");
        let by_meaning = run.hits.iter().filter(|hit| hit.vector_rank.is_some()).count();
        let by_words = run.hits.iter().filter(|hit| hit.lexical_rank.is_some()).count();
        assert_eq!(by_meaning > 0, mode != SearchMode::Text, "{mode:?}");
        assert_eq!(by_words > 0, mode != SearchMode::Vector, "{mode:?}");
        assert_eq!(scene.store.run(project, &run.id).expect("it is kept"), run);
    }
}

#[test]
fn a_draft_is_stored_with_the_passages_behind_its_numbers() {
    let scene = scene();
    let base = fill(&scene, "Aide", Language::Fr);
    let agent = agent(&scene, vec![base.id.clone()]);
    let ticket = ticket(&scene, "", "Bonjour, quel est le délai de remboursement d’un article ?");
    let drafted = draft(&scene, &ticket, &agent).expect("a draft");

    let run = &drafted.run;
    assert_eq!(run.status, RunStatus::Drafted);
    assert_eq!(run.language, Language::Fr, "the reply is in the customer's language");
    assert!(
        run.text.contains("14 jours après réception de l’article renvoyé. [1]"),
        "{}",
        run.text
    );
    for sentence in &run.sentences {
        let expected =
            if sentence.citations.is_empty() { Support::NoClaim } else { Support::Supported };
        assert_eq!(sentence.support, expected, "{}", sentence.text);
    }
    let reply = run.reply_message_id.clone().expect("a draft message");
    let stored = scene.store.ticket_sources(scene.project_id(), &reply).expect("snapshots");
    assert_eq!(stored, drafted.ticket_sources);
    for (number, source) in (1..).zip(&stored) {
        assert_eq!(source.position, number);
        assert!(
            source.content_preview.chars().count() <= 160 && !source.content_preview.contains('\n')
        );
        for range in &source.used_ranges {
            let used = range.slice(&source.content_full).expect("the range is inside");
            let words = ancre_desk::markup::plain(used);
            assert!(run.text.contains(&words), "{words:?} is quoted");
        }
        assert!(!source.used_ranges.is_empty());
    }
    assert_eq!(scene.store.run(scene.project_id(), &run.id).expect("the run"), *run);
    let messages = scene.store.messages(scene.project_id(), &ticket.id).expect("messages");
    assert_eq!(
        messages.last().map(|m| (m.direction, m.body.as_str())),
        Some((Direction::Draft, run.text.as_str()))
    );
    let marked = scene.store.ticket(scene.project_id(), &ticket.id).expect("the ticket");
    assert_eq!((marked.status, marked.agent_id), (TicketStatus::Drafted, Some(agent.id)));
}

#[test]
fn a_snapshot_outlives_its_document() {
    let scene = scene();
    let base = fill(&scene, "Help", Language::En);
    let agent = agent(&scene, vec![base.id.clone()]);
    let ticket = ticket(&scene, "Refund", "How many days does a refund take?");
    let drafted = draft(&scene, &ticket, &agent).expect("a draft");
    for document in scene.documents(&base) {
        scene.store.delete_document(scene.project_id(), &document.id).expect("it goes");
    }
    let reply = drafted.run.reply_message_id.clone().expect("a draft message");
    let stored = scene.store.ticket_sources(scene.project_id(), &reply).expect("snapshots");
    assert_eq!(stored, drafted.ticket_sources);
    assert!(!stored.is_empty());
}

/// Three slides that are short enough to share a chunk.
fn deck() -> NewText {
    let slides = [
        ("Delivery", "Standard delivery takes 3 to 5 working days."),
        ("Invoices", "Invoices stay available for ten years."),
        ("Refunds", "A refund takes 14 days after we receive the returned article."),
    ];
    let (mut text, mut outline, mut pages) = (String::new(), Vec::new(), Vec::new());
    for (number, (title, words)) in (1..).zip(slides) {
        let start = u32::try_from(text.chars().count()).expect("a short text");
        pages.push(TextPage { number, label: Some(format!("{number}/3")), start });
        outline.push(Heading { level: 1, title: title.to_owned(), start });
        text.push_str(&format!("# {title}\n\n{words}\n\n"));
    }
    NewText {
        outline,
        pagination: Some(Pagination { kind: PageKind::Slide, pages }),
        ..NewText::pasted("Deck", text)
    }
}

#[test]
fn a_citation_names_the_slide_of_the_sentence_that_it_quotes() {
    let scene = scene();
    let base = scene.knowledge_base("Help");
    index(&scene, &base, deck());
    let agent = agent(&scene, vec![base.id]);
    for (question, page, heading) in [
        ("How many days does a refund take?", 3, "Refunds"),
        ("How long does standard delivery take?", 1, "Delivery"),
    ] {
        let ticket = ticket(&scene, "", question);
        let sources = draft(&scene, &ticket, &agent).expect("a draft").ticket_sources;
        let [source] = &sources[..] else { panic!("{question} cites the one chunk") };
        assert_eq!(source.chunk_range.start, 0, "the chunk begins on slide 1");
        assert_eq!((source.page, source.page_kind), (Some(page), Some(PageKind::Slide)));
        assert_eq!(source.page_label, Some(format!("{page}/3")));
        assert_eq!(source.heading.as_deref(), Some(heading));
    }
}

#[test]
fn a_citation_that_points_at_no_words_names_the_page_of_its_passage() {
    let scene = scene();
    let base = scene.knowledge_base("Help");
    index(&scene, &base, deck());
    let agent = agent(&scene, vec![base.id]);
    let ticket = ticket(&scene, "", "How many days does a refund take?");
    let drafted = draft_with(&scene, &Inventor, &ticket, &agent, &Cancellation::new(), &mut |_| {})
        .expect("a draft");
    let source = &drafted.ticket_sources[0];
    assert_eq!((source.page, source.heading.as_deref()), (Some(1), Some("Delivery")));
}

#[test]
fn only_the_agents_bases_are_searched() {
    let scene = scene();
    fill(&scene, "Secret", Language::En);
    let empty = scene.knowledge_base("Empty");
    let agent = agent(&scene, vec![empty.id]);
    let ticket = ticket(&scene, "Refund", "How many days does a refund take?");
    let run = draft(&scene, &ticket, &agent).expect("a polite reply").run;
    assert_eq!(run.status, RunStatus::NoEvidence);
    assert!(run.hits.is_empty() && run.reason.is_some());
    assert!(run.text.contains("We did not find the answer"), "{}", run.text);
    let kept = scene.store.runs(scene.project_id(), &ticket.id).expect("runs");
    assert_eq!(kept, [run], "a run without evidence is kept too");
}

#[test]
fn an_agent_without_bases_cannot_answer() {
    let scene = scene();
    let agent = agent(&scene, Vec::new());
    let ticket = ticket(&scene, "Refund", "How many days does a refund take?");
    let error = draft(&scene, &ticket, &agent).expect_err("it has nothing to answer from");
    assert_eq!(error.code(), ErrorCode::AgentWithoutBases);
    assert!(error.hint().is_some());
}

#[test]
fn a_stopped_run_leaves_nothing_behind() {
    for stop_at in [DraftStep::Searching, DraftStep::Writing, DraftStep::Checking] {
        let scene = scene();
        let base = fill(&scene, "Help", Language::En);
        let agent = agent(&scene, vec![base.id.clone()]);
        let ticket = ticket(&scene, "Refund", "How many days does a refund take?");
        let flag = Cancellation::new();
        let mut heard = Vec::new();
        let runner = ExtractiveRunner::new(word_embedder());
        let answer = draft_with(&scene, &runner, &ticket, &agent, &flag, &mut |step| {
            heard.push(step);
            if step == stop_at {
                flag.cancel();
            }
        });
        assert!(matches!(answer, Err(DeskError::Cancelled)), "stopped at {stop_at:?}");
        assert_eq!(heard.last(), Some(&stop_at));
        assert!(scene.store.runs(scene.project_id(), &ticket.id).expect("runs").is_empty());
        assert_eq!(
            scene.store.messages(scene.project_id(), &ticket.id).expect("messages").len(),
            1
        );
    }
}

#[test]
fn a_message_of_a_megabyte_is_answered() {
    let scene = scene();
    let base = fill(&scene, "Help", Language::En);
    let agent = agent(&scene, vec![base.id.clone()]);
    let body = format!("How many days does a refund take? {}", "lorem ".repeat(170_000));
    let ticket = ticket(&scene, "Refund", &body);
    let run = draft(&scene, &ticket, &agent).expect("a reply").run;
    assert!(run.query.chars().count() <= ancre_desk::question::MAX_QUERY_CHARS);
}

#[test]
fn a_ticket_must_say_something_and_not_too_much() {
    let scene = scene();
    let paste = |body: &str| {
        let pasted = PastedTicket { subject: "x", body, language: None, agent_id: None };
        new_ticket(&*scene.store, &scene.clock, scene.project_id(), &pasted).map(|_| ())
    };
    assert_eq!(paste(" \n\u{200b} ").expect_err("blank").code(), ErrorCode::Empty);
    let large = "x".repeat(MAX_BODY_BYTES + 1);
    assert_eq!(paste(&large).expect_err("too large").code(), ErrorCode::TooLarge);
    assert!(paste(&large[1..]).is_ok());
}

/// A runner that invents a fact, cites a passage that does not say it, and one that is not there.
struct Inventor;

impl Runner for Inventor {
    fn id(&self) -> &str {
        "inventor"
    }

    fn generate(
        &self,
        request: &GenerationRequest<'_>,
        _cancellation: &Cancellation,
    ) -> Result<Generation, ModelError> {
        let cite = |number| Citation { number, range: None };
        let first = request.passages[0].number;
        Ok(Generation {
            parts: vec![Part {
                text: "Refunds are immediate [1].".to_owned(),
                citations: vec![cite(99), cite(first)],
                starts_paragraph: true,
            }],
            has_evidence: true,
        })
    }
}

#[test]
fn what_a_runner_invents_is_marked_whatever_it_claims() {
    let scene = scene();
    let base = fill(&scene, "Help", Language::En);
    let agent = agent(&scene, vec![base.id.clone()]);
    let ticket = ticket(&scene, "Refund", "How many days does a refund take?");
    let drafted = draft_with(&scene, &Inventor, &ticket, &agent, &Cancellation::new(), &mut |_| {})
        .expect("a draft");
    assert_eq!(drafted.run.sentences[0].support, Support::Unsupported);
    assert_eq!(drafted.run.text, "Refunds are immediate (1). [1]");
    assert_eq!(drafted.ticket_sources.len(), 1);
}
