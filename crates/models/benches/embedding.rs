//! What the model costs: loading, questions, passages.
//!
//! `cargo bench -p ancre-models --features onnx` prints each figure with its p50 and p95, which
//! criterion does not give. The pack and ONNX Runtime are those of `make setup`.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, missing_docs)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;
use ancre_models::{Embedder, ModelPack, OnnxEmbedder, runtime_library_name};

const QUESTIONS: usize = 60;
const PASSAGES: usize = 40;
const PASSAGE_CHARS: usize = 2_000;
const BATCH: usize = 16;

fn main() {
    // `cargo test` starts benches too, without this word.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let begun = Instant::now();
    let embedder = load();
    println!("load: {:.2?} (hashes, tokenizer, session)", begun.elapsed());

    black_box(embedder.embed_query("une question pour chauffer la machine").unwrap());
    let questions = (0..QUESTIONS).map(|number| {
        let question =
            format!("Sous combien de jours la commande {number} sera-t-elle remboursée ?");
        time(|| embedder.embed_query(&question).map(|_| ()).unwrap())
    });
    report("question of 9 words", questions.collect());

    let passages: Vec<String> = (0..PASSAGES).map(passage).collect();
    let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
    let begun = Instant::now();
    let cancellation = Cancellation::new();
    black_box(embedder.embed_passages(&texts, BATCH, &cancellation, &mut |_| {}).unwrap());
    let took = begun.elapsed();
    let per_passage = took.as_secs_f64() * 1_000.0 / PASSAGES as f64;
    println!(
        "passages of {PASSAGE_CHARS} characters: {:.2}/s, {per_passage:.1} ms each",
        PASSAGES as f64 / took.as_secs_f64()
    );
}

fn load() -> OnnxEmbedder {
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let runtime = std::env::var_os("ANCRE_RUNTIME").map_or(clone, PathBuf::from);
    let pack = ModelPack::open(&runtime.join("models/multilingual-e5-small"))
        .unwrap_or_else(|error| panic!("{error}; run “make setup”"));
    OnnxEmbedder::load(&pack, &runtime.join("onnxruntime").join(runtime_library_name())).unwrap()
}

fn passage(number: usize) -> String {
    let sentence = format!(
        "La commande {number} peut être renvoyée sous 30 jours, dans son emballage d’origine ; le \
         remboursement suit l’arrivée du colis à l’entrepôt. "
    );
    sentence.repeat(PASSAGE_CHARS / 100).chars().take(PASSAGE_CHARS).collect()
}

fn time(act: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    act();
    begun.elapsed()
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{what}: p50 {:.1?}, p95 {:.1?}", at(50), at(95));
}
