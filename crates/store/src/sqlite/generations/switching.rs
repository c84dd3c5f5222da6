//! How a base changes from one generation to another: in one transaction, and only to a whole one.

use ancre_domain::{GenerationState, IndexHealth, KnowledgeBase, Timestamp};
use rusqlite::{Transaction, params};

use super::building::{IS_WHOLE, documents_not_whole};
use super::health;
use super::registry::{
    Generation, chunks_and_windows, delete, delete_in_state, in_state, insert, require_in_state,
    serving,
};
use crate::StoreError;
use crate::sqlite::place::Trouble;
use crate::sqlite::{rows, text_tables, vector_tables};

/// Lets the base answer from the generation that is being built.
pub(super) fn switch(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    now: Timestamp,
) -> Result<Generation, Trouble> {
    let mut building = require_in_state(transaction, kb, GenerationState::Building)?;
    require_whole(transaction, &building)?;
    delete_in_state(transaction, kb, GenerationState::Previous)?;
    let served = serving(transaction, kb)?;
    match health::of(transaction, &served)? {
        // Nobody will want this one back.
        IndexHealth::VectorsMissing | IndexHealth::WrongDimension | IndexHealth::ChunksMissing => {
            delete(transaction, &served)?;
        }
        _ => set_state(transaction, kb, &served, GenerationState::Previous)?,
    }
    building.finished_at = Some(now);
    rows::change(
        transaction,
        "UPDATE index_generations SET finished_at = ?3 WHERE kb_id = ?1 AND number = ?2",
        params![building.kb.as_str(), building.number, now.as_millis()],
    )?;
    serve(transaction, kb, building, now)
}

/// Brings the previous generation back.
pub(super) fn restore(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    now: Timestamp,
) -> Result<Generation, Trouble> {
    let previous = require_in_state(transaction, kb, GenerationState::Previous)?;
    vector_tables::require(transaction, &previous.vectors)?;
    let served = serving(transaction, kb)?;
    // Two cannot be in one state, not even for a moment: the one steps aside first.
    let sql = "UPDATE index_generations SET state = 'returning' WHERE kb_id = ?1 AND number = ?2";
    rows::change(transaction, sql, params![previous.kb.as_str(), previous.number])?;
    set_state(transaction, kb, &served, GenerationState::Previous)?;
    serve(transaction, kb, previous, now)
}

/// The error that a generation cannot serve yet, if it cannot.
fn require_whole(transaction: &Transaction<'_>, building: &Generation) -> Result<(), Trouble> {
    let missing = rows::length(documents_not_whole(transaction, building)?.len());
    if missing > 0 {
        return Err(StoreError::GenerationIncomplete { missing }.into());
    }
    let (chunks, windows) = chunks_and_windows(transaction, building)?;
    let is_sound = vector_tables::fault_of(transaction, &building.vectors)?.is_none()
        && vector_tables::count(transaction, &building.vectors)? == windows
        && text_tables::exists(transaction, &building.text_table())?
        && text_tables::count(transaction, &building.text_table())? == chunks;
    if is_sound {
        return Ok(());
    }
    let sql = "SELECT count(*) FROM documents WHERE kb_id = ?1 AND status = 'ready'";
    let ready = rows::one(transaction, sql, [building.kb.as_str()], |row| row.get(0))?;
    Err(StoreError::GenerationIncomplete { missing: ready.unwrap_or_default() }.into())
}

/// Marks what served, entering it in the registry where it never was.
fn set_state(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    generation: &Generation,
    state: GenerationState,
) -> Result<(), Trouble> {
    if in_state(transaction, kb, generation.state)?.is_none() {
        return insert(transaction, &Generation { state, ..generation.clone() });
    }
    rows::change(
        transaction,
        "UPDATE index_generations SET state = ?3 WHERE kb_id = ?1 AND number = ?2",
        params![generation.kb.as_str(), generation.number, state.as_str()],
    )?;
    Ok(())
}

/// Lets the base answer from a generation, and lets everything that repeats its settings follow.
fn serve(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    generation: Generation,
    now: Timestamp,
) -> Result<Generation, Trouble> {
    let key = params![kb.id.as_str(), generation.number];
    let sql = "UPDATE index_generations SET state = 'serving' WHERE kb_id = ?1 AND number = ?2";
    rows::change(transaction, sql, key)?;
    rows::change(
        transaction,
        "UPDATE knowledge_bases SET generation = ?2, embedding_model_id = ?3, embedding_dim = ?4,
             chunk_size = ?5, chunk_overlap = ?6
         WHERE id = ?1",
        params![
            kb.id.as_str(),
            generation.number,
            generation.embedding_model_id,
            generation.vectors.dimension,
            generation.chunking.size,
            generation.chunking.overlap
        ],
    )?;
    // Back in the queue goes what this one never had; their chunks in the other one stay.
    rows::change(
        transaction,
        &format!(
            "UPDATE documents SET status = 'queued', chunk_count = 0, outside_window = 0,
                 ingested_at = NULL
             WHERE kb_id = ?1 AND status = 'ready' AND NOT {IS_WHOLE}"
        ),
        key,
    )?;
    rows::change(
        transaction,
        &format!(
            "UPDATE documents SET status = 'ready', ingested_at = ?3
             WHERE kb_id = ?1 AND status = 'queued' AND {IS_WHOLE}"
        ),
        params![kb.id.as_str(), generation.number, now.as_millis()],
    )?;
    rows::change(
        transaction,
        "UPDATE documents SET chunk_count = indexing.chunk_count,
             outside_window = indexing.outside_window
         FROM document_indexings AS indexing
         WHERE documents.kb_id = ?1 AND documents.status = 'ready'
           AND indexing.document_id = documents.id AND indexing.generation = ?2",
        key,
    )?;
    Ok(Generation { state: GenerationState::Serving, ..generation })
}
