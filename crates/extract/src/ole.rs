//! OLE containers: which document one holds.

use crate::ExtractError;
use crate::format::Format;

/// Which format a container holds.
pub(crate) fn format_of(_bytes: &[u8]) -> Result<Format, ExtractError> {
    Err(ExtractError::Unsupported { format: "OLE".to_owned() })
}
