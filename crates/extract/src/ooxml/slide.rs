//! Slides: which there are, in the order of the show, and what stands on each.

use crate::ExtractError;
use crate::content::{Block, looks_like_header};
use crate::office::grid::{Grid, GridCell, GridRow};
use crate::office::parts::Parts;
use crate::office::wording;
use crate::package::xml::Element;

use super::drawing;
use super::inline::chosen;
use super::relations::{Relations, main_part};
use super::slide_text::{self, Role};

/// The parts of all slides, hidden ones too; `None` for one that the file names but does not have.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(super) fn in_order(parts: &Parts<'_>) -> Result<Vec<Option<String>>, ExtractError> {
    let main = main_part(parts, "ppt/presentation.xml")?;
    let relations = Relations::of(parts, &main)?;
    let mut slides = Vec::new();
    match parts.text(&main)? {
        Some(text) => {
            let tree = parts.tree(&text);
            let list = tree.root().and_then(|root| root.child("sldIdLst"));
            for slide in list.into_iter().flat_map(|list| list.children_named("sldId")) {
                let id = slide.prefixed_attribute("id");
                let target = id.as_deref().and_then(|id| relations.target(id));
                slides.push(target.map(str::to_owned));
            }
        }
        None => parts.miss(),
    }
    if slides.iter().flatten().next().is_none() {
        slides = by_name(parts);
    }
    Ok(slides)
}

/// The slides by the numbers in their names, for files whose own list is lost.
fn by_name(parts: &Parts<'_>) -> Vec<Option<String>> {
    let number = |name: &str| -> Option<u32> {
        name.strip_prefix("ppt/slides/slide")?.strip_suffix(".xml")?.parse().ok()
    };
    let mut slides: Vec<(u32, String)> =
        parts.names().filter_map(|name| Some((number(name)?, name.to_owned()))).collect();
    slides.sort_unstable();
    slides.into_iter().map(|(_, name)| Some(name)).collect()
}

/// Adds the blocks of a slide: its title first, then everything else in the order of the file, then
/// the notes of the speaker and the comments. `None` when it, or a piece of it, is lost.
///
/// # Errors
///
/// Those of [`Parts::text`].
pub(super) fn read(
    parts: &Parts<'_>,
    part: Option<&str>,
    out: &mut Vec<Block>,
) -> Result<Option<()>, ExtractError> {
    let Some(part) = part else { return Ok(None) };
    let Some(text) = parts.text(part)? else { return Ok(None) };
    let relations = Relations::of(parts, part)?;
    let tree = parts.tree(&text);
    let mut slide = Slide { parts, relations: &relations, titles: Vec::new(), body: Vec::new() };
    let shapes = tree.root().and_then(|root| root.child("cSld")).and_then(|it| it.child("spTree"));
    if let Some(shapes) = shapes {
        slide.shapes(shapes)?;
    }
    out.append(&mut slide.titles);
    out.append(&mut slide.body);
    if let Some(notes) = relations.of_kind("notesSlide") {
        read_notes(parts, notes, out)?;
    }
    if let Some(comments) = relations.of_kind("comments") {
        read_comments(parts, comments, out)?;
    }
    Ok((tree.damage().is_none() && shapes.is_some()).then_some(()))
}

fn read_notes(parts: &Parts<'_>, part: &str, out: &mut Vec<Block>) -> Result<(), ExtractError> {
    let Some(text) = parts.text(part)? else {
        parts.miss();
        return Ok(());
    };
    let tree = parts.tree(&text);
    let shapes = tree.root().into_iter().flat_map(Element::descendants);
    let mut notes = shapes
        .filter(|shape| shape.name() == "sp" && placeholder(*shape).as_deref() == Some("body"))
        .filter_map(|shape| shape.child("txBody"))
        .flat_map(|body| slide_text::blocks(body, Role::Free))
        .peekable();
    if notes.peek().is_some() {
        out.push(Block::Heading { level: 2, text: "Notes".to_owned() });
        out.extend(notes);
    }
    Ok(())
}

