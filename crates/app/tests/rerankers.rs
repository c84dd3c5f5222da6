//! Rerankers are put in by a person, used by the searches that ask for one, and taken away.
//!
//! Words stand in for the embedding model; the reranker is a small cross-encoder in the real ONNX
//! Runtime, see `crates/models/tests/cross_encoder`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

mod desk;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_app::{Ancre, EmbedderLoader, FoundReranker, Options, PackLoader, places};
use ancre_domain::ErrorCode;
use ancre_models::{Embedder, EmbedderDescription, ModelError, Reranker, runtime_library_name};
use desk::{Desk, WordLoader, text};
use serde_json::{Value, json};

/// Words for embeddings, packs for rerankers.
struct Loader(PackLoader);

impl EmbedderLoader for Loader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        WordLoader.describe()
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        WordLoader.load()
    }

    fn rerankers(&self, data_folder: &Path) -> Vec<FoundReranker> {
        self.0.rerankers(data_folder)
    }

    fn load_reranker(&self, pack: &Path) -> Result<Arc<dyn Reranker>, ModelError> {
        self.0.load_reranker(pack)
    }
}

fn clone() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn loader() -> PackLoader {
    let runtime = std::env::var_os(places::RUNTIME_VARIABLE)
        .map_or_else(|| clone().join("runtime"), PathBuf::from);
    PackLoader {
        pack: runtime.join("models").join(places::DEFAULT_PACK),
        runtime_library: runtime.join("onnxruntime").join(runtime_library_name()),
    }
}

fn desk() -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let ancre = Ancre::open(Options::new(data, Arc::new(Loader(loader())))).unwrap();
    Desk { ancre, folder }
}

fn cross_encoder() -> PathBuf {
    clone().join("crates/models/tests/cross_encoder/one_logit")
}

fn import(desk: &Desk, id: &str) -> Value {
    let input = json!({ "folder": cross_encoder(), "id": id, "license": "MIT", "maxTokens": 64 });
    desk.told("rag.import_reranker", input)
}

fn search(kb: &str, rerank: bool) -> Value {
    let query = "comment choisir un nouveau mot de passe";
    json!({ "query": query, "kbIds": [kb], "rerank": rerank })
}

/// A base in which words alone rank the wrong passage first: it repeats one word of the question.
fn misleading_base(desk: &Desk) -> String {
    let kb = desk.base("Aide");
    let wrong = "Comment ? Comment payer, comment suivre, comment rendre : comment.";
    desk.add(&kb, &desk.file("comment.md", wrong));
    let right = "Pour choisir un nouveau mot de passe, ouvrez votre profil, puis la page des accès \
                 et des appareils reconnus, et suivez ce qui est écrit dans le courriel.";
    desk.add(&kb, &desk.file("acces.md", right));
    kb
}

