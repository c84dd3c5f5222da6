//! Which process writes in a data folder: the one that holds `<data>/ancre.lock`.
//!
//! The lock is the operating system's, so it ends with the process, however that ends, and the
//! file itself stays and says nothing. One process may open several stores on a folder, as tests
//! do: they share its lock and take turns as any two connections of SQLite do. The rule keeps
//! *programs* apart, whose queues, models and caches know nothing of each other.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long a writer waits for another process to end: longer than a command takes to close,
/// shorter than a person waits for a window.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// How often a waiting writer looks again.
const PAUSE: Duration = Duration::from_millis(25);

/// The locks that this process holds, by the path of their file.
static HELD: Mutex<BTreeMap<PathBuf, Weak<File>>> = Mutex::new(BTreeMap::new());

/// The right to write, for as long as it lives.
#[derive(Debug)]
pub(super) struct DataLock {
    // Held, not read: dropping the last one drops the lock.
    _file: Arc<File>,
}

impl DataLock {
    /// Takes the lock whose file is at `path`; `None` when another process keeps it for longer
    /// than `patience`.
    pub(super) fn take(path: &Path, patience: Duration) -> io::Result<Option<Self>> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(file) = try_take(path)? {
                return Ok(Some(Self { _file: file }));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }
}

fn try_take(path: &Path) -> io::Result<Option<Arc<File>>> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    let name = path.canonicalize()?;
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = held.get(&name).and_then(Weak::upgrade) {
        return Ok(Some(file));
    }
    match file.try_lock() {
        Ok(()) => {
            let file = Arc::new(file);
            held.retain(|_, file| file.strong_count() > 0);
            held.insert(name, Arc::downgrade(&file));
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_one_process_share_its_lock_and_the_last_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ancre.lock");
        let first = DataLock::take(&path, Duration::ZERO).unwrap().expect("it is free");
        let second = DataLock::take(&path, Duration::ZERO).unwrap().expect("it is ours");
        drop(first);
        let other = File::options().write(true).open(&path).unwrap();
        assert!(other.try_lock().is_err(), "the second store still holds it");
        drop(second);
        other.try_lock().expect("nobody holds it any more");
        assert!(DataLock::take(&path, Duration::ZERO).unwrap().is_none(), "somebody else has it");
    }

    #[test]
    fn a_writer_waits_for_one_that_is_about_to_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ancre.lock");
        let other = File::create(&path).unwrap();
        other.lock().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(PAUSE * 3);
                drop(other);
            });
            assert!(DataLock::take(&path, PATIENCE).unwrap().is_some(), "it was worth the wait");
        });
    }
}
