//! ZIP archives of documents: each entry is a source of its own.
//!
//! Entries are given in the archive's order, without folders, without what systems add to them and
//! without hidden files. A damaged or encrypted entry costs itself. What has an extension that no
//! reader reads is named and not unpacked. Archives in archives are given like any other entry;
//! their reader refuses them.

mod names;

use crate::ExtractError;
use crate::format::Format;
use crate::package::Package;

/// After so many damaged entries the rest is taken for lost too: looking at each takes time.
const MAX_DAMAGED: u32 = 50;

/// The most bytes that the entries may come to together: what one archive may unpack to.
const MAX_BYTES: usize = 256 << 20;

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedFile {
    /// Its path inside, with `/`.
    pub name: String,
    /// Its bytes, or why they could not be unpacked.
    pub bytes: Result<Vec<u8>, ExtractError>,
}

/// Unpacks the files of an archive, without folders, hidden files and what systems add.
///
/// # Errors
///
/// [`ExtractError::TooLarge`] when the archive as a whole is beyond what may be unpacked,
/// [`ExtractError::Corrupt`] when no entry of it is found. What is wrong with one entry is told
/// with that entry.
pub(crate) fn unpack(bytes: &[u8], each: &mut dyn FnMut(ArchivedFile)) -> Result<(), ExtractError> {
    let mut unpacking = Unpacking { bytes, package: Package::open(bytes)?, damaged: 0, total: 0 };
    for (entry, name) in names::of(bytes, &unpacking.package) {
        if is_document(&name) {
            let bytes = Format::of_name(name.as_ref()).and_then(|_| unpacking.entry(&entry));
            each(ArchivedFile { name, bytes });
        }
    }
    Ok(())
}

struct Unpacking<'a> {
    bytes: &'a [u8],
    package: Package<'a>,
    damaged: u32,
    total: usize,
}

impl Unpacking<'_> {
    /// The bytes of the entry that the package calls `name`.
    fn entry(&mut self, name: &str) -> Result<Vec<u8>, ExtractError> {
        let is_damaged = || ExtractError::corrupt("its part of the archive is damaged");
        if self.damaged > MAX_DAMAGED {
            return Err(is_damaged());
        }
        let was_damaged = self.package.is_damaged();
        let content = self.package.read(name)?;
        if self.package.is_damaged() && !was_damaged {
            self.damaged += 1;
            // A package tells damage once, so the next entry is read from a fresh one.
            self.package = Package::open(self.bytes)?;
            return Err(is_damaged());
        }
        let content = content.ok_or_else(is_damaged)?;
        self.total = self.total.saturating_add(content.len());
        if self.total > MAX_BYTES {
            return Err(ExtractError::TooLarge {
                what: "the unpacked content of its archive".to_owned(),
                size: "more".to_owned(),
                limit: format!("{} MiB", MAX_BYTES >> 20),
            });
        }
        Ok(content)
    }
}

/// Whether an entry is a file that somebody put there.
fn is_document(path: &str) -> bool {
    let mut components = path.split('/').filter(|component| !component.is_empty());
    let is_hidden = components.any(|component| {
        (component.starts_with('.') && component != "." && component != "..")
            || component == "__MACOSX"
    });
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_of_a_system = name.starts_with("~$")
        || ["thumbs.db", "desktop.ini"].iter().any(|it| name.eq_ignore_ascii_case(it));
    !name.is_empty() && !is_hidden && !is_of_a_system
}

#[cfg(test)]
mod tests;
