//! The table `embedding_cache`, and its size in `embedding_cache_size`.
//!
//! The size is counted along with each change, in the same transaction, because to sum it up would
//! read the whole table. A row takes its vector and [`ROW_BYTES`] more: its key stands in the table
//! and in two indexes.

use ancre_domain::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::place::Trouble;
use super::{SqliteStore, rows, vector_tables};
use crate::StoreError;
use crate::traits::{CachedVector, EmbeddingCache};

/// What a row takes beside its vector, in bytes, about: measured with 20,000 vectors of 384 numbers,
/// of which 2,153 bytes of the file are taken by each.
const ROW_BYTES: usize = 620;

/// How many rows one step forgets.
const STEP: u32 = 256;

/// What was used less than this many milliseconds ago is not marked again: a search of the cache
/// should not write.
const USE_MS: i64 = 3_600_000;

impl EmbeddingCache for SqliteStore {
    fn cached_vectors(
        &self,
        model: &str,
        version: &str,
        hashes: &[[u8; 32]],
        now: Timestamp,
    ) -> Result<Vec<Option<CachedVector>>, StoreError> {
        let mut unmarked = Vec::new();
        let found = self.read(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT used_at, tokens_outside_window, vector FROM embedding_cache
                 WHERE model = ?1 AND version = ?2 AND text_hash = ?3",
            )?;
            let mut found = Vec::with_capacity(hashes.len());
            for hash in hashes {
                let row = statement
                    .query_row(params![model, version, hash.as_slice()], |row| {
                        let used_at: i64 = row.get(0)?;
                        let vector = vector(row.get_ref(2)?.as_blob().unwrap_or_default());
                        Ok((used_at, CachedVector { vector, tokens_outside_window: row.get(1)? }))
                    })
                    .optional()?;
                if row.as_ref().is_some_and(|(used_at, _)| now.as_millis() - used_at >= USE_MS) {
                    unmarked.push(hash);
                }
                found.push(row.map(|(_, cached)| cached));
            }
            Ok(found)
        })?;
        if !unmarked.is_empty() {
            self.write(|transaction| {
                let mut statement = transaction.prepare_cached(
                    "UPDATE embedding_cache SET used_at = ?4
                     WHERE model = ?1 AND version = ?2 AND text_hash = ?3",
                )?;
                for hash in unmarked {
                    let now = now.as_millis();
                    statement.execute(params![model, version, hash.as_slice(), now])?;
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    fn remember_vectors(
        &self,
        model: &str,
        version: &str,
        vectors: &[([u8; 32], CachedVector)],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if vectors.is_empty() {
            return Ok(());
        }
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO embedding_cache (model, version, text_hash, used_at,
                                              tokens_outside_window, vector)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO NOTHING",
            )?;
            let mut added = 0;
            for (hash, cached) in vectors {
                let bytes = vector_tables::bytes(&cached.vector);
                let size = bytes.len() + ROW_BYTES;
                let rows = statement.execute(params![
                    model,
                    version,
                    hash.as_slice(),
                    now.as_millis(),
                    cached.tokens_outside_window,
                    bytes,
                ])?;
                added += size * rows;
            }
            grow(transaction, i64::try_from(added).unwrap_or(i64::MAX))
        })
    }

    fn forget_vectors(&self, max_bytes: u64) -> Result<u64, StoreError> {
        // Asked without the writer first: nearly always there is nothing to do.
        if self.cached_bytes()? <= max_bytes {
            return Ok(0);
        }
        self.write(|transaction| {
            let over = size(transaction)?.saturating_sub(max_bytes);
            let oldest = rows::all(
                transaction,
                "SELECT model, version, text_hash, length(vector) FROM embedding_cache
                 ORDER BY used_at LIMIT ?1",
                [STEP],
                |row| {
                    let length: i64 = row.get(3)?;
                    let key: (String, String, Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    Ok((key, u64::try_from(length).unwrap_or_default() + ROW_BYTES as u64))
                },
            )?;
            let mut given_back = 0;
            for ((model, version, hash), bytes) in oldest {
                if given_back >= over {
                    break;
                }
                given_back += bytes;
                rows::change(
                    transaction,
                    "DELETE FROM embedding_cache
                     WHERE model = ?1 AND version = ?2 AND text_hash = ?3",
                    params![model, version, hash],
                )?;
            }
            grow(transaction, -i64::try_from(given_back).unwrap_or(i64::MAX))?;
            Ok(given_back)
        })
    }

    fn cached_bytes(&self) -> Result<u64, StoreError> {
        self.read(size)
    }
}

fn size(transaction: &Transaction<'_>) -> Result<u64, Trouble> {
    let sql = "SELECT bytes FROM embedding_cache_size";
    let bytes: Option<i64> = rows::one(transaction, sql, [], |row| row.get(0))?;
    Ok(bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or_default())
}

fn grow(transaction: &Transaction<'_>, bytes: i64) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "UPDATE embedding_cache_size SET bytes = max(0, bytes + ?1)",
        [bytes],
    )?;
    Ok(())
}

/// A vector from its bytes, as [`vector_tables::bytes`] makes them.
fn vector(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|number| f32::from_ne_bytes(*number)).collect()
}
