//! An Ancre in a temporary folder, asked in JSON as an interface asks. Words stand in for the
//! model, which these stories do not depend on.
#![allow(dead_code, reason = "each story uses its part")]

use std::path::PathBuf;
use std::sync::Arc;

use ancre_app::EmbedderLoader;
use ancre_app::operations;
use ancre_app::wire::WireError;
use ancre_app::{Ancre, Options};
use ancre_domain::{ErrorCode, ProjectId, Timestamp};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_store::SqliteStore;
use ancre_store::traits::SourceStore as _;
use ancre_testkit::WordEmbedder;
use serde_json::{Value, json};

pub struct WordLoader;

impl EmbedderLoader for WordLoader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(WordEmbedder::new(64).description().clone())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        Ok(Arc::new(WordEmbedder::new(64)))
    }
}

pub struct Desk {
    pub ancre: Ancre,
    pub folder: tempfile::TempDir,
}

impl Desk {
    pub fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ancre = open(&folder);
        Self { ancre, folder }
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Asks an operation, as `rag.list_sources`.
    pub fn ask(&self, name: &str, input: Value) -> Result<Value, WireError> {
        let (group, name) = name.split_once('.').unwrap();
        operations::find(group, name).unwrap().call(&self.ancre, input, &|_| ())
    }

    /// Asks an operation that has to answer.
    pub fn told(&self, name: &str, input: Value) -> Value {
        self.ask(name, input).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    }

    pub fn refusal(&self, name: &str, input: Value) -> ErrorCode {
        match self.ask(name, input) {
            Err(error) => error.code,
            Ok(answer) => panic!("{name} answered {answer}"),
        }
    }

    pub fn base(&self, name: &str) -> String {
        text(&self.told("rag.create_knowledge_base", json!({ "name": name }))["id"])
    }

    pub fn file(&self, name: &str, content: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Adds a file to a base, and gives its outcome.
    pub fn add(&self, kb: &str, path: &str) -> Value {
        let report = self.told("rag.ingest_files", json!({ "kbId": kb, "paths": [path] }));
        report["outcomes"][0].clone()
    }

    /// The one source of the library with this title.
    pub fn source(&self, title: &str) -> Value {
        let page = self.told("rag.list_sources", json!({ "query": title }));
        assert_eq!(page["total"], 1, "{page}");
        page["items"][0].clone()
    }

    /// The passages that a search finds, best first.
    pub fn found(&self, kb: &str, query: &str) -> Vec<String> {
        let result = self.told("rag.search", json!({ "query": query, "kbIds": [kb] }));
        result["hits"].as_array().unwrap().iter().map(|hit| text(&hit["content"])).collect()
    }

    /// Another project on the same data, and the store to fill it with.
    pub fn other_project(&self) -> (SqliteStore, ProjectId) {
        let store = SqliteStore::open(&self.data()).unwrap();
        let project = store.create_project("Other", Timestamp::from_millis(9_000)).unwrap().id;
        (store, project)
    }
}

pub fn open(folder: &tempfile::TempDir) -> Ancre {
    Ancre::open(Options::new(folder.path().join("data"), Arc::new(WordLoader))).unwrap()
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
