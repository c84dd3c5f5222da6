//! What stands in a paragraph of OpenDocument, piece by piece.
//!
//! Blanks count as in HTML: runs of them are one, and what shall stay has elements of its own.

use crate::ExtractError;
use crate::package::xml::{Child, Element};

/// More blanks in a row than this are a layout.
const MAX_BLANKS: usize = 20;

/// A piece of a paragraph that is no text.
#[derive(Clone, Copy)]
pub(super) enum Piece<'t> {
    /// The last layout has a page here.
    SoftPageBreak,
    Note(Element<'t>),
    Annotation(Element<'t>),
    /// A frame or shape that is anchored here.
    Drawing(Element<'t>),
}

type Each<'e, 't> = &'e mut dyn FnMut(&mut String, Piece<'t>) -> Result<(), ExtractError>;

/// Adds the words of a paragraph to `text`; whatever is no text is given to `each` with the words
/// before it.
///
/// # Errors
///
/// Those of `each`.
pub(super) fn walk<'t>(
    element: Element<'t>,
    text: &mut String,
    each: Each<'_, 't>,
) -> Result<(), ExtractError> {
    for child in element.content() {
        let child = match child {
            Child::Text(words) => {
                add_words(words, text);
                continue;
            }
            Child::Element(child) => child,
        };
        match child.name() {
            "s" => {
                let count = child.attribute("c").and_then(|it| it.parse().ok()).unwrap_or(1);
                text.extend(std::iter::repeat_n(' ', MAX_BLANKS.min(count)));
            }
            "tab" => text.push('\t'),
            "line-break" => text.push('\n'),
            "soft-page-break" => each(text, Piece::SoftPageBreak)?,
            "note" => each(text, Piece::Note(child))?,
            "annotation" => each(text, Piece::Annotation(child))?,
            // Paragraphs inside are their own; their words would count twice.
            "p" | "h" | "list" | "page-number" | "page-count" | "tracked-changes"
            | "hidden-text" | "script" | "ruby-text" | "number" | "annotation-end" => {}
            name if is_drawing(name) => each(text, Piece::Drawing(child))?,
            _ => walk(child, text, each)?,
        }
    }
    Ok(())
}

/// The words of all paragraphs inside an element, a line each, without what is drawn or noted.
pub(super) fn words(element: Element<'_>) -> String {
    let mut words = String::new();
    for paragraph in element.descendants().filter(|it| matches!(it.name(), "p" | "h")) {
        let walked = walk(paragraph, &mut words, &mut |_, _| Ok(()));
        debug_assert!(walked.is_ok(), "collecting words cannot fail");
        words.push('\n');
    }
    words
}

/// Whether an element is a frame or a shape.
pub(super) fn is_drawing(name: &str) -> bool {
    matches!(
        name,
        "frame"
            | "g"
            | "rect"
            | "custom-shape"
            | "line"
            | "connector"
            | "ellipse"
            | "circle"
            | "polygon"
            | "polyline"
            | "path"
            | "caption"
            | "measure"
            | "regular-polygon"
    )
}

fn add_words(words: &str, text: &mut String) {
    for character in words.chars() {
        if !matches!(character, ' ' | '\t' | '\r' | '\n') {
            text.push(character);
        } else if !text.is_empty() && !text.ends_with([' ', '\n']) {
            text.push(' ');
        }
    }
}
