//! Chunks as a search shows them, and what stands around them.

use ancre_domain::{
    Chunk, ChunkId, Hit, KnowledgeBase, KnowledgeBaseId, Language, ProjectId, SourceKind,
};
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::generations::{self, Generation};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::{indexing, not_found, rows, vector_tables};

/// Whether the chunk and the document of a row may be seen by a search: they are of base `?3`, of
/// the generation `?4` that serves it, and the document is ready and switched on.
pub(super) const IS_VISIBLE: &str = "document_chunks.kb_id = ?3 \
     AND document_chunks.generation = ?4 AND documents.kb_id = ?3 \
     AND documents.status = 'ready' AND documents.is_enabled = 1";

/// The farthest that a chunk can be.
const FARTHEST: f64 = 2.0;

/// These chunks as hits, in the order given.
pub(super) fn of_chunks(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunks: &[ChunkId],
    vector: Option<&[f32]>,
) -> Result<Vec<Hit>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    if let Some(vector) = vector {
        vector_tables::require_fit(vector, kb.embedding_dim)?;
        vector_tables::require(transaction, &generation.vectors)?;
    }
    let vector = vector.map(vector_tables::bytes);
    let mut found = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let Some(mut hit) = find(transaction, &kb, &generation, chunk)? else { continue };
        if let Some(vector) = &vector {
            hit.distance = distance(transaction, &generation, chunk, vector)?;
            hit.score = 1.0 - hit.distance;
        }
        found.push(hit);
    }
    Ok(found)
}

/// A visible chunk, with neither distance nor score.
pub(super) fn find(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    generation: &Generation,
    chunk: &ChunkId,
) -> Result<Option<Hit>, Trouble> {
    let sql = format!(
        "SELECT document_chunks.*, documents.source_id, documents.title, documents.source_uri,
                documents.source_kind
         FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id
         WHERE document_chunks.id = ?1 AND ?2 IS NULL AND {IS_VISIBLE}"
    );
    let nothing: Option<u32> = None;
    let parameters = params![chunk.as_str(), nothing, kb.id.as_str(), generation.number];
    rows::one(transaction, &sql, parameters, |row| read(row, kb))
}

/// The cosine distance of two vectors of length 1. Rounding may leave the range by a hair.
pub(super) fn cosine_distance(l2: f64) -> f64 {
    // See `vector_tables` for why.
    (l2 * l2 / 2.0).clamp(0.0, FARTHEST)
}

/// The chunk itself and those of its document around it, in order.
pub(super) fn neighbours(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    chunk: &ChunkId,
    before: u32,
    after: u32,
) -> Result<Vec<Chunk>, Trouble> {
    let around = rows::all(
        transaction,
        "SELECT around.* FROM document_chunks AS centre
         JOIN knowledge_bases ON knowledge_bases.id = centre.kb_id
         JOIN document_chunks AS around
              ON around.document_id = centre.document_id AND around.generation = centre.generation
         WHERE centre.id = ?1 AND knowledge_bases.project_id = ?2 AND centre.windows > 0
           AND around.position BETWEEN centre.position - ?3 AND centre.position + ?4
         ORDER BY around.position",
        params![chunk.as_str(), project.as_str(), before, after],
        indexing::read_chunk,
    )?;
    if around.is_empty() { Err(not_found("passage", chunk.as_str())) } else { Ok(around) }
}

/// The cosine distance of a chunk's best window.
fn distance(
    transaction: &Transaction<'_>,
    generation: &Generation,
    chunk: &ChunkId,
    vector: &[u8],
) -> Result<f64, Trouble> {
    let sql = "SELECT windows FROM document_chunks WHERE id = ?1";
    let windows = rows::one(transaction, sql, [chunk.as_str()], |row| row.get(0))?;
    let sql = format!(
        "SELECT vec_distance_l2(embedding, ?2) FROM {} WHERE chunk_id = ?1",
        generation.vectors.name()
    );
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut nearest = f64::INFINITY;
    for key in vector_tables::keys(chunk, windows.unwrap_or_default()) {
        let l2 = statement.query_row(params![key, vector], |row| row.get(0)).optional()?;
        nearest = nearest.min(l2.unwrap_or(f64::INFINITY));
    }
    Ok(cosine_distance(nearest))
}

fn read(row: &Row<'_>, kb: &KnowledgeBase) -> rusqlite::Result<Hit> {
    Ok(Hit {
        chunk: indexing::read_chunk(row)?,
        kb_id: kb.id.clone(),
        kb_name: kb.name.clone(),
        source_id: rows::id(row, "source_id")?,
        document_title: row.get("title")?,
        source_uri: row.get("source_uri")?,
        source_kind: rows::word(row, "source_kind", SourceKind::from_word)?,
        language: rows::optional_word(row, "language", Language::from_code)?,
        distance: FARTHEST,
        score: 0.0,
        vector_rank: None,
        lexical_rank: None,
        lexical_score: None,
        matched_terms: Vec::new(),
        matches: Vec::new(),
    })
}
