//! Vectors of a table read as they lie in it: sqlite-vec keeps 1,024 of them in one value.
//!
//! Asking sqlite-vec for one vector walks through that value from its beginning, which takes tens
//! of microseconds; whoever wants many that were stored one after the other reads the value once.
//! Only for what is derived: the names and the layout are sqlite-vec's own (`_rowids` and
//! `_vector_chunks00` in its source), and where they are not as expected the table itself is asked.

use rusqlite::{CachedStatement, OptionalExtension, Row, Transaction};

use super::place::Trouble;
use super::vector_tables::{VectorTable, float_numbers};

/// Reads vectors; quick as long as they lie in the same block as the one before.
pub(super) struct VectorBlocks<'t> {
    statement: CachedStatement<'t>,
    /// How many bytes a vector has.
    length: usize,
    number: Option<i64>,
    bytes: Vec<u8>,
}

/// Where a vector lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    /// The block's number.
    pub(super) block: i64,
    /// Its place in it.
    pub(super) place: i64,
}

/// The windows behind a row of the table in order: number, key, `chunk_id` and `chunk_offset`.
pub(super) fn rows_behind(table: &VectorTable) -> String {
    format!(
        "SELECT rowid, id, chunk_id, chunk_offset FROM {}_rowids WHERE rowid > ?1 ORDER BY rowid",
        table.name()
    )
}

impl Position {
    /// The one that a row of [`rows_behind`] tells.
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { block: row.get(2)?, place: row.get(3)? })
    }
}

impl<'t> VectorBlocks<'t> {
    /// Of this table.
    pub(super) fn new(
        transaction: &'t Transaction<'_>,
        table: &VectorTable,
    ) -> Result<Self, Trouble> {
        let sql =
            format!("SELECT vectors FROM {}_vector_chunks00 WHERE _rowid_ = ?1", table.name());
        let statement = transaction.prepare_cached(&sql)?;
        let length = table.dimension as usize * size_of::<f32>();
        Ok(Self { statement, length, number: None, bytes: Vec::new() })
    }

    /// The vector that lies here.
    ///
    /// # Errors
    ///
    /// [`Trouble::Content`] where none lies, beside those of reading.
    pub(super) fn vector(&mut self, position: Position) -> Result<Vec<f32>, Trouble> {
        if self.number != Some(position.block) {
            self.number = None;
            let bytes = self.statement.query_row([position.block], |row| row.get(0)).optional()?;
            self.bytes = bytes.unwrap_or_default();
            self.number = Some(position.block);
        }
        let first = usize::try_from(position.place).ok().and_then(|it| it.checked_mul(self.length));
        let bytes = first.and_then(|first| self.bytes.get(first..first.checked_add(self.length)?));
        let is_missing = || Trouble::Content(format!("no vector at {position:?}"));
        bytes.map(float_numbers).ok_or_else(is_missing)
    }
}
