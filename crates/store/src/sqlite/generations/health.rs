//! Whether what a base answers from is whole: told by counting, not by reading it.
//!
//! Chunks are counted against what the documents say of themselves, vectors and words against the
//! chunks. Counting reads small tables beside the large ones; `docs/PERFORMANCE.md` has its time.

use ancre_domain::IndexHealth;
use rusqlite::Transaction;

use super::registry::{Generation, chunks_and_windows};
use crate::sqlite::place::Trouble;
use crate::sqlite::{rows, text_tables, vector_tables};

/// What is wrong with the generation that serves, the worst first.
pub(super) fn of(
    transaction: &Transaction<'_>,
    serving: &Generation,
) -> Result<IndexHealth, Trouble> {
    let (chunks, windows) = chunks_and_windows(transaction, serving)?;
    if has_lost_chunks(transaction, serving, chunks)? {
        return Ok(IndexHealth::ChunksMissing);
    }
    if serving.vectors.is_shared() {
        return legacy(transaction, serving, chunks);
    }
    if let Some(fault) = vector_tables::fault_of(transaction, &serving.vectors)? {
        return Ok(fault);
    }
    if vector_tables::count(transaction, &serving.vectors)? != windows {
        return Ok(IndexHealth::VectorsMissing);
    }
    let table = serving.text_table();
    let has_words = serving.has_all_words
        && text_tables::exists(transaction, &table)?
        && text_tables::count(transaction, &table)? == chunks;
    Ok(if has_words { IndexHealth::Ok } else { IndexHealth::NoTextIndex })
}

/// The health of a base without an entry of its own, whose vectors lie in the table that bases
/// once shared; or whose entry is lost.
fn legacy(
    transaction: &Transaction<'_>,
    serving: &Generation,
    chunks: u32,
) -> Result<IndexHealth, Trouble> {
    if let Some(fault) = vector_tables::fault_of(transaction, &serving.vectors)? {
        return Ok(fault);
    }
    if vector_tables::count_in_shared(transaction, &serving.vectors)? < chunks {
        return Ok(IndexHealth::VectorsMissing);
    }
    Ok(IndexHealth::Legacy)
}

/// Whether documents say of themselves that they have more chunks than there are.
fn has_lost_chunks(
    transaction: &Transaction<'_>,
    serving: &Generation,
    chunks: u32,
) -> Result<bool, Trouble> {
    let sql = "SELECT coalesce(sum(chunk_count), 0) FROM documents
               WHERE kb_id = ?1 AND status = 'ready'";
    let said = rows::one(transaction, sql, [serving.kb.as_str()], |row| row.get::<_, u32>(0))?;
    Ok(said.unwrap_or_default() > chunks)
}
