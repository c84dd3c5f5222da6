//! Lines joined to paragraphs and items.
//!
//! A sentence must not be cut by the end of a line, and two paragraphs must not become one. What
//! tells them apart is, in this order: another size, a larger gap, an indent, and room that was
//! left: where the first word of the next line would have fitted, somebody ended the line.

use super::hyphen::Vocabulary;
use super::item::{self, Mark};
use super::line::{HYPHEN, Line};
use crate::content::Block;

/// The distance of lines in font sizes, where a document does not tell.
const USUAL_LEADING: f32 = 1.2;

/// A distance larger than this many times the usual one ends a paragraph.
const MAX_LEADING: f32 = 1.3;

/// Sizes that differ by more than this factor are different.
const SAME_SIZE: f32 = 1.15;

/// The smallest indent, in font sizes.
const INDENT: f32 = 0.8;

/// What a document's paragraphs have in common.
#[derive(Debug)]
pub(super) struct Style {
    /// The distance of lines in a paragraph, in font sizes.
    pub(super) leading: f32,
    /// The words that tell which hyphens stay.
    pub(super) vocabulary: Vocabulary,
}

impl Style {
    /// What the lines of the pages have in common.
    pub(super) fn of(pages: &[super::Page]) -> Self {
        let mut distances: Vec<f32> = pages
            .iter()
            .flat_map(|page| page.lines.windows(2))
            .filter_map(|pair| match pair {
                [above, below] if is_same_size(above, below) => {
                    Some((above.baseline - below.baseline) / above.size)
                }
                _ => None,
            })
            .filter(|distance| (0.9..2.2).contains(distance))
            .collect();
        distances.sort_by(f32::total_cmp);
        // Below the middle: gaps between paragraphs are among them.
        let leading = distances.get(distances.len() * 2 / 5).copied().unwrap_or(USUAL_LEADING);
        let lines = pages.iter().flat_map(|page| &page.lines);
        Self { leading, vocabulary: Vocabulary::of(lines) }
    }
}

/// What stands between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Nothing: the sentence goes on.
    Space,
    /// The end of a line that somebody set: in an address, a poem.
    LineEnd,
    /// The end of the paragraph.
    ParagraphEnd,
}

/// A paragraph or an item in the making.
struct Open<'a> {
    /// The number or bullet and the depth.
    item: Option<(String, u8)>,
    text: String,
    first: &'a Line,
    last: &'a Line,
    line_count: usize,
}

/// Makes blocks of lines that are neither headings nor tables.
/// `page` are all lines of their page, which tell how wide its columns are.
pub(super) fn append(blocks: &mut Vec<Block>, lines: &[Line], page: &[Line], style: &Style) {
    let edges = right_edges(lines, page, style);
    let mut open: Option<Open<'_>> = None;
    let mut depths: Vec<f32> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1);
        let edge = edges.get(at).copied().unwrap_or(line.end);
        let between = open
            .as_ref()
            .map_or(Between::ParagraphEnd, |open| between(open, line, next, edge, style));
        let mark = item::mark_of(&line.text)
            .filter(|mark| mark.is_certain || may_begin_item(open.as_ref(), between));
        match (&mut open, mark) {
            (Some(paragraph), None) if between != Between::ParagraphEnd => {
                if between == Between::LineEnd {
                    end_hyphen(&mut paragraph.text);
                    paragraph.text.push('\n');
                    paragraph.text.push_str(&line.text);
                } else {
                    style.vocabulary.join(&mut paragraph.text, &line.text);
                }
                paragraph.last = line;
                paragraph.line_count += 1;
            }
            (_, mark) => {
                finish(blocks, open.take());
                open = Some(opened(line, mark, &mut depths));
            }
        }
    }
    finish(blocks, open);
}

fn opened<'a>(line: &'a Line, mark: Option<Mark<'_>>, depths: &mut Vec<f32>) -> Open<'a> {
    let begin = |item, text: &str| Open {
        item,
        text: text.to_owned(),
        first: line,
        last: line,
        line_count: 1,
    };
    let Some(mark) = mark else {
        depths.clear();
        return begin(None, &line.text);
    };
    let tolerance = 0.4 * line.size;
    while depths.last().is_some_and(|start| *start > line.start + tolerance) {
        depths.pop();
    }
    if depths.last().is_none_or(|start| *start < line.start - tolerance) {
        depths.push(line.start);
    }
    let depth = u8::try_from(depths.len().saturating_sub(1)).unwrap_or(u8::MAX);
    begin(Some((mark.mark, depth)), mark.rest)
}

fn finish(blocks: &mut Vec<Block>, open: Option<Open<'_>>) {
    let Some(Open { item, mut text, .. }) = open else { return };
    end_hyphen(&mut text);
    blocks.push(match item {
        Some((mark, depth)) => Block::Item { depth, mark, text },
        None => Block::Paragraph(text),
    });
}

/// What is left of a divided word whose rest does not follow.
fn end_hyphen(text: &mut String) {
    if text.ends_with(HYPHEN) {
        text.pop();
        text.push('-');
    }
}

/// Whether a dash or a number begins an item here, as against in the middle of a sentence.
fn may_begin_item(open: Option<&Open<'_>>, between: Between) -> bool {
    open.is_none_or(|open| {
        open.item.is_some()
            || between != Between::Space
            || open.text.ends_with(['.', ':', ';', '!', '?', ','])
    })
}

