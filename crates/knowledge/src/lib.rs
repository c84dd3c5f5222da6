//! Knowledge: cutting texts into chunks, indexing them, finding them again.
//!
//! The chunker, the sentence splitter and the metrics are pure. Ingestion and search take the
//! store, the embedder and the clock as parameters and hold no state of their own. There is no
//! SQL here, no model, and nothing about tickets or prompts.

pub mod chunker;
mod error;
pub mod evaluation;
pub mod ingestion;
pub mod lexical;
pub mod library;
pub mod search;
pub mod sentences;

pub use error::KnowledgeError;
