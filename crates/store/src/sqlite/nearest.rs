//! The search by vector.
//!
//! A search names one base and reads the table of the generation that serves it; whether a chunk
//! may be seen (its base, its document ready and switched on) is a condition of the query itself,
//! and the base must be of the project that asks, in the same transaction.
//!
//! Neighbours are windows; what is asked for is chunks, by [`StoredDistances`] over all
//! their windows, which is never less than the distance of the best one. So the windows that vec0
//! answers, nearest first, lead to the chunks in question, and when the k-th of these is nearer
//! than any window that was not seen, the answer is exact. vec0 answers at most 4,096 neighbours;
//! where that is not enough, a scan of the same table answers. For a base that has grown, a
//! derived index ([`VectorIndexes`]) names the chunks in question instead.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ancre_domain::{ChunkId, Hit, IndexHealth, KnowledgeBase, KnowledgeBaseId, ProjectId};
use rusqlite::{Transaction, params};

use super::generations::{self, Generation};
use super::hits::{self, HitReader, StoredDistances};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::sight::{IS_VISIBLE, Sight};
use super::vector_indexes::{Distance, VectorIndexes};
use super::{rows, vector_tables};
use crate::traits::NearChunk;

/// The most neighbours that vec0 answers.
const VEC0_MAX_K: u32 = 4_096;

/// The most chunks that an index is asked for; for more the table itself answers.
const MOST_FROM_INDEX: u32 = 1_000;

/// For up to so many chunks the distance is that of the stored vectors; for more it is that of a
/// derived index, where there is one, which is right to a thousandth. Reading a stored vector costs
/// tens of microseconds, since sqlite-vec keeps 1,024 of them in one value.
pub(super) const MOST_EXACT: u32 = 32;

/// A chunk and its distance.
type Near = (ChunkId, f64);

/// A window that vec0 answered, with its cosine distance.
struct Window {
    chunk: ChunkId,
    distance: f64,
    is_visible: bool,
}

/// Distances that were read.
struct Known<'t> {
    stored: StoredDistances<'t>,
    distances: HashMap<ChunkId, f64>,
}

impl Known<'_> {
    fn distance(&mut self, chunk: &ChunkId) -> Result<f64, Trouble> {
        if let Some(distance) = self.distances.get(chunk) {
            return Ok(*distance);
        }
        let distance = self.stored.of(chunk)?;
        self.distances.insert(chunk.clone(), distance);
        Ok(distance)
    }
}

/// The `k` visible chunks nearest to `vector`, at most at `max_distance`.
pub(super) fn search(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    vector: &[f32],
    k: u32,
    max_distance: Option<f64>,
) -> Result<Vec<Hit>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let near = within(transaction, indexes, &kb, &generation, vector, k, max_distance)?;
    let mut reader = HitReader::new(transaction, &kb, &generation)?;
    let mut found = Vec::with_capacity(near.len());
    for (chunk, distance) in near {
        if let Some(mut hit) = reader.find(&chunk)? {
            hit.distance = distance;
            hit.score = 1.0 - distance;
            found.push(hit);
        }
    }
    Ok(found)
}

/// As [`search`], without what the chunks say.
pub(super) fn chunks(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    vector: &[f32],
    k: u32,
    max_distance: Option<f64>,
) -> Result<Vec<NearChunk>, Trouble> {
    let kb = require_knowledge_base(transaction, project, kb)?;
    let generation = generations::serving(transaction, &kb)?;
    let near = within(transaction, indexes, &kb, &generation, vector, k, max_distance)?;
    let near = near.into_iter().map(|(chunk_id, distance)| NearChunk { chunk_id, distance });
    Ok(near.collect())
}

/// The `k` visible chunks nearest to `vector`, as far as they are not farther than wanted.
fn within(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    kb: &KnowledgeBase,
    generation: &Generation,
    vector: &[f32],
    k: u32,
    max_distance: Option<f64>,
) -> Result<Vec<Near>, Trouble> {
    vector_tables::require_fit(vector, kb.embedding_dim)?;
    vector_tables::require(transaction, &generation.vectors)?;
    if k == 0 {
        return Ok(Vec::new());
    }
    let near = near(transaction, indexes, generation, vector, k);
    let mut near = near.map_err(|trouble| unreadable(transaction, generation, trouble))?;
    if let Some(limit) = max_distance {
        near.truncate(near.partition_point(|(_, distance)| *distance <= limit));
    }
    Ok(near)
}

/// The `k` nearest, from whatever can tell.
fn near(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    generation: &Generation,
    vector: &[f32],
    k: u32,
) -> Result<Vec<Near>, Trouble> {
    if let Some(near) = from_index(transaction, indexes, generation, vector, k)? {
        return Ok(near);
    }
    let bytes = vector_tables::bytes(vector);
    match neighbours(transaction, generation, &bytes, k)? {
        Some(near) => Ok(near),
        None => scan(transaction, generation, &bytes, k),
    }
}

