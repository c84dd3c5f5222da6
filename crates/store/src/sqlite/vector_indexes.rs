//! Indexes derived from the vector tables of bases that have grown.
//!
//! A base of few vectors is compared with as a whole. For a larger one an index is made in the
//! background from the table; until it is there, and whenever anything is wrong with it, the table
//! answers. Nothing tells an index of changes: sqlite-vec numbers its rows upward and never twice,
//! so what came after the index was made is found by its number and looked at beside it, and what
//! went is missing when it is looked up. When much has changed, a copy of the index, which shares
//! all that did not change, is brought up to date and takes its place. So a search never waits.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use ancre_domain::ChunkId;
use rusqlite::{Connection, Transaction};

use super::derived::{Derived, Shelf, TableKey};
use super::generations::Generation;
use super::place::Trouble;
use super::rows;
use super::vector_blocks::{self, Position, VectorBlocks};
use super::vector_tables::VectorTable;
use crate::vector_index::{ChunkKey, SAMPLE, VectorIndex, similarity};

/// From so many vectors on a base gets an index. The table compares with that many in a moment, but
/// looking up all windows of the hundred chunks that a fusion reads takes it tens of microseconds
/// each. The index of a small base has the vectors as they are and is exact.
const INDEX_FROM: i64 = 256;

/// So many vectors that came after an index was made are compared beside it, which takes some
/// milliseconds; more, and the table answers until the index is up to date.
const MAX_NEW: usize = 4_096;

/// From so many changes on an index is brought up to date.
const REFRESH_FROM: i64 = 32;

/// How many vectors all indexes together may hold: about 0.9 GB with the default model. Beyond,
/// those that were not asked for the longest go.
const MAX_VECTORS: usize = 2_000_000;

/// How many vectors are added between two looks at whether the store is closing.
const BATCH: usize = 512;

/// The derived indexes of a store.
pub(super) struct VectorIndexes {
    shelf: Shelf<Made>,
}

/// Chunks that an index names.
pub(super) struct Candidates {
    /// Each with its distance.
    pub(super) chunks: HashMap<ChunkId, Distance>,
}

/// How far a chunk is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Distance {
    /// By its stored vectors, up to rounding.
    Exactly(f64),
    /// To a thousandth.
    About(f64),
    /// Not told by the index.
    Unknown,
}

/// An index, and up to where it knows its table.
#[derive(Clone)]
struct Made {
    index: VectorIndex,
    /// The last row that was read.
    last_row: i64,
    /// `index_generations.changes` when it was read.
    changes: i64,
}

impl Derived for Made {
    /// In vectors of a large index.
    fn weight(&self) -> usize {
        /// A code of a byte for each number, and the number itself in four.
        const WHOLE: usize = 5;
        self.index.len() * if self.index.is_exact() { WHOLE } else { 1 }
    }
}

impl Made {
    /// Adds what stands behind the last row that was read; `false` when the store closed before the
    /// end.
    fn read_on(
        &mut self,
        transaction: &Transaction<'_>,
        table: &VectorTable,
        is_closing: &AtomicBool,
    ) -> Result<bool, Trouble> {
        // Packing a table writes some windows of a chunk anew and leaves others where they are.
        let mut in_parts = BTreeSet::new();
        let is_whole = read(transaction, table, self.last_row, is_closing, |batch, row| {
            for windows in batch.chunk_by(|one, other| one.0 == other.0) {
                let Some((key, _)) = windows.first() else { continue };
                if self.index.has(*key) {
                    in_parts.insert(*key);
                }
                self.index.insert(*key, windows.iter().map(|(_, vector)| vector.as_slice()));
            }
            self.last_row = row;
        })?;
        let mut blocks = VectorBlocks::new(transaction, table)?;
        for key in in_parts {
            let windows = windows_of(transaction, table, &mut blocks, key)?;
            self.index.insert(key, windows.iter().map(Vec::as_slice));
        }
        Ok(is_whole)
    }
}

