//! Chunks as a search shows them, and what stands around them.

use ancre_domain::{
    Chunk, ChunkId, Hit, KnowledgeBase, KnowledgeBaseId, Language, ProjectId, SourceKind,
};
use rusqlite::{CachedStatement, OptionalExtension, Row, Transaction, params};

use super::generations::{self, Generation};
use super::knowledge_bases::require_knowledge_base;
use super::nearest::MOST_EXACT;
use super::place::Trouble;
use super::sight::{IS_VISIBLE, Sight};
use super::vector_indexes::VectorIndexes;
use super::{indexing, not_found, rows, vector_tables};
use crate::traits::NearChunk;

/// The farthest that a chunk can be.
const FARTHEST: f64 = 2.0;

/// These chunks as hits, in the order given.
pub(super) fn of_chunks(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunks: &[ChunkId],
    vector: Option<&[f32]>,
) -> Result<Vec<Hit>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let mut distances = match vector {
        Some(vector) => {
            Some(Distances::of(transaction, indexes, &kb, &generation, chunks, vector)?)
        }
        None => None,
    };
    let mut reader = HitReader::new(transaction, &kb, &generation)?;
    let mut found = Vec::with_capacity(chunks.len());
    for (at, chunk) in chunks.iter().enumerate() {
        let Some(mut hit) = reader.find(chunk)? else { continue };
        if let Some(distances) = &mut distances {
            hit.distance = distances.at(at, chunk)?;
            hit.score = 1.0 - hit.distance;
        }
        found.push(hit);
    }
    Ok(found)
}

/// The visible ones of these chunks with their distances, in the order given.
pub(super) fn distances(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    chunks: &[ChunkId],
    vector: &[f32],
) -> Result<Vec<NearChunk>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let mut distances = Distances::of(transaction, indexes, &kb, &generation, chunks, vector)?;
    let mut sight = Sight::new(transaction, &generation);
    let mut found = Vec::with_capacity(chunks.len());
    for (at, chunk) in chunks.iter().enumerate() {
        if sight.sees(chunk)? {
            let distance = distances.at(at, chunk)?;
            found.push(NearChunk { chunk_id: chunk.clone(), distance });
        }
    }
    Ok(found)
}

/// How far given chunks are from a vector: few by their stored vectors, many by an index.
struct Distances<'t> {
    stored: StoredDistances<'t>,
    about: Vec<Option<f64>>,
}

impl<'t> Distances<'t> {
    fn of(
        transaction: &'t Transaction<'t>,
        indexes: &VectorIndexes,
        kb: &KnowledgeBase,
        generation: &Generation,
        chunks: &[ChunkId],
        vector: &[f32],
    ) -> Result<Self, Trouble> {
        vector_tables::require_fit(vector, kb.embedding_dim)?;
        vector_tables::require(transaction, &generation.vectors)?;
        let is_exact = chunks.len() <= MOST_EXACT as usize;
        let about = indexes.distances(generation, vector, chunks, is_exact);
        let bytes = vector_tables::bytes(vector);
        Ok(Self { stored: StoredDistances::new(transaction, generation, bytes)?, about })
    }

    fn at(&mut self, at: usize, chunk: &ChunkId) -> Result<f64, Trouble> {
        match self.about.get(at) {
            Some(Some(about)) => Ok(*about),
            _ => self.stored.of(chunk),
        }
    }
}

/// Reads chunks of a base, one after the other.
pub(super) struct HitReader<'t> {
    kb: &'t KnowledgeBase,
    generation: u32,
    chunk: CachedStatement<'t>,
}

impl<'t> HitReader<'t> {
    /// Of this generation of a base.
    pub(super) fn new(
        transaction: &'t Transaction<'t>,
        kb: &'t KnowledgeBase,
        generation: &Generation,
    ) -> Result<Self, Trouble> {
        let chunk = transaction.prepare_cached(&format!(
            "SELECT document_chunks.*, documents.source_id, documents.title, documents.source_uri,
                    documents.source_kind
             FROM document_chunks JOIN documents ON documents.id = document_chunks.document_id
             WHERE document_chunks.id = ?1 AND ?2 IS NULL AND {IS_VISIBLE}"
        ))?;
        Ok(Self { kb, generation: generation.number, chunk })
    }

    /// A visible chunk, with neither distance nor score.
    pub(super) fn find(&mut self, chunk: &ChunkId) -> Result<Option<Hit>, Trouble> {
        let nothing: Option<u32> = None;
        let parameters = params![chunk.as_str(), nothing, self.kb.id.as_str(), self.generation];
        Ok(self.chunk.query_row(parameters, |row| read(row, self.kb)).optional()?)
    }
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

/// The distances of chunks from one vector, by their stored vectors.
///
/// That of a chunk is the mean of that of its best window and that of all its windows. The best
/// window alone favours a chunk of which one sentence comes near by chance; the mean alone favours
/// those that say one thing only. Half of each ranks better than either, see `docs/decisions/0013`.
/// For a chunk of one window it is that one's cosine distance. The farthest for a chunk without
/// windows.
pub(super) struct StoredDistances<'t> {
    vector: Vec<u8>,
    windows: CachedStatement<'t>,
    distance: CachedStatement<'t>,
}

impl<'t> StoredDistances<'t> {
    /// From the vector that these bytes are.
    pub(super) fn new(
        transaction: &'t Transaction<'t>,
        generation: &Generation,
        vector: Vec<u8>,
    ) -> Result<Self, Trouble> {
        let windows = "SELECT windows FROM document_chunks WHERE id = ?1";
        let distance = format!(
            "SELECT vec_distance_l2(embedding, ?2) FROM {} WHERE chunk_id = ?1",
            generation.vectors.name()
        );
        Ok(Self {
            vector,
            windows: transaction.prepare_cached(windows)?,
            distance: transaction.prepare_cached(&distance)?,
        })
    }

    /// How far this chunk is.
    pub(super) fn of(&mut self, chunk: &ChunkId) -> Result<f64, Trouble> {
        let windows = self.windows.query_row([chunk.as_str()], |row| row.get(0)).optional()?;
        let (mut best, mut sum, mut count) = (FARTHEST, 0.0, 0_u32);
        for key in vector_tables::keys(chunk, windows.unwrap_or_default()) {
            let parameters = params![key, self.vector];
            let l2: Option<f64> =
                self.distance.query_row(parameters, |row| row.get(0)).optional()?;
            if let Some(l2) = l2 {
                let distance = cosine_distance(l2);
                best = best.min(distance);
                sum += distance;
                count += 1;
            }
        }
        Ok(if count == 0 { FARTHEST } else { f64::midpoint(best, sum / f64::from(count)) })
    }
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
