//! From what a parser found to the text that is stored, cut into chunks and cited.
//!
//! One convention for every format, a light Markdown: `## Heading`, `- item`, a table row as an
//! item of `title: value` pairs. It is what the sentence splitter and the extractive runner read,
//! and a person recognises it. Positions count characters of the finished text.

use ancre_domain::{Heading, Language, PageKind, Pagination, TextPage, Warning, is_blank};

use crate::content::{Block, Content, one_line};
use crate::format::Format;
use crate::{ExtractError, Parsed, clean, detect_language, format, markdown, quality, title};

/// The longest text that is read of one document, in bytes: past that it is a database.
pub(crate) const MAX_TEXT_BYTES: usize = 64 * 1024 * 1024;

/// How much of a document is looked at to tell its language before the rows of its tables are
/// written, in bytes.
const LANGUAGE_SAMPLE_BYTES: usize = 20_000;

/// Makes the text, the outline and the pages of what a parser found.
///
/// # Errors
///
/// [`ExtractError::Empty`], [`ExtractError::TooLarge`], [`ExtractError::Binary`].
pub(crate) fn compose(
    content: Content,
    format: Format,
    file_name: &str,
) -> Result<Parsed, ExtractError> {
    let mut writer = Writer::new(RowStyle::of(sample_language(&content.blocks)));
    for block in content.blocks {
        writer.block(block)?;
    }
    let (text, outline, pages) = writer.finish();
    if is_blank(&text) {
        return Err(ExtractError::Empty);
    }
    let (outline, own_title) = if format == Format::Markdown {
        let reading = markdown::read(&text);
        (reading.outline, reading.title)
    } else {
        (outline, None)
    };
    let pagination =
        content.page_kind.map(|kind| Pagination { kind, pages }).filter(|it| !it.pages.is_empty());
    let garbled = garbled_pages(&text, pagination.as_ref());
    let is_readable = |heading: &&Heading| {
        let page = pagination.as_ref().and_then(|it| it.page_at(heading.start));
        page.is_none_or(|page| !garbled.contains(&page.number))
    };
    let title = own_title
        .or_else(|| title::choose(content.title.as_deref(), outline.iter().filter(is_readable)))
        .unwrap_or_else(|| format::stem(file_name));
    let mut warnings = content.warnings;
    if let Some(pagination) = pagination.as_ref().filter(|_| !garbled.is_empty()) {
        warnings.push(Warning::GarbledPages { pages: garbled, total: pagination.page_count() });
    }
    Ok(Parsed {
        language: detect_language(&text),
        title,
        mime: format.mime().to_owned(),
        pagination,
        outline,
        encoding: content.encoding.map(str::to_owned),
        warnings,
        text,
    })
}

/// The pages whose text is hardly text; only pages of a fixed layout come from readers that can
/// garble.
fn garbled_pages(text: &str, pagination: Option<&Pagination>) -> Vec<u32> {
    let pagination = pagination.filter(|it| it.kind == PageKind::Page);
    pagination.map(|it| quality::garbled_pages(text, it)).unwrap_or_default()
}

fn sample_language(blocks: &[Block]) -> Option<Language> {
    // Without rows nothing depends on it.
    if !blocks.iter().any(|block| matches!(block, Block::Row { .. })) {
        return None;
    }
    let mut sample = String::new();
    let mut add = |text: &str| {
        sample.push_str(text);
        sample.push('\n');
        sample.len() < LANGUAGE_SAMPLE_BYTES
    };
    for block in blocks {
        let goes_on = match block {
            Block::Page { .. } => true,
            Block::Heading { text, .. }
            | Block::Paragraph(text)
            | Block::Item { text, .. }
            | Block::Verbatim(text) => add(text),
            Block::Row { header, cells } => header.iter().chain(cells).all(|cell| add(cell)),
        };
        if !goes_on {
            break;
        }
    }
    detect_language(&sample)
}

/// What stands between a column title and its value, and between two of them.
#[derive(Clone, Copy)]
struct RowStyle {
    colon: &'static str,
    semicolon: &'static str,
}

