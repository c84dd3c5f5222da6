//! The four kinds of workbook behind one face.
//!
//! `calamine` reads those of Excel. Of today's cells are read one after the other, so that two
//! cells in opposite corners do not ask for the room of all between; of an `.xls` it gives whole
//! ranges. Number formats and merged cells are not known for `.xlsb`.

use std::collections::HashMap;
use std::io::Cursor;

use calamine::{
    Data, DataType as _, Dimensions, Range, Reader as _, SheetType, SheetVisible, Xls, XlsError,
    Xlsb, XlsbError, Xlsx, XlsxError,
};

use super::binary_formats::BinaryFormats;
use super::comments::{self, CellComment};
use super::merges::MergedCells;
use super::number_format::NumberFormat;
use super::open_document::{OpenDocumentBook, OpenDocumentSheet};
use super::value::text_of;
use crate::format::Format;
use crate::tables::SheetRow;
use crate::{ExtractError, package};

type Bytes<'a> = Cursor<&'a [u8]>;

/// Called with each row that has cells, in order.
pub(super) type OnRow<'a> = &'a mut dyn FnMut(SheetRow) -> Result<(), ExtractError>;

/// A workbook.
pub(super) enum Workbook<'a> {
    Xlsx(Box<Xlsx<Bytes<'a>>>, HashMap<String, Vec<CellComment>>),
    Xlsb(Box<Xlsb<Bytes<'a>>>),
    Xls(Box<Xls<Bytes<'a>>>, BinaryFormats),
    OpenDocument(OpenDocumentBook),
}

/// A sheet that has cells, as the workbook lists it.
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) is_hidden: bool,
}

impl<'a> Workbook<'a> {
    /// Opens a workbook of this format.
    ///
    /// # Errors
    ///
    /// [`ExtractError::Password`], [`ExtractError::TooLarge`], [`ExtractError::Corrupt`].
    pub(super) fn open(bytes: &'a [u8], format: Format) -> Result<Self, ExtractError> {
        if format == Format::Xls {
            return Xls::new(Cursor::new(bytes))
                .map(|it| Self::Xls(Box::new(it), BinaryFormats::of(bytes)))
                .map_err(xls_error);
        }
        if format == Format::Ods {
            return OpenDocumentBook::read(bytes).map(Self::OpenDocument);
        }
        package::check_budget(bytes)?;
        match Xlsx::new(Cursor::new(bytes)) {
            Ok(workbook) => Ok(Self::Xlsx(Box::new(workbook), comments::of_package(bytes))),
            // Binary workbooks are packages as well, and are called `.xlsx` by mistake.
            Err(error) => Xlsb::new(Cursor::new(bytes))
                .map(|it| Self::Xlsb(Box::new(it)))
                .map_err(|_| xlsx_error(error)),
        }
    }

    /// The title of its metadata.
    pub(super) fn title(&mut self) -> Option<String> {
        let properties = match self {
            Self::Xlsx(it, _) => it.workbook_properties().ok(),
            Self::Xlsb(it) => it.workbook_properties().ok(),
            Self::Xls(it, _) => it.workbook_properties().ok(),
            Self::OpenDocument(it) => return it.title.take(),
        };
        properties?.title
    }

