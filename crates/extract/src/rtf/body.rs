//! The paragraphs, tables and pages of an RTF document, as its reader comes upon them.

use crate::ExtractError;
use crate::compose::MAX_TEXT_BYTES;
use crate::content::{Block, Content, Table};

/// How many cells the tables of a document may have.
const MAX_CELLS: usize = 1_000_000;

/// What a paragraph is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ParagraphKind {
    /// Its heading level, from 1.
    pub(super) heading: Option<u8>,
    /// How deep in lists it is.
    pub(super) depth: u8,
    /// Whether it lies in a cell.
    pub(super) is_in_table: bool,
    /// How far it is from the margin, in twentieths of a point.
    pub(super) indent: i32,
    /// Whether its first line begins before the others, as with what is behind a mark.
    pub(super) hangs: bool,
}

/// How a cell is merged with its neighbours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CellMerge {
    /// With the one to its left.
    pub(super) left: bool,
    /// With the one above.
    pub(super) above: bool,
}

/// Gathers what is read.
#[derive(Default)]
pub(super) struct Body {
    pub(super) content: Content,
    /// The paragraph that is being read.
    pub(super) text: String,
    /// The mark of the list's item that it is.
    pub(super) mark: String,
    page: u32,
    /// The cell, the row and the table that are being read.
    cell: String,
    row: Vec<String>,
    merges: Vec<CellMerge>,
    merge: CellMerge,
    is_header: bool,
    rows: Vec<Vec<String>>,
    has_header: bool,
    cell_count: usize,
    cell_bytes: usize,
}

impl Body {
    /// `\par`
    pub(super) fn end_paragraph(&mut self, kind: ParagraphKind) {
        let mut text = std::mem::take(&mut self.text);
        let mut mark = std::mem::take(&mut self.mark);
        let mut depth = kind.depth;
        if mark.is_empty()
            && kind.hangs
            && let Some((typed, rest)) = typed_mark(&text)
        {
            depth = u8::try_from(kind.indent / INDENT - 1).unwrap_or(0).min(8);
            (mark, text) = (typed.to_owned(), rest.to_owned());
        }
        if kind.is_in_table {
            self.cell.push_str(&text);
            self.cell.push('\n');
            return;
        }
        if text.trim().is_empty() {
            return;
        }
        self.end_table();
        if let Some(level) = kind.heading {
            let number = item_mark(&mark).filter(|mark| *mark != "-");
            let number = number.map(|number| format!("{number} ")).unwrap_or_default();
            self.content.heading(level, format!("{number}{}", text.trim()));
        } else if let Some(mark) = item_mark(&mark) {
            let text = text.trim().to_owned();
            self.content.blocks.push(Block::Item { depth, mark, text });
        } else {
            self.content.paragraph(text.trim());
        }
    }

    /// The end of a paragraph that nobody needs.
    pub(super) fn drop_paragraph(&mut self) {
        self.text.clear();
        self.mark.clear();
    }

    /// `\page`: what follows is on the next one.
    pub(super) fn begin_page(&mut self) {
        if !self.row.is_empty() {
            return;
        }
        self.end_table();
        if self.page == 0 {
            self.page = 1;
            self.content.blocks.insert(0, Block::Page { number: 1, label: None });
        }
        // Several breaks without text between are an empty page each.
        self.page = self.page.saturating_add(1);
        if let Some(Block::Page { number, .. }) = self.content.blocks.last_mut()
            && *number > 1
        {
            *number = self.page;
            return;
        }
        self.content.blocks.push(Block::Page { number: self.page, label: None });
    }

    /// `\trowd`: the definition of a row begins.
    pub(super) fn begin_row(&mut self) {
        self.merges.clear();
        self.merge = CellMerge::default();
        self.is_header = false;
    }

    /// `\trhdr`
    pub(super) fn mark_header(&mut self) {
        self.is_header = true;
    }

