//! Hits as a runner gets them, and whether it would answer from them.

use std::collections::HashMap;

use ancre_domain::{Cancellation, DocumentId, Hit, Language, ProjectId};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::bench::Answering;
use ancre_models::{GenerationRequest, Passage, Runner};
use ancre_store::StoreError;
use ancre_store::traits::Store;

use crate::citations;
use crate::words::language_of;

/// The hits as a runner gets them, with what it must know about their edges.
pub(crate) fn passages_of(
    store: &dyn Store,
    project: &ProjectId,
    hits: &[Hit],
) -> Result<Vec<Passage>, StoreError> {
    let mut lengths: HashMap<&DocumentId, u32> = HashMap::new();
    let mut passages = Vec::with_capacity(hits.len());
    for (number, hit) in (1..).zip(hits) {
        let document = &hit.chunk.document_id;
        let length = match lengths.get(document) {
            Some(length) => *length,
            None => store.document(project, document)?.char_count,
        };
        lengths.insert(document, length);
        passages.push(Passage {
            number,
            title: hit.document_title.clone(),
            uri: hit.source_uri.clone(),
            content: hit.chunk.content.clone(),
            continues_before: hit.chunk.range.start > 0,
            continues_after: hit.chunk.range.end < length,
            distance: hit.distance,
        });
    }
    Ok(passages)
}

/// Tells a measurement what an agent would do: the same passages go to the same runner, and nothing
/// is stored.
#[derive(Clone, Copy)]
pub struct Answerer<'a> {
    /// What writes.
    pub runner: &'a dyn Runner,
    /// Where the passages' documents are.
    pub store: &'a dyn Store,
    /// Whose documents they are.
    pub project: &'a ProjectId,
}

impl Answering for Answerer<'_> {
    /// A question is answered when the reply that the runner writes cites any passage, which is what
    /// makes a run drafted.
    fn would_answer(
        &self,
        question: &str,
        hits: &[Hit],
        cancellation: &Cancellation,
    ) -> Result<bool, KnowledgeError> {
        let passages = passages_of(self.store, self.project, hits)?;
        let language = language_of(question)
            .or_else(|| hits.first().and_then(|hit| language_of(&hit.chunk.content)))
            .unwrap_or(Language::En);
        let request = GenerationRequest {
            language,
            question,
            passages: &passages,
            instructions: "",
            signature: "",
        };
        let generation = self.runner.generate(&request, cancellation)?;
        Ok(!citations::number(&generation.parts, &passages).cited.is_empty())
    }
}
