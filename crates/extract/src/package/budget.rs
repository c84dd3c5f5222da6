//! How much a package may unpack to. Honest office documents stay far below; what lies above was
//! made to fill memory.

use super::Entry;
use crate::ExtractError;

/// The most entries.
const ENTRIES: usize = 10_000;

/// The most that one entry may unpack to, in bytes.
pub(super) const ENTRY_BYTES: u64 = 64 << 20;

/// The most that all may unpack to together, in bytes.
const TOTAL_BYTES: u64 = 256 << 20;

/// Above so many unpacked bytes, an entry may not be packed more tightly than this: text is packed
/// ten to one, and tables of zeros, which are small, a thousand to one.
const RATIO_FREE_BYTES: u64 = 10 << 20;
const RATIO: u64 = 100;

/// Checks what the entries declare.
///
/// # Errors
///
/// [`ExtractError::TooLarge`].
pub(super) fn check(entries: &[Entry]) -> Result<(), ExtractError> {
    check_count(entries.len())?;
    for entry in entries {
        check_entry(entry.declared, entry.packed)?;
    }
    check_total(entries.iter().fold(0, |sum, entry| entry.declared.saturating_add(sum)))
}

/// Checks how many entries there are.
///
/// # Errors
///
/// [`ExtractError::TooLarge`].
pub(super) fn check_count(count: usize) -> Result<(), ExtractError> {
    if count > ENTRIES {
        return Err(ExtractError::TooLarge {
            what: "the number of its parts".to_owned(),
            size: count.to_string(),
            limit: ENTRIES.to_string(),
        });
    }
    Ok(())
}

/// Checks the unpacked size of one entry, or what of it is unpacked so far, against the limit and
/// against how tightly it is packed.
///
/// # Errors
///
/// [`ExtractError::TooLarge`].
pub(super) fn check_entry(unpacked: u64, packed: u64) -> Result<(), ExtractError> {
    if unpacked > ENTRY_BYTES {
        return Err(too_large("one of its parts", unpacked, ENTRY_BYTES));
    }
    if unpacked > RATIO_FREE_BYTES && unpacked / RATIO > packed {
        return Err(ExtractError::TooLarge {
            what: "the unpacked size of one of its parts".to_owned(),
            size: format!("more than {RATIO} times its packed size"),
            limit: format!("{RATIO} times that"),
        });
    }
    Ok(())
}

/// Checks the unpacked size of everything.
///
/// # Errors
///
/// [`ExtractError::TooLarge`].
pub(super) fn check_total(unpacked: u64) -> Result<(), ExtractError> {
    if unpacked > TOTAL_BYTES {
        return Err(too_large("its unpacked content", unpacked, TOTAL_BYTES));
    }
    Ok(())
}

fn too_large(what: &str, size: u64, limit: u64) -> ExtractError {
    ExtractError::TooLarge {
        what: what.to_owned(),
        size: format!("{} MiB or more", size >> 20),
        limit: format!("{} MiB", limit >> 20),
    }
}
