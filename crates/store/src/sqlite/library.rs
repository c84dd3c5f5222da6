//! The library as a person sees it: sources found by words, with the bases they are in.

use ancre_domain::{
    Chunk, Document, DocumentFailure, DocumentStatus, ErrorCode, KnowledgeBaseId, Language, Page,
    PageRequest, ProjectId, SourceAttachment, SourceId, SourceKind, SourceSummary,
};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Row, Transaction, params};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::documents::delete;
use super::generations::{self, Generation};
use super::knowledge_bases::require_knowledge_base;
use super::place::Trouble;
use super::projects_and_sources::require_source;
use super::{documents, indexing, not_found, rows, text_tables};
use crate::traits::{LexicalText, SourceFilter};

/// What a [`SourceSummary`] is read from, before the text and the original.
const SUMMARY: &str = "SELECT sources.id, kind, uri, title, mime, sha256, byte_count, char_count, \
     language, sources.created_at, warnings, blob IS NOT NULL AS has_original, \
     coalesce(version, 1) AS version \
     FROM sources LEFT JOIN source_versions ON source_versions.source_id = sources.id";

/// Which rows a filter wants. Each part is either absent or binds: none can widen what the first
/// one allows.
const WANTED: &str = "project_id = ?1
     AND (?2 IS NULL OR kind = ?2)
     AND (?3 IS NULL OR EXISTS (
         SELECT 1 FROM documents WHERE kb_id = ?3 AND documents.source_id = sources.id))
     AND (?4 = '' OR holds_words(?4, title, uri))";

/// Gives `connection` the function `holds_words(words, title, uri)`: whether each of the folded
/// words is in the title or the uri.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("holds_words", 3, flags, |context| {
        let words: String = context.get(0)?;
        let (title, uri): (String, Option<String>) = (context.get(1)?, context.get(2)?);
        let place = folded(&format!("{title}\n{}", uri.unwrap_or_default()));
        Ok(words.split(' ').all(|word| place.contains(word)))
    })
}

/// A page of the library, newest first.
pub(super) fn list(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    filter: &SourceFilter,
    page: PageRequest,
) -> Result<Page<SourceSummary>, Trouble> {
    if let Some(kb) = &filter.kb {
        require_knowledge_base(transaction, project, kb)?;
    }
    let words = folded(&filter.words).split_whitespace().collect::<Vec<_>>().join(" ");
    let kind = filter.kind.map(SourceKind::as_str);
    let kb = filter.kb.as_ref().map(KnowledgeBaseId::as_str);
    let (limit, offset) = rows::limit_and_offset(page);
    let mut items = rows::all(
        transaction,
        &format!(
            "{SUMMARY} WHERE {WANTED}
             ORDER BY sources.created_at DESC, sources.rowid DESC LIMIT ?5 OFFSET ?6"
        ),
        params![project.as_str(), kind, kb, words, limit, offset],
        read_summary,
    )?;
    for source in &mut items {
        source.attachments = attachments(transaction, &source.id)?;
    }
    let total = rows::one(
        transaction,
        &format!("SELECT count(*) FROM sources WHERE {WANTED}"),
        params![project.as_str(), kind, kb, words],
        |row| row.get(0),
    )?;
    Ok(Page { items, total: total.unwrap_or_default() })
}

/// One source.
pub(super) fn summary(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &SourceId,
) -> Result<SourceSummary, Trouble> {
    let sql = format!("{SUMMARY} WHERE sources.id = ?1 AND project_id = ?2");
    let mut source = rows::one(transaction, &sql, [id.as_str(), project.as_str()], read_summary)?
        .ok_or_else(|| not_found("source", id.as_str()))?;
    source.attachments = attachments(transaction, id)?;
    Ok(source)
}

/// Gives a source and its documents another title, and the text tables the words of it.
pub(super) fn rename(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &SourceId,
    title: &str,
    words: &dyn Fn(&Chunk, Option<Language>) -> LexicalText,
) -> Result<(), Trouble> {
    require_source(transaction, project, id)?;
    let sql = "UPDATE sources SET title = ?2 WHERE id = ?1";
    rows::change(transaction, sql, [id.as_str(), title])?;
    let sql = "UPDATE documents SET title = ?2 WHERE source_id = ?1";
    rows::change(transaction, sql, [id.as_str(), title])?;
    for document in documents::of_source(transaction, id)? {
        for generation in generations::all_of(transaction, &document.kb_id)? {
            rewrite_words(transaction, &document, &generation, words)?;
        }
    }
    Ok(())
}

