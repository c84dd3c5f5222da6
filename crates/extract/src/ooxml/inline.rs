//! What stands in a paragraph of a text document, piece by piece.
//!
//! Deleted and moved-away words, instructions of fields, hidden words and page numbers are left out;
//! what a field shows stays.

use std::borrow::Cow;

use crate::ExtractError;
use crate::office::pages::Break;
use crate::package::xml::Element;

use super::styles::flag;

/// A piece of a paragraph.
pub(super) enum Piece<'t> {
    Text(Cow<'t, str>),
    Break(Break),
    /// A reference to the note of this id.
    Footnote(String),
    Endnote(String),
    /// A reference to the comment of this id.
    Comment(String),
    /// Pictures, text boxes, charts and what else is drawn.
    Drawing(Element<'t>),
}

type Each<'e, 't> = &'e mut dyn FnMut(Piece<'t>) -> Result<(), ExtractError>;

/// Gives each piece of a paragraph, or of a run of paragraphs, to `each`.
///
/// # Errors
///
/// Those of `each`.
pub(super) fn walk<'t>(element: Element<'t>, each: Each<'_, 't>) -> Result<(), ExtractError> {
    Walk::default().inside(element, each)
}

/// The words of the paragraphs inside an element, without what is drawn or noted there.
pub(super) fn words(element: Element<'_>) -> String {
    let mut words = String::new();
    for paragraph in element.descendants().filter(|it| it.name() == "p") {
        let walked = walk(paragraph, &mut |piece| {
            if let Piece::Text(text) = piece {
                words.push_str(&text);
            }
            Ok(())
        });
        debug_assert!(walked.is_ok(), "collecting words cannot fail");
        words.push('\n');
    }
    words
}

/// The elements of this name inside `element`, through those that only wrap: content controls,
/// insertions, the chosen one of alternatives.
pub(super) fn through<'t>(element: Element<'t>, name: &str) -> Vec<Element<'t>> {
    let mut found = Vec::new();
    for child in element.children() {
        if child.name() == name {
            found.push(child);
        } else if is_wrapper(child) {
            found.extend(through(chosen(child), name));
        }
    }
    found
}

/// Whether an element only wraps what it holds.
pub(super) fn is_wrapper(element: Element<'_>) -> bool {
    matches!(
        element.name(),
        "sdt" | "sdtContent" | "customXml" | "ins" | "moveTo" | "smartTag" | "AlternateContent"
    )
}

/// Whether a content control holds the table of contents.
pub(super) fn is_contents(control: Element<'_>) -> bool {
    let gallery = control
        .child("sdtPr")
        .and_then(|it| it.child("docPartObj"))
        .and_then(|it| it.child("docPartGallery"))
        .and_then(|it| it.attribute("val"));
    gallery.is_some_and(|gallery| gallery.eq_ignore_ascii_case("Table of Contents"))
}

/// Whether a content control only asks to be filled in: `Click here to enter text.` Templates mark
/// samples of real words alike, so the words decide.
pub(super) fn is_prompt(control: Element<'_>) -> bool {
    const VERBS: [&str; 8] =
        ["click", "choose", "enter", "cliquez", "choisissez", "entrez", "appuyez", "klicken"];
    let is_filler =
        control.child("sdtPr").is_some_and(|it| flag(it, "showingPlcHdr") == Some(true));
    is_filler && {
        let words =
            control.child("sdtContent").map(words_inside).unwrap_or_default().to_lowercase();
        VERBS.iter().any(|verb| words.trim_start().starts_with(verb))
    }
}

fn words_inside(element: Element<'_>) -> String {
    element.descendants().filter(|it| it.name() == "t").map(Element::text).collect()
}

