//! Separated values: `.csv` with whatever separator, `.tsv`.
//!
//! The separator is the one that divides the first records most evenly, quotes respected; Excel's
//! `sep=;` line decides. Rows become tables as those of sheets do. A quote that never closes would
//! make one cell of the rest of the file, so such a file is read line by line and marked damaged.

use ancre_domain::Warning;

use crate::content::{Block, Content};
use crate::input::Input;
use crate::tables::{CellBudget, SheetRow, TableFinder};
use crate::{ExtractError, clean, decode};

/// How much is looked at to find the separator: bytes, and records.
const SAMPLE_BYTES: usize = 64 * 1024;
const SAMPLE_RECORDS: usize = 50;
/// What may separate, the likelier first.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// A quoted cell with more lines has lost its closing quote.
const MAX_QUOTED_LINES: usize = 1_000;

/// Reads the document; `separator` is that of its format, where it has one.
///
/// # Errors
///
/// [`ExtractError::Binary`], [`ExtractError::TooLarge`].
pub(crate) fn read(input: &Input<'_>, separator: Option<u8>) -> Result<Content, ExtractError> {
    let decoded = decode::decode(input.bytes);
    clean::refuse_control_characters(&decoded.text)?;
    let mut content = Content {
        warnings: decoded.warning().into_iter().collect(),
        encoding: Some(decoded.encoding),
        ..Content::default()
    };
    let (declared, text) = declared_separator(&decoded.text);
    let separator = declared.or(separator).or_else(|| sniff(text));
    let mut budget = CellBudget::default();
    let mut rows = Rows { finder: TableFinder::new(&mut budget), content: &mut content, number: 0 };
    match separator {
        Some(separator) if has_closed_quotes(text, separator) => {
            read_records(text, separator, &mut rows)?;
        }
        Some(separator) => {
            for line in text.lines() {
                read_records(line, separator, &mut rows)?;
            }
            rows.content.warnings.push(Warning::Partial { pages: Vec::new() });
        }
        // One column: each line is a value.
        None => {
            for line in text.lines() {
                rows.row([line.trim().trim_matches('"')].into_iter())?;
            }
        }
    }
    rows.finish()?;
    Ok(content)
}

/// Excel's first line `sep=;`, and what follows it.
fn declared_separator(text: &str) -> (Option<u8>, &str) {
    let text = text.trim_start_matches('\u{FEFF}');
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let first = first.trim_end_matches('\r').trim_matches('"');
    match first
        .get(..4)
        .filter(|it| it.eq_ignore_ascii_case("sep="))
        .map(|_| &first.as_bytes()[4..])
    {
        Some([separator]) => (Some(*separator), rest),
        _ => (None, text),
    }
}

/// The separator that gives most records the same number of cells; `None` for a single column.
fn sniff(text: &str) -> Option<u8> {
    let end = text.floor_char_boundary(SAMPLE_BYTES);
    // Without a record that is cut off.
    let end = if end < text.len() { text[..end].rfind('\n').unwrap_or(end) } else { end };
    let sample = &text[..end];
    let evenness = |separator: u8| {
        let mut counts: Vec<usize> = Vec::new();
        for_each_record(sample, separator, |record| {
            counts.push(record.len());
            Ok(counts.len() < SAMPLE_RECORDS)
        })
        .ok()?;
        // Titles above a table and notes below it have one cell.
        let divided = counts.iter().filter(|count| **count > 1).count();
        let (common, width) = counts
            .iter()
            .filter(|count| **count > 1)
            .map(|count| (counts.iter().filter(|it| *it == count).count(), *count))
            .max()?;
        (divided * 2 > counts.len()).then_some((common * 100 / counts.len(), width))
    };
    let mut best = None;
    for separator in SEPARATORS {
        if let Some(score) = evenness(separator)
            && best.is_none_or(|(most, _)| score > most)
        {
            best = Some((score, separator));
        }
    }
    best.map(|(_, separator)| separator)
}

fn for_each_record(
    text: &str,
    separator: u8,
    mut each: impl FnMut(&::csv::StringRecord) -> Result<bool, ExtractError>,
) -> Result<(), ExtractError> {
    let mut reader = ::csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut record = ::csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(ExtractError::corrupt)? {
        if !each(&record)? {
            break;
        }
    }
    Ok(())
}

fn read_records(text: &str, separator: u8, rows: &mut Rows<'_, '_>) -> Result<(), ExtractError> {
    for_each_record(text, separator, |record| {
        rows.row(record.iter())?;
        Ok(true)
    })
}

/// Whether each quoted cell ends, and soon enough.
fn has_closed_quotes(text: &str, separator: u8) -> bool {
    let (mut is_quoted, mut begins_cell, mut line_count) = (false, true, 0);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if is_quoted {
            match byte {
                b'"' if bytes.next_if_eq(&b'"').is_none() => is_quoted = false,
                b'\n' => {
                    line_count += 1;
                    if line_count > MAX_QUOTED_LINES {
                        return false;
                    }
                }
                _ => {}
            }
            continue;
        }
        if byte == b'"' && begins_cell {
            (is_quoted, line_count) = (true, 0);
        }
        begins_cell = byte == separator || matches!(byte, b'\n' | b'\r');
    }
    !is_quoted
}

