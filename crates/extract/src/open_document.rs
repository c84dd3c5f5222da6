//! OpenDocument: text documents (`.odt`) and slides (`.odp`), as LibreOffice and others write them
//! (OASIS OpenDocument 1.3, part 3).
//!
//! Everything that is read stands in `content.xml`; `styles.xml` says what is a heading or a
//! numbered list and holds the running headers. Words of master slides ("click to edit") are never
//! read.

mod inline;
mod list;
mod slides;
mod styles;
mod table;
mod walk;

use ancre_domain::PageKind;

use crate::ExtractError;
use crate::content::{Block, Content};
use crate::input::Input;
use crate::office::known::Known;
use crate::office::parts::Parts;
use crate::office::wording::running_words;
use crate::package::xml::{Element, Tree};
use styles::Styles;
use walk::Walk;

/// The most lines of headers and footers in all: each is looked for in the whole body.
const MAX_RUNNING_LINES: usize = 100;

/// Reads a text document.
///
/// # Errors
///
/// Those of [`Parts::open`] and [`Parts::text`]; [`ExtractError::Password`] when it is encrypted;
/// [`ExtractError::Corrupt`] when nothing of a damaged document could be read.
pub(crate) fn read_text(input: &Input<'_>) -> Result<Content, ExtractError> {
    let document = Document::open(input.bytes)?;
    let (content, styles) = (document.tree(&document.content), document.tree(&document.styles));
    let mut blocks = Vec::new();
    let mut page_kind = None;
    if let Some(body) = body(&content, "text") {
        let mut walk = Walk::new(&document.parts, Styles::of([&styles, &content]));
        walk.blocks(body, &mut blocks)?;
        let (headers, footers) = running(&styles, &blocks);
        blocks.splice(0..0, headers);
        blocks.extend(footers);
        if walk.page_count() > 1 {
            blocks.insert(0, Block::Page { number: 1, label: None });
            page_kind = Some(PageKind::ApproximatePage);
        }
    }
    document.finish(blocks, page_kind)
}

/// Reads slides.
///
/// # Errors
///
/// As [`read_text`].
pub(crate) fn read_slides(input: &Input<'_>) -> Result<Content, ExtractError> {
    let document = Document::open(input.bytes)?;
    let (content, styles) = (document.tree(&document.content), document.tree(&document.styles));
    let mut blocks = Vec::new();
    if let Some(body) = body(&content, "presentation") {
        let mut walk = Walk::new(&document.parts, Styles::of([&styles, &content]));
        for (number, slide) in (1..).zip(body.children_named("page")) {
            blocks.push(Block::Page { number, label: None });
            slides::read(&mut walk, slide, &mut blocks)?;
        }
    }
    document.finish(blocks, Some(PageKind::Slide))
}

/// A document with the characters of its parts.
struct Document<'a> {
    parts: Parts<'a>,
    content: String,
    styles: String,
}

impl<'a> Document<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, ExtractError> {
        let parts = Parts::open(bytes)?;
        let manifest = parts.text("META-INF/manifest.xml")?.unwrap_or_default();
        if manifest.contains("encryption-data") {
            return Err(ExtractError::Password { can_unlock: false });
        }
        let content = parts.text("content.xml")?;
        if content.is_none() {
            parts.miss();
        }
        let styles = parts.text("styles.xml")?.unwrap_or_default();
        Ok(Self { parts, content: content.unwrap_or_default(), styles })
    }

    fn tree<'t>(&self, text: &'t str) -> Tree<'t> {
        self.parts.tree(text)
    }

    fn finish(
        self,
        blocks: Vec<Block>,
        page_kind: Option<PageKind>,
    ) -> Result<Content, ExtractError> {
        let title = self.title()?;
        let warning = self.parts.warning(Vec::new());
        let is_blank = blocks.iter().all(|block| matches!(block, Block::Page { .. }));
        if is_blank && warning.is_some() {
            return Err(ExtractError::corrupt("none of its text could be read"));
        }
        let warnings = warning.into_iter().collect();
        Ok(Content { title, page_kind, blocks, warnings, encoding: None })
    }

    fn title(&self) -> Result<Option<String>, ExtractError> {
        let Some(text) = self.parts.text("meta.xml")? else { return Ok(None) };
        let tree = self.parts.tree(&text);
        let meta = tree.root().and_then(|root| root.child("meta"));
        let title = meta.and_then(|meta| meta.child("title")).map(Element::text);
        Ok(title.filter(|title| !title.trim().is_empty()))
    }
}

fn body<'t>(content: &'t Tree<'t>, kind: &str) -> Option<Element<'t>> {
    content.root()?.child("body")?.child(kind)
}

/// The words of running headers and footers that the document itself does not have.
fn running(styles: &Tree<'_>, blocks: &[Block]) -> (Vec<Block>, Vec<Block>) {
    let (mut headers, mut footers) = (Vec::new(), Vec::new());
    let mut known = Known::of(blocks);
    let mut line_count = 0;
    let masters = styles.root().and_then(|root| root.child("master-styles"));
    let pages = masters.into_iter().flat_map(|masters| masters.children_named("master-page"));
    for part in pages.flat_map(Element::children) {
        let out = match part.name() {
            "header" | "header-left" | "header-first" => &mut headers,
            "footer" | "footer-left" | "footer-first" => &mut footers,
            _ => continue,
        };
        let left = MAX_RUNNING_LINES - line_count;
        for line in inline::words(part).lines().filter_map(running_words).take(left) {
            line_count += 1;
            if known.add(&line) {
                out.push(Block::Paragraph(line));
            }
        }
    }
    (headers, footers)
}

#[cfg(test)]
mod tests;
