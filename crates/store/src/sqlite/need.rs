//! Deleting, and what has to be possible on a full disk.
//!
//! What makes room or stops work is done like any other change while there is room. When there is
//! none the [`Reserve`](super::reserve::Reserve) is given up for it, the log is emptied first,
//! pages are freed without being overwritten, which would double what has to be written, and given
//! back to the disk at once. What is too large for the reserve even so is taken apart: a document
//! leaves the searches, its passages go some at a time, and then it goes itself. A process that
//! is killed in between leaves a document that waits to be indexed, never half of one.
//!
//! Deleted texts are wiped too, later and together: see [`SqliteStore::wipe`].

use std::time::Duration;

use ancre_domain::{Cancellation, Document, KnowledgeBaseId};
use rusqlite::{Connection, Transaction, params};

use super::generations::{self, Generation};
use super::place::Trouble;
use super::vector_tables::Windows;
use super::{SqliteStore, connections, in_transaction, rows, space, text_tables, vector_tables};
use crate::StoreError;

/// How many passages of a document go in one step. With their vectors and words they take some
/// 4.4 MiB of the log.
const CHUNKS_PER_STEP: u32 = 200;

/// How long somebody who reads from the log is waited for before a step goes on behind them.
const PATIENCE: Duration = Duration::from_millis(500);

/// Between two steps of wiping, so that whoever waits to write has its turn.
const PAUSE: Duration = Duration::from_millis(2);

/// What is to be deleted, as far as it may be too large for one step on a full disk.
pub(super) enum Doomed {
    Documents(Vec<Document>),
    Generations(Vec<Generation>),
}

/// Passages that go some at a time.
struct Passages<'a> {
    generation: &'a Generation,
    /// Those of one document; `None`: of all, whose tables go as a whole afterwards.
    document: Option<&'a Document>,
}

