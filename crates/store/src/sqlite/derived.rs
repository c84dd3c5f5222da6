//! What is derived from the database and kept in memory, to be quick.
//!
//! A search takes what is there and never waits: whatever is missing or stale is made by a thread
//! of its own, with a connection of its own, and takes the place of what was there before when it
//! is whole. The only locks are held for as long as it takes to copy or replace a pointer. Nothing
//! here is ever written, so nothing can be damaged; all of it together is bounded, and what was not
//! asked for the longest goes first. What the things are, and how a search tells that one is stale,
//! is not known here.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rusqlite::Transaction;

use super::connections::{lock, open_reader};
use super::generations::Generation;
use super::place::Trouble;

/// Something that is derived.
pub(super) trait Derived: Send + Sync + 'static {
    /// How much memory it takes, in a unit of its kind.
    fn weight(&self) -> usize;
}

/// A table of one generation. Names may come again after a generation was given up; the time at
/// which it was made does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TableKey {
    table: String,
    created_at: i64,
}

impl TableKey {
    /// The key of a generation's table of this name.
    pub(super) fn new(generation: &Generation, table: impl Into<String>) -> Self {
        Self { table: table.into(), created_at: generation.created_at.as_millis() }
    }
}

/// Things of one kind, one to a table.
pub(super) struct Shelf<T> {
    shared: Arc<Shared<T>>,
    makers: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared<T> {
    database: PathBuf,
    /// What all things together may weigh; the last one stays, however heavy it is.
    most: usize,
    entries: Mutex<HashMap<TableKey, Arc<Entry<T>>>>,
    is_closing: AtomicBool,
    /// Counts uses, to tell which thing was not asked for the longest.
    clock: AtomicU64,
    /// Where the next thing that is made stops twice before it takes its place.
    #[cfg(test)]
    pause: Mutex<Option<Arc<std::sync::Barrier>>>,
}

struct Entry<T> {
    made: Mutex<Option<Arc<T>>>,
    is_being_made: AtomicBool,
    last_use: AtomicU64,
}

impl<T: Derived> Shelf<T> {
    /// An empty shelf for things that are made from this database and weigh `most` together.
    pub(super) fn new(database: PathBuf, most: usize) -> Self {
        let shared = Shared {
            database,
            most,
            entries: Mutex::default(),
            is_closing: AtomicBool::new(false),
            clock: AtomicU64::new(0),
            #[cfg(test)]
            pause: Mutex::default(),
        };
        Self { shared: Arc::new(shared), makers: Mutex::default() }
    }

    /// What there is for a table; it may be replaced while it is used.
    pub(super) fn get(&self, key: &TableKey) -> Option<Arc<T>> {
        let entry = lock(&self.shared.entries).get(key).map(Arc::clone)?;
        entry.last_use.store(self.shared.tick(), Ordering::Relaxed);
        entry.made()
    }

    /// Makes the thing for a table in the background, unless that is going on. `work` is given what
    /// there is now and whether the store is closing, and gives what is to take its place, if
    /// anything. Whatever goes wrong there is for a later search to try again.
    pub(super) fn make(
        &self,
        key: TableKey,
        work: impl FnOnce(&Transaction<'_>, Option<&T>, &AtomicBool) -> Result<Option<T>, Trouble>
        + Send
        + 'static,
    ) {
        let entry = Arc::clone(lock(&self.shared.entries).entry(key).or_default());
        if entry.is_being_made.swap(true, Ordering::AcqRel) {
            return;
        }
        entry.last_use.store(self.shared.tick(), Ordering::Relaxed);
        let (shared, being_made) = (Arc::clone(&self.shared), Arc::clone(&entry));
        let maker = thread::Builder::new().name("derived".to_owned()).spawn(move || {
            if let Ok(Some(made)) = shared.work(&being_made, work) {
                being_made.replace(made);
                shared.forget_unused();
            }
            being_made.is_being_made.store(false, Ordering::Release);
        });
        match maker {
            Ok(maker) => {
                let mut makers = lock(&self.makers);
                makers.retain(|maker| !maker.is_finished());
                makers.push(maker);
            }
            // No thread is to be had now.
            Err(_) => entry.is_being_made.store(false, Ordering::Release),
        }
    }

    /// Has the next thing that is made stop at `pause` twice, before it takes its place.
    #[cfg(test)]
    pub(super) fn pause_at(&self, pause: &Arc<std::sync::Barrier>) {
        *lock(&self.shared.pause) = Some(Arc::clone(pause));
    }

    /// Everything that is there.
    #[cfg(test)]
    pub(super) fn all(&self) -> Vec<Arc<T>> {
        lock(&self.shared.entries).values().filter_map(|entry| entry.made()).collect()
    }
}

impl<T> Shelf<T> {
    /// Waits until nothing is being made.
    pub(super) fn wait(&self) {
        let makers = std::mem::take(&mut *lock(&self.makers));
        for maker in makers {
            // A thread that panicked has nothing to give back.
            let _ = maker.join();
        }
    }
}

impl<T> Drop for Shelf<T> {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Relaxed);
        self.wait();
    }
}

impl<T: Derived> Shared<T> {
    fn work(
        &self,
        entry: &Entry<T>,
        work: impl FnOnce(&Transaction<'_>, Option<&T>, &AtomicBool) -> Result<Option<T>, Trouble>,
    ) -> Result<Option<T>, Trouble> {
        let mut connection = open_reader(&self.database)?;
        let transaction = connection.transaction()?;
        let made = work(&transaction, entry.made().as_deref(), &self.is_closing);
        #[cfg(test)]
        self.stop_at_pause();
        made
    }

    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    #[cfg(test)]
    fn stop_at_pause(&self) {
        let pause = lock(&self.pause).take();
        if let Some(pause) = pause {
            pause.wait();
            pause.wait();
        }
    }

    /// Lets go of what was not asked for the longest, while all weighs too much.
    fn forget_unused(&self) {
        let mut entries = lock(&self.entries);
        let mut by_use: Vec<(u64, TableKey, usize)> = entries
            .iter()
            .map(|(key, entry)| {
                let weight = entry.made().map_or(0, |made| made.weight());
                (entry.last_use.load(Ordering::Relaxed), key.clone(), weight)
            })
            .collect();
        by_use.sort_unstable();
        let mut total: usize = by_use.iter().map(|(_, _, weight)| weight).sum();
        by_use.pop();
        let mut forgotten = Vec::new();
        for (_, key, weight) in by_use {
            if total <= self.most {
                break;
            }
            forgotten.extend(entries.remove(&key));
            total -= weight;
        }
        drop(entries);
        // Given back outside the lock: a large index takes its time.
        drop(forgotten);
    }
}

impl<T> Entry<T> {
    fn made(&self) -> Option<Arc<T>> {
        lock(&self.made).clone()
    }

    fn replace(&self, made: T) {
        let old = lock(&self.made).replace(Arc::new(made));
        // Given back outside the lock, as above.
        drop(old);
    }
}

impl<T> Default for Entry<T> {
    fn default() -> Self {
        Self {
            made: Mutex::new(None),
            is_being_made: AtomicBool::new(false),
            last_use: AtomicU64::new(0),
        }
    }
}
