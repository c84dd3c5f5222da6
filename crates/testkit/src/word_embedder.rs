//! Vectors without a model.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ancre_domain::Cancellation;
use ancre_models::{Embedder, EmbedderDescription, Embedding, ModelError};

/// An embedder that knows words only by their letters: each word and each of its trigrams adds to
/// one number of the vector, chosen by a hash. Texts that share words are near; meaning is beyond
/// it. Deterministic on every machine. It can be told to misbehave, and tells what it was asked.
#[derive(Debug)]
pub struct WordEmbedder {
    description: EmbedderDescription,
    refused: Option<String>,
    pause: Duration,
    cancels: Option<(usize, Cancellation)>,
    lost_after: Option<usize>,
    batches: AtomicUsize,
    queries: AtomicUsize,
    seen: Mutex<Vec<Vec<String>>>,
    at_work: AtomicUsize,
    most_at_work: AtomicUsize,
}

/// What a word weighs against one of its trigrams.
const WORD_WEIGHT: f32 = 3.0;

impl WordEmbedder {
    /// One with vectors of `dimension` numbers (at least 1) and a window of 512 words.
    pub fn new(dimension: u32) -> Self {
        Self {
            description: EmbedderDescription {
                id: "words-for-tests".to_owned(),
                version: "1".to_owned(),
                dimension: dimension.max(1),
                max_tokens: 512,
                license: "MIT OR Apache-2.0".to_owned(),
            },
            refused: None,
            pause: Duration::ZERO,
            cancels: None,
            lost_after: None,
            batches: AtomicUsize::new(0),
            queries: AtomicUsize::new(0),
            seen: Mutex::default(),
            at_work: AtomicUsize::new(0),
            most_at_work: AtomicUsize::new(0),
        }
    }

    /// The same under another id, as another model would be.
    #[must_use]
    pub fn named(mut self, id: &str) -> Self {
        id.clone_into(&mut self.description.id);
        self
    }

    /// Reads only the first `words` words of a text.
    #[must_use]
    pub fn with_window(mut self, words: u32) -> Self {
        self.description.max_tokens = words;
        self
    }

    /// Fails on every passage and question that contains `text`.
    #[must_use]
    pub fn refusing(mut self, text: &str) -> Self {
        self.refused = Some(text.to_owned());
        self
    }

    /// The same in another version, as after an update of its pack.
    #[must_use]
    pub fn in_version(mut self, version: &str) -> Self {
        version.clone_into(&mut self.description.version);
        self
    }

    /// Takes that long for each passage.
    #[must_use]
    pub fn pausing(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Raises `cancellation` once `batches` batches are done.
    #[must_use]
    pub fn cancelling_after(mut self, batches: usize, cancellation: Cancellation) -> Self {
        self.cancels = Some((batches, cancellation));
        self
    }

    /// Fails as if its model's files had gone once `batches` batches are done.
    #[must_use]
    pub fn losing_its_model_after(mut self, batches: usize) -> Self {
        self.lost_after = Some(batches);
        self
    }

    /// How many batches of passages it has embedded.
    pub fn batch_count(&self) -> usize {
        self.batches.load(Ordering::SeqCst)
    }

    /// The passages of each batch, in the order in which they were embedded.
    pub fn batches(&self) -> Vec<Vec<String>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many calls for passages it had at the same time at most.
    pub fn most_calls_at_once(&self) -> usize {
        self.most_at_work.load(Ordering::SeqCst)
    }

    /// How many questions it has embedded.
    pub fn query_count(&self) -> usize {
        self.queries.load(Ordering::SeqCst)
    }

    fn embed(&self, text: &str) -> Result<Embedding, ModelError> {
        if self.refused.as_deref().is_some_and(|refused| text.contains(refused)) {
            return Err(ModelError::Failed("it was told to refuse this text".to_owned()));
        }
        let lower = text.to_lowercase();
        let mut words = lower
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let dimension = self.description.dimension as usize;
        let mut vector = vec![0.0_f32; dimension];
        for word in words.by_ref().take(self.description.max_tokens as usize) {
            add(&mut vector, word, WORD_WEIGHT);
            let padded: Vec<char> = format!(" {word} ").chars().collect();
            for trigram in padded.windows(3) {
                add(&mut vector, &trigram.iter().collect::<String>(), 1.0);
            }
        }
        let tokens_outside_window = u32::try_from(words.count()).unwrap_or(u32::MAX);
        let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
        if length > 0.0 {
            for number in &mut vector {
                *number /= length;
            }
        } else {
            vector[0] = 1.0;
        }
        Ok(Embedding { vector, tokens_outside_window })
    }
}

impl Embedder for WordEmbedder {
    fn description(&self) -> &EmbedderDescription {
        &self.description
    }

