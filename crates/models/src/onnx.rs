//! The embedder that runs a model pack in ONNX Runtime, through fastembed.
//!
//! One session serves everybody, questions before ingestion. fastembed tokenises, pools and brings
//! the vectors to length 1; here are the prefixes, the order of the batches, the count of what lies
//! outside the model's window, and the settings for a machine on which somebody is working.

mod runtime;
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

/// The most threads that one run of the model uses. Beyond, a small model gains little and the
/// person at the machine loses.
const MAX_THREADS: usize = 4;

/// How many passages go through the model in one run.
const PASSAGES_A_RUN: usize = 1;

/// An embedder on ONNX Runtime. It may be shared between threads; calls wait for one another,
/// [`Embedder::embed_query`] for one run of the model at most, however much is being ingested.
pub struct OnnxEmbedder {
    description: EmbedderDescription,
    query_prefix: String,
    passage_prefix: String,
    model: Turns<TextEmbedding>,
}

impl OnnxEmbedder {
    /// Loads a pack, comparing every file that is used with its hash. Takes about a second: do it
    /// once, early, off the threads that must answer.
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
        let text = format!("{}{text}", self.query_prefix);
        let embeddings = run(&mut self.model.take(), &[text])?;
        embeddings.into_iter().next().ok_or_else(|| failed("it gave no vector"))
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
            for positions in batch.chunks(PASSAGES_A_RUN) {
                if cancellation.is_cancelled() {
                    return Err(ModelError::Cancelled);
                }
                let passages: Vec<String> = positions
                    .iter()
                    .map(|position| format!("{}{}", self.passage_prefix, texts[*position]))
                    .collect();
                let embeddings = run(&mut self.model.take_in_background(), &passages)?;
                embedded.extend(positions.iter().copied().zip(embeddings));
            }
            on_batch(embedded.len());
        }
        embedded.sort_unstable_by_key(|(position, _)| *position);
        Ok(embedded.into_iter().map(|(_, embedding)| embedding).collect())
    }
}

/// The positions of texts, the longest first: neighbours have similar lengths, and the memory that
/// ONNX Runtime keeps is taken once and not in steps.
fn longest_first(texts: &[&str]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..texts.len()).collect();
    positions.sort_by_key(|position| std::cmp::Reverse(texts[*position].len()));
    positions
}

/// One run of the model: the vectors of texts that have their prefixes.
fn run(model: &mut TextEmbedding, texts: &[String]) -> Result<Vec<Embedding>, ModelError> {
    let outside = tokens_outside_window(model, texts)?;
    let vectors = model.embed(texts, Some(texts.len().max(1))).map_err(failed)?;
    if vectors.len() != texts.len() {
        return Err(failed("it gave another number of vectors than it got texts"));
    }
    let with_vector = |(vector, tokens_outside_window)| Embedding { vector, tokens_outside_window };
    Ok(vectors.into_iter().zip(outside).map(with_vector).collect())
}

/// How many tokens the model's window leaves out of each text, its prefix and marks included.
///
/// Counted with the limit off, since a tokenizer that has one stops there and does not say what
/// it left. This tokenises twice, which costs under a hundredth of a run of the model.
fn tokens_outside_window(
    model: &mut TextEmbedding,
    texts: &[String],
) -> Result<Vec<u32>, ModelError> {
    let tokenizer = &mut model.tokenizer;
    let limit = tokenizer.get_truncation().cloned();
    let window = limit.as_ref().map_or(usize::MAX, |limit| limit.max_length);
    tokenizer.with_truncation(None).map_err(failed)?;
    let counts: Result<Vec<usize>, ModelError> = texts
        .iter()
        .map(|text| Ok(tokenizer.encode_fast(text.as_str(), true).map_err(failed)?.len()))
        .collect();
    tokenizer.with_truncation(limit).map_err(failed)?;
    let outside = |count: usize| u32::try_from(count.saturating_sub(window)).unwrap_or(u32::MAX);
    Ok(counts?.into_iter().map(outside).collect())
}

fn thread_count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

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
