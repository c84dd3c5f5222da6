//! Brings a database up to date.
//!
//! Numbered files, embedded in the program, each applied in one transaction that also sets
//! `PRAGMA user_version` to its number. Before the first step on a database that holds something
//! a copy is put aside. Nothing goes backward, and a database of a newer program is left alone.
//! `migrations/NOTES.md` has what was learned.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::connections::open_reader;
use super::fault;
use super::place::{Place, Trouble};
use crate::StoreError;

/// One step forward.
pub(super) struct Migration {
    /// Its number, which becomes the database's `user_version`.
    pub(super) version: u32,
    /// The file.
    pub(super) sql: &'static str,
}

/// Every step, numbered from 1 without gaps.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, sql: include_str!("../../../../migrations/0001_initial.sql") },
    Migration {
        version: 2,
        sql: include_str!("../../../../migrations/0002_pages_and_warnings.sql"),
    },
    Migration {
        version: 3,
        sql: include_str!("../../../../migrations/0003_library_jobs_and_text_search.sql"),
    },
    Migration {
        version: 4,
        sql: include_str!("../../../../migrations/0004_how_it_was_searched.sql"),
    },
];

/// "Ancr": marks a database as ours.
const APPLICATION_ID: i32 = 0x416e_6372;

/// How many copies stay in `backups/`.
const COPIES_KEPT: usize = 5;

/// Applies the `migrations` that the database lacks.
pub(super) fn migrate(
    writer: &mut Connection,
    place: &Place,
    migrations: &[Migration],
) -> Result<(), Trouble> {
    if missing(writer, migrations)?.is_none() {
        return Ok(());
    }
    // A table that others refer to can only be rebuilt so, and the switch has no effect inside a
    // transaction; `apply` checks every reference before it commits.
    writer.pragma_update(None, "foreign_keys", false)?;
    let result = apply_all(writer, place, migrations);
    writer.pragma_update(None, "foreign_keys", true)?;
    result
}

/// Whether the database needs no migration; an error when it is not for us.
pub(super) fn is_current(
    connection: &Connection,
    migrations: &[Migration],
) -> Result<bool, Trouble> {
    Ok(missing(connection, migrations)?.is_none())
}

fn apply_all(
    writer: &mut Connection,
    place: &Place,
    migrations: &[Migration],
) -> Result<(), Trouble> {
    let mut is_first = true;
    loop {
        // With the write lock in hand the version is read again: another process may have gone
        // ahead while this one waited.
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let Some(migration) = missing(&transaction, migrations)? else {
            return Ok(());
        };
        // What the first step finds empty holds nothing to lose at the second either.
        if std::mem::take(&mut is_first) && !is_empty(&transaction)? {
            copy(&transaction, place)?;
        }
        apply(&transaction, migration)?;
        transaction.commit()?;
    }
}

fn apply(transaction: &Transaction<'_>, migration: &Migration) -> Result<(), Trouble> {
    transaction.execute_batch(migration.sql)?;
    if transaction.prepare("PRAGMA foreign_key_check")?.exists([])? {
        return Err(fault(format!("migration {} left broken references", migration.version)));
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", migration.version)?;
    Ok(())
}

/// The first migration that the database lacks; an error when the database is not for us.
fn missing<'list>(
    connection: &Connection,
    migrations: &'list [Migration],
) -> Result<Option<&'list Migration>, Trouble> {
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if id != APPLICATION_ID && !(version == 0 && is_empty(connection)?) {
        return Err(Trouble::Content("it belongs to another program".to_owned()));
    }
    let supported = migrations.last().map_or(0, |migration| migration.version);
    if version > supported {
        return Err(StoreError::Newer { found: version, supported }.into());
    }
    Ok(migrations.iter().find(|migration| migration.version > version))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(!connection.prepare("SELECT 1 FROM sqlite_schema")?.exists([])?)
}

/// Puts a copy of the database as it stands into `backups/`. The transaction, which has changed
/// nothing yet, keeps other writers out meanwhile.
fn copy(transaction: &Transaction<'_>, place: &Place) -> Result<(), Trouble> {
    let folder = place.backups();
    fs::create_dir_all(&folder)?;
    // SQLite's clock, because a name is all that the time is for here.
    let name: String = transaction.query_row(
        "SELECT 'ancre-' || strftime('%Y%m%dT%H%M%S', 'now') ||
                substr(strftime('%f', 'now'), 4) || 'Z-v' || user_version || '.db'
         FROM pragma_user_version",
        [],
        |row| row.get(0),
    )?;
    let partial = folder.join(format!("{name}.partial"));
    let copied =
        copy_to(&partial, place).and_then(|()| Ok(fs::rename(&partial, folder.join(name))?));
    if copied.is_err() {
        // Half a copy helps nobody, least of all on a full disk.
        let _ = fs::remove_file(&partial);
    }
    copied?;
    forget_old_copies(&folder)
}

fn copy_to(path: &Path, place: &Place) -> Result<(), Trouble> {
    let source = open_reader(&place.database())?;
    let mut target = Connection::open(path)?;
    // A flush at the end of the copy: it is the last resort.
    target.pragma_update(None, "synchronous", "FULL")?;
    match Backup::new(&source, &mut target)?.step(-1)? {
        StepResult::Done => Ok(()),
        _ => Err(StoreError::Busy.into()),
    }
}

/// Deletes all but the newest copies. Files that were not made here stay.
fn forget_old_copies(folder: &Path) -> Result<(), Trouble> {
    let mut copies: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_copy = path
            .file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_prefix("ancre-")?.strip_suffix(".db"))
            .and_then(|middle| middle.split_once("Z-v"))
            .is_some_and(|(time, version)| {
                time.len() == 18 && version.bytes().all(|byte| byte.is_ascii_digit())
            });
        if is_copy {
            copies.push(path);
        }
    }
    copies.sort_unstable();
    let surplus = copies.len().saturating_sub(COPIES_KEPT);
    for path in &copies[..surplus] {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
