//! What a passage is made of: headings, paragraphs, lists, tables, code, and their sentences.
//!
//! The extractive runner quotes whole sentences and the support check looks for whole sentences,
//! so both need to know where one stands alone, where a list belongs to the line that introduces
//! it, and what is not a sentence at all. Markdown is read by line, leniently; text without
//! markup is paragraphs.

use std::ops::Range;

use ancre_knowledge::sentences::sentences;

/// What a stretch of a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SegmentKind {
    /// A sentence of a paragraph.
    Sentence,
    /// A sentence of a list item; `is_first` when the item begins with it.
    Item {
        /// Whether a list mark stands before it.
        is_first: bool,
    },
    /// A heading.
    Heading,
    /// Table rows, code, rules: shown to nobody as an answer.
    Other,
}

/// A stretch of a passage, in the passage's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// What it is.
    pub kind: SegmentKind,
    /// Its bytes in the passage, without marks and blanks around.
    pub range: Range<usize>,
    /// The paragraph or list item it is part of, counted from 0.
    pub block: usize,
    /// The mark of its list item, such as `-` or `2.`; empty elsewhere.
    pub mark: String,
}

/// The segments of `content` in order. They do not overlap.
pub fn segments(content: &str) -> Vec<Segment> {
    let mut found = Vec::new();
    for (number, block) in blocks(content).into_iter().enumerate() {
        let mut segment = |kind, range: Range<usize>, mark: &str| {
            found.push(Segment { kind, range, block: number, mark: mark.to_owned() });
        };
        match block.kind {
            BlockKind::Heading => segment(SegmentKind::Heading, block.range, ""),
            BlockKind::Other => segment(SegmentKind::Other, block.range, ""),
            BlockKind::Paragraph | BlockKind::Item => {
                let words = content.get(block.range.clone()).unwrap_or_default();
                for (index, sentence) in sentences(words).into_iter().enumerate() {
                    let range =
                        block.range.start + sentence.start..block.range.start + sentence.end;
                    let kind = if block.kind == BlockKind::Item {
                        SegmentKind::Item { is_first: index == 0 }
                    } else {
                        SegmentKind::Sentence
                    };
                    segment(kind, range, &block.mark);
                }
            }
        }
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Heading,
    Paragraph,
    Item,
    Other,
}

#[derive(Debug)]
struct Block {
    kind: BlockKind,
    range: Range<usize>,
    mark: String,
}

/// Groups the lines of `content` into blocks.
fn blocks(content: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    let mut fence: Option<&str> = None;
    let mut start = 0;
    for line in content.split_inclusive('\n') {
        let range = trimmed(line, start);
        start += line.len();
        let words = &content[range.clone()];
        if let Some(mark) = fence {
            if words.starts_with(mark) {
                fence = None;
            }
            push(&mut blocks, BlockKind::Other, range);
            continue;
        }
        let starts = ["```", "~~~"].into_iter().find(|mark| words.starts_with(mark));
        if let Some(mark) = starts {
            fence = Some(mark);
            push(&mut blocks, BlockKind::Other, range);
            is_open = false;
        } else if words.is_empty() {
            is_open = false;
        } else if is_underline(words) && is_open {
            // A line of `===` or `---` makes the paragraph above it a heading.
            if let Some(above) = blocks.last_mut().filter(|b| b.kind == BlockKind::Paragraph) {
                above.kind = BlockKind::Heading;
            }
            is_open = false;
        } else if let Some(heading) = heading(words) {
            push(
                &mut blocks,
                BlockKind::Heading,
                range.start + heading.start..range.start + heading.end,
            );
            is_open = false;
        } else if is_table_row(words) || is_rule(words) || is_front_matter(words) {
            push(&mut blocks, BlockKind::Other, range);
            is_open = false;
        } else if let Some((mark, offset)) = list_mark(words) {
            blocks.push(Block {
                kind: BlockKind::Item,
                range: range.start + offset..range.end,
                mark: mark.to_owned(),
            });
            is_open = true;
        } else if is_open && let Some(open) = blocks.last_mut() {
            open.range.end = range.end;
        } else {
            let quoted = words.trim_start_matches(['>', ' ']);
            push(&mut blocks, BlockKind::Paragraph, range.end - quoted.len()..range.end);
            is_open = true;
        }
    }
    blocks.retain(|block| !block.range.is_empty());
    blocks
}

fn push(blocks: &mut Vec<Block>, kind: BlockKind, range: Range<usize>) {
    blocks.push(Block { kind, range, mark: String::new() });
}

/// The bytes of `line`, which begins at `start`, without the blanks around it.
fn trimmed(line: &str, start: usize) -> Range<usize> {
    let lead = line.len() - line.trim_start().len();
    let words = line.trim();
    start + lead..start + lead + words.len()
}

/// The title inside `# Title #`.
fn heading(line: &str) -> Option<Range<usize>> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    if !(1..=6).contains(&marks) || !line[marks..].starts_with([' ', '\t']) {
        return None;
    }
    let title = line[marks..].trim_start();
    let start = line.len() - title.len();
    let end = start + title.trim_end_matches(['#', ' ']).len();
    Some(start..end)
}

