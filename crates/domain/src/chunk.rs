//! A slice of a document.

use serde::{Deserialize, Serialize};

use crate::{ChunkId, DocumentId, PageKind};

/// A contiguous slice of a document's text.
///
/// Invariant: `content` is exactly the characters `range.start..range.end` of the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Chunk {
    /// Its id.
    pub id: ChunkId,
    /// The document it is cut from.
    pub document_id: DocumentId,
    /// Its place among the document's chunks, from 0.
    pub position: u32,
    /// The slice.
    pub content: String,
    /// Where the slice lies in the text.
    pub range: CharRange,
    /// The page its own text begins on, from 1, where the format has pages.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document calls the page, where that is more than its number.
    pub page_label: Option<String>,
    /// The path of headings it begins under, such as `Refunds › Deadlines`.
    pub heading: Option<String>,
    /// Estimated tokens: characters / 4.
    pub token_count: u32,
    /// How many of the model's tokens did not fit its window when the chunk was embedded; 0 when
    /// the vector covers the whole chunk.
    pub tokens_outside_window: u32,
}

/// A half-open range of characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CharRange {
    /// The first character.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
}

impl CharRange {
    /// How many characters it spans.
    pub const fn char_count(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// The slice of `text` that it covers; `None` when it reaches past the end.
    pub fn slice(self, text: &str) -> Option<&str> {
        if self.start > self.end {
            return None;
        }
        let boundaries =
            || text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
        let from = boundaries().nth(self.start as usize)?;
        let to = boundaries().nth(self.end as usize)?;
        Some(&text[from..to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_counts_characters_not_bytes() {
        let range = CharRange { start: 1, end: 3 };
        assert_eq!(range.slice("aéà!"), Some("éà"));
        assert_eq!(range.slice("aé"), None, "it reaches past the end");
        assert_eq!(CharRange { start: 2, end: 2 }.slice("aé"), Some(""));
    }
}