    /// Its sheets, without charts and macros.
    pub(super) fn sheets(&self) -> Vec<Sheet> {
        let sheets = match self {
            Self::Xlsx(it, _) => it.sheets_metadata(),
            Self::Xlsb(it) => it.sheets_metadata(),
            Self::Xls(it, _) => it.sheets_metadata(),
            Self::OpenDocument(it) => {
                let sheet = |it: &OpenDocumentSheet| Sheet {
                    name: it.name.clone(),
                    is_hidden: it.is_hidden,
                };
                return it.sheets.iter().map(sheet).collect();
            }
        };
        sheets
            .iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet)
            .map(|sheet| Sheet {
                name: sheet.name.clone(),
                is_hidden: sheet.visible != SheetVisible::Visible,
            })
            .collect()
    }

    /// What people have remarked on the cells of a sheet.
    pub(super) fn comments(&mut self, sheet: &str) -> Vec<CellComment> {
        match self {
            Self::Xlsx(_, comments) => comments.remove(sheet).unwrap_or_default(),
            Self::OpenDocument(workbook) => {
                let found = workbook.sheets.iter_mut().find(|it| it.name == sheet);
                found.map(|sheet| std::mem::take(&mut sheet.comments)).unwrap_or_default()
            }
            Self::Xlsb(_) | Self::Xls(..) => Vec::new(),
        }
    }

    /// Reads the rows of a sheet. Rows before a damaged place are given before the error.
    ///
    /// # Errors
    ///
    /// [`ExtractError::Corrupt`], and what `on_row` says.
    pub(super) fn read(&mut self, sheet: &str, on_row: OnRow<'_>) -> Result<(), ExtractError> {
        match self {
            Self::Xlsx(workbook, _) => read_xlsx(workbook, sheet, on_row),
            Self::Xlsb(workbook) => read_xlsb(workbook, sheet, on_row),
            Self::Xls(workbook, formats) => {
                let merged = workbook.merge_cells_by_sheet_name(sheet).unwrap_or_default();
                let range = workbook.worksheet_range(sheet).map_err(xls_error)?;
                let number = workbook.sheets_metadata().iter().position(|it| it.name == sheet);
                let format = |cell| formats.of_cell(number?, cell);
                read_range(&range, merged, &format, on_row)
            }
            Self::OpenDocument(workbook) => {
                let found = workbook.sheets.iter_mut().find(|it| it.name == sheet);
                found.map_or(Ok(()), |sheet| read_open_document(sheet, on_row))
            }
        }
    }
}

fn read_xlsx(
    workbook: &mut Xlsx<Bytes<'_>>,
    sheet: &str,
    on_row: OnRow<'_>,
) -> Result<(), ExtractError> {
    // A sheet whose end is damaged has cells all the same.
    let merged = workbook.merge_cells_by_sheet_name(sheet).unwrap_or_default();
    let mut cells = workbook.worksheet_cells_reader(sheet).map_err(xlsx_error)?;
    let formats: Vec<Option<NumberFormat>> = cells
        .styles()
        .iter()
        .map(|style| NumberFormat::of_code(&style.number_format.as_ref()?.format_code))
        .collect();
    let mut rows = Rows::new(merged, on_row);
    // A cell that cannot be read costs itself; the sheet is known to lack something.
    let mut lost = None;
    let end = loop {
        match cells.next_cell_with_style_id() {
            Ok(Some((cell, _))) if !is_on_a_sheet(cell.get_position()) => {
                lost.get_or_insert(ExtractError::corrupt("a cell lies outside of its sheet"));
            }
            Ok(Some((cell, style))) => {
                let format = formats.get(style).and_then(Option::as_ref);
                rows.cell(cell.get_position(), text_of(cell.get_value().clone().into(), format))?;
            }
            Ok(None) => break Ok(()),
            // Newer errors than the library knows, such as `#SPILL!`: none of them says anything.
            Err(XlsxError::CellError(_)) => {}
            Err(error) if is_of_one_cell(&error) => _ = lost.get_or_insert(xlsx_error(error)),
            Err(error) => break Err(xlsx_error(error)),
        }
    };
    rows.finish()?;
    end.and_then(|()| lost.map_or(Ok(()), Err))
}

/// Whether the reader can go on behind the error: it is of what a cell or a row says, and not of the
/// XML around it. The element that says it is read by then, so the same error does not come again.
fn is_of_one_cell(error: &XlsxError) -> bool {
    matches!(
        error,
        XlsxError::Alphanumeric(_)
            | XlsxError::NumericColumn(_)
            | XlsxError::RangeWithoutColumnComponent
            | XlsxError::RangeWithoutRowComponent
            | XlsxError::ColumnNumberOverflow
            | XlsxError::RowNumberOverflow
            | XlsxError::CellTAttribute(_)
            | XlsxError::Parse(_)
            | XlsxError::ParseInt(_)
            | XlsxError::ParseFloat(_)
            | XlsxError::Unexpected(_)
            | XlsxError::UnexpectedNode(_)
            | XlsxError::Unrecognized { .. }
            | XlsxError::XmlAttr(_)
    )
}

