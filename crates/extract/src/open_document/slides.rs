//! The slides of an OpenDocument presentation.

use crate::ExtractError;
use crate::content::{Block, one_line};
use crate::package::xml::Element;

use super::inline;
use super::walk::Walk;

/// Adds the blocks of a slide: its title first, then everything else in the order of the file, then
/// the notes of the speaker.
///
/// # Errors
///
/// Those of [`Walk::blocks`].
pub(super) fn read(
    walk: &mut Walk<'_, '_>,
    slide: Element<'_>,
    out: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    let (mut titles, mut body, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for shape in slide.children() {
        match shape.name() {
            "notes" => {
                let is_notes = |it: &Element<'_>| it.attribute("class").as_deref() == Some("notes");
                for frame in shape.children_named("frame").filter(is_notes) {
                    read_shape(walk, frame, &mut titles, &mut notes)?;
                }
            }
            name if inline::is_drawing(name) => {
                read_shape(walk, shape, &mut titles, &mut body)?;
            }
            _ => {}
        }
    }
    out.append(&mut titles);
    out.append(&mut body);
    if !notes.is_empty() {
        out.push(Block::Heading { level: 2, text: "Notes".to_owned() });
        out.append(&mut notes);
    }
    Ok(())
}

fn read_shape(
    walk: &mut Walk<'_, '_>,
    shape: Element<'_>,
    titles: &mut Vec<Block>,
    body: &mut Vec<Block>,
) -> Result<(), ExtractError> {
    // What a template asks to be filled in.
    if shape.attribute("placeholder").as_deref() == Some("true") {
        return Ok(());
    }
    match shape.attribute("class").as_deref() {
        Some("title") => {
            let text = one_line(&inline::words(shape));
            if !text.is_empty() {
                titles.push(Block::Heading { level: 1, text });
            }
        }
        Some("date-time" | "footer" | "header" | "page-number") => {}
        _ => walk.drawn(shape, body)?,
    }
    Ok(())
}
