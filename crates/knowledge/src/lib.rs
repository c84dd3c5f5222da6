//! Knowledge: cutting texts into chunks, indexing them, finding them again.
//!
//! The chunker, the sentence splitter and the metrics are pure. Ingestion and search take the
//! store, the embedder and the clock as parameters and hold no state of their own. There is no
//! SQL here, no model, and nothing about tickets or prompts.

pub mod bench;
pub mod chunker;
mod error;
pub mod evaluation;
pub mod fusion;
pub mod ingestion;
pub mod lexical;
pub mod library;
mod line;
pub mod reindex;
pub mod search;
pub mod sentences;
pub mod windows;
pub mod words;

pub use error::KnowledgeError;
pub use line::{
    Arrival, CACHE_SETTING, DEFAULT_CACHE_BYTES, IndexingLine, LineDocument, LineEvent,
};
