//! Counts the pages of a word processor's last layout while its document is walked.

use crate::content::Block;

/// What makes a page end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// Somebody wants a page here.
    Wanted,
    /// The next words stand on a page that somebody wants: a page begins unless one just did.
    Before,
    /// The last layout had a page here. After a wanted break, it is the same one.
    LaidOut,
}

/// The page that the walk is on.
#[derive(Debug)]
pub(crate) struct PageCount {
    number: u32,
    /// Whether something stands on this page.
    has_words: bool,
    last_was_wanted: bool,
}

impl PageCount {
    pub(crate) const fn new() -> Self {
        Self { number: 1, has_words: false, last_was_wanted: false }
    }

    /// Notes that words were read.
    pub(crate) const fn words(&mut self) {
        self.has_words = true;
        self.last_was_wanted = false;
    }

    /// The page that begins with this break, if one does.
    pub(crate) fn begin(&mut self, kind: Break) -> Option<Block> {
        let begins = match kind {
            Break::Wanted => true,
            Break::Before => self.has_words,
            Break::LaidOut => !self.last_was_wanted,
        };
        self.last_was_wanted = kind != Break::LaidOut && (begins || self.last_was_wanted);
        if !begins {
            return None;
        }
        self.has_words = false;
        self.number = self.number.saturating_add(1);
        Some(Block::Page { number: self.number, label: None })
    }

    /// How many pages there are so far.
    pub(crate) const fn number(&self) -> u32 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wanted_page_and_its_layout_are_one_page() {
        let mut pages = PageCount::new();
        assert_eq!(pages.begin(Break::Before), None, "the first page has begun");
        pages.words();
        assert!(pages.begin(Break::Wanted).is_some());
        assert_eq!(pages.begin(Break::LaidOut), None);
        pages.words();
        assert!(pages.begin(Break::LaidOut).is_some());
        assert_eq!(pages.begin(Break::Before), None);
        assert_eq!(pages.number(), 3);
    }
}
