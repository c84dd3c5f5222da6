//! Tables of data become rows under their column titles; tables that only arrange a page do not.

use super::dom::{Dom, Visit, element_of, is_named, walk};
use super::grid::{Cell, Grid, MAX_COLUMNS, Row};
use super::visibility::{Visibility, is_presentational};
use super::writer::Writer;
use crate::content::{Block, Table, one_line};

/// A longer cell holds a part of a page, not a value, in characters.
const MAX_VALUE_LENGTH: usize = 1_000;

/// The blocks of a table; `None` when it only arranges what is in it, which is then read as if
/// there were no table.
pub(super) fn blocks_of<'a>(
    table: Dom<'a>,
    visibility: &Visibility<'a>,
    depth: u8,
) -> Option<Vec<Block>> {
    let found = Found::of(table, visibility);
    if is_presentational(table) || found.only_arranges() {
        return None;
    }
    let rows: Vec<Row> = found
        .rows
        .iter()
        .map(|row| Row { is_head: row.is_head, cells: cells_of(row, visibility, depth) })
        .collect();
    let holds_parts = |cell: &Cell| cell.has_heading || cell.text.len() > MAX_VALUE_LENGTH;
    if !found.says_it_is_data && rows.iter().flat_map(|row| &row.cells).any(holds_parts) {
        return None;
    }
    let mut blocks: Vec<Block> = found
        .captions
        .iter()
        .map(|caption| line_of(*caption, visibility, depth).text)
        .filter(|caption| !caption.is_empty())
        .map(Block::Paragraph)
        .collect();
    blocks.extend(data_blocks(rows));
    Some(blocks)
}

/// The parts of a table, without those of tables in it.
struct Found<'v, 'a> {
    table: Dom<'a>,
    visibility: &'v Visibility<'a>,
    captions: Vec<Dom<'a>>,
    rows: Vec<FoundRow<'a>>,
    in_head: bool,
    /// It has titles of rows or columns, which tables that arrange have not.
    says_it_is_data: bool,
    has_inner_table: bool,
}

struct FoundRow<'a> {
    is_head: bool,
    cells: Vec<Dom<'a>>,
}

impl<'v, 'a> Found<'v, 'a> {
    fn of(table: Dom<'a>, visibility: &'v Visibility<'a>) -> Self {
        let mut found = Self {
            table,
            visibility,
            captions: Vec::new(),
            rows: Vec::new(),
            in_head: false,
            says_it_is_data: false,
            has_inner_table: false,
        };
        walk(table, &mut found);
        found
    }

    fn only_arranges(&self) -> bool {
        let columns = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        !self.says_it_is_data && (self.has_inner_table || self.rows.len() < 2 || columns < 2)
    }
}

impl<'a> Visit<'a> for Found<'_, 'a> {
    fn enter(&mut self, node: Dom<'a>) -> bool {
        let Some(element) = element_of(node) else { return false };
        if node != self.table {
            if !self.visibility.is_read(element) {
                return false;
            }
            if is_named(node, "table") {
                self.has_inner_table = true;
                return false;
            }
        }
        match element.name() {
            "caption" => {
                self.captions.push(node);
                self.says_it_is_data = true;
            }
            "thead" => {
                self.in_head = true;
                self.says_it_is_data = true;
            }
            "tr" => self.rows.push(FoundRow { is_head: self.in_head, cells: Vec::new() }),
            name @ ("td" | "th") => {
                self.says_it_is_data |= name == "th";
                if let Some(row) = self.rows.last_mut() {
                    row.cells.push(node);
                }
            }
            _ => {}
        }
        true
    }

    fn leave(&mut self, node: Dom<'a>) {
        if is_named(node, "thead") {
            self.in_head = false;
        }
    }
}

