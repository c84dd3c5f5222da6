//! Connections: how each is set up, and the pool of those that read.
//!
//! SQLite in WAL mode lets any number of readers work beside one writer. A store therefore has
//! one writing connection behind a mutex and up to [`READERS`] reading ones, opened when first
//! needed. A panic of one user poisons nothing: an open transaction rolls back when it is
//! dropped, so the next user finds the connection clean.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{library, vector_extension};

/// How many connections read at once; a further reader waits for its turn. A search is bound by
/// the processor, so more would only take memory.
pub(super) const READERS: usize = 4;

/// How long to wait for another process that holds the write lock. The longest holder is the
/// one that adds the vectors of a whole book in one transaction, a few seconds.
const PATIENCE: Duration = Duration::from_secs(15);

/// Pages that a connection keeps in memory, in KiB: the vectors of a base of 10,000 chunks.
const CACHE_KIB: i64 = 16 * 1024;

/// After a large transaction the log is cut back to this, in bytes, instead of staying large.
const LOG_BYTES: i64 = 64 * 1024 * 1024;

/// The writing connection to the database at `path`, which is made if it is not there.
pub(super) fn open_writer(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open(path, flags)?;
    if connection.is_readonly("main")? {
        // SQLite falls back to reading without a word where it may not write.
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
        return Err(rusqlite::Error::SqliteFailure(code, None));
    }
    // Only a database that is about to be made hears this: free pages can then be given back a few
    // at a time. It has to come before the first page is written; see `space`.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    switch_to_wal(&connection)?;
    // In WAL mode NORMAL keeps every commit when the process is killed, and the file whole when
    // the power fails; only a power failure can take the last moments back. FULL would guard
    // those too, for one more flush to the disk in each of the three transactions that a document
    // takes; what is lost is found `indexing` or `queued` and simply done again.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    // Always, not only while erasing: what FTS5 merges and what a table outgrows leaves copies in
    // freed pages, of words that are deleted only later. No cost of it was measurable.
    connection.pragma_update(None, "secure_delete", true)?;
    Ok(connection)
}

/// A reading connection to a database that [`open_writer`] made.
pub(super) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    // Even readers write to the shared index of the log, so the file is not opened read-only.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open(path, flags)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// A reading connection that needs no room on the disk: it keeps the index of the log in its own
/// memory, for which SQLite wants every other connection away as long as this one is open.
pub(super) fn open_lone_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // Before the file is looked at for the first time.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    let connection = set_up(connection)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    set_up(Connection::open_with_flags(path, flags)?)
}

fn set_up(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(PATIENCE)?;
    vector_extension::register(&connection)?;
    library::register(&connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

/// Two processes that make a database at once both want this, and here SQLite does not wait by
/// itself.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

/// Copies the log into the database and empties it, unless somebody is reading from it and goes on
/// to for longer than `patience`.
pub(super) fn empty_log(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(patience)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(PATIENCE)?;
    emptied
}

/// The mutex's content, whoever panicked while holding it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reading connections, lent one at a time.
pub(super) struct ReaderPool {
    path: PathBuf,
    /// How many it lends at most.
    readers: usize,
    shelf: Mutex<Shelf>,
    returned: Condvar,
}

struct Shelf {
    idle: Vec<Connection>,
    lent: usize,
}

impl ReaderPool {
    /// An empty pool for the database at `path`.
    pub(super) fn new(path: PathBuf) -> Self {
        let shelf = Shelf { idle: Vec::with_capacity(READERS), lent: 0 };
        Self { path, readers: READERS, shelf: Mutex::new(shelf), returned: Condvar::new() }
    }

    /// A pool of this connection alone.
    pub(super) fn of_one(path: PathBuf, reader: Connection) -> Self {
        let shelf = Shelf { idle: vec![reader], lent: 0 };
        Self { path, readers: 1, shelf: Mutex::new(shelf), returned: Condvar::new() }
    }

    /// Runs `work` on a connection, once one is free.
    pub(super) fn with<T, E: From<rusqlite::Error>>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut shelf = self
            .returned
            .wait_while(lock(&self.shelf), |shelf| shelf.lent >= self.readers)
            .unwrap_or_else(PoisonError::into_inner);
        shelf.lent += 1;
        let idle = shelf.idle.pop();
        drop(shelf);
        // From here on the place is given back whatever happens, a panic included.
        let mut loan = Loan { pool: self, connection: idle };
        let connection = match &mut loan.connection {
            Some(connection) => connection,
            none => none.insert(open_reader(&self.path)?),
        };
        work(connection)
    }
}

struct Loan<'pool> {
    pool: &'pool ReaderPool,
    connection: Option<Connection>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut shelf = lock(&self.pool.shelf);
        shelf.lent -= 1;
        shelf.idle.extend(self.connection.take());
        drop(shelf);
        self.pool.returned.notify_one();
    }
}
