//! New versions: the column `documents.replaces` and the table `source_versions`.
//!
//! The new document is queued, claimed and indexed as any other. The place changes hands in the
//! transaction that makes it ready, so that a search never meets both or neither, and a process
//! that is killed in between changes nothing. A source whose place was taken in its last base goes
//! in that transaction too.

use ancre_domain::{Document, DocumentId, DocumentStatus, ProjectId, SourceId, Timestamp};
use rusqlite::{Transaction, params};

use super::documents::{attach, delete, find, require_in_project};
use super::place::Trouble;
use super::projects_and_sources::{require_source, store};
use super::{questions, rows};
use crate::traits::{NewSource, SourceReplacement, StoredSource};

/// Stores a new version of a source and attaches it wherever the old one is.
pub(super) fn replace_source(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    id: &SourceId,
    new: &NewSource,
    now: Timestamp,
) -> Result<SourceReplacement, Trouble> {
    let old = require_source(transaction, project, id)?;
    let StoredSource { source, .. } = store(transaction, new, now)?;
    if source.id == old.id {
        return Ok(SourceReplacement { source, documents: Vec::new() });
    }
    let replaced: Vec<DocumentId> = rows::all(
        transaction,
        "SELECT id FROM documents WHERE source_id = ?1 ORDER BY created_at, rowid",
        [old.id.as_str()],
        |row| rows::id(row, "id"),
    )?;
    keep_version(transaction, &old.id, &source.id, now)?;
    let attach = |id| attach_in_place_of(transaction, project, id, &source.id, now);
    let documents = replaced.iter().map(attach).collect::<Result<_, _>>()?;
    delete_if_unused(transaction, &old.id)?;
    Ok(SourceReplacement { source, documents })
}

/// Attaches a source to the base of `replaced`, to take its place.
pub(super) fn attach_in_place_of(
    transaction: &Transaction<'_>,
    project: &ProjectId,
    replaced: &DocumentId,
    source: &SourceId,
    now: Timestamp,
) -> Result<(Document, bool), Trouble> {
    let replaced = require_in_project(transaction, project, replaced)?;
    let (mut document, was_attached) = attach(transaction, project, &replaced.kb_id, source, now)?;
    if document.id == replaced.id {
        return Ok((document, was_attached));
    }
    keep_version(transaction, &replaced.source_id, source, now)?;
    let target = first_in_line(transaction, &replaced)?;
    // A document that is put back in its own place by a later version of itself waits for nobody.
    let target = (target != document.id).then_some(target);
    // What a person switched off stays so in its new form.
    let is_enabled = if was_attached { document.is_enabled } else { replaced.is_enabled };
    let sql = "UPDATE documents SET replaces = ?2, is_enabled = ?3 WHERE id = ?1";
    let place = target.as_ref().map(DocumentId::as_str);
    rows::change(transaction, sql, params![document.id.as_str(), place, is_enabled])?;
    document.is_enabled = is_enabled;
    if let Some(target) = &target {
        for overtaken in others_in_line(transaction, &document, target)? {
            delete_with_source(transaction, &overtaken)?;
        }
    }
    if replaced.status != DocumentStatus::Ready
        && target.as_ref() != Some(&replaced.id)
        && let Some(replaced) = find(transaction, &replaced.id)?
    {
        delete_with_source(transaction, &replaced)?;
    }
    if document.status == DocumentStatus::Ready {
        take_place(transaction, &document.id)?;
    }
    Ok((document, was_attached))
}

/// Deletes the document whose place this one was to take, if it is still there; says whether there
/// was a place to take.
pub(super) fn take_place(transaction: &Transaction<'_>, id: &DocumentId) -> Result<bool, Trouble> {
    let Some(replaced) = replaced_by(transaction, id)? else {
        return Ok(false);
    };
    if let (Some(replaced), Some(document)) =
        (find(transaction, &replaced)?, find(transaction, id)?)
    {
        questions::follow(transaction, &replaced, &document)?;
        delete_with_source(transaction, &replaced)?;
    }
    let sql = "UPDATE documents SET replaces = NULL WHERE id = ?1";
    rows::change(transaction, sql, [id.as_str()])?;
    Ok(true)
}

/// The document that is searched until this one's successor is ready: itself, or, while it waits
/// for a place and was never searched, the one whose place it was to take.
fn first_in_line(
    transaction: &Transaction<'_>,
    replaced: &Document,
) -> Result<DocumentId, Trouble> {
    let before = match replaced.status {
        DocumentStatus::Ready => None,
        _ => replaced_by(transaction, &replaced.id)?,
    };
    Ok(before.unwrap_or_else(|| replaced.id.clone()))
}

/// Documents that wait for the place which `document` is to take now.
fn others_in_line(
    transaction: &Transaction<'_>,
    document: &Document,
    target: &DocumentId,
) -> Result<Vec<Document>, Trouble> {
    let ids: Vec<DocumentId> = rows::all(
        transaction,
        "SELECT id FROM documents
         WHERE kb_id = ?1 AND replaces = ?2 AND id <> ?3 AND status <> 'ready'",
        [document.kb_id.as_str(), target.as_str(), document.id.as_str()],
        |row| rows::id(row, "id"),
    )?;
    let mut others = Vec::new();
    for id in ids {
        others.extend(find(transaction, &id)?);
    }
    Ok(others)
}

fn replaced_by(
    transaction: &Transaction<'_>,
    id: &DocumentId,
) -> Result<Option<DocumentId>, Trouble> {
    let sql = "SELECT replaces FROM documents WHERE id = ?1 AND replaces IS NOT NULL";
    rows::one(transaction, sql, [id.as_str()], |row| rows::id(row, "replaces"))
}

/// Deletes a document whose place was taken, and its source when no other base shows it.
fn delete_with_source(transaction: &Transaction<'_>, document: &Document) -> Result<(), Trouble> {
    delete(transaction, document)?;
    delete_if_unused(transaction, &document.source_id)
}

fn delete_if_unused(transaction: &Transaction<'_>, source: &SourceId) -> Result<(), Trouble> {
    let sql = "DELETE FROM sources
               WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE source_id = ?1)";
    rows::change(transaction, sql, [source.as_str()])?;
    Ok(())
}

/// Writes down that `new` comes after `old`.
fn keep_version(
    transaction: &Transaction<'_>,
    old: &SourceId,
    new: &SourceId,
    now: Timestamp,
) -> Result<(), Trouble> {
    rows::change(
        transaction,
        "INSERT INTO source_versions (source_id, version, replaces, created_at)
         VALUES (?2, 1 + coalesce((SELECT version FROM source_versions WHERE source_id = ?1), 1),
                 ?1, ?3)
         ON CONFLICT (source_id) DO UPDATE
         SET version = max(version, excluded.version), replaces = excluded.replaces",
        params![old.as_str(), new.as_str(), now.as_millis()],
    )?;
    Ok(())
}
