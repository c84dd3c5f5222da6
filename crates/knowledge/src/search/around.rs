//! What stands before and behind a passage.

use ancre_domain::{Chunk, ChunkId, ProjectId};
use ancre_store::traits::Store;

use crate::KnowledgeError;

/// The most passages on one side.
const MOST: u32 = 50;

/// A passage with up to `before` passages of its document before it and `after` behind it, in
/// order; at most 50 on a side.
///
/// # Errors
///
/// A [`StoreError::NotFound`](ancre_store::StoreError::NotFound) for a passage that is not in this
/// project.
pub fn passages_around(
    store: &dyn Store,
    project: &ProjectId,
    chunk: &ChunkId,
    before: u32,
    after: u32,
) -> Result<Vec<Chunk>, KnowledgeError> {
    Ok(store.neighbours(project, chunk, before.min(MOST), after.min(MOST))?)
}
