//! Question and passages to the order in which the passages answer it.

use ancre_domain::Cancellation;

use crate::ModelError;

/// Says how well each of some passages answers a question, reading both together. Far better than
/// vectors and far slower, so it only ever sees the few best. Calls block.
pub trait Reranker: Send + Sync {
    /// Names the model.
    fn id(&self) -> &str;

    /// A score for each passage, in their order; larger is better, 0 is undecided.
    ///
    /// # Errors
    ///
    /// [`ModelError::Cancelled`] when `cancellation` was raised, looked at before each passage;
    /// another [`ModelError`] when the model does not answer.
    fn rerank(
        &self,
        query: &str,
        passages: &[&str],
        cancellation: &Cancellation,
    ) -> Result<Vec<f32>, ModelError>;
}
