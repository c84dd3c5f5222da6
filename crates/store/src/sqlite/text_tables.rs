//! The full-text tables: FTS5, one for each generation of a base's index.
//!
//! They are contentless: they hold what is needed to find and rank, not the words themselves,
//! which stand in `document_chunks` once. The row's number is the chunk's `key`. As with vectors,
//! no foreign key reaches them: whatever deletes chunks calls this file in the same transaction.

use ancre_domain::KnowledgeBaseId;
use rusqlite::{Transaction, params};

use super::place::Trouble;
use super::rows;
use crate::traits::LexicalText;

/// The name of a generation's table. Safe to write into SQL: an id is 32 hexadecimal digits.
pub(super) fn name(kb: &KnowledgeBaseId, generation: u32) -> String {
    match generation {
        1 => format!("fts_kb_{kb}"),
        number => format!("fts_kb_{kb}_g{number}"),
    }
}

/// Makes the empty table.
pub(super) fn create(transaction: &Transaction<'_>, name: &str) -> Result<(), Trouble> {
    Ok(transaction.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {name} USING fts5(
             title, heading, body,
             content = '', contentless_delete = 1,
             tokenize = \"unicode61 remove_diacritics 2\"
         )"
    ))?)
}

/// Drops the table, if it is there.
pub(super) fn drop(transaction: &Transaction<'_>, name: &str) -> Result<(), Trouble> {
    Ok(transaction.execute_batch(&format!("DROP TABLE IF EXISTS {name}"))?)
}

/// Whether the table is there.
pub(super) fn exists(transaction: &Transaction<'_>, name: &str) -> Result<bool, Trouble> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    Ok(rows::one(transaction, sql, [name], |_| Ok(()))?.is_some())
}

/// Keeps the words of chunks, in place of any that they had.
pub(super) fn insert<'words>(
    transaction: &Transaction<'_>,
    name: &str,
    words: impl IntoIterator<Item = (i64, &'words LexicalText)>,
) -> Result<(), Trouble> {
    let sql = format!("REPLACE INTO {name} (rowid, title, heading, body) VALUES (?1, ?2, ?3, ?4)");
    let mut statement = transaction.prepare_cached(&sql)?;
    for (key, text) in words {
        statement.execute(params![key, text.title, text.heading, text.body])?;
    }
    Ok(())
}

/// Takes the words of these chunks away.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    name: &str,
    keys: &[i64],
) -> Result<(), Trouble> {
    if keys.is_empty() || !exists(transaction, name)? {
        return Ok(());
    }
    let sql = format!("DELETE FROM {name} WHERE rowid = ?1");
    let mut statement = transaction.prepare_cached(&sql)?;
    for key in keys {
        statement.execute([key])?;
    }
    Ok(())
}

/// How many chunks have words in the table.
pub(super) fn count(transaction: &Transaction<'_>, name: &str) -> Result<u32, Trouble> {
    let sql = format!("SELECT count(*) FROM {}", lengths(name));
    Ok(rows::one(transaction, &sql, [], |row| row.get(0))?.unwrap_or_default())
}

/// The table with a row (`id`) for each row of a full-text table, which FTS5 keeps beside it and
/// documents: a contentless table itself is slow to scan.
pub(super) fn lengths(name: &str) -> String {
    format!("{name}_docsize")
}
