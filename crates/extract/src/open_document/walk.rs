//! The body of an OpenDocument text, block by block; the boxes on slides are walked alike.

use crate::ExtractError;
use crate::content::Block;
use crate::office::pages::{Break, PageCount};
use crate::office::parts::Parts;
use crate::office::wording::{comment, description, note};
use crate::package::xml::Element;

use super::inline::{self, Piece};
use super::list::{Lists, count_heading};
use super::styles::Styles;
use super::table;

/// A few bytes of a file can ask for many equal cells.
const MAX_REPEATS: usize = 100_000;

/// The walk through a document.
pub(super) struct Walk<'p, 'a> {
    parts: &'p Parts<'a>,
    pub(super) styles: Styles,
    pub(super) lists: Lists,
    pages: PageCount,
    note_count: u32,
    /// How many more equal cells are repeated in this document.
    repeats_left: usize,
    /// Whether the walk is in an embedded object: those inside it are not opened.
    is_inside_object: bool,
}

/// A paragraph as it was read.
#[derive(Default)]
pub(super) struct Line {
    pub(super) text: String,
    /// Pages that begin before its first word.
    pub(super) before: Vec<Block>,
    /// Pages that begin inside it, and what is anchored in it.
    pub(super) after: Vec<Block>,
}

impl<'p, 'a> Walk<'p, 'a> {
    pub(super) fn new(parts: &'p Parts<'a>, styles: Styles) -> Self {
        Self {
            parts,
            styles,
            lists: Lists::default(),
            pages: PageCount::new(),
            note_count: 0,
            repeats_left: MAX_REPEATS,
            is_inside_object: false,
        }
    }

    /// How many pages the last layout had, as far as the document says.
    pub(super) const fn page_count(&self) -> u32 {
        self.pages.number()
    }

    /// How many of so many repetitions are allowed.
    pub(super) fn repeat(&mut self, wanted: usize) -> usize {
        let allowed = wanted.min(self.repeats_left);
        self.repeats_left -= allowed;
        allowed
    }