impl RowStyle {
    /// French sets a no-break space before a colon and a narrow one before a semicolon
    /// (*Lexique des règles typographiques en usage à l'Imprimerie nationale*).
    fn of(language: Option<Language>) -> Self {
        match language {
            Some(Language::Fr) => Self { colon: "\u{a0}: ", semicolon: "\u{202f}; " },
            _ => Self { colon: ": ", semicolon: "; " },
        }
    }

    /// `Product: Duo; Price: 29 €`, or the values alone where the table has no header.
    fn write(self, header: &[String], cells: &[String]) -> String {
        let mut row = String::new();
        for (column, cell) in cells.iter().enumerate() {
            let value = one_line(cell);
            if value.is_empty() {
                continue;
            }
            if !row.is_empty() {
                row.push_str(self.semicolon);
            }
            let title = header.get(column).map(|title| one_line(title)).unwrap_or_default();
            if !title.is_empty() && title != value {
                row.push_str(title.trim_end_matches(|it: char| it == ':' || it.is_whitespace()));
                row.push_str(if title.ends_with(['?', '!']) { " " } else { self.colon });
            }
            row.push_str(&value);
        }
        row
    }
}

/// What follows itself without a blank line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum List {
    Items,
    Rows,
}

struct Writer {
    style: RowStyle,
    text: String,
    /// Length of `text` in characters.
    length: u32,
    outline: Vec<Heading>,
    pages: Vec<TextPage>,
    /// How many of the last pages still wait for their first character.
    pages_waiting: usize,
    last_list: Option<List>,
}

impl Writer {
    const fn new(style: RowStyle) -> Self {
        Self {
            style,
            text: String::new(),
            length: 0,
            outline: Vec::new(),
            pages: Vec::new(),
            pages_waiting: 0,
            last_list: None,
        }
    }

    fn block(&mut self, block: Block) -> Result<(), ExtractError> {
        match block {
            Block::Page { number, label } => {
                self.pages.push(TextPage { number, label, start: self.length });
                self.pages_waiting += 1;
            }
            Block::Heading { level, text } => {
                let title = one_line(&clean::clean_part(&text));
                if title.is_empty() {
                    return Ok(());
                }
                let level = level.clamp(1, 6);
                let marks = "#".repeat(level.into());
                let start = self.append(&format!("{marks} {title}"), None)?;
                self.outline.push(Heading { level, title, start });
            }
            Block::Paragraph(text) => {
                self.append(&without_blank_lines(&clean::clean_part(&text)), None)?;
            }
            Block::Verbatim(text) => {
                let text = clean::clean_part(&text);
                let text = text.trim_end();
                self.append(text.trim_start_matches('\n'), None)?;
            }
            Block::Item { depth, mark, text } => {
                let text = without_blank_lines(&clean::clean_part(&text));
                if !text.is_empty() {
                    let indent = "  ".repeat(depth.min(8).into());
                    self.append(&format!("{indent}{mark} {text}"), Some(List::Items))?;
                }
            }
            Block::Row { header, cells } => {
                let row = clean::clean_part(&self.style.write(&header, &cells));
                if !row.is_empty() {
                    self.append(&format!("- {row}"), Some(List::Rows))?;
                }
            }
        }
        Ok(())
    }

    /// Writes a block and says where it begins. Items of a list and rows of a table follow each
    /// other line by line, everything else after a blank line.
    fn append(&mut self, block: &str, list: Option<List>) -> Result<u32, ExtractError> {
        if block.is_empty() {
            return Ok(self.length);
        }
        if !self.text.is_empty() {
            let goes_on = list.is_some() && list == self.last_list;
            let gap = if goes_on { "\n" } else { "\n\n" };
            self.write(gap)?;
        }
        let start = self.length;
        let first_waiting = self.pages.len() - self.pages_waiting;
        for page in &mut self.pages[first_waiting..] {
            page.start = start;
        }
        self.pages_waiting = 0;
        self.last_list = list;
        self.write(block)?;
        Ok(start)
    }

