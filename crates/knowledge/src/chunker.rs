//! Cuts a text into overlapping slices, paragraph by paragraph.
//!
//! The contract is the design's: paragraphs are added while the slice stays within the limit; a
//! longer paragraph is split at sentence ends; a longer sentence is cut hard, but not inside a
//! grapheme cluster; consecutive chunks share the end of the first. A chunk is always a slice of
//! the text, so the text can be quoted from it by position. Nothing here knows tokens: a chunk
//! that is too long for a model is reported by the embedder.

mod marks;
mod paragraphs;

use std::ops::Range;

use ancre_domain::{CharRange, ChunkingSettings, Heading};
use unicode_segmentation::UnicodeSegmentation;

use marks::block_start;
use paragraphs::{Position, Span, advance, paragraphs, sentence_ends};

/// Between the titles of a heading path.
const PATH_SEPARATOR: &str = " › ";

/// Where one chunk lies in its text. It begins and ends with a non-blank character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// In characters (Unicode scalar values).
    pub range: CharRange,
    /// The same in bytes.
    pub bytes: Range<usize>,
    /// The first character that the chunk before does not have.
    pub own_start: u32,
}

/// Cuts `text` into chunks.
///
/// - Every non-blank character lies in a chunk, and no chunk is longer than `settings.size`,
///   what it repeats included. So a chunk that repeats 200 characters has `size - 200` for text
///   of its own, and “a longer paragraph” is one that does not fit there.
/// - Positions ascend: each chunk begins and ends after the one before.
/// - A chunk begins `settings.overlap` characters before the end of the one before, or later: at
///   the first list item, table row or heading whose line begins there, else at the first word.
///   It repeats nothing where more blanks than a quarter of the limit lie between the two.
/// - A grapheme cluster that is by itself longer than the limit is cut between characters.
///
/// Settings that [`ChunkingSettings::new`] refuses are bent, not obeyed: a size of 0 counts as
/// 1, an overlap beyond half the size as half of it. Takes time linear in the length of the
/// text for a given ratio of overlap to size.
pub fn chunk_text(text: &str, settings: ChunkingSettings) -> Vec<Slice> {
    chunk_units(text, &[], settings)
}

/// Cuts `text` as [`chunk_text`] does, but lets a chunk begin where a unit does, such as a slide.
///
/// `units` are the places where units begin, in characters, ascending; one that is not between two
/// paragraphs counts for nothing. A chunk that has a quarter of the limit of its own ends before
/// the next unit, so that short units share a chunk and others have theirs. A chunk whose own text
/// begins with a unit repeats nothing of the unit before.
pub fn chunk_units(text: &str, units: &[u32], settings: ChunkingSettings) -> Vec<Slice> {
    Cutter::new(text, units, settings).cut()
}

/// The titles of the headings that position `at` (in characters) lies under, outermost first,
/// such as `Refunds › Deadlines`; `None` before the first heading. `outline` is in the order of
/// the text.
pub fn heading_path(outline: &[Heading], at: u32) -> Option<String> {
    let before = outline.partition_point(|heading| heading.start <= at);
    let mut level = u8::MAX;
    let mut titles = Vec::new();
    for heading in outline[..before].iter().rev() {
        if heading.level < level {
            level = heading.level;
            titles.push(heading.title.as_str());
        }
        if level <= 1 {
            break;
        }
    }
    titles.reverse();
    (!titles.is_empty()).then(|| titles.join(PATH_SEPARATOR))
}

struct Cutter<'t> {
    text: &'t str,
    size: usize,
    overlap: usize,
    paragraphs: Vec<Span>,
    /// The paragraphs with which units begin, ascending.
    units: Vec<usize>,
    /// The paragraph in which the next chunk's own text begins.
    current: usize,
    /// The sentence ends of one paragraph, and which one; kept while chunks are cut from it.
    ends: Option<(usize, Vec<Position>)>,
}

impl<'t> Cutter<'t> {
    fn new(text: &'t str, units: &[u32], settings: ChunkingSettings) -> Self {
        let size = (settings.size as usize).max(1);
        let overlap = (settings.overlap as usize).min(size / 2);
        let paragraphs = paragraphs(text);
        let units = first_paragraphs(&paragraphs, units);
        Self { text, size, overlap, paragraphs, units, current: 0, ends: None }
    }

