//! Measurements as an interface sees them: what they count as refused is what an agent refuses, what
//! is gone is told apart, and one that somebody stops leaves nothing behind.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a story that cannot go on ends there")]

mod desk;

use std::sync::atomic::{AtomicU64, Ordering};

use ancre_app::operations;
use ancre_domain::ErrorCode;
use desk::Desk;
use serde_json::{Value, json};

#[test]
fn a_measurement_that_is_stopped_keeps_nothing_and_the_next_one_runs() {
    let desk = Desk::open();
    let kb = desk.base("Help");
    desk.add(&kb, &desk.file("delivery.txt", "Standard delivery takes three days."));
    for number in 0..5 {
        let text = format!("How long does delivery {number} take?");
        desk.told("rag.save_question", json!({ "kbId": kb, "text": text, "mustRefuse": true }));
    }
    let measure = |tell: &(dyn Fn(Value) + Send + Sync)| {
        let run_bench = operations::find("rag", "run_bench").unwrap();
        run_bench.call(&desk.ancre, json!({ "kbId": kb }), tell)
    };
    let heard = AtomicU64::new(0);
    let stopped = measure(&|progress| {
        heard.store(progress["done"].as_u64().unwrap(), Ordering::SeqCst);
        desk.told("rag.stop_bench", json!({ "kbId": kb }));
    });
    assert_eq!(stopped.unwrap_err().code, ErrorCode::Cancelled);
    assert_eq!(heard.into_inner(), 1, "no question more was asked");
    assert_eq!(desk.told("rag.list_bench_runs", json!({ "kbId": kb })), json!([]));
    assert_eq!(measure(&|_| ()).unwrap()["figures"]["questions"], 5);
    let nowhere = desk.refusal("rag.stop_bench", json!({ "kbId": "0".repeat(32) }));
    assert_eq!(nowhere, ErrorCode::NotFound);
}

/// An answerable question and one that must be refused, each once as it should be and once not.
const DELIVERY: &str = "How long does standard delivery take?";
const MATCH: &str = "Who won the football match in Marseille yesterday?";

#[test]
fn a_measurement_counts_as_refused_what_an_agent_refuses() {
    let desk = Desk::open();
    let kb = desk.base("Help");
    desk.add(&kb, &desk.file("delivery.txt", "Standard delivery takes three working days."));
    desk.add(&kb, &desk.file("returns.txt", "Returns are free of charge for thirty days."));
    let source = desk.source("delivery")["id"].clone();
    let expected = json!([{ "sourceId": source, "title": "delivery" }]);
    for text in [DELIVERY, MATCH] {
        desk.told("rag.save_question", json!({ "kbId": kb, "text": text, "expected": expected }));
        desk.told("rag.save_question", json!({ "kbId": kb, "text": text, "mustRefuse": true }));
    }
    let run = desk.told("rag.run_bench", json!({ "kbId": kb }));
    for result in run["results"].as_array().unwrap() {
        assert_eq!(result["refused"], json!(result["text"] == MATCH), "{result}");
    }
    assert_eq!(run["figures"]["refusedWrongly"], 0.5);
    assert_eq!(run["figures"]["refusedRightly"], 0.5);

    let agent = json!({
        "name": "Ada", "description": "", "instructions": "", "kbIds": [kb], "topK": 6,
        "maxDistance": null, "searchMode": "hybrid", "signature": "",
    });
    let agent = desk.told("desk.create_agent", agent);
    for (text, is_refused) in [(DELIVERY, false), (MATCH, true)] {
        let ticket = json!({ "body": text, "agentId": agent["id"] });
        let ticket = desk.told("desk.create_ticket", ticket);
        let draft = desk.told("desk.draft_reply", json!({ "ticketId": ticket["id"] }));
        assert_eq!(draft["status"] == "no_evidence", is_refused, "{text}: {draft}");
    }
}

#[test]
fn a_measurement_keeps_how_it_was_made_and_tells_what_is_gone() {
    let desk = Desk::open();
    let kb = desk.base("Help");
    for (title, text) in [
        ("delivery", "Standard delivery takes three working days."),
        ("returns", "Returns are free of charge for thirty days."),
    ] {
        desk.add(&kb, &desk.file(&format!("{title}.txt"), text));
        let expected = json!([{ "sourceId": desk.source(title)["id"], "title": title }]);
        desk.told("rag.save_question", json!({ "kbId": kb, "text": text, "expected": expected }));
    }
    let lost = desk.source("returns")["id"].clone();
    desk.told("rag.delete_source", json!({ "sourceId": lost }));

    let settings = json!({ "mode": "text", "topK": 3, "maxDistance": 0.5 });
    let run = desk.told("rag.run_bench", json!({ "kbId": kb, "settings": settings }));
    assert_eq!(run["figures"]["gone"], 1, "{run}");
    assert_eq!(run["figures"]["mrr"], 1.0, "what is gone is no miss");
    let gone = run["results"].as_array().unwrap().iter().map(|it| it["gone"].to_string());
    let gone: std::collections::BTreeSet<String> = gone.collect();
    assert_eq!(gone, ["[]", "[\"returns\"]"].map(str::to_owned).into());
    assert_eq!(run["settings"]["mode"], "text");
    assert_eq!(run["settings"]["topK"], 3);
    assert_eq!(run["settings"]["maxDistance"], 0.5);
    assert_eq!(run["index"]["generation"], 1);
    assert_eq!(run["index"]["embeddingModelId"], "words-for-tests");
    assert_eq!(desk.told("rag.list_bench_runs", json!({ "kbId": kb })), json!([run]));
}
