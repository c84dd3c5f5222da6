//! Whether a base can be fed with a model.
//!
//! Vectors of two models, or of two versions of one, say nothing of each other. A base is searched
//! with whatever version of its model is installed, which is better than not at all; but what comes
//! new into it has to be of the version that its index holds. After an update it waits until the
//! base is indexed again.

use ancre_domain::{Cancellation, GenerationState, KnowledgeBase, ProjectId};

use super::Indexer;
use crate::KnowledgeError;
use crate::reindex::reindex;
use crate::search::ensure_same_model;

impl Indexer<'_> {
    /// Checks that documents of a base can be indexed with this model. A base that holds nothing
    /// takes on the version that is installed. What an older Ancre indexed, which wrote down no
    /// version, is taken to be of this one.
    ///
    /// # Errors
    ///
    /// [`KnowledgeError::ModelMismatch`] for another model, [`KnowledgeError::ModelUpdated`] for
    /// another version of it; what the store says.
    pub fn ensure_feeds(
        &self,
        project: &ProjectId,
        base: &KnowledgeBase,
    ) -> Result<(), KnowledgeError> {
        ensure_same_model(base, self.embedder)?;
        let model = self.embedder.description();
        let generations = self.store.generations(project, &base.id)?;
        let Some(serving) = generations.iter().find(|it| it.state == GenerationState::Serving)
        else {
            return Ok(());
        };
        let Some(expected) = serving.embedding_version.clone().filter(|it| *it != model.version)
        else {
            return Ok(());
        };
        if serving.chunks == 0 && generations.len() == 1 {
            reindex(self, project, &base.id, base.chunking, &Cancellation::new(), &|_| ())?;
            return Ok(self.store.discard_generation(project, &base.id)?);
        }
        let (base, model, actual) = (base.name.clone(), model.id.clone(), model.version.clone());
        Err(KnowledgeError::ModelUpdated { base, model, expected, actual })
    }
}
