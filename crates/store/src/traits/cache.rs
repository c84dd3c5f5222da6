//! Vectors of texts that were embedded before, so that they are not embedded again.
//!
//! What makes two texts the same is the SHA-256 of what goes into the model, and the model and its
//! version. Nothing here is ever needed: whoever finds nothing embeds.

use ancre_domain::Timestamp;

use crate::StoreError;

/// What a model made of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedVector {
    /// The vector.
    pub vector: Vec<f32>,
    /// How many of the text's tokens were outside the model's window.
    pub tokens_outside_window: u32,
}

/// The embedding cache.
pub trait EmbeddingCache {
    /// What is remembered of the texts with these hashes, in their order. What is found counts as
    /// used now, to the hour.
    fn cached_vectors(
        &self,
        model: &str,
        version: &str,
        hashes: &[[u8; 32]],
        now: Timestamp,
    ) -> Result<Vec<Option<CachedVector>>, StoreError>;

    /// Remembers vectors; of texts that are remembered already nothing changes.
    fn remember_vectors(
        &self,
        model: &str,
        version: &str,
        vectors: &[([u8; 32], CachedVector)],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Forgets the longest unused vectors while the cache takes more than `max_bytes` on the disk,
    /// a few hundred at most, and says how many bytes that gives back: 0 when the cache is small
    /// enough. One call is short, so that nobody waits for it; call again until it is 0.
    fn forget_vectors(&self, max_bytes: u64) -> Result<u64, StoreError>;

    /// How many bytes the cache takes on the disk, about.
    fn cached_bytes(&self) -> Result<u64, StoreError>;
}