    fn embed_query(&self, text: &str) -> Result<Embedding, ModelError> {
        self.queries.fetch_add(1, Ordering::SeqCst);
        self.embed(text)
    }

    fn embed_passages(
        &self,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
        on_batch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Embedding>, ModelError> {
        let _call = Call::begin(self);
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(batch_size.max(1)) {
            if cancellation.is_cancelled() {
                return Err(ModelError::Cancelled);
            }
            if self.lost_after.is_some_and(|batches| self.batch_count() >= batches) {
                return Err(ModelError::Missing { path: "model.onnx".into() });
            }
            for text in batch {
                std::thread::sleep(self.pause);
                embeddings.push(self.embed(text)?);
            }
            let texts = batch.iter().map(|text| (*text).to_owned()).collect();
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(texts);
            let done = self.batches.fetch_add(1, Ordering::SeqCst) + 1;
            on_batch(embeddings.len());
            if let Some((batches, flag)) = &self.cancels
                && done >= *batches
            {
                flag.cancel();
            }
        }
        Ok(embeddings)
    }
}

/// A call for passages that goes on.
struct Call<'a>(&'a WordEmbedder);

impl<'a> Call<'a> {
    fn begin(embedder: &'a WordEmbedder) -> Self {
        let now = embedder.at_work.fetch_add(1, Ordering::SeqCst) + 1;
        embedder.most_at_work.fetch_max(now, Ordering::SeqCst);
        Self(embedder)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Adds `weight`, with a sign of its own, to the number that `feature` is hashed to.
fn add(vector: &mut [f32], feature: &str, weight: f32) {
    let hash = fnv1a(feature);
    let count = vector.len() as u64;
    let Ok(slot) = usize::try_from((hash >> 1) % count) else { return };
    vector[slot] += if hash & 1 == 0 { weight } else { -weight };
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo), mixed once more so that its low bits are good.
fn fnv1a(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(one: &str, other: &str) -> f32 {
        let embedder = WordEmbedder::new(256);
        let (one, other) = (embedder.embed(one).unwrap(), embedder.embed(other).unwrap());
        one.vector.iter().zip(&other.vector).map(|(one, other)| one * other).sum()
    }

    #[test]
    fn texts_that_share_words_are_nearer_than_those_that_do_not() {
        let question = "Comment obtenir un remboursement ?";
        let near = cosine(question, "Le remboursement est obtenu sous 14 jours.");
        let far = cosine(question, "The printer needs new ink.");
        assert!(near > far + 0.2, "{near} and {far}");
        assert!((cosine(question, question) - 1.0).abs() < 1e-5, "vectors have length 1");
        assert!((cosine("", "…") - 1.0).abs() < 1e-5, "even those of texts without words");
    }

    #[test]
    fn it_says_what_lay_outside_its_window() {
        let embedder = WordEmbedder::new(8).with_window(3);
        assert_eq!(embedder.embed("un deux trois quatre cinq").unwrap().tokens_outside_window, 2);
    }
}