impl VectorIndexes {
    /// No index yet, of the tables of this database.
    pub(super) fn new(database: PathBuf) -> Self {
        Self { shelf: Shelf::new(database, MAX_VECTORS) }
    }

    /// The chunks among which the `count` nearest to `vector` nearly always are, in no order, with
    /// their distances. `None` when there is no index to ask; one is made then, if the base has grown enough.
    pub(super) fn candidates(
        &self,
        transaction: &Transaction<'_>,
        generation: &Generation,
        vector: &[f32],
        count: usize,
    ) -> Result<Option<Candidates>, Trouble> {
        let table = &generation.vectors;
        if !has_grown(transaction, table)? {
            return Ok(None);
        }
        let changes = changes(transaction, generation)?;
        let Some(made) = self.shelf.get(&key(generation)) else {
            self.make(generation);
            return Ok(None);
        };
        if changes.saturating_sub(made.changes) >= REFRESH_FROM {
            self.make(generation);
        }
        let new = new_windows(transaction, table, made.last_row)?;
        if new.values().map(Vec::len).sum::<usize>() > MAX_NEW {
            return Ok(None);
        }
        let found = made.index.search(vector, count);
        let told = |similarity| match made.index.is_exact() {
            true => Distance::Exactly(distance(similarity)),
            false => Distance::About(distance(similarity)),
        };
        let mut chunks: HashMap<ChunkId, Distance> = found
            .iter()
            .filter_map(|found| Some((chunk_id(found.key)?, told(found.similarity))))
            .collect();
        let mut blocks = VectorBlocks::new(transaction, table).ok();
        for (key, windows) in new {
            // One that the index has may have some windows there and some here.
            let similarity = if made.index.has(key) {
                None
            } else {
                blocks.as_mut().and_then(|blocks| similarity_of(blocks, vector, &windows).ok()?)
            };
            let exactly = similarity.map(|similarity| Distance::Exactly(distance(similarity)));
            chunks.extend(chunk_id(key).map(|chunk| (chunk, exactly.unwrap_or(Distance::Unknown))));
        }
        Ok(Some(Candidates { chunks }))
    }

    /// About the distances of these chunks from `vector`, as far as there is an index that has them;
    /// or exactly, as far as there is an index that can.
    pub(super) fn distances(
        &self,
        generation: &Generation,
        vector: &[f32],
        chunks: &[ChunkId],
        is_exact: bool,
    ) -> Vec<Option<f64>> {
        let made = self.shelf.get(&key(generation));
        let made = made.filter(|made| !is_exact || made.index.is_exact());
        let Some(made) = made else { return vec![None; chunks.len()] };
        // No chunk has the greatest of all numbers for its id.
        let number = |chunk: &ChunkId| chunk_key(chunk.as_str()).unwrap_or(ChunkKey::MAX);
        let keys: Vec<ChunkKey> = chunks.iter().map(number).collect();
        let similarities = made.index.similarities(vector, &keys);
        similarities.into_iter().map(|similarity| similarity.map(distance)).collect()
    }

    /// Makes an index or brings it up to date, in the background.
    fn make(&self, generation: &Generation) {
        let of = generation.clone();
        self.shelf.make(key(generation), move |transaction, old, is_closing| match old {
            Some(old) => brought_up_to_date(transaction, &of, old, is_closing),
            None => made_anew(transaction, &of, is_closing),
        });
    }

    /// What the tests look at.
    #[cfg(test)]
    pub(super) fn shelf(&self) -> &Shelf<impl Derived> {
        &self.shelf
    }

    /// How many vectors the indexes hold.
    #[cfg(test)]
    pub(super) fn vectors(&self) -> usize {
        self.shelf.all().iter().map(|made| made.index.len()).sum()
    }
}

fn key(generation: &Generation) -> TableKey {
    TableKey::new(generation, generation.vectors.name())
}

