//! A question in, the passages that answer it out, each with the reason why it was found.
//!
//! Two rankings are asked at the same time, by meaning (vectors) and by words (full text), and
//! fused ([`crate::fusion`]); either can be asked alone. The search sees the bases it is given and
//! nothing else; the filter is inside the store's queries. Bases of different models can be
//! searched together: a question is embedded once for each model.
//!
//! `max_distance` limits the evidence of meaning: a passage beyond it is not found by its vector. One
//! that has the question's words is found all the same, with its real distance shown.

mod around;
mod candidates;
mod record;
mod reranking;
mod sides;

use std::collections::BTreeSet;

use ancre_domain::{
    ErrorCode, Explain as _, Hit, KnowledgeBase, KnowledgeBaseId, Language, ProjectId, SearchMode,
};
use ancre_extract::fold_for_index;
use ancre_models::Embedder;
use ancre_store::traits::Store;

use self::candidates::Candidates;
use self::sides::Sides;
use crate::KnowledgeError;
use crate::fusion::{DEPTH, Duplicates};
use crate::lexical::Query;

pub use self::around::passages_around;
pub use self::record::searched_indexes;
pub use self::reranking::Reranking;

/// What is looked for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    /// The question, in the words of whoever asks.
    pub query: String,
    /// The bases to look in; one that is named twice is searched once.
    pub kb_ids: Vec<KnowledgeBaseId>,
    /// The most hits that are wanted, 1 to [`Self::MAX_TOP_K`].
    pub top_k: u32,
    /// How far evidence of meaning reaches: a cosine distance in [0, 2]. See the module.
    pub max_distance: Option<f64>,
    /// Which rankings are followed.
    pub mode: SearchMode,
}

impl SearchRequest {
    /// How many hits are given where nobody says how many.
    pub const DEFAULT_TOP_K: u32 = 6;
    /// The most hits that one search gives.
    pub const MAX_TOP_K: u32 = 10_000;

    /// A hybrid search with the default number of hits and no limit of distance.
    pub fn new(query: impl Into<String>, kb_ids: Vec<KnowledgeBaseId>) -> Self {
        Self {
            query: query.into(),
            kb_ids,
            top_k: Self::DEFAULT_TOP_K,
            max_distance: None,
            mode: SearchMode::default(),
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchOutcome {
    /// The passages, best first; of those that say the same only the best.
    pub hits: Vec<Hit>,
    /// How they were found.
    pub mode: SearchMode,
    /// The language of the question, where it is one of ours and clear.
    pub language: Option<Language>,
    /// The words that were looked for, as they were typed; none in a search by meaning alone.
    pub terms: Vec<String>,
    /// The bases that could be searched in part only.
    pub gaps: Vec<IndexGap>,
}

/// A base that a search saw in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexGap {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Its name.
    pub kb_name: String,
    /// What it lacks.
    pub missing: MissingIndex,
}

/// A part of an index that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingIndex {
    /// The vectors: the base was searched by words alone.
    Vectors,
    /// The words: the base was searched by meaning alone.
    Words,
}

/// Turns a question into the vector that a base's passages can be compared with.
pub trait QueryEmbedder: Sync {
    /// The vector of `query` by the model of `base`.
    ///
    /// # Errors
    ///
    /// [`KnowledgeError::ModelMismatch`] or a [`ModelError`](ancre_models::ModelError) when that
    /// model is not at hand or does not answer.
    fn embed_for(&self, base: &KnowledgeBase, query: &str) -> Result<Vec<f32>, KnowledgeError>;
}

/// One embedder for every base; a base of another model is refused.
#[derive(Clone, Copy)]
pub struct OneEmbedder<'a>(pub &'a dyn Embedder);

impl QueryEmbedder for OneEmbedder<'_> {
    fn embed_for(&self, base: &KnowledgeBase, query: &str) -> Result<Vec<f32>, KnowledgeError> {
        ensure_same_model(base, self.0)?;
        Ok(self.0.embed_query(query)?.vector)
    }
}

/// The passages of the bases that answer the question best, in the order of the request's mode.
/// Without `embedder` only a search by words is possible, and its hits have no real distance (2, the
/// farthest).
///
/// A base that has lost its vectors is searched by words in a hybrid search, and one whose words are
/// not indexed yet by meaning; [`SearchOutcome::gaps`] says so.
///
/// # Errors
///
/// [`KnowledgeError::EmptyQuery`], [`KnowledgeError::InvalidTopK`] and
/// [`KnowledgeError::InvalidDistance`] for a request that cannot be answered; a
/// [`StoreError::NotFound`](ancre_store::StoreError::NotFound) for a base that is not in this
/// project, or goes while it is searched; [`KnowledgeError::NoEmbedder`]; what the store or the
/// embedder says.
pub fn search(
    store: &dyn Store,
    embedder: Option<&dyn QueryEmbedder>,
    project: &ProjectId,
    request: &SearchRequest,
) -> Result<SearchOutcome, KnowledgeError> {
    search_and_rerank(store, embedder, project, request, None)
}

