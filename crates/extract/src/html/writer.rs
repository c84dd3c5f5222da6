//! The walk over a page that writes its blocks.

use scraper::node::Element;

use super::dom::{Dom, Visit, element_of, walk};
use super::element::{Kind, is_block, is_sentence, is_sign, kind_of, text_of};
use super::line::Line;
use super::list::List;
use super::table;
use super::visibility::{Visibility, is_disclosure};
use crate::content::{Block, one_line};

/// How many tables in tables are tables; what lies deeper is read as running text.
const MAX_TABLE_DEPTH: u8 = 6;

/// The title and the blocks of a page.
pub(super) fn blocks_of(root: Dom<'_>) -> (Option<String>, Vec<Block>) {
    let visibility = Visibility::of(root);
    let mut writer = Writer::new(&visibility, 0);
    walk(root, &mut writer);
    writer.finish()
}

/// Where running text belongs.
enum Place {
    Heading(u8),
    /// An item of a list; `at` is where its block is, once it has one.
    Item {
        mark: String,
        at: Option<usize>,
    },
    /// What a definition list defines.
    Term,
    /// What it says of it.
    Definition,
    /// Text whose blanks and lines are kept.
    Verbatim,
}

/// Writes the blocks of a page, or of a cell.
pub(super) struct Writer<'v, 'a> {
    visibility: &'v Visibility<'a>,
    table_depth: u8,
    title: Option<String>,
    blocks: Vec<Block>,
    line: Line,
    places: Vec<Place>,
    lists: Vec<List>,
    /// Terms that wait for their definition.
    terms: Option<String>,
}

impl<'v, 'a> Writer<'v, 'a> {
    /// A writer of what lies in `table_depth` tables.
    pub(super) const fn new(visibility: &'v Visibility<'a>, table_depth: u8) -> Self {
        Self {
            visibility,
            table_depth,
            title: None,
            blocks: Vec::new(),
            line: Line::new(),
            places: Vec::new(),
            lists: Vec::new(),
            terms: None,
        }
    }

    /// What was written.
    pub(super) fn finish(mut self) -> (Option<String>, Vec<Block>) {
        self.flush();
        self.write_waiting_terms();
        (self.title, self.blocks)
    }

    fn text(&mut self, text: &str) {
        if self.is_verbatim() {
            self.line.push_verbatim(text);
        } else {
            self.line.push(text);
        }
    }

    fn is_verbatim(&self) -> bool {
        matches!(self.places.last(), Some(Place::Verbatim))
    }

    fn is_in_heading(&self) -> bool {
        matches!(self.places.last(), Some(Place::Heading(_)))
    }

    /// Ends the running text, which becomes a block.
    fn flush(&mut self) {
        if matches!(self.places.last(), Some(Place::Heading(_) | Place::Verbatim)) {
            // What begins a block elsewhere is a line in there.
            self.line.break_line();
            return;
        }
        self.write_line();
    }

    fn write_line(&mut self) {
        if self.line.is_blank() {
            self.line.take();
            return;
        }
        let text = self.line.take();
        let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
        match self.places.last_mut() {
            Some(Place::Term) => {
                let term = one_line(&text);
                self.terms = Some(match self.terms.take() {
                    Some(terms) => format!("{terms}, {term}"),
                    None => term,
                });
            }
            Some(Place::Definition) => match self.terms.take() {
                Some(terms) => {
                    let header = vec![terms].into();
                    self.blocks.push(Block::Row { header, cells: vec![text] });
                }
                None => self.blocks.push(Block::Paragraph(text)),
            },
            Some(Place::Item { mark, at }) => match (*at, self.blocks.len()) {
                // A second paragraph of an item stays in it.
                (Some(at), count) if at + 1 == count => {
                    if let Some(Block::Item { text: first, .. }) = self.blocks.last_mut() {
                        first.push('\n');
                        first.push_str(&text);
                    }
                }
                (Some(_), _) => self.push(Block::Paragraph(text)),
                (None, _) => {
                    let mark = mark.clone();
                    self.push(Block::Item { depth, mark, text });
                    let written = self.blocks.len() - 1;
                    if let Some(Place::Item { at, .. }) = self.places.last_mut() {
                        *at = Some(written);
                    }
                }
            },
            Some(Place::Heading(level)) => {
                let level = *level;
                self.push(Block::Heading { level, text });
            }
            Some(Place::Verbatim) => self.push(Block::Verbatim(text)),
            None => self.push(Block::Paragraph(text)),
        }
    }

