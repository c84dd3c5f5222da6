//! The embedded store: one SQLite file in a data folder, with sqlite-vec for the vectors.
//!
//! ```text
//! <data>/ancre.db      everything (with its log, ancre.db-wal and ancre.db-shm)
//! <data>/backups/      copies made before migrations
//! <data>/ancre.reserve room for deleting on a full disk
//! <data>/ancre.lock    held by the process that writes
//! <data>/locks/        one lock for each open store that writes
//! ```
//!
//! One process writes in a folder; others that open it meanwhile read: the terminal searches
//! beside the open window. One file for each table family holds its SQL and implements its trait;
//! transactions begin here.

mod agents;
mod cache;
mod claims;
mod connections;
mod data_lock;
mod derived;
mod derived_tables;
mod desk;
mod documents;
mod generations;
mod hits;
mod indexing;
mod instance;
mod jobs;
mod knowledge_bases;
mod lexical;
mod library;
mod migrations;
mod nearest;
mod need;
mod place;
mod postings;
mod projects_and_sources;
mod questions;
mod replacement;
mod reserve;
mod row_lengths;
mod rows;
mod runs;
mod settings;
mod sight;
mod space;
mod text_tables;
mod tickets;
mod vector_blocks;
mod vector_extension;
mod vector_indexes;
mod vector_tables;
mod word_ranking;
mod words;

use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;
use connections::ReaderPool;
use data_lock::DataLock;
use instance::Instance;
use place::{Place, Trouble};
use reserve::Reserve;
use row_lengths::RowLengths;
use vector_indexes::VectorIndexes;

/// What a store is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// To change things. While another process writes in the folder, and goes on to for two
    /// seconds, the store can only read.
    #[default]
    Write,
    /// To read: at once, whoever writes, and without keeping a writer away. Where there is nothing
    /// to read yet, because the folder is fresh or its database older, this is [`Self::Write`].
    Read,
}

/// Storage in a data folder on this machine. See [`crate::traits`] for what it does.
pub struct SqliteStore {
    place: Place,
    // Before the connections, so that the claims end first when the store is dropped.
    instance: Instance,
    readers: ReaderPool,
    indexes: VectorIndexes,
    reserve: Reserve,
    row_lengths: RowLengths,
    // In a store that only reads this is one more reader, so that nothing can write by mistake.
    writer: Mutex<Connection>,
    // Last, so that the next writer comes when this one has closed everything. None: it only reads.
    lock: Option<DataLock>,
    // Where it reads without room on the disk: nobody else may come meanwhile.
    _solitude: Option<DataLock>,
}

/// What opening made.
struct Opened {
    instance: Instance,
    readers: ReaderPool,
    writer: Connection,
    lock: Option<DataLock>,
    solitude: Option<DataLock>,
}

impl SqliteStore {
    /// Opens the store in `folder` for writing, making both if they are not there and bringing an
    /// older database up to date, of which a copy is put in `folder/backups` first. See
    /// [`Access::Write`] for when it can only read, which
    /// [`is_read_only`](crate::traits::StorageStore::is_read_only) tells.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReadOnly`], [`StoreError::DiskFull`], [`StoreError::Damaged`] when the file
    /// is no database of ours, [`StoreError::Newer`] when a newer version wrote it,
    /// [`StoreError::PreparationBlocked`] when it has to be made or brought up to date while
    /// another process has the folder, [`StoreError::Busy`].
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_for(folder, Access::Write)
    }

    /// Opens the store in `folder` for what `access` says.
    ///
    /// # Errors
    ///
    /// Those of [`Self::open`].
    pub fn open_for(folder: &Path, access: Access) -> Result<Self, StoreError> {
        let place = Place::new(folder);
        let reserve = Reserve::at(place.reserve());
        match open_in_need(&place, &reserve, access) {
            Ok(Opened { instance, readers, writer, lock, solitude }) => Ok(Self {
                instance,
                readers,
                indexes: VectorIndexes::new(place.database()),
                reserve,
                row_lengths: RowLengths::new(place.database()),
                writer: Mutex::new(writer),
                lock,
                _solitude: solitude,
                place,
            }),
            Err(trouble) => Err(place.explain(trouble)),
        }
    }

    /// Whether a store that is opened for writing in `folder` now could write. For one that can
    /// only read and wants to know whether the other process is gone.
    pub fn is_free(folder: &Path) -> bool {
        let lock = DataLock::take(&Place::new(folder).data_lock(), Duration::ZERO);
        lock.is_ok_and(|lock| lock.is_some())
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
        self.with_writer(|writer| in_transaction(writer, change))
    }

    /// Lends the writing connection, one user at a time.
    fn with_writer<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Trouble>,
    ) -> Result<T, StoreError> {
        if self.lock.is_none() {
            return Err(StoreError::DataInUse { folder: self.folder().to_owned() });
        }
        work(&mut connections::lock(&self.writer)).map_err(|trouble| self.place.explain(trouble))
    }
}

