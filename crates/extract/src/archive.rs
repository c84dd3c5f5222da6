//! ZIP archives of documents: each entry is a source of its own.

use crate::ExtractError;

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedFile {
    /// Its path inside, with `/`.
    pub name: String,
    /// Its bytes, or why they could not be unpacked.
    pub bytes: Result<Vec<u8>, ExtractError>,
}

/// Unpacks the files of an archive, without folders, hidden files and what systems add.
pub(crate) fn unpack(
    _bytes: &[u8],
    _each: &mut dyn FnMut(ArchivedFile),
) -> Result<(), ExtractError> {
    Err(ExtractError::Unsupported { format: "archive".to_owned() })
}