fn cells_of<'a>(row: &FoundRow<'a>, visibility: &Visibility<'a>, depth: u8) -> Vec<Cell> {
    let cell_of = |node: &Dom<'a>| {
        let span = |name: &str| {
            let span = element_of(*node).and_then(|it| it.attr(name)).unwrap_or_default();
            span.trim().parse::<usize>()
        };
        let mut cell = line_of(*node, visibility, depth);
        cell.columns = span("colspan").unwrap_or(1).clamp(1, MAX_COLUMNS);
        // Zero means all the rows that follow.
        cell.rows = match span("rowspan") {
            Ok(0) => usize::MAX,
            Ok(rows) => rows,
            Err(_) => 1,
        };
        cell
    };
    row.cells.iter().map(cell_of).collect()
}

/// What is in a cell, on one line.
fn line_of<'a>(node: Dom<'a>, visibility: &Visibility<'a>, depth: u8) -> Cell {
    let mut writer = Writer::new(visibility, depth);
    for child in node.children() {
        walk(child, &mut writer);
    }
    let (_, blocks) = writer.finish();
    let has_heading = blocks.iter().any(|block| matches!(block, Block::Heading { .. }));
    let mut text = String::new();
    let mut last_is_list = false;
    for block in blocks {
        let (line, is_list) = match block {
            Block::Page { .. } => continue,
            Block::Heading { text, .. } | Block::Paragraph(text) | Block::Verbatim(text) => {
                (one_line(&text), false)
            }
            Block::Item { text, .. } => (one_line(&text), true),
            Block::Row { header, cells } => (inner_row(&header, &cells), true),
        };
        if !text.is_empty() {
            text.push_str(if last_is_list && is_list { ", " } else { " " });
        }
        text.push_str(&line);
        last_is_list = is_list;
    }
    Cell { is_title: is_named(node, "th"), columns: 1, rows: 1, text, has_heading }
}

/// A row of a table in a cell.
fn inner_row(header: &[String], cells: &[String]) -> String {
    let mut row = String::new();
    for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
        row.push_str(if row.is_empty() { "" } else { ", " });
        if let Some(title) = header.get(column).filter(|title| !title.trim().is_empty()) {
            row.push_str(&one_line(title));
            row.push(' ');
        }
        row.push_str(&one_line(cell));
    }
    row
}

fn data_blocks(rows: Vec<Row>) -> Vec<Block> {
    let is_title_row =
        |row: &Row| row.is_head || (row.cells.len() > 1 && row.cells.iter().all(|it| it.is_title));
    let title_rows = rows.iter().take_while(|row| is_title_row(row)).count();
    // Titles without anything under them are values.
    let title_rows = if title_rows == rows.len() { 0 } else { title_rows };
    let has_row_titles = rows.iter().all(
        |row| matches!(row.cells.as_slice(), [title, value] if title.is_title && !value.is_title),
    );
    let says_titles = rows.iter().any(|row| row.is_head || row.cells.iter().any(|it| it.is_title));
    let mut grid = Grid::of(rows);
    if has_row_titles {
        return grid.rows.into_iter().filter_map(titled_row).collect();
    }
    if title_rows == 0 && !says_titles {
        return Table::of_rows(grid.rows).into_blocks().collect();
    }
    let below = grid.rows.split_off(title_rows.min(grid.rows.len()));
    Table { header: joined_titles(&grid.rows), rows: below }.into_blocks().collect()
}

/// A row that begins with its title: `Weight: 3 kg`.
fn titled_row(row: Vec<String>) -> Option<Block> {
    let mut cells = row.into_iter();
    let header = vec![cells.next()?].into();
    let cells: Vec<String> = cells.collect();
    cells.iter().any(|cell| !cell.trim().is_empty()).then_some(Block::Row { header, cells })
}

/// Titles over titles are one: `2024 Spring`.
fn joined_titles(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut titles = vec![Vec::<&str>::new(); columns];
    for row in rows {
        for (title, cell) in titles.iter_mut().zip(row) {
            let cell = cell.trim();
            if !cell.is_empty() && title.last() != Some(&cell) {
                title.push(cell);
            }
        }
    }
    titles.into_iter().map(|title| title.join(" ")).collect()
}