/// As [`search`]; the best of what was found are then put in the order of a reranker, if it is in
/// time.
///
/// # Errors
///
/// As [`search`]; never those of the reranker, without which the order stays.
pub fn search_and_rerank(
    store: &dyn Store,
    embedder: Option<&dyn QueryEmbedder>,
    project: &ProjectId,
    request: &SearchRequest,
    reranking: Option<&Reranking>,
) -> Result<SearchOutcome, KnowledgeError> {
    let text = fold_for_index(checked_query(request)?);
    if embedder.is_none() && request.mode != SearchMode::Text {
        return Err(KnowledgeError::NoEmbedder);
    }
    let kb_ids: BTreeSet<&KnowledgeBaseId> = request.kb_ids.iter().collect();
    let bases: Vec<KnowledgeBase> =
        kb_ids.into_iter().map(|id| store.knowledge_base(project, id)).collect::<Result<_, _>>()?;
    let query = Query::read(&text);
    let mut outcome = SearchOutcome {
        hits: Vec::new(),
        mode: request.mode,
        language: query.language,
        terms: match request.mode {
            SearchMode::Vector => Vec::new(),
            SearchMode::Hybrid | SearchMode::Text => {
                query.terms.iter().map(|term| term.shown.clone()).collect()
            }
        },
        gaps: Vec::new(),
    };
    let sides = Sides { store, embedder, project, text: &text, query: &query, mode: request.mode };
    let mut looked = sides.ask(bases, first_depth(request.top_k), request.max_distance)?;
    loop {
        let found = Candidates::gather(&sides, &looked, request)?;
        let wanted = request.top_k as usize;
        let kept = if reranking.is_some() { wanted.max(Reranking::MAX_CANDIDATES) } else { wanted };
        let hits = distinct(found, kept)?;
        let is_filled = hits.len() >= wanted;
        if is_filled || looked.is_exhausted() {
            outcome.hits = hits;
            break;
        }
        looked = sides.ask_deeper(looked, request.max_distance)?;
    }
    outcome.gaps = looked.gaps();
    if let Some(reranking) = reranking {
        reranking.reorder(&text, &mut outcome.hits);
    }
    outcome.hits.truncate(request.top_k as usize);
    settle_distances(&sides, &looked, &mut outcome.hits)?;
    for hit in &mut outcome.hits {
        explain(&query, hit);
    }
    Ok(outcome)
}

/// How many hits get their distance from the stored vectors: what the store answers exactly.
const SETTLED: usize = 32;

/// Gives the first hits the distance that the stored vectors have. Long lists may come from an index
/// that is right to a thousandth, which is enough for choosing and not for showing.
fn settle_distances(
    sides: &Sides<'_>,
    looked: &sides::Looked,
    hits: &mut [Hit],
) -> Result<(), KnowledgeError> {
    let (first, _) = hits.split_at_mut(hits.len().min(SETTLED));
    for answer in &looked.bases {
        let Some(vector) = &answer.vector else { continue };
        let of_base = |hit: &&mut Hit| hit.kb_id == answer.base.id;
        let ids: Vec<_> = first
            .iter()
            .filter(|hit| hit.kb_id == answer.base.id)
            .map(|hit| hit.chunk.id.clone())
            .collect();
        if ids.is_empty() {
            continue;
        }
        let settled = sides.store.distances(sides.project, &answer.base.id, &ids, vector);
        let settled = match settled.map_err(KnowledgeError::from) {
            // Its vectors went meanwhile.
            Err(error) if is_index_missing(&error) => continue,
            settled => settled?,
        };
        for exact in settled {
            let hit = first.iter_mut().filter(of_base).find(|hit| hit.chunk.id == exact.chunk_id);
            if let Some(hit) = hit {
                hit.distance = exact.distance;
            }
        }
    }
    Ok(())
}

/// Some more than wanted, so that near-duplicates do not leave places empty.
fn first_depth(top_k: u32) -> u32 {
    let depth = u32::try_from(DEPTH).unwrap_or(u32::MAX);
    depth.max(top_k.saturating_add(top_k / 4))
}

/// The best of what says the same, in order, `wanted` at most.
fn distinct(mut found: Candidates<'_>, wanted: usize) -> Result<Vec<Hit>, KnowledgeError> {
    let mut duplicates = Duplicates::default();
    let mut hits = Vec::new();
    while hits.len() < wanted
        && let Some(hit) = found.next()?
    {
        if duplicates.keep(&hit) {
            hits.push(hit);
        }
    }
    Ok(hits)
}

/// Which words of the question the passage has, and where.
fn explain(query: &Query, hit: &mut Hit) {
    let chunk = &hit.chunk;
    let found = query.matches(&hit.document_title, chunk.heading.as_deref(), &chunk.content);
    hit.matched_terms = found.terms;
    hit.matches = found.ranges;
}

fn checked_query(request: &SearchRequest) -> Result<&str, KnowledgeError> {
    let query = request.query.trim();
    if query.is_empty() {
        return Err(KnowledgeError::EmptyQuery);
    }
    let (top_k, limit) = (request.top_k, SearchRequest::MAX_TOP_K);
    if !(1..=limit).contains(&top_k) {
        return Err(KnowledgeError::InvalidTopK { top_k, limit });
    }
    match request.max_distance {
        Some(max_distance) if !(0.0..=2.0).contains(&max_distance) => {
            Err(KnowledgeError::InvalidDistance { max_distance })
        }
        _ => Ok(query),
    }
}

/// Checks that the vectors of a base and of an embedder can be compared.
pub(crate) fn ensure_same_model(
    base: &KnowledgeBase,
    embedder: &dyn Embedder,
) -> Result<(), KnowledgeError> {
    let description = embedder.description();
    if base.embedding_model_id == description.id && base.embedding_dim == description.dimension {
        return Ok(());
    }
    Err(KnowledgeError::ModelMismatch {
        base: base.name.clone(),
        expected: base.embedding_model_id.clone(),
        expected_dimension: base.embedding_dim,
        actual: description.id.clone(),
        actual_dimension: description.dimension,
    })
}

/// Whether it says that a base has lost its vectors.
fn is_index_missing(error: &KnowledgeError) -> bool {
    error.code() == ErrorCode::IndexMissing
}
