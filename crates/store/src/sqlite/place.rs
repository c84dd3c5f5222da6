//! Where a store stands, and what its troubles are called.
//!
//! Every error of SQLite and of the file system is turned into a [`StoreError`] here and nowhere
//! else, because the words a person reads need the folder, which SQL does not know.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode as SqliteCode;

use crate::StoreError;

/// What may go wrong inside a transaction, before it has its final words.
#[derive(Debug)]
pub(super) enum Trouble {
    /// SQLite said so.
    Sqlite(rusqlite::Error),
    /// The file system said so.
    File(io::Error),
    /// The content of the database is not what it should be.
    Content(String),
    /// Already in its final words.
    Store(StoreError),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(error: serde_json::Error) -> Self {
        Self::Store(StoreError::Fault(format!("a value cannot be written as JSON: {error}")))
    }
}

/// A data folder and the names within it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    folder: PathBuf,
}

impl Place {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn database(&self) -> PathBuf {
        self.folder.join("ancre.db")
    }

    /// SQLite's log of what is not in the database's file yet.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("ancre.db-wal")
    }

    /// Whoever holds it writes here.
    pub(super) fn data_lock(&self) -> PathBuf {
        self.folder.join("ancre.lock")
    }

    /// Room for deleting on a full disk.
    pub(super) fn reserve(&self) -> PathBuf {
        self.folder.join("ancre.reserve")
    }

    pub(super) fn locks(&self) -> PathBuf {
        self.folder.join("locks")
    }

    pub(super) fn backups(&self) -> PathBuf {
        self.folder.join("backups")
    }

    /// The final words for `trouble`.
    pub(super) fn explain(&self, trouble: Trouble) -> StoreError {
        match trouble {
            Trouble::Store(error) => error,
            Trouble::Content(detail) => self.damaged(detail),
            Trouble::File(error) => self.explain_file(&error),
            Trouble::Sqlite(error) => self.explain_sqlite(&error),
        }
    }

    /// Whether it is the disk that is full.
    pub(super) fn is_disk_full(&self, trouble: &Trouble) -> bool {
        match trouble {
            Trouble::Store(error) => matches!(error, StoreError::DiskFull),
            Trouble::Content(_) => false,
            Trouble::File(error) => matches!(self.explain_file(error), StoreError::DiskFull),
            Trouble::Sqlite(error) => matches!(self.explain_sqlite(error), StoreError::DiskFull),
        }
    }

    fn explain_file(&self, error: &io::Error) -> StoreError {
        use io::ErrorKind;
        match error.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::NotFound
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::AlreadyExists => self.read_only(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::DiskFull,
            _ => self.failed(error.to_string()),
        }
    }

    fn explain_sqlite(&self, error: &rusqlite::Error) -> StoreError {
        use rusqlite::Error;
        match error {
            Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::InvalidColumnType(..)
            | Error::Utf8Error(..) => return self.damaged(error.to_string()),
            _ => {}
        }
        // Where there is no room for the index of the log, SQLite does not speak of the disk.
        if let Error::SqliteFailure(failure, _) = error
            && failure.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
        {
            return StoreError::DiskFull;
        }
        match error.sqlite_error_code() {
            Some(SqliteCode::DatabaseBusy | SqliteCode::DatabaseLocked) => StoreError::Busy,
            Some(SqliteCode::DiskFull) => StoreError::DiskFull,
            Some(SqliteCode::ReadOnly | SqliteCode::PermissionDenied | SqliteCode::CannotOpen) => {
                self.read_only()
            }
            Some(SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase) => {
                self.damaged(error.to_string())
            }
            _ => self.failed(error.to_string()),
        }
    }

    fn read_only(&self) -> StoreError {
        StoreError::ReadOnly { folder: self.folder.clone() }
    }

    fn damaged(&self, detail: String) -> StoreError {
        StoreError::Damaged { path: self.database(), detail, has_copies: self.has_copies() }
    }

    fn failed(&self, detail: String) -> StoreError {
        StoreError::Failed { path: self.database(), detail }
    }

    fn has_copies(&self) -> bool {
        let Ok(entries) = std::fs::read_dir(self.backups()) else { return false };
        entries.flatten().any(|entry| entry.path().extension().is_some_and(|it| it == "db"))
    }

    /// The error that the database is empty although something was kept here before.
    pub(super) fn require_not_emptied(&self) -> Result<(), Trouble> {
        let is_empty = std::fs::metadata(self.database()).is_ok_and(|file| file.len() == 0);
        // An opening that was cut short leaves an empty file too, but comes to none of these.
        let was_used = self.locks().exists() || self.reserve().exists() || self.backups().exists();
        // What is written first may still be in the log.
        let has_log = std::fs::metadata(self.log()).is_ok_and(|log| log.len() > 0);
        if is_empty && was_used && !has_log {
            return Err(Trouble::Content("it is empty, and was not".to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ancre_domain::{ErrorCode, Explain};
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn what_the_machine_says_becomes_what_a_person_can_act_on() {
        let place = Place::new(Path::new("data"));
        let sqlite =
            |code| Trouble::Sqlite(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        let file = |kind| Trouble::File(io::Error::from(kind));
        for (trouble, expected) in [
            (sqlite(ffi::SQLITE_BUSY), ErrorCode::DatabaseBusy),
            (sqlite(ffi::SQLITE_FULL), ErrorCode::DiskFull),
            (sqlite(ffi::SQLITE_IOERR_SHMSIZE), ErrorCode::DiskFull),
            (sqlite(ffi::SQLITE_READONLY), ErrorCode::DataReadOnly),
            (sqlite(ffi::SQLITE_READONLY_DIRECTORY), ErrorCode::DataReadOnly),
            (sqlite(ffi::SQLITE_CANTOPEN), ErrorCode::DataReadOnly),
            (sqlite(ffi::SQLITE_CORRUPT), ErrorCode::DatabaseDamaged),
            (sqlite(ffi::SQLITE_NOTADB), ErrorCode::DatabaseDamaged),
            (sqlite(ffi::SQLITE_IOERR), ErrorCode::Internal),
            (file(io::ErrorKind::PermissionDenied), ErrorCode::DataReadOnly),
            (file(io::ErrorKind::ReadOnlyFilesystem), ErrorCode::DataReadOnly),
            (file(io::ErrorKind::StorageFull), ErrorCode::DiskFull),
            (file(io::ErrorKind::UnexpectedEof), ErrorCode::Internal),
        ] {
            let words = format!("{trouble:?}");
            assert_eq!(place.explain(trouble).code(), expected, "{words}");
        }
    }
}
