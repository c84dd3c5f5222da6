//! From a queued document to a searchable one.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::ControlFlow;

use ancre_domain::{
    Cancellation, Clock, Document, DocumentId, ErrorCode, Explain, KnowledgeBaseId, ProjectId,
};
use ancre_models::Embedder;
use ancre_store::StoreError;
use ancre_store::traits::{IndexedChunk, Store};

use super::report::{Failure, IngestEvent};
use crate::KnowledgeError;
use crate::line::{
    self, Arrival, CutDocument, IndexingLine, LineDocument, LineEvent, Opened, Work, cut,
};
use crate::search::ensure_same_model;

/// How many windows are embedded in one turn, between two reports of progress.
pub const DEFAULT_BATCH_SIZE: usize = 16;

/// Indexes documents: what it needs for that, borrowed.
#[derive(Clone, Copy)]
pub struct Indexer<'a> {
    /// Where documents are.
    pub store: &'a dyn Store,
    /// What embeds their chunks.
    pub embedder: &'a dyn Embedder,
    /// Where everyone waits who feeds this model.
    pub line: &'a IndexingLine,
    /// When it is.
    pub clock: &'a dyn Clock,
    /// How many windows are embedded in one turn at most; 0 counts as 1. Where several feed the
    /// model, the smallest counts. See [`DEFAULT_BATCH_SIZE`].
    pub batch_size: usize,
}

/// How far a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexProgress {
    /// Chunks that are embedded.
    pub chunks_done: u32,
    /// Chunks that the document has.
    pub chunks_total: u32,
}

/// How the indexing of a document ended.
#[derive(Debug)]
pub enum IndexOutcome {
    /// It is searchable now.
    Ready(Document),
    /// It was searchable before; nothing was done.
    WasReady,
    /// It is in error and the reason is kept with it; it has neither chunks nor vectors.
    Failed(KnowledgeError),
    /// Somebody asked to stop; it is queued again, without chunks.
    Cancelled,
}

/// What became of the documents that were waiting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResumeReport {
    /// How many are searchable now.
    pub indexed: u32,
    /// How many are in error now.
    pub failed: u32,
    /// How many still wait: the job was cancelled or stopped, their base is of another model, or
    /// another process has them.
    pub waiting: u32,
    /// Why the job stopped before its end, if it did.
    pub stopped: Option<Failure>,
}

