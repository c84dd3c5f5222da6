//! Tables that are derived from others, and may be broken.
//!
//! Vectors and words lie in virtual tables, each over some ordinary ones (its shadow tables). A
//! disk, a program or a person can damage one, and then its module answers nothing, not even
//! `DROP TABLE`. All that such tables hold can be made anew from the texts of the library, so one
//! that is broken is as good as missing: it never keeps anybody from deleting or rebuilding.

use rusqlite::{ErrorCode, Transaction};

use super::place::Trouble;
use super::rows;

/// The shadow tables of sqlite-vec 0.1.9 for a table with one vector column, by their suffixes.
pub(super) const VEC0: &[&str] = &["chunks", "info", "rowids", "vector_chunks00"];

/// Those of FTS5 for a contentless table.
pub(super) const FTS5: &[&str] = &["config", "data", "docsize", "idx"];

/// Whether the table is there with every part. Says nothing of what is in them.
pub(super) fn is_whole(
    transaction: &Transaction<'_>,
    name: &str,
    parts: &[&str],
) -> Result<bool, Trouble> {
    for table in std::iter::once(name.to_owned()).chain(parts_of(name, parts)) {
        if !is_there(transaction, &table)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops the table and whatever is left of its parts, in whatever state they are.
pub(super) fn drop(
    transaction: &Transaction<'_>,
    name: &str,
    parts: &[&str],
) -> Result<(), Trouble> {
    // Its module is asked only where nothing can be amiss in the way it takes: a failure of it may
    // end the whole transaction.
    let dropped = if is_whole(transaction, name, parts)? {
        attempt(transaction, || Ok(transaction.execute_batch(&format!("DROP TABLE \"{name}\""))?))?
    } else {
        None
    };
    if dropped.is_none() && is_there(transaction, name)? {
        forget(transaction, name)?;
    }
    for part in parts_of(name, parts) {
        transaction.execute_batch(&format!("DROP TABLE IF EXISTS \"{part}\""))?;
    }
    Ok(())
}

/// Does `work` on a derived table; `None`, and nothing is changed, when the table is broken. What
/// the machine says, such as a full disk, is an error like any other.
pub(super) fn attempt<T>(
    transaction: &Transaction<'_>,
    work: impl FnOnce() -> Result<T, Trouble>,
) -> Result<Option<T>, Trouble> {
    transaction.execute_batch("SAVEPOINT derived")?;
    let done = work();
    if done.is_err() {
        transaction.execute_batch("ROLLBACK TO derived")?;
    }
    transaction.execute_batch("RELEASE derived")?;
    match done {
        Ok(done) => Ok(Some(done)),
        Err(trouble) if is_broken(&trouble) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

/// Whether the trouble is the table's own, not the machine's.
fn is_broken(trouble: &Trouble) -> bool {
    let Trouble::Sqlite(error) = trouble else { return false };
    match error {
        rusqlite::Error::SqliteFailure(failure, _)
        | rusqlite::Error::SqlInputError { error: failure, .. } => matches!(
            failure.code,
            ErrorCode::Unknown
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::ConstraintViolation
                | ErrorCode::TypeMismatch
                | ErrorCode::NotFound
        ),
        _ => false,
    }
}

fn is_there(transaction: &Transaction<'_>, name: &str) -> Result<bool, Trouble> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    Ok(rows::one(transaction, sql, [name], |_| Ok(()))?.is_some())
}

/// Takes the declaration of a virtual table away without asking its module.
fn forget(transaction: &Transaction<'_>, name: &str) -> Result<(), Trouble> {
    let version: u32 = transaction.pragma_query_value(None, "schema_version", |row| row.get(0))?;
    transaction.pragma_update(None, "writable_schema", true)?;
    let deleted =
        transaction.execute("DELETE FROM sqlite_schema WHERE type = 'table' AND name = ?1", [name]);
    // Every connection reads the schema anew, this one at once.
    let told = transaction.pragma_update(None, "schema_version", version.wrapping_add(1));
    let reset = transaction.execute_batch("PRAGMA writable_schema = RESET");
    deleted?;
    told?;
    Ok(reset?)
}

fn parts_of(name: &str, parts: &[&str]) -> impl Iterator<Item = String> {
    parts.iter().map(move |part| format!("{name}_{part}"))
}
