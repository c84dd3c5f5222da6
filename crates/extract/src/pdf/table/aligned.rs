//! Tables without lines: cells that stand under each other.
//!
//! At least three lines of at least three cells are certain; of two columns the words must tell
//! (`pairs`). Cells of several lines are joined. Columns that the file writes one after the other are
//! not found.

use super::header::TextRow;
use super::pairs::is_pairs;
use super::{Column, Found, Table};
use crate::pdf::hyphen::Vocabulary;
use crate::pdf::line::{Cell, HYPHEN, Line};

/// The fewest rows of a table.
pub(super) const MIN_ROWS: usize = 3;

/// Cells that are longer on average, in characters, are columns of text.
const MAX_CELL_LENGTH: usize = 40;

/// How far, in font sizes, a cell may be from the others of its column.
const MAX_SHIFT: f32 = 2.0;

/// A repeated header takes at most so many lines.
const MAX_HEADER_LINES: usize = 4;

/// How many lines are looked at for the distance of rows.
const PITCH_LINES: usize = 60;

/// The table that begins with the first of the lines, or goes on there.
pub(super) fn at_start(
    lines: &[Line],
    open: Option<&Table>,
    vocabulary: &Vocabulary,
) -> Option<Found> {
    if let Some(found) = open.and_then(|open| continued(lines, open, vocabulary)) {
        return Some(found);
    }
    let first = lines.first().filter(|line| line.cells.len() > 1)?;
    let gathered = Gathered::of(lines, columns_of(&first.cells), vocabulary);
    let is_table = if first.cells.len() == 2 {
        is_pairs(&gathered.rows)
    } else {
        gathered.full_count >= MIN_ROWS
    };
    if !is_table || average_length(&gathered.rows) > MAX_CELL_LENGTH {
        return None;
    }
    Some(Found::of(gathered.rows, gathered.columns, gathered.line_count, None))
}

/// Whether the cells of the line stand under those of the other, so that it is a row.
pub(in crate::pdf) fn is_aligned(line: &Line, other: &Line) -> bool {
    let near = |one: f32, other: f32| (one - other).abs() < 3.0;
    let count = line
        .cells
        .iter()
        .filter(|cell| {
            other.cells.iter().any(|it| {
                near(it.start, cell.start)
                    || near(it.end, cell.end)
                    || near(it.start + it.end, cell.start + cell.end)
            })
        })
        .count();
    count >= 2 && count + 1 >= line.cells.len()
}

/// The rest of a table that began on the page before, with its header again or without.
fn continued(lines: &[Line], open: &Table, vocabulary: &Vocabulary) -> Option<Found> {
    let repeated = repeated_header(lines, open);
    let (header, rest) = lines.split_at_checked(repeated)?;
    let first = rest.first()?;
    let width = open.columns.len();
    // The columns of the other page, unless this one sets its own under a header.
    let own = || {
        [header.first()?, first]
            .into_iter()
            .flat_map(|line| [line.cells.clone(), fully_divided(&line.cells)])
            .find(|cells| cells.len() == width)
    };
    let columns = own().map_or_else(|| open.columns.clone(), |cells| columns_of(&cells));
    let gathered = Gathered::of(rest, columns, vocabulary);
    let is_rest = repeated > 0 || gathered.full_count > 0 && first.cells.len() > 1;
    if gathered.rows.is_empty() || !is_rest || average_length(&gathered.rows) > MAX_CELL_LENGTH {
        return None;
    }
    if repeated > 0 {
        let titles = TextRow { cells: open.titles.to_vec(), height: 1, ..TextRow::default() };
        let rows = std::iter::once(titles).chain(gathered.rows).collect();
        let columns = gathered.columns;
        return Some(Found::of(rows, columns, repeated + gathered.line_count, Some(open)));
    }
    Some(Found::of(gathered.rows, gathered.columns, gathered.line_count, Some(open)))
}

/// How many lines repeat the titles, however they are divided into lines and cells.
fn repeated_header(lines: &[Line], open: &Table) -> usize {
    let sorted = |texts: &mut dyn Iterator<Item = &str>| {
        let mut letters: Vec<char> =
            texts.flat_map(str::chars).filter(|it| it.is_alphanumeric()).collect();
        letters.sort_unstable();
        letters
    };
    let wanted = sorted(&mut open.titles.iter().map(String::as_str));
    let says_the_same = |count: &usize| {
        let lines = lines.iter().take(*count);
        sorted(&mut lines.map(|line| line.text.as_str())) == wanted
    };
    let most = MAX_HEADER_LINES.min(lines.len());
    if wanted.is_empty() { 0 } else { (1..=most).find(says_the_same).unwrap_or(0) }
}

