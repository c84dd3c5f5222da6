//! Which indexes a search is answered from, for whoever keeps what was found.

use std::collections::BTreeSet;

use ancre_domain::{GenerationState, KnowledgeBaseId, ProjectId, SearchedIndex};
use ancre_store::traits::Store;

use crate::KnowledgeError;

/// The indexes of these bases as they are now, in the order of the bases' ids; a base that is named
/// twice is told once.
///
/// # Errors
///
/// A [`StoreError::NotFound`](ancre_store::StoreError::NotFound) for a base that is not in this
/// project; what the store says.
pub fn searched_indexes(
    store: &dyn Store,
    project: &ProjectId,
    kb_ids: &[KnowledgeBaseId],
) -> Result<Vec<SearchedIndex>, KnowledgeError> {
    let kb_ids: BTreeSet<&KnowledgeBaseId> = kb_ids.iter().collect();
    let mut indexes = Vec::with_capacity(kb_ids.len());
    for kb_id in kb_ids {
        let base = store.knowledge_base(project, kb_id)?;
        let generations = store.generations(project, kb_id)?;
        let serving = generations.into_iter().find(|it| it.state == GenerationState::Serving);
        indexes.push(SearchedIndex {
            kb_id: kb_id.clone(),
            generation: serving.as_ref().map(|it| it.number),
            embedding_model_id: base.embedding_model_id,
            embedding_version: serving.and_then(|it| it.embedding_version),
        });
    }
    Ok(indexes)
}
