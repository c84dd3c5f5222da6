//! An embedder that remembers.
//!
//! Most texts of a measurement are the same as in the one before, and embedding is nearly all of
//! its time. Vectors are kept by a hash of their text in a file that the caller names and may
//! delete at any time; a new model needs a new file.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use ancre_domain::Cancellation;
use ancre_models::{Embedder, EmbedderDescription, Embedding, ModelError, OnnxEmbedder};

/// The model with a memory.
pub struct Remembering {
    model: OnnxEmbedder,
    file: Option<PathBuf>,
    known: Mutex<HashMap<u64, Vec<f32>>>,
}

impl Remembering {
    /// The model with what `file` remembers; without a file it forgets at the end.
    pub fn new(model: OnnxEmbedder, file: Option<PathBuf>) -> Self {
        let dimension = model.description().dimension as usize;
        let bytes = file.as_ref().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
        let known = bytes.chunks_exact(8 + 4 * dimension).map(|record| {
            let (key, vector) = record.split_at(8);
            let vector = vector
                .chunks_exact(4)
                .map(|number| f32::from_le_bytes(number.try_into().expect("four bytes")))
                .collect();
            (u64::from_le_bytes(key.try_into().expect("eight bytes")), vector)
        });
        Self { known: Mutex::new(known.collect()), model, file }
    }

    /// Writes what is known to the file.
    pub fn keep(&self) {
        let Some(file) = &self.file else { return };
        let mut bytes = Vec::new();
        for (key, vector) in self.known().iter() {
            bytes.extend(key.to_le_bytes());
            bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        }
        std::fs::write(file, bytes).expect("the memory can be written");
    }

    fn known(&self) -> MutexGuard<'_, HashMap<u64, Vec<f32>>> {
        self.known.lock().expect("nobody fails while holding it")
    }
}

impl Embedder for Remembering {
    fn description(&self) -> &EmbedderDescription {
        self.model.description()
    }

    fn embed_query(&self, text: &str) -> Result<Embedding, ModelError> {
        let key = key("query", text);
        if let Some(vector) = self.known().get(&key) {
            return Ok(remembered(vector));
        }
        let embedding = self.model.embed_query(text)?;
        self.known().insert(key, embedding.vector.clone());
        Ok(embedding)
    }

    fn embed_passages(
        &self,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
        on_batch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Embedding>, ModelError> {
        let unknown: Vec<&str> = {
            let known = self.known();
            texts.iter().copied().filter(|t| !known.contains_key(&key("passage", t))).collect()
        };
        let new = self.model.embed_passages(&unknown, batch_size, cancellation, on_batch)?;
        let mut known = self.known();
        for (text, embedding) in unknown.iter().zip(new) {
            known.insert(key("passage", text), embedding.vector);
        }
        Ok(texts.iter().map(|text| remembered(&known[&key("passage", text)])).collect())
    }
}

fn remembered(vector: &[f32]) -> Embedding {
    Embedding { vector: vector.to_vec(), tokens_outside_window: 0 }
}

fn key(role: &str, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (role, text).hash(&mut hasher);
    hasher.finish()
}
