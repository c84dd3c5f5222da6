//! Which number format the cells of an `.xls` have: 0.15 that is shown as 15 %.
//!
//! `calamine` reads the values of an `.xls` but keeps of its formats only which are dates. So the
//! records that say them are read once more here, as \[MS-XLS\] describes them: the format codes
//! (2.4.126), which of them an XF record means (2.4.353), and which XF a cell of numbers has. What
//! is damaged or unknown has no format; its value is there all the same. A workbook of under four
//! KiB, which its container keeps elsewhere, has none either.

use std::collections::HashMap;

use super::number_format::NumberFormat;
use crate::ole;

/// Records of a workbook and of a sheet.
const BEGINNING: u16 = 0x0809;
const END: u16 = 0x000A;
const SHEET: u16 = 0x0085;
const FORMAT: u16 = 0x041E;
const XF: u16 = 0x00E0;
/// Records of cells. The first three begin with a row, a column and an XF.
const NUMBER: u16 = 0x0203;
const PACKED_NUMBER: u16 = 0x027E;
const FORMULA: u16 = 0x0006;
const PACKED_NUMBERS: u16 = 0x00BD;

/// The version of the format since Excel 97, whose strings may be UTF-16.
const EXCEL_97: u16 = 0x0600;

/// The formats of the cells of one workbook.
#[derive(Debug, Default)]
pub(super) struct BinaryFormats {
    /// By the number of the XF.
    formats: Vec<Option<NumberFormat>>,
    /// By the number of the sheet, and there by row and column: the XF of cells with a format.
    cells: Vec<HashMap<(u32, u32), usize>>,
}

impl BinaryFormats {
    /// Reads them; what is not found has none.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let stream = ["Workbook", "Book"].iter().find_map(|name| ole::stream(bytes, name));
        stream.map_or_else(Self::default, |stream| Self::of_stream(&stream))
    }

    fn of_stream(stream: &[u8]) -> Self {
        let (mut codes, mut meant) = (HashMap::new(), Vec::new());
        let (mut has_utf16, mut sheets) = (true, Vec::new());
        for (kind, content) in Records(stream).take_while(|(kind, _)| *kind != END) {
            match kind {
                BEGINNING => has_utf16 = u16_at(content, 0) == Some(EXCEL_97),
                FORMAT => codes.extend(code_of(content, has_utf16)),
                XF => meant.push(u16_at(content, 2).unwrap_or_default()),
                SHEET => sheets.extend(u32_at(content, 0)),
                _ => {}
            }
        }
        let code =
            |number: &u16| codes.get(number).map_or_else(|| built_in(*number), String::as_str);
        let mut found = Self {
            formats: meant.iter().map(|number| NumberFormat::of_code(code(number))).collect(),
            cells: Vec::new(),
        };
        // A damaged workbook may name one sheet a thousand times.
        let mut left = stream.len();
        for start in sheets {
            let sheet = stream.get(start as usize..).unwrap_or_default();
            let cells = found.cells_of(sheet, &mut left);
            found.cells.push(cells);
        }
        found
    }

    fn cells_of(&self, sheet: &[u8], left: &mut usize) -> HashMap<(u32, u32), usize> {
        let mut cells = HashMap::new();
        let mut add = |row: u16, column: u16, format: u16| {
            let format = usize::from(format);
            if self.formats.get(format).is_some_and(Option::is_some) {
                cells.insert((u32::from(row), u32::from(column)), format);
            }
        };
        // Charts in a sheet are records between a beginning and an end of their own.
        let mut depth = 0_usize;
        for (kind, content) in Records(sheet) {
            let Some(rest) = left.checked_sub(4 + content.len()) else { break };
            *left = rest;
            match kind {
                BEGINNING => depth += 1,
                END if depth <= 1 => break,
                END => depth -= 1,
                _ if depth > 1 => {}
                NUMBER | PACKED_NUMBER | FORMULA => {
                    let words = [0, 2, 4].map(|at| u16_at(content, at));
                    if let [Some(row), Some(column), Some(format)] = words {
                        add(row, column, format);
                    }
                }
                PACKED_NUMBERS => {
                    // A row, the first column, an XF and four bytes of number each, the last column.
                    let (Some(row), Some(first)) = (u16_at(content, 0), u16_at(content, 2)) else {
                        continue;
                    };
                    let numbers = content.get(4..).unwrap_or_default().chunks_exact(6);
                    for (column, number) in (first..=u16::MAX).zip(numbers) {
                        add(row, column, u16_at(number, 0).unwrap_or_default());
                    }
                }
                _ => {}
            }
        }
        cells
    }

    /// How the cell of a sheet shows its number; `sheet`, row and column count from 0.
    pub(super) fn of_cell(&self, sheet: usize, cell: (u32, u32)) -> Option<&NumberFormat> {
        self.formats.get(*self.cells.get(sheet)?.get(&cell)?)?.as_ref()
    }
}

