//! The table `documents`, and where each part of a document's life is written down: claims in
//! [`claims`], chunks, vectors and words in [`indexing`], who takes whose place in
//! [`replacement`], the searches in [`nearest`] and [`lexical`], what they show in [`hits`].

use ancre_domain::{
    Chunk, ChunkId, Document, DocumentFailure, DocumentId, DocumentStatus, ErrorCode, Hit,
    KnowledgeBaseId, Page, PageRequest, ProjectId, SourceId, SourceKind, Timestamp, Warning,
};
use rusqlite::{Row, Transaction, params};

use super::knowledge_bases::require_knowledge_base;
use super::need::Doomed;
use super::place::Trouble;
use super::projects_and_sources::require_source;
use super::{SqliteStore, claims, hits, indexing, lexical, nearest, not_found, replacement, rows};
use crate::StoreError;
use crate::traits::{
    DocumentFilter, DocumentStore, IndexedChunk, LexicalQuery, LexicalRanking, LexicalWeights,
    NearChunk, NewChunk,
};

/// What a [`Document`] is read from. Its source's warnings stand before the text and the original,
/// so that a list reads through neither.
const DOCUMENT: &str = "SELECT documents.*, \
     (SELECT warnings FROM sources WHERE sources.id = documents.source_id) AS warnings, \
     (SELECT byte_count FROM sources WHERE sources.id = documents.source_id) AS byte_count \
     FROM documents";

impl DocumentStore for SqliteStore {
    fn attach_source(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        source: &SourceId,
        now: Timestamp,
    ) -> Result<(Document, bool), StoreError> {
        self.write(|transaction| attach(transaction, project, kb, source, now))
    }

    fn attach_in_place_of(
        &self,
        project: &ProjectId,
        replaced: &DocumentId,
        source: &SourceId,
        now: Timestamp,
    ) -> Result<(Document, bool), StoreError> {
        self.erase(|transaction| {
            replacement::attach_in_place_of(transaction, project, replaced, source, now)
        })
    }

    fn document(&self, project: &ProjectId, id: &DocumentId) -> Result<Document, StoreError> {
        self.read(|transaction| require_in_project(transaction, project, id))
    }

    fn list_documents(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        filter: DocumentFilter,
        page: PageRequest,
    ) -> Result<Page<Document>, StoreError> {
        self.read(|transaction| {
            require_knowledge_base(transaction, project, kb)?;
            list(transaction, kb, filter, page)
        })
    }

    fn queued_documents(&self) -> Result<Vec<(ProjectId, DocumentId)>, StoreError> {
        self.read(|transaction| {
            rows::all(
                transaction,
                "SELECT documents.id, project_id
                 FROM documents JOIN knowledge_bases ON knowledge_bases.id = kb_id
                 WHERE status = 'queued' ORDER BY documents.created_at, documents.rowid",
                [],
                |row| Ok((rows::id(row, "project_id")?, rows::id(row, "id")?)),
            )
        })
    }

    fn claim_document(
        &self,
        project: &ProjectId,
        id: &DocumentId,
    ) -> Result<Option<Document>, StoreError> {
        self.write(|transaction| claims::claim(transaction, &self.instance, project, id))
    }

    fn store_chunks(&self, id: &DocumentId, chunks: &[NewChunk]) -> Result<(), StoreError> {
        self.write(|transaction| {
            let document = claims::require_own(transaction, &self.instance, id)?;
            indexing::store_chunks(transaction, &document, chunks)
        })
    }

    fn finish_document(
        &self,
        id: &DocumentId,
        indexed: &[IndexedChunk],
        now: Timestamp,
    ) -> Result<Document, StoreError> {
        self.write(|transaction| {
            let document = claims::require_own(transaction, &self.instance, id)?;
            indexing::finish(transaction, &document, indexed, now)?;
            replacement::take_place(transaction, id)?;
            require(transaction, id)
        })
    }

    fn fail_document(
        &self,
        id: &DocumentId,
        failure: &DocumentFailure,
    ) -> Result<Document, StoreError> {
        self.write(|transaction| {
            let document = claims::require_free(transaction, &self.instance, id)?;
            indexing::remove(transaction, &document)?;
            rows::change(
                transaction,
                "UPDATE documents SET status = 'error', error_code = ?2, error_message = ?3,
                     claimed_by = NULL, chunk_count = 0, outside_window = 0, ingested_at = NULL
                 WHERE id = ?1",
                params![id.as_str(), failure.code.as_str(), failure.message],
            )?;
            require(transaction, id)
        })
    }

