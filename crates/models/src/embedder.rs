//! Texts to vectors.

use ancre_domain::Cancellation;

use crate::ModelError;

/// Turns texts into vectors of one dimension and of length 1, so that the dot product of two is
/// the cosine of their angle. Calls block; run them off the threads that must answer.
pub trait Embedder: Send + Sync {
    /// What it is.
    fn description(&self) -> &EmbedderDescription;

    /// The vector of a question.
    ///
    /// # Errors
    ///
    /// [`ModelError`] when the model does not answer.
    fn embed_query(&self, text: &str) -> Result<Embedding, ModelError>;

    /// The vectors of passages, in their order. They are embedded in batches of `batch_size`,
    /// sorted by length so that little is padded; `on_batch` hears how many passages are done
    /// after each batch.
    ///
    /// # Errors
    ///
    /// [`ModelError::Cancelled`] when `cancellation` was raised, looked at before each batch;
    /// another [`ModelError`] when the model does not answer.
    fn embed_passages(
        &self,
        texts: &[&str],
        batch_size: usize,
        cancellation: &Cancellation,
        on_batch: &mut dyn FnMut(usize),
    ) -> Result<Vec<Embedding>, ModelError>;
}

/// What an embedder is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderDescription {
    /// Names the model, such as `multilingual-e5-small`; kept with each base.
    pub id: String,
    /// Changes when the same text would get another vector.
    pub version: String,
    /// The length of its vectors.
    pub dimension: u32,
    /// How many tokens it reads of a text, the prefix and the two marks included.
    pub max_tokens: u32,
    /// The licence of the weights, as an SPDX expression.
    pub license: String,
}

/// The vector of one text.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// Numbers of which the squares sum to 1.
    pub vector: Vec<f32>,
    /// How many tokens of the text lay outside the model's window and are not in the vector.
    pub tokens_outside_window: u32,
}
