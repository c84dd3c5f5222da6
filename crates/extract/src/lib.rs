//! Bytes in, text with an outline out.
//!
//! [`parse_file`] and [`parse_bytes`] read every format that Ancre takes; the rest of the product
//! sees only [`Parsed`]. Nothing here knows databases, models or the network. This version reads
//! Markdown and plain text; a file of another kind is refused by name.

mod error;

pub use error::ExtractError;

use ancre_domain::{Heading, Language};

/// What was read of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The text: no byte-order mark, line ends as `\n`, no NUL.
    pub text: String,
    /// The first heading of a Markdown text, else the file's name without its extension.
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
