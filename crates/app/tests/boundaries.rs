//! Whoever tries to cross a boundary of the product is told that there is nothing there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

mod desk;

use ancre_app::operations::OPERATIONS;
use ancre_domain::{ChunkingSettings, ErrorCode, KnowledgeBaseId, SourceId, SourceKind, Timestamp};
use ancre_store::SqliteStore;
use ancre_store::traits::{
    DocumentStore as _, KnowledgeBaseStore as _, NewKnowledgeBase, NewSource, SourceStore as _,
};
use desk::Desk;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(10_000);

/// A base with a source in another project of the same data folder.
struct Neighbour {
    _store: SqliteStore,
    kb: KnowledgeBaseId,
    source: SourceId,
    document: String,
}

impl Neighbour {
    fn of(desk: &Desk) -> Self {
        let (store, project) = desk.other_project();
        let base = NewKnowledgeBase {
            project_id: project.clone(),
            name: "Theirs".to_owned(),
            description: String::new(),
            embedding_model_id: "words-for-tests".to_owned(),
            embedding_version: None,
            embedding_dim: 64,
            chunking: ChunkingSettings::default(),
        };
        let kb = store.create_knowledge_base(&base, NOW).unwrap().id;
        let source = NewSource {
            project_id: project.clone(),
            kind: SourceKind::Inline,
            uri: None,
            title: "Secret prices".to_owned(),
            mime: "text/plain".to_owned(),
            sha256: "5".repeat(64),
            bytes: None,
            text: "The secret price is seven.".to_owned(),
            outline: Vec::new(),
            pagination: None,
            warnings: Vec::new(),
            language: None,
        };
        let source = store.store_source(&source, NOW).unwrap().source.id;
        let document = store.attach_source(&project, &kb, &source, NOW).unwrap().0.id.to_string();
        Self { _store: store, kb, source, document }
    }
}

#[test]
fn an_agent_answers_only_from_the_bases_it_was_given() {
    let desk = Desk::open();
    let (given, kept) = (desk.base("Given"), desk.base("Kept"));
    desk.add(&given, &desk.file("a.md", "# Returns\n\nReturns are possible for thirty days."));
    desk.add(&kept, &desk.file("b.md", "# Prices\n\nThe secret price of the anchor is seven."));
    let agent = desk.told("desk.create_agent", json!({ "name": "Zoé", "kbIds": [given] }));
    let ticket =
        json!({ "body": "What is the secret price of the anchor?", "agentId": agent["id"] });
    let ticket = desk.told("desk.create_ticket", ticket)["id"].clone();
    let draft = desk.told("desk.draft_reply", json!({ "ticketId": ticket }));
    assert!(!draft.to_string().contains("is seven"), "{draft}");
    let titles = draft["citations"].as_array().unwrap().iter().map(|it| &it["documentTitle"]);
    assert!(titles.into_iter().all(|title| title == "Returns"), "{draft}");
}

#[test]
fn what_belongs_to_another_project_is_not_there() {
    let desk = Desk::open();
    let theirs = Neighbour::of(&desk);
    let base = desk.base("Ours");
    desk.add(&base, &desk.file("a.md", "Ours."));
    let ours = desk.source("")["id"].clone();
    let (kb, source, document) = (&theirs.kb, &theirs.source, &theirs.document);
    for (operation, input) in [
        ("rag.get_knowledge_base", json!({ "kbId": kb })),
        ("rag.update_knowledge_base", json!({ "kbId": kb, "name": "Mine" })),
        ("rag.delete_knowledge_base", json!({ "kbId": kb })),
        ("rag.list_documents", json!({ "kbId": kb })),
        ("rag.list_sources", json!({ "kbId": kb })),
        ("rag.search", json!({ "query": "secret price", "kbIds": [kb] })),
        ("rag.search", json!({ "query": "secret price", "kbIds": [base, kb] })),
        ("rag.ingest", json!({ "kbId": kb, "title": "t", "text": "words" })),
        ("rag.get_source", json!({ "sourceId": source })),
        ("rag.read_source", json!({ "sourceId": source })),
        ("rag.rename_source", json!({ "sourceId": source, "title": "Mine" })),
        ("rag.replace_source", json!({ "sourceId": source, "text": "Mine." })),
        ("rag.delete_source", json!({ "sourceId": source })),
        ("rag.attach_source", json!({ "sourceId": source, "kbId": base })),
        ("rag.attach_source", json!({ "sourceId": ours, "kbId": kb })),
        ("rag.read_document", json!({ "documentId": document })),
        ("rag.set_document_enabled", json!({ "documentId": document, "isEnabled": false })),
        ("rag.delete_document", json!({ "documentId": document })),
        ("rag.retry_document", json!({ "documentId": document })),
        ("desk.create_agent", json!({ "name": "Spy", "kbIds": [base, kb] })),
    ] {
        assert_eq!(
            desk.refusal(operation, input.clone()),
            ErrorCode::NotFound,
            "{operation} {input}"
        );
    }
    assert_eq!(desk.told("rag.list_sources", json!({}))["total"], 1, "only ours is listed");
    assert_eq!(desk.told("rag.list_knowledge_bases", json!({})).as_array().unwrap().len(), 1);
}

/// Every field of an input that names something.
const NAMES: [&str; 9] = [
    "kbId",
    "sourceId",
    "documentId",
    "agentId",
    "ticketId",
    "messageId",
    "jobId",
    "chunkId",
    "questionId",
];

#[test]
fn sql_in_an_id_is_refused_before_anything_is_asked() {
    let desk = Desk::open();
    let base = desk.base("Ours");
    desk.add(&base, &desk.file("a.md", "Ours."));
    for sql in ["x'; DROP TABLE sources; --", "' OR '1'='1", "%", "", "vec_kb_x"] {
        for operation in OPERATIONS {
            for name in NAMES {
                let input = json!({ name: sql });
                let refused = operation.call(&desk.ancre, input, &|_| ());
                assert!(
                    matches!(&refused, Err(error) if error.code == ErrorCode::InvalidInput),
                    "{} with {name} = {sql}: {refused:?}",
                    operation.name
                );
            }
        }
        let input = json!({ "query": "ours", "kbIds": [sql] });
        assert_eq!(desk.refusal("rag.search", input), ErrorCode::InvalidInput);
    }
    assert_eq!(desk.told("rag.list_sources", json!({}))["total"], 1);
}

#[test]
fn no_filter_matches_more_than_its_words() {
    let desk = Desk::open();
    let _theirs = Neighbour::of(&desk);
    let base = desk.base("Ours");
    desk.add(&base, &desk.file("a.md", "# Returns\n\nThirty days."));
    let total =
        |query: Value| desk.told("rag.list_sources", json!({ "query": query }))["total"].clone();
    for query in ["%", "_", "*", "?", ".*", "' OR 1=1 --", "\\", "secret", "\" OR \"a\"=\"a"] {
        assert_eq!(total(json!(query)), 0, "{query}");
    }
    assert_eq!(total(json!("")), 1, "no words: the whole library, and only this project's");
    assert_eq!(total(Value::Null), 1);
    assert_eq!(total(json!("x".repeat(100_000))), 0);
}
