//! Beside another process that is using the data folder: reading goes on, writing is refused.
//! A lock that the test takes by itself stands for the other process.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

mod desk;

use std::fs::File;
use std::sync::Arc;

use ancre_app::{Access, Ancre, Options};
use ancre_domain::ErrorCode;
use desk::{Desk, WordLoader, open};
use serde_json::json;

fn lock(desk_data: &std::path::Path) -> File {
    let lock = File::options().write(true).open(desk_data.join("ancre.lock")).unwrap();
    lock.try_lock().expect("nobody has it");
    lock
}

#[test]
fn a_second_process_reads_and_is_refused_every_change() {
    let desk = Desk::open();
    let base = desk.base("Help");
    desk.add(&base, &desk.file("a.md", "# Returns\n\nReturns are possible for thirty days."));
    let source = desk.source("")["id"].clone();
    let document = desk.source("")["attachments"][0]["documentId"].clone();
    assert_eq!(desk.told("settings.get_settings", json!({}))["isReadOnly"], false);
    let Desk { ancre, folder } = desk;
    drop(ancre);
    let other = lock(&folder.path().join("data"));
    let desk = Desk { ancre: open(&folder), folder };

    assert!(desk.ancre.is_read_only());
    assert_eq!(desk.told("settings.get_settings", json!({}))["isReadOnly"], true);
    assert_eq!(desk.found(&base, "returns").len(), 1);
    assert_eq!(desk.source("")["id"], source);
    let path = desk.file("b.md", "# More\n\nWords.");
    for (operation, input) in [
        ("rag.create_knowledge_base", json!({ "name": "More" })),
        ("rag.update_knowledge_base", json!({ "kbId": base, "name": "More" })),
        ("rag.delete_knowledge_base", json!({ "kbId": base })),
        ("rag.rename_source", json!({ "sourceId": source, "title": "More" })),
        ("rag.replace_source", json!({ "sourceId": source, "text": "More." })),
        ("rag.delete_source", json!({ "sourceId": source })),
        ("rag.set_document_enabled", json!({ "documentId": document, "isEnabled": false })),
        ("rag.delete_document", json!({ "documentId": document })),
        ("rag.ingest", json!({ "kbId": base, "title": "t", "text": "words" })),
        ("rag.ingest_files", json!({ "kbId": base, "paths": [path] })),
        ("rag.compact_storage", json!({})),
        ("rag.import_reranker", json!({ "folder": path, "license": "MIT" })),
        ("rag.remove_reranker", json!({ "id": "small" })),
        ("desk.create_ticket", json!({ "body": "Hello" })),
        ("settings.update_settings", json!({ "language": "fr" })),
    ] {
        let refused = match desk.ask(operation, input) {
            Err(error) => error,
            // A job that cannot begin says so in its report.
            Ok(report) if report["stopped"]["code"] == "data_in_use" => continue,
            Ok(answer) => panic!("{operation} answered {answer}"),
        };
        assert_eq!(refused.code, ErrorCode::DataInUse, "{operation}: {refused:?}");
        assert!(refused.hint.is_some(), "{operation} says what to do");
    }

    assert!(!desk.ancre.can_be_reopened_for_writing());
    drop(other);
    assert!(desk.ancre.can_be_reopened_for_writing(), "the other one is gone");
    let desk = Desk { ancre: open(&desk.folder), folder: desk.folder };
    desk.base("More");
}

#[test]
fn one_that_only_reads_does_not_wait_and_keeps_nobody_away() {
    let desk = Desk::open();
    desk.base("Help");
    let mut options = Options::new(desk.data(), Arc::new(WordLoader));
    options.access = Access::Read;
    let reader = Ancre::open(options).unwrap();
    assert!(reader.is_read_only());
    let Desk { ancre, folder } = desk;
    drop(ancre);
    let writer = open(&folder);
    assert!(!writer.is_read_only(), "the reader is no hindrance");
}