    fn write(&mut self, text: &str) -> Result<(), ExtractError> {
        if self.text.len() + text.len() > MAX_TEXT_BYTES {
            return Err(ExtractError::TooLarge {
                what: "its text".to_owned(),
                size: "more".to_owned(),
                limit: format!("{} MiB", MAX_TEXT_BYTES >> 20),
            });
        }
        self.text.push_str(text);
        // The limit above is far below what a position can count.
        self.length += u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        Ok(())
    }

    fn finish(mut self) -> (String, Vec<Heading>, Vec<TextPage>) {
        let first_waiting = self.pages.len() - self.pages_waiting;
        for page in &mut self.pages[first_waiting..] {
            page.start = self.length;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        (self.text, self.outline, self.pages)
    }
}

/// Lines without blanks around them, and no blank line: inside a block it would end the block.
fn without_blank_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn composed(blocks: Vec<Block>, page_kind: Option<PageKind>) -> Parsed {
        let content = Content { blocks, page_kind, ..Content::default() };
        compose(content, Format::Docx, "guide.docx").unwrap()
    }

    #[test]
    fn blocks_become_a_light_markdown_with_its_outline() {
        let item = |mark: &str, text: &str| Block::Item {
            depth: 0,
            mark: mark.to_owned(),
            text: text.to_owned(),
        };
        let parsed = composed(
            vec![
                Block::Heading { level: 1, text: "Retours\net échanges".to_owned() },
                Block::Paragraph("Sous trente\n\n  jours.\r\n".to_owned()),
                item("-", "gratuit"),
                item("2.", "e\u{301}crit"),
                Block::Heading { level: 2, text: "Délais".to_owned() },
                Block::Verbatim("a\n\n  b\n".to_owned()),
            ],
            None,
        );
        assert_eq!(
            parsed.text,
            "# Retours et échanges\n\nSous trente\njours.\n\n- gratuit\n2. écrit\n\n## Délais\n\n\
             a\n\n  b\n"
        );
        assert_eq!(parsed.title, "Retours et échanges");
        for heading in &parsed.outline {
            let line: String = parsed.text.chars().skip(heading.start as usize).collect();
            assert!(line.trim_start_matches('#').trim_start().starts_with(&heading.title));
        }
    }

    #[test]
    fn a_row_stands_alone_in_the_typography_of_its_language() {
        let row = |header: &[&str], cells: &[&str]| Block::Row {
            header: header.iter().map(ToString::to_string).collect::<Vec<_>>().into(),
            cells: cells.iter().map(ToString::to_string).collect(),
        };
        let french = "Voici les prix de nos forfaits et leurs conditions pour cette année.";
        let parsed = composed(
            vec![
                Block::Paragraph(french.to_owned()),
                row(&["Forfait", "Prix :", "Inclus ?"], &["Duo", "29\u{a0}€", "oui"]),
                row(&["Forfait", "Prix :", "Inclus ?"], &["Solo", "", "non\nplus"]),
            ],
            None,
        );
        assert_eq!(
            parsed.text,
            format!(
                "{french}\n\n- Forfait\u{a0}: Duo\u{202f}; Prix\u{a0}: 29\u{a0}€\u{202f}; Inclus ? oui\n\
                 - Forfait\u{a0}: Solo\u{202f}; Inclus ? non plus\n"
            )
        );
        let english = composed(
            vec![
                Block::Paragraph("These are the prices of our plans for this year.".to_owned()),
                Block::Row { header: Arc::new([]), cells: vec!["a".to_owned(), "b".to_owned()] },
            ],
            None,
        );
        assert!(english.text.ends_with("\n\n- a; b\n"), "{}", english.text);
    }

    #[test]
    fn a_page_begins_with_its_first_character_even_when_the_one_before_is_blank() {
        let page = |number| Block::Page { number, label: None };
        let parsed = composed(
            vec![
                page(1),
                Block::Paragraph("été".to_owned()),
                page(2),
                page(3),
                Block::Paragraph("b".to_owned()),
                page(4),
            ],
            Some(PageKind::Page),
        );
        let starts: Vec<u32> =
            parsed.pagination.unwrap().pages.iter().map(|page| page.start).collect();
        assert_eq!(starts, [0, 5, 5, 6]);
    }
}
