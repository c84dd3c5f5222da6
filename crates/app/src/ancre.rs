//! An opened Ancre: its storage, its embedding model, its running jobs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_domain::{Clock, ErrorCode, ProjectId};
use ancre_extract::{Libraries, Reader};
use ancre_store::traits::{
    DocumentStore as _, JobStore as _, SourceStore as _, StorageStore as _, Store,
};
use ancre_store::{Access, SqliteStore};

use crate::clock::SystemClock;
use crate::compaction::Compaction;
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
    /// Whether it will change things; see [`Access`].
    pub access: Access,
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
            access: Access::Write,
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
    compaction: Compaction,
    events: EventSink,
    clock: Arc<dyn Clock>,
}

impl Ancre {
    /// Opens the data folder, and makes it if it is not there. The model is not loaded yet. While
    /// another process is using the folder it can only be read; see [`Self::is_read_only`].
    ///
    /// # Errors
    ///
    /// [`WireError`] when the folder cannot be written, the database is newer or damaged, or it
    /// has to be brought up to date while another process is using it.
    pub fn open(options: Options) -> Result<Self, WireError> {
        let (folder, clock) = (&options.data_folder, &*options.clock);
        let store = match options.access {
            Access::Write => open_in_order(folder, clock)?,
            Access::Read => {
                if SqliteStore::is_free(folder) || !folder.exists() {
                    match open_in_order(folder, clock) {
                        Ok(store) => drop(store),
                        // What reads can do without the order that only a writer can make.
                        Err(error) if cannot_be_written(error.code) => {}
                        Err(error) => return Err(error),
                    }
                }
                SqliteStore::open_for(folder, Access::Read)?
            }
        };
        let store: Arc<dyn Store> = Arc::new(store);
        let project = store.default_project(clock.now())?.id;
        let is_read_only = store.is_read_only();
        let inner = Inner {
            engine: Engine::new(options.loader, &options.data_folder, Arc::clone(&options.events)),
            data_folder: options.data_folder,
            store,
            project,
            reader: options.reader,
            jobs: Jobs::default(),
            compaction: Compaction::default(),
            events: options.events,
            clock: options.clock,
        };
        let ancre = Self { inner: Arc::new(inner), workers: Some(Workers::default()) };
        if options.starts_jobs && !is_read_only {
            ancre.start_jobs();
            ancre.look_for_missing_words();
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

    /// Queues work for the bases whose words are missing; found by counting, which must not keep
    /// anybody who opens a large base waiting.
    fn look_for_missing_words(&self) {
        let Some(workers) = &self.workers else { return };
        let ancre = Self { inner: Arc::clone(&self.inner), workers: None };
        workers.beside(move || {
            // What is wrong with one base keeps nobody from the others.
            if let Err(error) = ask_for_missing_words(&ancre) {
                tracing::warn!(message = %error.message, "words of bases stay missing");
            }
        });
    }

    /// Ends the work in this process and waits until it has: jobs go back in the queue, and the
    /// next process goes on with them. For the moment before a host ends.
    pub fn stop_jobs(&self) {
        if let Some(workers) = &self.workers {
            workers.stop(self);
            self.inner.compaction.stop();
        }
    }

    /// Loads the embedding model now, if it is not loaded; hosts call this on a thread of their
    /// own so that the first question does not wait. Its outcome is an event.
    pub fn warm_up(&self) {
        // The event carries the outcome, and whoever needs the model next gets the error itself.
        let _ = self.inner.engine.embedder();
    }

    /// Whether everything that would change something is refused with `data_in_use`, because
    /// another process is using the data folder or because it was opened for reading.
    pub fn is_read_only(&self) -> bool {
        self.inner.store.is_read_only()
    }

    /// Whether this one can only read, and one that is opened now could write.
    pub fn can_be_reopened_for_writing(&self) -> bool {
        self.is_read_only() && SqliteStore::is_free(&self.inner.data_folder)
    }

    /// Lets the words of deleted texts be wiped soon, in the background, and the room that they
    /// left be given back where that is worth it. Many calls in a row are one piece of work.
    pub fn compact_when_worthwhile(&self) {
        self.inner.compaction.look(&self.inner.store);
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

/// Whether it is the disk or its permissions that keep everybody from writing.
fn cannot_be_written(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::DiskFull | ErrorCode::DataReadOnly)
}

/// Opens a store for writing and puts in order what a killed process left: what it was indexing
/// waits in the queue again before anybody looks.
fn open_in_order(folder: &Path, clock: &dyn Clock) -> Result<SqliteStore, WireError> {
    let store = SqliteStore::open(folder)?;
    store.default_project(clock.now())?;
    if !store.is_read_only() {
        store.release_abandoned_documents()?;
        store.release_abandoned_jobs(clock.now())?;
    }
    Ok(store)
}
