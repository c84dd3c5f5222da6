//! From pages to blocks: headings, tables and paragraphs, in the order of the lines.

use super::line::Line;
use super::page::Page;
use super::paragraph::{self, Style};
use super::table::{self, Table};
use super::{hyphen, page_block};
use crate::content::Block;

/// Makes the blocks of the pages, whose headings are marked.
pub(super) fn of_pages(pages: Vec<Page>) -> Vec<Block> {
    let style = Style::of(&pages);
    let mut blocks = Vec::new();
    // The table at the end of the page before.
    let mut open: Option<Table> = None;
    for page in pages {
        blocks.push(page_block(page.number, page.label.clone()));
        open = append_lines(&mut blocks, &page, &style, open.as_ref());
        blocks.extend(page.recognised.into_iter().map(Block::Paragraph));
        blocks.extend(page.notes.into_iter().map(Block::Paragraph));
    }
    blocks
}

fn append_lines(
    blocks: &mut Vec<Block>,
    page: &Page,
    style: &Style,
    open: Option<&Table>,
) -> Option<Table> {
    let lines = page.lines.as_slice();
    let mut rest = lines;
    // Lines before `rest` that are neither heading nor table.
    let mut plain_from = lines;
    let flush = |blocks: &mut Vec<Block>, from: &[Line], rest: &[Line]| {
        let count = from.len() - rest.len();
        paragraph::append(blocks, from.get(..count).unwrap_or_default(), lines, style);
    };
    let mut last_table = None;
    while let Some(first) = rest.first() {
        let before = lines.get(..lines.len() - rest.len()).unwrap_or_default();
        let is_top = before.iter().all(|line| is_in_margin(line, page));
        if first.heading.is_some() {
            flush(blocks, plain_from, rest);
            let count = rest.iter().take_while(|line| line.heading == first.heading).count();
            let (heading, after) = rest.split_at(count);
            blocks.extend(heading_block(heading, &style.vocabulary));
            (rest, plain_from, last_table) = (after, after, None);
        } else if let Some(found) =
            table::at_start(rest, &page.grids, open.filter(|_| is_top), &style.vocabulary)
        {
            flush(blocks, plain_from, rest);
            blocks.extend(found.blocks);
            let after = rest.get(found.line_count.max(1)..).unwrap_or_default();
            (rest, plain_from, last_table) = (after, after, Some(found.table));
        } else {
            rest = rest.get(1..).unwrap_or_default();
            last_table = last_table.filter(|_| is_in_margin(first, page));
        }
    }
    flush(blocks, plain_from, rest);
    last_table
}

/// Whether the line is so near the edge of the page that it is its header or footer.
fn is_in_margin(line: &Line, page: &Page) -> bool {
    const MARGIN: f32 = 0.08;
    let share = line.baseline / page.height;
    (0.0..MARGIN).contains(&share) || (1.0 - MARGIN..1.0).contains(&share)
}

fn heading_block(lines: &[Line], vocabulary: &hyphen::Vocabulary) -> Option<Block> {
    let (first, others) = lines.split_first()?;
    let level = first.heading?.level;
    let mut text = first.text.clone();
    for line in others {
        vocabulary.join(&mut text, &line.text);
    }
    Some(Block::Heading { level, text })
}
