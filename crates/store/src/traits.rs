//! What the rest of the product may ask of storage.
//!
//! One trait for each table family. They are synchronous and say nothing of SQLite, of files or
//! of one process, so that the same traits can stand on another database; the conformance suite
//! in [`crate::conformance`] is run against every implementation. Callers that must not block
//! run them on a thread of their own.
//!
//! A call names the errors that are its own. Beside them each may meet the state of the machine:
//! [`StoreError::DiskFull`](crate::StoreError::DiskFull), `ReadOnly`, `Damaged`, `Busy`, `Fault`;
//! each that changes something answers `DataInUse` in a store that can only read;
//! and each that takes a project answers `NotFound` for what is not of that project.
#![allow(clippy::missing_errors_doc, reason = "said once, above")]

mod cache;
mod desk;
mod documents;
mod generations;
mod jobs;
mod knowledge_bases;
mod lexical;
mod questions;
mod settings;
mod sources;
mod storage;

pub use cache::{CachedVector, EmbeddingCache};
pub use desk::{DeskStore, NewTicket, StoredRun, TicketListing};
pub use documents::{DocumentFilter, DocumentStore, IndexedChunk, NearChunk, NewChunk};
pub use generations::{GenerationStore, NewGeneration};
pub use jobs::{ItemChange, JobEnding, JobStore, NewJob, NewJobItem};
pub use knowledge_bases::{
    KnowledgeBaseChange, KnowledgeBaseListing, KnowledgeBaseStore, NewKnowledgeBase,
};
pub use lexical::{
    LexicalMatch, LexicalQuery, LexicalRanking, LexicalTerm, LexicalText, LexicalWeights,
    WordStatistics,
};
pub use questions::QuestionStore;
pub use settings::SettingsStore;
pub use sources::{NewSource, SourceFilter, SourceReplacement, SourceStore, StoredSource};
pub use storage::{StorageSize, StorageStore};

/// Everything that storage does.
pub trait Store:
    SourceStore
    + KnowledgeBaseStore
    + DocumentStore
    + GenerationStore
    + EmbeddingCache
    + JobStore
    + DeskStore
    + QuestionStore
    + SettingsStore
    + StorageStore
    + Send
    + Sync
{
}

impl<T> Store for T where
    T: SourceStore
        + KnowledgeBaseStore
        + DocumentStore
        + GenerationStore
        + EmbeddingCache
        + JobStore
        + DeskStore
        + QuestionStore
        + SettingsStore
        + StorageStore
        + Send
        + Sync
{
}
