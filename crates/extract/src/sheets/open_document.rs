//! `.ods`: the sheets of a spreadsheet in the Open Document Format (ISO/IEC 26300, part 3, 9).
//!
//! An own walk of `content.xml`, because the file holds what its program displayed: `29,50 €`,
//! `12 %`, and `calamine` gives only the bare number, no merged cells, and asks for room for every
//! cell between two far ones. Dates and times are taken from their values, as ISO 8601. Comments
//! are kept apart; drawings and tables in cells are not read.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Cursor, Read as _};

use calamine::{Data, Dimensions};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;

use super::cell_ranges::cell_name;
use super::comments::CellComment;
use super::value::{plain_number, text_of};
use crate::tables::{CellBudget, SheetRow};
use crate::{ExtractError, package};

/// How much of a part is unpacked; what it declares may be a lie.
const MAX_PART_BYTES: u64 = 256 << 20;
/// The size of the largest sheet.
const MAX_ROWS: u32 = 1 << 20;
const MAX_COLUMNS: u32 = 1 << 14;

/// A sheet with its rows.
#[derive(Debug, Default)]
pub(super) struct OpenDocumentSheet {
    pub(super) name: String,
    pub(super) is_hidden: bool,
    pub(super) rows: Vec<SheetRow>,
    pub(super) merged: Vec<Dimensions>,
    pub(super) comments: Vec<CellComment>,
    /// What is wrong with the file at its end.
    pub(super) damage: Option<ExtractError>,
}

/// A whole workbook.
pub(super) struct OpenDocumentBook {
    pub(super) title: Option<String>,
    pub(super) sheets: Vec<OpenDocumentSheet>,
}

impl OpenDocumentBook {
    /// Reads a workbook; a damaged place ends the reading, with what is before it.
    ///
    /// # Errors
    ///
    /// [`ExtractError::Password`], [`ExtractError::TooLarge`], [`ExtractError::Corrupt`].
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ExtractError> {
        package::check_budget(bytes)?;
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(ExtractError::corrupt)?;
        if is_encrypted(&mut archive) {
            return Err(ExtractError::Password { can_unlock: false });
        }
        let title = title_of(&mut archive);
        let part = archive.by_name("content.xml").map_err(ExtractError::corrupt)?;
        let mut walk = Walk::default();
        let walked = walk.read(BufReader::new(part.take(MAX_PART_BYTES)));
        let mut sheets = walk.sheets;
        match (walked, sheets.last_mut()) {
            (Ok(()), _) => {}
            (Err(damage @ ExtractError::Corrupt { .. }), Some(last)) => last.damage = Some(damage),
            (Err(error), _) => return Err(error),
        }
        Ok(Self { title, sheets })
    }
}

fn is_encrypted(archive: &mut ZipArchive<Cursor<&[u8]>>) -> bool {
    let Ok(part) = archive.by_name("META-INF/manifest.xml") else { return false };
    let mut manifest = Vec::new();
    // Of a damaged manifest what can be read tells enough.
    let _ = part.take(MAX_PART_BYTES).read_to_end(&mut manifest);
    String::from_utf8_lossy(&manifest).contains("encryption-data")
}

