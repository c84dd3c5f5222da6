//! The tables of vectors: one for each generation of a base's index, and the one that bases
//! shared before there were generations.
//!
//! Vectors are normalised before they come here, so vec0's own distance, L2, orders them as the
//! cosine distance does: for vectors of length 1, |a - b|² = 2 (1 - a·b), hence
//! `cosine distance = L2² / 2`. The tables keep vec0's default metric, as the design draws them.
//!
//! A chunk has one vector for each of its windows; see [`keys`].
//!
//! Foreign keys do not reach virtual tables: whatever deletes chunks calls this file in the same
//! transaction. Everything that changes vectors is here, and each change is counted in
//! `index_generations.changes`, so that an index derived from a table knows whether it is stale.

use ancre_domain::{ChunkId, IndexHealth, KnowledgeBaseId};
use rusqlite::{Transaction, params};

use super::place::Trouble;
use super::{derived_tables, rows};
use crate::StoreError;

/// The longest vectors that sqlite-vec stores.
pub(super) const MAX_DIMENSION: u32 = 8_192;

/// The table that bases shared before there were generations.
pub(super) const SHARED: &str = "vec_chunks";

/// A chunk and how many vectors it has.
pub(super) type Windows = (ChunkId, u32);

/// The table of a generation's vectors. It may be missing from the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VectorTable {
    /// The base.
    pub(super) kb: KnowledgeBaseId,
    /// The generation's number.
    pub(super) generation: u32,
    /// The table's name. Safe to write into SQL.
    name: String,
    /// How long its vectors should be.
    pub(super) dimension: u32,
}

impl VectorTable {
    /// The table of a generation's own.
    pub(super) fn own(kb: &KnowledgeBaseId, generation: u32, dimension: u32) -> Self {
        // An id is 32 hexadecimal digits, by its type.
        let name = match generation {
            1 => format!("vec_kb_{kb}"),
            number => format!("vec_kb_{kb}_g{number}"),
        };
        Self { kb: kb.clone(), generation, name, dimension }
    }

    /// The table that bases once shared, as that of one base.
    pub(super) fn shared(kb: &KnowledgeBaseId, generation: u32, dimension: u32) -> Self {
        Self { kb: kb.clone(), generation, name: SHARED.to_owned(), dimension }
    }

    /// The table's name, safe to write into SQL.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether other bases have vectors in it.
    pub(super) fn is_shared(&self) -> bool {
        self.name == SHARED
    }
}

/// Makes the empty table.
pub(super) fn create(transaction: &Transaction<'_>, table: &VectorTable) -> Result<(), Trouble> {
    let VectorTable { name, dimension, .. } = table;
    // What is left of a broken one would be in the way.
    derived_tables::drop(transaction, name, derived_tables::VEC0)?;
    transaction.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {name} USING vec0(
             chunk_id TEXT PRIMARY KEY,
             embedding FLOAT[{dimension}]
         )"
    ))?;
    count_changes(transaction, table, 1)
}

/// Drops the table, if it is there; of the shared one only these chunks' vectors.
pub(super) fn drop(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    chunks: impl FnOnce() -> Result<Vec<Windows>, Trouble>,
) -> Result<(), Trouble> {
    if table.is_shared() {
        delete(transaction, table, &chunks()?)?;
        // A base whose entry was lost looks as if it never had a table of its own.
        let own = VectorTable::own(&table.kb, table.generation, table.dimension);
        return derived_tables::drop(transaction, &own.name, derived_tables::VEC0);
    }
    derived_tables::drop(transaction, &table.name, derived_tables::VEC0)?;
    count_changes(transaction, table, 1)
}

/// Adds the vectors of chunks that have none in this table.
pub(super) fn insert<'vectors>(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    chunks: impl IntoIterator<Item = (&'vectors ChunkId, &'vectors [Vec<f32>])>,
) -> Result<(), Trouble> {
    require(transaction, table)?;
    let sql = format!("INSERT INTO {} (chunk_id, embedding) VALUES (?1, ?2)", table.name);
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut changes = 0;
    for (chunk, windows) in chunks {
        for (key, vector) in keys(chunk, rows::length(windows.len())).zip(windows) {
            statement.execute(params![key, bytes(vector)])?;
            changes += 1;
        }
    }
    count_changes(transaction, table, changes)
}

/// Takes the vectors of these chunks away, those of all their windows. A table that is broken goes
/// as a whole: the base is searched by words until it is indexed again. The one that bases share
/// stays for the others, and so do its vectors of chunks that are gone, which nobody sees.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    chunks: &[Windows],
) -> Result<(), Trouble> {
    if chunks.is_empty() || declaration(transaction, table)?.is_none() {
        return Ok(());
    }
    let is_whole = derived_tables::is_whole(transaction, &table.name, derived_tables::VEC0)?;
    let changes = if is_whole {
        derived_tables::attempt(transaction, || delete_from_whole(transaction, table, chunks))?
    } else {
        None
    };
    if let Some(changes) = changes {
        return count_changes(transaction, table, changes);
    }
    if !table.is_shared() {
        derived_tables::drop(transaction, &table.name, derived_tables::VEC0)?;
    }
    count_changes(transaction, table, 1)
}

