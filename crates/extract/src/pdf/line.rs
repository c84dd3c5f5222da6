//! From characters with places to lines.
//!
//! PDFium breaks the lines; here they get their bounds, their size and their cells: pieces with
//! wide gaps or drawn lines between, as in the row of a table. Narrower gaps are remembered, in case
//! the lines around say that they divide cells too (`table`).

use pdfium_render::prelude::PdfPageText;

use super::character::{Placed, SPACE, Units, is_bold, is_kept, is_no_break, placed};
use super::table::Grid;
use super::{accent, leader};

pub(super) use super::character::HYPHEN;

/// A gap as wide as this, in font sizes, divides cells. Spaces of justified text stay under one.
const CELL_GAP: f32 = 1.5;

/// A narrower one, from here on, may divide them where the lines around have a wide one.
const NARROW_GAP: f32 = 0.6;

/// The least gap, in font sizes, in which a line that is drawn between two letters divides them.
const RULED_GAP: f32 = 0.15;

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
    /// Which of the page's drawn grids it stands in.
    pub(super) table: Option<usize>,
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
    /// Its wider spaces, from left to right.
    pub(super) gaps: Vec<Gap>,
}

/// A space in a cell that is wider than between words, though too narrow to divide it for sure.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Gap {
    /// Where the cell's text is divided, in bytes: before the letter after the space.
    at: usize,
    pub(super) start: f32,
    pub(super) end: f32,
}

impl Cell {
    /// The parts before and after one of its gaps.
    pub(super) fn divided(&self, gap: Gap) -> Option<(Self, Self)> {
        let (before, after) = self.text.split_at_checked(gap.at)?;
        let (left, right): (Vec<Gap>, Vec<Gap>) =
            self.gaps.iter().filter(|it| it.at != gap.at).partition(|it| it.at < gap.at);
        let left = Self {
            text: before.trim_end().to_owned(),
            start: self.start,
            end: gap.start,
            gaps: left,
        };
        let right = right.into_iter().map(|it| Gap { at: it.at - gap.at, ..it }).collect();
        let right = Self { text: after.to_owned(), start: gap.end, end: self.end, gaps: right };
        Some((left, right))
    }
}

impl Line {
    /// The same line with other pieces.
    pub(super) fn with_cells(&self, cells: Vec<Cell>) -> Self {
        let mut line = Self { cells, ..self.clone() };
        settle(&mut line);
        line
    }

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

/// The lines of the page, in the file's order. What is drawn between two words divides them.
pub(super) fn of_text(text: &PdfPageText<'_>, grids: &[Grid]) -> Vec<Line> {
    let characters = text.chars();
    let is_bold = |at: usize| characters.get(at).is_ok_and(|it| is_bold(&it));
    let surroundings = Surroundings { is_bold: &is_bold, grids };
    let mut lines = Vec::new();
    let mut current: Vec<Placed> = Vec::new();
    let mut units = Units::default();
    for (at, character) in characters.iter().enumerate() {
        match units.character(character.unicode_value()) {
            Some('\r' | '\n') => end_line(&mut lines, &mut current, surroundings),
            // Instead of a line break, not before one.
            Some(HYPHEN) => {
                current.extend(placed(&character, HYPHEN, at));
                end_line(&mut lines, &mut current, surroundings);
            }
            // Where a space is does not matter, and asking costs as much as for a letter.
            Some(found) if found.is_whitespace() && !is_no_break(found) => current.push(SPACE),
            Some(found) if is_kept(found) => current.extend(placed(&character, found, at)),
            _ => {}
        }
    }
    end_line(&mut lines, &mut current, surroundings);
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

/// What is around the characters of a line.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    /// Whether the character at a place on the page is bold.
    is_bold: &'a dyn Fn(usize) -> bool,
    grids: &'a [Grid],
}

impl Surroundings<'_> {
    fn divide(self, from: f32, to: f32, baseline: f32, size: f32) -> bool {
        self.grids.iter().any(|grid| grid.divides(from, to, baseline + 0.3 * size))
    }
}

