//! Pages made up from bytes, for fuzzing: what a hostile PDF can make PDFium say, without PDFium.
//!
//! Everything after the finding of characters is pure code fed from here: the order of reading,
//! running headers, headings, tables and paragraphs. Places, sizes and words are whatever the bytes
//! say, numbers that are none included. Not in the product.

use super::bookmark::Bookmark;
use super::line::{Cell, HYPHEN, Line};
use super::page::Page;
use super::{blocks, boilerplate, heading, order};
use crate::content::{Block, Content};
use ancre_domain::PageKind;

/// More pages, and lines on each, tell nothing new.
const MAX_PAGES: u32 = 40;
const MAX_LINES: u8 = 80;

/// What is made of the pages that the bytes say.
///
/// # Panics
///
/// When the order of reading loses a line or makes one, or a word is in none of the blocks.
pub(crate) fn laid_out(bytes: &[u8]) -> Content {
    let mut said = Bytes(bytes);
    let bookmarks: Vec<Bookmark> = (0..said.byte() % 4).map(|_| said.bookmark()).collect();
    let mut pages = Vec::new();
    while !said.0.is_empty() && pages.len() < MAX_PAGES as usize {
        let number = u32::try_from(pages.len()).map_or(MAX_PAGES, |count| count + 1);
        pages.push(page(number, &mut said));
    }
    boilerplate::remove(&mut pages);
    heading::mark(&mut pages, &bookmarks);
    let cells = pages.iter().flat_map(|page| &page.lines).flat_map(|line| &line.cells);
    let wanted: Vec<String> = cells.map(|cell| letters(&cell.text)).collect();
    let blocks = blocks::of_pages(pages);
    let written: String = blocks.iter().map(letters_of).collect();
    for cell in wanted {
        // A lonely “o” is the bullet of some programs.
        let bare = cell.strip_prefix('o').unwrap_or(&cell);
        assert!(written.contains(bare), "{cell} is lost");
    }
    Content { page_kind: Some(PageKind::Page), blocks, ..Content::default() }
}

fn page(number: u32, said: &mut Bytes<'_>) -> Page {
    let lines: Vec<Line> = (0..said.byte() % MAX_LINES).filter_map(|_| said.line()).collect();
    let sorted = |lines: &[Line]| {
        let mut texts: Vec<String> = lines.iter().map(|line| line.text.clone()).collect();
        texts.sort_unstable();
        texts
    };
    let written = sorted(&lines);
    let lines = order::of_reading(lines);
    assert_eq!(sorted(&lines), written, "the order of reading keeps the lines");
    Page { number, height: 800.0, lines, ..Page::default() }
}

/// What is left of the bytes; noughts at their end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A measure of a page in points, or what no page has.
    fn measure(&mut self) -> f32 {
        match i16::from_le_bytes([self.byte(), self.byte()]) {
            i16::MAX => f32::NAN,
            0x7FFE => f32::INFINITY,
            0x7FFD => f32::NEG_INFINITY,
            0x7FFC => 1.0e30,
            0x7FFB => -1.0e30,
            eighths => f32::from(eighths) / 8.0,
        }
    }

    /// Words as they are between two gaps of a line.
    fn words(&mut self) -> String {
        let length = usize::from(self.byte() % 64).min(self.0.len());
        let (words, rest) = self.0.split_at(length);
        self.0 = rest;
        let words = String::from_utf8_lossy(words).replace(char::is_control, " ");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn cell(&mut self) -> Option<Cell> {
        let (start, width) = (self.measure(), f32::from(self.byte()));
        let text = self.words();
        (!text.is_empty()).then_some(Cell { text, start, end: start + width, gaps: Vec::new() })
    }

    fn line(&mut self) -> Option<Line> {
        let shape = self.byte();
        let (baseline, size) = (self.measure(), f32::from(self.byte() % 64) / 2.0 + 0.5);
        let mut cells: Vec<Cell> = (0..=shape % 8).filter_map(|_| self.cell()).collect();
        if let Some(last) = cells.last_mut().filter(|_| shape & 8 > 0) {
            last.text.push(HYPHEN);
        }
        let text = cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ");
        let left = cells.iter().map(|cell| cell.start).fold(f32::INFINITY, f32::min);
        let right = cells.iter().map(|cell| cell.end).fold(f32::NEG_INFINITY, f32::max);
        let (start, end) =
            if Line::is_right_to_left(&text) { (-right, -left) } else { (left, right) };
        let is_bold = shape & 16 > 0;
        let (heading, table) = (None, None);
        let line = Line { text, start, end, baseline, size, is_bold, cells, heading, table };
        (!line.cells.is_empty()).then_some(line)
    }

    fn bookmark(&mut self) -> Bookmark {
        let (level, page) = (self.byte() % 8, u32::from(self.byte() % 8));
        Bookmark { title: self.words(), level, page }
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).collect()
}

fn letters_of(block: &Block) -> String {
    match block {
        Block::Page { .. } => String::new(),
        Block::Heading { text, .. } | Block::Paragraph(text) | Block::Verbatim(text) => {
            letters(text)
        }
        Block::Item { mark, text, .. } => letters(mark) + &letters(text),
        Block::Row { header, cells } => {
            header.iter().chain(cells).map(|cell| letters(cell) + " ").collect()
        }
    }
}
