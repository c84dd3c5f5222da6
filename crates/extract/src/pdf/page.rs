//! A page as PDFium gives it: its lines, what of it is picture, its form fields and notes.

use pdfium_render::prelude::{
    PdfFormField, PdfFormFieldCommon, PdfPage, PdfPageAnnotation, PdfPageAnnotationCommon,
    PdfPageText, PdfPageTextRenderMode,
};

use super::line::{self, Line};
use super::table::{self, Grid};
use super::{character, drawn, order};

/// A page with fewer characters than this is a scan if it has a large picture. A stamp or a page
/// number over a scan has fewer, the shortest page of text has more.
const MIN_TEXT_CHARACTERS: usize = 20;

/// The share of the page that a picture of text covers at least.
const MIN_PICTURE_SHARE: f32 = 0.25;

/// The most annotations of a page that are read.
const MAX_ANNOTATIONS: usize = 2_000;

/// The most characters of a page whose way of being drawn is asked.
const DRAWN_SAMPLE: usize = 200;

/// A page that was read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Page {
    /// From 1.
    pub(super) number: u32,
    /// What the document calls it.
    pub(super) label: Option<String>,
    /// As it is shown, in points (1/72 inch).
    pub(super) height: f32,
    /// In the file's order.
    pub(super) lines: Vec<Line>,
    /// The lines that are drawn around its tables, by the numbers that text lines have as
    /// [`table`](Line::table).
    pub(super) grids: Vec<Grid>,
    /// Form fields and notes, which come after the lines.
    pub(super) notes: Vec<String>,
    /// Paragraphs that were recognised in its picture.
    pub(super) recognised: Vec<String>,
    /// How much of it is picture, from 0 to 1.
    pub(super) picture_share: f32,
    /// Whether most of its text is there but not drawn: the text layer of a scan.
    pub(super) is_hidden: bool,
}

impl Page {
    /// Whether it is a picture of text without a text layer.
    pub(super) fn is_scan(&self) -> bool {
        self.picture_share >= MIN_PICTURE_SHARE && self.character_count() < MIN_TEXT_CHARACTERS
    }

    /// Whether its text was recognised by who made the file.
    pub(super) fn is_recognised(&self) -> bool {
        self.is_hidden && !self.is_scan() && self.picture_share >= MIN_PICTURE_SHARE
    }

    /// Whether there is anything to read on it.
    pub(super) fn has_text(&self) -> bool {
        self.character_count() > 0 || !self.notes.is_empty()
    }

    /// How long its texts are, in bytes.
    pub(super) fn byte_count(&self) -> usize {
        let lines: usize = self.lines.iter().map(|line| line.text.len()).sum();
        lines + self.notes.iter().map(String::len).sum::<usize>()
    }

    fn character_count(&self) -> usize {
        let visible = |line: &Line| line.text.chars().filter(|it| !it.is_whitespace()).count();
        self.lines.iter().map(visible).sum()
    }
}

/// Reads the page; `None` where PDFium cannot.
pub(super) fn read(page: &PdfPage<'_>, number: u32) -> Option<Page> {
    let text = page.text().ok()?;
    let (width, height) = (page.width().value, page.height().value);
    let drawn = drawn::of_page(page);
    let picture_share = drawn.picture_area / (width * height).max(1.0);
    let has_picture = picture_share >= MIN_PICTURE_SHARE;
    let grids = Grid::all_of(&drawn.rules.turned(character::prevailing_quarter(&text)));
    let lines = order::of_reading(line::of_text(&text, &grids));
    let (lines, grids) = table::in_grids(lines, grids);
    Some(Page {
        number,
        label: page.label().map(str::to_owned),
        height,
        lines,
        grids,
        notes: notes(page),
        recognised: Vec::new(),
        picture_share,
        is_hidden: has_picture && is_hidden(&text),
    })
}

/// Whether most characters are written in render mode 3, “neither fill nor stroke” (ISO 32000-1,
/// 9.3.6), as recognition programs write over the picture that they read.
fn is_hidden(text: &PdfPageText<'_>) -> bool {
    let (mut asked, mut hidden) = (0_usize, 0_usize);
    let characters = text.chars();
    let step = (characters.len() / DRAWN_SAMPLE).max(1);
    for character in characters.iter().step_by(step) {
        if character.unicode_char().is_some_and(|it| !it.is_whitespace())
            && let Ok(mode) = character.render_mode()
        {
            asked += 1;
            hidden += usize::from(mode == PdfPageTextRenderMode::Invisible);
        }
    }
    hidden * 2 > asked
}

/// What was typed onto the page: fields with their names, and free text.
fn notes(page: &PdfPage<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    for annotation in page.annotations().iter().take(MAX_ANNOTATIONS) {
        let note = if let PdfPageAnnotation::FreeText(it) = &annotation {
            it.contents()
        } else {
            annotation.as_form_field().and_then(field)
        };
        notes.extend(note.filter(|note| !note.trim().is_empty()));
    }
    notes.dedup();
    notes
}

/// `Name: value`, or the name with a tick.
fn field(field: &PdfFormField<'_>) -> Option<String> {
    let tick = |is_checked: bool| is_checked.then(|| "✓".to_owned());
    let (name, value) = match field {
        PdfFormField::Text(it) => (it.name(), it.value()),
        PdfFormField::ComboBox(it) => (it.name(), it.value()),
        PdfFormField::ListBox(it) => (it.name(), it.value()),
        PdfFormField::Checkbox(it) => (it.name(), tick(it.is_checked().unwrap_or(false))),
        PdfFormField::RadioButton(it) => {
            // A group of which none is chosen says so with this word (ISO 32000-1, 12.7.4.2.4).
            let is_chosen = |value: &String| value != "Off" && it.is_checked().unwrap_or(false);
            (it.name(), it.group_value().filter(is_chosen))
        }
        PdfFormField::PushButton(_) | PdfFormField::Signature(_) | PdfFormField::Unknown(_) => {
            return None;
        }
    };
    let value = value.filter(|value| !value.trim().is_empty())?;
    Some(match name.filter(|name| !name.trim().is_empty()) {
        Some(name) => format!("{name}: {value}"),
        None => value,
    })
}
