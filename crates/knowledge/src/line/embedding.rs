//! Embedding what waits, for every job in the line.
//!
//! Each job brings a thread that does it; whichever has the turn embeds for all, so that the model
//! goes on while a job opens its next document or publishes one. A batch that fails is tried again
//! document by document, so that what is wrong with one costs that one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ancre_domain::Cancellation;
use ancre_models::{Embedding, ModelError};

use super::queue::{Batch, BatchPart};
use super::turns::{JobPlace, Turn};
use super::vectors::Vectors;
use crate::KnowledgeError;

/// Embeds a batch at each of its turns until `is_over`, which is looked at whenever the line calls.
pub(super) fn embed(place: &JobPlace<'_>, vectors: &Vectors<'_>, is_over: impl Fn() -> bool) {
    while let Some((turn, batch)) = place.next_batch(&is_over) {
        let outcomes = embed_batch(vectors, &turn, batch);
        turn.deliver(outcomes);
    }
    vectors.keep_pace();
}

type Outcome = (BatchPart, Result<Vec<Embedding>, KnowledgeError>);

fn embed_batch(vectors: &Vectors<'_>, turn: &Turn<'_>, batch: Batch) -> Vec<Outcome> {
    if batch.is_empty() {
        return Vec::new();
    }
    let whole = embed_texts(vectors, turn, &batch.texts());
    let parts = batch.into_parts();
    match whole {
        Ok(embeddings) => {
            let mut embeddings = embeddings.into_iter();
            let mut own = |count| embeddings.by_ref().take(count).collect();
            let outcome = |part: BatchPart| {
                let embeddings = own(part.len());
                (part, Ok(embeddings))
            };
            parts.into_iter().map(outcome).collect()
        }
        Err(error) if parts.len() == 1 => parts.into_iter().zip([Err(error)]).collect(),
        Err(_) => {
            let alone = |part: BatchPart| {
                let texts: Vec<&str> = part.texts().collect();
                let embeddings = embed_texts(vectors, turn, &texts);
                (part, embeddings)
            };
            parts.into_iter().map(alone).collect()
        }
    }
}

/// A model that panics must not take the jobs of others with it.
fn embed_texts(
    vectors: &Vectors<'_>,
    turn: &Turn<'_>,
    texts: &[&str],
) -> Result<Vec<Embedding>, KnowledgeError> {
    // A batch is short; what nobody wants any more is thrown away when it comes back.
    let never = Cancellation::new();
    let embedding = AssertUnwindSafe(|| vectors.of_texts(turn, texts, texts.len(), &never));
    catch_unwind(embedding).unwrap_or_else(|_| {
        Err(ModelError::Failed("a fault of the program ended it".to_owned()).into())
    })
}
