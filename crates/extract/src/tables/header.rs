//! The header of a region: titles in one row or in two, over the rows that they name.
//!
//! Where people merge cells, a title stands over several columns; where they leave a corner blank,
//! it has one column less than its rows. A row of names and values is no header.

use std::sync::Arc;

use super::SheetRow;
use crate::content::{looks_like_header, one_line};

/// A wider header is a matrix without titles.
const MAX_HEADER_WIDTH: usize = 1_000;

/// A longer title is none, in bytes.
const MAX_TITLE: usize = 1_000;

/// How many columns a cell may title on average where the titles of a wide header stand in merged
/// cells.
const MAX_SPREAD: usize = 16;

/// The titles of columns.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) titles: Arc<[String]>,
    /// The column of the first.
    pub(super) first_column: u32,
}

impl Header {
    /// Whether a row of a region without header can go on under this one: blank rows often stand
    /// between the groups of one table.
    pub(super) fn suits(&self, row: &SheetRow) -> bool {
        let columns = self.first_column..self.first_column.saturating_add(self.width());
        row.cells.len() > 1
            && row.cells.len() * 2 >= self.titles.len()
            && row.cells.iter().all(|(column, _)| columns.contains(column))
    }

    fn width(&self) -> u32 {
        u32::try_from(self.titles.len()).unwrap_or(u32::MAX)
    }
}

/// The header that the first of these rows begins, and how many rows it takes; something must
/// follow it.
pub(super) fn header_at(rows: &[SheetRow]) -> Option<(Header, usize)> {
    let [upper, lower, rest @ ..] = rows else { return None };
    let is_label_like = |row: &SheetRow| row.cells.iter().all(|(_, text)| text.len() <= MAX_TITLE);
    let cell_count = upper.cells.len() + lower.cells.len();
    let width = last_column(upper)?.abs_diff(upper.cells.first()?.0) as usize;
    if !is_label_like(upper) || width > cell_count * MAX_SPREAD {
        return None;
    }
    if !rest.is_empty()
        && let Some(header) = two_line_header(upper, lower)
    {
        return Some((header, 2));
    }
    let mut titles = titles_of(upper)?;
    let mut own: Vec<String> = upper.cells.iter().map(|(_, text)| text.clone()).collect();
    name_years(&mut own);
    // Here and there a column has no title.
    let blank_count = titles.iter().filter(|title| title.is_empty()).count();
    if !looks_like_header(&own)
        || blank_count * 3 > titles.len()
        || is_label(upper) && is_label(lower)
    {
        return None;
    }
    let mut first_column = upper.cells.first()?.0;
    // A table with titles on two sides has a blank corner.
    if lower.cells.first().is_some_and(|(column, _)| column.checked_add(1) == Some(first_column)) {
        first_column -= 1;
        titles.insert(0, String::new());
    }
    Some((Header { titles: titles.into(), first_column }, 1))
}

/// Whether a row is a name with its value, as in `Town: | Lyon`.
fn is_label(row: &SheetRow) -> bool {
    row.cells.first().is_some_and(|(_, text)| text.trim_end().ends_with(':'))
}

/// A title over several columns with one of its own for each below.
fn two_line_header(upper: &SheetRow, lower: &SheetRow) -> Option<Header> {
    if upper.spans.is_empty()
        || upper.cells.len() < 2
        || lower.cells.iter().any(|(_, text)| text.len() > MAX_TITLE)
    {
        return None;
    }
    let first_column = upper.cells.first()?.0.min(lower.cells.first()?.0);
    let last_column = last_column(upper)?.max(last_column(lower)?);
    let width = (last_column - first_column) as usize + 1;
    let cell_count = upper.cells.len() + lower.cells.len();
    if width > MAX_HEADER_WIDTH.min(cell_count * MAX_SPREAD) {
        return None;
    }
    let (above, below) = (spread(upper, first_column, width), spread(lower, first_column, width));
    let is_spanned = |at: usize| {
        let column = first_column + u32::try_from(at).unwrap_or(u32::MAX);
        upper.spans.iter().any(|(first, last)| (*first..=*last).contains(&column))
    };
    let mut titles = Vec::with_capacity(width);
    for (at, (above, below)) in above.into_iter().zip(below).enumerate() {
        let title = match (is_spanned(at), above.is_empty(), below.is_empty()) {
            (true, false, false) => format!("{above} › {below}"),
            (false, false, false) if above != below => return None,
            (false, false, _) => above,
            (_, true, false) => below,
            _ => return None,
        };
        titles.push(title);
    }
    looks_like_header(&titles).then(|| Header { titles: titles.into(), first_column })
}

/// The titles from the first to the last, those over several columns in each.
fn titles_of(row: &SheetRow) -> Option<Vec<String>> {
    let first = row.cells.first()?.0;
    let width = (last_column(row)? - first) as usize + 1;
    (width <= MAX_HEADER_WIDTH).then(|| spread(row, first, width))
}

fn last_column(row: &SheetRow) -> Option<u32> {
    let spanned = row.spans.iter().map(|(_, last)| *last).max();
    row.cells.last().map(|(column, _)| spanned.map_or(*column, |last| last.max(*column)))
}

fn spread(row: &SheetRow, first_column: u32, width: usize) -> Vec<String> {
    let mut titles = vec![String::new(); width];
    for (column, text) in &row.cells {
        let span = row.spans.iter().find(|(first, _)| first == column);
        for column in *column..=span.map_or(*column, |(_, last)| *last) {
            let at = column.checked_sub(first_column).map(|at| at as usize);
            if let Some(title) = at.and_then(|at| titles.get_mut(at))
                && title.is_empty()
            {
                *title = one_line(text);
            }
        }
    }
    titles
}

/// Years that follow each other are titles, not values; the judge of headers wants words.
fn name_years(titles: &mut [String]) {
    let year = |title: &String| {
        title.parse::<u16>().ok().filter(|year| (1900..=2100).contains(year) && title.len() == 4)
    };
    let years: Vec<u16> = titles.iter().filter_map(year).collect();
    if years.len() > 1 && years.windows(2).all(|pair| pair[0].abs_diff(pair[1]) == 1) {
        for title in titles {
            if year(title).is_some() {
                *title = format!("year {title}");
            }
        }
    }
}
