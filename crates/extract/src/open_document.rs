//! open_document

use crate::ExtractError;
use crate::content::Content;
use crate::input::Input;

/// Reads a text document.
pub(crate) fn read_text(_input: &Input<'_>) -> Result<Content, ExtractError> {
    Err(ExtractError::Unsupported { format: "open_document".to_owned() })
}

/// Reads slides.
pub(crate) fn read_slides(_input: &Input<'_>) -> Result<Content, ExtractError> {
    Err(ExtractError::Unsupported { format: "open_document".to_owned() })
}
