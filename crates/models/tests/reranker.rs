//! Stories of cross-encoders in the real ONNX Runtime.
//!
//! The graphs are small ones, made by `cross_encoder/make.py`: a passage scores by the share of the
//! question's known words that it has, from -4 to 4. They need the runtime that set-up installs, in
//! the folder that `ANCRE_RUNTIME` names, or in `runtime/` at the root of the workspace.

#![allow(clippy::unwrap_used, reason = "a story that cannot be set up has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use ancre_domain::Cancellation;
use ancre_models::{
    ModelError, OnnxReranker, Reranker, RerankerImport, RerankerPack, runtime_library_name,
};
use tempfile::TempDir;

const QUESTION: &str = "Comment choisir un nouveau mot de passe ?";
const ANSWER: &str = "Pour choisir un nouveau mot de passe, cliquez sur « Mot de passe oublié ».";
const NEAR: &str = "Votre mot de passe est un secret.";
const FAR: &str = "Les colis sont livrés en deux jours.";

fn runtime_library() -> PathBuf {
    let folder = std::env::var_os("ANCRE_RUNTIME")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime"), PathBuf::from);
    assert!(folder.is_dir(), "{} is not there: run “make setup”", folder.display());
    folder.join("onnxruntime").join(runtime_library_name())
}

/// The pack of a small cross-encoder that reads so many tokens.
fn pack(name: &str, max_tokens: u32) -> (TempDir, RerankerPack) {
    let import = RerankerImport {
        folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cross_encoder").join(name),
        id: name.to_owned(),
        license: "MIT OR Apache-2.0".to_owned(),
        source: "made by the tests".to_owned(),
        max_tokens: Some(max_tokens),
    };
    let folder = tempfile::tempdir().unwrap();
    let pack = import.write_to(folder.path()).unwrap();
    (folder, pack)
}

fn reranker(name: &str, max_tokens: u32) -> OnnxReranker {
    let (_folder, pack) = pack(name, max_tokens);
    OnnxReranker::load(&pack, &runtime_library()).unwrap()
}

fn scores(reranker: &OnnxReranker, question: &str, passages: &[&str]) -> Vec<f32> {
    reranker.rerank(question, passages, &Cancellation::new()).unwrap()
}

fn refusal(pack: &RerankerPack) -> ModelError {
    OnnxReranker::load(pack, &runtime_library()).err().unwrap()
}

#[test]
fn a_passage_that_answers_scores_above_one_that_does_not() {
    let reranker = reranker("one_logit", 128);
    assert_eq!(reranker.id(), "one_logit");
    let found = scores(&reranker, QUESTION, &[FAR, ANSWER, NEAR]);
    let [far, answer, near] = found.try_into().unwrap();
    assert!((far + 4.0).abs() < 1e-3, "it shares no word: {far}");
    assert!((answer - 4.0).abs() < 1e-3, "it has every word: {answer}");
    assert!(far < near && near < answer, "{far} {near} {answer}");
}

#[test]
fn two_logits_without_types_score_as_one_with_them() {
    let passages = [FAR, ANSWER, NEAR, ""];
    let one = scores(&reranker("one_logit", 128), QUESTION, &passages);
    let two = scores(&reranker("two_logits", 128), QUESTION, &passages);
    for (one, two) in one.iter().zip(&two) {
        assert!((one - two).abs() < 1e-5, "{one} {two}");
    }
}

#[test]
fn a_score_depends_neither_on_the_other_passages_nor_on_their_order() {
    let reranker = reranker("one_logit", 128);
    let together = scores(&reranker, QUESTION, &[NEAR, FAR, ANSWER]);
    let backwards = scores(&reranker, QUESTION, &[ANSWER, FAR, NEAR]);
    assert!(together.iter().eq(backwards.iter().rev()), "{together:?} {backwards:?}");
    assert_eq!(scores(&reranker, QUESTION, &[FAR]), together[1..2]);
}

#[test]
fn what_lies_behind_the_window_is_not_read_and_the_question_always_is() {
    let reranker = reranker("one_logit", 24);
    let behind = format!("{} {ANSWER}", "bla ".repeat(40));
    let found = scores(&reranker, QUESTION, &[&behind, ANSWER]);
    assert!((found[0] + 4.0).abs() < 1e-3, "{found:?}");
    assert!((found[1] - 4.0).abs() < 1e-3, "{found:?}");
    // As long as a ticket can be: the passage keeps its half of the window.
    let endless = format!("{QUESTION} {}", "bla ".repeat(50_000));
    let found = scores(&reranker, &endless, &[ANSWER, FAR]);
    assert!(found[0] > found[1], "{found:?}");
}

#[test]
fn nothing_to_rerank_is_no_score_and_nothing_in_them_is_one() {
    let reranker = reranker("one_logit", 128);
    assert_eq!(scores(&reranker, QUESTION, &[]), [0.0; 0]);
    assert_eq!(scores(&reranker, "", &["", "🙂 \u{0} \u{FFFD}"]).len(), 2);
}

#[test]
fn whoever_asks_to_stop_is_heard_before_the_next_passage() {
    let stopped = Cancellation::new();
    stopped.cancel();
    let error = reranker("one_logit", 128).rerank(QUESTION, &[ANSWER], &stopped).unwrap_err();
    assert!(matches!(error, ModelError::Cancelled), "{error}");
}

#[test]
fn four_threads_get_the_same_scores_as_one() {
    let reranker = reranker("one_logit", 128);
    let alone = scores(&reranker, QUESTION, &[FAR, ANSWER, NEAR]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(scores(&reranker, QUESTION, &[FAR, ANSWER, NEAR]), alone);
                }
            });
        }
    });
}

#[test]
fn one_changed_byte_in_the_model_is_found_and_named() {
    let (folder, pack) = pack("one_logit", 128);
    let model = folder.path().join("model.onnx");
    let mut bytes = fs::read(&model).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&model, bytes).unwrap();
    let error = refusal(&pack);
    assert!(matches!(&error, ModelError::Damaged { path, .. } if *path == model), "{error}");
}

#[test]
fn a_missing_tokenizer_is_named() {
    let (folder, pack) = pack("one_logit", 128);
    let tokenizer = folder.path().join("tokenizer.json");
    fs::remove_file(&tokenizer).unwrap();
    let error = refusal(&pack);
    assert!(matches!(&error, ModelError::Missing { path } if *path == tokenizer), "{error}");
}

#[test]
fn a_model_that_is_no_graph_is_refused_by_its_file() {
    let source = tempfile::tempdir().unwrap();
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cross_encoder");
    fs::copy(packs.join("one_logit/tokenizer.json"), source.path().join("tokenizer.json")).unwrap();
    fs::write(source.path().join("model.onnx"), "no graph").unwrap();
    let import = RerankerImport {
        folder: source.path().to_owned(),
        id: "none".to_owned(),
        license: "MIT".to_owned(),
        source: "made by the tests".to_owned(),
        max_tokens: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(&import.write_to(folder.path()).unwrap());
    assert!(
        matches!(&error, ModelError::Damaged { path, .. } if path.ends_with("model.onnx")),
        "{error}"
    );
}
