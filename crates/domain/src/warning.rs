//! What a person should know of how a document was read and indexed.
//!
//! A warning is no error: the document is there and is searched, but something of it is not, or is
//! doubtful. Each is a word with its numbers, so that an interface can say it in the reader's
//! language and show the pages it means; `Display` is the English sentence.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Something to know of a document that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Warning {
    /// Some bytes are not of the encoding the text is in and stand as U+FFFD.
    ReplacedCharacters {
        /// The encoding, such as `UTF-8`.
        encoding: String,
    },
    /// The file is damaged: what could be read is here, the rest is lost.
    Partial {
        /// The pages that were lost, where the format has pages and they are known.
        pages: Vec<u32>,
    },
    /// Pages that are pictures of text: nothing was read of them.
    ScannedPages {
        /// Which.
        pages: Vec<u32>,
        /// How many pages the document has.
        total: u32,
    },
    /// Pages whose text was recognised from a picture, by us or by who made the file.
    RecognisedPages {
        /// Which.
        pages: Vec<u32>,
        /// How many pages the document has.
        total: u32,
    },
    /// Pages whose text looks garbled: few words on them are words.
    GarbledPages {
        /// Which.
        pages: Vec<u32>,
        /// How many pages the document has.
        total: u32,
    },
    /// Parts inside the file that are not read: attachments, pictures, archives.
    SkippedParts {
        /// Their names.
        names: Vec<String>,
    },
    /// Passages that end outside the model's window; their ends are not searched by meaning.
    OutsideWindow {
        /// How many.
        passages: u32,
        /// How many passages the document has.
        total: u32,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReplacedCharacters { encoding } => {
                write!(formatter, "Some bytes are not {encoding} and were replaced by “\u{FFFD}”.")
            }
            Self::Partial { pages } if pages.is_empty() => {
                formatter.write_str("The file is damaged; what could be read of it is here.")
            }
            Self::Partial { pages } => write!(
                formatter,
                "The file is damaged; what could be read of it is here, without {}.",
                page_list(pages)
            ),
            Self::ScannedPages { pages, total } => write!(
                formatter,
                "{} of {total} pages are scans and were not read: {}.",
                pages.len(),
                page_list(pages)
            ),
            Self::RecognisedPages { pages, total } => write!(
                formatter,
                "The text of {} of {total} pages was recognised from pictures: {}.",
                pages.len(),
                page_list(pages)
            ),
            Self::GarbledPages { pages, total } => write!(
                formatter,
                "The text of {} of {total} pages looks garbled: {}.",
                pages.len(),
                page_list(pages)
            ),
            Self::SkippedParts { names } => {
                write!(formatter, "Parts of it were not read: {}.", names.join(", "))
            }
            Self::OutsideWindow { passages, total } => write!(
                formatter,
                "{passages} of {total} passages end outside the model's window; what is there is \
                 not searched by meaning. Smaller passages avoid it."
            ),
        }
    }
}

/// `page 4`, `pages 1–3, 7`.
fn page_list(pages: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => ranges.push((*page, *page)),
        }
    }
    let ranges: Vec<String> = ranges
        .into_iter()
        .map(
            |(first, last)| {
                if first == last { first.to_string() } else { format!("{first}–{last}") }
            },
        )
        .collect();
    let word = if pages.len() == 1 { "page" } else { "pages" };
    format!("{word} {}", ranges.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_pages_are_named_as_a_range() {
        let warning = Warning::ScannedPages { pages: vec![1, 2, 3, 7], total: 9 };
        assert_eq!(warning.to_string(), "4 of 9 pages are scans and were not read: pages 1–3, 7.");
    }

    #[test]
    fn a_warning_is_a_word_with_its_numbers_in_json() {
        let warning = Warning::GarbledPages { pages: vec![2], total: 3 };
        let json = serde_json::to_value(&warning).unwrap();
        assert_eq!(json, serde_json::json!({ "code": "garbled_pages", "pages": [2], "total": 3 }));
        assert_eq!(serde_json::from_value::<Warning>(json).unwrap(), warning);
    }
}
