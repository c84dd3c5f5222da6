//! How much room the database takes, and giving back what deleted things took.
//!
//! SQLite keeps freed pages for later. A database that this version made has them given back a few
//! at a time (`auto_vacuum = INCREMENTAL`); an older one is rewritten once, as a whole, which
//! brings it there. sqlite-vec stores vectors in blocks of 1,024 and frees a block when its last
//! vector goes, so deleting here and there frees nothing: the vectors of blocks that are at most
//! three quarters full are written anew, which packs them, one block in one transaction.
//! `docs/PERFORMANCE.md` has what that is worth.

use std::time::Duration;

use ancre_domain::Cancellation;
use rusqlite::{Connection, Transaction};

use super::place::Trouble;
use super::{SqliteStore, connections, derived_tables, in_transaction, rows, text_tables};
use crate::StoreError;
use crate::traits::{StorageSize, StorageStore};

/// How many free pages are given back in one step: 8 MiB, some milliseconds.
const PAGES_PER_STEP: u32 = 2_000;

/// Between two steps, so that whoever waits to write has its turn.
const PAUSE: Duration = Duration::from_millis(5);

/// `PRAGMA auto_vacuum` of a database whose pages can be given back a few at a time.
const INCREMENTAL: u32 = 2;

impl StorageStore for SqliteStore {
    fn is_read_only(&self) -> bool {
        self.lock.is_none()
    }

    fn storage_size(&self) -> Result<StorageSize, StoreError> {
        let files = [self.place.database(), self.place.log()];
        let length = |path| std::fs::metadata(path).map_or(0, |file| file.len());
        let database = files.iter().map(length).sum();
        self.read(|transaction| size(transaction, database))
    }

    fn wipe_deleted(&self, cancellation: &Cancellation) -> Result<bool, StoreError> {
        self.wipe(cancellation)
    }

    fn has_deleted_words(&self) -> Result<bool, StoreError> {
        Ok(!self.read(text_tables::with_deleted_words)?.is_empty())
    }

    fn compact(&self, cancellation: &Cancellation) -> Result<(), StoreError> {
        let blocks = self.with_writer(|writer| {
            in_transaction(writer, |transaction| {
                require_quiet(transaction)?;
                sparse_blocks(transaction)
            })
        })?;
        for (table, block) in blocks {
            if !self.step(cancellation, |writer| repack(writer, &table, block))? {
                return Ok(());
            }
        }
        if !self.wipe(cancellation)? {
            return Ok(());
        }
        let mut free = self.free_page_count()?;
        while free > 0 && self.step(cancellation, free_pages)? {
            let left = self.free_page_count()?;
            if left >= free {
                break;
            }
            free = left;
        }
        self.with_writer(|writer| Ok(connections::empty_log(writer, Duration::ZERO)?))
    }
}

impl SqliteStore {
    /// Does one step, unless it was cancelled or work began meanwhile; then `false`.
    fn step(
        &self,
        cancellation: &Cancellation,
        work: impl FnOnce(&mut Connection) -> Result<(), Trouble>,
    ) -> Result<bool, StoreError> {
        if cancellation.is_cancelled() {
            return Ok(false);
        }
        let is_done = self.with_writer(|writer| {
            let is_quiet = !in_transaction(writer, is_working)?;
            if is_quiet {
                work(writer)?;
            }
            Ok(is_quiet)
        })?;
        std::thread::sleep(PAUSE);
        Ok(is_done)
    }

    fn free_page_count(&self) -> Result<u64, StoreError> {
        self.with_writer(|writer| number(writer, "freelist_count"))
    }
}

