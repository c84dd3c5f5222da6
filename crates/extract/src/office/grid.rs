//! Tables with merged cells, cells that hold blocks, and tables inside tables.
//!
//! Word processors use tables for layout too: one column or one row is no table of values, and its
//! blocks follow each other as if there were none.

use std::sync::Arc;

use crate::content::{Block, Table, one_line};

/// Wider than the tables of office programs (Word has 63 columns, PowerPoint 75). What a file
/// declares beyond is not believed: the words of further cells stand in the last column.
const MAX_COLUMNS: usize = 100;

/// How many cells one table may have with all that merged cells repeat.
const MAX_CELLS: usize = 1_000_000;

/// How many bytes one table may repeat over merged cells.
const MAX_REPEATED_BYTES: usize = 4 << 20;

/// The longest title of several rows, in bytes.
const MAX_TITLE: usize = 1_000;

/// The longest value that is repeated over merged cells, in bytes: a page of text is no label.
const MAX_REPEATED: usize = 300;

/// A table as its file describes it.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    rows: Vec<GridRow>,
}

/// A row of it.
#[derive(Debug, Default)]
pub(crate) struct GridRow {
    /// Whether the file says that it titles the columns.
    pub(crate) is_header: bool,
    /// The cells, from the left.
    pub(crate) cells: Vec<GridCell>,
}

/// A cell of it.
#[derive(Debug)]
pub(crate) struct GridCell {
    /// How many columns it covers.
    pub(crate) columns: usize,
    /// How many rows it covers, where the file says so in its first one.
    pub(crate) rows: usize,
    /// Whether it goes on from the cell above.
    pub(crate) continues: bool,
    /// What it holds.
    pub(crate) blocks: Vec<Block>,
}

impl GridCell {
    /// A cell of one column and one row.
    pub(crate) const fn of(blocks: Vec<Block>) -> Self {
        Self { columns: 1, rows: 1, continues: false, blocks }
    }
}

/// A value that reaches into the rows below.
#[derive(Clone, Default)]
struct Reach {
    value: String,
    rows_left: usize,
}

impl Grid {
    /// Adds a row.
    pub(crate) fn push(&mut self, row: GridRow) {
        self.rows.push(row);
    }

    /// The table as blocks, then the tables that lay in its cells. Pages that begin inside begin
    /// with the row they begin in.
    pub(crate) fn into_blocks(mut self) -> Vec<Block> {
        self.rows.retain(|row| !row.cells.is_empty());
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        if width <= 1 || self.rows.len() <= 1 {
            let cells = self.rows.into_iter().flat_map(|row| row.cells);
            return cells.flat_map(|cell| cell.blocks).collect();
        }
        let header_count = self.header_count();
        let mut lines = Lines::default();
        for (at, row) in self.rows.into_iter().enumerate() {
            lines.add(row, at < header_count);
        }
        lines.into_blocks(header_count)
    }

    /// How many of the first rows title the columns, by what the file says; all of them is none.
    fn header_count(&self) -> usize {
        let count = self.rows.iter().take_while(|row| row.is_header).count();
        if count < self.rows.len() { count } else { 0 }
    }
}

/// The rows of a table with their values at their columns.
#[derive(Default)]
struct Lines {
    values: Vec<Vec<String>>,
    /// Pages that begin before the row of this number.
    pages: Vec<(usize, Block)>,
    nested: Vec<Block>,
    reaches: Vec<Reach>,
    cell_count: usize,
    repeated_bytes: usize,
}

impl Lines {
    fn add(&mut self, row: GridRow, is_header: bool) {
        let continues = row.cells.iter().any(|cell| cell.continues);
        let above = self.values.last().filter(|_| continues).cloned().unwrap_or_default();
        let mut values: Vec<String> = Vec::new();
        for cell in row.cells {
            self.take_reaching(&mut values);
            let value = self.value_of(cell.blocks);
            let columns = cell.columns.clamp(1, MAX_COLUMNS);
            for offset in 0..columns {
                if values.len() >= MAX_COLUMNS {
                    // The words of cells beyond are kept in the last one.
                    if offset == 0
                        && !value.is_empty()
                        && let Some(last) = values.last_mut()
                    {
                        last.push(' ');
                        last.push_str(&value);
                    }
                    break;
                }
                let column = values.len();
                let value = if cell.continues && value.is_empty() {
                    self.repeated(above.get(column))
                } else if offset == 0 {
                    value.clone()
                } else if is_header {
                    self.repeated(Some(&value))
                } else {
                    String::new()
                };
                if cell.rows > 1 && value.len() <= MAX_REPEATED {
                    if self.reaches.len() <= column {
                        self.reaches.resize(column + 1, Reach::default());
                    }
                    if let Some(reach) = self.reaches.get_mut(column) {
                        *reach = Reach { value: value.clone(), rows_left: cell.rows - 1 };
                    }
                }
                values.push(value);
            }
        }
        self.take_reaching(&mut values);
        // Gaps tell that a first row titles nothing; elsewhere they are only room.
        if !self.values.is_empty() {
            let last = values.iter().rposition(|value| !value.is_empty());
            values.truncate(last.map_or(0, |last| last + 1));
        }
        self.cell_count += values.len();
        if self.cell_count <= MAX_CELLS {
            self.values.push(values);
        }
    }

