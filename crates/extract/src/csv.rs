//! separated values.

use crate::ExtractError;
use crate::content::Content;
use crate::input::Input;

/// Reads the document.
pub(crate) fn read(_input: &Input<'_>, _delimiter: Option<u8>) -> Result<Content, ExtractError> {
    Err(ExtractError::Unsupported { format: "separated values".to_owned() })
}
