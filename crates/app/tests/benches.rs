//! Measurements as an interface sees them: one that somebody stops leaves nothing behind.

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
