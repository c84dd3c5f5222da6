//! The table `document_chunks`, and the step that makes a document searchable.
//!
//! What lies between `store_chunks` and `finish` is the model's time. Nothing shows meanwhile:
//! the vectors, the words, the model's reports and the status come in one transaction. A chunk is
//! part of one generation of its base's index and has `windows` vectors there, none until then.

use std::collections::{HashMap, HashSet};

use ancre_domain::{
    CharRange, Chunk, ChunkId, Document, DocumentId, Language, PageKind, Timestamp,
};
use rusqlite::{Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::generations::{self, Generation};
use super::place::Trouble;
use super::vector_tables::Windows;
use super::{fault, rows, text_tables, vector_tables, words};
use crate::StoreError;
use crate::traits::{IndexedChunk, NewChunk};

/// The JSON of `document_chunks.metadata`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    start: u32,
    end: u32,
    page: Option<u32>,
    #[serde(default)]
    page_kind: Option<PageKind>,
    #[serde(default)]
    page_label: Option<String>,
    heading: Option<String>,
    #[serde(default)]
    tokens_outside_window: u32,
}

/// Keeps `chunks` for the generation that serves, in place of any that the document had there.
pub(super) fn store_chunks(
    transaction: &Transaction<'_>,
    document: &Document,
    chunks: &[NewChunk],
) -> Result<(), Trouble> {
    remove_unfinished(transaction, &document.id)?;
    let serving = generations::serving_of(transaction, &document.kb_id)?;
    remove_from(transaction, &document.id, &serving)?;
    insert_chunks(transaction, document, serving.number, chunks)
}

/// Writes chunks down, without vectors and words.
pub(super) fn insert_chunks(
    transaction: &Transaction<'_>,
    document: &Document,
    generation: u32,
    chunks: &[NewChunk],
) -> Result<(), Trouble> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO document_chunks (id, document_id, kb_id, generation, position, content,
                                      token_count, metadata)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for chunk in chunks {
        if chunk.document_id != document.id {
            return Err(fault(format!("chunk {} is of another document", chunk.id)));
        }
        let metadata = Metadata {
            start: chunk.range.start,
            end: chunk.range.end,
            page: chunk.page,
            page_kind: chunk.page_kind,
            page_label: chunk.page_label.clone(),
            heading: chunk.heading.clone(),
            tokens_outside_window: chunk.tokens_outside_window,
        };
        statement.execute(params![
            chunk.id.as_str(),
            document.id.as_str(),
            document.kb_id.as_str(),
            generation,
            chunk.position,
            chunk.content,
            chunk.token_count,
            serde_json::to_string(&metadata)?,
        ])?;
    }
    Ok(())
}

/// Adds the vectors and words of every chunk and makes the document ready.
pub(super) fn finish(
    transaction: &Transaction<'_>,
    document: &Document,
    indexed: &[IndexedChunk],
    now: Timestamp,
) -> Result<(), Trouble> {
    let serving = generations::serving_of(transaction, &document.kb_id)?;
    if !indexed.is_empty() && keys(transaction, document, serving.number)?.is_empty() {
        return Err(StoreError::GenerationChanged.into());
    }
    let outside_window = publish(transaction, document, &serving, indexed)?;
    rows::change(
        transaction,
        "UPDATE documents SET status = 'ready', claimed_by = NULL, chunk_count = ?2,
             outside_window = ?3, ingested_at = ?4
         WHERE id = ?1",
        params![document.id.as_str(), rows::length(indexed.len()), outside_window, now.as_millis()],
    )?;
    Ok(())
}

/// Adds the vectors and words of every chunk that the document has in a generation: it is whole in
/// it. Says how many of them end outside the model's window.
pub(super) fn publish(
    transaction: &Transaction<'_>,
    document: &Document,
    generation: &Generation,
    indexed: &[IndexedChunk],
) -> Result<u32, Trouble> {
    let keys = keys(transaction, document, generation.number)?;
    require_each_once(document, &keys, indexed)?;
    for chunk in indexed {
        if chunk.windows.is_empty() {
            return Err(fault(format!("chunk {} has no vector", chunk.chunk_id)));
        }
        for vector in &chunk.windows {
            vector_tables::require_fit(vector, generation.vectors.dimension)?;
        }
    }
    let vectors = indexed.iter().map(|chunk| (&chunk.chunk_id, chunk.windows.as_slice()));
    vector_tables::insert(transaction, &generation.vectors, vectors)?;
    words::ensure_table(transaction, generation)?;
    let words = indexed
        .iter()
        .filter_map(|chunk| keys.get(&chunk.chunk_id).map(|key| (*key, &chunk.lexical)));
    text_tables::insert(transaction, &generation.text_table(), words)?;

    let mut statement = transaction.prepare_cached(
        "UPDATE document_chunks SET windows = ?2, language = ?3,
             metadata = json_set(metadata, '$.tokensOutsideWindow', ?4)
         WHERE id = ?1",
    )?;
    for chunk in indexed {
        statement.execute(params![
            chunk.chunk_id.as_str(),
            rows::length(chunk.windows.len()),
            chunk.language.map(Language::code),
            chunk.tokens_outside_window
        ])?;
    }
    let outside_window = indexed.iter().filter(|chunk| chunk.tokens_outside_window > 0).count();
    let outside_window = rows::length(outside_window);
    rows::change(
        transaction,
        "REPLACE INTO document_indexings (document_id, generation, chunk_count, outside_window)
         VALUES (?1, ?2, ?3, ?4)",
        params![
            document.id.as_str(),
            generation.number,
            rows::length(indexed.len()),
            outside_window
        ],
    )?;
    Ok(outside_window)
}

