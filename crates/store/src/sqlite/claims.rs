//! Whose a document is while it is being indexed: `documents.claimed_by`.
//!
//! A claim holds as long as the store that made it is open. When its process is killed, the next
//! one to look sees that and takes over; see [`Instance`].

use ancre_domain::{Document, DocumentId, DocumentStatus, ProjectId};
use rusqlite::{Transaction, params};

use super::documents::{require, require_in_project};
use super::instance::Instance;
use super::place::Trouble;
use super::{fault, indexing, rows};
use crate::StoreError;

/// Takes a document for `instance`; `None` when it is ready already.
pub(super) fn claim(
    transaction: &Transaction<'_>,
    instance: &Instance,
    project: &ProjectId,
    id: &DocumentId,
) -> Result<Option<Document>, Trouble> {
    let document = require_in_project(transaction, project, id)?;
    match document.status {
        DocumentStatus::Ready => return Ok(None),
        DocumentStatus::Indexing => {
            if instance.is_alive(transaction, &claimant(transaction, id)?)? {
                return Err(StoreError::DocumentBusy.into());
            }
            indexing::remove_unfinished(transaction, id)?;
        }
        DocumentStatus::Queued | DocumentStatus::Error => {}
    }
    rows::change(
        transaction,
        "UPDATE documents SET status = 'indexing', claimed_by = ?2, error_code = NULL,
             error_message = NULL
         WHERE id = ?1",
        params![id.as_str(), instance.name()],
    )?;
    require(transaction, id).map(Some)
}

/// The document, if `instance` has claimed it.
pub(super) fn require_own(
    transaction: &Transaction<'_>,
    instance: &Instance,
    id: &DocumentId,
) -> Result<Document, Trouble> {
    let document = require(transaction, id)?;
    if document.status != DocumentStatus::Indexing {
        return Err(fault(format!("document {id} was not claimed before it was written")));
    }
    if claimant(transaction, id)? == instance.name() {
        Ok(document)
    } else {
        Err(StoreError::DocumentBusy.into())
    }
}

/// The document, unless another living store has claimed it.
pub(super) fn require_free(
    transaction: &Transaction<'_>,
    instance: &Instance,
    id: &DocumentId,
) -> Result<Document, Trouble> {
    let document = require(transaction, id)?;
    if document.status == DocumentStatus::Indexing {
        let claimant = claimant(transaction, id)?;
        if claimant != instance.name() && instance.is_alive(transaction, &claimant)? {
            return Err(StoreError::DocumentBusy.into());
        }
    }
    Ok(document)
}

/// Puts a document back in the queue.
pub(super) fn release(transaction: &Transaction<'_>, document: &Document) -> Result<(), Trouble> {
    indexing::remove_unfinished(transaction, &document.id)?;
    rows::change(
        transaction,
        "UPDATE documents SET status = 'queued', claimed_by = NULL WHERE id = ?1",
        [document.id.as_str()],
    )?;
    Ok(())
}

/// Puts back in the queue what stores that are gone had claimed, and takes their locks away.
pub(super) fn release_abandoned(
    transaction: &Transaction<'_>,
    instance: &Instance,
) -> Result<Vec<DocumentId>, Trouble> {
    let claimed = rows::all(
        transaction,
        "SELECT id, claimed_by FROM documents WHERE claimed_by IS NOT NULL
         ORDER BY created_at, rowid",
        [],
        |row| Ok((rows::id(row, "id")?, row.get::<_, String>("claimed_by")?)),
    )?;
    let mut released = Vec::new();
    for (id, claimant) in claimed {
        if !instance.is_alive(transaction, &claimant)? {
            release(transaction, &require(transaction, &id)?)?;
            released.push(id);
        }
    }
    instance.sweep(transaction)?;
    Ok(released)
}

fn claimant(transaction: &Transaction<'_>, id: &DocumentId) -> Result<String, Trouble> {
    let sql = "SELECT claimed_by FROM documents WHERE id = ?1 AND claimed_by IS NOT NULL";
    rows::one(transaction, sql, [id.as_str()], |row| row.get(0))?
        .ok_or_else(|| Trouble::Content(format!("nobody is indexing document {id}")))
}
