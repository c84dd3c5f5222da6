//! Markdown, plain text and logs: the characters themselves are the text.

use crate::content::{Block, Content};
use crate::input::Input;
use crate::{ExtractError, clean, decode};

/// Reads a text as it stands.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let decoded = decode::decode(input.bytes);
    clean::refuse_control_characters(&decoded.text)?;
    let warnings = decoded.warning().into_iter().collect();
    Ok(Content {
        blocks: vec![Block::Verbatim(decoded.text)],
        warnings,
        encoding: Some(decoded.encoding),
        ..Content::default()
    })
}
