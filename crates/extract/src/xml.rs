//! XML.

use crate::ExtractError;
use crate::content::Content;
use crate::input::Input;

/// Reads the document.
pub(crate) fn read(_input: &Input<'_>) -> Result<Content, ExtractError> {
    Err(ExtractError::Unsupported { format: "XML".to_owned() })
}