fn size(transaction: &Transaction<'_>, database: u64) -> Result<StorageSize, Trouble> {
    let free = number(transaction, "freelist_count")? * number(transaction, "page_size")?;
    let mut reclaimable = free;
    for table in vector_tables(transaction)? {
        reclaimable += Blocks::of(transaction, &table)?.bytes_to_free();
    }
    Ok(StorageSize {
        database,
        reclaimable,
        cache: cache_size(transaction)?,
        originals: sum(
            transaction,
            "SELECT coalesce(sum(byte_count), 0) FROM sources WHERE blob IS NOT NULL",
        )?,
    })
}

/// By the length of one vector of each model: theirs are all alike, and reading every one would
/// take as long as a search.
fn cache_size(transaction: &Transaction<'_>) -> Result<u64, Trouble> {
    sum(
        transaction,
        "SELECT coalesce(sum(vectors * bytes), 0) FROM (
             SELECT count(*) AS vectors, (
                 SELECT length(vector) + length(text_hash) FROM embedding_cache AS one
                 WHERE one.model = every.model AND one.version = every.version LIMIT 1) AS bytes
             FROM embedding_cache AS every GROUP BY model, version)",
    )
}

/// The blocks of a vector table.
struct Blocks {
    /// How many vectors fit in one.
    capacity: u64,
    /// How many bytes one takes.
    bytes: u64,
    /// Those that are worth packing, with how many vectors they hold.
    sparse: Vec<(i64, u64)>,
}

