//! Search.

use ancre_knowledge::search::SearchRequest;

use crate::Ancre;
use crate::operations::Never;
use crate::wire::{Search, SearchHit, SearchResult, WireError};

/// Finds the passages nearest to a question.
///
/// # Errors
///
/// `invalid_input`, `not_found` for a base, and what the model says.
pub fn search(ancre: &Ancre, input: Search, _: &dyn Fn(Never)) -> Result<SearchResult, WireError> {
    // A wrong base is said at once, not after the model was loaded.
    for kb_id in &input.kb_ids {
        ancre.store().knowledge_base(ancre.project(), kb_id)?;
    }
    let embedder = ancre.engine().embedder()?;
    let request = SearchRequest {
        query: input.query,
        kb_ids: input.kb_ids,
        top_k: input.top_k.unwrap_or(SearchRequest::DEFAULT_TOP_K),
        max_distance: input.max_distance,
    };
    let hits =
        ancre_knowledge::search::search(ancre.store(), &*embedder, ancre.project(), &request)?;
    Ok(SearchResult { hits: hits.into_iter().map(SearchHit::from).collect() })
}
