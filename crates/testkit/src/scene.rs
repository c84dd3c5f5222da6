//! Where stories take place.

use ancre_domain::{ChunkingSettings, Clock, Document, KnowledgeBase, Project, ProjectId};
use ancre_models::Embedder;
use ancre_store::traits::{
    DocumentFilter, DocumentStore, KnowledgeBaseStore, NewKnowledgeBase, SourceStore,
};

use crate::{SteppingClock, TemporaryStore, WordEmbedder};

/// A temporary store with its default project, an embedder and a clock.
pub struct Scene {
    /// The store.
    pub store: TemporaryStore,
    /// The embedder.
    pub embedder: WordEmbedder,
    /// The clock.
    pub clock: SteppingClock,
    /// The default project.
    pub project: Project,
}

#[expect(clippy::expect_used, reason = "for tests, which end there")]
impl Scene {
    /// A scene with vectors of 64 numbers.
    pub fn new() -> Self {
        Self::with_embedder(WordEmbedder::new(64))
    }

    /// A scene with an embedder of one's own.
    ///
    /// # Panics
    ///
    /// When no store can be opened.
    pub fn with_embedder(embedder: WordEmbedder) -> Self {
        let store = TemporaryStore::open();
        let clock = SteppingClock::default();
        let project = store.default_project(clock.now()).expect("a fresh store has a project");
        Self { store, embedder, clock, project }
    }

    /// The id of the project.
    pub fn project_id(&self) -> &ProjectId {
        &self.project.id
    }

    /// Makes a base for the scene's embedder, with the default chunks.
    ///
    /// # Panics
    ///
    /// When the store refuses, as for a name that is taken.
    pub fn knowledge_base(&self, name: &str) -> KnowledgeBase {
        self.knowledge_base_with(name, ChunkingSettings::default())
    }

    /// Makes a base whose texts are cut so.
    ///
    /// # Panics
    ///
    /// When the store refuses, as for a name that is taken.
    pub fn knowledge_base_with(&self, name: &str, chunking: ChunkingSettings) -> KnowledgeBase {
        let description = self.embedder.description();
        let base = NewKnowledgeBase {
            project_id: self.project.id.clone(),
            name: name.to_owned(),
            description: String::new(),
            embedding_model_id: description.id.clone(),
            embedding_version: Some(description.version.clone()),
            embedding_dim: description.dimension,
            chunking,
        };
        self.store.create_knowledge_base(&base, self.clock.now()).expect("the base can be made")
    }

    /// Every document of a base (500 at most), newest first.
    ///
    /// # Panics
    ///
    /// When the store does not answer.
    pub fn documents(&self, base: &KnowledgeBase) -> Vec<Document> {
        let page = ancre_domain::PageRequest { offset: 0, limit: 500 };
        let filter = DocumentFilter::default();
        let listed = self.store.list_documents(&self.project.id, &base.id, filter, page);
        listed.expect("the store answers").items
    }
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}
