//! Tables: rows of cells that each stand alone as `title: value`.
//!
//! A table is known by the lines drawn around its cells (`rule`, `grid`, `enclosed`, `ruled`) or
//! by cells that stand under each other (`aligned`, `pairs`); `header` tells which rows title the columns. One that goes
//! on at the top of the next page keeps its titles. Everything that is not certain stays lines: a
//! false table scrambles text, a missed one only loses its column titles.

mod aligned;
mod enclosed;
mod grid;
mod header;
mod pairs;
mod rule;
mod ruled;

use std::sync::Arc;

use self::header::TextRow;
use super::hyphen::Vocabulary;
use super::line::Line;
use crate::content::{Block, one_line};

pub(super) use self::aligned::is_aligned;
pub(super) use self::enclosed::in_grids;
pub(super) use self::grid::Grid;
pub(super) use self::rule::Rules;

/// A longer first cell of two is no name of the second, in characters.
const MAX_NAME_LENGTH: usize = 60;

/// A table that may go on at the top of the next page.
#[derive(Debug, Clone)]
pub(super) struct Table {
    columns: Vec<Column>,
    titles: Arc<[String]>,
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
    /// Its rows, and what stands across it.
    pub(super) blocks: Vec<Block>,
    /// What its continuation needs.
    pub(super) table: Table,
}

/// The table that begins with the first of the lines; `open` is the one at the end of the page
/// before, which may go on here.
pub(super) fn at_start(
    lines: &[Line],
    grids: &[Grid],
    open: Option<&Table>,
    vocabulary: &Vocabulary,
) -> Option<Found> {
    let Some(number) = lines.first()?.table else {
        return aligned::at_start(lines, open, vocabulary);
    };
    let count = lines.iter().take_while(|line| line.table == Some(number)).count();
    let (lines, grid) = (lines.get(..count)?, grids.get(number)?);
    let rows = ruled::rows(lines, grid, vocabulary);
    let sides = ruled::column_sides(lines, grid).into_iter();
    let columns = sides.map(|(start, end)| Column { start, end }).collect();
    Some(Found::of(rows, columns, count, open))
}

impl Found {
    fn of(
        mut rows: Vec<TextRow>,
        columns: Vec<Column>,
        line_count: usize,
        open: Option<&Table>,
    ) -> Self {
        let mut blocks = Vec::new();
        // What is written over the whole width, before or between the rows, is text.
        let above = rows.iter().take_while(|row| row.across().is_some()).count();
        for row in rows.drain(..above) {
            blocks.extend(row.across().map(|text| Block::Paragraph(text.to_owned())));
        }
        let own = header::titles(&rows);
        let open = open.filter(|_| above == 0);
        let (titles, title_rows) = match (open.filter(|it| it.columns.len() == columns.len()), own)
        {
            (Some(open), Some((titles, count))) if is_same(&titles, &open.titles) => {
                (Arc::clone(&open.titles), count)
            }
            (Some(open), own) if is_same_layout(&open.columns, &columns) => {
                let is_new = own.as_ref().is_some_and(|(_, count)| {
                    rows.split_at_checked(*count).is_some_and(|(head, body)| {
                        header::is_set_apart(head.iter().all(|row| row.is_bold), body)
                    })
                });
                own.filter(|_| is_new).unwrap_or_else(|| (Arc::clone(&open.titles), 0))
            }
            (_, own) => own.unwrap_or_else(|| (Arc::new([]), 0)),
        };
        // A header is repeated in the middle where a program set pages of another length.
        let rows = rows.into_iter().skip(title_rows);
        blocks.extend(rows.filter(|row| !is_same(&row.cells, &titles)).map(
            |row| match row.across() {
                Some(text) => Block::Paragraph(text.to_owned()),
                None => row_block(row.cells, &titles),
            },
        ));
        Self { line_count, blocks, table: Table { columns, titles } }
    }
}

/// The row under its titles. Where two columns have none, the first cell names the second.
fn row_block(mut cells: Vec<String>, titles: &Arc<[String]>) -> Block {
    if let [name, value] = cells.as_mut_slice()
        && titles.is_empty()
        && !value.is_empty()
        && name.chars().count() <= MAX_NAME_LENGTH
        && name.contains(char::is_alphabetic)
        && !header::is_amount(name)
    {
        let (name, value) = (std::mem::take(name), std::mem::take(value));
        return Block::Row { header: Arc::new([name]), cells: vec![value] };
    }
    Block::Row { header: Arc::clone(titles), cells }
}

/// Whether two rows say the same, however they are set.
fn is_same(row: &[String], other: &[String]) -> bool {
    let plain = |text: &String| one_line(text).replace(' ', "").to_lowercase();
    !row.is_empty() && row.len() == other.len() && row.iter().map(plain).eq(other.iter().map(plain))
}

fn is_same_layout(one: &[Column], other: &[Column]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.start < other.end && other.start < one.end)
}
