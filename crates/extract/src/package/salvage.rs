//! Finds the entries of a package whose directory is lost, by the headers before each of them.
//!
//! The directory stands at the end of a package, so a file that was cut while it was copied has
//! none, but each entry repeats in front of it what is needed to unpack it (APPNOTE.TXT 6.3.10,
//! 4.3.7).

use super::{Entry, Place, budget};
use crate::ExtractError;

const HEADER: &[u8] = b"PK\x03\x04";
const DIRECTORY: &[u8] = b"PK\x01\x02";
const HEADER_LENGTH: usize = 30;

/// Bits of the general purpose flag.
const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 1 << 3;

/// The entries, in their order; none when there are none.
///
/// # Errors
///
/// [`ExtractError::TooLarge`] when there are too many.
pub(super) fn entries(bytes: &[u8]) -> Result<Vec<Entry>, ExtractError> {
    let mut entries = Vec::new();
    let mut at = 0;
    while let Some(start) = find(bytes, HEADER, at) {
        match entry(bytes, start) {
            Some((entry, end)) => {
                entries.push(entry);
                budget::check_count(entries.len())?;
                at = end;
            }
            None => at = start + HEADER.len(),
        }
    }
    Ok(entries)
}

/// The entry whose header begins at `start`, and where its content ends at the latest.
fn entry(bytes: &[u8], start: usize) -> Option<(Entry, usize)> {
    let header = bytes.get(start..start.checked_add(HEADER_LENGTH)?)?;
    let flags = u16_at(header, 6)?;
    let (packed, declared) = (u32_at(header, 18)?, u32_at(header, 22)?);
    let (name_length, extra_length) = (u16_at(header, 26)?, u16_at(header, 28)?);
    let name_end = start + HEADER_LENGTH + usize::from(name_length);
    let name = bytes.get(start + HEADER_LENGTH..name_end)?;
    if name.is_empty() || name.contains(&0) {
        return None;
    }
    let content = name_end.checked_add(usize::from(extra_length))?;
    let next = || {
        let next_header = find(bytes, HEADER, content).unwrap_or(bytes.len());
        find(bytes.get(..next_header)?, DIRECTORY, content).or(Some(next_header))
    };
    // The size 0xFFFFFFFF says that the real one stands elsewhere.
    let end = if flags & SIZES_FOLLOW != 0 || packed == u32::MAX {
        next()?
    } else {
        content.checked_add(usize::try_from(packed).ok()?)?
    };
    let entry = Entry {
        name: String::from_utf8_lossy(name).replace('\\', "/"),
        place: Place::Header { start },
        is_encrypted: flags & ENCRYPTED != 0,
        packed: end.saturating_sub(content) as u64,
        declared: if declared == u32::MAX { 0 } else { u64::from(declared) },
    };
    Some((entry, end.min(bytes.len()).max(start + HEADER.len())))
}

fn find(bytes: &[u8], mark: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(mark.len()).position(|window| window == mark).map(|at| from + at)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
