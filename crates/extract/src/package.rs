//! ZIP packages: the budget before any parser, and which format a package is.

use crate::ExtractError;
use crate::format::Format;

/// Which format a package is.
pub(crate) fn format_of(_bytes: &[u8]) -> Result<Format, ExtractError> {
    Err(ExtractError::Unsupported { format: "package".to_owned() })
}
