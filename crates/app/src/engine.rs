//! The embedding models of a running Ancre, each loaded when it is first needed.
//!
//! The default model comes with the program and is kept once it is loaded. Others lie as packs in
//! the data folder's `models/`, for bases that were made with them; see [`others`]. A base is
//! always searched and fed with its own model. Rerankers are apart; see [`rerankers`].

mod others;
mod rerankers;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ancre_knowledge::IndexingLine;
use ancre_knowledge::ingestion::Indexer;

use self::others::Others;
use self::rerankers::LoadedReranker;
use crate::Ancre;

use ancre_domain::{ErrorCode, KnowledgeBase, SearchMode};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::search::{OneEmbedder, QueryEmbedder};
use ancre_models::{
    Embedder, EmbedderDescription, ModelError, ModelPack, OnnxEmbedder, OnnxReranker, Reranker,
    RerankerPack,
};

use crate::EventSink;
use crate::wire::{EngineStatus, Event, ModelInfo, WireError};

pub use self::rerankers::FoundReranker;
pub(crate) use self::rerankers::{ListedReranker, in_words};

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

    /// The packs of other models that are installed in a data folder, by the names of their
    /// folders.
    fn installed(&self, data_folder: &Path) -> Vec<InstalledPack> {
        let _ = data_folder;
        Vec::new()
    }

    /// The packs of rerankers that are installed: those of a data folder, then those that lie
    /// beside the default model, each by the names of their folders.
    fn rerankers(&self, data_folder: &Path) -> Vec<FoundReranker> {
        let _ = data_folder;
        Vec::new()
    }

    /// Loads the reranker of a pack's folder; this takes seconds.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when the pack is missing or damaged, or the runtime is.
    fn load_reranker(&self, pack: &Path) -> Result<Arc<dyn Reranker>, ModelError> {
        Err(ModelError::Missing { path: pack.to_owned() })
    }
}

/// A pack in a data folder.
pub struct InstalledPack {
    /// The name of its folder.
    pub name: String,
    /// What loads it.
    pub loader: Arc<dyn EmbedderLoader>,
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

    fn installed(&self, data_folder: &Path) -> Vec<InstalledPack> {
        let folders = rerankers::pack_folders(&data_folder.join(PACKS)).into_iter();
        folders
            .filter(|folder| !rerankers::is_reranker(folder))
            .map(|pack| InstalledPack {
                name: rerankers::name(&pack),
                loader: Arc::new(Self { pack, runtime_library: self.runtime_library.clone() }),
            })
            .collect()
    }

    fn rerankers(&self, data_folder: &Path) -> Vec<FoundReranker> {
        let own = data_folder.join(PACKS);
        let beside = self.pack.parent().map(Path::to_owned).filter(|beside| *beside != own);
        rerankers::find(&std::iter::once(own).chain(beside).collect::<Vec<_>>())
    }

    fn load_reranker(&self, pack: &Path) -> Result<Arc<dyn Reranker>, ModelError> {
        let pack = RerankerPack::open(pack)?;
        Ok(Arc::new(OnnxReranker::load(&pack, &self.runtime_library)?))
    }
}

/// The folder of a data folder in which packs are installed.
const PACKS: &str = "models";

/// A model that is loaded, and the line of those who feed it.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) embedder: Arc<dyn Embedder>,
    line: Arc<IndexingLine>,
}

impl Model {
    fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, line: Arc::new(IndexingLine::new()) }
    }

    /// What indexes with this model in an opened Ancre.
    pub(crate) fn indexer<'a>(&'a self, ancre: &'a Ancre, batch_size: usize) -> Indexer<'a> {
        Indexer {
            store: ancre.store(),
            embedder: &*self.embedder,
            line: &self.line,
            clock: ancre.clock(),
            batch_size,
        }
    }
}

/// A model as a list shows it.
pub(crate) struct ListedModel {
    /// The name of its pack's folder; none for the one that comes with the program.
    pub(crate) name: Option<String>,
    pub(crate) description: Result<EmbedderDescription, ModelError>,
}

/// Loads models and keeps them.
pub(crate) struct Engine {
    loader: Arc<dyn EmbedderLoader>,
    data_folder: PathBuf,
    events: EventSink,
    // Held while loading, so that a second caller waits for the first one's outcome.
    loaded: Mutex<Option<Model>>,
    others: Others,
    reranker: LoadedReranker,
    status: Mutex<EngineStatus>,
}

impl Engine {
    pub(crate) fn new(
        loader: Arc<dyn EmbedderLoader>,
        data_folder: &Path,
        events: EventSink,
    ) -> Self {
        Self {
            loader,
            data_folder: data_folder.to_owned(),
            events,
            loaded: Mutex::new(None),
            others: Others::default(),
            reranker: LoadedReranker::default(),
            status: Mutex::new(EngineStatus::Loading),
        }
    }

