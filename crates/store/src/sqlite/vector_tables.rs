//! One table of vectors for each base, `vec_kb_<kbId>`.
//!
//! Vectors are normalised before they come here, so vec0's own distance, L2, orders them as the
//! cosine distance does: for vectors of length 1, |a - b|² = 2 (1 - a·b), hence
//! `cosine distance = L2² / 2`. The tables keep vec0's default metric, as the design draws them.
//!
//! Foreign keys do not reach virtual tables: whatever deletes chunks calls this file in the same
//! transaction.

use ancre_domain::{ChunkId, KnowledgeBaseId};
use rusqlite::{Transaction, params};

use super::place::Trouble;
use super::rows;
use crate::StoreError;

/// The longest vectors that sqlite-vec stores.
pub(super) const MAX_DIMENSION: u32 = 8_192;

/// The table's name. Safe to write into SQL: an id is 32 hexadecimal digits, by its type.
pub(super) fn name(kb: &KnowledgeBaseId) -> String {
    format!("vec_kb_{kb}")
}

/// Makes the empty table of a base.
pub(super) fn create(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
    dimension: u32,
) -> Result<(), Trouble> {
    Ok(transaction.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {} USING vec0(
             chunk_id TEXT PRIMARY KEY,
             embedding FLOAT[{dimension}]
         )",
        name(kb)
    ))?)
}

/// Drops the table of a base, if it is there.
pub(super) fn drop(transaction: &Transaction<'_>, kb: &KnowledgeBaseId) -> Result<(), Trouble> {
    Ok(transaction.execute_batch(&format!("DROP TABLE IF EXISTS {}", name(kb)))?)
}

/// Adds vectors.
pub(super) fn insert<'vectors>(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
    vectors: impl IntoIterator<Item = (&'vectors ChunkId, &'vectors [f32])>,
) -> Result<(), Trouble> {
    require(transaction, kb)?;
    let sql = format!("INSERT INTO {} (chunk_id, embedding) VALUES (?1, ?2)", name(kb));
    let mut statement = transaction.prepare_cached(&sql)?;
    for (chunk, vector) in vectors {
        statement.execute(params![chunk.as_str(), bytes(vector)])?;
    }
    Ok(())
}

/// Takes the vectors of these chunks away.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
    chunks: &[ChunkId],
) -> Result<(), Trouble> {
    if chunks.is_empty() || !exists(transaction, kb)? {
        return Ok(());
    }
    let sql = format!("DELETE FROM {} WHERE chunk_id = ?1", name(kb));
    let mut statement = transaction.prepare_cached(&sql)?;
    for chunk in chunks {
        statement.execute([chunk.as_str()])?;
    }
    Ok(())
}

/// The error that the base has lost its table, if it has.
pub(super) fn require(transaction: &Transaction<'_>, kb: &KnowledgeBaseId) -> Result<(), Trouble> {
    if exists(transaction, kb)? {
        Ok(())
    } else {
        Err(Trouble::Content(format!("the vectors of the knowledge base {kb} are missing")))
    }
}

/// The error that a vector does not fit its base, if it does not; or that it has no direction.
pub(super) fn require_fit(vector: &[f32], dimension: u32) -> Result<(), Trouble> {
    let actual = rows::length(vector.len());
    if actual != dimension {
        return Err(StoreError::WrongDimension { expected: dimension, actual }.into());
    }
    if vector.iter().all(|number| number.is_finite()) {
        Ok(())
    } else {
        Err(super::fault("a vector has a part that is not a number"))
    }
}

/// A vector as sqlite-vec reads it: 32-bit floats in the machine's byte order.
pub(super) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_ne_bytes()).collect()
}

fn exists(transaction: &Transaction<'_>, kb: &KnowledgeBaseId) -> Result<bool, Trouble> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    Ok(rows::one(transaction, sql, [name(kb)], |_| Ok(()))?.is_some())
}
