//! The search by vector.
//!
//! A search names one base and reads that base's own table, so no filter can leak: the base must
//! be of the project that asks, in the same transaction, or there is no search. vec0 compares
//! with every vector (there is no approximation to tune), but answers at most 4,096 neighbours
//! and leaves it open which of several equally near ones it takes last. Where either matters, an
//! exact scan of the same table answers instead.

use ancre_domain::{Hit, KnowledgeBase, KnowledgeBaseId, ProjectId, SourceKind};
use rusqlite::{Row, Transaction, params};

use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::{indexing, rows, vector_tables};

/// The most neighbours that vec0 answers.
const VEC0_MAX_K: u32 = 4_096;

/// The `k` ready chunks nearest to `vector`, at most at `max_distance`.
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
    vector_tables::require(transaction, &kb.id)?;
    if k == 0 {
        return Ok(Vec::new());
    }
    let vector = vector_tables::bytes(vector);
    let mut hits = match neighbours(transaction, &kb, &vector, k)? {
        Some(hits) => hits,
        None => scan(transaction, &kb, &vector, k)?,
    };
    if let Some(limit) = max_distance {
        hits.retain(|hit| hit.distance <= limit);
    }
    Ok(hits)
}

/// By vec0's own search; `None` when it cannot say exactly which are the first `k`.
fn neighbours(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    vector: &[u8],
    k: u32,
) -> Result<Option<Vec<Hit>>, Trouble> {
    // One more than wanted, to see whether the last one had an equal.
    let asked = k.saturating_add(1);
    if asked > VEC0_MAX_K {
        return Ok(None);
    }
    let near = format!(
        "SELECT chunk_id, distance FROM {} WHERE embedding MATCH ?1 AND k = ?2",
        vector_tables::name(&kb.id)
    );
    let mut hits = hits(transaction, kb, &near, vector, asked)?;
    if let [.., last, beyond] = hits.as_slice()
        && rows::length(hits.len()) == asked
        && last.distance >= beyond.distance
    {
        return Ok(None);
    }
    hits.truncate(k as usize);
    Ok(Some(hits))
}

/// By comparing with every vector of the base in plain SQL.
fn scan(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    vector: &[u8],
    k: u32,
) -> Result<Vec<Hit>, Trouble> {
    let near = format!(
        "SELECT chunk_id, vec_distance_l2(embedding, ?1) AS distance FROM {}
         ORDER BY distance, chunk_id LIMIT ?2",
        vector_tables::name(&kb.id)
    );
    hits(transaction, kb, &near, vector, k)
}

/// What the chunks found by `near` say, with their documents, nearest first.
fn hits(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    near: &str,
    vector: &[u8],
    k: u32,
) -> Result<Vec<Hit>, Trouble> {
    // MATERIALIZED keeps the planner from asking vec0 once for each chunk. Ids begin with the
    // time they were made, so of equally near chunks the older stands first.
    let sql = format!(
        "WITH near AS MATERIALIZED ({near})
         SELECT document_chunks.*, near.distance, documents.source_id, documents.title,
                documents.source_uri, documents.source_kind
         FROM near
         JOIN document_chunks ON document_chunks.id = near.chunk_id
         JOIN documents ON documents.id = document_chunks.document_id
         WHERE documents.kb_id = ?3 AND documents.status = 'ready'
         ORDER BY near.distance, document_chunks.id"
    );
    rows::all(transaction, &sql, params![vector, k, kb.id.as_str()], |row| read_hit(row, kb))
}

fn read_hit(row: &Row<'_>, kb: &KnowledgeBase) -> rusqlite::Result<Hit> {
    let l2: f64 = row.get("distance")?;
    // See `vector_tables` for why. Rounding may leave the range by a hair.
    let distance = (l2 * l2 / 2.0).clamp(0.0, 2.0);
    Ok(Hit {
        chunk: indexing::read_chunk(row)?,
        kb_id: kb.id.clone(),
        kb_name: kb.name.clone(),
        source_id: rows::id(row, "source_id")?,
        document_title: row.get("title")?,
        source_uri: row.get("source_uri")?,
        source_kind: rows::word(row, "source_kind", SourceKind::from_word)?,
        distance,
        score: 1.0 - distance,
    })
}