    fn cut(mut self) -> Vec<Slice> {
        let mut slices: Vec<Slice> = Vec::new();
        let Some(first) = self.paragraphs.first() else { return slices };
        let mut own = first.start;
        let mut start = own;
        loop {
            let end = self.end_of_chunk(start, own);
            slices.push(slice(start, own, end));
            let Some(next) = self.next_own(end) else { return slices };
            start = self.start_of_chunk(start, end, next);
            own = next;
        }
    }

    /// Where a chunk ends that begins at `start` and whose own text begins at `own`.
    fn end_of_chunk(&mut self, start: Position, own: Position) -> Position {
        let limit = start.char + self.size;
        let fitting = self.paragraphs[self.current..]
            .iter()
            .take_while(|paragraph| paragraph.end.char <= limit)
            .count();
        let following = self.current + fitting;
        if let Some(end) = self.end_of_unit(own, following) {
            return end;
        }
        let whole = fitting.checked_sub(1).map(|last| self.paragraphs[self.current + last].end);
        let Some(long) = self.paragraphs.get(following).copied() else {
            // Every paragraph fits, so there is a last one.
            return whole.unwrap_or(own);
        };
        let fits_later = long.end.char - long.start.char <= self.size - self.overlap;
        if let (Some(end), true) = (whole, fits_later) {
            return end;
        }
        let from = if whole.is_some() { long.start } else { own };
        let sentence_end = self.last_sentence_end(following, from, limit);
        sentence_end.or(whole).unwrap_or_else(|| self.hard_end(start, own))
    }

    /// Where a chunk with own text from `own` ends because it has enough of it when a unit begins,
    /// at the latest with paragraph `following`.
    fn end_of_unit(&self, own: Position, following: usize) -> Option<Position> {
        let later = self.units.partition_point(|unit| *unit <= self.current);
        self.units[later..]
            .iter()
            .take_while(|unit| **unit <= following)
            .map(|unit| self.paragraphs[*unit - 1].end)
            .find(|end| end.char - own.char >= self.size / 4)
    }

    /// The last sentence end of a paragraph that is after `from` and not after `limit`.
    fn last_sentence_end(
        &mut self,
        paragraph: usize,
        from: Position,
        limit: usize,
    ) -> Option<Position> {
        if self.ends.as_ref().is_none_or(|(of, _)| *of != paragraph) {
            let ends = sentence_ends(self.text, self.paragraphs[paragraph]);
            self.ends = Some((paragraph, ends));
        }
        let (_, ends) = self.ends.as_ref()?;
        let within = ends.partition_point(|end| end.char <= limit);
        let last = ends[..within].last()?;
        (last.char > from.char).then_some(*last)
    }

    /// The last grapheme boundary within the limit, without the blanks before it.
    fn hard_end(&self, start: Position, own: Position) -> Position {
        let limit = advance(self.text, start, self.size);
        // One character beyond the limit tells whether the limit itself is a boundary.
        let beyond = advance(self.text, limit, 1);
        let mut end = limit;
        let mut boundary = start;
        for grapheme in self.text[start.byte..beyond.byte].graphemes(true) {
            boundary.byte += grapheme.len();
            boundary.char += grapheme.chars().count();
            if boundary.char > limit.char {
                break;
            }
            if boundary.char > own.char {
                end = boundary;
            }
        }
        let kept = self.text[own.byte..end.byte].trim_end();
        let blanks = &self.text[own.byte + kept.len()..end.byte];
        Position { byte: own.byte + kept.len(), char: end.char - blanks.chars().count() }
    }