fn rewrite_words(
    transaction: &Transaction<'_>,
    document: &Document,
    generation: &Generation,
    words: &dyn Fn(&Chunk, Option<Language>) -> LexicalText,
) -> Result<(), Trouble> {
    let table = generation.text_table();
    if !text_tables::exists(transaction, &table)? {
        return Ok(());
    }
    let texts: Vec<(i64, LexicalText)> = rows::all(
        transaction,
        "SELECT * FROM document_chunks
         WHERE document_id = ?1 AND generation = ?2 AND windows > 0",
        params![document.id.as_str(), generation.number],
        |row| {
            let language = rows::optional_word(row, "language", Language::from_code)?;
            Ok((row.get("key")?, words(&indexing::read_chunk(row)?, language)))
        },
    )?;
    text_tables::insert(transaction, &table, texts.iter().map(|(key, text)| (*key, text)))
}

/// Deletes a source with everything that was made of it, except snapshots.
pub(super) fn delete_source(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &SourceId,
) -> Result<Vec<Document>, Trouble> {
    require_source(transaction, project, id)?;
    let documents = documents::of_source(transaction, id)?;
    for document in &documents {
        delete(transaction, document)?;
    }
    rows::change(transaction, "DELETE FROM sources WHERE id = ?1", [id.as_str()])?;
    Ok(documents)
}

fn attachments(
    transaction: &Transaction<'_>,
    source: &SourceId,
) -> Result<Vec<SourceAttachment>, Trouble> {
    rows::all(
        transaction,
        "SELECT documents.id, kb_id, name, status, is_enabled, chunk_count, error_code,
                error_message
         FROM documents JOIN knowledge_bases ON knowledge_bases.id = kb_id
         WHERE source_id = ?1 ORDER BY name_key",
        [source.as_str()],
        read_attachment,
    )
}

fn read_summary(row: &Row<'_>) -> rusqlite::Result<SourceSummary> {
    Ok(SourceSummary {
        id: rows::id(row, "id")?,
        kind: rows::word(row, "kind", SourceKind::from_word)?,
        uri: row.get("uri")?,
        title: row.get("title")?,
        mime: row.get("mime")?,
        sha256: row.get("sha256")?,
        byte_count: row.get::<_, u32>("byte_count")?.into(),
        char_count: row.get("char_count")?,
        language: rows::optional_word(row, "language", Language::from_code)?,
        warnings: rows::json(row, "warnings")?,
        has_original: row.get("has_original")?,
        version: row.get("version")?,
        created_at: rows::time(row, "created_at")?,
        attachments: Vec::new(),
    })
}

fn read_attachment(row: &Row<'_>) -> rusqlite::Result<SourceAttachment> {
    let code = rows::optional_word(row, "error_code", ErrorCode::from_word)?;
    let failure = match code {
        Some(code) => Some(DocumentFailure { code, message: row.get("error_message")? }),
        None => None,
    };
    Ok(SourceAttachment {
        document_id: rows::id(row, "id")?,
        kb_id: rows::id(row, "kb_id")?,
        kb_name: row.get("name")?,
        status: rows::word(row, "status", DocumentStatus::from_word)?,
        is_enabled: row.get("is_enabled")?,
        chunk_count: row.get("chunk_count")?,
        failure,
    })
}

/// A text without regard to case, accents and ligatures.
fn folded(text: &str) -> String {
    let letters = text.nfkd().filter(|letter| !is_combining_mark(*letter));
    let mut folded = String::with_capacity(text.len());
    for letter in letters.flat_map(char::to_lowercase) {
        match letter {
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            'ß' => folded.push_str("ss"),
            _ => folded.push(letter),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_without_regard_to_case_accents_and_ligatures() {
        assert_eq!(folded("Œuvres À l'ÉTÉ ﬁn Straße"), "oeuvres a l'ete fin strasse");
    }
}
