//! Bytes in, text with an outline out.
//!
//! [`parse_file`] and [`parse_bytes`] read every format that Ancre takes; the rest of the product
//! sees only [`Parsed`]. Nothing here knows databases, models or the network. This version reads
//! Markdown, plain text, logs and comma-separated values; a file of another kind is refused by
//! name, and one that only calls itself text is refused by its content.

mod clean;
mod decode;
mod error;
mod file;
mod format;
mod language;
mod latin9;
mod markdown;
mod signature;
mod utf16;

pub use error::ExtractError;
pub use file::{ParsedFile, parse_file};
pub use format::{is_supported, supported_extensions};
pub use language::detect_language;

use ancre_domain::{Heading, Language};

use crate::format::Format;

/// The most bytes that are read of one document: 50 MiB. Past that a text is a database, and its
/// chunks would fill an index by themselves.
pub const MAX_BYTE_COUNT: u64 = 50 * 1024 * 1024;

/// What was read of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The text: no byte-order mark, line ends as `\n`, no control characters but `\n` and `\t`,
    /// composed (Unicode's normal form C). This is what is stored, cut into chunks and cited.
    pub text: String,
    /// The title in a Markdown text's front matter, else its first heading of level 1, else its
    /// first heading; for everything else the file's name without its extension.
    pub title: String,
    /// The media type, such as `text/markdown`.
    pub mime: &'static str,
    /// The headings, in order.
    pub outline: Vec<Heading>,
    /// The language of the text, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// The name of the encoding the bytes were read in, such as `windows-1252`.
    pub encoding: &'static str,
    /// What a person should know of the reading, as English sentences.
    pub warnings: Vec<String>,
}

/// Reads a document that is in memory. `file_name` says the format by its extension and lends
/// its stem as a title; folders before it do not matter.
///
/// # Errors
///
/// [`ExtractError`]: [`Unsupported`](ExtractError::Unsupported) by extension or by content,
/// [`Binary`](ExtractError::Binary), [`Empty`](ExtractError::Empty) or
/// [`TooLarge`](ExtractError::TooLarge).
pub fn parse_bytes(bytes: &[u8], file_name: &str) -> Result<Parsed, ExtractError> {
    let format = Format::of_name(file_name.as_ref())?;
    refuse_beyond_limit(bytes.len() as u64)?;
    signature::refuse_known_binary(bytes)?;

    let decoded = decode::decode(bytes);
    let text = clean::clean(&decoded.text)?;
    if text.trim().is_empty() {
        return Err(ExtractError::Empty);
    }
    let stem = format::stem(file_name);
    let (outline, title) = match format {
        Format::Markdown => {
            let reading = markdown::read(&text);
            (reading.outline, reading.title.unwrap_or(stem))
        }
        Format::PlainText | Format::Csv => (Vec::new(), stem),
    };
    Ok(Parsed {
        title,
        mime: format.mime(),
        outline,
        language: detect_language(&text),
        encoding: decoded.encoding,
        warnings: decoded.warnings,
        text,
    })
}

fn refuse_beyond_limit(byte_count: u64) -> Result<(), ExtractError> {
    if byte_count > MAX_BYTE_COUNT {
        return Err(ExtractError::TooLarge { byte_count, limit: MAX_BYTE_COUNT });
    }
    Ok(())
}