    /// The first non-blank character after `end`; moves on to its paragraph.
    fn next_own(&mut self, end: Position) -> Option<Position> {
        while self.paragraphs.get(self.current)?.end.char <= end.char {
            self.current += 1;
        }
        let paragraph = self.paragraphs[self.current];
        if paragraph.start.char >= end.char {
            return Some(paragraph.start);
        }
        let rest = &self.text[end.byte..];
        let blanks = &rest[..rest.len() - rest.trim_start().len()];
        let next =
            Position { byte: end.byte + blanks.len(), char: end.char + blanks.chars().count() };
        // A combining mark after a blank belongs to the blank.
        match blanks.chars().next_back() {
            Some(blank) if is_joined(&self.text[next.byte - blank.len_utf8()..]) => {
                Some(Position { byte: next.byte - blank.len_utf8(), char: next.char - 1 })
            }
            _ => Some(next),
        }
    }

    /// Where the next chunk begins: within what the one from `previous_start` to `end` has, so
    /// that it repeats up to `overlap` characters, or at its own text.
    fn start_of_chunk(&self, previous_start: Position, end: Position, own: Position) -> Position {
        let begins_unit = self.paragraphs[self.current].start == own
            && self.units.binary_search(&self.current).is_ok();
        if self.overlap == 0 || begins_unit || own.char - end.char > self.size / 4 {
            return own;
        }
        let reach = self.overlap.min(end.char - previous_start.char - 1);
        let repeated = &self.text[previous_start.byte..end.byte];
        let from = repeated.char_indices().rev().nth(reach.saturating_sub(1));
        let Some((from, _)) = from.filter(|_| reach > 0) else { return own };
        let from = previous_start.byte + from;
        // An item or a row that begins in its middle says nothing; a sentence still does.
        let at = block_start(self.text, previous_start.byte, from, end.byte)
            .or_else(|| self.word_start(from, end.byte))
            .or_else(|| self.grapheme_start(from, end.byte));
        at.map_or(own, |byte| Position {
            byte,
            char: end.char - self.text[byte..end.byte].chars().count(),
        })
    }

    /// The first byte in `from..to` at which a word begins.
    fn word_start(&self, from: usize, to: usize) -> Option<usize> {
        let mut blank_before =
            self.text[..from].chars().next_back().is_none_or(char::is_whitespace);
        self.text[from..to].char_indices().find_map(|(at, character)| {
            let begins = blank_before && !character.is_whitespace();
            blank_before = character.is_whitespace();
            let at = from + at;
            let before = self.text[..at].chars().next_back().map_or(0, char::len_utf8);
            (begins && (before == 0 || !is_joined(&self.text[at - before..]))).then_some(at)
        })
    }

    /// The first grapheme boundary in `from..to` that has a non-blank character behind it.
    fn grapheme_start(&self, from: usize, to: usize) -> Option<usize> {
        // A few characters of run-up are enough to know the clusters that people write.
        let run_up = self.text[..from].char_indices().rev().nth(31).map_or(0, |(at, _)| at);
        self.text[run_up..to]
            .grapheme_indices(true)
            .map(|(at, grapheme)| (run_up + at, grapheme))
            .find(|(at, grapheme)| *at >= from && !grapheme.starts_with(char::is_whitespace))
            .map(|(at, _)| at)
    }
}

/// The paragraphs, but for the first, before which a unit begins and after the paragraph before.
fn first_paragraphs(paragraphs: &[Span], units: &[u32]) -> Vec<usize> {
    let mut units = units.iter().map(|unit| *unit as usize).peekable();
    let mut found = Vec::new();
    for (index, pair) in (1..).zip(paragraphs.windows(2)) {
        let (before, paragraph) = (pair[0].end.char, pair[1].start.char);
        while units.next_if(|unit| *unit < before).is_some() {}
        if units.peek().is_some_and(|unit| *unit <= paragraph) {
            found.push(index);
        }
    }
    found
}

/// Whether the first two characters of `text` belong to one grapheme cluster.
fn is_joined(text: &str) -> bool {
    let two = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
    text[..two].graphemes(true).count() == 1 && text[..two].chars().count() == 2
}

fn slice(start: Position, own: Position, end: Position) -> Slice {
    let count = |position: Position| u32::try_from(position.char).unwrap_or(u32::MAX);
    Slice {
        range: CharRange { start: count(start), end: count(end) },
        bytes: start.byte..end.byte,
        own_start: count(own),
    }
}

#[cfg(test)]
mod tests;
