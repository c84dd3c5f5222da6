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

/// An input that fits for each operation that takes an id; `id` stands for each of them.
fn inputs_with_ids(id: &str) -> Vec<(&'static str, Value)> {
    let job = json!({ "jobId": id });
    let agent = json!({ "name": "Ada", "kbIds": [id], "topK": 6 });
    let expected = json!([{ "sourceId": id, "title": "T" }]);
    let mut inputs = vec![
        ("rag.update_knowledge_base", json!({ "kbId": id, "name": "B" })),
        ("rag.list_sources", json!({ "kbId": id })),
        ("rag.rename_source", json!({ "sourceId": id, "title": "T" })),
        ("rag.replace_source", json!({ "sourceId": id, "text": "Words." })),
        ("rag.attach_source", json!({ "sourceId": id, "kbId": id })),
        ("rag.list_documents", json!({ "kbId": id })),
        ("rag.set_document_enabled", json!({ "documentId": id, "isEnabled": true })),
        ("rag.page_picture", json!({ "documentId": id, "page": 1, "width": 200 })),
        ("rag.ingest", json!({ "kbId": id, "title": "T", "text": "Words." })),
        ("rag.ingest_files", json!({ "kbId": id, "paths": ["/nowhere.txt"] })),
        ("rag.list_job_items", job.clone()),
        ("rag.retry_job", job.clone()),
        ("rag.move_job", json!({ "jobId": id, "before": id })),
        ("rag.search", json!({ "query": "words", "kbIds": [id] })),
        ("rag.show_around", json!({ "chunkId": id })),
        ("rag.list_questions", json!({ "kbId": id })),
        (
            "rag.save_question",
            json!({ "kbId": id, "id": id, "text": "Who?", "expected": expected }),
        ),
        ("rag.delete_question", json!({ "questionId": id })),
        ("rag.import_questions", json!({ "kbId": id, "path": "/nowhere.tsv" })),
        ("rag.run_bench", json!({ "kbId": id })),
        ("rag.delete_bench_run", json!({ "runId": id })),
        ("rag.estimate_reindex", json!({ "kbId": id })),
        ("rag.reindex", json!({ "kbId": id })),
        ("desk.get_agent", json!({ "agentId": id })),
        ("desk.create_agent", agent.clone()),
        ("desk.update_agent", json!({ "agentId": id, "details": agent })),
        ("desk.delete_agent", json!({ "agentId": id })),
        ("desk.create_ticket", json!({ "body": "Who?", "agentId": id })),
        ("desk.get_ticket", json!({ "ticketId": id })),
        ("desk.delete_ticket", json!({ "ticketId": id })),
        ("desk.draft_reply", json!({ "ticketId": id, "agentId": id })),
        ("desk.get_passage", json!({ "messageId": id, "number": 1 })),
    ];
    for name in [
        "rag.get_knowledge_base",
        "rag.delete_knowledge_base",
        "rag.stop_bench",
        "rag.list_bench_runs",
        "rag.restore_generation",
        "rag.discard_generation",
    ] {
        inputs.push((name, json!({ "kbId": id })));
    }
    for name in ["rag.get_source", "rag.read_source", "rag.delete_source"] {
        inputs.push((name, json!({ "sourceId": id })));
    }
    for name in ["rag.read_document", "rag.delete_document", "rag.retry_document"] {
        inputs.push((name, json!({ "documentId": id })));
    }
    inputs.push(("rag.recognise_document", json!({ "documentId": id })));
    for name in ["rag.get_job", "rag.pause_job", "rag.resume_job", "rag.cancel_job"] {
        inputs.push((name, job.clone()));
    }
    inputs
}

/// The places in an input where `id` stands, as JSON pointers.
fn places_of(id: &str, input: &Value, at: &str) -> Vec<String> {
    match input {
        Value::String(text) if text == id => vec![at.to_owned()],
        Value::Array(items) => (0..)
            .zip(items)
            .flat_map(|(n, item): (usize, _)| places_of(id, item, &format!("{at}/{n}")))
            .collect(),
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| places_of(id, value, &format!("{at}/{name}")))
            .collect(),
        _ => Vec::new(),
    }
}

/// What takes no id at all.
const WITHOUT_IDS: &[&str] = &[
    "rag.list_knowledge_bases",
    "rag.create_knowledge_base",
    "rag.list_formats",
    "rag.preview_paths",
    "rag.preview_file",
    "rag.resume_queued",
    "rag.list_jobs",
    "rag.retry_failed",
    "rag.clear_jobs",
    "rag.get_storage",
    "rag.compact_storage",
    "rag.list_models",
    "rag.list_rerankers",
    "rag.import_reranker",
    "rag.remove_reranker",
    "rag.install_samples",
    "desk.list_agents",
    "desk.list_tickets",
    "settings.get_settings",
    "settings.update_settings",
    "settings.reload_engine",
];

#[test]
fn sql_in_one_id_of_an_input_that_fits_is_refused() {
    let desk = Desk::open();
    let base = desk.base("Ours");
    desk.add(&base, &desk.file("a.md", "Ours."));
    let absent = "0".repeat(32);
    let inputs = inputs_with_ids(&absent);
    for operation in OPERATIONS {
        let name = format!("{}.{}", operation.group, operation.name);
        let is_known = WITHOUT_IDS.contains(&name.as_str());
        assert!(is_known || inputs.iter().any(|it| it.0 == name), "{name} is not tried");
    }
    for (name, input) in inputs {
        let fits = desk.ask(name, input.clone());
        let is_read = !matches!(&fits, Err(error) if error.code == ErrorCode::InvalidInput);
        assert!(is_read, "{name} does not take {input}: {fits:?}");
        let places = places_of(&absent, &input, "");
        assert!(!places.is_empty(), "{name}");
        for place in places {
            for sql in ["x'; DROP TABLE sources; --", "' OR '1'='1", "%", "", "vec_kb_x"] {
                let mut bent = input.clone();
                *bent.pointer_mut(&place).unwrap() = json!(sql);
                assert_eq!(
                    desk.refusal(name, bent.clone()),
                    ErrorCode::InvalidInput,
                    "{name} {bent}"
                );
            }
        }
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
