//! Mail: a message with its headers, its text and what is attached to it.
//!
//! The text is the HTML alternative where that has a structure, else the plain one. Attachments
//! and mails in mails are read by the readers of their formats and stand under a heading with
//! their name, so that an answer can come from the contract that was attached to a mail; what
//! cannot be read is named. A mailbox of several messages is read message by message. Signatures
//! and encryption (S/MIME, PGP) are not looked into.

mod attachments;
mod body;
mod headers;
mod source;

use std::io::Cursor;

use mail_parser::MessageParser;
use mail_parser::mailbox::mbox::MessageIterator;

use crate::ExtractError;
use crate::content::Content;
use crate::input::Input;
use source::Source;

/// The most messages of a mailbox that are read.
const MAX_MESSAGES: usize = 10_000;

/// Reads the document.
pub(crate) fn read(input: &Input<'_>) -> Result<Content, ExtractError> {
    let mut content = Content::default();
    if input.bytes.starts_with(b"From ") {
        read_mailbox(input, &mut content);
    } else {
        content.title = read_message(input.bytes, input, 1, &mut content)?;
    }
    if content.blocks.is_empty() { Err(ExtractError::Empty) } else { Ok(content) }
}

/// Reads a mailbox (RFC 4155), in which every message begins with a line `From `.
fn read_mailbox(input: &Input<'_>, content: &mut Content) {
    let messages: Vec<_> =
        MessageIterator::new(Cursor::new(input.bytes)).flatten().take(MAX_MESSAGES).collect();
    let is_single = messages.len() == 1;
    for message in messages {
        let mut one = Content::default();
        let level = if is_single { 1 } else { 2 };
        let Ok(subject) = read_message(message.contents(), input, level, &mut one) else {
            attachments::warn_partial(&mut content.warnings);
            continue;
        };
        if is_single {
            content.title = subject;
        } else if let Some(subject) = subject {
            content.heading(1, subject);
        }
        content.blocks.append(&mut one.blocks);
        attachments::merge_warnings(&mut content.warnings, one.warnings, input.file_name);
    }
}

/// Reads one message into `content` and gives its subject. Attachments stand under headings of
/// `level`. Nothing is written of a message without content: its headers alone answer no question.
fn read_message(
    bytes: &[u8],
    input: &Input<'_>,
    level: u8,
    content: &mut Content,
) -> Result<Option<String>, ExtractError> {
    let source = Source::of(bytes);
    let message = MessageParser::default()
        .parse(source.masked())
        .ok_or_else(|| ExtractError::corrupt("it has no header of a mail"))?;
    let mut inside = Content::default();
    body::write(&message, &source, &mut inside);
    attachments::write(&message, &source, input, level, &mut inside);
    if !inside.blocks.is_empty() {
        content.paragraph(headers::lines(&message));
        content.blocks.append(&mut inside.blocks);
    }
    content.warnings.append(&mut inside.warnings);
    content.encoding = content.encoding.or(inside.encoding);
    Ok(message.subject().map(str::to_owned))
}

#[cfg(test)]
mod tests;