fn end_line(lines: &mut Vec<Line>, current: &mut Vec<Placed>, around: Surroundings<'_>) {
    let characters = std::mem::take(current);
    let Some(mut line) = line_of(&characters, around) else { return };
    let mut visible = characters.iter().filter(|it| it.character.is_alphanumeric());
    line.is_bold = visible.next().is_some_and(|it| (around.is_bold)(it.at))
        && visible.next_back().is_none_or(|it| (around.is_bold)(it.at));
    match lines.last_mut() {
        Some(last)
            if is_same_line(last, &line)
                && !around.divide(last.end, line.start, last.baseline, last.size) =>
        {
            append(last, line);
        }
        _ => lines.push(line),
    }
}

fn line_of(characters: &[Placed], around: Surroundings<'_>) -> Option<Line> {
    let visible = || characters.iter().filter(|it| !it.character.is_whitespace());
    let first = visible().next()?;
    let size = prevailing(visible().map(|it| it.size)).unwrap_or(first.size);
    let mut cells: Vec<Cell> = Vec::new();
    let mut last: Option<&Placed> = None;
    let mut has_space = false;
    for placed in characters {
        if placed.character.is_whitespace() && !is_no_break(placed.character) {
            has_space = true;
            continue;
        }
        let gap = last.map_or(0.0, |last| (placed.left - last.right).max(0.0));
        let is_apart = gap > CELL_GAP * size
            || (has_space || gap > RULED_GAP * size)
                && last.is_some_and(|last| {
                    let (from, to) =
                        (last.left.midpoint(last.right), placed.left.midpoint(placed.right));
                    around.divide(from, to, placed.baseline, size)
                });
        match cells.last_mut() {
            Some(cell) if !is_apart => {
                if has_space {
                    cell.text.push(' ');
                    if gap > NARROW_GAP * size {
                        let (at, start) = (cell.text.len(), placed.left - gap);
                        cell.gaps.push(Gap { at, start, end: placed.left });
                    }
                }
                cell.text.push(placed.character);
                cell.start = cell.start.min(placed.left);
                cell.end = cell.end.max(placed.right);
            }
            _ => cells.push(Cell {
                text: placed.character.to_string(),
                start: placed.left,
                end: placed.right,
                gaps: Vec::new(),
            }),
        }
        has_space = false;
        last = Some(placed);
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
        let length = before.text.len();
        before.text.push_str(&after.text);
        before.gaps.extend(after.gaps.into_iter().map(|it| Gap { at: it.at + length, ..it }));
        before.end = before.end.max(after.end);
    }
    last.cells.extend(cells);
    settle(last);
}

/// Sets what follows from the cells.
fn settle(line: &mut Line) {
    for cell in &mut line.cells {
        let text = accent::joined(&leader::left_out(&cell.text));
        if text != cell.text {
            cell.text = text;
            cell.gaps.clear();
        }
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

    const NOTHING: Surroundings<'static> = Surroundings { is_bold: &|_| false, grids: &[] };

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
        let line = line_of(&row, NOTHING).unwrap();
        assert_eq!(line.text, "Duo 29 €");
        let cells: Vec<&str> = line.cells.iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(cells, ["Duo", "29 €"]);
    }

    #[test]
    fn a_raised_footnote_mark_stays_at_its_word() {
        let mut lines = Vec::new();
        end_line(&mut lines, &mut letters("trente jours", 10.0, 700.0), NOTHING);
        end_line(&mut lines, &mut letters("1", 70.0, 704.0), NOTHING);
        end_line(&mut lines, &mut letters("et plus", 80.0, 700.0), NOTHING);
        end_line(&mut lines, &mut letters("ou moins", 10.0, 688.0), NOTHING);
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["trente jours1 et plus", "ou moins"]);
    }

    #[test]
    fn a_line_that_is_read_to_the_left_starts_at_its_right() {
        let line = line_of(&letters("مرحبا", 10.0, 700.0), NOTHING).unwrap();
        assert_eq!((line.start, line.end), (-35.0, -10.0));
    }
}
