//! Indexes derived from the vector tables of bases that have grown.
//!
//! A base of few vectors is compared with as a whole. For a larger one an index is made in the
//! background, by a thread that reads the table; until it is there, and whenever anything is wrong
//! with it, the table answers. Nothing tells an index of changes: sqlite-vec numbers its rows
//! upward and never twice, so what came after the index was made is found by its number and looked
//! at beside it, and what went is missing when it is looked up. When much has changed, the thread
//! brings the index up to date: a copy of it, which shares all that did not change and takes the
//! place of the old one when it is whole. So a search never waits for that, whatever it takes. All
//! of it is memory; nothing here is ever written.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use ancre_domain::ChunkId;
use rusqlite::{Connection, Transaction};

use super::connections::{lock, open_reader};
use super::generations::Generation;
use super::place::Trouble;
use super::rows;
use super::vector_tables::{VectorTable, float_numbers};
use crate::vector_index::{ChunkKey, SAMPLE, VectorIndex};

/// From so many vectors on a base gets an index. The table compares with that many in a moment, but
/// looking up all windows of the hundred chunks that a fusion reads takes it tens of microseconds
/// each. The index of a small base has the vectors as they are and is exact.
const INDEX_FROM: i64 = 256;

/// So many vectors that came after an index was made are looked at one by one; more, and the table
/// answers until the index is up to date.
const MAX_NEW: u32 = 1_000;

/// From so many changes on an index is brought up to date.
const REFRESH_FROM: i64 = 32;

/// How many vectors all indexes together may hold: about 0.9 GB with the default model. Beyond,
/// those that were not asked for the longest go.
const MAX_VECTORS: usize = 2_000_000;

/// How many vectors are added between two looks at whether the store is closing.
const BATCH: usize = 512;

/// The derived indexes of a store.
pub(super) struct VectorIndexes {
    shared: Arc<Shared>,
    makers: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    database: PathBuf,
    shelf: Mutex<HashMap<TableKey, Arc<Entry>>>,
    is_closing: AtomicBool,
    /// Counts searches, to tell which index was not asked for the longest.
    clock: AtomicU64,
    /// Where the next index that is brought up to date stops twice: when it has begun, and until it
    /// may go on.
    #[cfg(test)]
    pause: Mutex<Option<Arc<std::sync::Barrier>>>,
}

/// Chunks that an index names.
pub(super) struct Candidates {
    /// Each with about its distance; none for those that came after the index.
    pub(super) chunks: HashMap<ChunkId, Option<f64>>,
    /// Whether the distances are those of the stored vectors, up to rounding.
    pub(super) is_exact: bool,
}

/// A table of one generation. Names may come again after a generation was given up; the time at
/// which it was made does not.
type TableKey = (String, i64);

#[derive(Default)]
struct Entry {
    /// Locked for as long as it takes to copy or replace a pointer, never while anything is read or
    /// compared.
    made: Mutex<Option<Arc<Made>>>,
    is_being_made: AtomicBool,
    last_use: AtomicU64,
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

impl VectorIndexes {
    /// No index yet, of the tables of this database.
    pub(super) fn new(database: PathBuf) -> Self {
        let shared = Shared {
            database,
            shelf: Mutex::default(),
            is_closing: AtomicBool::new(false),
            clock: AtomicU64::new(0),
            #[cfg(test)]
            pause: Mutex::default(),
        };
        Self { shared: Arc::new(shared), makers: Mutex::default() }
    }

    /// The chunks among which the `count` nearest to `vector` nearly always are, in no order, with
    /// about their distances; those that came after the index have none. `None` when there is no
    /// index to ask; one is made then, if the base has grown enough.
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
        let entry = self.entry(generation);
        let changes = changes(transaction, generation)?;

        let Some(made) = entry.made() else {
            self.make(generation, &entry);
            return Ok(None);
        };
        if changes.saturating_sub(made.changes) >= REFRESH_FROM {
            self.make(generation, &entry);
        }
        let new = new_chunks(transaction, table, made.last_row)?;
        if rows::length(new.len()) > MAX_NEW {
            return Ok(None);
        }
        let found = made.index.search(vector, count);
        let mut chunks: HashMap<ChunkId, Option<f64>> = found
            .iter()
            .filter_map(|found| Some((chunk_id(found.key)?, Some(distance(found.similarity)))))
            .collect();
        // A document that came after the index may stand in it with a part of its windows.
        chunks.extend(new.into_iter().map(|chunk| (chunk, None)));
        Ok(Some(Candidates { chunks, is_exact: made.index.is_exact() }))
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
        let entry = self.entry(generation);
        let made = entry.made().filter(|made| !is_exact || made.index.is_exact());
        let Some(made) = made else { return vec![None; chunks.len()] };
        // No chunk has the greatest of all numbers for its id.
        let key = |chunk: &ChunkId| chunk_key(chunk.as_str()).unwrap_or(ChunkKey::MAX);
        let keys: Vec<ChunkKey> = chunks.iter().map(key).collect();
        let similarities = made.index.similarities(vector, &keys);
        similarities.into_iter().map(|similarity| similarity.map(distance)).collect()
    }

