//! The embedded store: one SQLite file in a data folder, with sqlite-vec for the vectors.
//!
//! ```text
//! <data>/ancre.db      everything (with its log, ancre.db-wal and ancre.db-shm)
//! <data>/backups/      copies made before migrations
//! <data>/locks/        one lock for each open store
//! ```
//!
//! Several stores may be open on one folder, in one process or in many: the window and the
//! terminal work side by side. One file for each table family holds its SQL and implements its
//! trait; transactions begin here.

mod agents;
mod cache;
mod claims;
mod connections;
mod desk;
mod documents;
mod generations;
mod hits;
mod indexing;
mod instance;
mod jobs;
mod knowledge_bases;
mod lexical;
mod migrations;
mod nearest;
mod place;
mod projects_and_sources;
mod questions;
mod replacement;
mod rows;
mod runs;
mod settings;
mod text_tables;
mod tickets;
mod vector_extension;
mod vector_indexes;
mod vector_tables;
mod word_statistics;
mod words;

use std::fmt;
use std::path::Path;
use std::sync::Mutex;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;
use connections::ReaderPool;
use instance::Instance;
use place::{Place, Trouble};
use vector_indexes::VectorIndexes;

/// Storage in a data folder on this machine. See [`crate::traits`] for what it does.
pub struct SqliteStore {
    place: Place,
    // Before the connections, so that the claims end first when the store is dropped.
    instance: Instance,
    readers: ReaderPool,
    indexes: VectorIndexes,
    writer: Mutex<Connection>,
}

impl SqliteStore {
    /// Opens the store in `folder`, making both if they are not there and bringing an older
    /// database up to date, of which a copy is put in `folder/backups` first.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::DiskFull`], [`StoreError::Damaged`] when the file
    /// is no database of ours, [`StoreError::Newer`] when a newer version wrote it,
    /// [`StoreError::Busy`].
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let place = Place::new(folder);
        match Self::open_in(&place) {
            Ok((instance, writer)) => Ok(Self {
                instance,
                readers: ReaderPool::new(place.database()),
                indexes: VectorIndexes::new(place.database()),
                writer: Mutex::new(writer),
                place,
            }),
            Err(trouble) => Err(place.explain(trouble)),
        }
    }

    fn open_in(place: &Place) -> Result<(Instance, Connection), Trouble> {
        std::fs::create_dir_all(place.folder())?;
        let mut writer = connections::open_writer(&place.database())?;
        migrations::migrate(&mut writer, place, migrations::MIGRATIONS)?;
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let instance = Instance::enter(&transaction, &place.locks())?;
        transaction.commit()?;
        Ok((instance, writer))
    }

    /// The folder it was opened in.
    pub fn folder(&self) -> &Path {
        self.place.folder()
    }

    /// Reads from one moment of the database.
    fn read<T>(
        &self,
        query: impl FnOnce(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        self.readers
            .with(|connection| query(&connection.transaction()?))
            .map_err(|trouble| self.place.explain(trouble))
    }

    /// Changes the database, as a whole or not at all.
    fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        let mut writer = connections::lock(&self.writer);
        let run = || {
            // Immediate, because SQLite waits for another writer only at the beginning: a reader
            // that turns writer half-way is refused at once.
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let result = change(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        run().map_err(|trouble| self.place.explain(trouble))
    }
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SqliteStore")
            .field("folder", &self.folder())
            .field("instance", &self.instance.name())
            .finish_non_exhaustive()
    }
}

/// An absence, in its final words.
fn not_found(kind: &'static str, id: impl Into<String>) -> Trouble {
    Trouble::Store(StoreError::NotFound { kind, id: id.into() })
}

/// A call that no correct program makes, in its final words.
fn fault(words: impl Into<String>) -> Trouble {
    Trouble::Store(StoreError::Fault(words.into()))
}

#[cfg(test)]
mod tests;
