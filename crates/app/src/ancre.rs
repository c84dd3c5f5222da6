//! An opened Ancre: its storage, its embedding model, its running jobs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_domain::{Clock, ProjectId};
use ancre_extract::{Libraries, Reader};
use ancre_store::SqliteStore;
use ancre_store::traits::{DocumentStore as _, SourceStore as _, Store};

use crate::clock::SystemClock;
use crate::engine::{EmbedderLoader, Engine};
use crate::jobs::Jobs;
use crate::reading::DocumentReader;
use crate::wire::{Event, WireError};

/// Hears what every open window should know.
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// What a host decides when it opens Ancre.
pub struct Options {
    /// Where everything is kept; made if it is not there.
    pub data_folder: PathBuf,
    /// Where the embedding model comes from.
    pub loader: Arc<dyn EmbedderLoader>,
    /// What reads documents; see [`crate::places::default_reader`].
    pub reader: DocumentReader,
    /// Hears events.
    pub events: EventSink,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

impl Options {
    /// Options with the machine's clock, nobody listening, and documents read in this process
    /// without native libraries, as tests want it; hosts put a reader of their own.
    pub fn new(data_folder: impl Into<PathBuf>, loader: Arc<dyn EmbedderLoader>) -> Self {
        Self {
            data_folder: data_folder.into(),
            loader,
            reader: DocumentReader::in_process(Libraries::default()),
            events: Arc::new(|_| {}),
            clock: Arc::new(SystemClock),
        }
    }
}

/// An opened Ancre. It may be shared between threads; its calls block.
pub struct Ancre {
    data_folder: PathBuf,
    store: Arc<dyn Store>,
    project: ProjectId,
    engine: Engine,
    reader: DocumentReader,
    jobs: Jobs,
    events: EventSink,
    clock: Arc<dyn Clock>,
}

impl Ancre {
    /// Opens the data folder, and makes it if it is not there. The model is not loaded yet.
    ///
    /// # Errors
    ///
    /// [`WireError`] when the folder cannot be written, or the database is newer or damaged.
    pub fn open(options: Options) -> Result<Self, WireError> {
        let store = SqliteStore::open(&options.data_folder)?;
        let project = store.default_project(options.clock.now())?.id;
        // What a killed process was indexing waits in the queue again before anybody looks.
        store.release_abandoned_documents()?;
        Ok(Self {
            data_folder: options.data_folder,
            store: Arc::new(store),
            project,
            engine: Engine::new(options.loader, Arc::clone(&options.events)),
            reader: options.reader,
            jobs: Jobs::default(),
            events: options.events,
            clock: options.clock,
        })
    }

    /// Where everything is kept.
    pub fn data_folder(&self) -> &Path {
        &self.data_folder
    }

    /// Loads the embedding model now, if it is not loaded; hosts call this on a thread of their
    /// own so that the first question does not wait. Its outcome is an event.
    pub fn warm_up(&self) {
        // The event carries the outcome, and whoever needs the model next gets the error itself.
        let _ = self.engine.embedder();
    }

    /// Stops every running job; what they finished stays. For the moment before a host ends.
    pub fn cancel_all_jobs(&self) {
        self.jobs.cancel_all();
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    pub(crate) fn project(&self) -> &ProjectId {
        &self.project
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What reads documents.
    pub fn reader(&self) -> &Reader {
        self.reader.reader()
    }

    pub(crate) fn document_reader(&self) -> &DocumentReader {
        &self.reader
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub(crate) fn tell(&self, event: Event) {
        (self.events)(event);
    }
}