    /// Puts the values that reach down from the rows above at the next columns.
    fn take_reaching(&mut self, values: &mut Vec<String>) {
        while let Some(reach) = self.reaches.get_mut(values.len())
            && reach.rows_left > 0
        {
            reach.rows_left -= 1;
            let value = reach.value.clone();
            values.push(self.repeated(Some(&value)));
        }
    }

    /// A value once more, unless it is no label or the table has repeated enough.
    fn repeated(&mut self, value: Option<&String>) -> String {
        let value = value.filter(|value| value.len() <= MAX_REPEATED);
        let bytes = self.repeated_bytes + value.map_or(0, String::len);
        let Some(value) = value.filter(|_| bytes <= MAX_REPEATED_BYTES) else {
            return String::new();
        };
        self.repeated_bytes = bytes;
        value.clone()
    }

    /// The words of a cell, its tables and pages put aside.
    fn value_of(&mut self, blocks: Vec<Block>) -> String {
        let mut lines = Vec::new();
        for block in blocks {
            match block {
                Block::Page { .. } => self.pages.push((self.values.len(), block)),
                Block::Row { .. } => self.nested.push(block),
                Block::Heading { text, .. } | Block::Paragraph(text) | Block::Verbatim(text) => {
                    lines.push(text);
                }
                Block::Item { mark, text, .. } if mark == "-" => lines.push(text),
                Block::Item { mark, text, .. } => lines.push(format!("{mark} {text}")),
            }
        }
        lines.join("\n")
    }

    fn into_blocks(mut self, header_count: usize) -> Vec<Block> {
        let row_count = self.values.len();
        let rows = self.values.split_off(header_count.min(row_count));
        let (table, header_count) = if header_count > 0 {
            (Table { header: joined(&self.values), rows }, header_count)
        } else {
            let table = Table::of_rows(rows);
            let header_count = usize::from(!table.header.is_empty());
            (table, header_count)
        };
        let mut pages = self.pages.into_iter().peekable();
        let mut blocks = Vec::new();
        let Table { header, rows } = table;
        let header: Arc<[String]> = header.into();
        if has_lost_title(&header, &rows) {
            blocks.push(Block::Row { header: Arc::new([]), cells: header.to_vec() });
        }
        for (at, cells) in rows.into_iter().enumerate() {
            while pages.peek().is_some_and(|(row, _)| *row <= at + header_count) {
                blocks.extend(pages.next().map(|(_, page)| page));
            }
            if cells.iter().any(|cell| !cell.trim().is_empty()) {
                blocks.push(Block::Row { header: Arc::clone(&header), cells });
            }
        }
        blocks.extend(pages.map(|(_, page)| page));
        blocks.extend(self.nested);
        blocks
    }
}

/// Whether a title stands over no value at all, as in a form to be filled in: no row would say it.
fn has_lost_title(header: &[String], rows: &[Vec<String>]) -> bool {
    let is_filled = |text: Option<&String>| text.is_some_and(|text| !text.trim().is_empty());
    (0..header.len()).any(|column| {
        is_filled(header.get(column)) && !rows.iter().any(|row| is_filled(row.get(column)))
    })
}

