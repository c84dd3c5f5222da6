//! A store that goes away.

use std::ops::Deref;

use ancre_store::{SqliteStore, StoreError};
use tempfile::TempDir;

/// A [`SqliteStore`] in a temporary folder, which is deleted with it.
pub struct TemporaryStore {
    // Before the folder, so that it is closed before the folder goes.
    store: SqliteStore,
    folder: TempDir,
}

impl TemporaryStore {
    /// Opens one.
    ///
    /// # Panics
    ///
    /// When the system's temporary folder cannot be written: then no test can run.
    #[expect(clippy::expect_used, reason = "for tests, which end there")]
    pub fn open() -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let store = SqliteStore::open(folder.path()).expect("a fresh store opens");
        Self { store, folder }
    }

    /// Opens another store on the same folder, as another process would.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub fn open_again(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(self.folder.path())
    }

    /// Closes the store and opens the same folder afresh, as a restart would.
    ///
    /// # Errors
    ///
    /// What the store says.
    pub fn restart(self) -> Result<Self, StoreError> {
        let Self { store, folder } = self;
        drop(store);
        Ok(Self { store: SqliteStore::open(folder.path())?, folder })
    }
}

impl Deref for TemporaryStore {
    type Target = SqliteStore;

    fn deref(&self) -> &SqliteStore {
        &self.store
    }
}