/// Of alternatives the first choice, which the newest programs show; any other element itself.
pub(super) fn chosen(element: Element<'_>) -> Element<'_> {
    if element.name() != "AlternateContent" {
        return element;
    }
    element.child("Choice").or_else(|| element.child("Fallback")).unwrap_or(element)
}

/// A field that is open: `PAGE`, a table of contents, a link.
#[derive(Default)]
struct Field {
    instruction: String,
    shows_result: bool,
}

#[derive(Default)]
struct Walk {
    fields: Vec<Field>,
}

impl Walk {
    fn inside<'t>(&mut self, element: Element<'t>, each: Each<'_, 't>) -> Result<(), ExtractError> {
        for child in chosen(element).children() {
            self.element(child, each)?;
        }
        Ok(())
    }

    fn element<'t>(
        &mut self,
        element: Element<'t>,
        each: Each<'_, 't>,
    ) -> Result<(), ExtractError> {
        let id = || element.attribute("id").unwrap_or_default();
        let piece = match element.name() {
            "t" => Piece::Text(Cow::Owned(element.text())),
            "tab" | "ptab" => Piece::Text(Cow::Borrowed("\t")),
            "br" if element.attribute("type").as_deref() == Some("page") => {
                Piece::Break(Break::Wanted)
            }
            "br" | "cr" => Piece::Text(Cow::Borrowed("\n")),
            "noBreakHyphen" => Piece::Text(Cow::Borrowed("-")),
            "sym" => match symbol(element) {
                Some(symbol) => Piece::Text(Cow::Owned(symbol.to_string())),
                None => return Ok(()),
            },
            "lastRenderedPageBreak" => Piece::Break(Break::LaidOut),
            "footnoteReference" => Piece::Footnote(id()),
            "endnoteReference" => Piece::Endnote(id()),
            "commentReference" => Piece::Comment(id()),
            "drawing" | "pict" | "object" => Piece::Drawing(element),
            "fldChar" => {
                self.field_mark(&element.attribute("fldCharType").unwrap_or_default());
                return Ok(());
            }
            "instrText" => {
                if let Some(field) = self.fields.last_mut() {
                    field.instruction.push_str(&element.text());
                }
                return Ok(());
            }
            "fldSimple" if is_page_number(&element.attribute("instr").unwrap_or_default()) => {
                return Ok(());
            }
            // `rt` is the reading above a word of Chinese or Japanese; a paragraph inside is its own,
            // and its words would count twice.
            "p" | "tbl" | "del" | "moveFrom" | "delText" | "delInstrText" | "pPr" | "rPr"
            | "sdtPr" | "rt" => {
                return Ok(());
            }
            "sdt" if is_prompt(element) => return Ok(()),
            "r" if element.child("rPr").and_then(|it| flag(it, "vanish")).unwrap_or(false) => {
                return Ok(());
            }
            _ => return self.inside(element, each),
        };
        if matches!(piece, Piece::Text(_)) && self.is_hidden() {
            return Ok(());
        }
        each(piece)
    }

    fn field_mark(&mut self, kind: &str) {
        match kind {
            "begin" => self.fields.push(Field::default()),
            "separate" => {
                if let Some(field) = self.fields.last_mut() {
                    field.shows_result = true;
                }
            }
            "end" => drop(self.fields.pop()),
            _ => {}
        }
    }

    fn is_hidden(&self) -> bool {
        self.fields.iter().any(|field| !field.shows_result || is_page_number(&field.instruction))
    }
}

/// Whether a field shows the number of a page or how many there are.
fn is_page_number(instruction: &str) -> bool {
    let name = instruction.split_whitespace().next().unwrap_or_default();
    ["PAGE", "NUMPAGES", "SECTIONPAGES"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A character of a symbol font: those that Word keeps in the private area are pictures.
fn symbol(element: Element<'_>) -> Option<char> {
    let code = u32::from_str_radix(&element.attribute("char")?, 16).ok()?;
    let is_private = (0xE000..=0xF8FF).contains(&code);
    char::from_u32(code).filter(|_| !is_private)
}
