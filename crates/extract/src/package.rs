//! ZIP packages: the budget before any parser, and which format a package is.

use std::io::Cursor;

use zip::ZipArchive;

use crate::ExtractError;
use crate::format::Format;

/// How many entries a package may have.
const MAX_ENTRIES: usize = 10_000;

/// Which format a package is.
pub(crate) fn format_of(_bytes: &[u8]) -> Result<Format, ExtractError> {
    Err(ExtractError::Unsupported { format: "package".to_owned() })
}

/// Refuses a package that would take too much to unpack.
pub(crate) fn check_budget(bytes: &[u8]) -> Result<(), ExtractError> {
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(ExtractError::corrupt)?;
    if archive.len() > MAX_ENTRIES {
        return Err(ExtractError::TooLarge {
            what: "the number of its parts".to_owned(),
            size: archive.len().to_string(),
            limit: MAX_ENTRIES.to_string(),
        });
    }
    Ok(())
}
