//! Search.

use std::time::Instant;

use ancre_knowledge::search::{
    QueryEmbedder, SearchOutcome, SearchRequest, passages_around, search_and_rerank,
};

use crate::Ancre;
use crate::operations::Never;
use crate::wire::{Passage, Search, SearchHit, SearchResult, ShowAround, WireError};

/// Finds the passages that answer a question best.
///
/// # Errors
///
/// `invalid_input`, `not_found` for a base, what the model says; `reranker_missing` where reranking
/// is asked for and no reranker is installed. One that is late or fails only leaves the order as it
/// was, and the result says so.
pub fn search(ancre: &Ancre, input: Search, _: &dyn Fn(Never)) -> Result<SearchResult, WireError> {
    let began = Instant::now();
    // A wrong base is said at once, not after the model was loaded.
    for kb_id in &input.kb_ids {
        ancre.store().knowledge_base(ancre.project(), kb_id)?;
    }
    let mode = input.mode.unwrap_or_default();
    let request = SearchRequest {
        query: input.query,
        kb_ids: input.kb_ids,
        top_k: input.top_k.unwrap_or(SearchRequest::DEFAULT_TOP_K),
        max_distance: input.max_distance,
        mode,
    };
    let reranking = input.rerank.then(|| ancre.engine().reranking()).transpose()?;
    let embedder = ancre.engine().query_embedder(mode);
    let outcome = search_and_rerank(
        ancre.store(),
        embedder.map(|embedder| embedder as &dyn QueryEmbedder),
        ancre.project(),
        &request,
        reranking.as_ref(),
    )?;
    let SearchOutcome { hits, mode, language, terms, gaps } = outcome;
    Ok(SearchResult {
        hits: hits.into_iter().map(SearchHit::from).collect(),
        mode,
        language,
        terms,
        gaps: gaps.into_iter().map(Into::into).collect(),
        is_reranked: reranking.map(|reranking| reranking.misses() == 0),
        milliseconds: u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX),
    })
}

/// Shows a passage with those before and behind it.
///
/// # Errors
///
/// `not_found`.
pub fn show_around(
    ancre: &Ancre,
    input: ShowAround,
    _: &dyn Fn(Never),
) -> Result<Vec<Passage>, WireError> {
    let (before, after) = (input.before.unwrap_or(1), input.after.unwrap_or(1));
    let chunks = passages_around(ancre.store(), ancre.project(), &input.chunk_id, before, after)?;
    Ok(chunks.into_iter().map(Passage::from).collect())
}