/// Several rows of titles as one: `2024 Sales`.
fn joined(rows: &[Vec<String>]) -> Vec<String> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let title = |column: usize| {
        let mut words: Vec<String> = Vec::new();
        let mut length = 0;
        for row in rows {
            let word = row.get(column).map(|cell| one_line(cell)).unwrap_or_default();
            length += word.len();
            if !word.is_empty()
                && words.last() != Some(&word)
                && (words.is_empty() || length <= MAX_TITLE)
            {
                words.push(word);
            }
        }
        words.join(" ")
    };
    (0..width).map(title).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> GridCell {
        GridCell::of(vec![Block::Paragraph(text.to_owned())])
    }

    fn row(is_header: bool, cells: Vec<GridCell>) -> GridRow {
        GridRow { is_header, cells }
    }

    fn written(grid: Grid) -> Vec<(Vec<String>, Vec<String>)> {
        let pair = |block| match block {
            Block::Row { header, cells } => (header.to_vec(), cells),
            other => panic!("{other:?}"),
        };
        grid.into_blocks().into_iter().map(pair).collect()
    }

    #[test]
    fn no_word_of_a_row_is_lost_however_wide_it_says_it_is() {
        let cell = |columns: usize, text: String| GridCell {
            columns,
            ..GridCell::of(vec![Block::Paragraph(text)])
        };
        for columns in [1, 30, usize::MAX] {
            let mut grid = Grid::default();
            for row in 0..2 {
                let cells = (0..150).map(|at| cell(columns, format!("{row}c{at}"))).collect();
                grid.push(GridRow { is_header: false, cells });
            }
            let said = format!("{:?}", grid.into_blocks());
            assert!((0..150).all(|at| said.contains(&format!("1c{at}"))), "{columns}: {said}");
        }
    }

    #[test]
    fn a_title_over_several_columns_stands_in_each_and_a_value_in_the_first() {
        let mut grid = Grid::default();
        grid.push(row(true, vec![cell("Plan"), GridCell { columns: 2, ..cell("Price") }]));
        grid.push(row(true, vec![cell(""), cell("2024"), cell("2025")]));
        grid.push(row(false, vec![cell("Duo"), GridCell { columns: 2, ..cell("29 €") }]));
        let rows = written(grid);
        assert_eq!(rows[0].1, ["Plan", "Price 2024", "Price 2025"], "no value stands below 2025");
        assert_eq!(rows[1].0, ["Plan", "Price 2024", "Price 2025"]);
        assert_eq!(rows[1].1, ["Duo", "29 €"]);
    }

    #[test]
    fn a_value_over_several_rows_stands_in_each_however_the_file_says_it() {
        let mut grid = Grid::default();
        grid.push(row(false, vec![GridCell { rows: 2, ..cell("a") }, cell("1")]));
        grid.push(row(false, vec![cell("2")]));
        grid.push(row(false, vec![cell("b"), cell("3")]));
        grid.push(row(false, vec![GridCell { continues: true, ..cell("") }, cell("4")]));
        let rows: Vec<Vec<String>> = written(grid).into_iter().map(|(_, cells)| cells).collect();
        assert_eq!(rows, [["a", "1"], ["a", "2"], ["b", "3"], ["b", "4"]]);
    }

    #[test]
    fn a_form_to_be_filled_in_keeps_its_titles() {
        let mut grid = Grid::default();
        grid.push(row(false, vec![cell("Name"), cell("Signature")]));
        grid.push(row(false, vec![cell("Zoé"), cell("")]));
        let rows = written(grid);
        assert_eq!(rows[0], (vec![], vec!["Name".to_owned(), "Signature".to_owned()]));
        assert_eq!(rows[1].1, ["Zoé"]);
    }

    #[test]
    fn a_table_for_layout_is_no_table() {
        let mut grid = Grid::default();
        grid.push(row(false, vec![cell("left"), cell("right")]));
        let paragraph = |text: &str| Block::Paragraph(text.to_owned());
        assert_eq!(grid.into_blocks(), [paragraph("left"), paragraph("right")]);
    }

    #[test]
    fn spans_that_no_table_has_are_not_believed() {
        let mut grid = Grid::default();
        let huge = || GridCell { columns: usize::MAX, rows: usize::MAX, ..cell("x") };
        grid.push(row(true, vec![huge(), huge()]));
        grid.push(row(false, vec![huge(), huge()]));
        assert!(grid.into_blocks().len() <= 1);
    }

    #[test]
    fn many_wide_titles_repeat_only_so_much() {
        let mut grid = Grid::default();
        let title = "t".repeat(MAX_REPEATED);
        let wide = |text: &str| GridCell { columns: 100, ..cell(text) };
        for _ in 0..2_000 {
            grid.push(row(true, vec![wide(&title), cell("")]));
        }
        for _ in 0..2_000 {
            grid.push(row(false, vec![GridCell { continues: true, ..wide("") }, cell("")]));
        }
        let mut lines = Lines::default();
        let header_count = grid.header_count();
        for (at, row) in grid.rows.into_iter().enumerate() {
            lines.add(row, at < header_count);
        }
        let bytes: usize = lines.values.iter().flatten().map(String::len).sum();
        assert!(bytes <= MAX_REPEATED_BYTES + 2_000 * MAX_REPEATED, "{bytes}");
        let header = joined(&lines.values);
        assert!(header.iter().all(|title| title.len() <= MAX_TITLE));
    }
}
