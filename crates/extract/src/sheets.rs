//! Sheets.

use crate::ExtractError;
use crate::content::Content;
use crate::format::Format;
use crate::input::Input;

/// Reads a workbook.
pub(crate) fn read(_input: &Input<'_>, _format: Format) -> Result<Content, ExtractError> {
    Err(ExtractError::Unsupported { format: "sheets".to_owned() })
}
