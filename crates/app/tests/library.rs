//! The life of a source as an interface sees it: linked, renamed, replaced, detached, deleted.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

mod desk;

use desk::{Desk, text};
use serde_json::{Value, json};

#[test]
fn the_same_file_is_one_source_however_often_and_wherever_it_is_added() {
    let desk = Desk::open();
    let (one, two) = (desk.base("One"), desk.base("Two"));
    let path = desk.file("delivery.md", "# Delivery\n\nA parcel takes three days.");
    assert_eq!(desk.add(&one, &path)["result"], "ready");
    assert_eq!(desk.add(&one, &path)["result"], "already_here");
    assert_eq!(desk.add(&two, &path)["result"], "ready", "it is indexed there on its own");

    let source = desk.source("delivery");
    let attachments = source["attachments"].as_array().unwrap();
    let names: Vec<&Value> = attachments.iter().map(|it| &it["kbName"]).collect();
    assert_eq!(names, ["One", "Two"]);
    let read = desk.told("rag.read_source", json!({ "sourceId": source["id"] }));
    assert!(text(&read["text"]).starts_with("# Delivery\n\nA parcel takes three days."));
    assert_eq!(read["outline"][0]["title"], "Delivery");
}

#[test]
fn a_source_is_attached_detached_and_switched_off_base_by_base() {
    let desk = Desk::open();
    let (one, two) = (desk.base("One"), desk.base("Two"));
    desk.add(&one, &desk.file("delivery.md", "# Delivery\n\nA parcel takes three days."));
    let source = desk.source("delivery");
    let attach = json!({ "sourceId": source["id"], "kbId": two });
    assert_eq!(desk.told("rag.attach_source", attach.clone())["ready"], 1);
    assert_eq!(desk.told("rag.attach_source", attach)["alreadyHere"], 1);
    assert_eq!(desk.found(&two, "parcel days").len(), 1);

    let source = desk.source("delivery");
    let document = source["attachments"][1]["documentId"].clone();
    let off = json!({ "documentId": document, "isEnabled": false });
    assert_eq!(desk.told("rag.set_document_enabled", off)["isEnabled"], false);
    assert_eq!(desk.found(&two, "parcel days"), [""; 0], "it keeps its place and is not found");
    assert_eq!(desk.found(&one, "parcel days").len(), 1, "the other base goes on");

    desk.told("rag.delete_document", json!({ "documentId": document }));
    let source = desk.source("delivery");
    assert_eq!(source["attachments"].as_array().unwrap().len(), 1);
    assert_eq!(desk.found(&one, "parcel days").len(), 1);
}

#[test]
fn a_new_version_takes_the_place_of_the_old_one_everywhere() {
    let desk = Desk::open();
    let (one, two) = (desk.base("One"), desk.base("Two"));
    let old = desk.file("delivery.md", "# Delivery\n\nA parcel takes three days.");
    desk.add(&one, &old);
    desk.add(&two, &old);
    let id = desk.source("delivery")["id"].clone();
    let new = desk.file("delivery-2027.md", "# Delivery 2027\n\nA parcel takes two days.");
    let report = desk.told("rag.replace_source", json!({ "sourceId": id, "path": new }));
    assert_eq!((&report["ready"], &report["failed"]), (&json!(2), &json!(0)), "{report}");

    for base in [&one, &two] {
        assert_eq!(
            desk.found(base, "parcel days"),
            ["# Delivery 2027\n\nA parcel takes two days."]
        );
    }
    let source = desk.source("");
    assert_eq!((&source["title"], &source["version"]), (&json!("Delivery 2027"), &json!(2)));
    assert_eq!(desk.refusal("rag.get_source", json!({ "sourceId": id })).as_str(), "not_found");

    let text = json!({ "sourceId": source["id"], "text": "A parcel takes one day." });
    desk.told("rag.replace_source", text);
    let source = desk.source("");
    assert_eq!(
        (&source["title"], &source["version"]),
        (&json!("Delivery 2027"), &json!(3)),
        "a text brings no title of its own"
    );
}

#[test]
fn a_new_version_that_cannot_be_read_changes_nothing() {
    let desk = Desk::open();
    let base = desk.base("One");
    desk.add(&base, &desk.file("delivery.md", "A parcel takes three days."));
    let id = desk.source("delivery")["id"].clone();
    let replace = |more: Value| {
        let mut input = more;
        input["sourceId"] = id.clone();
        desk.refusal("rag.replace_source", input).as_str()
    };
    assert_eq!(replace(json!({ "path": desk.file("empty.md", " ") })), "empty");
    assert_eq!(replace(json!({ "path": "/nowhere.md" })), "file_not_found");
    assert_eq!(replace(json!({ "text": " \n" })), "empty");
    assert_eq!(replace(json!({})), "invalid_input");
    assert_eq!(replace(json!({ "text": "a", "path": "b" })), "invalid_input");
    assert_eq!(desk.source("delivery")["id"], id);
    assert_eq!(desk.found(&base, "parcel").len(), 1);
    let path = desk.file("again.md", "A parcel takes three days.");
    let same = desk.told("rag.replace_source", json!({ "sourceId": id, "path": path }));
    assert_eq!(same["outcomes"], json!([]), "the same text is no new version");
    assert_eq!(desk.source("delivery")["version"], 1);
}

#[test]
fn a_new_version_with_the_text_of_another_source_is_refused_and_both_stay() {
    let desk = Desk::open();
    let (one, two) = (desk.base("One"), desk.base("Two"));
    desk.add(&one, &desk.file("delivery.md", "# Delivery\n\nA parcel takes three days."));
    desk.add(&two, &desk.file("refunds.md", "# Refunds\n\nA refund takes five days."));
    let before = (desk.source("delivery"), desk.source("refunds"));
    let same = desk.file("copy.md", "# Refunds\n\nA refund takes five days.");
    let refused =
        desk.refusal("rag.replace_source", json!({ "sourceId": before.0["id"], "path": same }));
    assert_eq!(refused.as_str(), "already_in_library");
    assert_eq!((desk.source("delivery"), desk.source("refunds")), before, "nothing was lost");
}

