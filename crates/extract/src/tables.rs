//! Finds the tables in the rows of a sheet or of separated values.
//!
//! People write titles above a table, leave blank rows, put two tables on one sheet and titles in
//! two lines. So rows that follow each other without a gap are one region; its header is the first
//! of its first rows that looks like one; what stands above it is text. Rows come one by one and
//! leave as blocks, so a long table is never held twice. What a row's cells mean by their colour or
//! their border is not looked at.

use std::sync::Arc;

use crate::ExtractError;
use crate::compose::MAX_TEXT_BYTES;
use crate::content::{Block, looks_like_header, one_line};

/// How many rows may stand above a header in its region.
const HEADER_REACH: usize = 10;
/// A wider header is a matrix without titles.
const MAX_HEADER_WIDTH: usize = 1_000;
/// A longer title is none, in bytes.
const MAX_TITLE: usize = 1_000;
/// How many columns a cell may title on average where the titles of a wide header stand in merged
/// cells.
const MAX_SPREAD: usize = 16;
/// How many cells of a document are read.
const MAX_CELLS: usize = 1_000_000;
/// How many cells the rows may have with the blank ones between, which take room too.
const MAX_PLACES: usize = 4_000_000;

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

/// How much of a document has been read.
#[derive(Debug, Default)]
pub(crate) struct CellBudget {
    cells: usize,
    places: usize,
    bytes: usize,
}

impl CellBudget {
    /// Counts the cells of a row.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] past a million cells or 64 MiB of text.
    pub(crate) fn take(&mut self, row: &SheetRow, places: usize) -> Result<(), ExtractError> {
        self.cells += row.cells.len();
        self.places += places;
        if self.cells > MAX_CELLS || self.places > MAX_PLACES {
            return Err(too_large("the number of its cells", MAX_CELLS.to_string()));
        }
        self.take_bytes(row.cells.iter().map(|(_, text)| text.len()).sum())
    }

    /// Counts the bytes of a text.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] past 64 MiB.
    pub(crate) fn take_bytes(&mut self, count: usize) -> Result<(), ExtractError> {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes > MAX_TEXT_BYTES {
            return Err(too_large("its text", format!("{} MiB", MAX_TEXT_BYTES >> 20)));
        }
        Ok(())
    }
}

fn too_large(what: &str, limit: String) -> ExtractError {
    ExtractError::TooLarge { what: what.to_owned(), size: "more".to_owned(), limit }
}

