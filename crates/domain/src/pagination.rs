//! How a source's text is divided into pages, and where in it a passage lies.
//!
//! A page is what its format has: a page of a PDF, a slide, a range of cells. Word processors
//! have none of their own; what their files say of the last layout is kept as approximate.

use serde::{Deserialize, Serialize};

/// What the pages of a source are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum PageKind {
    /// Pages of a fixed layout: exact.
    Page,
    /// Pages as the last editor laid them out: “about page 3”.
    ApproximatePage,
    /// Slides: exact.
    Slide,
    /// Sheets; a long sheet has several entries of one number, each with its range of cells.
    Sheet,
}

impl PageKind {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::ApproximatePage => "approximate_page",
            Self::Slide => "slide",
            Self::Sheet => "sheet",
        }
    }

    /// The kind that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Page, Self::ApproximatePage, Self::Slide, Self::Sheet]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// Where one page begins in the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TextPage {
    /// Its number, from 1: of the page, the slide or the sheet.
    pub number: u32,
    /// What the document itself calls it, where that is more than the number: `xii`, or
    /// `Tarifs!A2:D51`.
    pub label: Option<String>,
    /// The first character of the text that is on it. A page without text begins where the next
    /// one does.
    pub start: u32,
}

/// The pages of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Pagination {
    /// What they are.
    pub kind: PageKind,
    /// Each with its beginning, in the order of the text.
    pub pages: Vec<TextPage>,
}

impl Pagination {
    /// How many pages there are: the highest number.
    pub fn page_count(&self) -> u32 {
        self.pages.iter().map(|page| page.number).max().unwrap_or(0)
    }

    /// The page on which character `at` of the text lies; `None` before the first.
    pub fn page_at(&self, at: u32) -> Option<&TextPage> {
        let before = self.pages.partition_point(|page| page.start <= at);
        self.pages[..before].last()
    }

    /// Where its slides or its sheets begin, in characters: each is made to be read by itself. Empty
    /// for pages, since a text runs on from one to the next.
    pub fn unit_starts(&self) -> Vec<u32> {
        match self.kind {
            PageKind::Page | PageKind::ApproximatePage => Vec::new(),
            PageKind::Slide | PageKind::Sheet => {
                let units = self.pages.chunk_by(|before, page| before.number == page.number);
                units.filter_map(|unit| Some(unit.first()?.start)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_lies_on_the_last_page_that_begins_before_it() {
        let page = |number, start| TextPage { number, label: None, start };
        let pages = vec![page(1, 0), page(2, 10), page(3, 10), page(4, 30)];
        let pagination = Pagination { kind: PageKind::Page, pages };
        let number = |at| pagination.page_at(at).map(|page| page.number);
        assert_eq!(number(9), Some(1));
        assert_eq!(number(10), Some(3), "page 2 has no text");
        assert_eq!(number(99), Some(4));
        assert_eq!(pagination.page_count(), 4);
    }

    #[test]
    fn a_slide_is_a_unit_a_page_and_a_piece_of_a_sheet_are_not() {
        let page = |number, start| TextPage { number, label: None, start };
        let of = |kind| Pagination { kind, pages: vec![page(1, 0), page(1, 10), page(2, 30)] };
        assert_eq!(of(PageKind::Sheet).unit_starts(), [0, 30]);
        assert_eq!(of(PageKind::Slide).unit_starts(), [0, 30]);
        assert!(of(PageKind::Page).unit_starts().is_empty());
        assert!(of(PageKind::ApproximatePage).unit_starts().is_empty());
    }
}
