//! Groups, destinations and characters of an RTF document.
//!
//! Groups inherit from the one around them, so a stack of states follows the braces; past its
//! bound they are only counted. Bytes wait until their font's encoding is sure to be complete,
//! because letters of East Asian code pages have two.

use std::collections::HashMap;

use encoding_rs::Encoding;

use super::body::{Body, CellMerge, ParagraphKind};
use super::code_pages::CodePages;
use super::tokens::Token;
use super::words::{IGNORED, character_of, heading_level};
use crate::ExtractError;
use crate::office::headings::is_contents_entry;

const MAX_DEPTH: usize = 1_000;
const MAX_STYLES: usize = 10_000;
/// The longest title or style name, in bytes.
const MAX_NAME: usize = 1_000;

/// Where text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Body,
    /// A note, which stands in the body at its place.
    Note,
    ListMark,
    Title,
    StyleName,
    Fonts,
    /// Left out, but for the groups in it that are read: a title, a text box, the same words in
    /// Unicode.
    Information,
    Shape,
    Alternative,
    /// Left out with all that is in it.
    Nothing,
}

#[derive(Debug, Clone, Copy)]
struct Group {
    destination: Destination,
    /// How many characters stand for each `\u` where it is not understood.
    substitutes: usize,
    font: i32,
    is_hidden: bool,
    is_deleted: bool,
    style: i32,
    /// `\outlinelevel`, from 0.
    outline_level: Option<i32>,
    kind: ParagraphKind,
}

pub(super) struct Document {
    pub(super) body: Body,
    code_pages: CodePages,
    /// The heading levels of styles; none for that of an entry of a table of contents.
    styles: HashMap<i32, Option<u8>>,
    group: Group,
    outer: Vec<Group>,
    /// How many groups are open beyond the bound.
    beyond: usize,
    /// Whether the group has only begun, so that its destination is still to come.
    is_new: bool,
    is_ignorable: bool,
    /// Bytes that wait to be decoded.
    bytes: Vec<u8>,
    encoding: &'static Encoding,
    high_surrogate: Option<u16>,
    /// How many substitutes are still to be skipped.
    skip: usize,
    name: String,
    default_font: i32,
    /// Whether a section has ended, whose successor begins a page unless it says otherwise.
    awaits_section: bool,
    pub(super) has_ended: bool,
}

impl Document {
    pub(super) fn new() -> Self {
        let code_pages = CodePages::new();
        Self {
            encoding: code_pages.of_font(0),
            code_pages,
            body: Body::default(),
            styles: HashMap::new(),
            group: Group {
                destination: Destination::Body,
                substitutes: 1,
                font: 0,
                is_hidden: false,
                is_deleted: false,
                style: 0,
                outline_level: None,
                kind: ParagraphKind::default(),
            },
            outer: Vec::new(),
            beyond: 0,
            is_new: false,
            is_ignorable: false,
            bytes: Vec::new(),
            high_surrogate: None,
            skip: 0,
            name: String::new(),
            default_font: 0,
            awaits_section: false,
            has_ended: false,
        }
    }

