//! How much of a sheet is read: rows come without end from a few bytes of a packed file, so their
//! cells and their texts are counted as they come.

use super::SheetRow;
use crate::ExtractError;
use crate::compose::MAX_TEXT_BYTES;

/// How many cells of a document are read.
const MAX_CELLS: usize = 1_000_000;

/// How many cells the rows may have with the blank ones between, which take room too.
const MAX_PLACES: usize = 4_000_000;

/// How much of a document has been read.
#[derive(Debug, Default)]
pub(crate) struct CellBudget {
    cells: usize,
    places: usize,
    bytes: usize,
}

impl CellBudget {
    /// Counts the cells of a row.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] past a million cells or 64 MiB of text.
    pub(crate) fn take(&mut self, row: &SheetRow, places: usize) -> Result<(), ExtractError> {
        self.cells += row.cells.len();
        self.places += places;
        if self.cells > MAX_CELLS || self.places > MAX_PLACES {
            return Err(too_large("the number of its cells", MAX_CELLS.to_string()));
        }
        self.take_bytes(row.cells.iter().map(|(_, text)| text.len()).sum())
    }

    /// Counts the bytes of a text.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] past 64 MiB.
    pub(crate) fn take_bytes(&mut self, count: usize) -> Result<(), ExtractError> {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes > MAX_TEXT_BYTES {
            return Err(too_large("its text", format!("{} MiB", MAX_TEXT_BYTES >> 20)));
        }
        Ok(())
    }
}

fn too_large(what: &str, limit: String) -> ExtractError {
    ExtractError::TooLarge { what: what.to_owned(), size: "more".to_owned(), limit }
}
