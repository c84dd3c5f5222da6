//! The outline, the title and the tables of a Markdown text.
//!
//! The text stays as it was written: it is what a person recognises when they open a citation. Only
//! its tables are written as every table is, each row with its titles, so that a chunk that begins
//! inside one can be understood. Headings are those of `CommonMark`, so a `#` in a code block
//! or in front matter is none. HTML headings (`<h1>`) are not looked at.

use ancre_domain::Heading;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::content::{Block, Table};

/// What was found.
pub(crate) struct Reading {
    pub(crate) outline: Vec<Heading>,
    /// `title:` of the front matter, else the first heading of level 1, else the first heading.
    pub(crate) title: Option<String>,
}

pub(crate) fn read(text: &str) -> Reading {
    let matter = front_matter(text);
    let body_start = matter.map_or(0, |matter| matter.end);
    let outline = headings(text, body_start);
    let title = matter.and_then(|matter| title_in(matter.yaml)).or_else(|| {
        let outermost = outline.iter().find(|heading| heading.level == 1);
        outermost.or(outline.first()).map(|heading| heading.title.clone())
    });
    Reading { outline, title }
}

/// The text as it stands, but for its outermost tables, which become rows.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let body_start = front_matter(text).map_or(0, |matter| matter.end);
    let body = &text[body_start..];
    let mut blocks = Vec::new();
    let (mut written_to, mut depth) = (0, 0_usize);
    let mut table = Table::default();
    let mut row = Vec::new();
    let parser = Parser::new_ext(body, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::Item) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::Item) => depth = depth.saturating_sub(1),
            Event::Start(Tag::Table(_)) => table = Table::default(),
            Event::End(TagEnd::TableCell) => row.push(cell(&body[range])),
            Event::End(TagEnd::TableHead) => table.header = std::mem::take(&mut row),
            Event::End(TagEnd::TableRow) => table.rows.push(std::mem::take(&mut row)),
            Event::End(TagEnd::Table) if depth == 0 => {
                let before = text.get(..body_start + range.start).unwrap_or_default();
                blocks.push(Block::Verbatim(before[written_to..].to_owned()));
                written_to = body_start + range.end;
                let mut table = std::mem::take(&mut table);
                if table.rows.is_empty() {
                    table.rows.push(std::mem::take(&mut table.header));
                }
                blocks.extend(table.into_blocks());
            }
            _ => {}
        }
    }
    blocks.push(Block::Verbatim(text[written_to..].to_owned()));
    blocks
}

/// The words of a cell, without the bars around it.
fn cell(source: &str) -> String {
    let inside = source.trim();
    let inside = inside.strip_prefix('|').unwrap_or(inside);
    let inside = match inside.strip_suffix('|') {
        Some(before) if !before.ends_with('\\') => before,
        _ => inside,
    };
    inside.trim().replace("\\|", "|")
}

/// YAML between two lines of three dashes at the very beginning.
#[derive(Clone, Copy)]
struct FrontMatter<'a> {
    yaml: &'a str,
    /// Where the text after it begins, in bytes.
    end: usize,
}

fn front_matter(text: &str) -> Option<FrontMatter<'_>> {
    const FENCE: &str = "---\n";
    let after_fence = text.strip_prefix(FENCE)?;
    let mut length = 0;
    for line in after_fence.split_inclusive('\n') {
        let content = line.trim_end();
        if content == "---" || content == "..." {
            let end = FENCE.len() + length + line.len();
            return Some(FrontMatter { yaml: &after_fence[..length], end });
        }
        // A rule (three dashes) over ordinary text is no front matter.
        let is_yaml = content.is_empty()
            || content.contains(':')
            || content.starts_with(['-', '#', ' ', '\t', ']', '}']);
        if !is_yaml {
            return None;
        }
        length += line.len();
    }
    None
}

fn title_in(yaml: &str) -> Option<String> {
    let value = yaml.lines().find_map(|line| line.strip_prefix("title:"))?.trim();
    let unquoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| value.strip_prefix(quote)?.strip_suffix(quote))
        .unwrap_or(value)
        .trim();
    // `|` and `>` begin a text of several lines, which no title is.
    (!unquoted.is_empty() && !matches!(unquoted, "|" | ">")).then(|| unquoted.to_owned())
}

fn headings(text: &str, body_start: usize) -> Vec<Heading> {
    let mut offsets = CharacterOffsets::new(text);
    let mut outline = Vec::new();
    let mut open: Option<(u8, u32, String)> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(&text[body_start..], options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let line = line_start(text, body_start + range.start);
                open = Some((level as u8, offsets.of_byte(line), String::new()));
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, start, title)) = open.take() {
                    let title = plain(&title);
                    if !title.is_empty() {
                        outline.push(Heading { level, title, start });
                    }
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, _, title)) = &mut open {
                    title.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, _, title)) = &mut open {
                    title.push(' ');
                }
            }
            _ => {}
        }
    }
    outline
}

