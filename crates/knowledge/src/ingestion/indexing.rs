//! From a queued document to a searchable one.

use ancre_domain::{
    Cancellation, Chunk, ChunkId, Clock, Document, DocumentId, ErrorCode, Explain, Pagination,
    ProjectId, Source,
};
use ancre_extract::fold_for_index;
use ancre_models::Embedder;
use ancre_store::traits::{IndexedChunk, LexicalText, Store};

use super::report::{Failure, IngestEvent};
use crate::KnowledgeError;
use crate::chunker::{chunk_units, heading_path};
use crate::search::ensure_same_model;

/// How many chunks are embedded between two reports of progress.
pub const DEFAULT_BATCH_SIZE: usize = 16;

/// Characters to a token, about, in French and English.
const CHARACTERS_PER_TOKEN: u32 = 4;

/// Indexes documents: what it needs for that, borrowed.
#[derive(Clone, Copy)]
pub struct Indexer<'a> {
    /// Where documents are.
    pub store: &'a dyn Store,
    /// What embeds their chunks.
    pub embedder: &'a dyn Embedder,
    /// When it is.
    pub clock: &'a dyn Clock,
    /// How many chunks are embedded at once; 0 counts as 1. See [`DEFAULT_BATCH_SIZE`].
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
    /// `progress` hears of it once before the first chunk is embedded and after each batch.
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
        let document = self.store.document(project, id)?;
        let base = self.store.knowledge_base(project, &document.kb_id)?;
        ensure_same_model(&base, self.embedder)?;
        if cancellation.is_cancelled() {
            return Ok(IndexOutcome::Cancelled);
        }
        let Some(document) = self.store.claim_document(project, id)? else {
            return Ok(IndexOutcome::WasReady);
        };
        let published = self
            .cut(project, &document, base.chunking)
            .and_then(|chunks| self.embed_and_publish(id, &chunks, cancellation, progress));
        match published {
            Ok(document) => Ok(IndexOutcome::Ready(document)),
            Err(error) if error.code() == ErrorCode::Cancelled => {
                self.store.release_document(id)?;
                Ok(IndexOutcome::Cancelled)
            }
            Err(error) => {
                tracing::warn!(document = %id, %error, "a document could not be indexed");
                match self.store.fail_document(id, &error.to_document_failure()) {
                    Ok(_) => Ok(IndexOutcome::Failed(error)),
                    // The first error is the cause; the claim ends with this process.
                    Err(_) if error.stops_the_job() => Err(error),
                    Err(second) => Err(second.into()),
                }
            }
        }
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
        let mut report = ResumeReport::default();
        for (project, id) in self.store.queued_documents()? {
            if cancellation.is_cancelled() || report.stopped.is_some() {
                report.waiting += 1;
                continue;
            }
            match self.index_and_tell(&project, &id, cancellation, sink) {
                Ok(IndexOutcome::Ready(_) | IndexOutcome::WasReady) => report.indexed += 1,
                Ok(IndexOutcome::Cancelled) => report.waiting += 1,
                Ok(IndexOutcome::Failed(error)) => {
                    report.failed += 1;
                    report.stopped = error.stops_the_job().then(|| Failure::of(&error));
                }
                // Deleted since the queue was read.
                Err(error) if error.code() == ErrorCode::NotFound => {}
                Err(error @ KnowledgeError::ModelMismatch { .. }) => {
                    tracing::warn!(document = %id, %error, "a document stays in the queue");
                    report.waiting += 1;
                }
                Err(error) => {
                    report.waiting += 1;
                    report.stopped = error.stops_the_job().then(|| Failure::of(&error));
                }
            }
        }
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
        let outcome = self.index_document(project, id, cancellation, &mut |progress| {
            sink(IngestEvent::DocumentIndexing { document: id.clone(), progress });
        })?;
        match &outcome {
            IndexOutcome::Ready(document) => {
                sink(IngestEvent::DocumentReady { document: document.clone() });
            }
            IndexOutcome::Failed(error) => sink(IngestEvent::DocumentFailed {
                document: id.clone(),
                failure: Failure::of(error),
            }),
            IndexOutcome::WasReady | IndexOutcome::Cancelled => {}
        }
        Ok(outcome)
    }

    fn cut(
        &self,
        project: &ProjectId,
        document: &Document,
        chunking: ancre_domain::ChunkingSettings,
    ) -> Result<Vec<Chunk>, KnowledgeError> {
        let source = self.store.source(project, &document.source_id)?;
        let text = self.store.source_text(project, &document.source_id)?;
        if u32::try_from(text.len()).is_err() && u32::try_from(text.chars().count()).is_err() {
            return Err(KnowledgeError::TooLong);
        }
        let chunks = self.chunks(&document.id, &source, &text, chunking);
        if chunks.is_empty() { Err(KnowledgeError::Empty) } else { Ok(chunks) }
    }

    fn chunks(
        &self,
        document: &DocumentId,
        source: &Source,
        text: &str,
        chunking: ancre_domain::ChunkingSettings,
    ) -> Vec<Chunk> {
        let now = self.clock.now();
        let pagination = source.pagination.as_ref();
        let units = pagination.map(Pagination::unit_starts).unwrap_or_default();
        (0..)
            .zip(chunk_units(text, &units, chunking))
            .map(|(position, slice)| {
                // As with the heading: what a chunk repeats of the one before says nothing of it.
                let page = pagination.and_then(|pages| pages.page_at(slice.own_start));
                Chunk {
                    id: ChunkId::generate(now),
                    document_id: document.clone(),
                    position,
                    content: text[slice.bytes].to_owned(),
                    range: slice.range,
                    page: page.map(|page| page.number),
                    page_kind: page.and(pagination).map(|pages| pages.kind),
                    page_label: page.and_then(|page| page.label.clone()),
                    heading: heading_path(&source.outline, slice.own_start),
                    token_count: slice.range.char_count().div_ceil(CHARACTERS_PER_TOKEN),
                    tokens_outside_window: 0,
                }
            })
            .collect()
    }

    fn embed_and_publish(
        &self,
        id: &DocumentId,
        chunks: &[Chunk],
        cancellation: &Cancellation,
        progress: &mut dyn FnMut(IndexProgress),
    ) -> Result<Document, KnowledgeError> {
        self.store.store_chunks(id, chunks)?;
        let folded: Vec<_> = chunks.iter().map(|chunk| fold_for_index(&chunk.content)).collect();
        let texts: Vec<&str> = folded.iter().map(|text| &**text).collect();
        let chunks_total = u32::try_from(texts.len()).unwrap_or(u32::MAX);
        progress(IndexProgress { chunks_done: 0, chunks_total });
        let embeddings = self.embedder.embed_passages(
            &texts,
            self.batch_size.max(1),
            cancellation,
            &mut |done| {
                let chunks_done = u32::try_from(done).unwrap_or(u32::MAX);
                progress(IndexProgress { chunks_done, chunks_total });
            },
        )?;
        if embeddings.len() != chunks.len() {
            let (expected, actual) = (chunks.len(), embeddings.len());
            return Err(KnowledgeError::WrongVectorCount { expected, actual });
        }
        let indexed: Vec<IndexedChunk> = chunks
            .iter()
            .zip(embeddings)
            .map(|(chunk, embedding)| IndexedChunk {
                chunk_id: chunk.id.clone(),
                windows: vec![embedding.vector],
                lexical: LexicalText {
                    title: String::new(),
                    heading: chunk.heading.clone().unwrap_or_default(),
                    body: chunk.content.clone(),
                },
                language: None,
                tokens_outside_window: embedding.tokens_outside_window,
            })
            .collect();
        Ok(self.store.finish_document(id, &indexed, self.clock.now())?)
    }
}
