//! The indexing line: documents in, vectors out, a batch of many at a time.
//!
//! A folder holds a book and a hundred notes. Embedded one after the other, the notes behind the
//! book wait an hour; so several documents are open at once, every batch is mixed from their
//! windows, and a document is published as soon as its own last window has its vector. Jobs that
//! run at the same time share one [`IndexingLine`] for each model, and so their batches; `queue`
//! says whose windows are next, `room` how much is open. A document for which there is no room yet
//! is set aside, and those behind it pass.
//!
//! Every vector is looked for in the embedding cache first and remembered as soon as its batch is
//! done, so that neither a killed process nor another base pays twice. What happens at both ends of
//! a document's way is its [`Work`]'s: a document is indexed, or added to a new generation.

mod cutting;
mod embedding;
mod intake;
mod passages;
mod queue;
mod room;
mod turns;
mod vectors;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use ancre_domain::{Cancellation, DocumentId, ProjectId};
use ancre_store::traits::IndexedChunk;

pub(crate) use cutting::{CutDocument, cut, language_of};
pub(crate) use passages::Passages;
pub use turns::IndexingLine;
pub use vectors::{CACHE_SETTING, DEFAULT_CACHE_BYTES};
pub(crate) use vectors::{Vectors, text_hash};

use self::intake::Intake;
use crate::KnowledgeError;
use crate::ingestion::{IndexOutcome, IndexProgress, Indexer};

/// A document that is to be indexed.
#[derive(Debug, Clone)]
pub struct LineDocument {
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// The document.
    pub document_id: DocumentId,
    /// Stops this document and no other, unless they share it.
    pub cancellation: Cancellation,
}

/// What the line tells of a document.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is passed on at once and never kept")]
pub enum LineEvent {
    /// It is open, or another batch of it is done.
    Progressed {
        /// The document.
        document: DocumentId,
        /// How far it is.
        progress: IndexProgress,
    },
    /// It left the line. An error means that the document is as it was.
    Ended {
        /// The document.
        document: DocumentId,
        /// How.
        outcome: Result<IndexOutcome, KnowledgeError>,
    },
}

/// What happens at both ends of a document's way.
pub(crate) trait Work {
    /// Takes a document and cuts it; or says how it ended without.
    fn open(&self, item: &LineDocument) -> Result<Opened, KnowledgeError>;

    /// Publishes a document, or keeps why it cannot be. A [`StoreError::GenerationChanged`] means
    /// that it was given back and has to be opened again.
    fn close(
        &self,
        item: &LineDocument,
        cut: &CutDocument,
        indexed: Result<Vec<IndexedChunk>, KnowledgeError>,
    ) -> Result<IndexOutcome, KnowledgeError>;
}

/// What came of opening a document.
#[expect(clippy::large_enum_variant, reason = "it is passed on at once and never kept")]
pub(crate) enum Opened {
    /// It is cut, and waits for its vectors.
    Cut(CutDocument),
    /// There is nothing to embed.
    Ended(IndexOutcome),
}

/// What there is when the line asks for the next document.
#[derive(Debug)]
pub enum Arrival {
    /// A document.
    Document(LineDocument),
    /// None yet; [`IndexingLine::call`] says when to ask again.
    NotYet,
    /// None any more.
    End,
}

/// Takes documents until there are no more, and lets their windows be embedded together with those
/// of everyone in the line; see [`LineEvent`] for what is told. It asks for the next document only
/// when there may be room for it. The line stops, and gives back what is open without telling, when
/// `tell` breaks or an error [stops the job](KnowledgeError::stops_the_job).
pub(crate) fn run(
    indexer: &Indexer<'_>,
    work: &dyn Work,
    arrivals: &mut dyn FnMut() -> Arrival,
    tell: &mut dyn FnMut(LineEvent) -> ControlFlow<()>,
) {
    let place = indexer.line.join(indexer.batch_size);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Rings also when something panics, so that the other thread comes to its end.
        let _end = End { is_over: &is_over, line: indexer.line };
        scope.spawn(|| {
            let vectors = Vectors::of(indexer);
            embedding::embed(&place, &vectors, || is_over.load(Ordering::SeqCst));
        });
        Intake::new(indexer, work, &place).run(arrivals, tell);
    });
}

/// Documents that are all known.
pub(crate) fn arrivals_of(
    documents: &mut dyn Iterator<Item = LineDocument>,
) -> impl FnMut() -> Arrival {
    move || documents.next().map_or(Arrival::End, Arrival::Document)
}

struct End<'a> {
    is_over: &'a AtomicBool,
    line: &'a IndexingLine,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        self.line.call();
    }
}
