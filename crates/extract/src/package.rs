//! ZIP packages: what office documents, electronic books and archives are made of.
//!
//! A package is opened here and nowhere else, because a small one can unpack to more than the
//! machine holds: what it declares is refused beyond a budget before anything is unpacked, and what
//! it really holds is counted while it is read, since declared sizes lie. Entries are only ever
//! unpacked into memory, so absolute names, `..` and duplicates do no harm. Where the directory at
//! the end is lost, the entries are found by their own headers.

mod budget;
mod recognition;
mod salvage;
pub(crate) mod xml;

use std::cell::Cell;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::read::{ZipFile, ZipReadOptions, read_zipfile_from_stream_with_options};
use zip::result::ZipError;

use crate::ExtractError;
pub(crate) use recognition::format_of;

/// A package that is within the budget.
pub(crate) struct Package<'a> {
    bytes: &'a [u8],
    archive: Option<ZipArchive<Cursor<&'a [u8]>>>,
    entries: Vec<Entry>,
    unpacked: Cell<u64>,
    is_damaged: Cell<bool>,
}

struct Entry {
    /// With `/` between folders.
    name: String,
    place: Place,
    is_encrypted: bool,
    /// Sizes in bytes, as declared.
    packed: u64,
    declared: u64,
}

/// Where an entry is found.
#[derive(Clone, Copy)]
enum Place {
    /// Its place in the package's directory.
    Directory(usize),
    /// Where its own header begins, and how many bytes there can be of it at most.
    Header { start: usize },
}

/// Refuses a package that unpacks to more than the budget, for parsers that open it themselves.
///
/// They must be built on the same `zip` crate, which stops at the size that the directory declares.
///
/// # Errors
///
/// As [`Package::open`], and [`ExtractError::Corrupt`] where the directory is lost.
pub(crate) fn check_budget(bytes: &[u8]) -> Result<(), ExtractError> {
    let package = Package::open(bytes)?;
    match package.archive {
        Some(_) => Ok(()),
        None => Err(ExtractError::corrupt("the directory of its parts is lost")),
    }
}

impl<'a> Package<'a> {
    /// Opens a package and checks what it declares against the budget.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`]; [`ExtractError::Corrupt`] where not one entry is found.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ExtractError> {
        let archive = ZipArchive::new(Cursor::new(bytes));
        let (archive, entries) = match archive {
            Ok(archive) => {
                let entries = directory(&archive)?;
                (Some(archive), entries)
            }
            Err(error) => {
                let entries = salvage::entries(bytes)?;
                if entries.is_empty() {
                    return Err(ExtractError::corrupt(error));
                }
                (None, entries)
            }
        };
        budget::check(&entries)?;
        let is_damaged = Cell::new(archive.is_none());
        Ok(Self { bytes, archive, entries, unpacked: Cell::new(0), is_damaged })
    }

    /// The names of its entries with `/` between folders, in their order; folders too, which end
    /// in `/`. A name may stand twice.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Whether there is an entry of this name, as [`Self::read`] finds it.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether something of it was lost so far: its directory, or the end of an entry.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged.get()
    }

    /// Unpacks an entry; `None` when there is none of this name or nothing of it can be unpacked.
    /// The name's case does not matter unless two entries differ by it, and `/` before it is left
    /// out. Of a damaged entry what comes before the damage is given: see [`Self::is_damaged`].
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`], also when all that was read exceeds the budget;
    /// [`ExtractError::Password`] when it is encrypted; [`ExtractError::Unsupported`] when it is
    /// packed in a way that office programs do not.
    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ExtractError> {
        self.find(name).map_or(Ok(None), |entry| self.unpack(entry))
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let name = name.trim_start_matches('/');
        let exact = self.entries.iter().find(|entry| entry.name == name);
        exact.or_else(|| {
            self.entries
                .iter()
                .find(|entry| entry.name.trim_start_matches('/').eq_ignore_ascii_case(name))
        })
    }

    fn unpack(&self, entry: &Entry) -> Result<Option<Vec<u8>>, ExtractError> {
        if entry.is_encrypted {
            return Err(ExtractError::Password { can_unlock: false });
        }
        match entry.place {
            Place::Directory(index) => {
                // Cheap: the directory is shared.
                let Some(mut archive) = self.archive.clone() else { return Ok(None) };
                let file = archive.by_index(index);
                self.drain(entry, file)
            }
            Place::Header { start } => {
                let mut rest = self.bytes.get(start..).unwrap_or_default();
                let options = ZipReadOptions::new().override_compressed_size(entry.packed);
                match read_zipfile_from_stream_with_options(&mut rest, options).transpose() {
                    Some(file) => self.drain(entry, file),
                    None => Ok(None),
                }
            }
        }
    }

    /// Reads to the end, the damage or the limit.
    fn drain<R: Read>(
        &self,
        entry: &Entry,
        file: Result<ZipFile<'_, R>, ZipError>,
    ) -> Result<Option<Vec<u8>>, ExtractError> {
        let file = match file {
            Ok(file) => file,
            Err(ZipError::CompressionMethodNotSupported(method)) => {
                return Err(ExtractError::Unsupported {
                    format: format!("ZIP packages of compression method {method}"),
                });
            }
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(ExtractError::Password { can_unlock: false });
            }
            Err(_) => {
                self.is_damaged.set(true);
                return Ok(None);
            }
        };
        let mut source = file.take(budget::ENTRY_BYTES + 1);
        let mut content = Vec::new();
        let mut piece = [0_u8; 16 * 1024];
        loop {
            match source.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => {
                    content.extend_from_slice(piece.get(..count).unwrap_or_default());
                    let unpacked = self.unpacked.get().saturating_add(count as u64);
                    self.unpacked.set(unpacked);
                    budget::check_entry(content.len() as u64, entry.packed)?;
                    budget::check_total(unpacked)?;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.is_damaged.set(true);
                    break;
                }
            }
        }
        let is_lost = content.is_empty() && entry.declared > 0;
        Ok((!is_lost).then_some(content))
    }
}

fn directory(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<Entry>, ExtractError> {
    budget::check_count(archive.len())?;
    if archive.has_duplicate_names() {
        tracing::debug!("a package has several entries of one name; the last one counts");
    }
    let mut entries = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let Ok(data) = archive.by_index_data(index) else { continue };
        let name = match data.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(data.name_raw()).into_owned(),
        };
        let name = name.replace('\\', "/");
        if name.starts_with('/') || name.split('/').any(|folder| folder == "..") {
            tracing::debug!(name, "a package has an entry that would leave its folder");
        }
        entries.push(Entry {
            name,
            place: Place::Directory(index),
            is_encrypted: data.encrypted(),
            packed: data.compressed_size(),
            declared: data.size(),
        });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests;