impl Blocks {
    fn of(transaction: &Transaction<'_>, table: &str) -> Result<Self, Trouble> {
        let capacity =
            sum(transaction, &format!("SELECT coalesce(max(size), 1) FROM \"{table}_chunks\""))?;
        let bytes = sum(
            transaction,
            &format!("SELECT coalesce(max(length(vectors)), 0) FROM \"{table}_vector_chunks00\""),
        )?;
        // New vectors go to the last block, so that one is no gap.
        let sparse = rows::all(
            transaction,
            &format!(
                "SELECT chunk_id, count(*) FROM \"{table}_rowids\"
                 WHERE chunk_id < (SELECT max(chunk_id) FROM \"{table}_chunks\")
                 GROUP BY chunk_id HAVING count(*) <= ?1 ORDER BY count(*)"
            ),
            [i64::try_from(capacity * 3 / 4).unwrap_or(i64::MAX)],
            |row| Ok((row.get(0)?, row.get::<_, u32>(1)?.into())),
        )?;
        Ok(Self { capacity, bytes, sparse })
    }

    fn bytes_to_free(&self) -> u64 {
        let vectors: u64 = self.sparse.iter().map(|(_, vectors)| vectors).sum();
        let blocks = self.sparse.len() as u64;
        blocks.saturating_sub(vectors.div_ceil(self.capacity)) * self.bytes
    }
}

fn sparse_blocks(transaction: &Transaction<'_>) -> Result<Vec<(String, i64)>, Trouble> {
    let mut found = Vec::new();
    for table in vector_tables(transaction)? {
        let blocks = Blocks::of(transaction, &table)?;
        if blocks.bytes_to_free() > 0 {
            found.extend(blocks.sparse.into_iter().map(|(block, _)| (table.clone(), block)));
        }
    }
    Ok(found)
}

/// Writes the vectors of one block anew, which frees it and fills the last one.
fn repack(writer: &mut Connection, table: &str, block: i64) -> Result<(), Trouble> {
    in_transaction(writer, |transaction| {
        let vectors: Vec<(String, Vec<u8>)> = rows::all(
            transaction,
            &format!(
                "WITH here AS MATERIALIZED (SELECT id FROM \"{table}_rowids\" WHERE chunk_id = ?1)
                 SELECT here.id, (SELECT embedding FROM \"{table}\" WHERE chunk_id = here.id)
                 FROM here"
            ),
            [block],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let delete = format!("DELETE FROM \"{table}\" WHERE chunk_id = ?1");
        let insert = format!("INSERT INTO \"{table}\" (chunk_id, embedding) VALUES (?1, ?2)");
        for (chunk, _) in &vectors {
            rows::change(transaction, &delete, [chunk])?;
        }
        for (chunk, vector) in &vectors {
            rows::change(transaction, &insert, rusqlite::params![chunk, vector])?;
        }
        // What is derived from the table may know vectors by where they lie.
        let sql = "UPDATE index_generations SET changes = changes + 1 WHERE vector_table = ?1";
        rows::change(transaction, sql, [table])?;
        Ok(())
    })
}

/// Gives some free pages back; all of them when the database is from before this could be done in
/// parts.
fn free_pages(writer: &mut Connection) -> Result<(), Trouble> {
    if can_free_in_parts(writer)? {
        return free_some_pages(writer, PAGES_PER_STEP);
    }
    // The copy is as large as what is kept, too large for the memory where other temporary things
    // go. What fails, for want of room or otherwise, leaves the database as it was.
    writer.pragma_update(None, "temp_store", "FILE")?;
    writer.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let rewritten = writer.execute_batch("VACUUM");
    writer.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(rewritten?)
}

/// Whether free pages can be given back a few at a time: not in a database from before that, which
/// has to be rewritten once.
pub(super) fn can_free_in_parts(connection: &Connection) -> Result<bool, Trouble> {
    Ok(number(connection, "auto_vacuum")? == u64::from(INCREMENTAL))
}

/// Gives every free page back where that can be done in parts, with little at a time: each part
/// goes through the log, on a disk that is full.
pub(super) fn free_all_pages(writer: &Connection, patience: Duration) -> Result<(), Trouble> {
    if !can_free_in_parts(writer)? {
        return Ok(());
    }
    let mut at_once = PAGES_PER_STEP / 8;
    let mut free = number(writer, "freelist_count")?;
    while free > 0 {
        free_some_pages(writer, at_once)?;
        let _ = connections::empty_log(writer, patience);
        let left = number(writer, "freelist_count")?;
        if left >= free {
            break;
        }
        free = left;
        at_once = PAGES_PER_STEP.min(at_once * 2);
    }
    Ok(())
}

fn free_some_pages(writer: &Connection, pages: u32) -> Result<(), Trouble> {
    let mut statement = writer.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
    let mut steps = statement.query([])?;
    while steps.next()?.is_some() {}
    Ok(())
}

/// Every whole table of vectors, whoever made it.
fn vector_tables(transaction: &Transaction<'_>) -> Result<Vec<String>, Trouble> {
    let tables: Vec<String> = rows::all(
        transaction,
        "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING vec0%'
         ORDER BY name",
        [],
        |row| row.get(0),
    )?;
    // Of one that is broken nothing can be said.
    let mut whole = Vec::new();
    for table in tables {
        if derived_tables::is_whole(transaction, &table, derived_tables::VEC0)? {
            whole.push(table);
        }
    }
    Ok(whole)
}

fn require_quiet(transaction: &Transaction<'_>) -> Result<(), Trouble> {
    if is_working(transaction)? { Err(StoreError::WorkInProgress.into()) } else { Ok(()) }
}

fn is_working(transaction: &Transaction<'_>) -> Result<bool, Trouble> {
    let sql = "SELECT EXISTS (SELECT 1 FROM documents WHERE claimed_by IS NOT NULL)
                   OR EXISTS (SELECT 1 FROM jobs WHERE state = 'running')";
    Ok(rows::one(transaction, sql, [], |row| row.get(0))?.unwrap_or_default())
}

fn number(connection: &Connection, pragma: &str) -> Result<u64, Trouble> {
    let value: i64 = connection.pragma_query_value(None, pragma, |row| row.get(0))?;
    Ok(u64::try_from(value).unwrap_or_default())
}

fn sum(transaction: &Transaction<'_>, sql: &str) -> Result<u64, Trouble> {
    let value: Option<i64> = rows::one(transaction, sql, [], |row| row.get(0))?;
    Ok(value.and_then(|value| u64::try_from(value).ok()).unwrap_or_default())
}