/// Single spaces, and without the anchor (`{#name}`) that some generators put behind a heading.
fn plain(title: &str) -> String {
    let title = title.trim_end();
    let without_anchor = match title.rfind("{#") {
        Some(anchor) if title.ends_with('}') => &title[..anchor],
        _ => title,
    };
    without_anchor.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_start(text: &str, byte: usize) -> usize {
    text[..byte].rfind('\n').map_or(0, |line_end| line_end + 1)
}

/// Turns byte offsets that only grow into character offsets, counting each character once.
struct CharacterOffsets<'a> {
    text: &'a str,
    byte: usize,
    character: u32,
}

impl<'a> CharacterOffsets<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text, byte: 0, character: 0 }
    }

    fn of_byte(&mut self, byte: usize) -> u32 {
        let passed = self.text.get(self.byte..byte).unwrap_or_default().chars().count();
        self.character = self.character.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.byte = self.byte.max(byte);
        self.character
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Vec<(u8, String, u32)> {
        read(text)
            .outline
            .into_iter()
            .map(|heading| (heading.level, heading.title, heading.start))
            .collect()
    }

    #[test]
    fn both_kinds_of_heading_are_found_with_their_places() {
        let text =
            "# Été\n\nTexte.\n\nDeuxième\n========\n\n### 3. `code` & *mots* [lien](x) ###\n";
        assert_eq!(
            outline(text),
            [
                (1, "Été".to_owned(), 0),
                (1, "Deuxième".to_owned(), 15),
                (3, "3. code & mots lien".to_owned(), 34),
            ]
        );
    }

    #[test]
    fn every_row_of_a_table_says_what_its_values_are() {
        let text = "---\ntitle: x\n---\nAvant\n\n| Forfait | Prix |\n|---|---:|\n| Duo | **29 €** |\n\
                    | a \\| b | |\n\nAprès\n\n> | q | r |\n> |---|---|\n> | 1 | 2 |\n";
        let header: std::sync::Arc<[String]> = ["Forfait".to_owned(), "Prix".to_owned()].into();
        let row = |first: &str, second: &str| Block::Row {
            header: header.clone(),
            cells: vec![first.to_owned(), second.to_owned()],
        };
        assert_eq!(
            blocks(text),
            [
                Block::Verbatim("---\ntitle: x\n---\nAvant\n\n".to_owned()),
                row("Duo", "**29 €**"),
                row("a | b", ""),
                Block::Verbatim("\nAprès\n\n> | q | r |\n> |---|---|\n> | 1 | 2 |\n".to_owned()),
            ]
        );
        let whole: String = "| only |\n|---|\n".to_owned();
        assert!(blocks(&whole).iter().any(|block| matches!(block, Block::Row { .. })));
    }

    #[test]
    fn a_number_sign_in_code_is_no_heading() {
        let text = "```sh\n# install\n```\n\n    # indented\n\n## Real\n";
        assert_eq!(outline(text), [(2, "Real".to_owned(), 37)]);
    }

    #[test]
    fn front_matter_gives_the_title_and_no_heading() {
        let text =
            "---\ntitle: \"Retours : mode d'emploi\"\n# a comment\ntags:\n- a\n---\n# Retours\n";
        let reading = read(text);
        assert_eq!(reading.title.as_deref(), Some("Retours : mode d'emploi"));
        assert_eq!(reading.outline.len(), 1);
        assert_eq!(reading.outline[0].start, 63);
    }

    #[test]
    fn a_rule_at_the_top_is_no_front_matter() {
        let text = "---\nOrdinary words\n\n# Heading\n\n---\n";
        assert_eq!(outline(text), [(1, "Heading".to_owned(), 20)]);
    }

    #[test]
    fn the_title_is_the_first_outermost_heading_else_the_first() {
        assert_eq!(read("## Avant\n# Titre\n# Autre\n").title.as_deref(), Some("Titre"));
        assert_eq!(read("## Avant\n### Après\n").title.as_deref(), Some("Avant"));
        assert_eq!(read("rien\n").title, None);
    }

    #[test]
    fn an_anchor_and_an_empty_heading_are_left_out() {
        assert_eq!(outline("# Titre {#titre}\n\n##\n"), [(1, "Titre".to_owned(), 0)]);
    }

    #[test]
    fn a_heading_in_a_quotation_begins_with_its_line() {
        assert_eq!(outline("a\n\n> ## b\n"), [(2, "b".to_owned(), 3)]);
    }
}
