//! Documents, their chunks and vectors, and the search by vector.
//!
//! A document's life: `attach` makes it queued; `claim` makes it indexing and belongs to this
//! process until it ends; `store_chunks` keeps its chunks, unseen; `finish` adds every vector and
//! makes it ready in one transaction; `fail` takes the chunks away again and keeps the reason.
//! Vectors exist only for ready documents, so a search never meets half a document.

use ancre_domain::{
    Chunk, ChunkId, Document, DocumentFailure, DocumentId, DocumentStatus, Hit, KnowledgeBaseId,
    Page, PageRequest, ProjectId, SourceId, Timestamp,
};

use crate::StoreError;

/// A chunk about to be stored.
pub type NewChunk = Chunk;

/// What the embedder made of a chunk.
#[derive(Debug, Clone)]
pub struct EmbeddedChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its vector, of the base's dimension and of length 1.
    pub vector: Vec<f32>,
    /// How many of the model's tokens were outside its window.
    pub tokens_outside_window: u32,
}

/// Which documents of a base are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct DocumentFilter {
    /// Only those that stand here.
    pub status: Option<DocumentStatus>,
}

/// Documents of bases.
pub trait DocumentStore {
    /// Attaches a source to a base of the same project. The `bool` says whether it was attached
    /// before; then nothing changed.
    fn attach_source(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        source: &SourceId,
        now: Timestamp,
    ) -> Result<(Document, bool), StoreError>;

    /// Attaches a source to the base of the document `replaced`, to take its place: that one is
    /// searched until the new one is ready, and goes in the same transaction. A source that is
    /// ready in the base already takes the place at once; the document's own source changes
    /// nothing. The `bool` says whether the source was attached before.
    fn attach_in_place_of(
        &self,
        project: &ProjectId,
        replaced: &DocumentId,
        source: &SourceId,
        now: Timestamp,
    ) -> Result<(Document, bool), StoreError>;

    /// One document.
    fn document(&self, project: &ProjectId, id: &DocumentId) -> Result<Document, StoreError>;

    /// The documents of a base, newest first.
    fn list_documents(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        filter: DocumentFilter,
        page: PageRequest,
    ) -> Result<Page<Document>, StoreError>;

    /// The documents of every project that wait to be indexed, oldest first.
    fn queued_documents(&self) -> Result<Vec<(ProjectId, DocumentId)>, StoreError>;

    /// Takes a queued document, or one in error, for this process: it becomes indexing. `None`
    /// when it is ready already; [`StoreError::DocumentBusy`] when a living process has it.
    fn claim_document(
        &self,
        project: &ProjectId,
        id: &DocumentId,
    ) -> Result<Option<Document>, StoreError>;

    /// Keeps the chunks of a document that this process claimed, in place of any that it had.
    fn store_chunks(&self, id: &DocumentId, chunks: &[NewChunk]) -> Result<(), StoreError>;

    /// Adds the vectors of every chunk, makes the document ready and deletes the one whose place
    /// it takes, in one transaction.
    fn finish_document(
        &self,
        id: &DocumentId,
        embedded: &[EmbeddedChunk],
        now: Timestamp,
    ) -> Result<Document, StoreError>;

    /// Takes chunks and vectors away and keeps the reason: the document is in error.
    fn fail_document(
        &self,
        id: &DocumentId,
        failure: &DocumentFailure,
    ) -> Result<Document, StoreError>;

    /// Puts a document that this process claimed back in the queue, without chunks.
    fn release_document(&self, id: &DocumentId) -> Result<(), StoreError>;

    /// Puts back in the queue what processes that no longer live had claimed, and says what.
    fn release_abandoned_documents(&self) -> Result<Vec<DocumentId>, StoreError>;

    /// Detaches a document from its base: its chunks and vectors go, the source stays.
    fn delete_document(&self, project: &ProjectId, id: &DocumentId) -> Result<(), StoreError>;

    /// The chunks of a document in order.
    fn chunks(&self, project: &ProjectId, id: &DocumentId) -> Result<Vec<Chunk>, StoreError>;

    /// The `k` ready chunks of a base that are nearest to `vector`, nearest first; of equally
    /// near ones the older first. Every `k` is answered. `max_distance` is a cosine distance.
    /// [`StoreError::WrongDimension`] when the vector does not fit the base.
    fn nearest(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        vector: &[f32],
        k: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<Hit>, StoreError>;
}
