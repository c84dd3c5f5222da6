//! Cells that are merged: their value stands in the first only, and is meant for all.
//!
//! A value over several rows is given to each row that has cells of its own; one over several
//! columns stays where it is, and the row says how far it reaches, because only in a header it
//! must be repeated.

use std::collections::VecDeque;

use calamine::Dimensions;

use crate::tables::SheetRow;

/// How many merged regions may lie over one row: more are no layout.
const MAX_OPEN: usize = 256;

/// The merged regions of a sheet, for rows that come in order.
pub(super) struct MergedCells {
    /// Those that begin below the last row, by their first row.
    ahead: VecDeque<Dimensions>,
    open: Vec<(Dimensions, String)>,
}

impl MergedCells {
    pub(super) fn new(mut regions: Vec<Dimensions>) -> Self {
        regions.retain(|it| it.start.0 <= it.end.0 && it.start.1 <= it.end.1);
        regions.sort_unstable_by_key(|region| region.start);
        Self { ahead: regions.into(), open: Vec::new() }
    }

    /// Adds to a row what is merged into it.
    pub(super) fn complete(&mut self, row: &mut SheetRow) {
        self.open.retain(|(region, _)| region.end.0 >= row.number);
        while let Some(region) = self.ahead.pop_front_if(|it| it.start.0 <= row.number) {
            // Where the first row of the region is not there, its value is not either.
            let at = row.cells.binary_search_by_key(&region.start.1, |(column, _)| *column);
            if let Some((_, value)) = at.ok().and_then(|at| row.cells.get(at))
                && region.start.0 == row.number
                && self.open.len() < MAX_OPEN
            {
                self.open.push((region, value.clone()));
            }
        }
        for (region, value) in &self.open {
            let (first, last) = (region.start.1, region.end.1);
            if let Err(at) = row.cells.binary_search_by_key(&first, |(column, _)| *column) {
                row.cells.insert(at, (first, value.clone()));
            }
            if last > first {
                row.spans.push((first, last));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_over_rows_stands_in_each_and_one_over_columns_says_so() {
        let mut merged = MergedCells::new(vec![
            Dimensions::new((1, 1), (2, 2)),
            Dimensions::new((0, 0), (2, 0)),
            Dimensions::new((9, 9), (8, 8)),
        ]);
        let mut row = |number, cells: &[(u32, &str)]| {
            let cells = cells.iter().map(|(at, text)| (*at, (*text).to_owned())).collect();
            let mut row = SheetRow { number, cells, spans: Vec::new() };
            merged.complete(&mut row);
            let texts: Vec<String> = row.cells.into_iter().map(|(_, text)| text).collect();
            (texts.join(" "), row.spans)
        };
        assert_eq!(row(0, &[(0, "a"), (3, "x")]), ("a x".to_owned(), vec![]));
        assert_eq!(row(1, &[(1, "b"), (3, "y")]), ("a b y".to_owned(), vec![(1, 2)]));
        assert_eq!(row(2, &[(3, "z")]), ("a b z".to_owned(), vec![(1, 2)]));
        assert_eq!(row(3, &[(3, "z")]), ("z".to_owned(), vec![]));
    }
}