/// Whether a sheet has this row and column (ECMA-376 leaves the limits to programs; these are
/// Excel's).
fn is_on_a_sheet((row, column): (u32, u32)) -> bool {
    row < 1 << 20 && column < 1 << 14
}

fn read_xlsb(
    workbook: &mut Xlsb<Bytes<'_>>,
    sheet: &str,
    on_row: OnRow<'_>,
) -> Result<(), ExtractError> {
    let mut cells = workbook.worksheet_cells_reader(sheet).map_err(xlsb_error)?;
    let mut rows = Rows::new(Vec::new(), on_row);
    let end = loop {
        match cells.next_cell() {
            Ok(Some(cell)) => {
                rows.cell(cell.get_position(), text_of(cell.get_value().clone().into(), None))?;
            }
            Ok(None) => break Ok(()),
            Err(error) => break Err(xlsb_error(error)),
        }
    };
    rows.finish()?;
    end
}

fn read_range<'f>(
    range: &Range<Data>,
    merged: Vec<Dimensions>,
    format: &dyn Fn((u32, u32)) -> Option<&'f NumberFormat>,
    on_row: OnRow<'_>,
) -> Result<(), ExtractError> {
    let Some((first_row, first_column)) = range.start() else { return Ok(()) };
    let mut rows = Rows::new(merged, on_row);
    for (row, column, value) in range.used_cells().filter(|(_, _, value)| !value.is_empty()) {
        let row = u32::try_from(row).unwrap_or(u32::MAX).saturating_add(first_row);
        let column = u32::try_from(column).unwrap_or(u32::MAX).saturating_add(first_column);
        rows.cell((row, column), text_of(value.clone(), format((row, column))))?;
    }
    rows.finish()
}

fn read_open_document(
    sheet: &mut OpenDocumentSheet,
    on_row: OnRow<'_>,
) -> Result<(), ExtractError> {
    let mut merged = MergedCells::new(std::mem::take(&mut sheet.merged));
    for mut row in std::mem::take(&mut sheet.rows) {
        merged.complete(&mut row);
        on_row(row)?;
    }
    sheet.damage.take().map_or(Ok(()), Err)
}

/// Puts cells together to rows.
struct Rows<'a> {
    row: SheetRow,
    merged: MergedCells,
    on_row: OnRow<'a>,
}

impl<'a> Rows<'a> {
    fn new(merged: Vec<Dimensions>, on_row: OnRow<'a>) -> Self {
        Self { row: SheetRow::default(), merged: MergedCells::new(merged), on_row }
    }

    fn cell(&mut self, (row, column): (u32, u32), text: String) -> Result<(), ExtractError> {
        if row != self.row.number {
            self.finish()?;
            self.row.number = row;
        }
        if !text.trim().is_empty() {
            self.row.cells.push((column, text));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), ExtractError> {
        let mut row = std::mem::take(&mut self.row);
        if row.cells.is_empty() {
            return Ok(());
        }
        // Cells in another order, or twice, are the mark of a file that a program made badly.
        row.cells.sort_by_key(|(column, _)| *column);
        row.cells.dedup_by_key(|(column, _)| *column);
        self.merged.complete(&mut row);
        (self.on_row)(row)
    }
}

const PASSWORD: ExtractError = ExtractError::Password { can_unlock: false };

fn xlsx_error(error: XlsxError) -> ExtractError {
    match error {
        XlsxError::Password => PASSWORD,
        error => ExtractError::corrupt(error),
    }
}

fn xlsb_error(error: XlsbError) -> ExtractError {
    match error {
        XlsbError::Password => PASSWORD,
        error => ExtractError::corrupt(error),
    }
}

fn xls_error(error: XlsError) -> ExtractError {
    match error {
        XlsError::Password => PASSWORD,
        error => ExtractError::corrupt(error),
    }
}
