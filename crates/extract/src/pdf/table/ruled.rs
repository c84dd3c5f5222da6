//! Rows of tables with lines drawn around their cells.
//!
//! Each cell is what stands in it, whatever the order in which the file writes it. Where the lines
//! between rows are missing, rows are told by their baselines. Columns and rows without text, as
//! between double lines, are left out.

use std::ops::Range;

use super::enclosed::region_of;
use super::grid::{Grid, Region};
use super::header::{TextRow, is_amount};
use crate::pdf::hyphen::Vocabulary;
use crate::pdf::line::{HYPHEN, Line};

/// A longer value over several rows stands only in the first, in characters.
const MAX_REPEATED: usize = 100;

/// In a grid of more rows than this, each is one; in one of fewer, the lines between them may be
/// missing.
const FEW_ROWS: usize = 4;

/// A piece of a line in its cell.
struct Piece<'a> {
    text: &'a str,
    start: f32,
    baseline: f32,
    size: f32,
    is_bold: bool,
}

/// The rows of a table whose lines these are; blank rows and columns are left out.
pub(super) fn rows(lines: &[Line], grid: &Grid, vocabulary: &Vocabulary) -> Vec<TextRow> {
    let mut pieces: Vec<Vec<Piece<'_>>> = grid.regions.iter().map(|_| Vec::new()).collect();
    for line in lines {
        for cell in &line.cells {
            let region = region_of(grid, line, cell).and_then(|at| pieces.get_mut(at));
            let Some(region) = region else { continue };
            region.push(Piece {
                text: &cell.text,
                start: cell.start,
                baseline: line.baseline,
                size: line.size,
                is_bold: line.is_bold,
            });
        }
    }
    for region in &mut pieces {
        in_order(region);
    }
    let contents = || grid.regions.iter().zip(&pieces).filter(|(_, it)| !it.is_empty());
    let columns: Vec<usize> = (0..grid.column_count())
        .filter(|column| contents().any(|(region, _)| region.columns.start == *column))
        .collect();
    let mut rows = Vec::new();
    for row in 0..grid.row_count() {
        let here: Vec<(&Region, &[Piece<'_>])> = contents()
            .filter(|(region, _)| region.rows.contains(&row))
            .map(|(region, pieces)| (region, pieces.as_slice()))
            .collect();
        if !here.iter().any(|(region, _)| region.rows.start == row) {
            continue;
        }
        let bounds = inner_rows(&here, grid.row_count());
        for (at, top) in bounds.iter().enumerate() {
            let bottom = bounds.get(at + 1).copied().unwrap_or(f32::NEG_INFINITY);
            rows.push(row_of(&here, row, &columns, bottom..*top, vocabulary));
        }
    }
    rows
}

/// Text is nearly always written in its order; if not, it goes by its place.
fn in_order(pieces: &mut [Piece<'_>]) {
    let jumps = pieces.windows(2).any(|pair| match pair {
        [one, next] => next.baseline > one.baseline + 0.5 * one.size,
        _ => false,
    });
    if jumps {
        pieces.sort_by(|one, other| {
            other.baseline.total_cmp(&one.baseline).then(one.start.total_cmp(&other.start))
        });
    }
}

/// What stands in the columns between two heights.
fn row_of(
    here: &[(&Region, &[Piece<'_>])],
    number: usize,
    columns: &[usize],
    heights: Range<f32>,
    vocabulary: &Vocabulary,
) -> TextRow {
    let mut row =
        TextRow { cells: vec![String::new(); columns.len()], is_bold: true, ..TextRow::default() };
    for (region, pieces) in here {
        let spanned: Vec<usize> = (0..columns.len())
            .filter(|at| columns.get(*at).is_some_and(|it| region.columns.contains(it)))
            .collect();
        let (Some(first), Some(last)) = (spanned.first(), spanned.last()) else { continue };
        let mut text = String::new();
        for piece in pieces.iter().filter(|it| heights.contains(&it.baseline)) {
            row.is_bold &= piece.is_bold;
            if text.is_empty() {
                text.push_str(piece.text);
            } else {
                vocabulary.join(&mut text, piece.text);
            }
        }
        if text.ends_with(HYPHEN) {
            text.pop();
            text.push('-');
        }
        // A value over several rows stands in each, but not a whole text.
        let is_repeated = region.rows.start != number;
        if text.is_empty() || is_repeated && text.chars().count() > MAX_REPEATED {
            continue;
        }
        if spanned.len() > 1 {
            row.spans.push(*first..last + 1);
        }
        row.height = row.height.max(region.rows.len());
        if let Some(cell) = row.cells.get_mut(*first) {
            *cell = text;
        }
    }
    row
}

/// The heights under which the rows between two drawn lines begin: one, unless the cells are lists
/// of values that stand beside each other, line by line.
fn inner_rows(here: &[(&Region, &[Piece<'_>])], row_count: usize) -> Vec<f32> {
    let one = vec![f32::INFINITY];
    if here.len() < 2 || here.iter().any(|(region, _)| region.rows.len() > 1) {
        return one;
    }
    let Some((_, first)) = here.first() else { return one };
    let near = |piece: &Piece<'_>, other: &Piece<'_>| {
        (piece.baseline - other.baseline).abs() < 0.3 * piece.size
    };
    let is_lined_up = here.iter().all(|(_, pieces)| {
        pieces.len() <= first.len()
            && pieces.len() * 10 >= first.len() * 6
            && pieces.iter().all(|piece| first.iter().filter(|it| near(it, piece)).count() == 1)
    });
    let all = || here.iter().flat_map(|(_, pieces)| pieces.iter());
    let goes_on = |piece: &&Piece<'_>| {
        piece.text.starts_with(|it: char| it.is_lowercase() || it == '(')
            || piece.text.ends_with([',', HYPHEN])
    };
    let is_prose = all().filter(goes_on).count() * 5 > all().count();
    let has_amounts = here.iter().any(|(_, pieces)| {
        pieces.iter().filter(|it| is_amount(it.text)).count() * 10 >= pieces.len() * 8
    });
    let needed = if has_amounts { 2 } else { 3 };
    if row_count > FEW_ROWS || !is_lined_up || is_prose || first.len() < needed {
        return one;
    }
    let mut tops: Vec<f32> = first.iter().map(|piece| piece.baseline + 0.5 * piece.size).collect();
    if let Some(top) = tops.first_mut() {
        *top = f32::INFINITY;
    }
    tops
}

/// Where the columns of the table that has text in them begin and end.
pub(super) fn column_sides(lines: &[Line], grid: &Grid) -> Vec<(f32, f32)> {
    let starts = lines.iter().flat_map(|line| line.cells.iter().map(move |cell| (line, cell)));
    let mut columns: Vec<usize> = starts
        .filter_map(|(line, cell)| grid.regions.get(region_of(grid, line, cell)?))
        .map(|region| region.columns.start)
        .collect();
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().filter_map(|at| Some((*grid.xs.get(at)?, *grid.xs.get(at + 1)?))).collect()
}