/// The titles of columns.
#[derive(Debug, Clone)]
struct Header {
    titles: Arc<[String]>,
    /// The column of the first.
    first_column: u32,
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

impl Header {
    /// Whether a row of a region without header can go on under this one: blank rows often stand
    /// between the groups of one table.
    fn suits(&self, row: &SheetRow) -> bool {
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
fn header_at(rows: &[SheetRow]) -> Option<(Header, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows from lines of cells divided by `|`; a blank line is a blank row. `>` in a cell means
    /// that the one before it is merged over it.
    fn read(lines: &str) -> Vec<String> {
        let mut budget = CellBudget::default();
        let mut finder = TableFinder::new(&mut budget);
        for (number, line) in (0..).zip(lines.lines()) {
            let mut row = SheetRow { number, ..SheetRow::default() };
            for (column, cell) in (0..).zip(line.split('|').map(str::trim)) {
                if cell == ">" {
                    let (first, _) = *row.cells.last().unwrap();
                    row.spans.retain(|(it, _)| *it != first);
                    row.spans.push((first, column));
                } else if !cell.is_empty() {
                    row.cells.push((column, cell.to_owned()));
                }
            }
            finder.row(row).unwrap();
        }
        finder.end_region().unwrap();
        let text = |block| match block {
            Block::Paragraph(text) => text,
            Block::Row { header, cells } => {
                let pair = |(at, cell): (usize, &String)| match header.get(at) {
                    _ if cell.is_empty() => String::new(),
                    Some(title) => format!("{title}={cell}"),
                    None => cell.clone(),
                };
                cells
                    .iter()
                    .enumerate()
                    .map(pair)
                    .filter(|it| !it.is_empty())
                    .collect::<Vec<_>>()
                    .join(";")
            }
            other => format!("{other:?}"),
        };
        finder.take_placed().filter_map(|placed| placed.block).map(text).collect()
    }

    #[test]
    fn a_header_stands_below_a_title() {
        assert_eq!(
            read("Tarifs 2024\nForfait|Prix\nDuo|29\nSolo|19"),
            ["Tarifs 2024", "Forfait=Duo;Prix=29", "Forfait=Solo;Prix=19"]
        );
        assert_eq!(
            read("Tarifs 2024\n\n|Forfait|Prix\n|Duo|29"),
            ["Tarifs 2024", "Forfait=Duo;Prix=29"]
        );
    }

    #[test]
    fn tables_with_a_gap_between_have_their_own_headers() {
        assert_eq!(read("A|B\n1|2\n\nC|D|E\n3|4|5\n\n\nfin"), ["A=1;B=2", "C=3;D=4;E=5", "fin"]);
    }

    #[test]
    fn a_table_goes_on_behind_a_blank_row() {
        assert_eq!(read("A|B\n1|2\n\n3|4\n5|6"), ["A=1;B=2", "A=3;B=4", "A=5;B=6"]);
    }

    #[test]
    fn rows_without_header_stand_alone() {
        assert_eq!(read("Duo|29\nSolo|19"), ["Duo;29", "Solo;19"]);
        assert_eq!(
            read("Dupont|12\nMartin|inconnu\nDurand|3"),
            ["Dupont;12", "Martin;inconnu", "Durand;3"]
        );
    }

    #[test]
    fn names_with_their_values_are_no_table() {
        assert_eq!(read("Client :|Dupont\nVille :|Lyon"), ["Client :;Dupont", "Ville :;Lyon"]);
    }

    #[test]
    fn a_column_may_lack_a_title() {
        assert_eq!(read("A||C\n1|2|3"), ["A=1;=2;C=3"]);
        assert_eq!(read("A||\n1|2|3"), ["A", "1;2;3"]);
    }

    #[test]
    fn a_title_over_several_columns_stands_in_each() {
        assert_eq!(read("Forfait|Prix|>\nDuo|29|290"), ["Forfait=Duo;Prix=29;Prix=290"]);
        assert_eq!(
            read("Forfait|Prix|>\n|par mois|par an\nDuo|29|290"),
            ["Forfait=Duo;Prix › par mois=29;Prix › par an=290"]
        );
    }

    #[test]
    fn years_and_a_blank_corner_make_a_header() {
        assert_eq!(read("|2023|2024\nCanards|170|180"), ["=Canards;2023=170;2024=180"]);
    }

    #[test]
    fn a_line_across_a_table_is_text_and_a_repeated_header_is_left_out() {
        assert_eq!(
            read("A|B\n1|2\nPartie 2|>\nA|B\n3|4\n|5|6|7"),
            ["A=1;B=2", "Partie 2", "A=3;B=4", "B=5;6;7"]
        );
    }

    #[test]
    fn a_title_that_is_merged_over_a_thousand_columns_titles_none() {
        let mut budget = CellBudget::default();
        let mut finder = TableFinder::new(&mut budget);
        let cells = |first: &str| vec![(0, first.to_owned()), (1, "x".to_owned())];
        for number in 0..30_000 {
            let (row, spans) = (number / 2 * 3 + number % 2, vec![(1, 999)]);
            finder.row(SheetRow { number: row, cells: cells("titre"), spans }).unwrap();
        }
        finder.end_region().unwrap();
        let titled = |placed: PlacedBlock| {
            matches!(
                placed.block,
                Some(Block::Row { header, .. }) if !header.is_empty()
            )
        };
        assert!(!finder.take_placed().any(titled));
    }

    #[test]
    fn a_million_cells_are_the_limit() {
        let mut budget = CellBudget::default();
        let mut finder = TableFinder::new(&mut budget);
        let cells = |count| (0..count).map(|column| (column, "x".to_owned())).collect();
        let mut read =
            |number| finder.row(SheetRow { number, cells: cells(10_000), spans: Vec::new() });
        let error = (0..200).find_map(|number| read(number).err()).unwrap();
        assert!(matches!(error, ExtractError::TooLarge { .. }), "{error}");
    }
}
