//! The reranker that runs a cross-encoder in ONNX Runtime.
//!
//! Any graph that takes the tokens of a pair (`input_ids`, `attention_mask` and, if it wants,
//! `token_type_ids`, as 64-bit integers) and gives one or two logits for it will do, as the usual
//! exports of cross-encoders are. fastembed has a reranker of its own; it knows one logit only and
//! cuts the question as it cuts the passage, so the session is asked here.
//!
//! Pairs go through the model one by one, for the embedder's reasons: little is gained by filling a
//! batch, a score depends on its pair alone, and a stop comes after one run.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ancre_domain::Cancellation;
use ort::environment::Environment;
use ort::session::builder::{AutoDevicePolicy, GraphOptimizationLevel};
use ort::session::{Session, SessionInputValue};
use ort::value::Tensor;
use tokenizers::Encoding;

use crate::{ModelError, Reranker, RerankerDescription, RerankerPack};

use super::pairs::Pairs;
use super::{failed, runtime, thread_count};

/// The tokens of a pair, without which a graph is no cross-encoder.
const TOKENS: &str = "input_ids";

/// What its answer is called; a graph that has another name for it has no other output.
const LOGITS: &str = "logits";

/// A reranker on ONNX Runtime. It may be shared between threads; its runs wait for one another.
pub struct OnnxReranker {
    description: RerankerDescription,
    pairs: Pairs,
    /// The name of the output that has the logits.
    logits: String,
    session: Mutex<Session>,
}

impl OnnxReranker {
    /// Loads a pack, comparing model and tokenizer with their hashes, and tries it with one pair.
    /// Takes a second or more: do it off the threads that must answer.
    ///
    /// # Errors
    ///
    /// [`ModelError::RuntimeMissing`] when `runtime_library` is not a usable ONNX Runtime;
    /// [`ModelError::Missing`] or [`ModelError::Damaged`] naming the file of the pack that is not
    /// as the manifest says, or is not of a cross-encoder.
    pub fn load(pack: &RerankerPack, runtime_library: &Path) -> Result<Self, ModelError> {
        let environment = runtime::environment(runtime_library)?;
        let (path, tokenizer) = pack.read_tokenizer()?;
        let pairs = Pairs::new(&tokenizer, pack.manifest().max_tokens as usize)
            .map_err(|detail| ModelError::Damaged { path, detail })?;
        let (path, model) = pack.read_model()?;
        let damaged = |detail: String| ModelError::Damaged { path, detail };
        let loaded = session(&environment, &model).and_then(|session| {
            let logits = logits_of(&session)?;
            let description = pack.description();
            let reranker = Self { description, pairs, logits, session: Mutex::new(session) };
            reranker.rerank("?", &["!"], &Cancellation::new())?;
            Ok(reranker)
        });
        loaded.map_err(|error| damaged(error.to_string()))
    }

    /// What it is.
    pub fn description(&self) -> &RerankerDescription {
        &self.description
    }

    /// One run of the model.
    fn score(&self, pair: &Encoding) -> Result<f32, ModelError> {
        // A thread that panicked leaves a session behind that is as good as before.
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let inputs = inputs(&session, pair)?;
        let outputs = session.run(inputs).map_err(failed)?;
        let logits = outputs.get(&self.logits).ok_or_else(|| failed("it gave no logits"))?;
        let (_, logits) = logits.try_extract_tensor::<f32>().map_err(failed)?;
        log_odds(logits)
    }
}

impl Reranker for OnnxReranker {
    fn id(&self) -> &str {
        &self.description.id
    }

    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        cancellation: &Cancellation,
    ) -> Result<Vec<f32>, ModelError> {
        let question = self.pairs.question(query)?;
        let mut scores = Vec::with_capacity(passages.len());
        for passage in passages {
            if cancellation.is_cancelled() {
                return Err(ModelError::Cancelled);
            }
            scores.push(self.score(&self.pairs.join(&question, passage)?)?);
        }
        Ok(scores)
    }
}

/// A session with the settings of the embedder's, whose reasons are told there.
fn session(environment: &Environment, model: &[u8]) -> Result<Session, ModelError> {
    Session::builder(environment)
        .map_err(failed)?
        .with_optimization_level(GraphOptimizationLevel::Level3)
        .map_err(failed)?
        .with_intra_threads(thread_count())
        .map_err(failed)?
        .with_intra_op_spinning(false)
        .map_err(failed)?
        .with_auto_device(AutoDevicePolicy::PreferCPU)
        .map_err(failed)?
        .commit_from_memory(model)
        .map_err(failed)
}

/// The name of the output that has the logits.
fn logits_of(session: &Session) -> Result<String, ModelError> {
    if !session.inputs().iter().any(|input| input.name() == TOKENS) {
        return Err(failed(format!("it has no input “{TOKENS}”")));
    }
    let names: Vec<&str> = session.outputs().iter().map(ort::value::Outlet::name).collect();
    match names.as_slice() {
        names if names.contains(&LOGITS) => Ok(LOGITS.to_owned()),
        [only] => Ok((*only).to_owned()),
        _ => Err(failed(format!("it has no output “{LOGITS}”"))),
    }
}

/// What the graph is given of a pair, by the names that it has for it.
fn inputs(
    session: &Session,
    pair: &Encoding,
) -> Result<Vec<(String, SessionInputValue<'static>)>, ModelError> {
    let given = |name: &str| {
        let numbers = match name {
            TOKENS => pair.get_ids(),
            "attention_mask" => pair.get_attention_mask(),
            "token_type_ids" => pair.get_type_ids(),
            _ => return Err(failed(format!("it wants an input “{name}”"))),
        };
        let numbers: Vec<i64> = numbers.iter().copied().map(i64::from).collect();
        let tensor = Tensor::from_array(([1, numbers.len()], numbers)).map_err(failed)?;
        Ok((name.to_owned(), tensor.into()))
    };
    session.inputs().iter().map(|input| given(input.name())).collect()
}

/// How much likelier it is that the passage answers than that it does not, as a logarithm. One
/// logit is that; of two, the first is of “does not”, and their softmax has the odds of their
/// difference.
fn log_odds(logits: &[f32]) -> Result<f32, ModelError> {
    let score = match logits {
        [score] => *score,
        [against, by] => by - against,
        _ => return Err(failed(format!("it gives {} logits, not one or two", logits.len()))),
    };
    // Infinite odds are odds; what is no number cannot be put in an order.
    if score.is_nan() { Err(failed("its score is not a number")) } else { Ok(score) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_logit_is_the_score_and_of_two_their_difference() {
        assert_eq!(log_odds(&[-2.5]).unwrap(), -2.5);
        assert_eq!(log_odds(&[1.0, 4.0]).unwrap(), 3.0);
        for refused in [&[][..], &[f32::NAN], &[1.0, 2.0, 3.0]] {
            assert!(log_odds(refused).is_err(), "{refused:?}");
        }
    }

    #[test]
    fn the_logistic_of_two_logits_is_the_second_of_their_softmax() {
        let (against, by) = (0.3_f32, 1.7_f32);
        let softmax = by.exp() / (against.exp() + by.exp());
        let logistic = 1.0 / (1.0 + (-log_odds(&[against, by]).unwrap()).exp());
        assert!((softmax - logistic).abs() < 1e-6, "{softmax} {logistic}");
    }
}
