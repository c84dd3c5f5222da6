//! Knowledge bases.

use ancre_domain::{
    ChunkingSettings, DocumentCounts, JobId, KnowledgeBase, KnowledgeBaseId, ProjectId, Timestamp,
};

use crate::StoreError;

/// A base about to be made.
#[derive(Debug, Clone)]
pub struct NewKnowledgeBase {
    /// The project it will belong to.
    pub project_id: ProjectId,
    /// Its name; unique in the project without regard to case.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// The embedder whose vectors it will hold.
    pub embedding_model_id: String,
    /// That embedder's version, where it is known.
    pub embedding_version: Option<String>,
    /// The length of those vectors, 1 to 8,192.
    pub embedding_dim: u32,
    /// How its texts will be cut.
    pub chunking: ChunkingSettings,
}

/// What changes of a base; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct KnowledgeBaseChange {
    /// Its name.
    pub name: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// How texts will be cut from now on; what is indexed already stays as it is.
    pub chunking: Option<ChunkingSettings>,
}

/// A base as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnowledgeBaseListing {
    /// The base.
    pub knowledge_base: KnowledgeBase,
    /// What it holds.
    pub counts: DocumentCounts,
}

/// Knowledge bases and their indexes.
pub trait KnowledgeBaseStore {
    /// Makes a base and its first, empty index. [`StoreError::NameTaken`] when the project has one
    /// of that name.
    fn create_knowledge_base(
        &self,
        knowledge_base: &NewKnowledgeBase,
        now: Timestamp,
    ) -> Result<KnowledgeBase, StoreError>;

    /// One base of the project.
    fn knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
    ) -> Result<KnowledgeBase, StoreError>;

    /// The base of that name, without regard to case.
    fn find_knowledge_base(
        &self,
        project: &ProjectId,
        name: &str,
    ) -> Result<Option<KnowledgeBase>, StoreError>;

    /// Every base of the project by name, with what it holds.
    fn list_knowledge_bases(
        &self,
        project: &ProjectId,
    ) -> Result<Vec<KnowledgeBaseListing>, StoreError>;

    /// What one base holds.
    fn document_counts(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
    ) -> Result<DocumentCounts, StoreError>;

    /// Changes a base. [`StoreError::NameTaken`] when another one has the name.
    fn update_knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
        change: &KnowledgeBaseChange,
    ) -> Result<KnowledgeBase, StoreError>;

    /// Deletes a base with its documents, chunks, vectors and words; sources and snapshots stay.
    /// Its jobs that have not ended are cancelled with the reason, and named in the answer.
    /// [`StoreError::KnowledgeBaseInUse`] while an agent is assigned to it.
    fn delete_knowledge_base(
        &self,
        project: &ProjectId,
        id: &KnowledgeBaseId,
        now: Timestamp,
    ) -> Result<Vec<JobId>, StoreError>;
}
