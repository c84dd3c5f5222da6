//! Markdown, plain text and logs: the characters themselves are the text.

use crate::content::{Block, Content};
use crate::input::Input;
use crate::{ExtractError, clean, decode, markdown};

/// Reads a text as it stands.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    read_as(input, |text| vec![Block::Verbatim(text)])
}

/// Reads a Markdown text: as it stands, but for its tables.
pub(crate) fn read_markdown(input: &Input<'_>) -> Result<Content, ExtractError> {
    read_as(input, |text| markdown::blocks(&text))
}

fn read_as(
    input: &Input<'_>,
    blocks: impl FnOnce(String) -> Vec<Block>,
) -> Result<Content, ExtractError> {
    let decoded = decode::decode(input.bytes);
    clean::refuse_control_characters(&decoded.text)?;
    let warnings = decoded.warning().into_iter().collect();
    Ok(Content {
        blocks: blocks(decoded.text),
        warnings,
        encoding: Some(decoded.encoding),
        ..Content::default()
    })
}
