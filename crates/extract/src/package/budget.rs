//! How much a package may unpack to. Honest office documents stay far below; what lies above was
//! made to fill memory.

use super::Entry;
use crate::ExtractError;

/// The most entries.
const ENTRIES: usize = 10_000;

/// The most that one entry may unpack to in memory, in bytes.
pub(super) const ENTRY_BYTES: u64 = 64 << 20;

/// The most that an entry may unpack to that is read piece by piece, in bytes.
const STREAMED_BYTES: u64 = TOTAL_BYTES;

/// The most that all may unpack to together, in bytes.
const TOTAL_BYTES: u64 = 256 << 20;

/// Above so many unpacked bytes, an entry may not be packed more tightly than this: text is packed
/// ten to one, and tables of zeros, which are small, a thousand to one.
const RATIO_FREE_BYTES: u64 = 10 << 20;
const RATIO: u64 = 100;

/// What an office document has beside its text: never unpacked, so its size costs nothing.
/// Pictures of lines (SVG) are XML and count.
const MEDIA: [&str; 22] = [
    "aac", "avi", "bmp", "emf", "flac", "gif", "jpeg", "jpg", "m4a", "m4v", "mkv", "mov", "mp3",
    "mp4", "ogg", "png", "tif", "tiff", "wav", "webp", "wmf", "wmv",
];

/// Checks what the entries declare. Media do not count here; who reads one all the same is stopped
/// by [`check_entry`] and [`check_total`].
///
/// # Errors
///
/// [`ExtractError::TooLarge`].
pub(super) fn check(entries: &[Entry]) -> Result<(), ExtractError> {
    check_count(entries.len())?;
    let mut total: u64 = 0;
    for entry in entries.iter().filter(|entry| !is_media(&entry.name)) {
        let limit = if is_streamed(&entry.name) { STREAMED_BYTES } else { ENTRY_BYTES };
        check_size(entry.declared, entry.packed, limit)?;
        total = total.saturating_add(entry.declared);
    }
    check_total(total)
}

fn is_media(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| MEDIA.contains(&extension.as_str()))
}

/// The sheets of workbooks, which are long and are never held as a whole.
fn is_streamed(name: &str) -> bool {
    name == "content.xml" || name.starts_with("xl/worksheets/") && name.ends_with(".xml")
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
    check_size(unpacked, packed, ENTRY_BYTES)
}

fn check_size(unpacked: u64, packed: u64, limit: u64) -> Result<(), ExtractError> {
    if unpacked > limit {
        return Err(too_large("one of its parts", unpacked, limit));
    }
    if unpacked > RATIO_FREE_BYTES && unpacked / RATIO > packed {
        return Err(ExtractError::TooLarge {
            what: "one of its parts".to_owned(),
            size: format!("more than {RATIO} times its packed size"),
            limit: format!("{RATIO} times"),
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
