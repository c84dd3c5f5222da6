//! Pictures of pages, for the eye and for recognition.

use crate::ExtractError;
use crate::input::Input;

/// The page as a PNG image about `width` pixels wide. `page` counts from 1.
pub(crate) fn page_picture(
    _input: &Input<'_>,
    _page: u32,
    _width: u32,
) -> Result<Vec<u8>, ExtractError> {
    Err(ExtractError::Unsupported { format: "picture".to_owned() })
}
