//! The column `documents.replaces`: documents that take another's place.
//!
//! The new one is queued, claimed and indexed as any other. The place changes hands in the
//! transaction that makes it ready, so that a search never meets both or neither, and a process
//! that is killed in between changes nothing.

use ancre_domain::{Document, DocumentId, DocumentStatus, ProjectId, SourceId, Timestamp};
use rusqlite::{Transaction, params};

use super::documents::{attach, delete, find, require_in_project};
use super::place::Trouble;
use super::rows;

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
    if document.id != replaced.id {
        // What a person switched off stays so in its new form.
        let is_enabled = if was_attached { document.is_enabled } else { replaced.is_enabled };
        let sql = "UPDATE documents SET replaces = ?2, is_enabled = ?3 WHERE id = ?1";
        let parameters = params![document.id.as_str(), replaced.id.as_str(), is_enabled];
        rows::change(transaction, sql, parameters)?;
        document.is_enabled = is_enabled;
        if document.status == DocumentStatus::Ready {
            take_place(transaction, &document.id)?;
        }
    }
    Ok((document, was_attached))
}

/// Deletes the document whose place this one was to take, if it is still there.
pub(super) fn take_place(transaction: &Transaction<'_>, id: &DocumentId) -> Result<(), Trouble> {
    let sql = "SELECT replaces FROM documents WHERE id = ?1 AND replaces IS NOT NULL";
    let Some(replaced) =
        rows::one(transaction, sql, [id.as_str()], |row| rows::id(row, "replaces"))?
    else {
        return Ok(());
    };
    if let Some(replaced) = find(transaction, &replaced)? {
        delete(transaction, &replaced)?;
    }
    let sql = "UPDATE documents SET replaces = NULL WHERE id = ?1";
    rows::change(transaction, sql, [id.as_str()])?;
    Ok(())
}