    /// Adds the blocks that an element holds.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn blocks(
        &mut self,
        parent: Element<'_>,
        out: &mut Vec<Block>,
    ) -> Result<(), ExtractError> {
        for element in parent.children() {
            self.element(element, out)?;
        }
        Ok(())
    }

    /// Adds the blocks of an element.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn element(
        &mut self,
        element: Element<'_>,
        out: &mut Vec<Block>,
    ) -> Result<(), ExtractError> {
        match element.name() {
            "h" | "p" => {
                let mut line = self.line(element)?;
                out.append(&mut line.before);
                let text = line.text.trim();
                if !text.is_empty() {
                    out.push(match self.heading_level(element) {
                        Some(level) => self.heading(element, level, text),
                        None => Block::Paragraph(text.to_owned()),
                    });
                }
                out.append(&mut line.after);
            }
            "list" => super::list::read(self, element, 0, None, out)?,
            "table" => table::read(self, element, out)?,
            "soft-page-break" => out.extend(self.pages.begin(Break::LaidOut)),
            // Its headings say the same.
            "table-of-content" => {
                let mut entries = Vec::new();
                self.blocks(element, &mut entries)?;
                out.extend(entries.into_iter().filter(|it| matches!(it, Block::Page { .. })));
            }
            "tracked-changes"
            | "forms"
            | "sequence-decls"
            | "variable-decls"
            | "user-field-decls"
            | "dde-connection-decls"
            | "table-of-content-source"
            | "alphabetical-index-source"
            | "illustration-index-source"
            | "table-index-source"
            | "bibliography-source"
            | "event-listeners" => {}
            name if inline::is_drawing(name) => self.drawn(element, out)?,
            _ => self.blocks(element, out)?,
        }
        Ok(())
    }

    /// A heading with the number that people call it by.
    fn heading(&mut self, element: Element<'_>, level: u8, text: &str) -> Block {
        let is_counted =
            element.name() == "h" && element.attribute("is-list-header").as_deref() != Some("true");
        let text = if is_counted {
            count_heading(self, level).before_heading(text)
        } else {
            text.to_owned()
        };
        Block::Heading { level, text }
    }

    /// Reads a paragraph or heading.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn line(&mut self, paragraph: Element<'_>) -> Result<Line, ExtractError> {
        let style = paragraph.attribute("style-name");
        let mut line = Line::default();
        if self.styles.begins_page(style.as_deref()) {
            line.before.extend(self.pages.begin(Break::Before));
        }
        let Line { text, before, after } = &mut line;
        inline::walk(paragraph, text, &mut |text, piece| {
            if !text.trim().is_empty() {
                self.pages.words();
            }
            self.piece(piece, text, before, after)
        })?;
        if !line.text.trim().is_empty() {
            self.pages.words();
        }
        if self.styles.ends_page(style.as_deref()) {
            line.after.extend(self.pages.begin(Break::Wanted));
        }
        Ok(line)
    }

    /// The level of a heading, or of a paragraph whose style is one of a heading.
    pub(super) fn heading_level(&self, element: Element<'_>) -> Option<u8> {
        let by_style = || self.styles.heading_level(element.attribute("style-name").as_deref());
        if element.name() != "h" {
            return by_style();
        }
        let level = element.attribute("outline-level").and_then(|level| level.parse().ok());
        level.filter(|level| *level > 0).or_else(by_style).or(Some(1))
    }

    fn piece(
        &mut self,
        piece: Piece<'_>,
        text: &mut String,
        before: &mut Vec<Block>,
        after: &mut Vec<Block>,
    ) -> Result<(), ExtractError> {
        match piece {
            Piece::SoftPageBreak => {
                let page = self.pages.begin(Break::LaidOut);
                let is_at_start = text.trim().is_empty();
                if is_at_start { before.extend(page) } else { after.extend(page) }
            }
            Piece::Note(element) => {
                let words = element.child("note-body").map(inline::words).unwrap_or_default();
                if !words.trim().is_empty() {
                    self.note_count = self.note_count.saturating_add(1);
                    let label = element.child("note-citation").map(Element::text);
                    let label = label.filter(|label| !label.trim().is_empty());
                    let label = label.unwrap_or_else(|| self.note_count.to_string());
                    text.push_str(&note(label.trim(), &words));
                }
            }
            Piece::Annotation(element) => {
                let author = element.child("creator").map(Element::text);
                let words = inline::words(element);
                if !words.trim().is_empty() {
                    after.push(Block::Paragraph(comment(author.as_deref(), &words)));
                }
            }
            Piece::Drawing(element) => self.drawn(element, after)?,
        }
        Ok(())
    }

    /// What is drawn: words in boxes and shapes, tables, charts, what a person said of a picture.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn drawn(
        &mut self,
        drawing: Element<'_>,
        out: &mut Vec<Block>,
    ) -> Result<(), ExtractError> {
        for child in drawing.children() {
            match child.name() {
                "title" | "desc" => {
                    out.extend(description(&child.text()).map(Block::Paragraph));
                }
                "object" => self.object(child, out)?,
                "image" | "object-ole" | "plugin" | "enhanced-geometry" | "glue-point"
                | "image-map" => {}
                _ => self.element(child, out)?,
            }
        }
        Ok(())
    }

    /// The title and the values of an embedded chart, or the signs of a formula.
    fn object(&mut self, object: Element<'_>, out: &mut Vec<Block>) -> Result<(), ExtractError> {
        let Some(folder) = object.attribute("href") else { return Ok(()) };
        if self.is_inside_object {
            return Ok(());
        }
        let folder = folder.trim_start_matches("./").trim_end_matches('/');
        let Some(text) = self.parts.text(&format!("{folder}/content.xml"))? else {
            return Ok(());
        };
        let tree = self.parts.tree(&text);
        if let Some(formula) = tree.root().filter(|root| root.name() == "math") {
            let signs = formula.descendants();
            let signs = signs.filter(|it| matches!(it.name(), "mi" | "mn" | "mo" | "mtext"));
            let signs: String = signs.map(Element::text).collect();
            if !signs.trim().is_empty() {
                out.push(Block::Paragraph(signs));
            }
            return Ok(());
        }
        let body = tree.root().and_then(|root| root.child("body"));
        let Some(chart) = body.and_then(|it| it.child("chart")).and_then(|it| it.child("chart"))
        else {
            return Ok(());
        };
        self.is_inside_object = true;
        if let Some(title) = chart.child("title") {
            self.blocks(title, out)?;
        }
        if let Some(values) = chart.child("table") {
            table::read(self, values, out)?;
        }
        self.is_inside_object = false;
        Ok(())
    }
}
