//! From characters with places to lines.
//!
//! PDFium breaks the lines; here they get their bounds, their size and their cells: pieces with
//! wide gaps between, as in the row of a table. Text that runs upwards or downwards, as on a turned
//! page, is looked at as if it ran to the right.

use pdfium_render::prelude::{PdfPageText, PdfPageTextChar};

use super::{accent, leader};

/// A gap as wide as this, in font sizes, divides cells. Spaces of justified text stay under one.
const CELL_GAP: f32 = 1.5;

/// The mark PDFium puts where a hyphen ended a line.
pub(super) const HYPHEN: char = '\u{2}';

/// A line of a page. Measures are points; `top` grows upwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Line {
    /// Its words. A hyphen that ends it is [`HYPHEN`] or as it was written.
    pub(super) text: String,
    /// Where it begins, in the direction of reading.
    pub(super) start: f32,
    /// Where it ends; always more than `start`, also where one reads to the left.
    pub(super) end: f32,
    /// How high its letters stand on the page.
    pub(super) baseline: f32,
    /// The size of most of its letters.
    pub(super) size: f32,
    /// Whether its first and last letters are bold.
    pub(super) is_bold: bool,
    /// Its pieces; one, unless gaps divide it.
    pub(super) cells: Vec<Cell>,
    /// Once it is known to be of a heading.
    pub(super) heading: Option<HeadingPart>,
}

/// Which heading a line is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeadingPart {
    /// 1 for the outermost.
    pub(super) level: u8,
    /// The same for the lines of one heading of a page.
    pub(super) group: u32,
}

/// A piece of a line.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) start: f32,
    pub(super) end: f32,
}

