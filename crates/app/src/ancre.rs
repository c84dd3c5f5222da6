//! An opened Ancre: its storage, its embedding model, its running jobs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_domain::{Clock, ProjectId};
use ancre_extract::{Libraries, Reader};
use ancre_store::SqliteStore;
use ancre_store::traits::Store;

use crate::clock::SystemClock;
use crate::engine::{EmbedderLoader, Engine};
use crate::jobs::{Jobs, Workers, ask_for_missing_words};
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
    /// Whether the jobs that wait in the data folder go on as soon as it is open, as a window
    /// wants it. Else they do when the first job is asked for: a short command does not begin
    /// what it will not finish.
    pub starts_jobs: bool,
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
            starts_jobs: false,
        }
    }
}

/// An opened Ancre. It may be shared between threads; its calls block. Dropping it ends its
/// worker threads, which give their jobs back to the queue first.
pub struct Ancre {
    inner: Arc<Inner>,
    /// Those of the Ancre that a host opened; the handles that the workers themselves have own
    /// none.
    workers: Option<Workers>,
}

struct Inner {
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
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&options.data_folder)?);
        let now = options.clock.now();
        let project = store.default_project(now)?.id;
        // What a killed process was at waits in the queue again before anybody looks.
        store.release_abandoned_documents()?;
        store.release_abandoned_jobs(now)?;
        let inner = Inner {
            engine: Engine::new(options.loader, &options.data_folder, Arc::clone(&options.events)),
            data_folder: options.data_folder,
            store,
            project,
            reader: options.reader,
            jobs: Jobs::default(),
            events: options.events,
            clock: options.clock,
        };
        let ancre = Self { inner: Arc::new(inner), workers: Some(Workers::default()) };
        if options.starts_jobs {
            // What is wrong with one base keeps nobody from the others.
            if let Err(error) = ask_for_missing_words(&ancre) {
                tracing::warn!(message = %error.message, "words of bases stay missing");
            }
            ancre.start_jobs();
        }
        Ok(ancre)
    }

    /// Where everything is kept.
    pub fn data_folder(&self) -> &Path {
        &self.inner.data_folder
    }

    /// Starts the worker threads, unless they are at work: from here on everything that waits in
    /// the queue goes on.
    pub fn start_jobs(&self) {
        if let Some(workers) = &self.workers {
            workers.start(|| Self { inner: Arc::clone(&self.inner), workers: None });
        }
    }

    /// Ends the work in this process and waits until it has: jobs go back in the queue, and the
    /// next process goes on with them. For the moment before a host ends.
    pub fn stop_jobs(&self) {
        if let Some(workers) = &self.workers {
            workers.stop(self);
        }
    }

    /// Loads the embedding model now, if it is not loaded; hosts call this on a thread of their
    /// own so that the first question does not wait. Its outcome is an event.
    pub fn warm_up(&self) {
        // The event carries the outcome, and whoever needs the model next gets the error itself.
        let _ = self.inner.engine.embedder();
    }

    /// Its storage.
    pub(crate) fn store(&self) -> &dyn Store {
        &*self.inner.store
    }

    pub(crate) fn project(&self) -> &ProjectId {
        &self.inner.project
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.inner.engine
    }

    /// What reads documents.
    pub fn reader(&self) -> &Reader {
        self.inner.reader.reader()
    }

    pub(crate) fn document_reader(&self) -> &DocumentReader {
        &self.inner.reader
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.inner.jobs
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.inner.clock
    }

    pub(crate) fn tell(&self, event: Event) {
        (self.inner.events)(event);
    }
}

impl Drop for Ancre {
    fn drop(&mut self) {
        self.stop_jobs();
    }
}
