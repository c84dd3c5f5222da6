//! The search by vector.
//!
//! A search names one base and reads the table of the generation that serves it; whether a chunk
//! may be seen (its base, its document ready and switched on) is a condition of the query itself,
//! and the base must be of the project that asks, in the same transaction. vec0 compares with
//! every vector (there is no approximation to tune), but answers at most 4,096 neighbours and
//! leaves it open which of several equally near ones it takes last. Where either matters, an exact
//! scan of the same table answers instead.
//!
//! Neighbours are windows; what is asked for is chunks, by the best of their windows.

use std::collections::HashSet;

use ancre_domain::{ChunkId, Hit, IndexHealth, KnowledgeBase, KnowledgeBaseId, ProjectId};
use rusqlite::{Transaction, params};

use super::generations::{self, Generation};
use super::hits::{self, IS_VISIBLE};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::{rows, vector_tables};

/// The most neighbours that vec0 answers.
const VEC0_MAX_K: u32 = 4_096;

/// A chunk and the L2 distance of its best window.
type Near = (ChunkId, f64);

/// A window that vec0 answered.
struct Window {
    chunk: ChunkId,
    l2: f64,
    is_visible: bool,
}

/// The `k` visible chunks nearest to `vector`, at most at `max_distance`.
pub(super) fn search(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    vector: &[f32],
    k: u32,
    max_distance: Option<f64>,
) -> Result<Vec<Hit>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    vector_tables::require_fit(vector, kb.embedding_dim)?;
    let generation = generations::serving(transaction, &kb)?;
    vector_tables::require(transaction, &generation.vectors)?;
    if k == 0 {
        return Ok(Vec::new());
    }
    let vector = vector_tables::bytes(vector);
    let near = match neighbours(transaction, &generation, &vector, k) {
        Ok(Some(near)) => near,
        Ok(None) => scan(transaction, &generation, &vector, k)?,
        Err(trouble) => return Err(unreadable(transaction, &generation, trouble)),
    };
    load(transaction, &kb, &generation, near, max_distance)
}

/// By vec0's own search; `None` when it cannot say exactly which are the first `k`.
fn neighbours(
    transaction: &Transaction<'_>,
    generation: &Generation,
    vector: &[u8],
    k: u32,
) -> Result<Option<Vec<Near>>, Trouble> {
    // More than wanted, because a chunk has several windows, and to see whether the last one has
    // an equal beyond; as long as it does (the same paragraph in many documents), ask for more, so
    // that the order decides which stay.
    let mut asked = k.saturating_mul(3).saturating_add(8);
    if k < VEC0_MAX_K {
        asked = asked.min(VEC0_MAX_K);
    }
    while asked <= VEC0_MAX_K {
        let windows = windows(transaction, generation, vector, asked)?;
        let is_everything = rows::length(windows.len()) < asked;
        let last_seen = windows.last().map(|window| window.l2);
        let mut near = best_of_each(windows);
        let last_wanted = near.get(k as usize - 1).map(|(_, l2)| *l2);
        // What has not been seen is at least as far as the last that was.
        if is_everything || (last_wanted.is_some() && last_wanted < last_seen) {
            near.truncate(k as usize);
            return Ok(Some(near));
        }
        if asked == VEC0_MAX_K {
            break;
        }
        asked = asked.saturating_mul(8).min(VEC0_MAX_K);
    }
    Ok(None)
}

/// The `asked` nearest windows of the table, nearest first; of equally near ones those of the
/// older chunk first.
fn windows(
    transaction: &Transaction<'_>,
    generation: &Generation,
    vector: &[u8],
    asked: u32,
) -> Result<Vec<Window>, Trouble> {
    // MATERIALIZED keeps the planner from asking vec0 once for each chunk.
    let sql = format!(
        "WITH near AS MATERIALIZED (
             SELECT substr(chunk_id, 1, 32) AS chunk_id, distance FROM {table}
             WHERE embedding MATCH ?1 AND k = ?2
         )
         SELECT near.chunk_id, near.distance, EXISTS (
             SELECT 1 FROM document_chunks
             JOIN documents ON documents.id = document_chunks.document_id
             WHERE document_chunks.id = near.chunk_id AND {IS_VISIBLE}
         ) AS is_visible
         FROM near",
        table = generation.vectors.name()
    );
    let parameters = params![vector, asked, generation.kb.as_str(), generation.number];
    let mut windows = rows::all(transaction, &sql, parameters, |row| {
        Ok(Window {
            chunk: rows::id(row, "chunk_id")?,
            l2: row.get("distance")?,
            is_visible: row.get("is_visible")?,
        })
    })?;
    // Ids begin with the time they were made.
    windows.sort_by(|a, b| a.l2.total_cmp(&b.l2).then_with(|| a.chunk.cmp(&b.chunk)));
    Ok(windows)
}

/// The visible chunks of windows that stand in order, each at its best.
fn best_of_each(windows: Vec<Window>) -> Vec<Near> {
    let mut seen = HashSet::new();
    windows
        .into_iter()
        .filter(|window| window.is_visible && seen.insert(window.chunk.clone()))
        .map(|window| (window.chunk, window.l2))
        .collect()
}

/// By comparing with every vector of the base in plain SQL: some ten times slower.
fn scan(
    transaction: &Transaction<'_>,
    generation: &Generation,
    vector: &[u8],
    k: u32,
) -> Result<Vec<Near>, Trouble> {
    // CROSS JOIN fixes the order: no index leads from a chunk to its windows.
    let sql = format!(
        "SELECT document_chunks.id, min(vec_distance_l2(vectors.embedding, ?1)) AS distance
         FROM {table} AS vectors
         CROSS JOIN document_chunks ON document_chunks.id = substr(vectors.chunk_id, 1, 32)
         CROSS JOIN documents ON documents.id = document_chunks.document_id
         WHERE {IS_VISIBLE}
         GROUP BY document_chunks.id ORDER BY distance, document_chunks.id LIMIT ?2",
        table = generation.vectors.name()
    );
    let parameters = params![vector, k, generation.kb.as_str(), generation.number];
    rows::all(transaction, &sql, parameters, |row| Ok((rows::id(row, "id")?, row.get("distance")?)))
}

fn load(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    generation: &Generation,
    near: Vec<Near>,
    max_distance: Option<f64>,
) -> Result<Vec<Hit>, Trouble> {
    let mut found = Vec::with_capacity(near.len());
    for (chunk, l2) in near {
        let distance = hits::cosine_distance(l2);
        if max_distance.is_some_and(|limit| distance > limit) {
            break;
        }
        if let Some(mut hit) = hits::find(transaction, kb, generation, &chunk)? {
            hit.distance = distance;
            hit.score = 1.0 - distance;
            found.push(hit);
        }
    }
    Ok(found)
}

/// A table that vec0 cannot read, because its parts are gone, is as good as missing.
fn unreadable(transaction: &Transaction<'_>, generation: &Generation, trouble: Trouble) -> Trouble {
    let is_of_vec0 = matches!(
        &trouble,
        Trouble::Sqlite(rusqlite::Error::SqliteFailure(error, _))
            if error.code == rusqlite::ErrorCode::Unknown
    );
    if !is_of_vec0 {
        return trouble;
    }
    match vector_tables::missing(transaction, &generation.vectors, IndexHealth::VectorsMissing) {
        Ok(error) => error.into(),
        Err(_) => trouble,
    }
}
