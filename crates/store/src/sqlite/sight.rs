//! Which chunks of a base a search may see.
//!
//! The condition is part of each query: a chunk of the base, in the generation that serves it, and
//! of a document of that base that is ready and switched on. A list of chunks comes from few
//! documents, so each document is looked at once.

use std::collections::HashMap;

use ancre_domain::ChunkId;
use rusqlite::{CachedStatement, Transaction, params};

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
    // Kept for the search: looking them up takes as long as running them.
    by_key: Option<CachedStatement<'t>>,
    by_id: Option<CachedStatement<'t>>,
    document: Option<CachedStatement<'t>>,
}

impl<'t> Sight<'t> {
    /// Of a search in this generation of a base.
    pub(super) fn new(transaction: &'t Transaction<'t>, generation: &'t Generation) -> Self {
        let documents = HashMap::new();
        Self { transaction, generation, documents, by_key: None, by_id: None, document: None }
    }

    /// The chunk with this key, if it may be seen.
    pub(super) fn chunk_with_key(&mut self, key: i64) -> Result<Option<ChunkId>, Trouble> {
        let sql = "SELECT document_id, id FROM document_chunks
                   WHERE key = ?1 AND ?2 IS NULL AND kb_id = ?3 AND generation = ?4";
        let statement = rows::kept(&mut self.by_key, self.transaction, sql)?;
        let kb = self.generation.kb.as_str();
        let mut found = statement.query(params![key, NOTHING, kb, self.generation.number])?;
        let Some(row) = found.next()? else { return Ok(None) };
        let document = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        let is_visible = is_visible(
            &mut self.documents,
            &mut self.document,
            self.transaction,
            self.generation,
            document,
        )?;
        Ok(if is_visible { Some(rows::id(row, "id")?) } else { None })
    }

    /// Whether a chunk may be seen.
    pub(super) fn sees(&mut self, chunk: &ChunkId) -> Result<bool, Trouble> {
        let sql = "SELECT document_id FROM document_chunks
                   WHERE id = ?1 AND ?2 IS NULL AND kb_id = ?3 AND generation = ?4";
        let statement = rows::kept(&mut self.by_id, self.transaction, sql)?;
        let kb = self.generation.kb.as_str();
        let chunk = chunk.as_str();
        let mut found = statement.query(params![chunk, NOTHING, kb, self.generation.number])?;
        let Some(row) = found.next()? else { return Ok(false) };
        let document = row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?;
        is_visible(
            &mut self.documents,
            &mut self.document,
            self.transaction,
            self.generation,
            document,
        )
    }
}

/// Fills the place of a parameter that other queries with the same condition have.
const NOTHING: Option<u32> = None;

/// Whether a document may be seen, by what is known or by looking it up.
fn is_visible<'t>(
    known: &mut HashMap<String, bool>,
    statement: &mut Option<CachedStatement<'t>>,
    transaction: &'t Transaction<'t>,
    generation: &Generation,
    document: &str,
) -> Result<bool, Trouble> {
    if let Some(is_visible) = known.get(document) {
        return Ok(*is_visible);
    }
    let sql = concat!(
        "SELECT 1 FROM documents WHERE id = ?1 AND ?2 IS NULL AND ",
        document_is_visible!()
    );
    let statement = rows::kept(statement, transaction, sql)?;
    let is_visible = statement.exists(params![document, NOTHING, generation.kb.as_str()])?;
    known.insert(document.to_owned(), is_visible);
    Ok(is_visible)
}
