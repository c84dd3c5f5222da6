//! The whole way, once: a file on disk, a base, an agent, a ticket, a cited draft, and the passage
//! behind its number after the document is gone. Real storage, the real model.

use std::path::Path;
use std::sync::Arc;

use ancre_app::operations::{desk, rag, settings};
use ancre_app::wire::{
    CreateKnowledgeBase, CreateTicket, DocumentRef, DraftReply, EngineStatus, IngestFiles,
    IngestReport, IngestResult, InstallSamples, KnowledgeBaseSummary, ListDocuments, ListTickets,
    Nothing, PassageRef, TicketRef,
};
use ancre_app::{Ancre, Options, PackLoader, places};
use ancre_domain::{
    AgentDetails, CharRange, DocumentStatus, ErrorCode, KnowledgeBaseId, Language, PageRequest,
    RunStatus, SearchMode, Support,
};

/// The real model, from the set-up's folder in this clone.
fn loader() -> PackLoader {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime");
    let loader = places::default_loader(Some(runtime), None, None, Path::new(""));
    assert!(loader.pack.is_dir(), "{} is missing: run “make setup”", loader.pack.display());
    loader
}

struct Story {
    folder: tempfile::TempDir,
    ancre: Ancre,
}

impl Story {
    fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new(folder.path().join("data"), Arc::new(loader()));
        Self { ancre: Ancre::open(options).unwrap(), folder }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn base(&self, name: &str) -> KnowledgeBaseSummary {
        let input = CreateKnowledgeBase {
            name: name.to_owned(),
            description: String::new(),
            model: None,
            chunk_size: None,
            chunk_overlap: None,
        };
        rag::create_knowledge_base(&self.ancre, input, &|_| ()).unwrap()
    }

    fn ingest(&self, kb_id: &KnowledgeBaseId, paths: Vec<String>) -> IngestReport {
        let input = IngestFiles {
            kb_id: kb_id.clone(),
            paths,
            title: None,
            password: None,
            recognise: false,
        };
        rag::ingest_files(&self.ancre, input, &|_| ()).unwrap()
    }

    fn agent(&self, name: &str, kb_ids: Vec<KnowledgeBaseId>) {
        let details = AgentDetails {
            name: name.to_owned(),
            description: String::new(),
            instructions: String::new(),
            kb_ids,
            top_k: AgentDetails::default_top_k(),
            max_distance: None,
            search_mode: SearchMode::default(),
            signature: String::new(),
        };
        desk::create_agent(&self.ancre, details, &|_| ()).unwrap();
    }

    fn ticket(&self, subject: &str, body: &str) -> TicketRef {
        let input =
            CreateTicket { subject: subject.to_owned(), body: body.to_owned(), agent_id: None };
        let view = desk::create_ticket(&self.ancre, input, &|_| ()).unwrap();
        TicketRef { ticket_id: view.ticket.id }
    }

    fn draft(&self, ticket: &TicketRef) -> ancre_app::wire::Draft {
        let input = DraftReply { ticket_id: ticket.ticket_id.clone(), agent_id: None };
        desk::draft_reply(&self.ancre, input, &|_| ()).unwrap()
    }
}

const REFUNDS: &str = "# Remboursements\n\n## Délais\n\nLe remboursement est effectué sous 5 jours \
     ouvrés après la réception du colis. Votre banque peut mettre 2 jours de plus.\n\n## Horaires\n\n\
     La boutique de Nantes est ouverte de 9 h à 18 h.\n";

#[test]
fn a_dropped_file_becomes_a_cited_draft_that_outlives_it() {
    let story = Story::begin();
    let base = story.base("Centre d’aide").knowledge_base.id;
    let path = story.file("remboursements.md", REFUNDS);
    let report = story.ingest(&base, vec![path.clone()]);
    assert_eq!((report.ready, report.failed), (1, 0), "{report:?}");
    story.agent("Camille", vec![base]);
    let ticket =
        story.ticket("Remboursement", "Bonjour, quand serai-je remboursée ? Merci, Claire");

    let draft = story.draft(&ticket);
    assert_eq!(draft.status, RunStatus::Drafted, "{}", draft.text);
    assert_eq!(draft.language, Language::Fr);
    assert!(
        draft.text.contains("sous 5 jours ouvrés") && draft.text.contains("[1]"),
        "{}",
        draft.text
    );
    let cited = draft.sentences.iter().filter(|sentence| !sentence.citations.is_empty());
    assert!(cited.clone().count() > 0);
    assert!(cited.clone().all(|sentence| sentence.support == Support::Supported));

    let document = report.outcomes[0].document_id.clone().unwrap();
    rag::delete_document(&story.ancre, DocumentRef { document_id: document }, &|_| ()).unwrap();
    std::fs::remove_file(&path).unwrap();

    let passage = PassageRef { message_id: draft.message_id.clone(), number: 1 };
    let passage = desk::get_passage(&story.ancre, passage, &|_| ()).unwrap();
    assert!(!passage.is_document_there);
    assert_eq!(passage.source_uri.as_deref(), Some(path.as_str()));
    let marked: Vec<&str> =
        passage.used_ranges.iter().filter_map(|range| range.slice(&passage.content)).collect();
    assert!(marked.iter().any(|used| used.contains("sous 5 jours ouvrés")), "{marked:?}");
    let CharRange { start, end } = passage.range;
    assert_eq!((end - start) as usize, passage.content.chars().count());
    let again = desk::get_ticket(&story.ancre, ticket, &|_| ()).unwrap().draft.unwrap();
    assert_eq!(again, draft, "a stored draft reads back as it was shown");
}

