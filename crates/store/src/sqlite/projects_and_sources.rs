//! The tables `projects` and `sources`. What a person does with the library is in [`library`], new
//! versions in [`replacement`].

use ancre_domain::{
    Chunk, Document, Language, Page, PageRequest, Project, ProjectId, Source, SourceId, SourceKind,
    SourceSummary, Timestamp,
};
use rusqlite::{Row, Transaction, params};

use super::need::Doomed;
use super::place::Trouble;
use super::{SqliteStore, documents, library, not_found, replacement, rows};
use crate::StoreError;
use crate::traits::{
    LexicalText, NewSource, SourceFilter, SourceReplacement, SourceStore, StoredSource,
};

/// The name of the project that a fresh folder begins with.
const DEFAULT_PROJECT_NAME: &str = "Ancre";

/// What a [`Source`] is read from: neither its text nor its bytes.
const SOURCE_COLUMNS: &str = "id, project_id, kind, uri, title, mime, sha256, byte_count, \
                              char_count, language, created_at, warnings, outline, pages, \
                              blob IS NOT NULL AS has_original";

impl SourceStore for SqliteStore {
    fn default_project(&self, now: Timestamp) -> Result<Project, StoreError> {
        if let Some(project) = self.read(first_project)? {
            return Ok(project);
        }
        self.write(|transaction| {
            if let Some(project) = first_project(transaction)? {
                return Ok(project);
            }
            insert_project(transaction, DEFAULT_PROJECT_NAME, now)
        })
    }

    fn create_project(&self, name: &str, now: Timestamp) -> Result<Project, StoreError> {
        self.write(|transaction| insert_project(transaction, name, now))
    }

    fn store_source(&self, source: &NewSource, now: Timestamp) -> Result<StoredSource, StoreError> {
        self.write(|transaction| store(transaction, source, now))
    }

    fn source(&self, project: &ProjectId, id: &SourceId) -> Result<Source, StoreError> {
        self.read(|transaction| require_source(transaction, project, id))
    }

    fn source_text(&self, project: &ProjectId, id: &SourceId) -> Result<String, StoreError> {
        self.read(|transaction| {
            rows::one(
                transaction,
                "SELECT text FROM sources WHERE id = ?1 AND project_id = ?2",
                [id.as_str(), project.as_str()],
                |row| row.get(0),
            )?
            .ok_or_else(|| not_found("source", id.as_str()))
        })
    }

    fn source_bytes(&self, project: &ProjectId, id: &SourceId) -> Result<Vec<u8>, StoreError> {
        self.read(|transaction| {
            rows::one(
                transaction,
                "SELECT coalesce(blob, CAST(text AS BLOB)) FROM sources
                 WHERE id = ?1 AND project_id = ?2",
                [id.as_str(), project.as_str()],
                |row| row.get(0),
            )?
            .ok_or_else(|| not_found("source", id.as_str()))
        })
    }

    fn find_source(&self, project: &ProjectId, sha256: &str) -> Result<Option<Source>, StoreError> {
        self.read(|transaction| by_sha256(transaction, project, sha256))
    }

    fn list_sources(
        &self,
        project: &ProjectId,
        filter: &SourceFilter,
        page: PageRequest,
    ) -> Result<Page<SourceSummary>, StoreError> {
        self.read(|transaction| library::list(transaction, project, filter, page))
    }

    fn source_summary(
        &self,
        project: &ProjectId,
        id: &SourceId,
    ) -> Result<SourceSummary, StoreError> {
        self.read(|transaction| library::summary(transaction, project, id))
    }

    fn rename_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
        title: &str,
        words: &dyn Fn(&Chunk, Option<Language>) -> LexicalText,
    ) -> Result<(), StoreError> {
        self.erase(|transaction| library::rename(transaction, project, id, title, words))
    }

    fn replace_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
        new: &NewSource,
        now: Timestamp,
    ) -> Result<SourceReplacement, StoreError> {
        self.erase(|transaction| replacement::replace_source(transaction, project, id, new, now))
    }

    fn delete_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
    ) -> Result<Vec<Document>, StoreError> {
        let doomed = |transaction: &Transaction<'_>| {
            Ok(Doomed::Documents(documents::of_source(transaction, id)?))
        };
        self.erase_large(doomed, |transaction| library::delete_source(transaction, project, id))
    }
}

/// Stores a source, unless its project holds one with the same text.
pub(super) fn store(
    transaction: &Transaction<'_>,
    new: &NewSource,
    now: Timestamp,
) -> Result<StoredSource, Trouble> {
    require_project(transaction, &new.project_id)?;
    if let Some(source) = by_sha256(transaction, &new.project_id, &new.sha256)? {
        return Ok(StoredSource { source, was_there: true });
    }
    let source = insert(transaction, new, now)?;
    Ok(StoredSource { source, was_there: false })
}

