//! What writes a reply.

use ancre_domain::{Cancellation, CharRange, Language};

use crate::ModelError;

/// Writes a reply to a question from numbered passages.
pub trait Runner: Send + Sync {
    /// Its name in runs, such as `extractive`.
    fn id(&self) -> &str;

    /// Writes the reply.
    ///
    /// # Errors
    ///
    /// [`ModelError::Cancelled`] when `cancellation` was raised; another [`ModelError`] when a
    /// model did not answer.
    fn generate(
        &self,
        request: &GenerationRequest<'_>,
        cancellation: &Cancellation,
    ) -> Result<Generation, ModelError>;
}

/// What a runner is given.
#[derive(Debug, Clone)]
pub struct GenerationRequest<'a> {
    /// The language of the reply.
    pub language: Language,
    /// What the customer asked: subject and message.
    pub question: &'a str,
    /// The passages that may be used, the best first.
    pub passages: &'a [Passage],
    /// The agent's instructions; may be empty.
    pub instructions: &'a str,
    /// The closing line; empty: the runner's own courtesy.
    pub signature: &'a str,
}

/// A passage that a reply may cite.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// By what the runner refers to it, from 1 in the order of the search. (The numbers that the
    /// customer sees are given later, by first appearance.)
    pub number: u32,
    /// The document's title.
    pub title: String,
    /// Where the document came from.
    pub uri: Option<String>,
    /// The words of the passage.
    pub content: String,
    /// Whether its document has words before it, so that its first sentence may lack its
    /// beginning.
    pub continues_before: bool,
    /// Whether its document has words after it, so that its last sentence may lack its end.
    pub continues_after: bool,
    /// Cosine distance to the question.
    pub distance: f64,
}

/// What a runner wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    /// The reply in order.
    pub parts: Vec<Part>,
    /// Whether the passages answer the question; when they do not, the parts say so and cite
    /// nothing.
    pub has_evidence: bool,
}

/// A sentence of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its words, without numbers.
    pub text: String,
    /// The passages it rests on.
    pub citations: Vec<Citation>,
    /// Whether a new paragraph begins with it.
    pub starts_paragraph: bool,
}

/// A reference to a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citation {
    /// [`Passage::number`].
    pub number: u32,
    /// Which characters of the passage were used, where the runner knows.
    pub range: Option<CharRange>,
}