/// A copy of an index with what changed; `None` when the store closed meanwhile.
fn brought_up_to_date(
    transaction: &Transaction<'_>,
    generation: &Generation,
    old: &Made,
    is_closing: &AtomicBool,
) -> Result<Option<Made>, Trouble> {
    let table = &generation.vectors;
    let mut made = old.clone();
    made.changes = changes(transaction, generation)?;
    // Where everything that changed are new rows, nothing went.
    if new_rows(transaction, table, old.last_row)? != made.changes - old.changes {
        let there = chunks_there(transaction, table)?;
        for key in made.index.keys_not_in(&there) {
            made.index.remove(key);
        }
        if made.index.is_worn() {
            return made_anew(transaction, generation, is_closing);
        }
    }
    let is_whole = made.read_on(transaction, table, is_closing)?;
    Ok(is_whole.then_some(made))
}

fn made_anew(
    transaction: &Transaction<'_>,
    generation: &Generation,
    is_closing: &AtomicBool,
) -> Result<Option<Made>, Trouble> {
    let table = &generation.vectors;
    let changes = changes(transaction, generation)?;
    let sample = sample(transaction, table)?;
    let index = VectorIndex::of_sample(table.dimension as usize, &sample);
    drop(sample);
    let mut made = Made { index, last_row: 0, changes };
    let is_whole = made.read_on(transaction, table, is_closing)?;
    Ok(is_whole.then_some(made))
}

/// Hands over the vectors behind `after`, in order, by batches of whole chunks with the last row of
/// each; `false` when the store closed before the end.
fn read(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    after: i64,
    is_closing: &AtomicBool,
    mut take: impl FnMut(&[(ChunkKey, Vec<f32>)], i64),
) -> Result<bool, Trouble> {
    let mut blocks = VectorBlocks::new(transaction, table)?;
    let mut statement = transaction.prepare(&vector_blocks::rows_behind(table))?;
    let mut found = statement.query([after])?;
    let mut batch: Vec<(ChunkKey, Vec<f32>)> = Vec::with_capacity(BATCH + 64);
    let mut last_row = after;
    while let Some(row) = found.next()? {
        let Some(key) = row.get_ref(1)?.as_str().ok().and_then(chunk_key) else { continue };
        let is_new_chunk = batch.last().is_some_and(|(last, _)| *last != key);
        if batch.len() >= BATCH && is_new_chunk {
            if is_closing.load(Ordering::Relaxed) {
                return Ok(false);
            }
            take(&batch, last_row);
            batch.clear();
        }
        batch.push((key, blocks.vector(Position::of(row)?)?));
        last_row = row.get(0)?;
    }
    if !batch.is_empty() {
        take(&batch, last_row);
    }
    Ok(true)
}

/// Whether the table is large enough for an index: by the number of its last row, since counting
/// rows would read through all of them.
fn has_grown(transaction: &Transaction<'_>, table: &VectorTable) -> Result<bool, Trouble> {
    let sql = format!("SELECT max(rowid) FROM {}_rowids", table.name());
    let last: Option<Option<i64>> = rows::one(transaction, &sql, [], |row| row.get(0))?;
    Ok(last.flatten().is_some_and(|last| last >= INDEX_FROM))
}

fn changes(transaction: &Connection, generation: &Generation) -> Result<i64, Trouble> {
    let sql = "SELECT changes FROM index_generations WHERE kb_id = ?1 AND number = ?2";
    let mut statement = transaction.prepare_cached(sql)?;
    let mut found =
        statement.query(rusqlite::params![generation.kb.as_str(), generation.number])?;
    Ok(found.next()?.map(|row| row.get(0)).transpose()?.unwrap_or_default())
}

/// How many rows stand behind `after`.
fn new_rows(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    after: i64,
) -> Result<i64, Trouble> {
    let sql = format!("SELECT count(*) FROM {}_rowids WHERE rowid > ?1", table.name());
    Ok(rows::one(transaction, &sql, [after], |row| row.get(0))?.unwrap_or_default())
}

