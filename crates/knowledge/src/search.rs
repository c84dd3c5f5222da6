//! A question in, the nearest chunks out.
//!
//! The search sees the bases it is given and nothing else; the filter is inside the store's
//! query. Ranking by words and the fusion of both ranks are not here yet.

use std::collections::BTreeSet;

use ancre_domain::{Hit, KnowledgeBase, KnowledgeBaseId, ProjectId};
use ancre_extract::fold_for_index;
use ancre_models::Embedder;
use ancre_store::traits::Store;

use crate::KnowledgeError;

/// What is looked for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    /// The question, in the words of whoever asks.
    pub query: String,
    /// The bases to look in; one that is named twice is searched once.
    pub kb_ids: Vec<KnowledgeBaseId>,
    /// The most hits that are wanted, 1 to [`Self::MAX_TOP_K`].
    pub top_k: u32,
    /// Only hits at most this far from the question: a cosine distance in [0, 2].
    pub max_distance: Option<f64>,
}

impl SearchRequest {
    /// How many hits are given where nobody says how many.
    pub const DEFAULT_TOP_K: u32 = 6;
    /// The most hits that one search gives.
    pub const MAX_TOP_K: u32 = 10_000;

    /// A search with the default number of hits and no limit of distance.
    pub fn new(query: impl Into<String>, kb_ids: Vec<KnowledgeBaseId>) -> Self {
        Self { query: query.into(), kb_ids, top_k: Self::DEFAULT_TOP_K, max_distance: None }
    }
}

/// The chunks of the bases that are nearest to the question, nearest first; of equally near ones
/// the older first. The question is embedded once, however many bases there are.
///
/// # Errors
///
/// [`KnowledgeError::EmptyQuery`], [`KnowledgeError::InvalidTopK`] and
/// [`KnowledgeError::InvalidDistance`] for a request that cannot be answered; a
/// [`StoreError::NotFound`](ancre_store::StoreError::NotFound) for a base that is not in this
/// project; [`KnowledgeError::ModelMismatch`] for a base of another embedder; what the store or
/// the embedder says.
pub fn search(
    store: &dyn Store,
    embedder: &dyn Embedder,
    project: &ProjectId,
    request: &SearchRequest,
) -> Result<Vec<Hit>, KnowledgeError> {
    let query = checked_query(request)?;
    let kb_ids: BTreeSet<&KnowledgeBaseId> = request.kb_ids.iter().collect();
    for id in &kb_ids {
        ensure_same_model(&store.knowledge_base(project, id)?, embedder)?;
    }
    if kb_ids.is_empty() {
        return Ok(Vec::new());
    }
    let vector = embedder.embed_query(&fold_for_index(query))?.vector;
    let mut hits = Vec::new();
    for id in kb_ids {
        hits.extend(store.nearest(project, id, &vector, request.top_k, request.max_distance)?);
    }
    hits.sort_by(|one, other| {
        one.distance.total_cmp(&other.distance).then_with(|| one.chunk.id.cmp(&other.chunk.id))
    });
    hits.truncate(request.top_k as usize);
    Ok(hits)
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
