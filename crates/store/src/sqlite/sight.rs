//! Which chunks of a base a search may see.
//!
//! The condition is part of each query: a chunk of the base, in the generation that serves it, and
//! of a document of that base that is ready and switched on. A list of chunks comes from few
//! documents, so each document is looked at once.

use std::collections::HashMap;

use ancre_domain::ChunkId;
use rusqlite::{Row, Transaction, params};

use super::generations::Generation;
use super::place::Trouble;
use super::rows;

/// Whether the document of a row may be seen by a search of base `?3`.
macro_rules! document_is_visible {
    () => {
        "documents.kb_id = ?3 AND documents.status = 'ready' AND documents.is_enabled = 1"
    };
}

/// Whether the chunk and the document of a row may be seen by a search: they are of base `?3`, of
/// the generation `?4` that serves it, and the document is ready and switched on.
pub(super) const IS_VISIBLE: &str = concat!(
    "document_chunks.kb_id = ?3 AND document_chunks.generation = ?4 AND ",
    document_is_visible!()
);

/// What one search may see.
pub(super) struct Sight<'t> {
    transaction: &'t Transaction<'t>,
    generation: &'t Generation,
    documents: HashMap<String, bool>,
}

impl<'t> Sight<'t> {
    /// Of a search in this generation of a base.
    pub(super) fn new(transaction: &'t Transaction<'t>, generation: &'t Generation) -> Self {
        Self { transaction, generation, documents: HashMap::new() }
    }

    /// The chunk with this key, if it may be seen.
    pub(super) fn chunk_with_key(&mut self, key: i64) -> Result<Option<ChunkId>, Trouble> {
        let sql = "SELECT id, document_id FROM document_chunks
                   WHERE key = ?1 AND ?2 IS NULL AND kb_id = ?3 AND generation = ?4";
        let nothing: Option<u32> = None;
        let kb = self.generation.kb.as_str();
        let parameters = params![key, nothing, kb, self.generation.number];
        let read = |row: &Row<'_>| Ok((rows::id(row, "id")?, row.get("document_id")?));
        let found: Option<(ChunkId, String)> = rows::one(self.transaction, sql, parameters, read)?;
        let Some((chunk, document)) = found else { return Ok(None) };
        Ok(self.sees_document(document)?.then_some(chunk))
    }

    /// Whether a chunk may be seen.
    pub(super) fn sees(&mut self, chunk: &ChunkId) -> Result<bool, Trouble> {
        let sql = "SELECT document_id FROM document_chunks
                   WHERE id = ?1 AND ?2 IS NULL AND kb_id = ?3 AND generation = ?4";
        let nothing: Option<u32> = None;
        let kb = self.generation.kb.as_str();
        let parameters = params![chunk.as_str(), nothing, kb, self.generation.number];
        let found = rows::one(self.transaction, sql, parameters, |row| row.get(0))?;
        found.map_or(Ok(false), |document| self.sees_document(document))
    }

    fn sees_document(&mut self, document: String) -> Result<bool, Trouble> {
        if let Some(is_visible) = self.documents.get(&document) {
            return Ok(*is_visible);
        }
        let sql = concat!(
            "SELECT 1 FROM documents WHERE id = ?1 AND ?2 IS NULL AND ",
            document_is_visible!()
        );
        let nothing: Option<u32> = None;
        let parameters = params![document, nothing, self.generation.kb.as_str()];
        let is_visible = rows::one(self.transaction, sql, parameters, |_| Ok(()))?.is_some();
        self.documents.insert(document, is_visible);
        Ok(is_visible)
    }
}
