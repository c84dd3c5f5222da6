//! Finds the tables in the rows of a sheet or of separated values.
//!
//! People write titles above a table, leave blank rows, put two tables on one sheet and titles in
//! two lines. So rows that follow each other without a gap are one region; its header is the first
//! of its first rows that looks like one; what stands above it is text. Rows come one by one and
//! leave as blocks, so a long table is never held twice. What a row's cells mean by their colour or
//! their border is not looked at.

mod budget;
mod header;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::header::{Header, header_at};
use crate::ExtractError;
use crate::content::Block;

pub(crate) use self::budget::CellBudget;

/// How many rows may stand above a header in its region.
const HEADER_REACH: usize = 10;

/// A row of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SheetRow {
    /// From 0.
    pub(crate) number: u32,
    /// Its cells with their columns, from 0, ascending; blank ones are not there.
    pub(crate) cells: Vec<(u32, String)>,
    /// The first and the last column of cells that are merged over several.
    pub(crate) spans: Vec<(u32, u32)>,
}

/// What became of a row.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PlacedBlock {
    /// The row's number.
    pub(crate) row: u32,
    /// Its first and last column.
    pub(crate) columns: (u32, u32),
    /// Its text; a header's is in the rows below it.
    pub(crate) block: Option<Block>,
}

/// Takes the rows of one sheet in their order.
pub(crate) struct TableFinder<'a> {
    budget: &'a mut CellBudget,
    /// The beginning of a region whose header is not known yet.
    waiting: Vec<SheetRow>,
    is_looking: bool,
    /// That of the region, or while one is looked for, that of the region before.
    header: Option<Header>,
    last_row: Option<u32>,
    placed: Vec<PlacedBlock>,
}

impl<'a> TableFinder<'a> {
    pub(crate) fn new(budget: &'a mut CellBudget) -> Self {
        Self {
            budget,
            waiting: Vec::new(),
            is_looking: true,
            header: None,
            last_row: None,
            placed: Vec::new(),
        }
    }

    /// Takes a row; one without cells separates what is above from what is below.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`].
    pub(crate) fn row(&mut self, row: SheetRow) -> Result<(), ExtractError> {
        if row.cells.is_empty() {
            return Ok(());
        }
        if self.last_row.is_some_and(|last| row.number != last.saturating_add(1)) {
            self.end_region()?;
        }
        self.last_row = Some(row.number);
        if !self.is_looking {
            return self.place(&row);
        }
        self.waiting.push(row);
        if self.waiting.len() > HEADER_REACH { self.begin_table() } else { Ok(()) }
    }

    /// No row follows.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`].
    pub(crate) fn end_region(&mut self) -> Result<(), ExtractError> {
        self.begin_table()?;
        self.is_looking = true;
        Ok(())
    }

    /// What has become of the rows since the last time.
    pub(crate) fn take_placed(&mut self) -> std::vec::Drain<'_, PlacedBlock> {
        self.placed.drain(..)
    }

    fn begin_table(&mut self) -> Result<(), ExtractError> {
        let rows = std::mem::take(&mut self.waiting);
        self.is_looking = false;
        let mut found = None;
        for at in 0..rows.len().saturating_sub(1).min(HEADER_REACH) {
            let Some((header, height)) = header_at(&rows[at..]) else { continue };
            let is_title = |row: &SheetRow| row.cells.len() < header.titles.len();
            if rows[..at].iter().all(is_title) {
                found = Some((at, height, header));
            }
            break;
        }
        let body = if let Some((above, height, header)) = found {
            for row in &rows[..above] {
                self.place_text(row)?;
            }
            for row in &rows[above..above + height] {
                self.put(row, None);
            }
            self.header = Some(header);
            &rows[above + height..]
        } else {
            let fits = |header: &Header| rows.iter().all(|row| header.suits(row));
            if !self.header.as_ref().is_some_and(fits) {
                self.header = None;
            }
            &rows[..]
        };
        if let [row] = body
            && row.cells.len() == 1
            && self.header.is_none()
        {
            return self.place_text(row);
        }
        body.iter().try_for_each(|row| self.place(row))
    }

    fn place(&mut self, row: &SheetRow) -> Result<(), ExtractError> {
        if row.cells.len() == 1 && !row.spans.is_empty() {
            return self.place_text(row);
        }
        let Some(header) = self.header.clone() else {
            let cells = row.cells.iter().map(|(_, text)| text.clone()).collect();
            self.budget.take(row, row.cells.len())?;
            self.put(row, Some(Block::Row { header: Arc::new([]), cells }));
            return Ok(());
        };
        let mut cells: Vec<String> = Vec::new();
        for (column, text) in &row.cells {
            let at = column.checked_sub(header.first_column).map_or(0, |at| at as usize);
            // Past the header nothing has a title, so the blanks between are of no use.
            if at < header.titles.len() && cells.len() < at {
                cells.resize(at, String::new());
            } else if at >= header.titles.len() && cells.len() < header.titles.len() {
                cells.resize(header.titles.len(), String::new());
            }
            cells.push(text.clone());
        }
        self.budget.take(row, cells.len())?;
        let begins_before = row.cells.first().is_some_and(|(it, _)| *it < header.first_column);
        let block = if begins_before {
            cells.retain(|cell| !cell.is_empty());
            Some(Block::Row { header: Arc::new([]), cells })
        } else if *cells == *header.titles {
            // Long tables are printed with their header on every page.
            None
        } else {
            Some(Block::Row { header: header.titles, cells })
        };
        self.put(row, block);
        Ok(())
    }

    fn place_text(&mut self, row: &SheetRow) -> Result<(), ExtractError> {
        self.budget.take(row, row.cells.len())?;
        let texts: Vec<&str> = row.cells.iter().map(|(_, text)| text.as_str()).collect();
        self.put(row, Some(Block::Paragraph(texts.join(" "))));
        Ok(())
    }

    fn put(&mut self, row: &SheetRow, block: Option<Block>) {
        let first = row.cells.first().map_or(0, |(column, _)| *column);
        let last = row.cells.last().map_or(first, |(column, _)| *column);
        let last = row.spans.iter().map(|(_, last)| *last).max().unwrap_or(last).max(last);
        self.placed.push(PlacedBlock { row: row.number, columns: (first, last), block });
    }
}