#[test]
fn what_nobody_sees_in_a_name_or_a_title_is_not_kept() {
    let desk = Desk::open();
    let base = desk.told("rag.create_knowledge_base", json!({ "name": "He\u{200B}lp \u{202E}\n" }));
    assert_eq!(base["name"], "Help");
    let taken = desk.refusal("rag.create_knowledge_base", json!({ "name": "h\u{AD}elp" }));
    assert_eq!(taken.as_str(), "name_taken");
    let nothing = desk.refusal("rag.create_knowledge_base", json!({ "name": "\u{2060}\u{200D}" }));
    assert_eq!(nothing.as_str(), "invalid_input");
    let kb = base["id"].as_str().unwrap().to_owned();
    let text = json!({ "kbId": kb, "title": "Re\u{FEFF}funds", "text": "Five days." });
    desk.told("rag.ingest", text);
    assert_eq!(desk.source("refunds")["title"], "Refunds");
    let nothing = json!({ "kbId": kb, "title": "", "text": "\u{200B}\u{FEFF}\n" });
    assert_eq!(desk.refusal("rag.ingest", nothing).as_str(), "empty");
    assert_eq!(desk.add(&kb, &desk.file("seen.md", "\u{2060}\u{AD} \n"))["error"]["code"], "empty");
}

/// An agent's draft over one base, with a cited passage.
fn draft(desk: &Desk, base: &str) -> (Value, Value) {
    let agent = desk.told("desk.create_agent", json!({ "name": "Zoé", "kbIds": [base] }));
    let ticket = json!({ "body": "How long does a parcel take?", "agentId": agent["id"] });
    let ticket = desk.told("desk.create_ticket", ticket)["id"].clone();
    let draft = desk.told("desk.draft_reply", json!({ "ticketId": ticket }));
    assert_eq!(draft["citations"].as_array().unwrap().len(), 1, "{draft}");
    (ticket, draft)
}

#[test]
fn snapshots_outlive_renaming_and_deleting() {
    let desk = Desk::open();
    let base = desk.base("One");
    desk.add(&base, &desk.file("delivery.md", "# Delivery\n\nA parcel takes three days."));
    let (ticket, before) = draft(&desk, &base);
    let id = desk.source("delivery")["id"].clone();
    let renamed =
        desk.told("rag.rename_source", json!({ "sourceId": id, "title": " Shipping  times " }));
    assert_eq!(renamed["title"], "Shipping times");
    let documents = desk.told("rag.list_documents", json!({ "kbId": base }));
    assert_eq!(documents["items"][0]["title"], "Shipping times");
    let passage =
        json!({ "messageId": before["messageId"], "number": before["citations"][0]["number"] });
    let seen = desk.told("desk.get_passage", passage.clone());
    assert_eq!(seen["documentTitle"], "Delivery", "the snapshot keeps the title it was made with");

    desk.told("rag.delete_source", json!({ "sourceId": id }));
    assert_eq!(desk.found(&base, "parcel"), [""; 0]);
    assert_eq!(desk.told("rag.list_sources", json!({}))["total"], 0);
    let after = desk.told("desk.get_ticket", json!({ "ticketId": ticket }))["draft"].clone();
    assert_eq!(after["text"], before["text"]);
    let kept = desk.told("desk.get_passage", passage);
    assert!(text(&kept["content"]).contains("three days"), "{kept}");
}

#[test]
fn a_base_says_which_agents_keep_it_and_changes_its_settings() {
    let desk = Desk::open();
    let base = desk.base("One");
    desk.told("desk.create_agent", json!({ "name": "Zoé", "kbIds": [base] }));
    let refused = desk.ask("rag.delete_knowledge_base", json!({ "kbId": base })).unwrap_err();
    assert_eq!(refused.code.as_str(), "knowledge_base_in_use");
    assert!(refused.message.contains("Zoé"), "{}", refused.message);

    let change = json!({ "kbId": base, "name": "Help", "chunkSize": 300 });
    let changed = desk.told("rag.update_knowledge_base", change);
    assert_eq!(changed["name"], "Help");
    assert_eq!(changed["chunking"], json!({ "size": 300, "overlap": 30 }));
    let refused = json!({ "kbId": base, "chunkSize": 7 });
    assert_eq!(desk.refusal("rag.update_knowledge_base", refused).as_str(), "invalid_input");
    let long = "A parcel takes three days. ".repeat(30);
    assert!(desk.add(&base, &desk.file("a.md", &long))["chunkCount"].as_u64().unwrap() > 2);
}

#[test]
fn the_room_that_everything_takes_is_told_and_given_back() {
    let desk = Desk::open();
    let base = desk.base("One");
    desk.add(&base, &desk.file("a.html", &format!("<p>{}</p>", "words ".repeat(50_000))));
    let full = desk.told("rag.get_storage", json!({}));
    assert!(full["databaseBytes"].as_u64().unwrap() > 500_000, "{full}");
    assert!(full["originalsBytes"].as_u64().unwrap() > 250_000, "{full}");
    desk.told("rag.delete_source", json!({ "sourceId": desk.source("")["id"] }));
    let compacted = desk.told("rag.compact_storage", json!({}));
    assert_eq!(
        (&compacted["originalsBytes"], &compacted["reclaimableBytes"]),
        (&json!(0), &json!(0))
    );
    assert!(compacted["databaseBytes"].as_u64() < full["databaseBytes"].as_u64());
}
