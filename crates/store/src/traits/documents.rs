//! Documents, their chunks, vectors and words, and what is found by both.
//!
//! A document's life: `attach` makes it queued; `claim` makes it indexing and belongs to this
//! process until it ends; `store_chunks` keeps its chunks, unseen; `finish` adds every vector and
//! every word and makes it ready in one transaction; `fail` takes the chunks away again and keeps
//! the reason. A search sees ready documents that are switched on, in the generation that serves.

use ancre_domain::{
    Chunk, ChunkId, Document, DocumentFailure, DocumentId, DocumentStatus, Hit, KnowledgeBaseId,
    Language, Page, PageRequest, ProjectId, SourceId, Timestamp,
};

use super::{LexicalQuery, LexicalRanking, LexicalText, LexicalWeights};
use crate::StoreError;

/// A chunk about to be stored.
pub type NewChunk = Chunk;

/// What an index holds of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// One vector for each window of the chunk, at least one, in order; of the generation's
    /// dimension and of length 1.
    pub windows: Vec<Vec<f32>>,
    /// Its words.
    pub lexical: LexicalText,
    /// The language of its words, where it was recognised.
    pub language: Option<Language>,
    /// How many of the model's tokens were in none of its windows.
    pub tokens_outside_window: u32,
}

/// A chunk and how far it is from what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct NearChunk {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its distance, in [0, 2]; see [`DocumentStore::nearest`].
    pub distance: f64,
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

    /// Adds the vectors and words of every chunk, makes the document ready and deletes the one
    /// whose place it takes, in one transaction. [`StoreError::GenerationChanged`] when its chunks
    /// were stored for a generation that does not serve any more: it has to be released and
    /// indexed again; [`StoreError::IndexMissing`] when the base has lost its vectors.
    fn finish_document(
        &self,
        id: &DocumentId,
        indexed: &[IndexedChunk],
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

    /// Switches a document on or off for searches; nothing else of it changes.
    fn set_document_enabled(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        is_enabled: bool,
    ) -> Result<Document, StoreError>;

    /// Detaches a document from its base: its chunks, vectors and words go from every generation,
    /// the source stays.
    fn delete_document(&self, project: &ProjectId, id: &DocumentId) -> Result<(), StoreError>;

    /// The chunks of a document in order, as the serving generation has them.
    fn chunks(&self, project: &ProjectId, id: &DocumentId) -> Result<Vec<Chunk>, StoreError>;

    /// The `k` visible chunks of a base that are nearest to `vector`, nearest first; of equally near
    /// ones the older first. Every `k` is answered. The distance of a chunk is half the cosine
    /// distance of its best window and half the mean of those of all its windows. A store may answer
    /// a large base from an index that nearly always finds the nearest, and give distances right to
    /// a thousandth where `k` is more than 32. `max_distance` is a distance. [`StoreError::WrongDimension`] when the vector does not fit the base,
    /// [`StoreError::IndexMissing`] when the base has lost its vectors.
    fn nearest(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        vector: &[f32],
        k: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<Hit>, StoreError>;

    /// As [`Self::nearest`], without the texts: for whoever looks at many and shows few.
    fn nearest_chunks(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        vector: &[f32],
        k: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<NearChunk>, StoreError>;

    /// How far these chunks are from `vector`, in the order given, exactly for up to 32; those that
    /// are not visible in this base are left out. The errors of [`Self::nearest`].
    fn distances(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        chunks: &[ChunkId],
        vector: &[f32],
    ) -> Result<Vec<NearChunk>, StoreError>;

    /// The `k` visible chunks of a base that have words of the question, the best first; of
    /// equally good ones the older first; and how common the terms are in the index that serves.
    /// Whatever the words are, it is a query. A base whose words are not (all) indexed answers
    /// nothing; see [`index_health`](super::GenerationStore::index_health).
    fn lexical(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        query: &LexicalQuery,
        weights: LexicalWeights,
        k: u32,
    ) -> Result<LexicalRanking, StoreError>;

    /// These chunks as hits, in the order given; those that are not visible in this base are left
    /// out. With a vector they have their distance to it, as in [`Self::nearest`] (exact for up to 32
    /// chunks), and the score 1 - distance; without one the distance is not known: 2, the farthest, and the score 0.
    fn hits(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        chunks: &[ChunkId],
        vector: Option<&[f32]>,
    ) -> Result<Vec<Hit>, StoreError>;

    /// A chunk with up to `before` chunks of its document before it and `after` behind it, in
    /// order.
    fn neighbours(
        &self,
        project: &ProjectId,
        chunk: &ChunkId,
        before: u32,
        after: u32,
    ) -> Result<Vec<Chunk>, StoreError>;
}
