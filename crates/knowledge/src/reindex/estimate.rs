//! What a new index will cost, before anybody decides.
//!
//! Texts are really cut, and their windows really looked for in the cache: of every document where
//! the base is small, else of documents spread over it, of which the rest is taken to be like. How
//! fast the model is was measured on this machine: while it worked before, else now, by a few
//! passages of the base itself.

use std::time::Duration;

use ancre_domain::{
    Cancellation, ChunkingSettings, Document, DocumentStatus, GenerationState, KnowledgeBaseId,
    PageRequest, ProjectId,
};
use ancre_store::traits::DocumentFilter;

use super::{count, new_generation};
use crate::KnowledgeError;
use crate::ingestion::Indexer;
use crate::line::{Passages, Vectors, cut, text_hash};

/// How many characters are cut at most.
const SAMPLE: u64 = 4_000_000;

/// How many passages are embedded to see how fast the model is.
const PROBE: usize = 8;

/// How many passages are looked for in the cache at once.
const BATCH: usize = 256;

/// What the full-text index and a chunk's own row take, against the bytes of its text.
const WORDS_PER_TEXT: f64 = 1.6;

/// What a vector takes on the disk beside its numbers, in bytes.
const BYTES_BESIDE_VECTOR: u64 = 80;

/// What a new index will cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReindexEstimate {
    /// Documents that are to be built.
    pub documents: u32,
    /// Chunks that they will have.
    pub chunks: u32,
    /// Of these, how many need nothing embedded, because it was before.
    pub cached_chunks: u32,
    /// Passages that will be embedded: windows, and wholes of chunks with several.
    pub passages: u64,
    /// How long that takes.
    pub duration: Duration,
    /// How much the database grows until the old index is discarded, in bytes.
    pub disk_bytes: u64,
    /// How many passages a second the model embeds on this machine; 0 where nothing is to be
    /// embedded and nobody knows.
    pub passages_per_second: f64,
}

/// Estimates what [`reindex`](super::reindex) with the indexer's model and this chunking costs. Of an
/// index that was begun so, only what is missing counts.
///
/// # Errors
///
/// [`KnowledgeError::UnfitModel`]; that the base is not in this project; what the store says, and
/// the model where it has to be tried.
pub fn estimate(
    indexer: &Indexer<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunking: ChunkingSettings,
    cancellation: &Cancellation,
) -> Result<ReindexEstimate, KnowledgeError> {
    let documents = to_build(indexer, project, kb, chunking)?;
    let characters: u64 = documents.iter().map(|document| u64::from(document.char_count)).sum();
    let mut sample = Sample::default();
    // Spread over the base: with a step, not from its beginning.
    let step = usize::try_from(characters / SAMPLE).unwrap_or(usize::MAX).max(1);
    for document in documents.iter().step_by(step) {
        if cancellation.is_cancelled() {
            return Err(ancre_models::ModelError::Cancelled.into());
        }
        sample.add(indexer, project, document, chunking)?;
    }
    let share =
        if sample.characters == 0 { 0.0 } else { characters as f64 / sample.characters as f64 };
    let scaled = |number: u64| (number as f64 * share).round() as u64;
    let passages = scaled(sample.passages - sample.cached_passages);
    let vectors = Vectors::of(indexer);
    let pace = match vectors.pace()? {
        None if !sample.probe.is_empty() => {
            let texts: Vec<&str> = sample.probe.iter().map(String::as_str).collect();
            // What it makes is remembered, so nothing is done in vain.
            let turn = indexer.line.turn();
            vectors.of_texts(&turn, &texts, texts.len(), cancellation)?;
            vectors.keep_pace();
            vectors.measured_pace()
        }
        pace => pace,
    };
    let pace = pace.unwrap_or_default();
    let seconds = if pace > 0.0 { passages as f64 / pace } else { 0.0 };
    let dimension = u64::from(indexer.embedder.description().dimension);
    let vector_bytes = scaled(sample.passages) * (dimension * 4 + BYTES_BESIDE_VECTOR);
    Ok(ReindexEstimate {
        documents: count(documents.len()),
        chunks: u32::try_from(scaled(sample.chunks)).unwrap_or(u32::MAX),
        cached_chunks: u32::try_from(scaled(sample.cached_chunks)).unwrap_or(u32::MAX),
        passages,
        duration: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        disk_bytes: vector_bytes
            .saturating_add((scaled(sample.bytes) as f64 * WORDS_PER_TEXT) as u64),
        passages_per_second: pace,
    })
}

/// The documents that an index of these settings would still have to take in.
fn to_build(
    indexer: &Indexer<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunking: ChunkingSettings,
) -> Result<Vec<Document>, KnowledgeError> {
    let store = indexer.store;
    let new = new_generation(indexer.embedder.description(), chunking)?;
    let is_begun = store.generations(project, kb)?.into_iter().any(|generation| {
        generation.state == GenerationState::Building
            && generation.embedding_model_id == new.embedding_model_id
            && generation.embedding_version == new.embedding_version
            && generation.embedding_dim == new.embedding_dim
            && generation.chunking == new.chunking
    });
    if is_begun {
        let missing = store.documents_to_build(project, kb)?;
        return missing.iter().map(|id| Ok(store.document(project, id)?)).collect();
    }
    let filter = DocumentFilter { status: Some(DocumentStatus::Ready) };
    let mut documents: Vec<Document> = Vec::new();
    loop {
        let page = PageRequest { offset: count(documents.len()), limit: PageRequest::MAX_LIMIT };
        let listed = store.list_documents(project, kb, filter, page)?.items;
        if listed.is_empty() {
            return Ok(documents);
        }
        documents.extend(listed);
    }
}

/// What the documents that were cut have.
#[derive(Default)]
struct Sample {
    characters: u64,
    bytes: u64,
    chunks: u64,
    cached_chunks: u64,
    passages: u64,
    cached_passages: u64,
    /// A few passages that were never embedded, spread over the sample.
    probe: Vec<String>,
}

impl Sample {
    fn add(
        &mut self,
        indexer: &Indexer<'_>,
        project: &ProjectId,
        document: &Document,
        chunking: ChunkingSettings,
    ) -> Result<(), KnowledgeError> {
        let Indexer { store, clock, embedder, .. } = *indexer;
        let model = embedder.description();
        self.characters += u64::from(document.char_count);
        let cut = cut(store, clock, project, document, chunking)?;
        self.chunks += cut.chunks.len() as u64;
        let mut unmade = vec![false; cut.chunks.len()];
        let mut passages = Passages::of(cut);
        self.bytes += passages.bytes() as u64;
        loop {
            let batch = passages.next_batch(BATCH);
            if batch.is_empty() {
                break;
            }
            let hashes: Vec<[u8; 32]> =
                batch.iter().map(|passage| text_hash(&passage.text)).collect();
            let found = store.cached_vectors(&model.id, &model.version, &hashes, clock.now())?;
            for (passage, cached) in batch.into_iter().zip(found) {
                self.passages += 1;
                if cached.is_some() {
                    self.cached_passages += 1;
                    continue;
                }
                unmade[passage.chunk()] = true;
                if self.probe.len() < PROBE
                    && (self.passages.is_multiple_of(3) || self.probe.is_empty())
                {
                    self.probe.push(passage.text);
                }
            }
        }
        self.cached_chunks += unmade.iter().filter(|is_unmade| !**is_unmade).count() as u64;
        Ok(())
    }
}
