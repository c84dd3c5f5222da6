//! The words of bases that are from before text search.
//!
//! Their chunks have vectors and no words. These are added step by step while the base goes on
//! answering by meaning; when none is missing it answers by words too. A killed process goes on
//! where it was.

use std::collections::HashMap;

use ancre_domain::{Cancellation, Document, DocumentId, KnowledgeBaseId, Language, ProjectId};
use ancre_models::ModelError;
use ancre_store::traits::Store;

use crate::KnowledgeError;
use crate::lexical::lexical_text;
use crate::line::language_of;

/// How many chunks are done in one transaction: a tenth of a second or so.
const STEP: u32 = 200;

/// Adds the words of every chunk of a base that has none; `progress` hears how many are done. Not
/// much happens to a base that has its words.
///
/// # Errors
///
/// That the base is not in this project; [`ModelError::Cancelled`], after which the next call goes
/// on; what the store says.
pub fn add_missing_words(
    store: &dyn Store,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    cancellation: &Cancellation,
    progress: &mut dyn FnMut(u32),
) -> Result<u32, KnowledgeError> {
    let mut sources: HashMap<DocumentId, (Document, Option<Language>)> = HashMap::new();
    let mut done = 0;
    loop {
        if cancellation.is_cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        let chunks = store.chunks_without_words(project, kb, STEP)?;
        let mut words = Vec::with_capacity(chunks.len());
        for chunk in &chunks {
            if !sources.contains_key(&chunk.document_id) {
                // Chunks come in the order of their documents: few are needed at once.
                sources.clear();
                let document = store.document(project, &chunk.document_id)?;
                let language = store.source(project, &document.source_id)?.language;
                sources.insert(chunk.document_id.clone(), (document, language));
            }
            let Some((document, language)) = sources.get(&chunk.document_id) else { continue };
            let language = language_of(&chunk.content, *language);
            let heading = chunk.heading.as_deref();
            let text = lexical_text(&document.title, heading, &chunk.content, language);
            words.push((chunk.id.clone(), text, language));
        }
        let is_whole = store.add_words(project, kb, &words)?;
        done += crate::reindex::count(words.len());
        progress(done);
        if is_whole || words.is_empty() {
            return Ok(done);
        }
    }
}