impl Indexer<'_> {
    /// Indexes one document that is queued or in error.
    ///
    /// `progress` hears of it once before the first chunk is embedded, and as batches are done.
    ///
    /// # Errors
    ///
    /// An error means that the document is as it was: there is none of this id, its base is of
    /// another model ([`KnowledgeError::ModelMismatch`]), another process has it, or not even the
    /// failure could be stored. What goes wrong with the document itself is
    /// [`IndexOutcome::Failed`].
    pub fn index_document(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        cancellation: &Cancellation,
        progress: &mut dyn FnMut(IndexProgress),
    ) -> Result<IndexOutcome, KnowledgeError> {
        let item = LineDocument {
            project_id: project.clone(),
            document_id: id.clone(),
            cancellation: cancellation.clone(),
        };
        let mut ended = None;
        self.index_documents(&mut std::iter::once(item), &mut |event| {
            match event {
                LineEvent::Progressed { progress: at, .. } => progress(at),
                LineEvent::Ended { outcome, .. } => ended = Some(outcome),
            }
            ControlFlow::Continue(())
        });
        // The line tells the end of every document it was given.
        ended.unwrap_or(Ok(IndexOutcome::Cancelled))
    }

    /// Indexes documents that are queued or in error. Their windows are embedded in batches mixed
    /// from all of them and from those of everyone in the line, so that a small one does not wait
    /// for a large one; see [`LineEvent`] for what is told. The next document is taken when there
    /// is room for it. When `tell` breaks, or after an error that
    /// [stops the job](KnowledgeError::stops_the_job), those that are begun are queued again and
    /// nothing more is told.
    pub fn index_documents(
        &self,
        documents: &mut dyn Iterator<Item = LineDocument>,
        tell: &mut dyn FnMut(LineEvent) -> ControlFlow<()>,
    ) {
        self.index_arrivals(&mut line::arrivals_of(documents), tell);
    }

    /// [`Self::index_documents`] for documents that are not all known yet. `arrivals` is asked on
    /// this thread, now and then and whenever somebody [calls](IndexingLine::call). A large
    /// document for which there is no room is set aside, a thousand of them at most.
    pub fn index_arrivals(
        &self,
        arrivals: &mut dyn FnMut() -> Arrival,
        tell: &mut dyn FnMut(LineEvent) -> ControlFlow<()>,
    ) {
        let work = Indexing { indexer: self, fed: RefCell::default() };
        line::run(self, &work, arrivals, tell);
    }

    /// Puts back what processes that no longer live were indexing, then indexes everything that
    /// waits, in every project, oldest first.
    ///
    /// # Errors
    ///
    /// What the store says when the queue cannot be read.
    pub fn resume_queued(
        &self,
        cancellation: &Cancellation,
        sink: &dyn Fn(IngestEvent),
    ) -> Result<ResumeReport, KnowledgeError> {
        self.store.release_abandoned_documents()?;
        let queued = self.store.queued_documents()?;
        let mut report = ResumeReport { waiting: count(queued.len()), ..ResumeReport::default() };
        let mut documents = queued.into_iter().map_while(|(project_id, document_id)| {
            let cancellation = cancellation.clone();
            let item = LineDocument { project_id, document_id, cancellation };
            (!item.cancellation.is_cancelled()).then_some(item)
        });
        self.index_documents(&mut documents, &mut |event| {
            let LineEvent::Ended { document, outcome } = event.tell_to(sink) else {
                return ControlFlow::Continue(());
            };
            let waited = report.waiting;
            report.waiting = waited.saturating_sub(1);
            match outcome {
                Ok(IndexOutcome::Ready(_) | IndexOutcome::WasReady) => report.indexed += 1,
                Ok(IndexOutcome::Cancelled) => report.waiting = waited,
                Ok(IndexOutcome::Failed(error)) => {
                    report.failed += 1;
                    report.stopped = error.stops_the_job().then(|| Failure::of(&error));
                }
                // Deleted since the queue was read.
                Err(error) if error.code() == ErrorCode::NotFound => {}
                Err(error) => {
                    report.waiting = waited;
                    let is_of_other_model = error.code() == ErrorCode::ModelMismatch;
                    if is_of_other_model {
                        tracing::warn!(%document, %error, "a document stays in the queue");
                    } else {
                        report.stopped = error.stops_the_job().then(|| Failure::of(&error));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        Ok(report)
    }

    /// [`Self::index_document`], with its progress and its end told to a sink.
    pub(super) fn index_and_tell(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        cancellation: &Cancellation,
        sink: &dyn Fn(IngestEvent),
    ) -> Result<IndexOutcome, KnowledgeError> {
        let mut ended = None;
        let item = LineDocument {
            project_id: project.clone(),
            document_id: id.clone(),
            cancellation: cancellation.clone(),
        };
        self.index_documents(&mut std::iter::once(item), &mut |event| {
            if let LineEvent::Ended { outcome, .. } = event.tell_to(sink) {
                ended = Some(outcome);
            }
            ControlFlow::Continue(())
        });
        ended.unwrap_or(Ok(IndexOutcome::Cancelled))
    }
}

impl LineEvent {
    /// Tells a sink of ingestion what it has to know of this, and gives it back.
    pub(super) fn tell_to(self, sink: &dyn Fn(IngestEvent)) -> Self {
        match &self {
            Self::Progressed { document, progress } => {
                sink(IngestEvent::DocumentIndexing {
                    document: document.clone(),
                    progress: *progress,
                });
            }
            Self::Ended { outcome: Ok(IndexOutcome::Ready(document)), .. } => {
                sink(IngestEvent::DocumentReady { document: document.clone() });
            }
            Self::Ended { document, outcome: Ok(IndexOutcome::Failed(error)) } => {
                sink(IngestEvent::DocumentFailed {
                    document: document.clone(),
                    failure: Failure::of(error),
                });
            }
            Self::Ended { .. } => {}
        }
        self
    }
}

/// Documents become searchable in the index that serves.
struct Indexing<'a> {
    indexer: &'a Indexer<'a>,
    /// The bases of which it is known that they can be fed.
    fed: RefCell<HashSet<KnowledgeBaseId>>,
}

impl Work for Indexing<'_> {
    fn open(&self, item: &LineDocument) -> Result<Opened, KnowledgeError> {
        let Indexer { store, clock, .. } = *self.indexer;
        let (project, id) = (&item.project_id, &item.document_id);
        let document = store.document(project, id)?;
        let base = store.knowledge_base(project, &document.kb_id)?;
        // The model itself each time: a base may have been given another one since.
        ensure_same_model(&base, self.indexer.embedder)?;
        if !self.fed.borrow().contains(&base.id) {
            self.indexer.ensure_feeds(project, &base)?;
            self.fed.borrow_mut().insert(base.id);
        }
        if item.cancellation.is_cancelled() {
            return Ok(Opened::Ended(IndexOutcome::Cancelled));
        }
        let Some(document) = store.claim_document(project, id)? else {
            return Ok(Opened::Ended(IndexOutcome::WasReady));
        };
        let cut = cut(store, clock, project, &document, base.chunking).and_then(|cut| {
            store.store_chunks(id, &cut.chunks)?;
            Ok(cut)
        });
        match cut {
            Ok(cut) => Ok(Opened::Cut(cut)),
            Err(error) => self.give_up(id, error).map(Opened::Ended),
        }
    }

    fn close(
        &self,
        item: &LineDocument,
        _: &CutDocument,
        indexed: Result<Vec<IndexedChunk>, KnowledgeError>,
    ) -> Result<IndexOutcome, KnowledgeError> {
        let Indexer { store, clock, .. } = *self.indexer;
        let published = indexed.and_then(|indexed| {
            Ok(store.finish_document(&item.document_id, &indexed, clock.now())?)
        });
        match published {
            Ok(document) => Ok(IndexOutcome::Ready(document)),
            Err(error) => self.give_up(&item.document_id, error),
        }
    }
}

impl Indexing<'_> {
    /// Queues a document again that nobody is to blame for, and puts any other in error.
    fn give_up(
        &self,
        id: &DocumentId,
        error: KnowledgeError,
    ) -> Result<IndexOutcome, KnowledgeError> {
        let store = self.indexer.store;
        if matches!(error, KnowledgeError::Store(StoreError::GenerationChanged)) {
            store.release_document(id)?;
            self.fed.borrow_mut().clear();
            return Err(error);
        }
        if error.code() == ErrorCode::Cancelled {
            store.release_document(id)?;
            return Ok(IndexOutcome::Cancelled);
        }
        tracing::warn!(document = %id, %error, "a document could not be indexed");
        match store.fail_document(id, &error.to_document_failure()) {
            Ok(_) => Ok(IndexOutcome::Failed(error)),
            // The first error is the cause; the claim ends with this process.
            Err(_) if error.stops_the_job() => Err(error),
            Err(second) => Err(second.into()),
        }
    }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
