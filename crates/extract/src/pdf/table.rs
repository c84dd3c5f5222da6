//! Rows of cells that stand under each other.
//!
//! Only what is certain is made a table: at least three lines of at least three cells, each under
//! one cell of the line before. Cells of several lines are joined, a table that goes on at the top
//! of the next page keeps its header. Everything else stays lines: a false table scrambles text, a
//! missed one only loses its column titles.

use std::sync::Arc;

use super::line::{Cell, Line};
use crate::content::{Block, looks_like_header};

/// The fewest columns and rows of a table.
const MIN_COLUMNS: usize = 3;
const MIN_ROWS: usize = 3;

/// Cells that are longer on average, in characters, are columns of text.
const MAX_CELL_LENGTH: usize = 40;

/// A table that may go on at the top of the next page.
#[derive(Debug, Clone)]
pub(super) struct Table {
    columns: Vec<Column>,
    header: Arc<[String]>,
}

/// Where the cells of a column stand.
#[derive(Debug, Clone, Copy)]
struct Column {
    start: f32,
    end: f32,
}

/// A table that was found.
#[derive(Debug)]
pub(super) struct Found {
    /// How many lines it takes.
    pub(super) line_count: usize,
    /// Its rows.
    pub(super) rows: Vec<Block>,
    /// What its continuation needs.
    pub(super) table: Table,
}

/// The table that begins with the first of the lines; `open` is the one at the end of the page
/// before, which may go on here.
pub(super) fn at_start(lines: &[Line], open: Option<&Table>) -> Option<Found> {
    let first = lines.first().filter(|line| line.cells.len() >= MIN_COLUMNS)?;
    let mut columns: Vec<Column> =
        first.cells.iter().map(|cell| Column { start: cell.start, end: cell.end }).collect();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut full_count, mut line_count) = (0, 0);
    let mut above: Option<&Line> = None;
    for line in lines {
        let distance = above.map_or(0.0, |above| above.baseline - line.baseline);
        let is_near = above.is_none() || (0.3 * line.size..5.0 * line.size).contains(&distance);
        let Some(places) = places(&columns, &line.cells).filter(|_| is_near) else { break };
        let is_rest = places.first() != Some(&0) && distance < 1.5 * line.size;
        let mut row = vec![String::new(); columns.len()];
        if !is_rest && line.cells.len() < 2 {
            break;
        }
        for (cell, place) in line.cells.iter().zip(&places) {
            if let (Some(column), Some(value)) = (columns.get_mut(*place), row.get_mut(*place)) {
                column.start = column.start.min(cell.start);
                column.end = column.end.max(cell.end);
                value.clone_from(&cell.text);
            }
        }
        match rows.last_mut() {
            Some(last) if is_rest => append(last, &row),
            _ => {
                full_count += usize::from(line.cells.len() == columns.len());
                rows.push(row);
            }
        }
        line_count += 1;
        above = Some(line);
    }
    let continued = open.filter(|open| is_same_layout(&open.columns, &columns));
    let is_table = full_count >= if continued.is_some() { 1 } else { MIN_ROWS };
    if !is_table || average_length(&rows) > MAX_CELL_LENGTH {
        return None;
    }
    let begins_with_header = rows.first().is_some_and(|row| looks_like_header(row));
    let header: Arc<[String]> = match continued {
        Some(open) => {
            if rows.first().is_some_and(|row| **row == *open.header) {
                rows.remove(0);
            }
            Arc::clone(&open.header)
        }
        None if begins_with_header => rows.remove(0).into(),
        None => Arc::new([]),
    };
    let rows = rows.into_iter().map(|cells| Block::Row { header: Arc::clone(&header), cells });
    Some(Found { line_count, rows: rows.collect(), table: Table { columns, header } })
}

/// Whether the cells of the line stand under those of the other, so that it is a row.
pub(super) fn is_aligned(line: &Line, other: &Line) -> bool {
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

/// The column of each cell: one each, from left to right; `None` if a cell is under none or two.
fn places(columns: &[Column], cells: &[Cell]) -> Option<Vec<usize>> {
    let mut places: Vec<usize> = Vec::with_capacity(cells.len());
    for cell in cells {
        let mut under = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| cell.start < column.end && column.start < cell.end);
        let (place, _) = under.next()?;
        if under.next().is_some() || places.last().is_some_and(|last| *last >= place) {
            return None;
        }
        places.push(place);
    }
    (!places.is_empty()).then_some(places)
}

fn is_same_layout(one: &[Column], other: &[Column]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.start < other.end && other.start < one.end)
}

fn append(row: &mut [String], rest: &[String]) {
    for (cell, rest) in row.iter_mut().zip(rest).filter(|(_, rest)| !rest.is_empty()) {
        if !cell.is_empty() {
            cell.push(' ');
        }
        cell.push_str(rest);
    }
}

fn average_length(rows: &[Vec<String>]) -> usize {
    let filled = || rows.iter().flatten().filter(|cell| !cell.is_empty());
    let length: usize = filled().map(|cell| cell.chars().count()).sum();
    length / filled().count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let found = at_start(&lines, None).unwrap();
        assert_eq!(found.line_count, 5);
        let header = vec!["Forfait", "Prix", "Délai"];
        assert_eq!(cells(&found.rows[0]), (header.clone(), vec!["Solo", "19 €", "deux jours"]));
        assert_eq!(cells(&found.rows[2]), (header, vec!["Trio", "", "un mois"]));
    }

    #[test]
    fn two_lines_or_cells_that_do_not_stand_under_each_other_are_no_table() {
        let row = |baseline| line(baseline, &[("a", 50.0), ("b", 200.0), ("c", 300.0)]);
        assert!(at_start(&[row(700.0), row(686.0)], None).is_none());
        let shifted = line(672.0, &[("a", 120.0), ("b", 250.0), ("c", 350.0)]);
        assert!(at_start(&[row(700.0), row(686.0), shifted], None).is_none());
    }

    #[test]
    fn a_table_keeps_its_header_on_the_next_page() {
        let header = line(700.0, &[("Forfait", 50.0), ("Prix", 200.0), ("Délai", 300.0)]);
        let row = |baseline, name| line(baseline, &[(name, 50.0), ("9", 200.0), ("3", 300.0)]);
        let first = at_start(&[header.clone(), row(686.0, "A"), row(672.0, "B")], None).unwrap();
        for lines in [vec![row(700.0, "C")], vec![header, row(686.0, "C")]] {
            let found = at_start(&lines, Some(&first.table)).unwrap();
            assert_eq!(found.rows.len(), 1);
            assert_eq!(
                cells(&found.rows[0]),
                (vec!["Forfait", "Prix", "Délai"], vec!["C", "9", "3"])
            );
        }
    }
}