    fn entry(&self, generation: &Generation) -> Arc<Entry> {
        let key = (generation.vectors.name().to_owned(), generation.created_at.as_millis());
        let entry = Arc::clone(lock(&self.shared.shelf).entry(key).or_default());
        entry.last_use.store(self.shared.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        entry
    }

    /// Makes an index or brings it up to date, in the background, unless that is going on.
    fn make(&self, generation: &Generation, entry: &Arc<Entry>) {
        if entry.is_being_made.swap(true, Ordering::AcqRel) {
            return;
        }
        let being_made = entry;
        let (shared, entry) = (Arc::clone(&self.shared), Arc::clone(entry));
        let generation = generation.clone();
        let maker = thread::Builder::new().name("vector index".to_owned()).spawn(move || {
            // Whatever goes wrong here, the table goes on answering, and the next search tries again.
            let _ = shared.bring_up_to_date(&generation, &entry);
            entry.is_being_made.store(false, Ordering::Release);
            shared.forget_unused();
        });
        let mut makers = lock(&self.makers);
        makers.retain(|maker| !maker.is_finished());
        match maker {
            Ok(maker) => makers.push(maker),
            // No thread is to be had now; a later search tries again.
            Err(_) => being_made.is_being_made.store(false, Ordering::Release),
        }
    }

    /// Waits until nothing is being made.
    #[cfg(test)]
    pub(super) fn wait(&self) {
        let makers = std::mem::take(&mut *lock(&self.makers));
        for maker in makers {
            maker.join().unwrap();
        }
    }

    /// Has the next index that is brought up to date stop at `pause`, twice.
    #[cfg(test)]
    pub(super) fn pause_at(&self, pause: &Arc<std::sync::Barrier>) {
        *lock(&self.shared.pause) = Some(Arc::clone(pause));
    }

    /// How many vectors the indexes hold.
    #[cfg(test)]
    pub(super) fn vectors(&self) -> usize {
        let entries: Vec<_> = lock(&self.shared.shelf).values().cloned().collect();
        entries.iter().map(|entry| entry.len()).sum()
    }
}

impl Drop for VectorIndexes {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Relaxed);
        for maker in std::mem::take(&mut *lock(&self.makers)) {
            // A thread that panicked has nothing to give back.
            let _ = maker.join();
        }
    }
}

impl Shared {
    fn bring_up_to_date(&self, generation: &Generation, entry: &Entry) -> Result<(), Trouble> {
        let mut connection = open_reader(&self.database)?;
        let transaction = connection.transaction()?;
        let changes = changes(&transaction, generation)?;
        let Some(old) = entry.made() else {
            return self.make_anew(&transaction, generation, entry, changes);
        };
        let mut made = Made::clone(&old);
        // Where everything that changed are new rows, nothing went.
        let new = new_rows(&transaction, &generation.vectors, made.last_row)?;
        if new != changes - made.changes {
            let there = chunks_there(&transaction, &generation.vectors)?;
            for key in made.index.keys_not_in(&there) {
                made.index.remove(key);
            }
            if made.index.is_worn() {
                return self.make_anew(&transaction, generation, entry, changes);
            }
        }
        let is_whole = self.read(&transaction, &generation.vectors, old.last_row, |batch, row| {
            #[cfg(test)]
            self.stop_at_pause();
            insert(&mut made.index, batch);
            made.last_row = row;
        })?;
        if is_whole {
            made.changes = changes;
            entry.replace(made);
        }
        Ok(())
    }

    fn make_anew(
        &self,
        transaction: &Transaction<'_>,
        generation: &Generation,
        entry: &Entry,
        changes: i64,
    ) -> Result<(), Trouble> {
        let table = &generation.vectors;
        let sample = sample(transaction, table)?;
        let mut index = VectorIndex::of_sample(table.dimension as usize, &sample);
        drop(sample);
        let mut last_row = 0;
        let is_whole = self.read(transaction, table, 0, |batch, row| {
            insert(&mut index, batch);
            last_row = row;
        })?;
        if is_whole {
            entry.replace(Made { index, last_row, changes });
        }
        Ok(())
    }