fn is_underline(line: &str) -> bool {
    line.len() >= 3 && (line.bytes().all(|b| b == b'=') || line.bytes().all(|b| b == b'-'))
}

fn is_rule(line: &str) -> bool {
    let marks = line.chars().filter(|c| !c.is_whitespace());
    line.len() >= 3 && ['-', '*', '_', '='].into_iter().any(|mark| marks.clone().all(|c| c == mark))
}

fn is_table_row(line: &str) -> bool {
    line.starts_with('|') || line.matches('|').count() >= 2 || line.matches('\t').count() >= 2
}

/// Lines such as `lang: fr` between rules are skipped only as rules; a lone HTML comment is not
/// something that a reader sees.
fn is_front_matter(line: &str) -> bool {
    line.starts_with("<!--") && line.ends_with("-->")
}

/// The mark of a list item and where its words begin.
fn list_mark(line: &str) -> Option<(&str, usize)> {
    let mark_end = match line.chars().next()? {
        mark @ ('-' | '*' | '+' | '•' | '–' | '‣' | '◦') => mark.len_utf8(),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 2 || !line[digits..].starts_with(['.', ')']) {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let rest = &line[mark_end..];
    let words = rest.trim_start();
    let is_item = rest.len() > words.len() && !words.is_empty();
    is_item.then(|| (&line[..mark_end], line.len() - words.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn kinds(content: &str) -> Vec<(SegmentKind, &str)> {
        segments(content).into_iter().map(|s| (s.kind, &content[s.range])).collect()
    }

    #[test]
    fn a_page_falls_into_its_parts() {
        let page = "# Refunds #\n\nWe refund. It takes\n14 days.\n\n- First item.\n- Second\n  line\n\n\
                    | a | b |\n|---|---|\n\n```\nlet x;\n```\nTitle\n=====\n1. One\n> Quoted.";
        let item = SegmentKind::Item { is_first: true };
        assert_eq!(
            kinds(page),
            [
                (SegmentKind::Heading, "Refunds"),
                (SegmentKind::Sentence, "We refund."),
                (SegmentKind::Sentence, "It takes\n14 days."),
                (item, "First item."),
                (item, "Second\n  line"),
                (SegmentKind::Other, "| a | b |"),
                (SegmentKind::Other, "|---|---|"),
                (SegmentKind::Other, "```"),
                (SegmentKind::Other, "let x;"),
                (SegmentKind::Other, "```"),
                (SegmentKind::Heading, "Title"),
                (item, "One\n> Quoted."),
            ]
        );
    }

    #[test]
    fn a_year_at_the_start_of_a_line_is_no_list() {
        assert_eq!(kinds("2024. Then it rained."), kinds("2024. Then it rained."));
        assert!(list_mark("2024. Then").is_none());
        assert_eq!(list_mark("2) Then"), Some(("2)", 3)));
    }

    proptest! {
        #[test]
        fn segments_follow_each_other_inside_the_passage(content in "[a-z.#|`\\-=>é \\n1]{0,120}") {
            let mut end = 0;
            for segment in segments(&content) {
                prop_assert!(segment.range.start >= end);
                prop_assert!(content.get(segment.range.clone()).is_some());
                end = segment.range.end;
            }
        }
    }
}
