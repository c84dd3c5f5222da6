//! Words that come after their chunks: bases from before text search get them step by step.
//!
//! Meanwhile new documents bring their own, so the text table is filled from both ends; it serves,
//! and is entered in the registry, when no chunk is without words.

use ancre_domain::{Chunk, ChunkId, Language};
use rusqlite::{OptionalExtension, Transaction, params};

use super::generations::{self, Generation};
use super::place::Trouble;
use super::{indexing, rows, text_tables};
use crate::traits::LexicalText;

/// Makes the text table of a generation that has none.
pub(super) fn ensure_table(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<(), Trouble> {
    let table = generation.text_table();
    if !text_tables::exists(transaction, &table)? {
        text_tables::create(transaction, &table)?;
        // It was lost, if the registry knows of it: the chunks that are there are without words.
        enter(transaction, generation, None)?;
    }
    Ok(())
}

/// Chunks of ready documents whose words are not in the text table, oldest first.
pub(super) fn chunks_without(
    transaction: &Transaction<'_>,
    generation: &Generation,
    limit: u32,
) -> Result<Vec<Chunk>, Trouble> {
    let table = generation.text_table();
    let is_without = if text_tables::exists(transaction, &table)? {
        let lengths = text_tables::lengths(&table);
        format!("NOT EXISTS (SELECT 1 FROM {lengths} WHERE id = document_chunks.key)")
    } else {
        "TRUE".to_owned()
    };
    let sql = format!(
        "SELECT * FROM document_chunks
         WHERE kb_id = ?1 AND generation = ?2 AND windows > 0 AND {is_without}
         ORDER BY key LIMIT ?3"
    );
    let parameters = params![generation.kb.as_str(), generation.number, limit];
    rows::all(transaction, &sql, parameters, indexing::read_chunk)
}

/// Adds words, and says whether none are missing any more.
pub(super) fn add(
    transaction: &Transaction<'_>,
    generation: &Generation,
    added: &[(ChunkId, LexicalText, Option<Language>)],
) -> Result<bool, Trouble> {
    ensure_table(transaction, generation)?;
    let table = generation.text_table();
    let mut statement = transaction.prepare_cached(
        "UPDATE document_chunks SET language = ?4
         WHERE id = ?1 AND kb_id = ?2 AND generation = ?3 AND windows > 0
         RETURNING key",
    )?;
    let mut words = Vec::with_capacity(added.len());
    for (id, text, language) in added {
        let language = language.map(Language::code);
        let parameters = params![id.as_str(), generation.kb.as_str(), generation.number, language];
        let key = statement.query_row(parameters, |row| row.get(0)).optional()?;
        words.extend(key.map(|key: i64| (key, text)));
    }
    text_tables::insert(transaction, &table, words)?;

    let (chunks, _) = generations::chunks_and_windows(transaction, generation)?;
    let is_complete = text_tables::count(transaction, &table)? == chunks;
    if is_complete {
        enter(transaction, generation, Some(&table))?;
    }
    Ok(is_complete)
}

/// Writes down whether the text table serves; a base that has no entry yet gets one for it.
fn enter(
    transaction: &Transaction<'_>,
    generation: &Generation,
    table: Option<&str>,
) -> Result<(), Trouble> {
    let changed = rows::change(
        transaction,
        "UPDATE index_generations SET text_table = ?3 WHERE kb_id = ?1 AND number = ?2",
        params![generation.kb.as_str(), generation.number, table],
    )?;
    if changed == 0 && table.is_some() {
        generations::insert(
            transaction,
            &Generation { has_all_words: true, ..generation.clone() },
        )?;
    }
    Ok(())
}
