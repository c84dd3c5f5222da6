//! The indexing line: documents in, vectors out, a batch of each in turn.
//!
//! A folder holds a book and a hundred notes. Embedded one after the other, the notes behind the
//! book wait an hour; so several documents are open at once, each gets a batch embedded and goes to
//! the back, and a document is published as soon as its own last window has its vector. Several
//! jobs that run at the same time share one [`IndexingLine`] for each model: it lets one of them at
//! the embedder at a time, in the order in which they came, a batch each.
//!
//! Every vector is looked for in the embedding cache first and remembered as soon as its batch is
//! done, so that neither a killed process nor another base pays twice. What happens at both ends of
//! a document's way is its [`Work`]'s: a document is indexed, or added to a new generation.

mod cutting;
mod passages;
mod turns;
mod vectors;

use std::collections::VecDeque;
use std::ops::ControlFlow;

use ancre_domain::{Cancellation, DocumentId, ProjectId};
use ancre_models::ModelError;
use ancre_store::StoreError;
use ancre_store::traits::IndexedChunk;

pub(crate) use cutting::{CutDocument, cut, language_of};
pub(crate) use passages::Passages;
pub use turns::IndexingLine;
pub use vectors::{CACHE_SETTING, DEFAULT_CACHE_BYTES};
pub(crate) use vectors::{Vectors, text_hash};

use crate::KnowledgeError;
use crate::ingestion::{IndexOutcome, IndexProgress, Indexer};

/// How many documents are open at once. Each holds its text; beyond this a small one would wait
/// for too many batches of others.
const MOST_OPEN: usize = 16;

/// How many bytes of text are open at once, about; two documents are whatever their size, so that
/// a small one never waits for the end of a large one.
const MOST_OPEN_BYTES: usize = 64 * 1024 * 1024;

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

/// Takes documents, a batch of each in turn, until there are no more; see [`LineEvent`] for what
/// is told. It takes the next document only when there is room for it. The line stops, and gives
/// back what is open without telling, when `tell` breaks or an error
/// [stops the job](KnowledgeError::stops_the_job).
pub(crate) fn run(
    indexer: &Indexer<'_>,
    work: &dyn Work,
    documents: &mut dyn Iterator<Item = LineDocument>,
    tell: &mut dyn FnMut(LineEvent) -> ControlFlow<()>,
) {
    let mut mixer = Mixer {
        vectors: Vectors::of(indexer),
        batch_size: indexer.batch_size.max(1),
        work,
        open: VecDeque::new(),
        again: VecDeque::new(),
    };
    if mixer.run(&mut documents.fuse(), tell).is_break() {
        for open in mixer.open {
            let cancelled = Err(ModelError::Cancelled.into());
            if let Err(error) = work.close(&open.item, open.passages.document(), cancelled) {
                // The claim ends with this process.
                tracing::warn!(document = %open.item.document_id, %error, "not given back");
            }
        }
    }
    mixer.vectors.keep_pace();
}

struct Mixer<'a> {
    vectors: Vectors<'a>,
    batch_size: usize,
    work: &'a dyn Work,
    /// In the order of their turns.
    open: VecDeque<OpenDocument>,
    /// Those that have to be opened again.
    again: VecDeque<LineDocument>,
}

struct OpenDocument {
    item: LineDocument,
    passages: Passages,
}

type Tell<'t> = &'t mut dyn FnMut(LineEvent) -> ControlFlow<()>;

impl Mixer<'_> {
    fn run(
        &mut self,
        documents: &mut dyn Iterator<Item = LineDocument>,
        tell: Tell<'_>,
    ) -> ControlFlow<()> {
        loop {
            // One at a time, so that nothing waits while a long list is opened.
            if self.has_room() {
                match self.again.pop_front().or_else(|| documents.next()) {
                    Some(item) => {
                        self.take_in(item, tell)?;
                        if self.open.len() < 2 {
                            continue;
                        }
                    }
                    None if self.open.is_empty() => return ControlFlow::Continue(()),
                    None => {}
                }
            }
            if let Some(document) = self.open.pop_front() {
                self.go_on(document, tell)?;
            }
        }
    }

    fn has_room(&self) -> bool {
        let bytes: usize = self.open.iter().map(|open| open.passages.bytes()).sum();
        self.open.len() < 2 || (self.open.len() < MOST_OPEN && bytes < MOST_OPEN_BYTES)
    }

    fn take_in(&mut self, item: LineDocument, tell: Tell<'_>) -> ControlFlow<()> {
        match self.work.open(&item) {
            Ok(Opened::Cut(cut)) => {
                let passages = Passages::of(cut);
                let (document, progress) = (item.document_id.clone(), passages.progress());
                self.open.push_back(OpenDocument { item, passages });
                tell(LineEvent::Progressed { document, progress })
            }
            Ok(Opened::Ended(outcome)) => ended(item, Ok(outcome), tell),
            Err(error) => ended(item, Err(error), tell),
        }
    }

    /// Gives a document its turn: a batch, and its end if that was the last.
    fn go_on(&mut self, mut open: OpenDocument, tell: Tell<'_>) -> ControlFlow<()> {
        let outcome = match self.embed_batch(&mut open) {
            Ok(()) => {
                let progress = open.passages.progress();
                let document = open.item.document_id.clone();
                let heard = tell(LineEvent::Progressed { document, progress });
                if !open.passages.is_done() || heard.is_break() {
                    self.open.push_back(open);
                    return heard;
                }
                let indexed = open.passages.finish();
                self.work.close(&open.item, open.passages.document(), Ok(indexed))
            }
            Err(error) => self.work.close(&open.item, open.passages.document(), Err(error)),
        };
        if let Err(KnowledgeError::Store(StoreError::GenerationChanged)) = outcome {
            self.again.push_back(open.item);
            return ControlFlow::Continue(());
        }
        ended(open.item, outcome, tell)
    }

    fn embed_batch(&mut self, open: &mut OpenDocument) -> Result<(), KnowledgeError> {
        let cancellation = &open.item.cancellation;
        if cancellation.is_cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        let batch = open.passages.next_batch(self.batch_size);
        let texts: Vec<&str> = batch.iter().map(|passage| passage.text.as_str()).collect();
        let embeddings = self.vectors.of_texts(&texts, self.batch_size, cancellation)?;
        open.passages.accept(batch, embeddings);
        Ok(())
    }
}

fn ended(
    item: LineDocument,
    outcome: Result<IndexOutcome, KnowledgeError>,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    let stops = match &outcome {
        // A document of another model stays in the queue and costs nobody anything.
        Err(KnowledgeError::ModelMismatch { .. }) => false,
        Ok(IndexOutcome::Failed(error)) | Err(error) => error.stops_the_job(),
        Ok(_) => false,
    };
    let heard = tell(LineEvent::Ended { document: item.document_id, outcome });
    if stops { ControlFlow::Break(()) } else { heard }
}