/// The source, or the error that the project has none such.
pub(super) fn require_source(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &SourceId,
) -> Result<Source, Trouble> {
    let sql = format!("SELECT {SOURCE_COLUMNS} FROM sources WHERE id = ?1 AND project_id = ?2");
    rows::one(transaction, &sql, [id.as_str(), project.as_str()], read_source)?
        .ok_or_else(|| not_found("source", id.as_str()))
}

/// The error that there is no such project, if there is none.
pub(super) fn require_project(
    transaction: &Transaction<'_>,
    id: &ProjectId,
) -> Result<(), Trouble> {
    rows::one(transaction, "SELECT 1 FROM projects WHERE id = ?1", [id.as_str()], |_| Ok(()))?
        .ok_or_else(|| not_found("project", id.as_str()))
}

fn first_project(transaction: &Transaction<'_>) -> Result<Option<Project>, Trouble> {
    rows::one(
        transaction,
        "SELECT id, name, created_at FROM projects ORDER BY created_at, rowid LIMIT 1",
        [],
        |row| {
            Ok(Project {
                id: rows::id(row, "id")?,
                name: row.get("name")?,
                created_at: rows::time(row, "created_at")?,
            })
        },
    )
}

fn insert_project(
    transaction: &Transaction<'_>,
    name: &str,
    now: Timestamp,
) -> Result<Project, Trouble> {
    let project = Project { id: ProjectId::generate(now), name: name.to_owned(), created_at: now };
    rows::change(
        transaction,
        "INSERT INTO projects (id, name, created_at) VALUES (?1, ?2, ?3)",
        params![project.id.as_str(), project.name, now.as_millis()],
    )?;
    Ok(project)
}

fn by_sha256(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    sha256: &str,
) -> Result<Option<Source>, Trouble> {
    let sql = format!("SELECT {SOURCE_COLUMNS} FROM sources WHERE project_id = ?1 AND sha256 = ?2");
    rows::one(transaction, &sql, [project.as_str(), sha256], read_source)
}

fn insert(
    transaction: &Transaction<'_>,
    new: &NewSource,
    now: Timestamp,
) -> Result<Source, Trouble> {
    let byte_count = new.bytes.as_ref().map_or(new.text.len(), Vec::len);
    let source = Source {
        id: SourceId::generate(now),
        project_id: new.project_id.clone(),
        kind: new.kind,
        uri: new.uri.clone(),
        title: new.title.clone(),
        mime: new.mime.clone(),
        sha256: new.sha256.clone(),
        byte_count: byte_count as u64,
        char_count: rows::length(new.text.chars().count()),
        language: new.language,
        outline: new.outline.clone(),
        pagination: new.pagination.clone(),
        warnings: new.warnings.clone(),
        has_original: new.bytes.is_some(),
        created_at: now,
    };
    rows::change(
        transaction,
        "INSERT INTO sources (id, project_id, kind, uri, title, mime, sha256, byte_count,
                              char_count, outline, language, created_at, warnings, pages, text, blob)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        params![
            source.id.as_str(),
            source.project_id.as_str(),
            source.kind.as_str(),
            source.uri,
            source.title,
            source.mime,
            source.sha256,
            rows::length(byte_count),
            source.char_count,
            serde_json::to_string(&source.outline)?,
            source.language.map(Language::code),
            now.as_millis(),
            serde_json::to_string(&source.warnings)?,
            source.pagination.as_ref().map(serde_json::to_string).transpose()?,
            new.text,
            new.bytes,
        ],
    )?;
    Ok(source)
}

fn read_source(row: &Row<'_>) -> rusqlite::Result<Source> {
    Ok(Source {
        id: rows::id(row, "id")?,
        project_id: rows::id(row, "project_id")?,
        kind: rows::word(row, "kind", SourceKind::from_word)?,
        uri: row.get("uri")?,
        title: row.get("title")?,
        mime: row.get("mime")?,
        sha256: row.get("sha256")?,
        byte_count: row.get::<_, u32>("byte_count")?.into(),
        char_count: row.get("char_count")?,
        language: rows::optional_word(row, "language", Language::from_code)?,
        outline: rows::json(row, "outline")?,
        pagination: rows::optional_json(row, "pages")?,
        warnings: rows::json(row, "warnings")?,
        has_original: row.get("has_original")?,
        created_at: rows::time(row, "created_at")?,
    })
}
