//! What a document has said so far, so that running headers and footers are not said again.

use std::collections::HashSet;

use crate::content::{Block, one_line};

/// What a reader of the document has read.
pub(crate) struct Known {
    body: String,
    running: HashSet<String>,
}

impl Known {
    pub(crate) fn of(blocks: &[Block]) -> Self {
        let mut body = String::new();
        let mut add = |text: &str| {
            body.push_str(&one_line(text).to_lowercase());
            body.push('\n');
        };
        for block in blocks {
            match block {
                Block::Page { .. } => {}
                Block::Heading { text, .. }
                | Block::Paragraph(text)
                | Block::Item { text, .. }
                | Block::Verbatim(text) => add(text),
                Block::Row { cells, .. } => cells.iter().for_each(|cell| add(cell)),
            }
        }
        Self { body, running: HashSet::new() }
    }

    /// Whether these words are new.
    pub(crate) fn add(&mut self, words: &str) -> bool {
        let words = one_line(words).to_lowercase();
        !self.body.contains(&words) && self.running.insert(words)
    }
}