/// The number and the code of a format.
fn code_of(content: &[u8], has_utf16: bool) -> Option<(u16, String)> {
    let number = u16_at(content, 0)?;
    if !has_utf16 {
        let length = usize::from(*content.get(2)?);
        return Some((number, latin(content.get(3..3 + length)?)));
    }
    let (length, flags) = (usize::from(u16_at(content, 2)?), *content.get(4)?);
    let code = if flags & 1 == 0 {
        latin(content.get(5..5 + length)?)
    } else {
        let units = content.get(5..5 + 2 * length)?.chunks_exact(2);
        let units = units.map(|unit| u16_at(unit, 0).unwrap_or_default());
        char::decode_utf16(units).map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    Some((number, code))
}

/// Bytes of Windows-1252, which currencies of old files are written in.
fn latin(bytes: &[u8]) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

/// The codes that files need not say (ECMA-376, part 1, 18.8.30).
fn built_in(number: u16) -> &'static str {
    match number {
        1 => "0",
        2 | 39 | 40 => "0.00",
        3 | 37 | 38 => "#,##0",
        4 => "#,##0.00",
        9 => "0%",
        10 => "0.00%",
        _ => "General",
    }
}

/// The records of a stream: kinds and contents.
struct Records<'a>(&'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (kind, length) = (u16_at(self.0, 0)?, usize::from(u16_at(self.0, 2)?));
        let content = self.0.get(4..4 + length)?;
        self.0 = self.0.get(4 + length..)?;
        Some((kind, content))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::mutations;

    fn record(kind: u16, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len()).unwrap();
        [&kind.to_le_bytes()[..], &length.to_le_bytes(), content].concat()
    }

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A workbook of one sheet, whose XFs are: none, percent, euros.
    fn workbook(cells: &[Vec<u8>]) -> Vec<u8> {
        let euros = "0.00\\ \"€\"";
        let units: Vec<u16> = euros.encode_utf16().collect();
        let length = u16::try_from(units.len()).unwrap();
        let format = [words(&[164, length]), vec![1], words(&units)].concat();
        let globals = |start: u32| {
            [
                record(BEGINNING, &words(&[EXCEL_97, 5])),
                record(FORMAT, &format),
                record(XF, &words(&[0, 0, 0])),
                record(XF, &words(&[0, 9, 0])),
                record(XF, &words(&[0, 164, 0])),
                record(SHEET, &[&start.to_le_bytes()[..], &[0, 0, 1, 0, b'A']].concat()),
                record(END, &[]),
            ]
            .concat()
        };
        let start = u32::try_from(globals(0).len()).unwrap();
        let sheet = [record(BEGINNING, &words(&[EXCEL_97, 16])), cells.concat(), record(END, &[])];
        [globals(start), sheet.concat()].concat()
    }

    #[test]
    fn cells_have_the_formats_that_their_records_name() {
        let chart = [
            record(BEGINNING, &words(&[EXCEL_97, 32])),
            record(NUMBER, &words(&[9, 9, 1])),
            record(END, &[]),
        ];
        let stream = workbook(&[
            record(NUMBER, &[words(&[0, 0, 1]), 0.15_f64.to_le_bytes().to_vec()].concat()),
            chart.concat(),
            record(PACKED_NUMBERS, &words(&[1, 2, 0, 0, 0, 2, 0, 0, 1, 0, 0, 4])),
        ]);
        let formats = BinaryFormats::of_stream(&stream);
        let shown = |row, column| formats.of_cell(0, (row, column)).map(|it| it.write(0.15));
        assert_eq!(shown(0, 0).as_deref(), Some("15%"));
        assert_eq!(shown(1, 2), None, "its XF has no format");
        assert_eq!(shown(1, 3).as_deref(), Some("0.15 €"));
        assert_eq!(shown(1, 4).as_deref(), Some("15%"));
        assert_eq!(shown(9, 9), None, "that is a chart's");
        assert_eq!(formats.of_cell(1, (0, 0)), None);
    }

    /// A container whose only stream is this workbook.
    fn container(stream: &[u8]) -> Vec<u8> {
        const SECTOR: usize = 512;
        let sector_count = stream.len().max(4096).div_ceil(SECTOR);
        let mut header = vec![0_u8; SECTOR];
        header[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
        header[0x18..0x20].copy_from_slice(&words(&[0x3E, 3, 0xFFFE, 9]));
        header[0x20] = 6;
        header[0x2C] = 1;
        header[0x30] = 1;
        header[0x38..0x3C].copy_from_slice(&4096_u32.to_le_bytes());
        for end in [0x3C, 0x44] {
            header[end..end + 4].copy_from_slice(&0xFFFF_FFFE_u32.to_le_bytes());
        }
        header[0x4C..].fill(0xFF);
        header[0x4C..0x50].fill(0);
        // Sector 0 is this table, sector 1 the directory, the stream fills those from 2.
        let last = sector_count + 1;
        let next = |at: usize| match at {
            0 => 0xFFFF_FFFD,
            1 => 0xFFFF_FFFE,
            at if at < last => u32::try_from(at + 1).unwrap(),
            at if at == last => 0xFFFF_FFFE,
            _ => u32::MAX,
        };
        let table: Vec<u8> = (0..SECTOR / 4).flat_map(|at| next(at).to_le_bytes()).collect();
        let entry = |name: &str, kind: u8, child: u32, start: u32, size: usize| {
            let mut entry = vec![0; 128];
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            entry[..units.len()].copy_from_slice(&units);
            entry[0x40] = u8::try_from(units.len() + 2).unwrap();
            (entry[0x42], entry[0x43]) = (kind, 1);
            entry[0x44..0x4C].fill(0xFF);
            entry[0x4C..0x50].copy_from_slice(&child.to_le_bytes());
            entry[0x74..0x78].copy_from_slice(&start.to_le_bytes());
            entry[0x78..0x7C].copy_from_slice(&u32::try_from(size).unwrap().to_le_bytes());
            entry
        };
        let directory = [
            entry("Root Entry", 5, 1, 0xFFFF_FFFE, 0),
            entry("Workbook", 2, u32::MAX, 2, sector_count * SECTOR),
            vec![0; 256],
        ];
        let mut bytes = [header, table, directory.concat(), stream.to_vec()].concat();
        bytes.resize(SECTOR * (3 + sector_count), 0);
        bytes
    }

    #[test]
    fn an_xls_shows_its_numbers_as_its_program_did() {
        let number = |row, format, value: f64| {
            record(NUMBER, &[words(&[row, 0, format]), value.to_le_bytes().to_vec()].concat())
        };
        let bytes =
            container(&workbook(&[number(0, 1, 0.15), number(1, 2, 29.5), number(2, 0, 7.0)]));
        let content = crate::sheets::read(
            &crate::input::Input {
                bytes: &bytes,
                file_name: "remises.xls",
                password: None,
                recognise: false,
                libraries: &crate::Libraries::default(),
                depth: 0,
                progress: &|_| (),
            },
            crate::format::Format::Xls,
        );
        let read = format!("{:?}", content.unwrap().blocks);
        for shown in ["15%", "29.50 €", "\"7\""] {
            assert!(read.contains(shown), "{shown} in {read}");
        }
    }

    #[test]
    fn damaged_records_have_no_formats_but_end() {
        let stream = workbook(&[record(PACKED_NUMBERS, &words(&[1, 2, 1, 0, 0, 2]))]);
        for damaged in mutations(&stream, 500) {
            let _ = BinaryFormats::of_stream(&damaged);
        }
        for damaged in
            mutations(include_bytes!("../../tests/documents/docl__legacy_sample.xls"), 300)
        {
            let _ = BinaryFormats::of(&damaged);
        }
    }
}