    /// Every model that is installed, the default one first. A pack in the data folder with the
    /// default one's id counts for nothing.
    pub(crate) fn models(&self) -> Vec<ListedModel> {
        let default = ListedModel { name: None, description: self.loader.describe() };
        let known = default.description.as_ref().ok().map(|model| model.id.clone());
        let installed = self.loader.installed(&self.data_folder).into_iter();
        let others = installed
            .map(|pack| ListedModel { name: Some(pack.name), description: pack.loader.describe() })
            .filter(
                |it| !matches!(&it.description, Ok(model) if Some(&model.id) == known.as_ref()),
            );
        std::iter::once(default).chain(others).collect()
    }

    /// What a model is or will be; the default one when none is named.
    ///
    /// # Errors
    ///
    /// `model_missing` when none of that id is installed; what is wrong with its pack.
    pub(crate) fn describe(&self, id: Option<&str>) -> Result<EmbedderDescription, WireError> {
        let Some(id) = id else { return Ok(self.loader.describe()?) };
        let mut installed = Vec::new();
        for model in self.models() {
            match model.description {
                Ok(model) if model.id == id => return Ok(model),
                Ok(model) => installed.push(format!("“{}”", model.id)),
                // A damaged pack is known by its folder only.
                Err(error) if model.name.as_deref() == Some(id) => return Err(error.into()),
                Err(_) => {}
            }
        }
        Err(WireError {
            code: ErrorCode::ModelMissing,
            message: format!("there is no embedding model “{id}”"),
            hint: Some(format!("Installed: {}.", installed.join(", "))),
            details: None,
        })
    }

    /// The default embedder; the first call loads it, and a failed load is tried again by the next
    /// call.
    pub(crate) fn embedder(&self) -> Result<Arc<dyn Embedder>, WireError> {
        Ok(self.default_model()?.embedder)
    }

    /// A model by its id, loaded if it is not; the default one when none is named.
    ///
    /// # Errors
    ///
    /// Those of [`Self::describe`], and of loading it.
    pub(crate) fn model(&self, id: Option<&str>) -> Result<Model, WireError> {
        let description = self.describe(id)?;
        Ok(self.loaded(&description.id)?)
    }

    /// The model of a base, loaded if it is not.
    ///
    /// # Errors
    ///
    /// [`KnowledgeError::ModelMismatch`] when it is not installed, or not as it was; else that it
    /// cannot be loaded.
    pub(crate) fn model_of(&self, base: &KnowledgeBase) -> Result<Model, KnowledgeError> {
        let models = self.models();
        let fits = |model: &EmbedderDescription| {
            model.id == base.embedding_model_id && model.dimension == base.embedding_dim
        };
        if models.iter().any(|it| it.description.as_ref().is_ok_and(fits)) {
            return Ok(self.loaded(&base.embedding_model_id)?);
        }
        let default = self.loader.describe()?;
        Err(KnowledgeError::ModelMismatch {
            base: base.name.clone(),
            expected: base.embedding_model_id.clone(),
            expected_dimension: base.embedding_dim,
            actual: default.id,
            actual_dimension: default.dimension,
        })
    }

    /// What embeds the questions of a search. A search by words does without where no model can be
    /// had; its passages then have no distance.
    pub(crate) fn query_embedder(&self, mode: SearchMode) -> Option<&Self> {
        let is_needed = mode != SearchMode::Text;
        (is_needed || self.default_model().is_ok()).then_some(self)
    }

    /// The model of that id, which is installed.
    fn loaded(&self, id: &str) -> Result<Model, ModelError> {
        if self.loader.describe().is_ok_and(|default| default.id == id) {
            return self.default_model();
        }
        let installed = self.loader.installed(&self.data_folder);
        let has_id =
            |pack: &InstalledPack| pack.loader.describe().is_ok_and(|model| model.id == id);
        let pack = installed
            .into_iter()
            .find(has_id)
            .ok_or_else(|| ModelError::Missing { path: self.data_folder.join(PACKS).join(id) })?;
        self.others.get(id, &*pack.loader)
    }

    fn default_model(&self) -> Result<Model, ModelError> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = &*loaded {
            return Ok(model.clone());
        }
        match self.loader.load() {
            Ok(embedder) => {
                let info = ModelInfo::from(embedder.description().clone());
                let model = Model::new(embedder);
                *loaded = Some(model.clone());
                self.change(EngineStatus::Ready { model: info });
                Ok(model)
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
        OneEmbedder(&*self.model_of(base)?.embedder).embed_for(base, query)
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
