//! The tables of OpenDocument texts, slides and charts.

use crate::ExtractError;
use crate::content::Block;
use crate::office::grid::{Grid, GridCell, GridRow};
use crate::package::xml::Element;

use super::walk::Walk;

/// More equal cells in a row than this are empty space that a program filled up.
const MAX_REPEATED: usize = 64;

/// The longest value that is repeated, in bytes.
const MAX_REPEATED_VALUE: usize = 300;

/// Adds a table's blocks.
///
/// # Errors
///
/// Those of [`Walk::blocks`].
pub(super) fn read(
    walk: &mut Walk<'_, '_>,
    table: Element<'_>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let mut grid = Grid::default();
    read_rows(walk, table, false, &mut grid)?;
    out.extend(grid.into_blocks());
    Ok(())
}

fn read_rows(
    walk: &mut Walk<'_, '_>,
    parent: Element<'_>,
    is_header: bool,
    grid: &mut Grid,
) -> Result<(), ExtractError> {
    for element in parent.children() {
        match element.name() {
            "table-row" => grid.push(GridRow { is_header, cells: cells(walk, element)? }),
            "table-header-rows" => read_rows(walk, element, true, grid)?,
            "table-rows" | "table-row-group" => read_rows(walk, element, is_header, grid)?,
            _ => {}
        }
    }
    Ok(())
}

/// The cells of a row; those that a merged one covers are its own.
fn cells(walk: &mut Walk<'_, '_>, row: Element<'_>) -> Result<Vec<GridCell>, ExtractError> {
    let mut cells = Vec::new();
    for cell in row.children_named("table-cell") {
        let mut blocks = Vec::new();
        walk.blocks(cell, &mut blocks)?;
        let number = |name| cell.attribute(name).and_then(|it| it.parse().ok()).unwrap_or(1_usize);
        let is_repeated = match blocks.as_slice() {
            [] => true,
            [Block::Paragraph(text)] => text.len() <= MAX_REPEATED_VALUE,
            _ => false,
        };
        let times = if is_repeated { number("number-columns-repeated") } else { 1 };
        let times = 1 + walk.repeat(times.clamp(1, MAX_REPEATED) - 1);
        for _ in 0..times {
            cells.push(GridCell {
                columns: number("number-columns-spanned"),
                rows: number("number-rows-spanned"),
                ..GridCell::of(blocks.clone())
            });
        }
    }
    Ok(cells)
}
