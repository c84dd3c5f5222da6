//! Another index for a base, built beside the one that answers.
//!
//! A base changes its model or its chunking by a new generation of its index. It is built from the
//! texts that the library keeps, verified, and put in the old one's place in one transaction; until
//! then, and if anything goes wrong, the old one answers. What is built stays built when the
//! process dies: the next call goes on. Documents that come or go meanwhile are part of it, since
//! it ends only when nothing is missing.

mod estimate;

use std::cell::RefCell;
use std::ops::ControlFlow;

use ancre_domain::{
    Cancellation, ChunkingSettings, Document, DocumentId, DocumentStatus, ErrorCode, Explain,
    IndexGeneration, KnowledgeBaseId, ProjectId,
};
use ancre_models::{EmbedderDescription, ModelError};
use ancre_store::StoreError;
use ancre_store::traits::{IndexedChunk, NewGeneration};

pub use estimate::{ReindexEstimate, estimate};

use crate::KnowledgeError;
use crate::ingestion::{IndexOutcome, IndexProgress, Indexer};
use crate::line::{self, CutDocument, LineDocument, LineEvent, Opened, Work, cut};

/// The longest vectors that can be indexed.
pub const MAX_DIMENSION: u32 = 8_192;

/// What happens while an index is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReindexEvent {
    /// Documents are known that have to be built; there may be more later.
    Found {
        /// How many, with those that are in it already.
        documents: u32,
        /// How many are in it already.
        built: u32,
    },
    /// A document is open, or another batch of it is done.
    Building {
        /// The document.
        document: DocumentId,
        /// How far it is.
        progress: IndexProgress,
    },
    /// A document is whole in the new index, or gone.
    Built {
        /// The document.
        document: DocumentId,
    },
    /// Nothing is missing: it is verified, and then the base answers from it.
    Switching,
}

/// Builds a new index for a base with the indexer's model and this chunking, or goes on with one
/// that was begun so, and lets the base answer from it.
///
/// # Errors
///
/// Before anything is embedded: [`KnowledgeError::UnfitModel`] for a model whose vectors cannot be
/// indexed; that the base is not in this project. Later: [`ModelError::Cancelled`], the first
/// document that cannot be built, and what the store says. After each of these the base answers as
/// before, and what was built is kept for the next call; [`cancel`](ancre_store::traits::GenerationStore::cancel_generation)
/// takes it away.
pub fn reindex(
    indexer: &Indexer<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunking: ChunkingSettings,
    cancellation: &Cancellation,
    sink: &dyn Fn(ReindexEvent),
) -> Result<IndexGeneration, KnowledgeError> {
    let Indexer { store, clock, .. } = *indexer;
    let new = new_generation(indexer.embedder.description(), chunking)?;
    // Asked first: a base of another project is not found, and nothing is begun.
    store.knowledge_base(project, kb)?;
    let generation = store.begin_generation(project, kb, &new, clock.now())?;
    let building = Building { indexer, generation: &generation };
    let mut built = generation.documents;
    let mut had_nothing_to_build = false;
    loop {
        if cancellation.is_cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        let missing = store.documents_to_build(project, kb)?;
        sink(ReindexEvent::Found { documents: built + count(missing.len()), built });
        if missing.is_empty() {
            sink(ReindexEvent::Switching);
            match store.switch_generation(project, kb, clock.now()) {
                // A document became ready since the list was read.
                Err(StoreError::GenerationIncomplete { .. }) if !had_nothing_to_build => {
                    had_nothing_to_build = true;
                    continue;
                }
                switched => return Ok(switched?),
            }
        }
        had_nothing_to_build = false;
        built += building.build(project, missing, cancellation, sink)?;
    }
}

/// What a generation of this model and chunking will be.
pub(crate) fn new_generation(
    model: &EmbedderDescription,
    chunking: ChunkingSettings,
) -> Result<NewGeneration, KnowledgeError> {
    ensure_fit(model)?;
    Ok(NewGeneration {
        embedding_model_id: model.id.clone(),
        embedding_version: Some(model.version.clone()),
        embedding_dim: model.dimension,
        chunking,
    })
}