/// Where the windows of the rows behind `after` lie, by chunk: as many as are looked at, and one
/// more.
fn new_windows(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    after: i64,
) -> Result<BTreeMap<ChunkKey, Vec<Position>>, Trouble> {
    let sql = format!("{} LIMIT {}", vector_blocks::rows_behind(table), MAX_NEW + 1);
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut found = statement.query([after])?;
    let mut windows: BTreeMap<ChunkKey, Vec<Position>> = BTreeMap::new();
    while let Some(row) = found.next()? {
        let Some(key) = row.get_ref(1)?.as_str().ok().and_then(chunk_key) else { continue };
        windows.entry(key).or_default().push(Position::of(row)?);
    }
    Ok(windows)
}

/// How similar a chunk with these windows is to `vector`.
fn similarity_of(
    blocks: &mut VectorBlocks<'_>,
    vector: &[f32],
    windows: &[Position],
) -> Result<Option<f32>, Trouble> {
    let windows: Vec<Vec<f32>> =
        windows.iter().map(|window| blocks.vector(*window)).collect::<Result<_, _>>()?;
    Ok(similarity(vector, windows.iter().map(Vec::as_slice)))
}

/// Vectors from all over the table.
fn sample(transaction: &Transaction<'_>, table: &VectorTable) -> Result<Vec<Vec<f32>>, Trouble> {
    let name = table.name();
    let sql = format!("SELECT max(rowid) FROM {name}_rowids");
    let last: Option<i64> = transaction.query_row(&sql, [], |row| row.get(0))?;
    let last = last.unwrap_or_default();
    let step = (last / i64::try_from(SAMPLE).unwrap_or(i64::MAX)).max(1);
    let mut blocks = VectorBlocks::new(transaction, table)?;
    let mut statement = transaction.prepare(&format!(
        "SELECT rowid, id, chunk_id, chunk_offset FROM {name}_rowids WHERE rowid = ?1"
    ))?;
    let mut sample = Vec::new();
    let mut row = 1;
    while row <= last {
        if let Some(found) = statement.query([row])?.next()? {
            sample.push(blocks.vector(Position::of(found)?)?);
        }
        row += step;
    }
    Ok(sample)
}

/// Every chunk that has vectors.
fn chunks_there(
    transaction: &Connection,
    table: &VectorTable,
) -> Result<HashSet<ChunkKey>, Trouble> {
    let mut statement = transaction.prepare(&format!("SELECT id FROM {}_rowids", table.name()))?;
    let mut found = statement.query([])?;
    let mut there = HashSet::new();
    while let Some(row) = found.next()? {
        there.extend(row.get_ref(0)?.as_str().ok().and_then(chunk_key));
    }
    Ok(there)
}

/// The vectors of all windows of a chunk.
fn windows_of(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    blocks: &mut VectorBlocks<'_>,
    key: ChunkKey,
) -> Result<Vec<Vec<f32>>, Trouble> {
    // Behind the id stands nothing, or a point and a number; a slash is the next after a point.
    let sql = format!(
        "SELECT rowid, id, chunk_id, chunk_offset FROM {}_rowids
         WHERE id >= ?1 AND id < ?1 || '/' ORDER BY rowid",
        table.name()
    );
    let positions = rows::all(transaction, &sql, [format!("{key:032x}")], Position::of)?;
    positions.into_iter().map(|position| blocks.vector(position)).collect()
}

/// The chunk of a window's key, as a number.
fn chunk_key(key: &str) -> Option<ChunkKey> {
    ChunkKey::from_str_radix(key.get(..32)?, 16).ok()
}

fn distance(similarity: f32) -> f64 {
    (1.0 - f64::from(similarity)).clamp(0.0, 2.0)
}

fn chunk_id(key: ChunkKey) -> Option<ChunkId> {
    format!("{key:032x}").parse().ok()
}