#[test]
fn what_the_documents_do_not_say_is_not_made_up() {
    let story = Story::begin();
    let base = story.base("Centre d’aide").knowledge_base.id;
    story.ingest(&base, vec![story.file("remboursements.md", REFUNDS)]);
    story.agent("Camille", vec![base]);
    let draft = story.draft(&story.ticket("", "Avez-vous une recette de gâteau au chocolat ?"));
    assert_eq!(draft.status, RunStatus::NoEvidence, "{}", draft.text);
    assert!(draft.citations.is_empty() && draft.reason.is_some());
}

#[test]
fn each_file_of_a_folder_has_its_own_outcome() {
    let story = Story::begin();
    let base = story.base("Mixed").knowledge_base.id;
    story.file("folder/good.md", "# Parking\n\nThe car park closes at ten.");
    story.file("folder/same.txt", "# Parking\n\nThe car park closes at ten.");
    story.file("folder/empty.txt", "");
    story.file("folder/picture.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01");
    story.file("folder/sheet.xyz", "a,b");
    story.file("folder/.hidden.md", "# Hidden");
    story.file("folder/latin.txt", b"Le d\xe9lai est de dix jours, c\x9cur compris.");
    let folder = story.folder.path().join("folder").to_str().unwrap().to_owned();
    let report = story.ingest(&base, vec![folder.clone()]);
    let result = |name: &str| {
        let of_name = |path: &Option<String>| path.as_deref().is_some_and(|it| it.ends_with(name));
        let outcome = report.outcomes.iter().find(|outcome| of_name(&outcome.path));
        outcome.map(|outcome| (outcome.result, outcome.error.as_ref().map(|error| error.code)))
    };
    // Files are read side by side: of two with the same text, the one read first is kept.
    let twins = [result("good.md"), result("same.txt")];
    assert!(twins.contains(&Some((IngestResult::Ready, None))), "{twins:?}");
    assert!(twins.contains(&Some((IngestResult::AlreadyHere, None))), "{twins:?}");
    assert_eq!(result("empty.txt"), Some((IngestResult::Failed, Some(ErrorCode::Empty))));
    let (picture, code) = result("picture.md").unwrap();
    assert_eq!(picture, IngestResult::Failed);
    assert!(matches!(code, Some(ErrorCode::Binary | ErrorCode::Unsupported)), "{code:?}");
    assert_eq!(result("sheet.xyz"), Some((IngestResult::Skipped, Some(ErrorCode::Unsupported))));
    assert_eq!(result("latin.txt"), Some((IngestResult::Ready, None)));
    assert_eq!(report.ready, 2);

    let again = story.ingest(&base, vec![folder]);
    assert_eq!((again.ready, again.already_here), (0, 3), "a second time is no error");
}

#[test]
fn an_agent_finds_nothing_in_a_base_that_is_not_its_own() {
    let story = Story::begin();
    let (own, foreign) = (story.base("Own"), story.base("Foreign"));
    let parking = story.file("parking.md", "# Parking\n\nThe car park closes at ten.");
    story.ingest(&own.knowledge_base.id, vec![parking]);
    story.ingest(&foreign.knowledge_base.id, vec![story.file("refunds.md", REFUNDS)]);
    story.agent("Robin", vec![own.knowledge_base.id.clone()]);
    let draft = story.draft(&story.ticket("", "Sous combien de jours suis-je remboursé ?"));
    assert!(!draft.text.contains("5 jours"), "{}", draft.text);
    assert!(draft.citations.iter().all(|citation| citation.document_title != "Remboursements"));
}

#[test]
fn the_samples_answer_their_tickets_in_both_languages() {
    for language in Language::ALL {
        let story = Story::begin();
        let samples =
            rag::install_samples(&story.ancre, InstallSamples { language }, &|_| ()).unwrap();
        let first = TicketRef { ticket_id: samples.ticket_id };
        let draft = story.draft(&first);
        assert_eq!(draft.status, RunStatus::Drafted, "{}", draft.text);
        assert_eq!(draft.language, language);
        assert!(draft.text.contains("30"), "the deadline for returns is cited: {}", draft.text);

        rag::install_samples(&story.ancre, InstallSamples { language }, &|_| ()).unwrap();
        let tickets = ListTickets { page: PageRequest::default() };
        let tickets = desk::list_tickets(&story.ancre, tickets, &|_| ()).unwrap();
        assert_eq!(tickets.total, 5, "a second click makes nothing twice");
    }
}

#[test]
fn a_missing_model_is_a_sentence_and_costs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let loader = PackLoader { runtime_library: folder.path().join("no"), ..loader() };
    let ancre = Ancre::open(Options::new(folder.path().join("data"), Arc::new(loader))).unwrap();
    let base = CreateKnowledgeBase {
        name: "Base".to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    let base = rag::create_knowledge_base(&ancre, base, &|_| ()).unwrap().knowledge_base;
    let path = folder.path().join("a.txt");
    std::fs::write(&path, "Some text.").unwrap();
    let input = IngestFiles {
        kb_id: base.id.clone(),
        paths: vec![path.to_str().unwrap().to_owned()],
        title: None,
        password: None,
        recognise: false,
    };
    let error = match rag::ingest_files(&ancre, input, &|_| ()) {
        Ok(report) => report.stopped.expect("the report says why it stopped"),
        Err(error) => error,
    };
    assert_eq!(error.code, ErrorCode::RuntimeMissing);
    assert!(error.hint.is_some());
    let listed = ListDocuments { kb_id: base.id, status: None, page: PageRequest::default() };
    let documents = rag::list_documents(&ancre, listed, &|_| ()).unwrap();
    assert!(documents.items.iter().all(|document| document.status != DocumentStatus::Ready));
    let settings = settings::get_settings(&ancre, Nothing {}, &|_| ()).unwrap();
    assert!(matches!(settings.engine, EngineStatus::Failed { .. }), "{:?}", settings.engine);
}