#[test]
fn a_reranker_that_was_put_in_orders_what_is_found_when_asked_to() {
    let desk = desk();
    let kb = misleading_base(&desk);
    assert_eq!(desk.told("rag.list_rerankers", json!({})), json!([]));
    let listed = import(&desk, "small");
    assert_eq!(listed[0]["id"], "small");
    assert_eq!(listed[0]["isUsed"], true);
    assert_eq!(listed[0]["license"], "MIT");

    let usual = desk.told("rag.search", search(&kb, false));
    assert_eq!(usual["isReranked"], Value::Null, "it is off by default");
    assert!(text(&usual["hits"][0]["content"]).starts_with("Comment"), "{usual}");
    let reranked = desk.told("rag.search", search(&kb, true));
    assert_eq!(reranked["isReranked"], true);
    let first = &reranked["hits"][0];
    assert!(text(&first["content"]).starts_with("Pour choisir"), "{first}");
    let scores: Vec<f64> = reranked["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["score"].as_f64().unwrap())
        .collect();
    assert!(scores[0] > 0.9 && scores[1] < 0.5, "{scores:?}");
}

#[test]
fn asking_for_a_reranker_where_there_is_none_is_refused() {
    let desk = desk();
    let kb = misleading_base(&desk);
    assert_eq!(desk.refusal("rag.search", search(&kb, true)), ErrorCode::RerankerMissing);
    let settings = json!({ "mode": "hybrid", "topK": 6, "rerank": true });
    let bench = json!({ "kbId": kb, "settings": settings });
    assert_eq!(desk.refusal("rag.run_bench", bench), ErrorCode::RerankerMissing);
    desk.told("rag.search", search(&kb, false));
}

#[test]
fn a_reranker_that_was_removed_is_gone_at_once() {
    let desk = desk();
    let kb = misleading_base(&desk);
    import(&desk, "small");
    desk.told("rag.search", search(&kb, true));
    desk.told("rag.remove_reranker", json!({ "id": "small" }));
    assert_eq!(desk.refusal("rag.search", search(&kb, true)), ErrorCode::RerankerMissing);
    let again = desk.refusal("rag.remove_reranker", json!({ "id": "small" }));
    assert_eq!(again, ErrorCode::RerankerMissing);
    assert!(!desk.data().join("models/small").exists());
}

#[test]
fn what_cannot_be_imported_is_refused_and_leaves_nothing() {
    let desk = desk();
    import(&desk, "small");
    let refused = |input| desk.refusal("rag.import_reranker", input);
    let taken = json!({ "folder": cross_encoder(), "id": "small", "license": "MIT" });
    assert_eq!(refused(taken), ErrorCode::NameTaken);
    let silent = json!({ "folder": cross_encoder(), "id": "other" });
    assert_eq!(refused(silent), ErrorCode::InvalidInput);
    let outside = json!({ "folder": cross_encoder(), "id": "../other", "license": "MIT" });
    assert_eq!(refused(outside), ErrorCode::InvalidInput);
    let absent = json!({ "folder": desk.folder.path(), "id": "other", "license": "MIT" });
    assert_eq!(refused(absent), ErrorCode::RerankerDamaged);
    // A model with the right names that no runtime can run.
    let broken = desk.folder.path().join("broken");
    fs::create_dir(&broken).unwrap();
    fs::copy(cross_encoder().join("tokenizer.json"), broken.join("tokenizer.json")).unwrap();
    fs::write(broken.join("model.onnx"), "no graph").unwrap();
    let broken = json!({ "folder": broken, "license": "MIT" });
    assert_eq!(refused(broken), ErrorCode::RerankerDamaged);

    let left: Vec<String> = fs::read_dir(desk.data().join("models"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(left, ["small"]);
}

#[test]
fn a_damaged_pack_is_shown_and_the_next_sound_one_is_used() {
    let desk = desk();
    let kb = misleading_base(&desk);
    import(&desk, "b-sound");
    let damaged = desk.data().join("models/a-damaged");
    fs::create_dir(&damaged).unwrap();
    fs::write(damaged.join("manifest.json"), r#"{"kind": "reranker"}"#).unwrap();

    let listed = desk.told("rag.list_rerankers", json!({}));
    assert_eq!(listed[0]["id"], "a-damaged");
    assert_eq!(listed[0]["error"]["code"], "reranker_damaged");
    assert_eq!([&listed[0]["isUsed"], &listed[1]["isUsed"]], [false, true]);
    assert_eq!(desk.told("rag.search", search(&kb, true))["isReranked"], true);

    desk.told("rag.remove_reranker", json!({ "id": "b-sound" }));
    assert_eq!(desk.refusal("rag.search", search(&kb, true)), ErrorCode::RerankerDamaged);
}

#[test]
fn a_reranker_is_none_of_the_embedding_models() {
    let desk = desk();
    import(&desk, "small");
    let embedders: Vec<String> =
        loader().installed(&desk.data()).into_iter().map(|pack| pack.name).collect();
    assert_eq!(embedders, [""; 0]);
}