struct Rows<'a, 'b> {
    finder: TableFinder<'b>,
    content: &'a mut Content,
    number: u32,
}

impl Rows<'_, '_> {
    fn row<'c>(&mut self, cells: impl Iterator<Item = &'c str>) -> Result<(), ExtractError> {
        let cells = (0..)
            .zip(cells)
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(column, text)| (column, text.trim().to_owned()))
            .collect();
        self.finder.row(SheetRow { number: self.number, cells, spans: Vec::new() })?;
        self.number = self.number.saturating_add(1);
        self.keep();
        Ok(())
    }

    fn finish(mut self) -> Result<(), ExtractError> {
        self.finder.end_region()?;
        self.keep();
        Ok(())
    }

    fn keep(&mut self) {
        let blocks: &mut Vec<Block> = &mut self.content.blocks;
        blocks.extend(self.finder.take_placed().filter_map(|placed| placed.block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;
    use crate::{Parsed, parse_text};

    fn parsed(text: &str) -> Parsed {
        parse_text(text.as_bytes(), "tarifs.csv").unwrap()
    }

    #[test]
    fn each_separator_is_found() {
        for separator in [",", ";", "\t", "|"] {
            let text = "Plan;Price;Note\r\nDuo;29;\"two, or; more\tof|it\"\r\nSolo;19;\r\n";
            let quoted = "\"two, or; more\tof|it\"";
            let source = text.replace(quoted, "@").replace(';', separator).replace('@', quoted);
            assert_eq!(
                parsed(&source).text,
                "- Plan: Duo; Price: 29; Note: two, or; more of|it\n- Plan: Solo; Price: 19\n",
                "{separator:?}"
            );
        }
    }

    #[test]
    fn decimal_commas_do_not_separate() {
        assert_eq!(
            parsed("Plan;Price\nDuo;29,90\nSolo;19,90\n").text,
            "- Plan: Duo; Price: 29,90\n- Plan: Solo; Price: 19,90\n"
        );
    }

    #[test]
    fn the_line_of_excel_decides() {
        assert_eq!(parsed("sep=|\r\nA|B\r\n1,2|3,4\r\n").text, "- A: 1,2; B: 3,4\n");
    }

    #[test]
    fn a_title_and_blank_lines_stand_above_the_header() {
        assert_eq!(
            parsed("Prices of this year\n\nPlan;Price\nDuo;29\nSolo\nTrio;39;extra\n").text,
            "Prices of this year\n\n- Plan: Duo; Price: 29\n- Plan: Solo\n\
             - Plan: Trio; Price: 39; extra\n"
        );
    }

    #[test]
    fn a_quote_that_never_closes_does_not_swallow_the_file() {
        let parsed = parsed("Plan,Price\nDuo,\"29\nSolo,19\nTrio,39\n");
        assert_eq!(
            parsed.text,
            "- Plan: Duo; Price: 29\n- Plan: Solo; Price: 19\n- Plan: Trio; Price: 39\n"
        );
        assert_eq!(parsed.warnings, [Warning::Partial { pages: Vec::new() }]);
    }

    #[test]
    fn a_quoted_cell_may_have_lines() {
        let parsed = parsed("Question,Answer\nReturns?,\"Yes.\nWithin \"\"30\"\" days.\"\n");
        assert_eq!(parsed.text, "- Question: Returns?; Answer: Yes. Within \"30\" days.\n");
        assert!(parsed.warnings.is_empty());
    }

    #[test]
    fn one_column_is_a_list_and_french_is_set_in_french() {
        assert_eq!(parsed("apples, red\npears\nplums\n").text, "- apples, red\n- pears\n- plums\n");
        let latin = encoding_rs::ISO_8859_15;
        let bytes = latin.encode("Forfait;Prix de l'œuvre\nDécouverte à vie;12 €\n").0;
        let parsed = parse_text(&bytes, "a.csv").unwrap();
        assert_eq!(
            parsed.text,
            "- Forfait\u{a0}: Découverte à vie\u{202f}; Prix de l'œuvre\u{a0}: 12 €\n"
        );
        assert_eq!(parsed.encoding.as_deref(), Some("ISO-8859-15"));
    }

    #[test]
    fn tabs_separate_in_their_own_format_and_utf_16_is_read() {
        let text = "Name\tValue\nA, b\t1\n";
        let units = |mark: bool| {
            let mark: &[u16] = if mark { &[0xFEFF] } else { &[] };
            mark.iter().copied().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        };
        for bytes in [text.as_bytes().to_vec(), units(true), units(false)] {
            assert_eq!(parse_text(&bytes, "a.tsv").unwrap().text, "- Name: A, b; Value: 1\n");
        }
    }

    #[test]
    fn damaged_values_are_read_or_refused() {
        let text = "sep=;\nPlan;Price\n\"Duo\";29,90\n\n\"So\"\"lo\";19\n|é€\n";
        for damaged in mutations(text.as_bytes(), 500) {
            let _ = parse_text(&damaged, "a.csv");
            let _ = parse_text(&damaged, "a.tsv");
        }
    }
}