/// Opens with the room of the reserve where there is no other.
fn open_in_need(place: &Place, reserve: &Reserve, access: Access) -> Result<Opened, Trouble> {
    match open_in(place, access) {
        Err(trouble) if place.is_disk_full(&trouble) => {
            reserve.give_up();
            let opened = open_in(place, access);
            reserve.take_back();
            match opened {
                Err(trouble) if access == Access::Read && place.is_disk_full(&trouble) => {
                    open_alone(place)?.ok_or(trouble)
                }
                opened => opened,
            }
        }
        Ok(opened) => {
            if opened.lock.is_some() {
                reserve.keep_whole();
            }
            Ok(opened)
        }
        failed => failed,
    }
}

fn open_in(place: &Place, access: Access) -> Result<Opened, Trouble> {
    if access == Access::Read
        && let Some(writer) = open_current(place)?
    {
        return Ok(onlooker(place, writer));
    }
    std::fs::create_dir_all(place.folder())?;
    let Some(lock) = DataLock::take(&place.data_lock(), data_lock::PATIENCE)? else {
        let folder = place.folder().to_owned();
        let writer = open_current(place)?.ok_or(StoreError::PreparationBlocked { folder })?;
        return Ok(onlooker(place, writer));
    };
    place.require_not_emptied()?;
    let mut writer = connections::open_writer(&place.database())?;
    migrations::migrate(&mut writer, place, migrations::MIGRATIONS)?;
    let instance =
        in_transaction(&mut writer, |transaction| Instance::enter(transaction, &place.locks()))?;
    let readers = ReaderPool::new(place.database());
    Ok(Opened { instance, readers, writer, lock: Some(lock), solitude: None })
}

/// Opens for reading where there is no room for the files that SQLite makes beside a database, if
/// nobody else has it.
fn open_alone(place: &Place) -> Result<Option<Opened>, Trouble> {
    let Some(solitude) = DataLock::take(&place.data_lock(), Duration::ZERO)? else {
        return Ok(None);
    };
    let reader = connections::open_lone_reader(&place.database())?;
    if !is_current(&reader)? {
        return Ok(None);
    }
    Ok(Some(Opened {
        instance: Instance::onlooker(&place.locks()),
        readers: ReaderPool::of_one(place.database(), reader),
        writer: Connection::open_in_memory()?,
        lock: None,
        solitude: Some(solitude),
    }))
}

fn onlooker(place: &Place, writer: Connection) -> Opened {
    Opened {
        instance: Instance::onlooker(&place.locks()),
        readers: ReaderPool::new(place.database()),
        writer,
        lock: None,
        solitude: None,
    }
}

/// A reading connection, if there is a database that can be read as it is: of this version, and
/// with its first project.
fn open_current(place: &Place) -> Result<Option<Connection>, Trouble> {
    if !place.database().is_file() {
        return Ok(None);
    }
    let reader = connections::open_reader(&place.database())?;
    Ok(is_current(&reader)?.then_some(reader))
}

fn is_current(reader: &Connection) -> Result<bool, Trouble> {
    Ok(migrations::is_current(reader, migrations::MIGRATIONS)?
        && reader.prepare("SELECT 1 FROM projects")?.exists([])?)
}

fn in_transaction<T>(
    writer: &mut Connection,
    change: impl FnOnce(&Transaction<'_>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    // Immediate, because SQLite waits for another writer only at the beginning: a reader that
    // turns writer half-way is refused at once.
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let result = change(&transaction)?;
    transaction.commit()?;
    Ok(result)
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SqliteStore")
            .field("folder", &self.folder())
            .field("instance", &self.instance.name())
            .field("is_read_only", &self.lock.is_none())
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
