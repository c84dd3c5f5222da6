//! Headers and footers: their words once, unless the body has them too.

use std::collections::HashSet;

use crate::ExtractError;
use crate::content::Block;
use crate::office::known::Known;
use crate::office::parts::Parts;
use crate::office::wording::running_words;
use crate::package::xml::Element;

use super::inline;
use super::relations::Relations;

/// The most lines of headers and footers in all: each is looked for in the whole body.
const MAX_LINES: usize = 100;

/// The words of all headers and all footers.
#[derive(Debug, Default)]
pub(super) struct Running {
    pub(super) headers: Vec<Block>,
    pub(super) footers: Vec<Block>,
}

/// Reads the headers and footers of all sections.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(super) fn read(
    parts: &Parts<'_>,
    relations: &Relations,
    body: Element<'_>,
    blocks: &[Block],
) -> Result<Running, ExtractError> {
    let mut running = Running::default();
    let mut read = HashSet::new();
    let mut known = Known::of(blocks);
    let mut line_count = 0;
    for reference in body.descendants() {
        let out = match reference.name() {
            "headerReference" => &mut running.headers,
            "footerReference" => &mut running.footers,
            _ => continue,
        };
        let id = reference.attribute("id").unwrap_or_default();
        let Some(part) = relations.target(&id) else { continue };
        if !read.insert(part.to_owned()) {
            continue;
        }
        let Some(text) = parts.text(part)? else { continue };
        let tree = parts.tree(&text);
        let words = tree.root().map(inline::words).unwrap_or_default();
        for line in words.lines().filter_map(running_words).take(MAX_LINES - line_count) {
            line_count += 1;
            if known.add(&line) {
                out.push(Block::Paragraph(line));
            }
        }
    }
    Ok(running)
}
