//! The full-text tables: FTS5, one for each generation of a base's index.
//!
//! They are contentless: they hold what is needed to find and rank, not the words themselves,
//! which stand in `document_chunks` once. The row's number is the chunk's `key`. As with vectors,
//! no foreign key reaches them: whatever deletes chunks calls this file in the same transaction.

use ancre_domain::KnowledgeBaseId;
use rusqlite::{Transaction, params};

use super::place::Trouble;
use super::{derived_tables, rows};
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
    // What is left of a broken one would be in the way.
    drop(transaction, name)?;
    Ok(transaction.execute_batch(&format!(
        "CREATE VIRTUAL TABLE {name} USING fts5(
             title, heading, body,
             content = '', contentless_delete = 1,
             tokenize = \"unicode61 remove_diacritics 2\"
         )"
    ))?)
}

/// Drops the table, if it is there, and what is left of one that is broken.
pub(super) fn drop(transaction: &Transaction<'_>, name: &str) -> Result<(), Trouble> {
    derived_tables::drop(transaction, name, derived_tables::FTS5)
}

/// Whether the table is there, with every part and the record of its structure, without which it
/// answers nothing.
pub(super) fn exists(transaction: &Transaction<'_>, name: &str) -> Result<bool, Trouble> {
    if !derived_tables::is_whole(transaction, name, derived_tables::FTS5)? {
        return Ok(false);
    }
    let sql = format!("SELECT 1 FROM \"{name}_data\" WHERE id = {STRUCTURE}");
    Ok(rows::one(transaction, &sql, [], |_| Ok(()))?.is_some())
}

/// The record of what a table consists of (`FTS5_STRUCTURE_ROWID` in the source of FTS5).
const STRUCTURE: i64 = 10;

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

/// Takes the words of these chunks away. A table that is broken goes as a whole: its base gets its
/// words again.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    name: &str,
    keys: &[i64],
) -> Result<(), Trouble> {
    if keys.is_empty() {
        return Ok(());
    }
    let deleted = if exists(transaction, name)? {
        derived_tables::attempt(transaction, || {
            let sql = format!("DELETE FROM {name} WHERE rowid = ?1");
            let mut statement = transaction.prepare_cached(&sql)?;
            keys.iter().try_for_each(|key| statement.execute([key]).map(|_| ()))?;
            Ok(())
        })?
    } else {
        None
    };
    if deleted.is_none() {
        drop(transaction, name)?;
    }
    Ok(())
}

/// How many pages one step of merging writes: some 15 ms.
const PAGES_PER_STEP: i32 = 64;

/// Page ids of FTS5 from here on are those of the lists of deleted rows (`FTS5_TOMBSTONE_ROWID`
/// in its source: segments are numbered from 1 in bits 37 and up, such lists from 65,537).
const FIRST_DELETED_ROWS: i64 = 65_537 << 37;

/// Which step of a merge.
#[derive(Debug, Clone, Copy)]
pub(super) enum MergeStep {
    /// Takes every part of the table into one merge.
    First,
    /// Goes on with it.
    Next,
}

/// The tables that still hold words of deleted rows: a contentless table does not know which words
/// a row has, so deleting only notes the row, and FTS5's `secure-delete` has nothing to act on.
pub(super) fn with_deleted_words(transaction: &Transaction<'_>) -> Result<Vec<String>, Trouble> {
    let tables: Vec<String> = rows::all(
        transaction,
        "SELECT name FROM sqlite_schema
         WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5(%' ORDER BY name",
        [],
        |row| row.get(0),
    )?;
    let mut found = Vec::new();
    for table in tables {
        if !exists(transaction, &table)? {
            continue;
        }
        let sql = format!("SELECT 1 FROM \"{table}_data\" WHERE id >= ?1 LIMIT 1");
        if rows::one(transaction, &sql, [FIRST_DELETED_ROWS], |_| Ok(()))?.is_some() {
            found.push(table);
        }
    }
    Ok(found)
}

/// Does one step of writing the table anew without the words of deleted rows, and says whether
/// there may be more to do.
pub(super) fn merge(
    transaction: &Transaction<'_>,
    table: &str,
    step: MergeStep,
) -> Result<bool, Trouble> {
    if !exists(transaction, table)? {
        return Ok(false);
    }
    // A negative number begins a merge of everything (FTS5's documentation, “merge”); it has come
    // to its end when a step changes less than two rows.
    let pages = match step {
        MergeStep::First => -PAGES_PER_STEP,
        MergeStep::Next => PAGES_PER_STEP,
    };
    let before = transaction.total_changes();
    let sql = format!("INSERT INTO \"{table}\" (\"{table}\", rank) VALUES ('merge', ?1)");
    rows::change(transaction, &sql, [pages])?;
    Ok(transaction.total_changes() - before >= 2)
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
