//! Storage itself: who may write, how much room it takes, and giving room back.

use ancre_domain::Cancellation;

use crate::StoreError;

/// How much room a data folder takes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StorageSize {
    /// The database with its log.
    pub database: u64,
    /// What of it [`StorageStore::compact`] would give back, about.
    pub reclaimable: u64,
    /// What of it is vectors kept to save work.
    pub cache: u64,
    /// What of it is originals of sources.
    pub originals: u64,
}

impl StorageSize {
    /// The least that is worth the work of giving it back, in bytes.
    const WORTHWHILE: u64 = 64 * 1024 * 1024;

    /// Whether giving back pays: at least 64 MiB, and at least a quarter of the database.
    pub fn is_compacting_worthwhile(&self) -> bool {
        self.reclaimable >= Self::WORTHWHILE && self.reclaimable >= self.database / 4
    }
}

/// What can be asked of storage as a whole, for every project at once.
pub trait StorageStore {
    /// Whether another process has the right to write, so that every change here is refused with
    /// [`StoreError::DataInUse`].
    fn is_read_only(&self) -> bool;

    /// How much room it takes.
    fn storage_size(&self) -> Result<StorageSize, StoreError>;

    /// Whether words of deleted texts are still in the file.
    fn has_deleted_words(&self) -> Result<bool, StoreError>;

    /// Leaves no word of deleted texts behind, in steps of some milliseconds between which others
    /// may write. `false` when it was cancelled before its end; a later call goes on. Deleting
    /// itself takes texts out of every table at once, but words that were indexed stay in the
    /// index's own lists until this was done, once for all that was deleted before.
    fn wipe_deleted(&self, cancellation: &Cancellation) -> Result<bool, StoreError>;

    /// Gives back the room that deleted things took, in steps of some milliseconds between which
    /// others may write. What is given back stays given back when it is cancelled or fails, and
    /// nothing else changes. [`StoreError::WorkInProgress`] while documents are being indexed or
    /// jobs run; when such work begins meanwhile it ends early.
    fn compact(&self, cancellation: &Cancellation) -> Result<(), StoreError>;
}