    /// Takes the next token.
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`] for tables beyond the limit.
    pub(super) fn take(&mut self, token: Token<'_>) -> Result<(), ExtractError> {
        match token {
            Token::Open => {
                self.skip = 0;
                self.flush();
                if self.outer.len() < MAX_DEPTH {
                    self.outer.push(self.group);
                } else {
                    self.beyond += 1;
                }
                (self.is_new, self.is_ignorable) = (true, false);
                return Ok(());
            }
            Token::Close => {
                self.skip = 0;
                self.flush();
                self.close();
            }
            Token::Symbol(b'*') if self.is_new => {
                self.is_ignorable = true;
                return Ok(());
            }
            Token::Text(bytes) => {
                let skipped = self.skip.min(bytes.len());
                self.skip -= skipped;
                self.add_bytes(bytes.get(skipped..).unwrap_or_default());
            }
            Token::Byte(_) | Token::Symbol(_) | Token::Binary if self.skip > 0 => self.skip -= 1,
            Token::Byte(byte) => self.add_bytes(&[byte]),
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Word { name, value } => self.word(name, value)?,
            Token::Binary => {}
        }
        self.is_new = false;
        Ok(())
    }

    /// Says that nothing follows, and whether all groups were closed.
    pub(super) fn finish(&mut self) -> bool {
        self.flush();
        let is_whole = self.has_ended;
        self.body.finish(self.kind());
        is_whole
    }

    fn close(&mut self) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let Some(outer) = self.outer.pop() else { return };
        match self.group.destination {
            Destination::Note if outer.destination != Destination::Note => {
                let trimmed = self.body.text.trim_end().len();
                self.body.text.truncate(trimmed);
                let text = self.body.text.as_str();
                let blank = [NOTE, COMMENT].iter().find_map(|it| text.strip_suffix(it.trim_end()));
                match blank.map(str::len) {
                    Some(start) => self.body.text.truncate(start),
                    None => self.body.text.push(']'),
                }
            }
            Destination::Title if outer.destination != Destination::Title => {
                self.body.content.title = Some(std::mem::take(&mut self.name));
            }
            Destination::StyleName => self.end_style(),
            Destination::Body if outer.destination == Destination::Shape => {
                // A text box is a paragraph of its own.
                self.body.end_paragraph(self.kind());
            }
            _ => {}
        }
        self.group = outer;
        self.has_ended = self.outer.is_empty();
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            b'\\' | b'{' | b'}' => self.add_bytes(&[symbol]),
            b'~' => self.add_character('\u{a0}'),
            b'_' => self.add_character('-'),
            b'\r' | b'\n' => self.end_paragraph(),
            b'\t' => self.add_character('\t'),
            _ => {}
        }
    }

    fn word(&mut self, name: &str, value: Option<i32>) -> Result<(), ExtractError> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        if name == "u" {
            self.unicode(value.unwrap_or(0));
            return Ok(());
        }
        if self.is_new && self.begin_destination(name) {
            return Ok(());
        }
        self.is_new = false;
        if self.group.destination == Destination::Fonts {
            self.code_pages.font_word(name, value.unwrap_or(0));
            return Ok(());
        }
        let is_on = value != Some(0);
        match name {
            "uc" => {
                self.group.substitutes = usize::try_from(value.unwrap_or(1)).unwrap_or(1).min(16);
            }
            "f" => self.group.font = value.unwrap_or(0),
            "ansicpg" => self.code_pages.set_document(value.unwrap_or(0)),
            "mac" => self.code_pages.set_macintosh(),
            "deff" => {
                self.default_font = value.unwrap_or(0);
                self.group.font = self.default_font;
            }
            "plain" => {
                self.group.font = self.default_font;
                self.group.is_hidden = false;
                self.group.is_deleted = false;
            }
            "v" => self.group.is_hidden = is_on,
            "deleted" => self.group.is_deleted = is_on,
            "s" => self.group.style = value.unwrap_or(0),
            "outlinelevel" => self.group.outline_level = value,
            _ if self.group.destination == Destination::Nothing => {}
            _ => return self.layout_word(name, value),
        }
        Ok(())
    }

    /// The words that shape paragraphs, tables and pages.
    fn layout_word(&mut self, name: &str, value: Option<i32>) -> Result<(), ExtractError> {
        if let Some(character) = character_of(name) {
            self.add_character(character);
            return Ok(());
        }
        match name {
            "pard" => {
                self.group.style = 0;
                self.group.outline_level = None;
                self.group.kind = ParagraphKind::default();
            }
            "intbl" => self.group.kind.is_in_table = true,
            "ilvl" => {
                self.group.kind.depth = u8::try_from(value.unwrap_or(0)).unwrap_or(0).min(8);
            }
            "li" => self.group.kind.indent = value.unwrap_or(0),
            "fi" => self.group.kind.hangs = value.is_some_and(|it| it < 0),
            "par" => self.end_paragraph(),
            "sbknone" | "sbkcol" => self.awaits_section = false,
            _ if self.group.destination != Destination::Body => {}
            "page" | "softpage" | "pagebb" if value != Some(0) => {
                self.end_paragraph();
                self.body.begin_page();
            }
            "sect" => {
                self.end_paragraph();
                self.awaits_section = true;
            }
            "trowd" => self.body.begin_row(),
            "trhdr" => self.body.mark_header(),
            "clmrg" => self.body.merge_cell(CellMerge { left: true, above: false }),
            "clvmrg" => self.body.merge_cell(CellMerge { left: false, above: true }),
            "cellx" => self.body.define_cell(),
            "cell" => {
                self.flush();
                self.body.end_cell()?;
            }
            "row" => self.body.end_row(),
            // A table in a cell is part of its text.
            "nestcell" => self.add_character(';'),
            "nestrow" => self.add_character('\n'),
            _ => {}
        }
        Ok(())
    }

    /// Whether the word that begins a group says where its text goes.
    fn begin_destination(&mut self, name: &str) -> bool {
        use Destination::{
            Alternative, Body, Fonts, Information, ListMark, Note, Nothing, Shape, StyleName, Title,
        };
        let inside = self.group.destination;
        let destination = match (inside, name) {
            (Information, "title") => Title,
            (Shape, "shptxt") | (Alternative, "ud") => Body,
            (Nothing | Shape | Information | Alternative, _) => return false,
            (StyleName, _) if self.is_ignorable => Nothing,
            (Body | Note, "upr") => Alternative,
            (_, "footnote" | "annotation") => Note,
            (_, "listtext" | "pntext") => ListMark,
            (_, "fonttbl") => Fonts,
            (_, "stylesheet") => StyleName,
            (_, "info") => Information,
            (_, "shp" | "shpinst") => Shape,
            (_, name) if IGNORED.contains(&name) => Nothing,
            _ if self.is_ignorable => Nothing,
            _ => return false,
        };
        match destination {
            Note if inside != Note => {
                self.body.text.push_str(if name == "footnote" { NOTE } else { COMMENT });
            }
            Title | StyleName => self.name.clear(),
            ListMark => self.body.mark.clear(),
            _ => {}
        }
        self.group.destination = destination;
        true
    }

    fn end_style(&mut self) {
        let name = std::mem::take(&mut self.name);
        let outline = self.group.outline_level.filter(|level| (0..9).contains(level));
        let level = outline.and_then(|level| u8::try_from(level + 1).ok()).or(heading_level(&name));
        let is_contents_entry = is_contents_entry(name.trim().trim_end_matches(';'));
        if (level.is_some() || is_contents_entry) && self.styles.len() < MAX_STYLES {
            self.styles.insert(self.group.style, level.filter(|_| !is_contents_entry));
        }
    }

    fn kind(&self) -> ParagraphKind {
        let heading = match self.group.outline_level {
            // 9 is body text, whatever the style says.
            Some(level) => u8::try_from(level).ok().filter(|it| *it < 9).map(|level| level + 1),
            None => self.styles.get(&self.group.style).copied().flatten(),
        };
        ParagraphKind { heading, ..self.group.kind }
    }

    fn end_paragraph(&mut self) {
        self.flush();
        match self.group.destination {
            // The headings of a table of contents say the same.
            Destination::Body if self.styles.get(&self.group.style) == Some(&None) => {
                self.body.drop_paragraph();
            }
            Destination::Body => self.body.end_paragraph(self.kind()),
            Destination::Note => self.body.text.push(' '),
            _ => {}
        }
    }

    /// `\u`: a unit of UTF-16, written as a signed number.
    fn unicode(&mut self, value: i32) {
        self.skip = self.group.substitutes;
        let unit = u16::try_from(value & 0xFFFF).unwrap_or(0);
        // Some writers give whole code points.
        if let Some(character) = u32::try_from(value).ok().filter(|it| *it > 0xFFFF) {
            self.add_character(char::from_u32(character).unwrap_or(char::REPLACEMENT_CHARACTER));
            return;
        }
        self.flush_bytes();
        let units = [self.high_surrogate.take(), Some(unit)];
        if (0xD800..0xDC00).contains(&unit) {
            self.high_surrogate = Some(unit);
            return;
        }
        for decoded in char::decode_utf16(units.into_iter().flatten()) {
            self.put(decoded.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut [0; 4]));
        }
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let encoding = self.code_pages.of_font(self.group.font);
        if encoding != self.encoding {
            self.flush();
            self.encoding = encoding;
        }
        self.high_surrogate = None;
        self.bytes.extend_from_slice(bytes);
    }

    fn add_character(&mut self, character: char) {
        self.flush();
        self.put(character.encode_utf8(&mut [0; 4]));
    }

    fn flush(&mut self) {
        self.high_surrogate = None;
        self.flush_bytes();
    }

    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let (text, _) = self.encoding.decode_without_bom_handling(&bytes);
        self.put(&text);
    }

    fn put(&mut self, text: &str) {
        if self.group.is_hidden || self.group.is_deleted {
            return;
        }
        match self.group.destination {
            Destination::Body | Destination::Note => {
                if std::mem::take(&mut self.awaits_section) {
                    self.body.begin_page();
                }
                let begins_note = [NOTE, COMMENT].iter().any(|it| self.body.text.ends_with(it));
                self.body.text.push_str(if begins_note { text.trim_start() } else { text });
            }
            Destination::ListMark => self.body.mark.push_str(text),
            Destination::Title | Destination::StyleName if self.name.len() < MAX_NAME => {
                self.name.push_str(text);
            }
            _ => {}
        }
    }
}

/// What stands before a note at its place; `]` stands behind it.
const NOTE: &str = " [note: ";

/// The same of a comment.
const COMMENT: &str = " [comment: ";
