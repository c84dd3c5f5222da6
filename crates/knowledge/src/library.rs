//! What a person does with a source of the library, beyond what storage does alone.

use ancre_domain::{ProjectId, SourceId};
use ancre_store::traits::Store;

use crate::KnowledgeError;
use crate::lexical::lexical_text;

/// Gives a source another title. Its documents' titles and what the text search knows of them
/// follow in every base; snapshots keep the title they were made with.
///
/// # Errors
///
/// There is no such source in the project, or what the store says.
pub fn rename_source(
    store: &dyn Store,
    project: &ProjectId,
    id: &SourceId,
    title: &str,
) -> Result<(), KnowledgeError> {
    Ok(store.rename_source(project, id, title, &|chunk, language| {
        lexical_text(title, chunk.heading.as_deref(), &chunk.content, language)
    })?)
}
