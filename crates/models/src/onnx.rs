//! The embedder that runs a model pack in ONNX Runtime, through fastembed.
//!
//! One session serves everybody, questions before ingestion. fastembed tokenises, pools and brings
//! the vectors to length 1; here are the prefixes, the order of the batches, the count of what lies
//! outside the model's window, and the settings for a machine on which somebody is working.
//!
//! Texts go through the model one by one; a batch is what is reported and can be stopped. Measured
//! on two cores with passages of 2,000 characters, 16 at once gave 3.6 passages a CPU second
//! against 3.5 and took 0.9 GB more memory; with passages of mixed lengths 4.7 against 9.9, for the
//! padding. One by one, a question also waits for one passage only.

mod pairs;
mod reranker;
mod runtime;
mod telemetry;
mod turns;

use std::num::NonZero;
use std::path::Path;
use std::thread;

use ancre_domain::Cancellation;
use fastembed::{
    AutoDevicePolicy, InitOptionsUserDefined, TextEmbedding, TokenizerFiles,
    UserDefinedEmbeddingModel,
};

use crate::{Embedder, EmbedderDescription, Embedding, ModelError, ModelPack, Pooling};

use self::turns::Turns;

pub use self::reranker::OnnxReranker;
pub use self::telemetry::forbid_telemetry;

/// The most threads that one run of the model uses. Beyond, a small model gains little and the
/// person at the machine loses.
const MAX_THREADS: usize = 4;

/// An embedder on ONNX Runtime. It may be shared between threads; calls wait for one another,
/// [`Embedder::embed_query`] for one run of the model at most, however much is being ingested.
pub struct OnnxEmbedder {
    description: EmbedderDescription,
    query_prefix: String,
    passage_prefix: String,
    model: Turns<TextEmbedding>,
}

impl OnnxEmbedder {
    /// Loads a pack, comparing every file that is used with its hash (0.2 s of it). Takes two to three
    /// seconds and some 600 MB, most of both for the tokenizer: do it once, early, off the threads
    /// that must answer.
    ///
    /// # Errors
    ///
    /// [`ModelError::RuntimeMissing`] when `runtime_library` is not a usable ONNX Runtime;
    /// [`ModelError::Missing`] or [`ModelError::Damaged`] naming the file of the pack;
    /// [`ModelError::Failed`] when ONNX Runtime refuses the model.
    pub fn load(pack: &ModelPack, runtime_library: &Path) -> Result<Self, ModelError> {
        let environment = runtime::environment(runtime_library)?;
        let manifest = pack.manifest();
        let Pooling::Mean = manifest.pooling;
        let model = UserDefinedEmbeddingModel::new(
            pack.read_verified("model.onnx")?,
            TokenizerFiles {
                tokenizer_file: pack.read_verified("tokenizer.json")?,
                config_file: pack.read_verified("config.json")?,
                special_tokens_map_file: pack.read_verified("special_tokens_map.json")?,
                tokenizer_config_file: pack.read_verified("tokenizer_config.json")?,
            },
        )
        .with_pooling(fastembed::Pooling::Mean);
        let options = InitOptionsUserDefined::new()
            .with_environment(environment)
            .with_max_length(manifest.max_tokens as usize)
            .with_intra_threads(thread_count())
            // Idle threads of ONNX Runtime spin by default, which costs a core between two runs.
            .with_session_config("session.intra_op.allow_spinning", "0")
            // The same text must get the same vector on every machine: no accelerator unasked.
            .with_auto_device(AutoDevicePolicy::PreferCPU);
        let model = TextEmbedding::try_new_from_user_defined(model, options).map_err(failed)?;
        let embedder = Self {
            description: pack.description(),
            query_prefix: manifest.query_prefix.clone(),
            passage_prefix: manifest.passage_prefix.clone(),
            model: Turns::new(model),
        };
        embedder.check_dimension(pack)?;
        Ok(embedder)
    }

    /// One run, which also takes the cost of the first run away from the first question.
    fn check_dimension(&self, pack: &ModelPack) -> Result<(), ModelError> {
        let found = self.embed_query("")?.vector.len();
        let expected = self.description.dimension;
        if u32::try_from(found) == Ok(expected) {
            return Ok(());
        }
        Err(ModelError::Damaged {
            path: pack.path_of("model.onnx"),
            detail: format!("its vectors have {found} numbers, the manifest says {expected}"),
        })
    }
}

impl Embedder for OnnxEmbedder {
    fn description(&self) -> &EmbedderDescription {
        &self.description
    }

    fn embed_query(&self, text: &str) -> Result<Embedding, ModelError> {
        run(&mut self.model.take(), &format!("{}{text}", self.query_prefix))
    }

    fn embed_passages(
        &self,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
        on_batch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Embedding>, ModelError> {
        let mut embedded: Vec<(usize, Embedding)> = Vec::with_capacity(texts.len());
        for batch in longest_first(texts).chunks(batch_size.max(1)) {
            for position in batch {
                if cancellation.is_cancelled() {
                    return Err(ModelError::Cancelled);
                }
                let text = format!("{}{}", self.passage_prefix, texts[*position]);
                embedded.push((*position, run(&mut self.model.take_in_background(), &text)?));
            }
            on_batch(embedded.len());
        }
        embedded.sort_unstable_by_key(|(position, _)| *position);
        Ok(embedded.into_iter().map(|(_, embedding)| embedding).collect())
    }
}

/// The positions of texts, the longest first: the memory that ONNX Runtime keeps between runs is
/// taken once and not in steps, and what remains goes faster than foretold, not slower.
fn longest_first(texts: &[&str]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..texts.len()).collect();
    positions.sort_by_key(|position| std::cmp::Reverse(texts[*position].len()));
    positions
}

/// One run of the model: the vector of a text that has its prefix.
fn run(model: &mut TextEmbedding, text: &str) -> Result<Embedding, ModelError> {
    let tokens_outside_window = tokens_outside_window(model, text)?;
    let vectors = model.embed([text], Some(1)).map_err(failed)?;
    let vector = vectors.into_iter().next().ok_or_else(|| failed("it gave no vector"))?;
    Ok(Embedding { vector, tokens_outside_window })
}

/// How many tokens of a text, its prefix and marks included, the model's window leaves out.
///
/// Counted with the limit off, since a tokenizer that has one stops there and does not say what
/// it left. So a text is tokenised twice, which costs a hundredth of a run of the model.
fn tokens_outside_window(model: &mut TextEmbedding, text: &str) -> Result<u32, ModelError> {
    let tokenizer = &mut model.tokenizer;
    let limit = tokenizer.get_truncation().cloned();
    let window = limit.as_ref().map_or(usize::MAX, |limit| limit.max_length);
    tokenizer.with_truncation(None).map_err(failed)?;
    let encoding = tokenizer.encode_fast(text, true);
    tokenizer.with_truncation(limit).map_err(failed)?;
    let outside = encoding.map_err(failed)?.len().saturating_sub(window);
    Ok(u32::try_from(outside).unwrap_or(u32::MAX))
}

fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands over the error")]
fn failed(error: impl ToString) -> ModelError {
    ModelError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_comes_first_and_equals_keep_their_order() {
        assert_eq!(longest_first(&["aa", "a", "aaaa", "bb"]), [2, 0, 3, 1]);
    }
}
