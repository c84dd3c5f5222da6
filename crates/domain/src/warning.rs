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
    /// Far more text came out of a small file than such files hold.
    ManyChunks {
        /// How many passages the document has.
        chunks: u32,
        /// The size of the file.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        bytes: u64,
    },
    /// Much of the text is no text: signs that cannot be printed.
    MostlyUnprintable {
        /// How many of a hundred characters.
        percent: u32,
    },
    /// Almost no text came out of a large file.
    LittleText {
        /// How many characters did.
        characters: u32,
        /// The size of the file.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        bytes: u64,
    },
}

/// From how many chunks on a document may be odd.
const MANY_CHUNKS: u32 = 1_000;

/// How many characters a byte of a file gives at most in files as people have them: office
/// formats are compressed, to a tenth or so, and tables repeat their headers.
const CHARACTERS_PER_BYTE: u64 = 40;

/// From what share of unprintable characters on, in percent, a text is odd.
const UNPRINTABLE_PERCENT: usize = 20;

/// From how many bytes on a file should have text in it.
const LARGE_FILE: u64 = 1024 * 1024;

/// Fewer characters than this are almost none, for a large file.
const LITTLE_TEXT: u32 = 500;

impl Warning {
    /// What is odd about the number of chunks of a document, if something is.
    pub fn of_chunk_count(chunks: u32, characters: u32, bytes: u64) -> Option<Self> {
        let is_odd = chunks >= MANY_CHUNKS
            && u64::from(characters) > bytes.saturating_mul(CHARACTERS_PER_BYTE);
        is_odd.then_some(Self::ManyChunks { chunks, bytes })
    }

    /// What is odd about the text that was read of a file of `bytes` bytes.
    pub fn of_text(text: &str, bytes: u64) -> Vec<Self> {
        let mut found = Vec::new();
        let (mut characters, mut visible, mut unprintable) = (0, 0, 0);
        for character in text.chars() {
            characters += 1;
            visible += usize::from(!character.is_whitespace());
            unprintable += usize::from(is_unprintable(character));
        }
        // A few signs in a short text say nothing.
        if visible >= 50 && unprintable * 100 >= visible * UNPRINTABLE_PERCENT {
            let percent = u32::try_from(unprintable * 100 / visible).unwrap_or(100);
            found.push(Self::MostlyUnprintable { percent });
        }
        if bytes >= LARGE_FILE && characters < LITTLE_TEXT {
            found.push(Self::LittleText { characters, bytes });
        }
        found
    }
}

/// Controls, U+FFFD, the areas for private use, and what is no character.
fn is_unprintable(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(character,
            '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{F0000}'..)
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
            Self::ManyChunks { chunks, bytes } => write!(
                formatter,
                "{chunks} passages came out of a file of {bytes} bytes; have a look whether it is \
                 what you meant."
            ),
            Self::MostlyUnprintable { percent } => write!(
                formatter,
                "{percent}% of the characters cannot be printed; the file is hardly a text."
            ),
            Self::LittleText { characters, bytes } => write!(
                formatter,
                "Only {characters} characters of text are in this file of {bytes} bytes."
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
    fn what_is_odd_about_a_document_is_said() {
        assert_eq!(Warning::of_chunk_count(5_000, 9_000_000, 3_000_000), None, "a plain text");
        assert_eq!(Warning::of_chunk_count(400, 700_000, 10), None, "not many");
        let bomb = Warning::ManyChunks { chunks: 5_000, bytes: 40_000 };
        assert_eq!(Warning::of_chunk_count(5_000, 9_000_000, 40_000), Some(bomb));

        assert_eq!(Warning::of_text(&"Une phrase. ".repeat(90), 5_000_000), []);
        let glyphs = "a\u{E001}\u{E002}\u{FFFD} ".repeat(40);
        assert_eq!(Warning::of_text(&glyphs, 200), [Warning::MostlyUnprintable { percent: 75 }]);
        let little = Warning::LittleText { characters: 7, bytes: 2_000_000 };
        assert_eq!(Warning::of_text("Bonjour", 2_000_000), [little]);
        assert_eq!(Warning::of_text("Bonjour", 2_000), []);
    }

    #[test]
    fn a_warning_is_a_word_with_its_numbers_in_json() {
        let warning = Warning::GarbledPages { pages: vec![2], total: 3 };
        let json = serde_json::to_value(&warning).unwrap();
        assert_eq!(json, serde_json::json!({ "code": "garbled_pages", "pages": [2], "total": 3 }));
        assert_eq!(serde_json::from_value::<Warning>(json).unwrap(), warning);
    }
}
