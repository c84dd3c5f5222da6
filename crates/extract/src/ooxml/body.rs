//! The body of a text document, block by block.

use ancre_domain::PageKind;

use crate::ExtractError;
use crate::content::Block;
use crate::office::pages::{Break, PageCount};
use crate::office::parts::Parts;
use crate::package::xml::{Element, Tree};

use super::inline::{self, Piece};
use super::notes::Notes;
use super::numbering::{Mark, Numbering};
use super::relations::Relations;
use super::running;
use super::styles::Styles;
use super::{drawing, table};

/// The walk through a body.
pub(super) struct Body<'p, 'a> {
    parts: &'p Parts<'a>,
    relations: Relations,
    styles: Styles,
    numbering: Numbering,
    notes: Notes,
    pages: PageCount,
}

/// A paragraph while it is read.
#[derive(Default)]
struct Line {
    text: String,
    /// Pages that begin before its first word.
    before: Vec<Block>,
    /// Pages that begin inside it, and what is anchored in it.
    after: Vec<Block>,
}

impl<'p, 'a> Body<'p, 'a> {
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn new(parts: &'p Parts<'a>, relations: Relations) -> Result<Self, ExtractError> {
        let styles = part_of(parts, &relations, "styles", Styles::of)?;
        let numbering = part_of(parts, &relations, "numbering", Numbering::of)?;
        let notes = Notes::of(parts, &relations)?;
        Ok(Self { parts, relations, styles, numbering, notes, pages: PageCount::new() })
    }

    /// The blocks of the whole document, with the words of its headers first and those of its
    /// footers last.
    ///
    /// # Errors
    ///
    /// Those of [`Parts::text`].
    pub(super) fn read(
        mut self,
        body: Element<'_>,
    ) -> Result<(Vec<Block>, Option<PageKind>), ExtractError> {
        let mut blocks = Vec::new();
        self.blocks(body, &mut blocks)?;
        let running = running::read(self.parts, &self.relations, body, &blocks)?;
        blocks.splice(0..0, running.headers);
        blocks.extend(running.footers);
        if self.pages.number() == 1 {
            return Ok((blocks, None));
        }
        blocks.insert(0, Block::Page { number: 1, label: None });
        Ok((blocks, Some(PageKind::ApproximatePage)))
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
        for element in inline::chosen(parent).children() {
            match element.name() {
                "p" => self.paragraph(element, out)?,
                // Its headings say the same.
                "sdt" if inline::is_contents(element) => {
                    let mut entries = Vec::new();
                    self.blocks(element, &mut entries)?;
                    out.extend(entries.into_iter().filter(|it| matches!(it, Block::Page { .. })));
                }
                "sdt" if inline::is_prompt(element) => {}
                "tbl" => table::read(self, element, out)?,
                _ if inline::is_wrapper(element) => self.blocks(element, out)?,
                // Formulas that stand between paragraphs.
                "oMathPara" | "oMath" => {
                    let mut line = Line::default();
                    inline::walk(element, &mut |piece| self.piece(piece, &mut line))?;
                    if !line.text.trim().is_empty() {
                        out.push(Block::Paragraph(line.text));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn paragraph(
        &mut self,
        paragraph: Element<'_>,
        out: &mut Vec<Block>,
    ) -> Result<(), ExtractError> {
        let properties = paragraph.child("pPr");
        let mut line = Line::default();
        if self.styles.breaks_page(properties) {
            line.before.extend(self.pages.begin(Break::Before));
        }
        inline::walk(paragraph, &mut |piece| self.piece(piece, &mut line))?;

        let level = self.styles.heading_level(properties);
        let (reference, style) = self.styles.numbering(properties);
        let mark = self.numbering.count(&reference, style.as_deref(), &self.styles);
        out.append(&mut line.before);
        let text = line.text.trim();
        if !text.is_empty() && !self.styles.is_contents_entry(properties) {
            out.push(block(level, mark, text));
        }
        out.append(&mut line.after);
        if properties.and_then(|it| it.child("sectPr")).is_some_and(begins_page) {
            out.extend(self.pages.begin(Break::Wanted));
        }
        Ok(())
    }

    fn piece(&mut self, piece: Piece<'_>, line: &mut Line) -> Result<(), ExtractError> {
        match piece {
            Piece::Text(text) => {
                if !text.trim().is_empty() {
                    self.pages.words();
                }
                line.text.push_str(&text);
            }
            Piece::Break(kind) => {
                let page = self.pages.begin(kind);
                if line.text.trim().is_empty() {
                    line.before.extend(page);
                } else {
                    line.text.push('\n');
                    line.after.extend(page);
                }
            }
            Piece::Footnote(id) => line.text.extend(self.notes.footnote(&id)),
            Piece::Endnote(id) => line.text.extend(self.notes.endnote(&id)),
            Piece::Comment(id) => {
                line.after.extend(self.notes.comment(&id).map(Block::Paragraph));
            }
            Piece::Drawing(element) => self.drawn(element, &mut line.after)?,
        }
        Ok(())
    }

    /// What is drawn: words in boxes, charts, diagrams, and what a person said of a picture.
    fn drawn(&mut self, element: Element<'_>, out: &mut Vec<Block>) -> Result<(), ExtractError> {
        for child in inline::chosen(element).children() {
            match child.name() {
                "txbxContent" => self.blocks(child, out)?,
                _ => {
                    out.extend(drawing::described(child));
                    drawing::linked(self.parts, &self.relations, child, out)?;
                    self.drawn(child, out)?;
                }
            }
        }
        Ok(())
    }
}

fn block(level: Option<u8>, mark: Option<Mark>, text: &str) -> Block {
    if let Some(level) = level {
        let text = mark.map_or_else(|| text.to_owned(), |mark| mark.label.before_heading(text));
        return Block::Heading { level, text };
    }
    match mark.and_then(|Mark { depth, label }| Some((depth, label.mark()?))) {
        Some((depth, mark)) => Block::Item { depth, mark, text: text.to_owned() },
        None => Block::Paragraph(text.to_owned()),
    }
}

/// Whether what follows a section's end stands on a new page.
fn begins_page(section: Element<'_>) -> bool {
    let kind = section.child("type").and_then(|it| it.attribute("val"));
    !matches!(kind.as_deref(), Some("continuous" | "nextColumn"))
}

/// What a part of this kind says; what an empty one would, when there is none.
fn part_of<T: Default>(
    parts: &Parts<'_>,
    relations: &Relations,
    kind: &str,
    read: impl FnOnce(&Tree<'_>) -> T,
) -> Result<T, ExtractError> {
    let Some(part) = relations.of_kind(kind) else { return Ok(T::default()) };
    let Some(text) = parts.text(part)? else {
        parts.miss();
        return Ok(T::default());
    };
    Ok(read(&parts.tree(&text)))
}