    fn release_document(&self, id: &DocumentId) -> Result<(), StoreError> {
        self.write_in_need(|transaction| {
            let document = claims::require_own(transaction, &self.instance, id)?;
            claims::release(transaction, &document)
        })
    }

    fn release_abandoned_documents(&self) -> Result<Vec<DocumentId>, StoreError> {
        self.write_in_need(|transaction| claims::release_abandoned(transaction, &self.instance))
    }

    fn set_document_enabled(
        &self,
        project: &ProjectId,
        id: &DocumentId,
        is_enabled: bool,
    ) -> Result<Document, StoreError> {
        self.write(|transaction| {
            require_in_project(transaction, project, id)?;
            let sql = "UPDATE documents SET is_enabled = ?2 WHERE id = ?1";
            rows::change(transaction, sql, params![id.as_str(), is_enabled])?;
            require(transaction, id)
        })
    }

    fn delete_document(&self, project: &ProjectId, id: &DocumentId) -> Result<(), StoreError> {
        let doomed = |transaction: &Transaction<'_>| {
            Ok(Doomed::Documents(vec![require_in_project(transaction, project, id)?]))
        };
        self.erase_large(doomed, |transaction| {
            let document = require_in_project(transaction, project, id)?;
            delete(transaction, &document)
        })
    }

    fn chunks(&self, project: &ProjectId, id: &DocumentId) -> Result<Vec<Chunk>, StoreError> {
        self.read(|transaction| {
            require_in_project(transaction, project, id)?;
            rows::all(
                transaction,
                "SELECT * FROM document_chunks
                 WHERE document_id = ?1 AND generation = (
                     SELECT generation FROM knowledge_bases
                     WHERE knowledge_bases.id = (SELECT kb_id FROM documents WHERE id = ?1)
                 )
                 ORDER BY position",
                [id.as_str()],
                indexing::read_chunk,
            )
        })
    }

    fn nearest(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        vector: &[f32],
        k: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<Hit>, StoreError> {
        self.read(|transaction| {
            nearest::search(transaction, &self.indexes, project, kb, vector, k, max_distance)
        })
    }

    fn nearest_chunks(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        vector: &[f32],
        k: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<NearChunk>, StoreError> {
        self.read(|transaction| {
            nearest::chunks(transaction, &self.indexes, project, kb, vector, k, max_distance)
        })
    }

    fn distances(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        chunks: &[ChunkId],
        vector: &[f32],
    ) -> Result<Vec<NearChunk>, StoreError> {
        self.read(|transaction| {
            hits::distances(transaction, &self.indexes, project, kb, chunks, vector)
        })
    }

    fn lexical(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        query: &LexicalQuery,
        weights: LexicalWeights,
        k: u32,
    ) -> Result<LexicalRanking, StoreError> {
        self.read(|transaction| {
            lexical::search(transaction, &self.row_lengths, project, kb, query, weights, k)
        })
    }

    fn hits(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        chunks: &[ChunkId],
        vector: Option<&[f32]>,
    ) -> Result<Vec<Hit>, StoreError> {
        self.read(|transaction| {
            hits::of_chunks(transaction, &self.indexes, project, kb, chunks, vector)
        })
    }

    fn neighbours(
        &self,
        project: &ProjectId,
        chunk: &ChunkId,
        before: u32,
        after: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        self.read(|transaction| hits::neighbours(transaction, project, chunk, before, after))
    }
}

/// The document, whatever its project, or the error that it is gone.
pub(super) fn require(transaction: &Transaction<'_>, id: &DocumentId) -> Result<Document, Trouble> {
    find(transaction, id)?.ok_or_else(|| not_found("document", id.as_str()))
}

/// The document, or the error that the project has none such.
pub(super) fn require_in_project(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &DocumentId,
) -> Result<Document, Trouble> {
    rows::one(
        transaction,
        &format!(
            "{DOCUMENT} JOIN knowledge_bases ON knowledge_bases.id = kb_id
             WHERE documents.id = ?1 AND project_id = ?2"
        ),
        [id.as_str(), project.as_str()],
        read_document,
    )?
    .ok_or_else(|| not_found("document", id.as_str()))
}

/// The document, whatever its project, if it is there.
pub(super) fn find(
    transaction: &Transaction<'_>,
    id: &DocumentId,
) -> Result<Option<Document>, Trouble> {
    let sql = format!("{DOCUMENT} WHERE id = ?1");
    rows::one(transaction, &sql, [id.as_str()], read_document)
}

/// The documents of a source, in every base.
pub(super) fn of_source(
    transaction: &Transaction<'_>,
    source: &SourceId,
) -> Result<Vec<Document>, Trouble> {
    let sql = format!("{DOCUMENT} WHERE source_id = ?1 ORDER BY created_at, rowid");
    rows::all(transaction, &sql, [source.as_str()], read_document)
}

/// Deletes a document with its chunks and their vectors.
pub(super) fn delete(transaction: &Transaction<'_>, document: &Document) -> Result<(), Trouble> {
    indexing::remove(transaction, document)?;
    let sql = "DELETE FROM documents WHERE id = ?1";
    rows::change(transaction, sql, [document.id.as_str()])?;
    Ok(())
}

/// The document of a source in a base, made if it is not there, and whether it was.
pub(super) fn attach(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    source: &SourceId,
    now: Timestamp,
) -> Result<(Document, bool), Trouble> {
    require_knowledge_base(transaction, project, kb)?;
    let source = require_source(transaction, project, source)?;
    let sql = format!("{DOCUMENT} WHERE kb_id = ?1 AND source_id = ?2");
    let there = rows::one(transaction, &sql, [kb.as_str(), source.id.as_str()], read_document)?;
    if let Some(document) = there {
        return Ok((document, true));
    }
    let document = Document {
        id: DocumentId::generate(now),
        kb_id: kb.clone(),
        source_id: source.id,
        source_kind: source.kind,
        source_uri: source.uri,
        title: source.title,
        mime: source.mime,
        sha256: source.sha256,
        status: DocumentStatus::Queued,
        char_count: source.char_count,
        chunk_count: 0,
        is_enabled: true,
        failure: None,
        warnings: source.warnings,
        created_at: now,
        ingested_at: None,
    };
    rows::change(
        transaction,
        "INSERT INTO documents (id, kb_id, source_id, source_kind, source_uri, title, mime,
                                sha256, status, char_count, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            document.id.as_str(),
            document.kb_id.as_str(),
            document.source_id.as_str(),
            document.source_kind.as_str(),
            document.source_uri,
            document.title,
            document.mime,
            document.sha256,
            document.status.as_str(),
            document.char_count,
            now.as_millis(),
        ],
    )?;
    Ok((document, false))
}

