//! RTF, as Word, the office suites and many programs that are gone have written it.
//!
//! An own reader, since the format is simple to tokenise and no library reads its tables, notes
//! and code pages. Headings come from styles and outline levels; notes and comments stand at their
//! place; running headers, pictures, tables of contents and deleted text are left out. Page breaks that somebody
//! set are pages, approximately. Fields give the result that was last computed.

mod body;
mod code_pages;
mod document;
mod tokens;
mod words;

use ancre_domain::{PageKind, Warning};

use document::Document;
use tokens::Tokens;

use crate::ExtractError;
use crate::content::{Block, Content};
use crate::input::Input;

/// Reads the document.
///
/// # Errors
///
/// [`ExtractError::Corrupt`] when nothing could be read, [`ExtractError::TooLarge`].
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let mut document = Document::new();
    for token in Tokens::new(input.bytes) {
        document.take(token)?;
        if document.has_ended {
            break;
        }
    }
    let is_whole = document.finish();
    let mut content = document.body.content;
    if content.blocks.iter().any(|block| matches!(block, Block::Page { .. })) {
        content.page_kind = Some(PageKind::ApproximatePage);
    }
    if !is_whole {
        if content.blocks.is_empty() {
            return Err(ExtractError::corrupt(
                "its groups do not end, and there is no text in them",
            ));
        }
        content.warnings.push(Warning::Partial { pages: Vec::new() });
    }
    Ok(content)
}

#[cfg(test)]
mod tests;
