//! Bytes in, text with pages and an outline out.
//!
//! A [`Reader`] reads every format that Ancre takes; the rest of the product sees only [`Parsed`].
//! Parsers of binary and compressed formats run in worker processes with limits, because files
//! come from anywhere: a damaged one costs itself and a typed error. Each parser turns its format
//! into blocks (`content`), and `compose` makes one text of them. Nothing here knows databases,
//! models or the network.

mod archive;
mod clean;
mod compose;
mod content;
mod csv;
mod decode;
mod epub;
mod error;
mod file;
mod fold;
mod format;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod h5p;
mod html;
mod input;
mod json;
mod language;
mod latin9;
mod mail;
mod markdown;
#[cfg(test)]
mod mutation;
mod office;
mod ole;
mod ooxml;
mod open_document;
mod operation;
mod package;
mod pdf;
mod picture;
mod plain;
mod quality;
mod read;
mod reader;
mod recognition;
mod records;
mod rtf;
mod sheets;
mod signature;
mod tables;
mod title;
mod utf16;
mod worker;
mod xml;

pub use archive::ArchivedFile;
pub use error::ExtractError;
pub use fold::fold_for_index;
pub use format::{is_supported, supported_extensions};
pub use input::{Libraries, ReadProgress};
pub use language::detect_language;
pub use reader::{ParsedFile, ReadFile, ReadOptions, Reader};
pub use worker::{Limits, WORKER_ARGUMENT, WorkerCommand, run_worker_if_asked};

use ancre_domain::{Heading, Language, Pagination, Warning};
use serde::{Deserialize, Serialize};

/// What was read of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parsed {
    /// The text: no byte-order mark, line ends as `\n`, no control characters but `\n` and `\t`,
    /// composed (Unicode's normal form C). This is what is stored, cut into chunks and cited.
    pub text: String,
    /// The title of the metadata if it is a real one, else the first heading of level 1, else the
    /// first heading, else the file's name without its extension.
    pub title: String,
    /// The media type, such as `text/markdown`: what the document is, whatever it was called.
    pub mime: String,
    /// The pages, where the format has pages.
    pub pagination: Option<Pagination>,
    /// The headings, in order.
    pub outline: Vec<Heading>,
    /// The language of the text, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// The name of the encoding the bytes were read in, such as `windows-1252`, where the format
    /// leaves it open.
    pub encoding: Option<String>,
    /// What a person should know of the reading.
    pub warnings: Vec<Warning>,
}

/// Reads a document of plain characters that is in memory: Markdown, text, separated values, JSON,
/// XML. No reader is needed, because none of these parsers runs in a worker.
///
/// # Errors
///
/// [`ExtractError`]; [`Unsupported`](ExtractError::Unsupported) for what is no plain text.
pub fn parse_text(bytes: &[u8], file_name: &str) -> Result<Parsed, ExtractError> {
    file::refuse_beyond_limit(bytes.len() as u64, format::Format::of_name(file_name.as_ref())?)?;
    match signature::sniff(bytes, format::Format::of_name(file_name.as_ref())?)? {
        signature::Kind::Format(format) if format.is_plain() => {}
        signature::Kind::Format(format) => {
            return Err(ExtractError::Unsupported { format: format.extension() });
        }
        signature::Kind::Package | signature::Kind::Ole => {
            return Err(ExtractError::Unsupported { format: "packed".to_owned() });
        }
    }
    read::parse(&input::Input {
        bytes,
        file_name,
        password: None,
        recognise: false,
        libraries: &Libraries::default(),
        depth: 0,
        progress: &|_| (),
    })
}