fn delete_from_whole(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    chunks: &[Windows],
) -> Result<usize, Trouble> {
    let sql = format!("DELETE FROM {} WHERE chunk_id = ?1", table.name);
    let mut statement = transaction.prepare_cached(&sql)?;
    let mut changes = 0;
    for (chunk, windows) in chunks {
        for key in keys(chunk, *windows) {
            changes += statement.execute([key])?;
        }
    }
    Ok(changes)
}

/// The keys of a chunk's windows: its id, then `<id>.1`, `<id>.2`…
pub(super) fn keys(chunk: &ChunkId, windows: u32) -> impl Iterator<Item = String> + '_ {
    (0..windows).map(move |window| match window {
        0 => chunk.as_str().to_owned(),
        window => format!("{chunk}.{window}"),
    })
}

/// How many vectors the table holds, which is whole; in all its parts, where they agree, else 0.
pub(super) fn count(transaction: &Transaction<'_>, table: &VectorTable) -> Result<u32, Trouble> {
    let name = &table.name;
    // Three places know of a vector: where it lies, its place's mark of being taken, and the block
    // that it lies in. Reading the table itself would read every vector.
    let sql = format!("SELECT count(*) FROM {name}_rowids");
    let rows: u32 = rows::one(transaction, &sql, [], |row| row.get(0))?.unwrap_or_default();
    let sql = format!(
        "SELECT validity FROM {name}_chunks
         WHERE EXISTS (SELECT 1 FROM {name}_vector_chunks00 AS block
                       WHERE block.rowid = {name}_chunks.rowid)"
    );
    let taken = rows::all(transaction, &sql, [], |row| {
        Ok(row.get_ref(0)?.as_blob()?.iter().map(|byte| byte.count_ones()).sum::<u32>())
    })?;
    let taken: u32 = taken.iter().sum();
    Ok(if taken == rows { rows } else { 0 })
}

/// How many of a base's vectors the table that bases share holds.
pub(super) fn count_in_shared(
    transaction: &Transaction<'_>,
    table: &VectorTable,
) -> Result<u32, Trouble> {
    let sql = format!(
        "SELECT count(*) FROM document_chunks
         WHERE kb_id = ?1 AND generation = ?2 AND windows > 0
           AND EXISTS (SELECT 1 FROM {SHARED}_rowids WHERE id = document_chunks.id)"
    );
    let parameters = params![table.kb.as_str(), table.generation];
    Ok(rows::one(transaction, &sql, parameters, |row| row.get(0))?.unwrap_or_default())
}

/// What is wrong with the table, if something is: it is missing or of another dimension.
pub(super) fn fault_of(
    transaction: &Transaction<'_>,
    table: &VectorTable,
) -> Result<Option<IndexHealth>, Trouble> {
    Ok(match declaration(transaction, table)? {
        None => Some(IndexHealth::VectorsMissing),
        Some(sql) if declared_dimension(&sql) != Some(table.dimension) => {
            Some(IndexHealth::WrongDimension)
        }
        Some(_) if !derived_tables::is_whole(transaction, &table.name, derived_tables::VEC0)? => {
            Some(IndexHealth::VectorsMissing)
        }
        Some(_) => None,
    })
}

/// The error that the table is missing or of another dimension, if it is.
pub(super) fn require(transaction: &Transaction<'_>, table: &VectorTable) -> Result<(), Trouble> {
    match fault_of(transaction, table)? {
        None => Ok(()),
        Some(health) => Err(missing(transaction, table, health)?.into()),
    }
}

/// The error that the base has lost its vectors.
pub(super) fn missing(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    health: IndexHealth,
) -> Result<StoreError, Trouble> {
    let sql = "SELECT name FROM knowledge_bases WHERE id = ?1";
    let base = rows::one(transaction, sql, [table.kb.as_str()], |row| row.get(0))?;
    Ok(StoreError::IndexMissing { base: base.unwrap_or_default(), health })
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

/// What [`bytes`] made.
pub(super) fn float_numbers(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| f32::from_ne_bytes(*number)).collect()
}

/// The statement that made the table, if it is there.
fn declaration(
    transaction: &Transaction<'_>,
    table: &VectorTable,
) -> Result<Option<String>, Trouble> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    rows::one(transaction, sql, [&table.name], |row| row.get(0))
}

/// The number in `FLOAT[384]`.
fn declared_dimension(declaration: &str) -> Option<u32> {
    let lower = declaration.to_ascii_lowercase();
    let (_, rest) = lower.split_once("float[")?;
    rest.split_once(']')?.0.trim().parse().ok()
}

fn count_changes(
    transaction: &Transaction<'_>,
    table: &VectorTable,
    changes: usize,
) -> Result<(), Trouble> {
    if changes > 0 {
        rows::change(
            transaction,
            "UPDATE index_generations SET changes = changes + ?3 WHERE kb_id = ?1 AND number = ?2",
            params![table.kb.as_str(), table.generation, rows::length(changes)],
        )?;
    }
    Ok(())
}