/// The cells, with every wider space as a gap between two.
fn fully_divided(cells: &[Cell]) -> Vec<Cell> {
    let mut divided = Vec::new();
    for cell in cells {
        let mut rest = cell.clone();
        while let Some((before, after)) = rest.gaps.first().and_then(|gap| rest.divided(*gap)) {
            divided.push(before);
            rest = after;
        }
        divided.push(rest);
    }
    divided
}

fn columns_of(cells: &[Cell]) -> Vec<Column> {
    cells.iter().map(|cell| Column { start: cell.start, end: cell.end }).collect()
}

/// Lines under columns, as rows.
struct Gathered {
    rows: Vec<TextRow>,
    columns: Vec<Column>,
    /// How many rows have a cell in every column.
    full_count: usize,
    line_count: usize,
}

impl Gathered {
    fn of(lines: &[Line], columns: Vec<Column>, vocabulary: &Vocabulary) -> Self {
        let mut found = Self { rows: Vec::new(), columns, full_count: 0, line_count: 0 };
        let pitch = row_pitch(lines);
        let mut above: Option<&Line> = None;
        for line in lines.iter().take_while(|line| line.table.is_none() && line.heading.is_none()) {
            let distance = above.map_or(0.0, |above| above.baseline - line.baseline);
            let is_near = above.is_none() || (0.3 * line.size..5.0 * line.size).contains(&distance);
            let placed = placed(&found.columns, line).filter(|_| is_near);
            let Some(placed) = placed else { break };
            let is_rest = match placed.as_slice() {
                // A first cell alone goes on only where rows stand further apart than its lines.
                [(0, _)] => pitch.is_some_and(|pitch| distance * 1.2 < pitch),
                [(0, _), ..] => false,
                _ => distance < 1.5 * line.size,
            };
            if !is_rest && placed.len() < 2 {
                break;
            }
            found.add(line, &placed, is_rest, vocabulary);
            above = Some(line);
        }
        for cell in found.rows.iter_mut().flat_map(|row| &mut row.cells) {
            if cell.ends_with(HYPHEN) {
                cell.pop();
                cell.push('-');
            }
        }
        found
    }

    fn add(
        &mut self,
        line: &Line,
        placed: &[(usize, Cell)],
        is_rest: bool,
        vocabulary: &Vocabulary,
    ) {
        self.line_count += 1;
        let width = self.columns.len();
        if !is_rest || self.rows.is_empty() {
            self.full_count += usize::from(placed.len() == width);
            let cells = vec![String::new(); width];
            let is_bold = line.is_bold;
            self.rows.push(TextRow { cells, is_bold, height: 1, ..TextRow::default() });
        }
        let Some(row) = self.rows.last_mut() else { return };
        for (place, cell) in placed {
            if let (Some(column), Some(text)) =
                (self.columns.get_mut(*place), row.cells.get_mut(*place))
            {
                column.start = column.start.min(cell.start);
                column.end = column.end.max(cell.end);
                if text.is_empty() {
                    text.clone_from(&cell.text);
                } else {
                    vocabulary.join(text, &cell.text);
                }
            }
        }
    }
}

/// The least distance of lines that follow each other and have several cells both.
fn row_pitch(lines: &[Line]) -> Option<f32> {
    lines
        .iter()
        .take(PITCH_LINES)
        .collect::<Vec<_>>()
        .windows(2)
        .filter_map(|pair| match pair {
            [above, line] if above.cells.len() > 1 && line.cells.len() > 1 => {
                Some(above.baseline - line.baseline)
            }
            _ => None,
        })
        .filter(|distance| *distance > 0.0)
        .min_by(f32::total_cmp)
}

/// The cells of the line with their columns: one each, from left to right; `None` if a cell is
/// under none, or under two and has no gap between them.
fn placed(columns: &[Column], line: &Line) -> Option<Vec<(usize, Cell)>> {
    let mut waiting: Vec<Cell> = line.cells.iter().rev().cloned().collect();
    let mut placed: Vec<(usize, Cell)> = Vec::with_capacity(waiting.len());
    while let Some(cell) = waiting.pop() {
        let under: Vec<usize> = (0..columns.len())
            .filter(|at| {
                columns.get(*at).is_some_and(|it| cell.start < it.end && it.start < cell.end)
            })
            .collect();
        let place = match under.as_slice() {
            [place] => *place,
            [] => beside(columns, line, &cell, placed.len())?,
            [first, second, ..] => {
                let (left, right) = (columns.get(*first)?, columns.get(*second)?);
                let between = left.end.midpoint(right.start);
                let gap = cell.gaps.iter().find(|gap| gap.start <= between && gap.end >= between);
                let (before, after) = cell.divided(*gap?)?;
                waiting.extend([after, before]);
                continue;
            }
        };
        if placed.last().is_some_and(|(last, _)| *last >= place) {
            return None;
        }
        placed.push((place, cell));
    }
    (!placed.is_empty()).then_some(placed)
}

