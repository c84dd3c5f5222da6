//! Lists of OpenDocument, whose numbers are shown but not stored.

use std::collections::HashMap;

use crate::ExtractError;
use crate::content::Block;
use crate::office::numerals::Label;
use crate::package::xml::Element;

use super::styles::{Level, OUTLINE};
use super::walk::Walk;

/// Lists have ten levels.
const LEVELS: usize = 10;

/// How far the lists of each style have counted, by level.
#[derive(Debug, Default)]
pub(super) struct Lists {
    counts: HashMap<String, [u32; LEVELS]>,
}

/// Adds the items of a list. `style` is that of the list around it.
///
/// # Errors
///
/// Those of [`Walk::blocks`].
pub(super) fn read(
    walk: &mut Walk<'_, '_>,
    list: Element<'_>,
    depth: usize,
    style: Option<&str>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let own = list.attribute("style-name");
    let style = own.as_deref().or(style);
    let goes_on = list.attribute("continue-numbering").as_deref() == Some("true")
        || list.attribute("continue-list").is_some();
    if !goes_on {
        begin(walk, style, depth);
    }
    for item in list.children() {
        match item.name() {
            "list-item" => read_item(walk, item, depth, style, out)?,
            "list-header" => walk.blocks(item, out)?,
            _ => {}
        }
    }
    Ok(())
}

fn read_item(
    walk: &mut Walk<'_, '_>,
    item: Element<'_>,
    depth: usize,
    style: Option<&str>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let start = item.attribute("start-value").and_then(|start| start.parse().ok());
    let mut label = None;
    // Where the item stands whose next paragraphs belong to it.
    let mut open: Option<usize> = None;
    let mut is_first = true;
    for child in item.children() {
        match child.name() {
            "h" | "p" => {
                if is_first {
                    label = Some(count(walk, style, depth, start));
                }
                let mut line = walk.line(child)?;
                let text = line.text.trim();
                let level = walk.heading_level(child).filter(|_| child.name() == "h");
                out.append(&mut line.before);
                if !text.is_empty() {
                    add(out, &mut open, label.take(), level, depth, text);
                }
                if !line.after.is_empty() {
                    open = None;
                    out.append(&mut line.after);
                }
            }
            "list" => {
                open = None;
                read(walk, child, depth.saturating_add(1), style, out)?;
            }
            "number" => continue,
            _ => {
                open = None;
                walk.element(child, out)?;
            }
        }
        is_first = false;
    }
    Ok(())
}

/// Adds a paragraph of an item: the first one has the mark, those right after it go on.
fn add(
    out: &mut Vec<Block>,
    open: &mut Option<usize>,
    label: Option<Label>,
    level: Option<u8>,
    depth: usize,
    text: &str,
) {
    if let Some(level) = level {
        let text = label.map_or_else(|| text.to_owned(), |label| label.before_heading(text));
        out.push(Block::Heading { level, text });
    } else if let Some(mark) = label.and_then(|label| label.mark()) {
        *open = Some(out.len());
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        out.push(Block::Item { depth, mark, text: text.to_owned() });
    } else if let Some(Block::Item { text: words, .. }) = open.and_then(|at| out.get_mut(at)) {
        words.push('\n');
        words.push_str(text);
    } else {
        out.push(Block::Paragraph(text.to_owned()));
    }
}

/// Counts a heading outside of lists and gives its number.
pub(super) fn count_heading(walk: &mut Walk<'_, '_>, level: u8) -> Label {
    let depth = usize::from(level).saturating_sub(1);
    let label = count(walk, Some(OUTLINE), depth, None);
    begin(walk, Some(OUTLINE), depth + 1);
    label
}

/// Sets the counters of a list, and of those below it, to before their first number.
fn begin(walk: &mut Walk<'_, '_>, style: Option<&str>, depth: usize) {
    let starts: [u32; LEVELS] = std::array::from_fn(|at| start_of(walk, style, at));
    let counts = walk.lists.counts.entry(style.unwrap_or("-").to_owned()).or_default();
    for (count, start) in counts.iter_mut().zip(starts).skip(depth) {
        *count = start.saturating_sub(1);
    }
}

/// Counts an item and gives what stands before it.
fn count(walk: &mut Walk<'_, '_>, style: Option<&str>, depth: usize, start: Option<u32>) -> Label {
    let counts = walk.lists.counts.entry(style.unwrap_or("-").to_owned()).or_default();
    if let Some(count) = counts.get_mut(depth) {
        *count = start.unwrap_or_else(|| count.saturating_add(1));
    }
    let counts = *counts;
    walk.styles.label(style, depth, &counts)
}

fn start_of(walk: &Walk<'_, '_>, style: Option<&str>, depth: usize) -> u32 {
    match walk.styles.level(style, depth) {
        Level::Number { start, .. } => start,
        Level::Bullet | Level::Unmarked => 1,
    }
}
