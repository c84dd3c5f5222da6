//! Generations of an index: how a base changes its model or its chunking while it goes on
//! answering.
//!
//! `begin_generation` makes empty tables beside those that serve; `add_to_generation` fills them,
//! a document at a time, each whole or not at all; `switch_generation` verifies and lets the base
//! answer from them, in one transaction. What served before stays until it is discarded, and can
//! be brought back. A process that ends in between loses nothing: the same calls go on.

use ancre_domain::{
    Chunk, ChunkId, ChunkingSettings, DocumentId, IndexGeneration, IndexHealth, KnowledgeBaseId,
    Language, ProjectId, Timestamp,
};

use super::{IndexedChunk, LexicalText, NewChunk};
use crate::StoreError;

/// A generation about to be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGeneration {
    /// The embedder whose vectors it will hold.
    pub embedding_model_id: String,
    /// That embedder's version.
    pub embedding_version: Option<String>,
    /// The length of those vectors, 1 to 8,192.
    pub embedding_dim: u32,
    /// How its texts will be cut.
    pub chunking: ChunkingSettings,
}

/// Indexes of bases.
pub trait GenerationStore {
    /// The generations of a base by number: the one that serves, and one that is being built or
    /// served before, where there are.
    fn generations(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<IndexGeneration>, StoreError>;

    /// Whether the base can be searched as it should be.
    fn index_health(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<IndexHealth, StoreError>;

    /// Begins to build a generation, or goes on with the one that is being built if it has the
    /// same settings; one with other settings goes.
    fn begin_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        new: &NewGeneration,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError>;

    /// The ready documents that are not whole in the generation that is being built, oldest
    /// first. [`StoreError::NotFound`] when none is being built.
    fn documents_to_build(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<DocumentId>, StoreError>;

    /// Adds a whole document to generation `number`, which is being built, in place of what that
    /// one had of it. Nothing happens when the document is gone or not ready any more;
    /// [`StoreError::NotFound`] when that generation is not being built any more.
    fn add_to_generation(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        number: u32,
        chunks: &[NewChunk],
        indexed: &[IndexedChunk],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Lets the base answer from the generation that is being built. What served becomes the
    /// previous one (an older previous one goes; so does what served if its vectors are lost);
    /// the base's model, dimension and chunking and its documents' counts follow. A document that
    /// is being indexed at this moment meets [`StoreError::GenerationChanged`] at its end.
    ///
    /// [`StoreError::GenerationIncomplete`] unless every ready document is whole in it and the
    /// numbers of chunks, vectors and words agree; [`StoreError::NotFound`] when none is being
    /// built. If no document is missing in `documents_to_build` and it is incomplete all the same,
    /// it has to be cancelled and begun again.
    fn switch_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError>;

    /// Takes away the generation that is being built, if one is.
    fn cancel_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<(), StoreError>;

    /// Brings the previous generation back: it serves, and what served becomes the previous one.
    /// Documents that are not whole in it go back in the queue, those that wait but are whole in
    /// it become ready. [`StoreError::NotFound`] when there is no previous one;
    /// [`StoreError::IndexMissing`] when its vectors are lost.
    fn restore_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<IndexGeneration, StoreError>;

    /// Takes away the previous generation, if there is one.
    fn discard_generation(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<(), StoreError>;

    /// Chunks of ready documents in the serving generation whose words are not indexed, oldest
    /// first, at most `limit`. Only bases from before text search, or that lost their words, have
    /// any.
    fn chunks_without_words(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        limit: u32,
    ) -> Result<Vec<Chunk>, StoreError>;

    /// Adds the words of such chunks; those that are gone are passed over. When no chunk is without
    /// words (call it once more with none at the end) the base is searched by words, and the
    /// answer is `true`.
    fn add_words(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        words: &[(ChunkId, LexicalText, Option<Language>)],
    ) -> Result<bool, StoreError>;
}