fn between(open: &Open<'_>, line: &Line, next: Option<&Line>, edge: f32, style: &Style) -> Between {
    let last = open.last;
    if !is_same_size(last, line) {
        return Between::ParagraphEnd;
    }
    let size = last.size.max(line.size);
    let drop = last.baseline - line.baseline;
    let goes_on = goes_on(&open.text, &line.text);
    if drop < -0.5 * size {
        // The head of the next column.
        return if goes_on { Between::Space } else { Between::ParagraphEnd };
    }
    if drop < 0.5 * size {
        return Between::LineEnd;
    }
    let is_beside = line.start > last.end || line.end < last.start;
    if drop > MAX_LEADING * style.leading * size || is_beside {
        return Between::ParagraphEnd;
    }
    if last.text.ends_with(HYPHEN) {
        return Between::Space;
    }
    if is_contents_entry(&last.text) {
        return Between::LineEnd;
    }
    if is_row(last) && is_row(line) {
        return Between::LineEnd;
    }
    if begins_by_indent(open, line, next, size) {
        return Between::ParagraphEnd;
    }
    if has_room(last, line, edge) {
        return if ends_sentence(&open.text) { Between::ParagraphEnd } else { Between::LineEnd };
    }
    Between::Space
}

/// Whether the line has a gap and ends with a short piece: `1.2 Notre histoire    10`.
fn is_row(line: &Line) -> bool {
    const SHORT: usize = 20;
    match line.cells.as_slice() {
        [_, .., last] => last.text.chars().count() <= SHORT,
        _ => false,
    }
}

/// Whether the line's place to the right or left of the one before begins a paragraph.
fn begins_by_indent(open: &Open<'_>, line: &Line, next: Option<&Line>, size: f32) -> bool {
    let indent = line.start - open.last.start;
    if open.item.is_some() {
        // The rest of an item stands under its words, or where its bullet does.
        return line.start < open.first.start - INDENT * size;
    }
    if indent > INDENT * size {
        // A first line that is indented, unless the following ones are too: then the first
        // line of this paragraph hangs out. Centred lines move more, and end where none does.
        let hangs = next.is_some_and(|next| {
            is_same_size(line, next) && (next.start - line.start).abs() < 0.4 * size
        });
        return !(open.line_count == 1 && (hangs || !ends_sentence(&open.text)));
    }
    // Back at the margin: after an indented first line it goes on, after hanging lines it begins.
    indent < -INDENT * size && open.line_count > 1
}

/// Whether the first word of the line would have fitted behind the one before.
fn has_room(last: &Line, line: &Line, edge: f32) -> bool {
    let count = line.text.chars().count().max(1);
    let first = line.text.split_whitespace().next().map_or(0, |word| word.chars().count());
    #[expect(clippy::cast_precision_loss, reason = "a line has few characters")]
    let width = (line.end - line.start) * first as f32 / count as f32;
    edge - last.end > 1.1 * width + 0.5 * line.size
}

/// How far lines can reach around each: as far as any in the stretch of lines that follow each
/// other closely, or, where all of them are short, as any of the page that begins there.
fn right_edges(lines: &[Line], page: &[Line], style: &Style) -> Vec<f32> {
    let mut edges: Vec<f32> = Vec::with_capacity(lines.len());
    let mut from = 0;
    for (at, line) in lines.iter().enumerate() {
        let is_last = lines.get(at + 1).is_none_or(|next| {
            let drop = line.baseline - next.baseline;
            !is_same_size(line, next)
                || drop < 0.5 * line.size
                || drop > MAX_LEADING * style.leading * line.size
                || next.start > line.end
                || next.end < line.start
        });
        if is_last {
            let stretch = lines.get(from..=at).unwrap_or_default();
            edges.resize(at + 1, edge_of(stretch, page));
            from = at + 1;
        }
    }
    edges
}

fn edge_of(stretch: &[Line], page: &[Line]) -> f32 {
    /// Lines that take less of their column are all short.
    const SHORT: f32 = 0.6;
    /// A page with more lines is a drawing and has no columns.
    const MAX_LINES: usize = 2_000;
    let furthest = |ends: &mut dyn Iterator<Item = f32>| ends.fold(f32::NEG_INFINITY, f32::max);
    let edge = furthest(&mut stretch.iter().map(|line| line.end));
    let Some(first) = stretch.first().filter(|_| page.len() <= MAX_LINES) else { return edge };
    let start = stretch.iter().map(|line| line.start).fold(f32::INFINITY, f32::min);
    let column = page
        .iter()
        .filter(|line| is_same_size(line, first) && (line.start - start).abs() < 3.0 * line.size);
    let column_edge = furthest(&mut column.map(|line| line.end));
    if edge - start < SHORT * (column_edge - start) { column_edge } else { edge }
}

fn is_same_size(one: &Line, other: &Line) -> bool {
    one.size.max(other.size) <= SAME_SIZE * one.size.min(other.size)
}

/// Whether the text ends with a stop, behind which quotes and brackets may close.
pub(super) fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '»', '’', ')', ']', ' ', '\u{A0}', '\u{202F}']);
    text.ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？', '؟', '۔'])
}

/// A line of a table of contents: `Délais … 12`.
fn is_contents_entry(text: &str) -> bool {
    text.rsplit_once(" … ").is_some_and(|(_, page)| {
        page.len() <= 6 && page.chars().all(|it| it.is_ascii_digit() || "ivxlc".contains(it))
    })
}

/// Whether a text that was broken off goes on here.
fn goes_on(text: &str, next: &str) -> bool {
    text.ends_with(HYPHEN)
        || !ends_sentence(text) && next.chars().next().is_some_and(char::is_lowercase)
}
