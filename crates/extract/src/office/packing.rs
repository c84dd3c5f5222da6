//! Writes the packages of tests, and reads them as the product does.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::content::Content;
use crate::format::Format;
use crate::input::Input;
use crate::read::{content_of, parse};
use crate::{ExtractError, Libraries, Parsed};

/// A package of these entries, each a name and its content.
pub(crate) fn pack(entries: &[(&str, &str)]) -> Vec<u8> {
    write(entries, CompressionMethod::Deflated)
}

/// The same without compression.
pub(crate) fn pack_stored(entries: &[(&str, &str)]) -> Vec<u8> {
    write(entries, CompressionMethod::Stored)
}

fn write(entries: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .compression_level((method == CompressionMethod::Deflated).then_some(6));
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The text, outline and pages of a package that is read as this format.
pub(crate) fn read(bytes: &[u8], format: Format) -> Result<Parsed, ExtractError> {
    with_input(bytes, format, parse)
}

/// The same without the finished text.
pub(crate) fn content(bytes: &[u8], format: Format) -> Result<Content, ExtractError> {
    with_input(bytes, format, |input| Ok(content_of(input)?.1))
}

fn with_input<T>(
    bytes: &[u8],
    format: Format,
    read: impl FnOnce(&Input<'_>) -> Result<T, ExtractError>,
) -> Result<T, ExtractError> {
    let file_name = format!("sample{}", format.extension());
    read(&Input {
        bytes,
        file_name: &file_name,
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}

/// The text of each page, with its number.
pub(crate) fn pages(parsed: &Parsed) -> Vec<(u32, String)> {
    let pages = parsed.pagination.iter().flat_map(|it| &it.pages).collect::<Vec<_>>();
    let ends = pages.iter().skip(1).map(|page| page.start).chain([u32::MAX]);
    let text = |start: u32, end: u32| -> String {
        let length = end.saturating_sub(start) as usize;
        parsed.text.chars().skip(start as usize).take(length).collect()
    };
    pages
        .iter()
        .zip(ends)
        .map(|(page, end)| (page.number, text(page.start, end).trim().to_owned()))
        .collect()
}
