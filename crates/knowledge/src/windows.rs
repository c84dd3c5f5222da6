//! The parts of a chunk that are embedded, each with a vector of its own.
//!
//! A chunk is what is stored, cited and shown; for a model it is much: what lies outside the
//! model's window is in no vector, and one vector for three subjects is near none of them. So a
//! chunk is embedded in windows, each behind the document's title.
//!
//! The algorithm and its figures were found by measurement. The chunk falls into pieces that hold one
//! sentence each, with the marks before it, so that the pieces cover every non-blank character.
//! Windows are filled to about the same length: a last window of three words would be near
//! everything and say nothing. They share nothing: repeating the sentence before did not pay.
//! Nothing here knows a model; a window that is too long for one all the same, such as a row full
//! of numbers, is cut in two with [`halves`].

#[cfg(test)]
mod tests;

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::sentences::sentences;

/// What a window is meant to have, in characters.
pub const WINDOW_SIZE: usize = 400;

/// The most characters of a window; a chunk that is not longer is its own only window.
pub const LONGEST_WINDOW: usize = WINDOW_SIZE + WINDOW_SIZE / 4;

/// The longest title that goes before a window, in characters.
const LONGEST_TITLE: usize = 120;

/// A window of fewer characters is not cut in two: there are tokens enough in any model for it,
/// or nothing in it that could be cut.
const SMALLEST_HALF: usize = 32;

/// The windows of a chunk, as byte ranges in order. Each begins and ends with a non-blank character
/// and has at most [`LONGEST_WINDOW`] characters; every non-blank character lies in exactly one. A
/// text of at most [`LONGEST_WINDOW`] characters is one window; a blank one has none. Takes time
/// linear in the length of the text.
pub fn windows(text: &str) -> Vec<Range<usize>> {
    let whole = trimmed(text, 0..text.len());
    let length = text[whole.clone()].chars().count();
    if length == 0 {
        return Vec::new();
    }
    if length <= LONGEST_WINDOW {
        return vec![whole];
    }
    let mut pieces = pieces(text, whole, WINDOW_SIZE);
    place(text, &mut pieces);
    filled(&pieces, length.div_ceil(WINDOW_SIZE))
}

/// A window as the model gets it: behind the title of its document, unless that says nothing (an
/// id, a file's name) or the window begins with it.
pub fn with_title(title: &str, window: &str) -> String {
    let title = title.trim();
    let is_name = !title.contains(char::is_whitespace)
        && title.contains(|character: char| {
            character.is_numeric() || matches!(character, '-' | '_' | '.' | '/')
        });
    let heads_window = || window.trim_start_matches(['#', ' ']).starts_with(title);
    if title.is_empty() || is_name || heads_window() {
        return window.to_owned();
    }
    let title: String = title.chars().take(LONGEST_TITLE).collect();
    format!("{title}\n\n{window}")
}

/// A window in two, between the sentences or else the words that are nearest to its middle;
/// `None` when it is too short for that. Both begin and end with a non-blank character, and
/// together they cover every other.
pub fn halves(text: &str, window: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let length = text[window.clone()].chars().count();
    if length < 2 * SMALLEST_HALF {
        return None;
    }
    let middle = window.start + window.len() / 2;
    let starts = |pieces: &[Piece]| {
        let inner = pieces.iter().skip(1).map(|piece| piece.range.start);
        inner.min_by_key(|start| start.abs_diff(middle))
    };
    let is_balanced = |start: &usize| start.abs_diff(middle) <= window.len() / 4;
    let cut = starts(&pieces(text, window.clone(), length))
        .filter(is_balanced)
        .or_else(|| starts(&pieces(text, window.clone(), length.div_ceil(2))))?;
    let (first, second) = (trimmed(text, window.start..cut), trimmed(text, cut..window.end));
    (!first.is_empty() && !second.is_empty()).then_some([first, second])
}

/// A sentence with the marks before it, or a part of one that is too long.
#[derive(Debug, Clone)]
struct Piece {
    /// In bytes, without the blanks around it.
    range: Range<usize>,
    /// In characters from the first piece's start, once [`place`] has counted.
    start: usize,
    end: usize,
}

