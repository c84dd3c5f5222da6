//! Pieces of a sheet that a citation can name: `Tarifs!A2:D21`.
//!
//! A sheet may have a million rows, so its name alone says nothing; every twenty rows of text are
//! a piece with the range of its cells.

use crate::content::Block;
use crate::tables::PlacedBlock;

/// How many rows a piece has.
const ROWS: usize = 20;

/// Gathers the blocks of one sheet.
pub(super) struct CellRanges<'a> {
    number: u32,
    name: &'a str,
    /// Stands at the beginning of the first piece.
    heading: Option<Block>,
    waiting: Vec<PlacedBlock>,
    row_count: usize,
}

impl<'a> CellRanges<'a> {
    /// `number` counts the sheets from 1.
    pub(super) fn new(number: u32, name: &'a str, has_heading: bool) -> Self {
        let heading = has_heading.then(|| Block::Heading { level: 1, text: name.to_owned() });
        Self { number, name, heading, waiting: Vec::new(), row_count: 0 }
    }

    /// Adds what became of a row, and writes a piece that is full to `blocks`.
    pub(super) fn add(&mut self, placed: PlacedBlock, blocks: &mut Vec<Block>) {
        let is_new_row = self.waiting.last().is_none_or(|last| last.row != placed.row);
        if is_new_row && self.row_count == ROWS {
            self.finish(blocks);
        }
        self.row_count += usize::from(is_new_row);
        self.waiting.push(placed);
    }

    /// Writes what is left to `blocks`.
    pub(super) fn finish(&mut self, blocks: &mut Vec<Block>) {
        if self.waiting.is_empty() {
            return;
        }
        let rows = self.waiting.iter().map(|it| it.row);
        let columns = self.waiting.iter().map(|it| it.columns);
        let first = (rows.clone().min(), columns.clone().map(|it| it.0).min());
        let last = (rows.max(), columns.map(|it| it.1).max());
        let name = |(row, column): (Option<u32>, Option<u32>)| {
            cell_name(row.unwrap_or(0), column.unwrap_or(0))
        };
        let label = match (name(first), name(last)) {
            (first, last) if first == last => format!("{}!{first}", self.name),
            (first, last) => format!("{}!{first}:{last}", self.name),
        };
        blocks.push(Block::Page { number: self.number, label: Some(label) });
        blocks.extend(self.heading.take());
        blocks.extend(self.waiting.drain(..).filter_map(|placed| placed.block));
        self.row_count = 0;
    }
}

/// `B12`; both count from 0.
pub(super) fn cell_name(row: u32, column: u32) -> String {
    format!("{}{}", column_name(column), u64::from(row) + 1)
}

/// `A`, `Z`, `AA`; `column` counts from 0.
fn column_name(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_as_spreadsheets_do() {
        for (column, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (16_383, "XFD")] {
            assert_eq!(column_name(column), name);
        }
    }

    #[test]
    fn every_twenty_rows_are_a_piece() {
        let mut ranges = CellRanges::new(2, "Tarifs", true);
        let mut blocks = Vec::new();
        for row in 0..45 {
            let block = (row > 0).then(|| Block::Paragraph(row.to_string()));
            ranges.add(PlacedBlock { row, columns: (1, 3), block }, &mut blocks);
        }
        ranges.finish(&mut blocks);
        let labels: Vec<&str> = blocks
            .iter()
            .filter_map(|block| match block {
                Block::Page { number: 2, label } => label.as_deref(),
                _ => None,
            })
            .collect();
        assert_eq!(labels, ["Tarifs!B1:D20", "Tarifs!B21:D40", "Tarifs!B41:D45"]);
        assert!(matches!(&blocks[1], Block::Heading { text, .. } if text == "Tarifs"));
        assert_eq!(blocks.len(), 3 + 1 + 44);
    }
}
