//! Which drawn boxes are tables, and which lines of text stand in them.
//!
//! Boxes are drawn around other things too: charts, frames, forms to be filled in, columns of a
//! leaflet. A grid is a table only if its text fits in its cells, fills enough of them, and is not
//! too long for one.

use std::collections::BTreeMap;

use super::grid::{Grid, Region};
use crate::pdf::line::{Cell, Line};

/// The share of its cells that are filled at least.
const MIN_FILLED: f32 = 0.35;

/// Cells that are longer on average, in characters, are columns of text.
const MAX_CELL_LENGTH: usize = 250;

/// A cell of more lines is a box of text.
const MAX_CELL_LINES: usize = 30;

/// The share of pieces that may stick out of their cells, as one in so many.
const MISFIT: usize = 20;

/// Marks the lines that stand in a table and puts those of one together; returns the tables'
/// grids, which the marks count.
pub(in crate::pdf) fn in_grids(
    mut lines: Vec<Line>,
    mut grids: Vec<Grid>,
) -> (Vec<Line>, Vec<Grid>) {
    // A table may be in a cell of another.
    grids.sort_by(|one, other| area(one).total_cmp(&area(other)));
    let mut tables: Vec<Grid> = Vec::new();
    for grid in grids {
        if is_table(&grid, &lines) {
            lines = gathered(lines, &grid, tables.len());
            tables.push(grid);
        }
    }
    (lines, tables)
}

fn area(grid: &Grid) -> f32 {
    let extent = |places: &[f32]| match places {
        [first, .., last] => (last - first).abs(),
        _ => 0.0,
    };
    extent(&grid.xs) * extent(&grid.ys)
}

/// The cell of the grid in which a piece of a line stands.
pub(super) fn region_of(grid: &Grid, line: &Line, cell: &Cell) -> Option<usize> {
    grid.region_at(cell.start.midpoint(cell.end), line.baseline + 0.3 * line.size)
}

fn is_table(grid: &Grid, lines: &[Line]) -> bool {
    let (mut piece_count, mut misfit_count) = (0_usize, 0_usize);
    let mut filled: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.table.is_none()) {
        for cell in &line.cells {
            let Some(at) = region_of(grid, line, cell) else { continue };
            let sides = grid.regions.get(at).and_then(|region| grid.sides(region));
            let Some((left, right)) = sides else { continue };
            piece_count += 1;
            let tolerance = 0.4 * line.size;
            misfit_count +=
                usize::from(cell.start < left - tolerance || cell.end > right + tolerance);
            let (length, line_count) = filled.entry(at).or_default();
            *length += cell.text.chars().count();
            *line_count += 1;
        }
    }
    let regions = || filled.keys().filter_map(|at| grid.regions.get(*at));
    let mut columns: Vec<usize> = regions().map(|region| region.columns.start).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut rows: Vec<usize> = regions().map(|region| region.rows.start).collect();
    rows.sort_unstable();
    let paired_count = rows.chunk_by(|one, other| one == other).filter(|it| it.len() > 1).count();
    rows.dedup();
    // Columns and rows without any text are the gaps between double lines.
    let is_used = |region: &&Region| {
        region.columns.clone().any(|it| columns.contains(&it))
            && region.rows.clone().any(|it| rows.contains(&it))
    };
    let used_count = grid.regions.iter().filter(is_used).count();
    let length: usize = filled.values().map(|(length, _)| *length).sum();
    let is_boxed = filled.values().any(|(_, line_count)| *line_count > MAX_CELL_LINES);
    let has_letters = length >= 2 * filled.len();
    #[expect(clippy::cast_precision_loss, reason = "a page has few cells")]
    let share = filled.len() as f32 / used_count.max(1) as f32;
    columns.len() >= 2
        && rows.len() >= 2
        && filled.len() >= 4
        && paired_count * 2 >= rows.len()
        && share >= MIN_FILLED
        && misfit_count * MISFIT <= piece_count
        && length <= MAX_CELL_LENGTH * filled.len()
        && has_letters
        && !is_boxed
}

/// The lines, those in the grid one after the other and marked with its number.
fn gathered(lines: Vec<Line>, grid: &Grid, number: usize) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    let mut inside: Vec<Line> = Vec::new();
    let mut place = None;
    for line in lines {
        let is_inside = |cell: &Cell| region_of(grid, &line, cell).is_some();
        if line.table.is_some() || !line.cells.iter().any(is_inside) {
            kept.push(line);
            continue;
        }
        let (own, others): (Vec<Cell>, Vec<Cell>) = line.cells.iter().cloned().partition(is_inside);
        if others.is_empty() {
            place.get_or_insert(kept.len());
            inside.push(Line { table: Some(number), ..line });
            continue;
        }
        // What stands beside the table is another line.
        let is_before =
            others.first().zip(own.first()).is_some_and(|(it, own)| it.start < own.start);
        let beside = line.with_cells(others);
        let within = Line { table: Some(number), ..line.with_cells(own) };
        if is_before && place.is_none() {
            kept.push(beside);
            place = Some(kept.len());
        } else {
            place.get_or_insert(kept.len());
            kept.push(beside);
        }
        inside.push(within);
    }
    let at = place.unwrap_or(kept.len());
    kept.splice(at..at, inside);
    kept
}