impl Piece {
    fn new(range: Range<usize>) -> Self {
        Self { range, start: 0, end: 0 }
    }
}

/// Counts where each piece lies.
fn place(text: &str, pieces: &mut [Piece]) {
    let mut at = (pieces.first().map_or(0, |first| first.range.start), 0);
    for piece in pieces {
        let start = at.1 + text[at.0..piece.range.start].chars().count();
        let end = start + text[piece.range.clone()].chars().count();
        (piece.start, piece.end) = (start, end);
        at = (piece.range.end, end);
    }
}

/// The pieces of `whole`, none longer than `limit` characters.
fn pieces(text: &str, whole: Range<usize>, limit: usize) -> Vec<Piece> {
    let slice = &text[whole.clone()];
    let mut ends: Vec<usize> = sentences(slice).iter().map(|sentence| sentence.end).collect();
    // What is behind the last sentence, marks, belongs to it.
    ends.pop();
    ends.push(slice.len());
    let mut found = Vec::with_capacity(ends.len());
    let mut start = whole.start;
    for end in ends {
        let end = whole.start + end;
        cut_hard(text, trimmed(text, start..end), limit, &mut found);
        start = end;
    }
    found
}

/// Adds a sentence; one of more than `limit` characters in parts of about one length that are
/// shorter. They end at the last blank of their second half, else between graphemes, else between
/// characters.
fn cut_hard(text: &str, sentence: Range<usize>, limit: usize, found: &mut Vec<Piece>) {
    let mut rest = sentence;
    let mut length = text[rest.clone()].chars().count();
    while length > limit {
        let slice = &text[rest.clone()];
        let aim = length.div_ceil(length.div_ceil(limit));
        let beyond = slice.char_indices().nth(aim).map_or(slice.len(), |(at, _)| at);
        let blank = slice[..beyond]
            .char_indices()
            .rev()
            .take(aim / 2)
            .find(|(_, character)| character.is_whitespace())
            .map(|(at, _)| at);
        let cut = blank.or_else(|| last_grapheme(slice, beyond)).unwrap_or(beyond);
        let part = trimmed(text, rest.start..rest.start + cut);
        if !part.is_empty() {
            found.push(Piece::new(part));
        }
        rest = trimmed(text, rest.start + cut..rest.end);
        length = text[rest.clone()].chars().count();
    }
    if !rest.is_empty() {
        found.push(Piece::new(rest));
    }
}

/// The last grapheme boundary of `text` that is not after `limit`, in bytes.
fn last_grapheme(text: &str, limit: usize) -> Option<usize> {
    // A run-up of a few characters is enough to know the clusters that people write.
    let from = text[..limit].char_indices().rev().nth(31).map_or(0, |(at, _)| at);
    let to = text[limit..].char_indices().nth(1).map_or(text.len(), |(at, _)| limit + at);
    let boundaries = text[from..to].grapheme_indices(true).map(|(at, _)| from + at);
    boundaries.take_while(|at| *at <= limit).last().filter(|at| *at > 0)
}

/// The pieces in about `count` windows of about one length.
fn filled(pieces: &[Piece], count: usize) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mean = chars(pieces, 0..pieces.len()).div_ceil(count.max(1)).max(1);
    let mut first = 0;
    while first < pieces.len() {
        let rest = chars(pieces, first..pieces.len());
        // As many as come nearest to the mean, but none too long.
        let left = ((rest + mean / 2) / mean).max(rest.div_ceil(LONGEST_WINDOW));
        let aim = rest.div_ceil(left);
        let mut end = first + 1;
        // Up to the end that is nearest to the aim.
        while end < pieces.len() {
            let (before, with) = (chars(pieces, first..end), chars(pieces, first..end + 1));
            if with > LONGEST_WINDOW || with.abs_diff(aim) > before.abs_diff(aim) {
                break;
            }
            end += 1;
        }
        windows.push(pieces[first].range.start..pieces[end - 1].range.end);
        first = end;
    }
    windows
}

/// How many characters lie from the first to the last of some pieces, the blanks between included.
fn chars(pieces: &[Piece], which: Range<usize>) -> usize {
    pieces[which.end - 1].end - pieces[which.start].start
}

/// A range without the blanks around it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..(range.start + slice.trim_end().len()).max(start)
}
