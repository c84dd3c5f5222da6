//! The tables of a text document.

use crate::ExtractError;
use crate::content::Block;
use crate::office::grid::{Grid, GridCell, GridRow};
use crate::package::xml::Element;

use super::body::Body;
use super::inline::through;
use super::styles::flag;

/// Adds a table's blocks.
///
/// # Errors
///
/// Those of [`Body::blocks`].
pub(super) fn read(
    body: &mut Body<'_, '_>,
    table: Element<'_>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let mut grid = Grid::default();
    for row in through(table, "tr") {
        let properties = row.child("trPr");
        if properties.is_some_and(|it| it.child("del").is_some()) {
            continue;
        }
        let mut cells = Vec::new();
        if let Some(columns) = properties.and_then(|it| number(it, "gridBefore")) {
            cells.push(GridCell { columns, ..GridCell::of(Vec::new()) });
        }
        for cell in through(row, "tc") {
            let mut blocks = Vec::new();
            body.blocks(cell, &mut blocks)?;
            let properties = cell.child("tcPr");
            let merge = properties.and_then(|it| it.child("vMerge"));
            cells.push(GridCell {
                columns: properties.and_then(|it| number(it, "gridSpan")).unwrap_or(1),
                continues: merge
                    .is_some_and(|it| it.attribute("val").as_deref() != Some("restart")),
                ..GridCell::of(blocks)
            });
        }
        let is_header = properties.and_then(|it| flag(it, "tblHeader")).unwrap_or(false);
        grid.push(GridRow { is_header, cells });
    }
    out.extend(grid.into_blocks());
    Ok(())
}

fn number(properties: Element<'_>, name: &str) -> Option<usize> {
    let number: usize = properties.child(name)?.attribute("val")?.parse().ok()?;
    (number > 0).then_some(number)
}