/// Checks that the vectors of a model can be indexed.
///
/// # Errors
///
/// [`KnowledgeError::UnfitModel`].
pub fn ensure_fit(model: &EmbedderDescription) -> Result<(), KnowledgeError> {
    if (1..=MAX_DIMENSION).contains(&model.dimension) {
        return Ok(());
    }
    let EmbedderDescription { id, dimension, .. } = model.clone();
    Err(KnowledgeError::UnfitModel { model: id, dimension, limit: MAX_DIMENSION })
}

/// Documents become part of the generation that is being built.
struct Building<'a> {
    indexer: &'a Indexer<'a>,
    generation: &'a IndexGeneration,
}

impl Building<'_> {
    /// Builds these documents, and says how many it did. One that cannot be built does not keep
    /// the others from it.
    fn build(
        &self,
        project: &ProjectId,
        documents: Vec<DocumentId>,
        cancellation: &Cancellation,
        sink: &dyn Fn(ReindexEvent),
    ) -> Result<u32, KnowledgeError> {
        let mut documents = documents.into_iter().map(|document_id| LineDocument {
            project_id: project.clone(),
            document_id,
            cancellation: cancellation.clone(),
        });
        let (mut built, failed) = (0, RefCell::new(None));
        line::run(self.indexer, self, &mut line::arrivals_of(&mut documents), &mut |event| {
            match event {
                LineEvent::Progressed { document, progress } => {
                    sink(ReindexEvent::Building { document, progress });
                }
                LineEvent::Ended {
                    outcome: Ok(IndexOutcome::Failed(error)) | Err(error), ..
                } => {
                    failed.borrow_mut().get_or_insert(error);
                }
                LineEvent::Ended { outcome: Ok(IndexOutcome::Cancelled), .. } => {
                    return ControlFlow::Break(());
                }
                LineEvent::Ended { document, .. } => {
                    built += 1;
                    sink(ReindexEvent::Built { document });
                }
            }
            ControlFlow::Continue(())
        });
        failed.into_inner().map_or(Ok(built), Err)
    }

    /// The document, if it has to be built.
    fn ready(&self, item: &LineDocument) -> Result<Option<Document>, KnowledgeError> {
        match self.indexer.store.document(&item.project_id, &item.document_id) {
            Ok(document) => Ok(Some(document).filter(|it| it.status == DocumentStatus::Ready)),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Work for Building<'_> {
    fn open(&self, item: &LineDocument) -> Result<Opened, KnowledgeError> {
        if item.cancellation.is_cancelled() {
            return Ok(Opened::Ended(IndexOutcome::Cancelled));
        }
        let Some(document) = self.ready(item)? else {
            return Ok(Opened::Ended(IndexOutcome::WasReady));
        };
        let Indexer { store, clock, .. } = *self.indexer;
        let cut = cut(store, clock, &item.project_id, &document, self.generation.chunking)?;
        Ok(Opened::Cut(cut))
    }

    fn close(
        &self,
        item: &LineDocument,
        cut: &CutDocument,
        indexed: Result<Vec<IndexedChunk>, KnowledgeError>,
    ) -> Result<IndexOutcome, KnowledgeError> {
        let Indexer { store, clock, .. } = *self.indexer;
        let (project, id) = (&item.project_id, &item.document_id);
        let added = indexed.and_then(|indexed| {
            let (number, now) = (self.generation.number, clock.now());
            Ok(store.add_to_generation(project, id, number, &cut.chunks, &indexed, now)?)
        });
        match added {
            Ok(()) => Ok(IndexOutcome::WasReady),
            Err(error) if error.code() == ErrorCode::Cancelled => Ok(IndexOutcome::Cancelled),
            Err(error) => Ok(IndexOutcome::Failed(error)),
        }
    }
}

pub(crate) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
