//! Office Open XML: text documents (`.docx`) and slides (`.pptx`), transitional and strict, with
//! macros or without (ECMA-376; the macros are never looked at).
//!
//! Both are packages of parts that refer to each other. Parts are found by their relations, never
//! by their names, and elements by their local names. A damaged part gives what stands before the
//! damage, and the document is marked as partial.

mod body;
mod drawing;
mod inline;
mod notes;
mod numbering;
pub(crate) mod relations;
mod running;
mod slide;
mod slide_text;
mod styles;
mod table;

use ancre_domain::PageKind;

use crate::ExtractError;
use crate::content::{Block, Content};
use crate::input::Input;
use crate::office::parts::Parts;
use body::Body;
use relations::Relations;

/// Reads a text document.
///
/// # Errors
///
/// Those of [`Parts::open`] and [`Parts::text`]; [`ExtractError::Corrupt`] when nothing of a damaged
/// document could be read.
pub(crate) fn read_document(input: &Input<'_>) -> Result<Content, ExtractError> {
    let parts = Parts::open(input.bytes)?;
    let main = relations::main_part(&parts, "word/document.xml")?;
    let mut content = Content { title: relations::core_title(&parts)?, ..Content::default() };
    match parts.text(&main)? {
        Some(text) => {
            let tree = parts.tree(&text);
            let relations = Relations::of(&parts, &main)?;
            if let Some(body) = tree.root().and_then(|root| root.child("body")) {
                let walk = Body::new(&parts, relations)?;
                (content.blocks, content.page_kind) = walk.read(body)?;
            }
        }
        None => parts.miss(),
    }
    finish(content, &parts, Vec::new())
}

/// Reads slides.
///
/// # Errors
///
/// As [`read_document`].
pub(crate) fn read_slides(input: &Input<'_>) -> Result<Content, ExtractError> {
    let parts = Parts::open(input.bytes)?;
    let mut content = Content {
        title: relations::core_title(&parts)?,
        page_kind: Some(PageKind::Slide),
        ..Content::default()
    };
    let mut lost = Vec::new();
    for (number, slide) in (1..).zip(slide::in_order(&parts)?) {
        content.blocks.push(Block::Page { number, label: None });
        if slide::read(&parts, slide.as_deref(), &mut content.blocks)?.is_none() {
            lost.push(number);
        }
    }
    finish(content, &parts, lost)
}

fn finish(
    mut content: Content,
    parts: &Parts<'_>,
    lost: Vec<u32>,
) -> Result<Content, ExtractError> {
    let warning = parts.warning(lost);
    let is_blank = content.blocks.iter().all(|block| matches!(block, Block::Page { .. }));
    if is_blank && warning.is_some() {
        return Err(ExtractError::corrupt("none of its text could be read"));
    }
    content.warnings.extend(warning);
    Ok(content)
}

#[cfg(test)]
mod tests;
