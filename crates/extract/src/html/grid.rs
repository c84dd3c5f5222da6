//! The places of a table, with its spans filled in and bounded.

use crate::compose::MAX_TEXT_BYTES;

/// The most columns a cell may span, as in the HTML Standard (4.9.11).
pub(super) const MAX_COLUMNS: usize = 1_000;

/// The most cells of one table, repeated ones included.
const MAX_CELLS: usize = 2_000_000;

/// A row as the page writes it.
pub(super) struct Row {
    pub(super) is_head: bool,
    pub(super) cells: Vec<Cell>,
}

/// A cell as the page writes it.
pub(super) struct Cell {
    pub(super) is_title: bool,
    /// How many columns and rows it spans, from 1.
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) text: String,
    pub(super) has_heading: bool,
}

/// A table with every place filled: a value over several places stands in each.
pub(super) struct Grid {
    pub(super) rows: Vec<Vec<String>>,
}

impl Grid {
    /// Fills the places of these rows.
    pub(super) fn of(rows: Vec<Row>) -> Self {
        let mut budget = Budget { cells: MAX_CELLS, bytes: MAX_TEXT_BYTES };
        let mut grid = Vec::with_capacity(rows.len());
        // What hangs down from the rows above: for each column, the value and for how many rows.
        let mut hanging: Vec<Option<(String, usize)>> = Vec::new();
        for row in rows {
            let mut places = Vec::new();
            let spans_all = row.cells.len() == 1 && row.cells.iter().any(|it| it.columns > 1);
            for cell in row.cells {
                take_hanging(&mut hanging, &mut places, &mut budget);
                // A line across the table says its words once.
                let columns = if spans_all && !cell.is_title { 1 } else { cell.columns };
                for _ in 0..columns {
                    if places.len() >= MAX_COLUMNS || !budget.allows(&cell.text) {
                        break;
                    }
                    if cell.rows > 1 {
                        let column = places.len();
                        if hanging.len() <= column {
                            hanging.resize(column + 1, None);
                        }
                        if let Some(place) = hanging.get_mut(column) {
                            *place = Some((cell.text.clone(), cell.rows - 1));
                        }
                    }
                    places.push(cell.text.clone());
                }
            }
            take_hanging(&mut hanging, &mut places, &mut budget);
            grid.push(places);
        }
        Self { rows: grid }
    }
}

/// Fills the next places as long as something hangs down into them.
fn take_hanging(
    hanging: &mut [Option<(String, usize)>],
    places: &mut Vec<String>,
    budget: &mut Budget,
) {
    while let Some(place) = hanging.get_mut(places.len())
        && let Some((text, rows)) = place
    {
        if !budget.allows(text) {
            return;
        }
        places.push(text.clone());
        *rows -= 1;
        if *rows == 0 {
            *place = None;
        }
    }
}

/// What the repetitions of one table may come to.
struct Budget {
    cells: usize,
    bytes: usize,
}

impl Budget {
    fn allows(&mut self, text: &str) -> bool {
        let is_within = self.cells > 0 && self.bytes >= text.len();
        if is_within {
            self.cells -= 1;
            self.bytes -= text.len();
        }
        is_within
    }
}
