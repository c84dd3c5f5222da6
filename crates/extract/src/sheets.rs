//! Workbooks: `.xlsx` (and what is called so), `.xls`, `.ods`.
//!
//! Each visible sheet becomes a heading, the text above its tables, and rows that say their
//! column titles; remarks on cells follow its rows. Formulas give the value that their program last
//! computed. Links and pictures are not read; hidden sheets are named in a warning, since what somebody has hidden is
//! not meant for an answer. A damaged `.xls` can make the library panic or ask for all memory,
//! which the worker process bounds.

mod binary_formats;
mod cell_ranges;
mod comments;
mod merges;
mod number_format;
mod open_document;
mod value;
mod workbook;

use ancre_domain::{PageKind, Warning};

use cell_ranges::CellRanges;
use comments::CellComment;
use workbook::{Sheet, Workbook};

use crate::content::{Block, Content};
use crate::format::{self, Format};
use crate::input::Input;
use crate::tables::{CellBudget, TableFinder};
use crate::{ExtractError, csv, xml};

/// What programs call a sheet that nobody has named, in lower case and without its number.
const DEFAULT_NAMES: [&str; 10] =
    ["sheet", "feuil", "feuille", "tabelle", "hoja", "foglio", "planilha", "blad", "ark", "arkusz"];

/// Reads a workbook.
///
/// # Errors
///
/// [`ExtractError::Password`], [`ExtractError::Unsupported`] for Excel before 1995,
/// [`ExtractError::TooLarge`], [`ExtractError::Corrupt`].
pub(crate) fn read(input: &Input<'_>, format: Format) -> Result<Content, ExtractError> {
    if format == Format::Xls && !input.bytes.starts_with(OLE_MARK) {
        return read_bare_xls(input);
    }
    let mut workbook = Workbook::open(input.bytes, format)?;
    let (sheets, hidden): (Vec<Sheet>, Vec<Sheet>) =
        workbook.sheets().into_iter().partition(|sheet| !sheet.is_hidden);
    let has_headings = match sheets.as_slice() {
        [only] => !is_default_name(&only.name),
        _ => true,
    };
    let mut content = Content { page_kind: Some(PageKind::Sheet), ..Content::default() };
    // The names of its sheets are parts of a workbook; none of them is its title.
    content.title = workbook
        .title()
        .filter(|title| !title.trim().is_empty())
        .or_else(|| Some(format::stem(input.file_name)));
    let mut budget = CellBudget::default();
    let (mut damaged, mut first_damage) = (Vec::new(), None);
    for (number, sheet) in (1..).zip(&sheets) {
        let mut ranges = CellRanges::new(number, &sheet.name, has_headings);
        let mut finder = TableFinder::new(&mut budget);
        let read = workbook.read(&sheet.name, &mut |row| {
            finder.row(row)?;
            finder.take_placed().for_each(|placed| ranges.add(placed, &mut content.blocks));
            Ok(())
        });
        match read {
            Ok(()) => {}
            Err(error @ ExtractError::Corrupt { .. }) => {
                damaged.push(number);
                first_damage.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
        finder.end_region()?;
        finder.take_placed().for_each(|placed| ranges.add(placed, &mut content.blocks));
        ranges.finish(&mut content.blocks);
        let remarks = workbook.comments(&sheet.name).into_iter();
        let mut remarks = remarks.map(CellComment::into_block).peekable();
        if remarks.peek().is_some() {
            content.blocks.push(Block::Page { number, label: Some(sheet.name.clone()) });
            content.blocks.extend(remarks);
        }
    }
    if content.blocks.is_empty()
        && let Some(damage) = first_damage
    {
        return Err(damage);
    }
    if !damaged.is_empty() {
        content.warnings.push(Warning::Partial { pages: damaged });
    }
    if !hidden.is_empty() {
        let names = hidden.into_iter().map(|sheet| sheet.name).collect();
        content.warnings.push(Warning::SkippedParts { names });
    }
    Ok(content)
}

/// The number as a format code shows it, for fuzzing.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn shown(code: &str, number: f64) -> Option<String> {
    number_format::NumberFormat::of_code(code).map(|format| format.write(number))
}

const OLE_MARK: &[u8] = b"\xD0\xCF\x11\xE0";

/// What is called `.xls` and is no container: Excel before 1995 wrote its records bare, and many
/// web applications write text and call it so.
fn read_bare_xls(input: &Input<'_>) -> Result<Content, ExtractError> {
    // The record that begins a file: 09, and the version of the format.
    if let [0x09, version @ (0x00 | 0x02 | 0x04 | 0x08), ..] = input.bytes {
        let version = match version {
            0x00 => "Excel 2",
            0x02 => "Excel 3",
            0x04 => "Excel 4",
            _ => "Excel 5",
        };
        return Err(ExtractError::Unsupported { format: version.to_owned() });
    }
    let start = input.bytes.trim_ascii_start();
    let read = if start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).starts_with(b"<?xml") {
        xml::read(input)
    } else {
        csv::read(input, None)
    };
    read.map_err(|error| match error {
        ExtractError::Binary { .. } => {
            ExtractError::corrupt("it does not begin as a .xls file does")
        }
        error => error,
    })
}

fn is_default_name(name: &str) -> bool {
    let name = name.trim_end_matches(|it: char| it.is_ascii_digit() || it == ' ').to_lowercase();
    DEFAULT_NAMES.contains(&name.as_str())
}

#[cfg(test)]
mod tests;