    /// Hands over the vectors behind `after`, in order, by batches of whole chunks with the last
    /// row of each; `false` when the store closed before the end.
    fn read(
        &self,
        transaction: &Connection,
        table: &VectorTable,
        after: i64,
        mut take: impl FnMut(&[(ChunkKey, Vec<f32>)], i64),
    ) -> Result<bool, Trouble> {
        let name = table.name();
        let mut statement = transaction.prepare(&format!(
            "SELECT {name}_rowids.rowid, {name}_rowids.id, embedding
             FROM {name}_rowids JOIN {name} ON {name}.chunk_id = {name}_rowids.id
             WHERE {name}_rowids.rowid > ?1 ORDER BY {name}_rowids.rowid"
        ))?;
        let mut found = statement.query([after])?;
        let mut batch: Vec<(ChunkKey, Vec<f32>)> = Vec::with_capacity(BATCH + 64);
        let mut last_row = after;
        while let Some(row) = found.next()? {
            let Some(key) = row.get_ref(1)?.as_str().ok().and_then(chunk_key) else { continue };
            let is_new_chunk = batch.last().is_some_and(|(last, _)| *last != key);
            if batch.len() >= BATCH && is_new_chunk {
                if self.is_closing.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                take(&batch, last_row);
                batch.clear();
            }
            batch.push((key, float_numbers(row.get_ref(2)?.as_blob().unwrap_or_default())));
            last_row = row.get(0)?;
        }
        if !batch.is_empty() {
            take(&batch, last_row);
        }
        Ok(true)
    }

    #[cfg(test)]
    fn stop_at_pause(&self) {
        let pause = lock(&self.pause).take();
        if let Some(pause) = pause {
            pause.wait();
            pause.wait();
        }
    }

    /// Lets go of indexes that were not asked for the longest, while all hold too much.
    fn forget_unused(&self) {
        let mut shelf = lock(&self.shelf);
        let mut by_use: Vec<_> = shelf
            .iter()
            .map(|(key, entry)| {
                (entry.last_use.load(Ordering::Relaxed), key.clone(), entry.weight())
            })
            .collect();
        by_use.sort_unstable();
        let mut total: usize = by_use.iter().map(|(_, _, length)| length).sum();
        // The last one stays, however large it is.
        by_use.pop();
        for (_, key, length) in by_use {
            if total <= MAX_VECTORS {
                break;
            }
            shelf.remove(&key);
            total -= length;
        }
    }
}

impl Entry {
    /// The index as it is now, if there is one; it may be replaced while it is used.
    fn made(&self) -> Option<Arc<Made>> {
        lock(&self.made).clone()
    }

    fn replace(&self, made: Made) {
        let old = lock(&self.made).replace(Arc::new(made));
        // Given back outside the lock: a large index takes its time.
        drop(old);
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.made().map_or(0, |made| made.index.len())
    }

    /// How much memory it takes, in vectors of a large index.
    fn weight(&self) -> usize {
        /// A code of a byte for each number, and the number itself in four.
        const WHOLE: usize = 5;
        let weight = |made: Arc<Made>| {
            made.index.len() * if made.index.is_exact() { WHOLE } else { 1 }
        };
        self.made().map_or(0, weight)
    }
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

/// The chunks of the rows behind `after`, as many as are looked at and one more.
fn new_chunks(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    after: i64,
) -> Result<Vec<ChunkId>, Trouble> {
    let sql = format!(
        "SELECT substr(id, 1, 32) AS id FROM {}_rowids WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        table.name()
    );
    rows::all(transaction, &sql, [after, i64::from(MAX_NEW) + 1], |row| rows::id(row, "id"))
}

/// Vectors from all over the table.
fn sample(transaction: &Connection, table: &VectorTable) -> Result<Vec<Vec<f32>>, Trouble> {
    let name = table.name();
    let sql = format!("SELECT max(rowid) FROM {name}_rowids");
    let last: Option<i64> = transaction.query_row(&sql, [], |row| row.get(0))?;
    let last = last.unwrap_or_default();
    let step = (last / i64::try_from(SAMPLE).unwrap_or(i64::MAX)).max(1);
    let mut statement = transaction.prepare(&format!(
        "SELECT embedding FROM {name}
         WHERE chunk_id = (SELECT id FROM {name}_rowids WHERE rowid = ?1)"
    ))?;
    let mut sample = Vec::new();
    let mut row = 1;
    while row <= last {
        let mut found = statement.query([row])?;
        if let Some(found) = found.next()? {
            sample.push(float_numbers(found.get_ref(0)?.as_blob().unwrap_or_default()));
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

fn insert(index: &mut VectorIndex, batch: &[(ChunkKey, Vec<f32>)]) {
    for windows in batch.chunk_by(|one, other| one.0 == other.0) {
        if let Some((key, _)) = windows.first() {
            index.insert(*key, windows.iter().map(|(_, vector)| vector.as_slice()));
        }
    }
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
