//! PDF without PDFium: the words of each page, for builds that have no native library.
//!
//! `pdf-extract` panics on ordinary documents and gives protected ones back as empty, so both are
//! looked for here. It knows no sizes or pictures: there are no headings, tables or scans.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ancre_domain::{PageKind, Warning};
use pdf_extract::{Document, PlainTextOutput};

use super::{page_block, refuse_too_many_pages};
use crate::ExtractError;
use crate::content::{Block, Content};
use crate::input::Input;

/// Reads the document.
pub(super) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let document = guarded(|| Document::load_mem(input.bytes))?
        .map_err(|_| ExtractError::corrupt("it has not the structure of a PDF"))?;
    if document.is_encrypted() {
        return Err(ExtractError::Password { can_unlock: false });
    }
    let numbers: Vec<u32> = guarded(|| document.get_pages().into_keys().collect())?;
    let total = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    refuse_too_many_pages(total)?;
    let mut content = Content { page_kind: Some(PageKind::Page), ..Content::default() };
    let mut lost = Vec::new();
    for number in numbers {
        content.blocks.push(page_block(number, None));
        match guarded(|| text_of(&document, number)) {
            Ok(Some(text)) => append_paragraphs(&mut content, &text),
            Ok(None) | Err(_) => lost.push(number),
        }
    }
    let has_text = content.blocks.iter().any(|block| !matches!(block, Block::Page { .. }));
    if !has_text && !lost.is_empty() || total == 0 {
        return Err(ExtractError::corrupt("none of its pages can be read"));
    }
    if !has_text {
        return Err(ExtractError::Empty);
    }
    if !lost.is_empty() {
        content.warnings.push(Warning::Partial { pages: lost });
    }
    Ok(content)
}

/// What `work` gives, or that it panicked.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, ExtractError> {
    // What a panic leaves half done is dropped with the document.
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| ExtractError::corrupt("its reader gave up"))
}

fn text_of(document: &Document, number: u32) -> Option<String> {
    let mut text = String::new();
    let mut output = PlainTextOutput::new(&mut text);
    pdf_extract::output_doc_page(document, &mut output, number).ok()?;
    Some(text)
}

/// Blank lines divide paragraphs; the lines of one become running text.
fn append_paragraphs(content: &mut Content, text: &str) {
    let vocabulary = super::hyphen::Vocabulary::default();
    let mut paragraph = String::new();
    for line in text.lines().map(str::trim).chain([""]) {
        if line.is_empty() {
            content.paragraph(std::mem::take(&mut paragraph));
        } else if paragraph.is_empty() {
            paragraph.push_str(line);
        } else {
            vocabulary.join(&mut paragraph, line);
        }
    }
}