impl Line {
    /// Whether it is read from right to left.
    pub(super) fn is_right_to_left(text: &str) -> bool {
        let letters = text.chars().filter(|it| it.is_alphabetic());
        let (mut right, mut all) = (0_usize, 0_usize);
        for letter in letters {
            all += 1;
            right += usize::from(matches!(letter, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FEFC}'));
        }
        right * 2 > all
    }

    /// How many characters it shows.
    pub(super) fn length(&self) -> usize {
        self.text.chars().filter(|it| !it.is_whitespace()).count()
    }
}

/// A character with its place, turned so that its line runs to the right.
#[derive(Debug, Clone, Copy)]
struct Placed {
    character: char,
    left: f32,
    right: f32,
    baseline: f32,
    size: f32,
    /// Where it is among the page's characters.
    at: usize,
}

const SPACE: Placed =
    Placed { character: ' ', left: 0.0, right: 0.0, baseline: 0.0, size: 0.0, at: 0 };

/// The lines of the page, in the file's order.
pub(super) fn of_text(text: &PdfPageText<'_>) -> Vec<Line> {
    let characters = text.chars();
    let is_bold = |at: usize| characters.get(at).is_ok_and(|it| is_bold(&it));
    let mut lines = Vec::new();
    let mut current: Vec<Placed> = Vec::new();
    let mut units = Units::default();
    for (at, character) in characters.iter().enumerate() {
        match units.character(character.unicode_value()) {
            Some('\r' | '\n') => end_line(&mut lines, &mut current, &is_bold),
            // Instead of a line break, not before one.
            Some(HYPHEN) => {
                current.extend(placed(&character, HYPHEN, at));
                end_line(&mut lines, &mut current, &is_bold);
            }
            // Where a space is does not matter, and asking costs as much as for a letter.
            Some(found) if found.is_whitespace() && !is_no_break(found) => current.push(SPACE),
            Some(found) if is_kept(found) => current.extend(placed(&character, found, at)),
            _ => {}
        }
    }
    end_line(&mut lines, &mut current, &is_bold);
    if is_upside_down(&lines) {
        lines.reverse();
    }
    lines
}

/// Whether nearly every line stands over the one before, as PDFium gives a page that is shown
/// turned but whose text is not.
fn is_upside_down(lines: &[Line]) -> bool {
    const MIN_LINES: usize = 3;
    let rises = lines.windows(2).filter(|pair| match pair {
        [one, next] => next.baseline > one.baseline + 0.5 * one.size,
        _ => false,
    });
    lines.len() >= MIN_LINES && rises.count() * 10 >= (lines.len() - 1) * 9
}

/// Puts together what PDFium gives in two halves: characters beyond U+FFFF, such as emoji, come as
/// the surrogates of UTF-16.
#[derive(Default)]
struct Units {
    high: Option<u32>,
}

impl Units {
    fn character(&mut self, value: u32) -> Option<char> {
        let high = self.high.take();
        let value = readable(value);
        match (high, value) {
            (_, 0xD800..=0xDBFF) => {
                self.high = Some(value);
                None
            }
            (Some(high), 0xDC00..=0xDFFF) => {
                char::from_u32(0x10000 + ((high - 0xD800) << 10) + (value - 0xDC00))
            }
            _ => char::from_u32(value),
        }
    }
}

/// What a control character stands for. Those of 0x80 to 0x9F are letters and quotes of
/// Windows-1252 that were taken for Unicode; any other is a sign without a name, which at least
/// divides words: “dall\u{4}impresa”.
fn readable(value: u32) -> u32 {
    const SPACE: u32 = ' ' as u32;
    let character = match value {
        0x80 => '€',
        0x85 => '…',
        0x8A => 'Š',
        0x8C => 'Œ',
        0x8E => 'Ž',
        0x91 => '‘',
        0x92 => '’',
        0x93 => '“',
        0x94 => '”',
        0x95 => '•',
        0x96 => '–',
        0x97 => '—',
        0x99 => '™',
        0x9A => 'š',
        0x9C => 'œ',
        0x9E => 'ž',
        0x9F => 'Ÿ',
        0x01 | 0x03..=0x09 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F..=0x9F => return SPACE,
        other => return other,
    };
    character.into()
}

fn is_kept(character: char) -> bool {
    !character.is_control()
}

fn placed(found: &PdfPageTextChar<'_>, character: char, at: usize) -> Option<Placed> {
    let bounds = found.loose_bounds().ok()?;
    let (x, y) = found
        .origin()
        .map_or((bounds.left().value, bounds.bottom().value), |(x, y)| (x.value, y.value));
    let (left, right) = (bounds.left().value, bounds.right().value);
    let (bottom, top) = (bounds.bottom().value, bounds.top().value);
    let (left, right, baseline) = match quarter(found.angle_degrees().unwrap_or(0.0)) {
        1 => (-top, -bottom, x),
        2 => (-right, -left, -y),
        3 => (bottom, top, -x),
        _ => (left, right, y),
    };
    let size = found.scaled_font_size().value;
    let height = if (top - bottom).is_finite() { (top - bottom).abs() } else { 0.0 };
    // The size of turned or sheared letters comes out as nothing; their box tells it then.
    let size = if size.is_finite() && size > 0.5 { size } else { height.max(1.0) };
    Some(Placed { character, left, right, baseline, size, at })
}

/// Which quarter of a turn, clockwise as PDFium counts, an angle is nearest to.
fn quarter(degrees: f32) -> u8 {
    match degrees.rem_euclid(360.0) {
        45.0..135.0 => 1,
        135.0..225.0 => 2,
        225.0..315.0 => 3,
        _ => 0,
    }
}

fn is_bold(character: &PdfPageTextChar<'_>) -> bool {
    let name = character.font_name().to_lowercase();
    ["bold", "black", "heavy"].iter().any(|word| name.contains(word))
}

fn end_line(lines: &mut Vec<Line>, current: &mut Vec<Placed>, is_bold: &dyn Fn(usize) -> bool) {
    let characters = std::mem::take(current);
    let Some(mut line) = line_of(&characters) else { return };
    let mut visible = characters.iter().filter(|it| it.character.is_alphanumeric());
    line.is_bold = visible.next().is_some_and(|it| is_bold(it.at))
        && visible.next_back().is_none_or(|it| is_bold(it.at));
    match lines.last_mut() {
        Some(last) if is_same_line(last, &line) => append(last, line),
        _ => lines.push(line),
    }
}

fn line_of(characters: &[Placed]) -> Option<Line> {
    let visible = || characters.iter().filter(|it| !it.character.is_whitespace());
    let first = visible().next()?;
    let size = prevailing(visible().map(|it| it.size)).unwrap_or(first.size);
    let mut cells: Vec<Cell> = Vec::new();
    let mut end: Option<f32> = None;
    let mut has_space = false;
    for placed in characters {
        if placed.character.is_whitespace() && !is_no_break(placed.character) {
            has_space = true;
            continue;
        }
        let is_apart = end.is_none_or(|end| {
            let gap = if placed.left >= end { placed.left - end } else { 0.0 };
            gap > CELL_GAP * size
        });
        match cells.last_mut() {
            Some(cell) if !is_apart => {
                if has_space {
                    cell.text.push(' ');
                }
                cell.text.push(placed.character);
                cell.start = cell.start.min(placed.left);
                cell.end = cell.end.max(placed.right);
            }
            _ => cells.push(Cell {
                text: placed.character.to_string(),
                start: placed.left,
                end: placed.right,
            }),
        }
        has_space = false;
        end = Some(placed.right);
    }
    let mut line = Line {
        baseline: prevailing(visible().map(|it| it.baseline)).unwrap_or(first.baseline),
        size,
        cells,
        ..Line::default()
    };
    settle(&mut line);
    Some(line)
}

/// A no-break space belongs to French punctuation and is kept.
fn is_no_break(character: char) -> bool {
    matches!(character, '\u{A0}' | '\u{202F}' | '\u{2007}')
}

/// The value that most have, to half a point.
fn prevailing(values: impl Iterator<Item = f32>) -> Option<f32> {
    let mut counts: Vec<(i64, u32, f32)> = Vec::new();
    for value in values {
        // A file may say anything; what is no number of a page counts as nothing.
        #[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
        let key = (value.clamp(-1.0e6, 1.0e6) * 2.0).round() as i64;
        if let Some((_, count, _)) = counts.iter_mut().find(|(known, ..)| *known == key) {
            *count += 1;
        } else if counts.len() < 64 {
            counts.push((key, 1, value));
        }
    }
    counts.into_iter().max_by_key(|(_, count, _)| *count).map(|(.., value)| value)
}

/// PDFium also breaks where only the height changes a little, as before a raised footnote mark.
fn is_same_line(last: &Line, next: &Line) -> bool {
    let size = last.size.max(next.size);
    let rise = (last.baseline - next.baseline).abs();
    let gap = next.start - last.end;
    rise < 0.45 * size && (-0.2 * size..0.6 * size).contains(&gap)
}

fn append(last: &mut Line, next: Line) {
    let is_tight = next.start - last.end < 0.15 * last.size;
    if next.length() > last.length() {
        (last.size, last.baseline) = (next.size, next.baseline);
    }
    last.is_bold &= next.is_bold;
    let mut cells = next.cells.into_iter();
    if let (Some(before), Some(after)) = (last.cells.last_mut(), cells.next()) {
        if !is_tight {
            before.text.push(' ');
        }
        before.text.push_str(&after.text);
        before.end = before.end.max(after.end);
    }
    last.cells.extend(cells);
    settle(last);
}

/// Sets what follows from the cells.
fn settle(line: &mut Line) {
    for cell in &mut line.cells {
        cell.text = accent::joined(&leader::left_out(&cell.text));
    }
    let texts: Vec<&str> = line.cells.iter().map(|cell| cell.text.as_str()).collect();
    line.text = texts.join(" ");
    let left = line.cells.iter().map(|cell| cell.start).fold(f32::INFINITY, f32::min);
    let right = line.cells.iter().map(|cell| cell.end).fold(f32::NEG_INFINITY, f32::max);
    (line.start, line.end) =
        if Line::is_right_to_left(&line.text) { (-right, -left) } else { (left, right) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str, left: f32, baseline: f32) -> Vec<Placed> {
        text.chars()
            .zip(0_u8..)
            .map(|(character, at)| {
                let left = left + 5.0 * f32::from(at);
                let size = 10.0;
                Placed { character, left, right: left + 5.0, baseline, size, at: at.into() }
            })
            .collect()
    }

    #[test]
    fn wide_gaps_divide_a_line_into_cells() {
        let row = [letters("Duo", 10.0, 700.0), letters("29 €", 200.0, 700.0)].concat();
        let line = line_of(&row).unwrap();
        assert_eq!(line.text, "Duo 29 €");
        let cells: Vec<&str> = line.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(cells, ["Duo", "29 €"]);
    }

    #[test]
    fn two_halves_of_a_character_are_one_and_a_half_is_none() {
        let mut units = Units::default();
        let found: Vec<char> = [0x41, 0xD83D, 0xDE00, 0xDE00, 0xD83D, 0x42]
            .into_iter()
            .filter_map(|it| units.character(it))
            .collect();
        assert_eq!(found, ['A', '😀', 'B']);
    }

    #[test]
    fn letters_of_another_code_are_read_as_what_they_are_and_nameless_signs_divide_words() {
        let mut units = Units::default();
        let found: String = [0x6C, 0x92, 0x9C, 0x75, 0x76, 0x04, 0x61, 0x0D]
            .into_iter()
            .filter_map(|it| units.character(it))
            .collect();
        assert_eq!(found, "l’œuv a\r");
    }

    #[test]
    fn a_raised_footnote_mark_stays_at_its_word() {
        let mut lines = Vec::new();
        end_line(&mut lines, &mut letters("trente jours", 10.0, 700.0), &|_| false);
        end_line(&mut lines, &mut letters("1", 70.0, 704.0), &|_| false);
        end_line(&mut lines, &mut letters("et plus", 80.0, 700.0), &|_| false);
        end_line(&mut lines, &mut letters("ou moins", 10.0, 688.0), &|_| false);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["trente jours1 et plus", "ou moins"]);
    }

    #[test]
    fn a_line_that_is_read_to_the_left_starts_at_its_right() {
        let line = line_of(&letters("مرحبا", 10.0, 700.0)).unwrap();
        assert_eq!((line.start, line.end), (-35.0, -10.0));
    }
}
