//! The embedding model of a running Ancre: loaded once, when first needed or in the background.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ancre_domain::{KnowledgeBase, SearchMode};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::search::{OneEmbedder, QueryEmbedder, Reranking};
use ancre_models::{Embedder, EmbedderDescription, ModelError, ModelPack, OnnxEmbedder, Reranker};

use crate::EventSink;
use crate::wire::{EngineStatus, Event, ModelInfo, WireError};

/// Where an embedder comes from.
pub trait EmbedderLoader: Send + Sync {
    /// What it will be, without loading it.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when its pack is missing or its manifest is damaged.
    fn describe(&self) -> Result<EmbedderDescription, ModelError>;

    /// Loads it; this takes seconds.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when its pack is missing or damaged, or the runtime is.
    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError>;

    /// Loads the reranker, where there is one; this takes seconds.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when its pack is damaged, or the runtime is missing.
    fn load_reranker(&self) -> Result<Option<Arc<dyn Reranker>>, ModelError> {
        Ok(None)
    }
}

/// Loads a model pack with ONNX Runtime.
#[derive(Debug, Clone)]
pub struct PackLoader {
    /// The pack's folder.
    pub pack: PathBuf,
    /// ONNX Runtime's shared library.
    pub runtime_library: PathBuf,
}

impl EmbedderLoader for PackLoader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(ModelPack::open(&self.pack)?.description())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        let pack = ModelPack::open(&self.pack)?;
        Ok(Arc::new(OnnxEmbedder::load(&pack, &self.runtime_library)?))
    }
}

/// Loads the embedder once and keeps it.
pub(crate) struct Engine {
    loader: Arc<dyn EmbedderLoader>,
    events: EventSink,
    // Held while loading, so that a second caller waits for the first one's outcome.
    loaded: Mutex<Option<Arc<dyn Embedder>>>,
    reranker: Mutex<Option<Arc<dyn Reranker>>>,
    status: Mutex<EngineStatus>,
}

impl Engine {
    pub(crate) fn new(loader: Arc<dyn EmbedderLoader>, events: EventSink) -> Self {
        Self {
            loader,
            events,
            loaded: Mutex::new(None),
            reranker: Mutex::new(None),
            status: Mutex::new(EngineStatus::Loading),
        }
    }

    /// What the embedder is or will be.
    pub(crate) fn describe(&self) -> Result<EmbedderDescription, WireError> {
        Ok(self.loader.describe()?)
    }

    /// The embedder; the first call loads it, and a failed load is tried again by the next call.
    pub(crate) fn embedder(&self) -> Result<Arc<dyn Embedder>, WireError> {
        Ok(self.loaded()?)
    }

    /// What embeds the questions of a search. A search by words does without where no model can be
    /// had; its passages then have no distance.
    pub(crate) fn query_embedder(&self, mode: SearchMode) -> Option<&Self> {
        let is_needed = mode != SearchMode::Text;
        (is_needed || self.loaded().is_ok()).then_some(self)
    }

    /// The reranker, loaded by the first call; `None` where there is none.
    pub(crate) fn reranking(&self) -> Result<Option<Reranking>, WireError> {
        let mut reranker = self.reranker.lock().unwrap_or_else(PoisonError::into_inner);
        if reranker.is_none() {
            *reranker = self.loader.load_reranker()?;
        }
        Ok(reranker.clone().map(Reranking::new))
    }

    fn loaded(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(embedder) = &*loaded {
            return Ok(Arc::clone(embedder));
        }
        match self.loader.load() {
            Ok(embedder) => {
                *loaded = Some(Arc::clone(&embedder));
                let model = ModelInfo::from(embedder.description().clone());
                self.change(EngineStatus::Ready { model });
                Ok(embedder)
            }
            Err(error) => {
                self.change(EngineStatus::Failed { error: WireError::explain(&error) });
                Err(error)
            }
        }
    }

    /// How it stands, without waiting.
    pub(crate) fn status(&self) -> EngineStatus {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, status: EngineStatus) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status.clone();
        (self.events)(Event::EngineChanged(status));
    }
}

impl QueryEmbedder for Engine {
    fn embed_for(&self, base: &KnowledgeBase, query: &str) -> Result<Vec<f32>, KnowledgeError> {
        OneEmbedder(&*self.loaded()?).embed_for(base, query)
    }
}

impl From<EmbedderDescription> for ModelInfo {
    fn from(description: EmbedderDescription) -> Self {
        Self {
            id: description.id,
            version: description.version,
            dimension: description.dimension,
            max_tokens: description.max_tokens,
            license: description.license,
        }
    }
}
