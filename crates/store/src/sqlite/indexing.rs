//! The table `document_chunks`, and the step that makes a document searchable.
//!
//! What lies between `store_chunks` and `finish` is the model's time. Nothing shows meanwhile:
//! the vectors, the model's reports and the status come in one transaction.

use std::collections::HashSet;

use ancre_domain::{CharRange, Chunk, ChunkId, Document, PageKind, Timestamp};
use rusqlite::{Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::place::Trouble;
use super::{fault, rows, vector_tables};
use crate::traits::{EmbeddedChunk, NewChunk};

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

/// Keeps `chunks` in place of any that the document had.
pub(super) fn store_chunks(
    transaction: &Transaction<'_>,
    document: &Document,
    chunks: &[NewChunk],
) -> Result<(), Trouble> {
    let sql = "DELETE FROM document_chunks WHERE document_id = ?1";
    rows::change(transaction, sql, [document.id.as_str()])?;
    let mut statement = transaction.prepare_cached(
        "INSERT INTO document_chunks (id, document_id, kb_id, position, content, token_count,
                                      metadata)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
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
            chunk.position,
            chunk.content,
            chunk.token_count,
            serde_json::to_string(&metadata)?,
        ])?;
    }
    Ok(())
}

/// Adds the vector of every chunk and makes the document ready.
pub(super) fn finish(
    transaction: &Transaction<'_>,
    document: &Document,
    embedded: &[EmbeddedChunk],
    now: Timestamp,
) -> Result<(), Trouble> {
    require_each_once(transaction, document, embedded)?;
    let dimension = dimension(transaction, document)?;
    for chunk in embedded {
        vector_tables::require_fit(&chunk.vector, dimension)?;
    }
    let vectors = embedded.iter().map(|chunk| (&chunk.chunk_id, chunk.vector.as_slice()));
    vector_tables::insert(transaction, &document.kb_id, vectors)?;

    let mut statement = transaction.prepare_cached(
        "UPDATE document_chunks SET metadata = json_set(metadata, '$.tokensOutsideWindow', ?2)
         WHERE id = ?1",
    )?;
    for chunk in embedded {
        statement.execute(params![chunk.chunk_id.as_str(), chunk.tokens_outside_window])?;
    }
    let outside_window = embedded.iter().filter(|chunk| chunk.tokens_outside_window > 0).count();
    rows::change(
        transaction,
        "UPDATE documents SET status = 'ready', claimed_by = NULL, chunk_count = ?2,
             outside_window = ?3, ingested_at = ?4
         WHERE id = ?1",
        params![
            document.id.as_str(),
            rows::length(embedded.len()),
            rows::length(outside_window),
            now.as_millis()
        ],
    )?;
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

fn require_each_once(
    transaction: &Transaction<'_>,
    document: &Document,
    embedded: &[EmbeddedChunk],
) -> Result<(), Trouble> {
    let stored: HashSet<ChunkId> = rows::all(
        transaction,
        "SELECT id FROM document_chunks WHERE document_id = ?1",
        [document.id.as_str()],
        |row| rows::id(row, "id"),
    )?
    .into_iter()
    .collect();
    let given: HashSet<&ChunkId> = embedded.iter().map(|chunk| &chunk.chunk_id).collect();
    let is_each_once = given.len() == embedded.len()
        && given.len() == stored.len()
        && given.into_iter().all(|id| stored.contains(id));
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

fn dimension(transaction: &Transaction<'_>, document: &Document) -> Result<u32, Trouble> {
    let sql = "SELECT embedding_dim FROM knowledge_bases WHERE id = ?1";
    rows::one(transaction, sql, [document.kb_id.as_str()], |row| row.get(0))?
        .ok_or_else(|| super::not_found("knowledge base", document.kb_id.as_str()))
}