    /// `\clmrg` and `\clvmrg`
    pub(super) fn merge_cell(&mut self, merge: CellMerge) {
        self.merge.left |= merge.left;
        self.merge.above |= merge.above;
    }

    /// `\cellx`: the definition of a cell is complete.
    pub(super) fn define_cell(&mut self) {
        if self.merges.len() < MAX_CELLS {
            self.merges.push(std::mem::take(&mut self.merge));
        }
    }

    /// `\cell`
    ///
    /// # Errors
    ///
    /// [`ExtractError::TooLarge`].
    pub(super) fn end_cell(&mut self) -> Result<(), ExtractError> {
        let mut cell = std::mem::take(&mut self.cell);
        let mark = item_mark(&std::mem::take(&mut self.mark)).filter(|mark| *mark != "-");
        cell.extend(mark.map(|mark| format!("{mark} ")));
        cell.push_str(&std::mem::take(&mut self.text));
        let at = self.row.len();
        let merge = self.merges.get(at).copied().unwrap_or_default();
        if cell.trim().is_empty() {
            let neighbour = if merge.above {
                self.rows.last().and_then(|row| row.get(at))
            } else if merge.left && self.is_header {
                self.row.last()
            } else {
                None
            };
            cell = neighbour.cloned().unwrap_or_default();
        }
        self.cell_count += 1;
        self.cell_bytes += cell.len();
        if self.cell_count > MAX_CELLS || self.cell_bytes > MAX_TEXT_BYTES {
            return Err(ExtractError::TooLarge {
                what: "the number of its cells".to_owned(),
                size: "more".to_owned(),
                limit: MAX_CELLS.to_string(),
            });
        }
        self.row.push(cell.trim().to_owned());
        Ok(())
    }

    /// `\row`
    pub(super) fn end_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        self.has_header |= self.rows.is_empty() && self.is_header;
        self.rows.push(row);
    }

    /// The end of the document.
    pub(super) fn finish(&mut self, kind: ParagraphKind) {
        if !self.row.is_empty() || !self.cell.trim().is_empty() {
            // A row that the file's end cut off.
            let last = std::mem::take(&mut self.cell) + &std::mem::take(&mut self.text);
            self.row.push(last.trim().to_owned());
            self.end_row();
        }
        self.end_paragraph(ParagraphKind { is_in_table: false, ..kind });
        self.end_table();
        while matches!(self.content.blocks.last(), Some(Block::Page { .. })) {
            self.content.blocks.pop();
        }
    }

    fn end_table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        if rows.is_empty() {
            return;
        }
        let table = if std::mem::take(&mut self.has_header) && rows.len() > 1 {
            Table { header: rows.remove(0), rows }
        } else {
            Table::of_rows(rows)
        };
        self.content.blocks.extend(table.into_blocks());
    }
}

/// How much further than the list around it a list begins, in twentieths of a point.
const INDENT: i32 = 360;

/// The mark that a program wrote as words with a tab behind, and the words after it.
fn typed_mark(text: &str) -> Option<(&str, &str)> {
    let (mark, rest) = text.split_once('\t')?;
    let mark = mark.trim();
    let is_bullet = matches!(mark, "•" | "–" | "-" | "*" | "·" | "◦" | "▪" | "o" | "§");
    let number = mark.trim_start_matches('(').strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty()
        && number.len() <= 6
        && number.chars().all(|it| it.is_ascii_alphanumeric() || it == '.');
    (is_bullet || is_number).then_some((mark, rest))
}

/// `-`, or the number with a dot; `None` for what is no list's mark.
fn item_mark(written: &str) -> Option<String> {
    let written = written.trim();
    let number = written.trim_matches(['.', ')', '(', '\u{a0}', ' ']);
    if written.is_empty() {
        None
    } else if !number.is_empty()
        && number.chars().count() <= 12
        && number.chars().all(|it| it.is_ascii_alphanumeric() || it == '.')
        // The hollow bullet of Courier is a small o.
        && written != "o"
    {
        Some(format!("{number}."))
    } else {
        Some("-".to_owned())
    }
}