fn list(
    transaction: &Transaction<'_>,
    kb: &KnowledgeBaseId,
    filter: DocumentFilter,
    page: PageRequest,
) -> Result<Page<Document>, Trouble> {
    // Two fixed conditions rather than one with an OR, which no index could serve.
    let condition = if filter.status.is_some() {
        "kb_id = ?1 AND status = ?2"
    } else {
        "kb_id = ?1 AND ?2 IS NULL"
    };
    let status = filter.status.map(DocumentStatus::as_str);
    let (limit, offset) = rows::limit_and_offset(page);
    let items = rows::all(
        transaction,
        &format!(
            "{DOCUMENT} WHERE {condition}
             ORDER BY created_at DESC, rowid DESC LIMIT ?3 OFFSET ?4"
        ),
        params![kb.as_str(), status, limit, offset],
        read_document,
    )?;
    let total = rows::one(
        transaction,
        &format!("SELECT count(*) FROM documents WHERE {condition}"),
        params![kb.as_str(), status],
        |row| row.get(0),
    )?;
    Ok(Page { items, total: total.unwrap_or_default() })
}

fn read_document(row: &Row<'_>) -> rusqlite::Result<Document> {
    let code = rows::optional_word(row, "error_code", ErrorCode::from_word)?;
    let failure = match code {
        Some(code) => Some(DocumentFailure { code, message: row.get("error_message")? }),
        None => None,
    };
    let chunk_count = row.get("chunk_count")?;
    let mut warnings: Vec<Warning> = rows::json(row, "warnings")?;
    match row.get("outside_window")? {
        0 => {}
        passages => warnings.push(Warning::OutsideWindow { passages, total: chunk_count }),
    }
    let (char_count, byte_count) = (row.get("char_count")?, row.get::<_, u32>("byte_count")?);
    warnings.extend(Warning::of_chunk_count(chunk_count, char_count, byte_count.into()));
    Ok(Document {
        id: rows::id(row, "id")?,
        kb_id: rows::id(row, "kb_id")?,
        source_id: rows::id(row, "source_id")?,
        source_kind: rows::word(row, "source_kind", SourceKind::from_word)?,
        source_uri: row.get("source_uri")?,
        title: row.get("title")?,
        mime: row.get("mime")?,
        sha256: row.get("sha256")?,
        status: rows::word(row, "status", DocumentStatus::from_word)?,
        char_count,
        chunk_count,
        is_enabled: row.get("is_enabled")?,
        failure,
        warnings,
        created_at: rows::time(row, "created_at")?,
        ingested_at: row.get::<_, Option<i64>>("ingested_at")?.map(Timestamp::from_millis),
    })
}
