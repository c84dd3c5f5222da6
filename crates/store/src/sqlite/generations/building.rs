//! How a generation is built beside the one that serves.

use ancre_domain::{
    DocumentId, DocumentStatus, GenerationState, KnowledgeBase, ProjectId, Timestamp,
};
use rusqlite::{Transaction, params};

use super::registry::{Generation, all, create, delete, in_state};
use crate::sqlite::documents::find;
use crate::sqlite::knowledge_bases::require_knowledge_base;
use crate::sqlite::place::Trouble;
use crate::sqlite::vector_tables::{self, VectorTable};
use crate::sqlite::{fault, indexing, not_found, rows};
use crate::traits::{IndexedChunk, NewChunk, NewGeneration};

/// The generation that is being built with these settings, begun if there is none.
pub(super) fn begin(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBase,
    new: &NewGeneration,
    now: Timestamp,
) -> Result<Generation, Trouble> {
    if !(1..=vector_tables::MAX_DIMENSION).contains(&new.embedding_dim) {
        return Err(fault(format!("no base can hold vectors of {}", new.embedding_dim)));
    }
    if let Some(begun) = in_state(transaction, kb, GenerationState::Building)? {
        let is_the_same = begun.embedding_model_id == new.embedding_model_id
            && begun.embedding_version == new.embedding_version
            && begun.vectors.dimension == new.embedding_dim
            && begun.chunking == new.chunking;
        if is_the_same {
            return Ok(begun);
        }
        delete(transaction, &begun)?;
    }
    let last = all(transaction, kb)?.iter().map(|it| it.number).max().unwrap_or_default();
    let number = last + 1;
    let generation = Generation {
        kb: kb.id.clone(),
        number,
        state: GenerationState::Building,
        embedding_model_id: new.embedding_model_id.clone(),
        embedding_version: new.embedding_version.clone(),
        chunking: new.chunking,
        vectors: VectorTable::own(&kb.id, number, new.embedding_dim),
        // Each chunk brings its words.
        has_all_words: true,
        created_at: now,
        finished_at: None,
    };
    create(transaction, &generation)?;
    Ok(generation)
}

/// Adds a document to generation `number`, in place of what that one had of it.
pub(super) fn add(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &DocumentId,
    number: u32,
    chunks: &[NewChunk],
    indexed: &[IndexedChunk],
) -> Result<(), Trouble> {
    let Some(document) = find(transaction, id)? else { return Ok(()) };
    let kb = require_knowledge_base(transaction, project, &document.kb_id)?;
    let building = in_state(transaction, &kb, GenerationState::Building)?
        .filter(|building| building.number == number)
        .ok_or_else(|| not_found("new index of the knowledge base", kb.id.as_str()))?;
    if document.status != DocumentStatus::Ready {
        return Ok(());
    }
    indexing::remove_from(transaction, &document.id, &building)?;
    indexing::insert_chunks(transaction, &document, number, chunks)?;
    indexing::publish(transaction, &document, &building, indexed)?;
    Ok(())
}

/// The ready documents that are not whole in a generation, oldest first.
pub(super) fn documents_not_whole(
    transaction: &Transaction<'_>,
    generation: &Generation,
) -> Result<Vec<DocumentId>, Trouble> {
    rows::all(
        transaction,
        &format!(
            "SELECT documents.id FROM documents
             WHERE kb_id = ?1 AND status = 'ready' AND NOT {IS_WHOLE}
             ORDER BY created_at, rowid"
        ),
        params![generation.kb.as_str(), generation.number],
        |row| rows::id(row, "id"),
    )
}

/// Whether the document of the row is whole in generation `?2`.
pub(super) const IS_WHOLE: &str = "EXISTS (
    SELECT 1 FROM document_indexings
    WHERE document_indexings.document_id = documents.id AND document_indexings.generation = ?2
      AND document_indexings.chunk_count = (
          SELECT count(*) FROM document_chunks
          WHERE document_chunks.document_id = documents.id AND document_chunks.generation = ?2
      )
)";