fn title_of(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Option<String> {
    let part = archive.by_name("meta.xml").ok()?;
    let mut meta = String::new();
    part.take(MAX_PART_BYTES).read_to_string(&mut meta).ok()?;
    let (_, rest) = meta.split_once("<dc:title>")?;
    let (title, _) = rest.split_once("</dc:title>")?;
    quick_xml::escape::unescape(title).ok().map(std::borrow::Cow::into_owned)
}

#[derive(Default)]
struct Walk {
    sheets: Vec<OpenDocumentSheet>,
    hidden_styles: HashSet<String>,
    style: String,
    budget: CellBudget,
    /// How many tables are open: one in a cell is not read.
    depth: u32,
    row: SheetRow,
    row_repeats: u32,
    column: u32,
    cell: Cell,
    /// The comment on the cell that is being read.
    comment: Option<String>,
    is_in_comment: bool,
    /// How many elements are open in a part that is not read.
    skipped: u32,
}

#[derive(Default)]
struct Cell {
    is_open: bool,
    repeats: u32,
    /// Columns and rows.
    spans: (u32, u32),
    /// Its value where the text is not taken.
    value: Option<Data>,
    /// Its number, for programs that do not write what is shown.
    number: Option<f64>,
    is_error: bool,
    text: String,
    is_in_paragraph: bool,
}

impl Walk {
    fn read(&mut self, part: impl BufRead) -> Result<(), ExtractError> {
        let mut reader = Reader::from_reader(part);
        reader.config_mut().expand_empty_elements = true;
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer).map_err(ExtractError::corrupt)? {
                Event::Start(start) => self.start(&start),
                Event::End(_) if self.skipped > 0 => self.skipped -= 1,
                Event::End(end) => self.end(end.local_name().as_ref())?,
                Event::Text(text) => self.text(&text.xml10_content()),
                Event::CData(text) => self.text(&text.xml10_content()),
                Event::GeneralRef(entity) => {
                    if let Ok(Some(character)) = entity.resolve_char_ref() {
                        self.text(character.encode_utf8(&mut [0; 4]));
                    } else {
                        let name = entity.xml10_content();
                        let text = quick_xml::escape::resolve_predefined_entity(&name);
                        self.text(text.unwrap_or_default());
                    }
                }
                Event::Eof if self.depth > 0 => {
                    return Err(ExtractError::corrupt("its content ends in a sheet"));
                }
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        let name = start.local_name();
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        match name.as_ref() {
            "style" => self.style = attribute(start, "name").unwrap_or_default(),
            "table-properties" if attribute(start, "display").as_deref() == Some("false") => {
                self.hidden_styles.insert(std::mem::take(&mut self.style));
            }
            "table" if self.depth == 0 => {
                self.depth = 1;
                let style = attribute(start, "style-name").unwrap_or_default();
                self.sheets.push(OpenDocumentSheet {
                    name: attribute(start, "name").unwrap_or_default(),
                    is_hidden: self.hidden_styles.contains(&style),
                    ..OpenDocumentSheet::default()
                });
                self.row = SheetRow::default();
            }
            "annotation" if self.cell.is_open => self.comment = Some(String::new()),
            "creator" | "date" | "date-string" if self.comment.is_some() => self.skipped = 1,
            "p" | "h" if self.comment.is_some() => self.is_in_comment = true,
            "table" | "annotation" | "shapes" | "frame" | "custom-shape" | "tracked-changes" => {
                self.skipped = 1;
            }
            "table-row" => {
                self.row_repeats = count(start, "number-rows-repeated").min(MAX_ROWS);
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" if self.depth > 0 => self.cell = Cell::of(start),
            "p" | "h" if self.cell.is_open => {
                if !self.cell.text.is_empty() {
                    self.cell.text.push('\n');
                }
                self.cell.is_in_paragraph = true;
            }
            "s" => {
                let blanks = count(start, "c").min(100);
                self.text(&" ".repeat(usize::try_from(blanks).unwrap_or(1)));
            }
            "tab" => self.text("\t"),
            "line-break" => self.text("\n"),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), ExtractError> {
        match name {
            "annotation" => self.end_comment()?,
            "p" | "h" if self.is_in_comment => {
                self.is_in_comment = false;
                self.text("\n");
            }
            "p" | "h" => self.cell.is_in_paragraph = false,
            "table-cell" | "covered-table-cell" if self.cell.is_open => self.end_cell()?,
            "table-row" if self.depth > 0 => self.end_row()?,
            "table" => self.depth = 0,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(comment) = &mut self.comment {
            if self.skipped == 0 && (self.is_in_comment || text == "\n") {
                comment.push_str(text);
            }
        } else if self.cell.is_in_paragraph && self.skipped == 0 {
            self.cell.text.push_str(text);
        }
    }

    fn end_comment(&mut self) -> Result<(), ExtractError> {
        let Some(text) = self.comment.take().filter(|text| !text.trim().is_empty()) else {
            return Ok(());
        };
        self.budget.take_bytes(text.len())?;
        let cell = cell_name(self.row.number, self.column);
        if let Some(sheet) = self.sheets.last_mut() {
            sheet.comments.push(CellComment { cell, author: None, text });
        }
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), ExtractError> {
        let cell = std::mem::take(&mut self.cell);
        let text = cell.shown();
        let (first, repeats) = (self.column, cell.repeats.min(MAX_COLUMNS));
        self.column = first.saturating_add(repeats).min(MAX_COLUMNS);
        if text.trim().is_empty() {
            return Ok(());
        }
        let (columns, rows) = cell.spans;
        if (columns > 1 || rows > 1)
            && let Some(sheet) = self.sheets.last_mut()
        {
            let end = (
                self.row.number.saturating_add(rows - 1).min(MAX_ROWS),
                first.saturating_add(columns - 1).min(MAX_COLUMNS),
            );
            sheet.merged.push(Dimensions::new((self.row.number, first), end));
        }
        // The row counts them again, which only halves the limit for what repeats.
        if repeats > 1 {
            let copies = usize::try_from(repeats).unwrap_or(usize::MAX);
            self.budget.take_bytes(text.len().saturating_mul(copies))?;
        }
        self.row.cells.extend((first..self.column).map(|column| (column, text.clone())));
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), ExtractError> {
        let next = SheetRow {
            number: self.row.number.saturating_add(self.row_repeats.max(1)),
            ..SheetRow::default()
        };
        let row = std::mem::replace(&mut self.row, next);
        let Some(sheet) = self.sheets.last_mut().filter(|_| !row.cells.is_empty()) else {
            return Ok(());
        };
        for number in row.number..self.row.number.min(MAX_ROWS) {
            self.budget.take(&row, row.cells.len())?;
            sheet.rows.push(SheetRow { number, ..row.clone() });
        }
        Ok(())
    }
}

impl Cell {
    fn of(start: &BytesStart<'_>) -> Self {
        let value = match attribute(start, "value-type").as_deref() {
            Some("date") => attribute(start, "date-value").map(Data::DateTimeIso),
            Some("time") => attribute(start, "time-value").map(Data::DurationIso),
            Some("boolean") => {
                attribute(start, "boolean-value").map(|value| Data::Bool(value == "true"))
            }
            _ => None,
        };
        let is_error = start
            .attributes()
            .with_checks(false)
            .flatten()
            .any(|it| it.key.as_ref() == "calcext:value-type" && it.value.as_ref() == "error");
        Self {
            is_open: true,
            repeats: count(start, "number-columns-repeated"),
            spans: (count(start, "number-columns-spanned"), count(start, "number-rows-spanned")),
            value,
            number: attribute(start, "value").and_then(|value| value.parse().ok()),
            is_error,
            ..Self::default()
        }
    }

    /// What is shown of it.
    fn shown(&self) -> String {
        match &self.value {
            _ if self.is_error => String::new(),
            Some(value) => text_of(value.clone(), None),
            None if self.text.is_empty() => self.number.map(plain_number).unwrap_or_default(),
            None => self.text.clone(),
        }
    }
}

/// An attribute by its local name; the first is that of the document's own vocabulary.
fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.local_name().as_ref() == name)?;
    attribute.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}

/// A number of times, at least 1.
fn count(start: &BytesStart<'_>, name: &str) -> u32 {
    attribute(start, name).and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
}
