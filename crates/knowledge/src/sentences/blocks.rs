//! The line structure of a text: paragraphs, headings, list items, table rows, code.
//!
//! Enough of Markdown to know which line breaks separate sentences, and no more: no nesting, no
//! inline markup, no HTML.

use std::ops::Range;

use super::abbreviations::abbreviation;

/// A piece of the text whose sentences do not reach out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// One or more lines of running text, to be split at its stops.
    Prose(Range<usize>),
    /// A heading, a table row or a line of code: one sentence as it stands.
    Line(Range<usize>),
}

/// The blocks of `text`, in order, without the marks that lines begin with.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut open_is_item = false;
    let mut fence: Option<char> = None;
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let start = line_start;
        line_start += line.len();
        let marker = fence_marker(line);
        if fence.is_some() || marker.is_some() {
            found.extend(open.take().map(Block::Prose));
            match (fence, marker) {
                (None, opening) => fence = opening,
                (Some(opened), Some(closing)) if opened == closing => fence = None,
                (Some(_), _) => found.push(Block::Line(start..line_start)),
            }
            continue;
        }
        let paragraph = open.as_ref().filter(|_| !open_is_item).map(|open| &text[open.clone()]);
        match line_kind(line, paragraph) {
            LineKind::Blank | LineKind::Marks => found.extend(open.take().map(Block::Prose)),
            LineKind::Alone { marks } => {
                found.extend(open.take().map(Block::Prose));
                found.push(Block::Line(start + marks..line_start));
            }
            LineKind::Begins { marks } => {
                found.extend(open.take().map(Block::Prose));
                open = Some(start + marks..line_start);
                open_is_item = true;
            }
            LineKind::Continues { marks } => match &mut open {
                Some(open) => open.end = line_start,
                None => {
                    open = Some(start + marks..line_start);
                    open_is_item = false;
                }
            },
        }
    }
    found.extend(open.map(Block::Prose));
    found
}

enum LineKind {
    Blank,
    Marks,
    Alone { marks: usize },
    Begins { marks: usize },
    Continues { marks: usize },
}

/// What a line is, given the paragraph (no list item) that is open before it. `marks` counts the
/// bytes of the indentation and the mark.
fn line_kind(line: &str, paragraph: Option<&str>) -> LineKind {
    let body = line.trim_start();
    let indentation = line.len() - body.len();
    if body.is_empty() {
        return LineKind::Blank;
    }
    // Quotation marks of e-mail and Markdown, however deep.
    let quoted = body.trim_start_matches(['>', ' ', '\t']);
    if body.starts_with('>') {
        let marks = line.len() - quoted.len();
        return match line_kind(quoted, paragraph) {
            LineKind::Blank | LineKind::Marks => LineKind::Marks,
            LineKind::Alone { marks: inner } => LineKind::Alone { marks: marks + inner },
            LineKind::Begins { marks: inner } => LineKind::Begins { marks: marks + inner },
            LineKind::Continues { marks: inner } => LineKind::Continues { marks: marks + inner },
        };
    }
    if is_marks_only(body) {
        return LineKind::Marks;
    }
    if body.starts_with('|') {
        return LineKind::Alone { marks: indentation };
    }
    let hashes = body.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && body[hashes..].starts_with([' ', '\t']) {
        return LineKind::Alone { marks: indentation + hashes };
    }
    if let Some(marks) = item_marks(body, paragraph) {
        return LineKind::Begins { marks: indentation + marks };
    }
    LineKind::Continues { marks: indentation }
}

/// A rule, the line under a heading, the second line of a table: marks and nothing else. A lone
/// `...` or `?` is text.
fn is_marks_only(body: &str) -> bool {
    let body = body.trim_end();
    let mark = |character| matches!(character, '-' | '=' | '*' | '_' | '|' | ':' | '+' | '#' | ' ');
    body.chars().all(mark)
        && (body.len() >= 3
            || matches!(body, "-" | "*" | "+" | "#" | "##" | "|" | "=" | "--" | "=="))
}

/// The length of the bullet or number that begins a list item.
fn item_marks(body: &str, paragraph: Option<&str>) -> Option<usize> {
    let bullet = body.chars().next()?;
    if matches!(bullet, '-' | '*' | '+' | '•' | '‣' | '▪' | '◦' | '·') {
        let length = bullet.len_utf8();
        let rest = &body[length..];
        if !rest.starts_with([' ', '\t']) {
            return None;
        }
        // A task: `- [ ] `, `- [x] `.
        let task = rest.trim_start();
        let boxed = ["[ ] ", "[x] ", "[X] "].iter().any(|mark| task.starts_with(mark));
        return Some(if boxed { body.len() - task.len() + 3 } else { length });
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let delimiter = body.as_bytes().get(digits)?;
    if !(1..=3).contains(&digits)
        || !matches!(delimiter, b'.' | b')')
        || !body[digits + 1..].starts_with([' ', '\t'])
    {
        return None;
    }
    // In running text a line may happen to begin with “3. ”: only a first item, or one after a
    // finished line, interrupts a paragraph.
    let interrupts = &body[..digits] == "1"
        || paragraph.is_none_or(|paragraph| {
            paragraph.trim_end().ends_with(['.', '!', '?', '…', ':', ';', '»', ')'])
                && !ends_with_abbreviation(paragraph)
        });
    interrupts.then_some(digits + 1)
}

/// Whether a paragraph breaks off in `art.` or `n.`, so that the next line's number belongs to it.
fn ends_with_abbreviation(paragraph: &str) -> bool {
    paragraph.trim_end().strip_suffix('.').is_some_and(|before| {
        let word = before.rsplit(|character: char| !character.is_alphanumeric()).next();
        word.is_some_and(|word| abbreviation(word).is_some())
    })
}

/// The character of a code fence, if the line is one.
fn fence_marker(line: &str) -> Option<char> {
    let body = line.trim_start();
    ["```", "~~~"]
        .iter()
        .find(|fence| body.starts_with(**fence))
        .and_then(|fence| fence.chars().next())
}
