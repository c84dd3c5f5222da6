//! How much room the data folder takes, and giving back what deleted things took.

use ancre_domain::Cancellation;
use ancre_store::traits::StorageSize;

use crate::Ancre;
use crate::operations::Never;
use crate::wire::{Nothing, StorageReport, WireError};

/// Shows how much room the data folder takes.
///
/// # Errors
///
/// What the store says.
pub fn get_storage(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<StorageReport, WireError> {
    let StorageSize { database, reclaimable, cache, originals } = ancre.store().storage_size()?;
    Ok(StorageReport {
        database_bytes: database,
        reclaimable_bytes: reclaimable,
        cache_bytes: cache,
        originals_bytes: originals,
    })
}

/// Gives back the room that deleted things took, and shows what is taken then.
///
/// # Errors
///
/// `work_in_progress` while documents are being indexed; `disk_full`, which costs nothing.
pub fn compact_storage(
    ancre: &Ancre,
    _: Nothing,
    progress: &dyn Fn(Never),
) -> Result<StorageReport, WireError> {
    ancre.store().compact(&Cancellation::new())?;
    get_storage(ancre, Nothing {}, progress)
}