    fn push(&mut self, block: Block) {
        self.write_waiting_terms();
        self.blocks.push(block);
    }

    /// Terms whose definition is no running text, or that have none.
    fn write_waiting_terms(&mut self) {
        if let Some(text) = self.terms.take() {
            self.blocks.push(Block::Item { depth: 0, mark: "-".to_owned(), text });
        }
    }

    fn enter_element(&mut self, node: Dom<'a>, element: &'a Element) -> bool {
        let name = element.name();
        if name == "title" {
            self.title = self.title.take().or_else(|| Some(text_of(node)));
            return false;
        }
        if !self.visibility.is_read(element) || (name == "button" && !self.is_read_button(element))
        {
            return false;
        }
        if name == "a" && self.is_in_heading() && is_sign(&text_of(node)) {
            // The link to the heading itself: `§`, `¶`, `#`.
            return false;
        }
        match name {
            "br" => self.line_break(),
            "img" => self.picture(element),
            "q" => self.text("“"),
            "table" => return self.enter_table(node),
            // In a table that only arranges, cells are words apart and rows are lines.
            "td" | "th" => self.line.push_blank(),
            "ul" | "ol" | "menu" | "dir" => {
                self.flush();
                self.lists.push(List::of(node, element));
            }
            _ if is_block(name) => self.flush(),
            _ => {}
        }
        if let Some(place) = self.place_of(element) {
            // Headings end what goes before them even where they are made of a `span`.
            self.flush();
            self.places.push(place);
        }
        true
    }

    fn place_of(&mut self, element: &Element) -> Option<Place> {
        match kind_of(element)? {
            Kind::Heading(level) => Some(Place::Heading(level)),
            Kind::Item => {
                let mark = self.lists.last_mut().map(|list| list.mark(element));
                Some(Place::Item { mark: mark.unwrap_or_else(|| "-".to_owned()), at: None })
            }
            Kind::Term => Some(Place::Term),
            Kind::Definition => Some(Place::Definition),
            Kind::Verbatim => Some(Place::Verbatim),
        }
    }

    fn leave_element(&mut self, element: &Element) {
        let name = element.name();
        if kind_of(element).is_some() {
            self.write_line();
            self.places.pop();
            return;
        }
        match name {
            "q" => self.text("”"),
            "td" | "th" => self.line.push_blank(),
            "ul" | "ol" | "menu" | "dir" => {
                self.flush();
                self.lists.pop();
            }
            "dl" => {
                self.flush();
                self.write_waiting_terms();
            }
            _ if is_block(name) => self.flush(),
            _ => {}
        }
    }

    fn line_break(&mut self) {
        if self.is_verbatim() {
            self.line.push_verbatim("\n");
        } else if !self.line.break_line() {
            // An empty line: the next paragraph, in pages that know no other.
            self.flush();
        }
    }

    /// What a picture shows, where somebody has said it in a sentence.
    fn picture(&mut self, element: &Element) {
        let description = element.attr("alt").map(one_line).unwrap_or_default();
        if is_sentence(&description) {
            self.line.push_blank();
            self.text(&description);
            self.line.push_blank();
        }
    }

    /// The words of a button are none of the page's, unless they are a title.
    fn is_read_button(&self, button: &Element) -> bool {
        let is_title = self.line.is_blank()
            && matches!(self.places.last(), Some(Place::Heading(_) | Place::Term));
        is_title || is_disclosure(button)
    }

    /// Says whether the table is walked as running text.
    fn enter_table(&mut self, node: Dom<'a>) -> bool {
        self.flush();
        if self.table_depth >= MAX_TABLE_DEPTH || self.is_in_heading() {
            return true;
        }
        let Some(blocks) = table::blocks_of(node, self.visibility, self.table_depth + 1) else {
            return true;
        };
        self.write_waiting_terms();
        self.blocks.extend(blocks);
        false
    }
}

impl<'a> Visit<'a> for Writer<'_, 'a> {
    fn enter(&mut self, node: Dom<'a>) -> bool {
        if let Some(text) = node.value().as_text() {
            self.text(text);
            return false;
        }
        match element_of(node) {
            Some(element) => self.enter_element(node, element),
            None => true,
        }
    }

    fn leave(&mut self, node: Dom<'a>) {
        if let Some(element) = element_of(node) {
            self.leave_element(element);
        }
    }
}