/// The column of a cell that is a little beside it, as a number is that ends where others do.
fn beside(columns: &[Column], line: &Line, cell: &Cell, place: usize) -> Option<usize> {
    let column = columns.get(place).filter(|_| line.cells.len() == columns.len())?;
    let distance = (cell.start - column.end).max(column.start - cell.end);
    let is_apart = |other: Option<&Column>| {
        other.is_none_or(|other| cell.start >= other.end || cell.end <= other.start)
    };
    let before = place.checked_sub(1).and_then(|at| columns.get(at));
    (distance < MAX_SHIFT * line.size && is_apart(before) && is_apart(columns.get(place + 1)))
        .then_some(place)
}

fn average_length(rows: &[TextRow]) -> usize {
    let filled = || rows.iter().flat_map(|row| &row.cells).filter(|cell| !cell.is_empty());
    let length: usize = filled().map(|cell| cell.chars().count()).sum();
    length / filled().count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Block;

    /// A line of cells at the given places, six points a character.
    fn line(baseline: f32, cells: &[(&str, f32)]) -> Line {
        let cells: Vec<Cell> = cells
            .iter()
            .map(|(text, start)| {
                let length = u8::try_from(text.chars().count()).unwrap();
                Cell {
                    text: (*text).to_owned(),
                    start: *start,
                    end: start + 6.0 * f32::from(length),
                    ..Cell::default()
                }
            })
            .collect();
        let text = cells.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ");
        Line { text, baseline, size: 10.0, cells, ..Line::default() }
    }

    fn cells(block: &Block) -> (Vec<&str>, Vec<&str>) {
        let Block::Row { header, cells } = block else { panic!("{block:?}") };
        (header.iter().map(String::as_str).collect(), cells.iter().map(String::as_str).collect())
    }

    #[test]
    fn rows_take_the_header_and_cells_of_two_lines_are_one() {
        let lines = [
            line(700.0, &[("Forfait", 50.0), ("Prix", 200.0), ("Délai", 300.0)]),
            line(686.0, &[("Solo", 50.0), ("19 €", 200.0), ("deux", 300.0)]),
            line(674.0, &[("jours", 300.0)]),
            line(660.0, &[("Duo", 50.0), ("29 €", 200.0), ("un jour", 300.0)]),
            line(646.0, &[("Trio", 50.0), ("un mois", 300.0)]),
            line(620.0, &[("Les prix comprennent la taxe et le port.", 50.0)]),
        ];
        let found = at_start(&lines, None, &Vocabulary::default()).unwrap();
        assert_eq!(found.line_count, 5);
        let header = vec!["Forfait", "Prix", "Délai"];
        assert_eq!(cells(&found.blocks[0]), (header.clone(), vec!["Solo", "19 €", "deux jours"]));
        assert_eq!(cells(&found.blocks[2]), (header, vec!["Trio", "", "un mois"]));
    }

    #[test]
    fn two_lines_or_cells_that_do_not_stand_under_each_other_are_no_table() {
        let row = |baseline| line(baseline, &[("a", 50.0), ("b", 200.0), ("c", 300.0)]);
        assert!(at_start(&[row(700.0), row(686.0)], None, &Vocabulary::default()).is_none());
        let shifted = line(672.0, &[("a", 120.0), ("b", 250.0), ("c", 350.0)]);
        assert!(
            at_start(&[row(700.0), row(686.0), shifted], None, &Vocabulary::default()).is_none()
        );
    }

    #[test]
    fn a_table_keeps_its_header_on_the_next_page() {
        let header = line(700.0, &[("Forfait", 50.0), ("Prix", 200.0), ("Délai", 300.0)]);
        let row = |baseline, name| line(baseline, &[(name, 50.0), ("9", 200.0), ("3", 300.0)]);
        let first = at_start(
            &[header.clone(), row(686.0, "A"), row(672.0, "B")],
            None,
            &Vocabulary::default(),
        )
        .unwrap();
        for lines in [vec![row(700.0, "C")], vec![header, row(686.0, "C")]] {
            let found = at_start(&lines, Some(&first.table), &Vocabulary::default()).unwrap();
            assert_eq!(found.blocks.len(), 1);
            assert_eq!(
                cells(&found.blocks[0]),
                (vec!["Forfait", "Prix", "Délai"], vec!["C", "9", "3"])
            );
        }
    }
}