/// Comments of old and of new programs, which have plain words or paragraphs.
fn read_comments(parts: &Parts<'_>, part: &str, out: &mut Vec<Block>) -> Result<(), ExtractError> {
    let Some(text) = parts.text(part)? else {
        parts.miss();
        return Ok(());
    };
    let tree = parts.tree(&text);
    for said in tree.root().into_iter().flat_map(Element::descendants) {
        let words = match said.name() {
            "cm" | "reply" => said.child("text").or_else(|| said.child("txBody")),
            _ => None,
        };
        let words = words.map(|words| match words.name() {
            "txBody" => drawing::words_of(words),
            _ => words.text(),
        });
        if let Some(words) = words.filter(|words| !words.trim().is_empty()) {
            out.push(Block::Paragraph(wording::comment(None, &words)));
        }
    }
    Ok(())
}

struct Slide<'s, 'a> {
    parts: &'s Parts<'a>,
    relations: &'s Relations,
    titles: Vec<Block>,
    body: Vec<Block>,
}

impl Slide<'_, '_> {
    fn shapes(&mut self, parent: Element<'_>) -> Result<(), ExtractError> {
        for shape in chosen(parent).children() {
            match shape.name() {
                "sp" => self.shape(shape),
                "grpSp" | "AlternateContent" => self.shapes(shape)?,
                "graphicFrame" => self.frame(shape)?,
                "pic" => {
                    let properties = shape.child("nvPicPr").and_then(|it| it.child("cNvPr"));
                    self.body.extend(properties.and_then(drawing::described));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn shape(&mut self, shape: Element<'_>) {
        let Some(text) = shape.child("txBody") else { return };
        match placeholder(shape).as_deref() {
            Some("dt" | "ftr" | "sldNum" | "hdr") => {}
            Some("title" | "ctrTitle") => {
                self.titles.extend(slide_text::blocks(text, Role::Title));
            }
            Some("body" | "obj") => self.body.extend(slide_text::blocks(text, Role::Body)),
            _ => self.body.extend(slide_text::blocks(text, Role::Free)),
        }
    }

    fn frame(&mut self, frame: Element<'_>) -> Result<(), ExtractError> {
        let properties = frame.child("nvGraphicFramePr").and_then(|it| it.child("cNvPr"));
        self.body.extend(properties.and_then(drawing::described));
        let data = frame.child("graphic").and_then(|it| it.child("graphicData"));
        for content in data.into_iter().flat_map(Element::children) {
            if content.name() == "tbl" {
                self.body.extend(table(content).into_blocks());
            } else {
                drawing::linked(self.parts, self.relations, content, &mut self.body)?;
            }
        }
        Ok(())
    }
}

/// The kind of a placeholder of the slide's layout: `obj` when it does not say; `None` for shapes
/// that are none.
fn placeholder(shape: Element<'_>) -> Option<String> {
    let placeholder = shape.child("nvSpPr")?.child("nvPr")?.child("ph")?;
    Some(placeholder.attribute("type").unwrap_or_else(|| "obj".to_owned()))
}

fn table(table: Element<'_>) -> Grid {
    let is_on = |element: Element<'_>, name: &str| {
        matches!(element.attribute(name).as_deref(), Some("1" | "true"))
    };
    let titles_columns = table.child("tblPr").is_some_and(|it| is_on(it, "firstRow"));
    let count = |cell: Element<'_>, name: &str| {
        cell.attribute(name).and_then(|it| it.parse().ok()).unwrap_or(1)
    };
    let mut grid = Grid::default();
    for (at, row) in table.children_named("tr").enumerate() {
        let mut words = Vec::new();
        let cells = row.children_named("tc").filter(|cell| !is_on(*cell, "hMerge")).map(|cell| {
            let text = cell.child("txBody").map(drawing::words_of).unwrap_or_default();
            words.push(text.clone());
            GridCell {
                columns: count(cell, "gridSpan"),
                continues: is_on(cell, "vMerge"),
                ..GridCell::of(vec![Block::Paragraph(text)])
            }
        });
        let cells = cells.collect();
        // Every new table is marked so; its words decide.
        let is_header = at == 0 && titles_columns && looks_like_header(&words);
        grid.push(GridRow { is_header, cells });
    }
    grid
}