/// Takes away what was stored of a document and never finished, for whatever generation.
pub(super) fn remove_unfinished(
    transaction: &Transaction<'_>,
    document: &DocumentId,
) -> Result<(), Trouble> {
    // Chunks without vectors have no words either.
    let sql = "DELETE FROM document_chunks WHERE document_id = ?1 AND windows = 0";
    rows::change(transaction, sql, [document.as_str()])?;
    Ok(())
}

/// Takes a document out of every generation of its base.
pub(super) fn remove(transaction: &Transaction<'_>, document: &Document) -> Result<(), Trouble> {
    for generation in generations::all_of(transaction, &document.kb_id)? {
        remove_from(transaction, &document.id, &generation)?;
    }
    Ok(())
}

/// Takes the chunks of a document out of a generation, with their vectors and words.
pub(super) fn remove_from(
    transaction: &Transaction<'_>,
    document: &DocumentId,
    generation: &Generation,
) -> Result<(), Trouble> {
    let key = params![document.as_str(), generation.number];
    let finished: Vec<(i64, Windows)> = rows::all(
        transaction,
        "SELECT key, id, windows FROM document_chunks
         WHERE document_id = ?1 AND generation = ?2 AND windows > 0",
        key,
        |row| Ok((row.get("key")?, (rows::id(row, "id")?, row.get("windows")?))),
    )?;
    let (keys, windows): (Vec<i64>, Vec<Windows>) = finished.into_iter().unzip();
    vector_tables::delete(transaction, &generation.vectors, &windows)?;
    text_tables::delete(transaction, &generation.text_table(), &keys)?;
    let sql = "DELETE FROM document_chunks WHERE document_id = ?1 AND generation = ?2";
    rows::change(transaction, sql, key)?;
    let sql = "DELETE FROM document_indexings WHERE document_id = ?1 AND generation = ?2";
    rows::change(transaction, sql, key)?;
    Ok(())
}

/// A chunk, from a row of `document_chunks` or one with the same columns.
pub(super) fn read_chunk(row: &Row<'_>) -> rusqlite::Result<Chunk> {
    let metadata: Metadata = rows::json(row, "metadata")?;
    Ok(Chunk {
        id: rows::id(row, "id")?,
        document_id: rows::id(row, "document_id")?,
        position: row.get("position")?,
        content: row.get("content")?,
        range: CharRange { start: metadata.start, end: metadata.end },
        page: metadata.page,
        page_kind: metadata.page_kind,
        page_label: metadata.page_label,
        heading: metadata.heading,
        token_count: row.get("token_count")?,
        tokens_outside_window: metadata.tokens_outside_window,
    })
}

/// The keys of the chunks that a document has in a generation.
fn keys(
    transaction: &Transaction<'_>,
    document: &Document,
    generation: u32,
) -> Result<HashMap<ChunkId, i64>, Trouble> {
    let chunks = rows::all(
        transaction,
        "SELECT id, key FROM document_chunks WHERE document_id = ?1 AND generation = ?2",
        params![document.id.as_str(), generation],
        |row| Ok((rows::id(row, "id")?, row.get("key")?)),
    )?;
    Ok(chunks.into_iter().collect())
}

fn require_each_once(
    document: &Document,
    stored: &HashMap<ChunkId, i64>,
    indexed: &[IndexedChunk],
) -> Result<(), Trouble> {
    let given: HashSet<&ChunkId> = indexed.iter().map(|chunk| &chunk.chunk_id).collect();
    let is_each_once = given.len() == indexed.len()
        && given.len() == stored.len()
        && given.into_iter().all(|id| stored.contains_key(id));
    if is_each_once {
        Ok(())
    } else {
        Err(fault(format!(
            "document {} has {} chunks, and vectors came for others or not for each",
            document.id,
            stored.len()
        )))
    }
}
