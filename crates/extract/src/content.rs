//! What a parser finds in a document, before it is one text.
//!
//! Parsers of structured formats emit blocks in reading order; `compose` turns them into the text,
//! the outline and the pages. So what a heading, a list or a table looks like in the text is
//! decided once, and a parser knows nothing of offsets.

use std::sync::Arc;

use ancre_domain::{PageKind, Warning};

/// A document as a parser understood it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The title that the document's metadata give, as they give it; `compose` judges it.
    pub(crate) title: Option<String>,
    /// What [`Block::Page`] means here; `None` when there is no such block.
    pub(crate) page_kind: Option<PageKind>,
    /// The blocks, in reading order.
    pub(crate) blocks: Vec<Block>,
    /// What a person should know of the reading.
    pub(crate) warnings: Vec<Warning>,
    /// The character encoding, where the format leaves it open.
    pub(crate) encoding: Option<&'static str>,
}

impl Content {
    /// Adds a paragraph, unless it is blank.
    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.push_text(text.into(), Block::Paragraph);
    }

    /// Adds a heading, unless it is blank. `level` is 1 for the outermost.
    pub(crate) fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.push_text(text.into(), |text| Block::Heading { level, text });
    }

    fn push_text(&mut self, text: String, block: impl FnOnce(String) -> Block) {
        if !text.trim().is_empty() {
            self.blocks.push(block(text));
        }
    }
}

/// A piece of a document. Texts may hold line ends, which stay; blank lines inside them, control
/// characters and decomposed letters are mended by `compose`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// A page begins here. Numbers ascend; several blocks may have one number, each with a label.
    Page {
        /// From 1.
        number: u32,
        /// What the document calls it, where that is more than its number.
        label: Option<String>,
    },
    /// A heading, written `## Title`.
    Heading {
        /// 1 for the outermost; more than 6 counts as 6.
        level: u8,
        /// Its words, on one line.
        text: String,
    },
    /// Running text.
    Paragraph(String),
    /// An item of a list, written `- text` or `3. text`, indented by its depth.
    Item {
        /// 0 for the outermost list.
        depth: u8,
        /// `-`, or its number with a dot.
        mark: String,
        /// Its words.
        text: String,
    },
    /// A row of a table: see [`Table`].
    Row {
        /// The column titles of its table; empty when the table has none.
        header: Arc<[String]>,
        /// Its cells, as many as there are; blank ones count.
        cells: Vec<String>,
    },
    /// Lines that are kept as they are, blank ones too: code, or a text that has its own structure.
    Verbatim(String),
}

/// A table, which becomes rows that each stand alone: `- Product: Duo; Price: 29 €`.
///
/// Every row repeats the header, so a chunk that begins in the middle of a table still says what
/// its values are. A cell without value is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The column titles; empty when the table has none. A title over several columns stands in
    /// each.
    pub(crate) header: Vec<String>,
    /// The other rows. A value over several rows stands in each.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// Takes the first row as header when it looks like one: see [`looks_like_header`].
    pub(crate) fn of_rows(mut rows: Vec<Vec<String>>) -> Self {
        let is_header = rows.len() > 1 && rows.first().is_some_and(|row| looks_like_header(row));
        let header = if is_header { rows.remove(0) } else { Vec::new() };
        Self { header, rows }
    }

    /// The rows as blocks, blank ones left out.
    pub(crate) fn into_blocks(self) -> impl Iterator<Item = Block> {
        let header: Arc<[String]> = self.header.into();
        self.rows
            .into_iter()
            .filter(|cells| cells.iter().any(|cell| !cell.trim().is_empty()))
            .map(move |cells| Block::Row { header: Arc::clone(&header), cells })
    }
}

/// Single spaces instead of line ends and runs of blanks; no-break spaces stay.
pub(crate) fn one_line(text: &str) -> String {
    let is_blank = |character: char| {
        character.is_whitespace() && !matches!(character, '\u{a0}' | '\u{202f}' | '\u{2007}')
    };
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether a row can title the columns: at least two cells, all filled, different, short, and none
/// of them a number or a date.
pub(crate) fn looks_like_header(row: &[String]) -> bool {
    let titles: Vec<String> = row.iter().map(|cell| one_line(cell)).collect();
    titles.len() > 1
        && titles.iter().enumerate().all(|(at, title)| {
            !title.is_empty()
                && title.chars().count() <= 80
                && !is_number(title)
                && !titles[..at].contains(title)
        })
}

/// Digits with signs, separators, units and currencies, and no word: `1 234,50 €`, `2024-01-01`.
fn is_number(text: &str) -> bool {
    text.contains(|character: char| character.is_numeric())
        && text.chars().filter(|character| character.is_alphabetic()).count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_first_row_with_numbers_or_gaps_is_no_header() {
        for first in [row(&["A", "2024"]), row(&["A", ""]), row(&["A", "A"]), row(&["A"])] {
            let table = Table::of_rows(vec![first.clone(), row(&["x", "y"])]);
            assert!(table.header.is_empty(), "{first:?}");
            assert_eq!(table.rows.len(), 2);
        }
    }
}