/// By the base's derived index and the stored vectors of the chunks that it names; `None` when it
/// has no index, or not enough of what the index names may be seen.
fn from_index(
    transaction: &Transaction<'_>,
    indexes: &VectorIndexes,
    generation: &Generation,
    vector: &[f32],
    k: u32,
) -> Result<Option<Vec<Near>>, Trouble> {
    if k > MOST_FROM_INDEX {
        return Ok(None);
    }
    // That much further down stand those that the index may have misplaced.
    let count = k as usize + (k as usize / 2).max(10);
    let Some(candidates) = indexes.candidates(transaction, generation, vector, count)? else {
        return Ok(None);
    };
    let bytes = vector_tables::bytes(vector);
    let mut stored = StoredDistances::new(transaction, generation, bytes)?;
    let mut candidates = candidates
        .chunks
        .into_iter()
        .map(|(chunk, distance)| {
            let distance = match distance {
                Distance::Exactly(exactly) => exactly,
                Distance::About(about) if k > MOST_EXACT => about,
                Distance::About(_) | Distance::Unknown => stored.of(&chunk)?,
            };
            Ok((chunk, distance))
        })
        .collect::<Result<Vec<Near>, Trouble>>()?;
    candidates.sort_unstable_by(nearer);
    // Beside a writer there may be thousands, most of them far: not all need be looked up.
    let mut near = Vec::with_capacity(k as usize);
    let mut sight = Sight::new(transaction, generation);
    for (chunk, distance) in candidates {
        if near.len() >= k as usize {
            break;
        }
        if sight.sees(&chunk)? {
            near.push((chunk, distance));
        }
    }
    if near.len() < k as usize {
        return Ok(None);
    }
    Ok(Some(near))
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
    let mut asked = k.saturating_mul(4).saturating_add(64);
    if k < VEC0_MAX_K {
        asked = asked.min(VEC0_MAX_K);
    }
    let mut known = Known {
        stored: StoredDistances::new(transaction, generation, vector.to_vec())?,
        distances: HashMap::new(),
    };
    while asked <= VEC0_MAX_K {
        let windows = windows(transaction, generation, vector, asked)?;
        let is_everything = rows::length(windows.len()) < asked;
        let last_seen = windows.last().map(|window| window.distance);
        let near = by_all_windows(&windows, k, &mut known)?;
        let last_wanted = near.get(k as usize - 1).map(|(_, distance)| *distance);
        // No window that was not seen is nearer than the last that was, and no chunk nearer than
        // its best window.
        if is_everything || (last_wanted.is_some() && last_wanted < last_seen) {
            return Ok(Some(near));
        }
        if asked == VEC0_MAX_K {
            break;
        }
        asked = asked.saturating_mul(8).min(VEC0_MAX_K);
    }
    Ok(None)
}

/// The `k` nearest visible chunks among those of `windows`, which stand in order.
fn by_all_windows(windows: &[Window], k: u32, known: &mut Known<'_>) -> Result<Vec<Near>, Trouble> {
    let mut seen = HashSet::new();
    let mut near: Vec<Near> = Vec::new();
    for window in windows {
        if !window.is_visible || !seen.insert(&window.chunk) {
            continue;
        }
        if let Some((_, last)) = near.get(k as usize - 1)
            && *last < window.distance
        {
            break;
        }
        let distance = known.distance(&window.chunk)?;
        let chunk = (window.chunk.clone(), distance);
        let place = near.partition_point(|other| nearer(other, &chunk).is_lt());
        near.insert(place, chunk);
        near.truncate(k as usize);
    }
    Ok(near)
}

/// Of equally near chunks the older stands first: ids begin with the time they were made.
fn nearer(one: &Near, other: &Near) -> Ordering {
    one.1.total_cmp(&other.1).then_with(|| one.0.cmp(&other.0))
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
            distance: hits::cosine_distance(row.get("distance")?),
            is_visible: row.get("is_visible")?,
        })
    })?;
    windows.sort_by(|one, other| {
        one.distance.total_cmp(&other.distance).then_with(|| one.chunk.cmp(&other.chunk))
    });
    Ok(windows)
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
        "WITH windows AS (
             SELECT substr(chunk_id, 1, 32) AS chunk, vec_distance_l2(embedding, ?1) AS l2
             FROM {table}
         )
         SELECT document_chunks.id, (min(l2 * l2) + avg(l2 * l2)) / 4 AS distance
         FROM windows
         CROSS JOIN document_chunks ON document_chunks.id = windows.chunk
         CROSS JOIN documents ON documents.id = document_chunks.document_id
         WHERE {IS_VISIBLE}
         GROUP BY document_chunks.id ORDER BY distance, document_chunks.id LIMIT ?2",
        table = generation.vectors.name()
    );
    let parameters = params![vector, k, generation.kb.as_str(), generation.number];
    rows::all(transaction, &sql, parameters, |row| Ok((rows::id(row, "id")?, row.get("distance")?)))
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
