//! The vectors of texts: remembered ones, and what the model makes of the rest in one's turn.

use std::cell::Cell;
use std::collections::HashMap;

use ancre_domain::{Cancellation, Clock};
use ancre_models::{Embedder, EmbedderDescription, Embedding};
use ancre_store::StoreError;
use ancre_store::traits::{CachedVector, Store};
use sha2::{Digest as _, Sha256};

use super::turns::Turn;
use crate::KnowledgeError;
use crate::ingestion::Indexer;

/// The setting of what the embedding cache may take on the disk, in bytes; 0 for none.
pub const CACHE_SETTING: &str = "indexing.cache_bytes";

/// What it may take where nobody says: the vectors of 250,000 windows, hours of work.
pub const DEFAULT_CACHE_BYTES: u64 = 512 * 1024 * 1024;

/// Fewer passages than this say nothing of how fast the model is.
const LEAST_FOR_PACE: u64 = 8;

/// What the newest measurement of the pace weighs against all before.
const WEIGHT_OF_NEWEST: f64 = 0.4;

/// What makes vectors, and measures how fast.
pub(crate) struct Vectors<'a> {
    store: &'a dyn Store,
    embedder: &'a dyn Embedder,
    clock: &'a dyn Clock,
    cache_bytes: u64,
    passages: Cell<u64>,
    milliseconds: Cell<u64>,
}

impl<'a> Vectors<'a> {
    pub(crate) fn of(indexer: &Indexer<'a>) -> Self {
        let Indexer { store, embedder, clock, .. } = *indexer;
        let setting = store.setting(CACHE_SETTING).ok().flatten();
        let cache_bytes = setting.and_then(|bytes| bytes.parse().ok());
        Self {
            store,
            embedder,
            clock,
            cache_bytes: cache_bytes.unwrap_or(DEFAULT_CACHE_BYTES),
            passages: Cell::new(0),
            milliseconds: Cell::new(0),
        }
    }

    /// The vectors of texts as they go into the model, in their order; each that is not remembered
    /// is embedded once, however often it is there, and remembered at once.
    pub(crate) fn of_texts(
        &self,
        _: &Turn<'_>,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
    ) -> Result<Vec<Embedding>, KnowledgeError> {
        let hashes: Vec<[u8; 32]> = texts.iter().map(|text| text_hash(text)).collect();
        let mut found: HashMap<[u8; 32], Embedding> = self.remembered(&hashes);
        let mut missing: Vec<([u8; 32], &str)> = Vec::new();
        for (hash, text) in hashes.iter().zip(texts) {
            if !found.contains_key(hash) && !missing.iter().any(|(other, _)| other == hash) {
                missing.push((*hash, text));
            }
        }
        if !missing.is_empty() {
            let texts: Vec<&str> = missing.iter().map(|(_, text)| *text).collect();
            let embeddings = self.embed(&texts, batch_size, cancellation)?;
            let made = missing.iter().map(|(hash, _)| *hash).zip(embeddings);
            let made: Vec<([u8; 32], Embedding)> = made.collect();
            self.remember(&made);
            found.extend(made);
        }
        let vectors = hashes.iter().filter_map(|hash| found.get(hash).cloned());
        Ok(vectors.collect())
    }

    fn embed(
        &self,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
    ) -> Result<Vec<Embedding>, KnowledgeError> {
        let began = self.clock.now();
        let embeddings =
            self.embedder.embed_passages(texts, batch_size, cancellation, &mut |_| {})?;
        let took = self.clock.now().as_millis() - began.as_millis();
        if embeddings.len() != texts.len() {
            let (expected, actual) = (texts.len(), embeddings.len());
            return Err(KnowledgeError::WrongVectorCount { expected, actual });
        }
        self.passages.set(self.passages.get() + texts.len() as u64);
        self.milliseconds.set(self.milliseconds.get() + u64::try_from(took).unwrap_or_default());
        Ok(embeddings)
    }

    /// What the cache has. One that does not answer costs time, not the document.
    fn remembered(&self, hashes: &[[u8; 32]]) -> HashMap<[u8; 32], Embedding> {
        let EmbedderDescription { id, version, dimension, .. } = self.embedder.description();
        let found = self.store.cached_vectors(id, version, hashes, self.clock.now());
        let found = found.unwrap_or_else(|error| {
            tracing::warn!(%error, "the embedding cache does not answer");
            Vec::new()
        });
        hashes
            .iter()
            .zip(found)
            .filter_map(|(hash, cached)| {
                let CachedVector { vector, tokens_outside_window } = cached?;
                let fits = u32::try_from(vector.len()) == Ok(*dimension);
                fits.then_some((*hash, Embedding { vector, tokens_outside_window }))
            })
            .collect()
    }

    fn remember(&self, made: &[([u8; 32], Embedding)]) {
        let EmbedderDescription { id, version, .. } = self.embedder.description();
        if self.cache_bytes == 0 {
            return;
        }
        let vectors: Vec<([u8; 32], CachedVector)> = made
            .iter()
            .map(|(hash, embedding)| {
                let Embedding { vector, tokens_outside_window } = embedding.clone();
                (*hash, CachedVector { vector, tokens_outside_window })
            })
            .collect();
        let kept = self
            .store
            .remember_vectors(id, version, &vectors, self.clock.now())
            .and_then(|()| self.store.forget_vectors(self.cache_bytes));
        if let Err(error) = kept {
            tracing::warn!(%error, "vectors are not remembered");
        }
    }

    /// How many passages a second the model embedded so far, if it did.
    pub(crate) fn measured_pace(&self) -> Option<f64> {
        let (passages, milliseconds) = (self.passages.get(), self.milliseconds.get());
        // What takes no millisecond takes one at most.
        (passages > 0).then(|| passages as f64 * 1_000.0 / milliseconds.max(1) as f64)
    }

    /// Writes down how fast the model was, if enough was embedded to tell.
    pub(crate) fn keep_pace(&self) {
        let measured = self.measured_pace().filter(|_| self.passages.get() >= LEAST_FOR_PACE);
        let Some(measured) = measured else { return };
        let before = self.pace().ok().flatten();
        let pace = before.map_or(measured, |before| {
            WEIGHT_OF_NEWEST.mul_add(measured, (1.0 - WEIGHT_OF_NEWEST) * before)
        });
        if let Err(error) = self.store.set_setting(&self.pace_key(), &pace.to_string()) {
            tracing::warn!(%error, "the pace of the model is not written down");
        }
    }

    /// How many passages a second the model embedded on this machine before, if it has.
    pub(crate) fn pace(&self) -> Result<Option<f64>, StoreError> {
        let written = self.store.setting(&self.pace_key())?;
        let pace = written.and_then(|pace| pace.parse().ok());
        Ok(pace.filter(|pace: &f64| pace.is_finite() && *pace > 0.0))
    }

    fn pace_key(&self) -> String {
        let EmbedderDescription { id, version, .. } = self.embedder.description();
        format!("indexing.pace.{id}@{version}")
    }
}

/// By what the cache knows a text that goes into the model.
pub(crate) fn text_hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}
