//! What of a document is embedded, and the vectors that came so far.
//!
//! Of each chunk its windows are embedded. One that turns out to be too long for the model is cut
//! in two until it fits, so that no text is in no vector.

use std::collections::VecDeque;
use std::ops::Range;

use ancre_extract::fold_for_index;
use ancre_models::Embedding;
use ancre_store::traits::IndexedChunk;

use super::CutDocument;
use crate::ingestion::IndexProgress;
use crate::windows::{halves, windows, with_title};

/// A text that goes into the model.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    /// The number of its chunk.
    chunk: usize,
    /// Which window of the chunk, in bytes.
    window: Range<usize>,
    /// The text, as the model gets it.
    pub(crate) text: String,
}

impl Passage {
    /// The number of the chunk that it is of.
    pub(crate) fn chunk(&self) -> usize {
        self.chunk
    }
}

/// The passages of a document, made when they are wanted.
#[derive(Debug)]
pub(crate) struct Passages {
    document: CutDocument,
    /// The next chunk of which the passages are to be made.
    next_chunk: usize,
    /// Passages that are made and wait, in the order of their chunks.
    waiting: VecDeque<Passage>,
    /// What came, for each chunk that was begun.
    embedded: Vec<Vec<EmbeddedWindow>>,
    bytes: usize,
}

#[derive(Debug)]
struct EmbeddedWindow {
    /// Where the window begins in its chunk.
    start: usize,
    embedding: Embedding,
}

impl Passages {
    pub(crate) fn of(document: CutDocument) -> Self {
        let bytes = document.chunks.iter().map(|chunk| chunk.content.len()).sum();
        let embedded = Vec::with_capacity(document.chunks.len());
        Self { document, next_chunk: 0, waiting: VecDeque::new(), embedded, bytes }
    }

    pub(crate) fn into_document(self) -> CutDocument {
        self.document
    }

    /// How much text it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many chunks have all their vectors.
    pub(crate) fn progress(&self) -> IndexProgress {
        let done = self.waiting.front().map_or(self.next_chunk, |passage| passage.chunk);
        let count = |number| u32::try_from(number).unwrap_or(u32::MAX);
        IndexProgress { chunks_done: count(done), chunks_total: count(self.document.chunks.len()) }
    }

    /// Whether there is more for [`Self::next_batch`].
    pub(crate) fn has_waiting(&self) -> bool {
        !self.is_done()
    }

    /// Whether nothing waits; with [`Self::accept`] for what was taken, it is complete.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.next_chunk == self.document.chunks.len()
    }

    /// Takes the next `size` passages; [`Self::accept`] brings them back.
    pub(crate) fn next_batch(&mut self, size: usize) -> Vec<Passage> {
        while self.waiting.len() < size && self.next_chunk < self.document.chunks.len() {
            self.begin_chunk();
        }
        let size = size.min(self.waiting.len());
        self.waiting.drain(..size).collect()
    }

    fn begin_chunk(&mut self) {
        let (chunk, content) = (self.next_chunk, &self.document.chunks[self.next_chunk].content);
        let (windows, title) = (windows(content), &self.document.title);
        self.waiting
            .extend(windows.into_iter().map(|window| passage(title, chunk, content, window)));
        self.embedded.push(Vec::new());
        self.next_chunk += 1;
    }

    /// Keeps the embeddings of a batch, in its order.
    pub(crate) fn accept(&mut self, batch: Vec<Passage>, embeddings: Vec<Embedding>) {
        let mut cut = Vec::new();
        for (passage, embedding) in batch.into_iter().zip(embeddings) {
            let Passage { chunk, window, .. } = passage;
            let content = &self.document.chunks[chunk].content;
            if embedding.tokens_outside_window > 0
                && let Some(parts) = halves(content, &window)
            {
                let title = &self.document.title;
                cut.extend(parts.map(|part| self::passage(title, chunk, content, part)));
            } else {
                self.embedded[chunk].push(EmbeddedWindow { start: window.start, embedding });
            }
        }
        for part in cut.into_iter().rev() {
            self.waiting.push_front(part);
        }
    }

    /// The document, and what the index holds of each of its chunks.
    pub(crate) fn finish(self) -> (CutDocument, Vec<IndexedChunk>) {
        let Self { document, embedded, .. } = self;
        let indexed = document
            .chunks
            .iter()
            .zip(embedded)
            .map(|(chunk, mut windows)| {
                windows.sort_by_key(|window| window.start);
                let (language, lexical) = document.words_of(chunk);
                IndexedChunk {
                    chunk_id: chunk.id.clone(),
                    lexical,
                    language,
                    tokens_outside_window: windows
                        .iter()
                        .map(|window| window.embedding.tokens_outside_window)
                        .fold(0, u32::saturating_add),
                    windows: windows.into_iter().map(|window| window.embedding.vector).collect(),
                }
            })
            .collect();
        (document, indexed)
    }
}

fn passage(title: &str, chunk: usize, content: &str, window: Range<usize>) -> Passage {
    let text = with_title(title, &content[window.clone()]);
    Passage { chunk, window, text: fold_for_index(&text).into_owned() }
}
