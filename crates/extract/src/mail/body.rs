//! The text of a message.

use encoding_rs::Encoding;
use mail_parser::{ContentType, Message, MessagePart, MimeHeaders as _, PartType};

use super::source::{Source, mails_of_digests};
use crate::content::{Block, Content};
use crate::decode::{Decoded, decode_declared};
use crate::html::blocks_of_html;

/// Writes the alternative that says more.
///
/// Programs that write HTML make the plain alternative from it and lose lists and tables; some put
/// only “your program cannot show this mail” there. Without either, the plain one is as its writer
/// wrote it.
pub(super) fn write(message: &Message<'_>, source: &Source<'_>, content: &mut Content) {
    let plain = read(message, &message.text_body, source);
    let html = read(message, &message.html_body, source);
    let has_structure = |blocks: &[Block]| {
        let is_structure = |block: &Block| {
            matches!(block, Block::Heading { .. } | Block::Item { .. } | Block::Row { .. })
        };
        blocks.iter().any(is_structure)
    };
    let is_stub = letters(&plain.blocks) * 2 < letters(&html.blocks);
    let mut best = if has_structure(&html.blocks) || is_stub { html } else { plain };
    content.blocks.append(&mut best.blocks);
    content.warnings.append(&mut best.warnings);
    content.encoding = best.encoding;
}

fn read(message: &Message<'_>, parts: &[u32], source: &Source<'_>) -> Content {
    let mut content = Content::default();
    let mails = mails_of_digests(message);
    let own = parts.iter().filter(|id| !mails.contains(id));
    for part in own.filter_map(|id| message.part(*id)) {
        match &part.body {
            PartType::Text(_) => {
                let decoded = characters(part, source, &mut content);
                plain_blocks(&unfolded(&decoded, part.content_type()), &mut content.blocks);
            }
            PartType::Html(_) => {
                let decoded = characters(part, source, &mut content);
                content.blocks.extend(blocks_of_html(&decoded).blocks);
            }
            _ => {}
        }
    }
    content
}

/// The characters of a text part. Where it says wrongly what they are in, the bytes decide.
fn characters(part: &MessagePart<'_>, source: &Source<'_>, content: &mut Content) -> String {
    let label = part.content_type().and_then(|it| it.attribute("charset"));
    let is_known = label.is_none_or(|it| Encoding::for_label(it.trim().as_bytes()).is_some());
    if (!is_known || part.is_encoding_problem)
        && let PartType::Text(text) | PartType::Html(text) = &part.body
        && !text.contains('\u{FFFD}')
    {
        // The parser knows some encodings that the Encoding Standard does not.
        return text.clone().into_owned();
    }
    let Decoded { text, encoding, has_replacements } =
        decode_declared(&source.content_of(part), label);
    let decoded = Decoded { text: String::new(), encoding, has_replacements };
    let warning = decoded.warning().filter(|warning| !content.warnings.contains(warning));
    content.warnings.extend(warning);
    content.encoding = content.encoding.or(Some(encoding));
    text
}

fn letters(blocks: &[Block]) -> usize {
    let count = |text: &str| text.chars().filter(|it| it.is_alphanumeric()).count();
    blocks
        .iter()
        .map(|block| match block {
            Block::Page { .. } => 0,
            Block::Heading { text, .. }
            | Block::Paragraph(text)
            | Block::Item { text, .. }
            | Block::Verbatim(text) => count(text),
            Block::Row { cells, .. } => cells.iter().map(|cell| count(cell)).sum(),
        })
        .sum()
}

/// Paragraphs where blank lines are; quoted lines stay as they are.
fn plain_blocks(text: &str, blocks: &mut Vec<Block>) {
    let mut paragraph: Vec<&str> = Vec::new();
    let mut is_quote = false;
    let mut end = |lines: &mut Vec<&str>, is_quote: bool| {
        let text = lines.join("\n");
        lines.clear();
        if !text.trim().is_empty() {
            blocks.push(if is_quote { Block::Verbatim(text) } else { Block::Paragraph(text) });
        }
    };
    for line in text.lines() {
        let line_is_quote = line.starts_with('>');
        if line_is_quote != is_quote || line.trim().is_empty() {
            end(&mut paragraph, is_quote);
        }
        is_quote = line_is_quote;
        paragraph.push(line);
    }
    end(&mut paragraph, is_quote);
}

/// Joins the lines that a mail program broke and marked as broken (RFC 3676, `format=flowed`).
fn unfolded(text: &str, media_type: Option<&ContentType<'_>>) -> String {
    let says = |name: &str, value: &str| {
        media_type
            .and_then(|it| it.attribute(name))
            .is_some_and(|found| found.eq_ignore_ascii_case(value))
    };
    if !says("format", "flowed") {
        return text.to_owned();
    }
    let deletes_space = says("delsp", "yes");
    let mut unfolded = String::with_capacity(text.len());
    let mut flows_from: Option<usize> = None;
    for line in text.lines() {
        let quotes = line.len() - line.trim_start_matches('>').len();
        let words = line.get(quotes..).unwrap_or_default();
        // A space before `From` or `>` was put there by the sender's program.
        let words = words.strip_prefix(' ').unwrap_or(words);
        if flows_from != Some(quotes) {
            if !unfolded.is_empty() {
                unfolded.push('\n');
            }
            unfolded.push_str(line.get(..quotes).unwrap_or_default());
            if quotes > 0 {
                unfolded.push(' ');
            }
        }
        let is_flowed = words.ends_with(' ') && words != "-- ";
        let words = if is_flowed && deletes_space { words.trim_end_matches(' ') } else { words };
        unfolded.push_str(words);
        flows_from = is_flowed.then_some(quotes);
    }
    unfolded
}