impl SqliteStore {
    /// Changes the database as [`Self::write`] does, also on a full disk.
    pub(super) fn write_in_need<T>(
        &self,
        change: impl Fn(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        match self.write(&change) {
            Err(StoreError::DiskFull) => self.in_need(|writer| in_transaction(writer, &change)),
            done => done,
        }
    }

    /// Deletes something that is not large, also on a full disk. Its room comes back; its words
    /// are wiped by the next [`Self::wipe`].
    pub(super) fn erase<T>(
        &self,
        change: impl Fn(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.erase_large(|_| Ok(Doomed::Documents(Vec::new())), change)
    }

    /// Deletes something that may be larger than the reserve, as [`Self::erase`] does.
    pub(super) fn erase_large<T>(
        &self,
        doomed: impl Fn(&Transaction<'_>) -> Result<Doomed, Trouble>,
        change: impl Fn(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let erased = match self.write(&change) {
            Err(StoreError::DiskFull) => self.in_need(|writer| {
                match in_transaction(writer, &change) {
                    Err(trouble) if self.is_disk_full(&trouble) => {}
                    done => return done,
                }
                // What the attempt left in the log takes the room that the steps need.
                self.reserve.give_up();
                let _ = connections::empty_log(writer, PATIENCE);
                let doomed = in_transaction(writer, &doomed)?;
                take_apart(writer, &doomed)?;
                in_transaction(writer, &change)
            }),
            done => done,
        }?;
        // The log repeats everything, unless somebody is reading from it just now.
        let _ = self.with_writer(|writer| Ok(connections::empty_log(writer, Duration::ZERO)?));
        Ok(erased)
    }

    /// Does `work` with the room of the reserve, gives back to the disk what became free, and
    /// takes the reserve's room back.
    fn in_need<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.with_writer(|writer| {
            self.reserve.give_up();
            // What a failed change left in the log takes room too. Where that cannot be emptied,
            // for somebody reads or for want of room, there is still the reserve.
            let _ = connections::empty_log(writer, PATIENCE);
            // Pages that are not overwritten do not stay either, where they can be given back.
            let can_free = space::can_free_in_parts(writer)?;
            writer.pragma_update(None, "secure_delete", !can_free)?;
            let worked = work(writer);
            let _ = space::free_all_pages(writer, PATIENCE);
            let _ = connections::empty_log(writer, PATIENCE);
            writer.pragma_update(None, "secure_delete", true)?;
            self.reserve.take_back();
            worked
        })
    }

    fn is_disk_full(&self, trouble: &Trouble) -> bool {
        self.place.is_disk_full(trouble)
    }

    /// Leaves nothing of deleted texts in the file. SQLite overwrites freed pages by itself;
    /// full-text tables keep the words of deleted rows until they are merged, which is done here in
    /// steps between which others may write, and the log, which repeats everything, is emptied
    /// unless somebody is reading from it just now. Says whether it came to its end.
    pub(super) fn wipe(&self, cancellation: &Cancellation) -> Result<bool, StoreError> {
        for table in self.read(text_tables::with_deleted_words)? {
            let mut step = text_tables::MergeStep::First;
            while self.write(|transaction| text_tables::merge(transaction, &table, step))? {
                step = text_tables::MergeStep::Next;
                if cancellation.is_cancelled() {
                    return Ok(false);
                }
                std::thread::sleep(PAUSE);
            }
        }
        self.with_writer(|writer| Ok(connections::empty_log(writer, Duration::ZERO)?))?;
        Ok(true)
    }
}

fn take_apart(writer: &mut Connection, doomed: &Doomed) -> Result<(), Trouble> {
    match doomed {
        Doomed::Documents(documents) => {
            for document in documents {
                let generations = in_transaction(writer, |transaction| {
                    hide(transaction, "id", document.id.as_str())?;
                    generations::all_of(transaction, &document.kb_id)
                })?;
                for generation in &generations {
                    thin_out(writer, &Passages { generation, document: Some(document) })?;
                }
            }
        }
        Doomed::Generations(generations) => {
            for generation in generations {
                if generation.is_serving() {
                    let kb: &KnowledgeBaseId = &generation.kb;
                    in_transaction(writer, |transaction| hide(transaction, "kb_id", kb.as_str()))?;
                }
                thin_out(writer, &Passages { generation, document: None })?;
            }
        }
    }
    Ok(())
}

/// Takes documents out of the searches: nobody sees a part of one.
fn hide(transaction: &Transaction<'_>, column: &str, id: &str) -> Result<(), Trouble> {
    let sql = format!(
        "UPDATE documents SET status = 'queued', claimed_by = NULL, chunk_count = 0,
             outside_window = 0, ingested_at = NULL
         WHERE {column} = ?1"
    );
    rows::change(transaction, &sql, [id])?;
    Ok(())
}

fn thin_out(writer: &mut Connection, passages: &Passages<'_>) -> Result<(), Trouble> {
    while in_transaction(writer, |transaction| some(transaction, passages))? {
        let _ = connections::empty_log(writer, PATIENCE);
    }
    Ok(())
}

/// Deletes some of the passages, and says whether there were any.
fn some(transaction: &Transaction<'_>, passages: &Passages<'_>) -> Result<bool, Trouble> {
    let Passages { generation, document } = passages;
    let (column, id) = match document {
        Some(document) => ("document_id", document.id.as_str()),
        None => ("kb_id", generation.kb.as_str()),
    };
    let sql = format!(
        "SELECT key, id, windows FROM document_chunks
         WHERE {column} = ?1 AND generation = ?2 LIMIT {CHUNKS_PER_STEP}"
    );
    let found: Vec<(i64, Windows)> =
        rows::all(transaction, &sql, params![id, generation.number], |row| {
            Ok((row.get("key")?, (rows::id(row, "id")?, row.get("windows")?)))
        })?;
    let (keys, windows): (Vec<i64>, Vec<Windows>) = found.into_iter().unzip();
    if document.is_some() {
        vector_tables::delete(transaction, &generation.vectors, &windows)?;
        text_tables::delete(transaction, &generation.text_table(), &keys)?;
    }
    for key in &keys {
        rows::change(transaction, "DELETE FROM document_chunks WHERE key = ?1", [key])?;
    }
    Ok(!keys.is_empty())
}
