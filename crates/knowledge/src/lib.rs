//! Knowledge: cutting texts into chunks, indexing them, finding them again.
//!
//! The chunker and the sentence splitter are pure. Ingestion and search take the store and the
//! embedder as parameters and hold no state of their own. There is no SQL here, no model, and
//! nothing about tickets or prompts.

pub mod chunker;
pub mod sentences;
