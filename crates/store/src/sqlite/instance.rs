//! Which open stores are alive.
//!
//! A document that is being indexed belongs to one open store. Each store has a name and holds an
//! exclusive lock of the operating system on `locks/<name>.lock`; the system drops the lock with
//! the process, however it ends, so a lock that can be taken is the sign of a store that is gone.
//! Names are never used twice.
//!
//! Making a lock file and looking at others both happen under the database's write lock (each
//! function wants the transaction as its witness), so nobody ever sees a file that is made but not
//! locked yet, or mistakes another one's look for a living store.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Transaction;

use super::place::Trouble;

/// This store's name, and its lock for as long as it lives.
#[derive(Debug)]
pub(super) struct Instance {
    name: String,
    folder: PathBuf,
    // Held, not read: dropping it drops the lock. None: a store that only reads claims nothing.
    lock: Option<File>,
}

impl Instance {
    /// Enters among the living of `folder`, which is made if it is not there.
    pub(super) fn enter(transaction: &Transaction<'_>, folder: &Path) -> Result<Self, Trouble> {
        let name: String =
            transaction.query_row("SELECT lower(hex(randomblob(16)))", [], |row| row.get(0))?;
        fs::create_dir_all(folder)?;
        let lock = File::create(lock_path(folder, &name))?;
        lock.lock()?;
        Ok(Self { name, folder: folder.to_owned(), lock: Some(lock) })
    }

    /// One that looks on from outside: it has no name and nothing belongs to it.
    pub(super) fn onlooker(folder: &Path) -> Self {
        Self { name: String::new(), folder: folder.to_owned(), lock: None }
    }

    /// What stands in `documents.claimed_by`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the store called `name` is open, in this process or another.
    pub(super) fn is_alive(&self, _: &Transaction<'_>, name: &str) -> io::Result<bool> {
        Ok(name == self.name || (is_name(name) && is_locked(&lock_path(&self.folder, name))?))
    }

    /// Takes away the lock files of stores that are gone.
    pub(super) fn sweep(&self, _: &Transaction<'_>) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let is_lock = path.extension().is_some_and(|extension| extension == "lock")
                && path.file_stem().and_then(|stem| stem.to_str()).is_some_and(is_name);
            if is_lock && path != lock_path(&self.folder, &self.name) && !is_locked(&path)? {
                ignore_missing(fs::remove_file(&path))?;
            }
        }
        Ok(())
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.lock.is_some() {
            // A file that stays is swept by the next store: nothing depends on this.
            let _ = fs::remove_file(lock_path(&self.folder, &self.name));
        }
    }
}

fn lock_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.lock"))
}

/// Names become file names, and come back from the database.
fn is_name(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_locked(path: &Path) -> io::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    match file.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
