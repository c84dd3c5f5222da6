//! Positions in bytes and characters at once, and the pieces that chunks are made of.

use crate::sentences::sentences;

/// A place in a text, counted both ways so that no text is counted twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) byte: usize,
    pub(super) char: usize,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Position,
    pub(super) end: Position,
}

/// The place `count` characters after `from`, or the end of the text.
pub(super) fn advance(text: &str, from: Position, count: usize) -> Position {
    let mut passed = 0;
    let mut bytes = 0;
    for character in text[from.byte..].chars().take(count) {
        passed += 1;
        bytes += character.len_utf8();
    }
    Position { byte: from.byte + bytes, char: from.char + passed }
}

/// The paragraphs of `text`: what lies between blank lines, without the blanks around it.
pub(super) fn paragraphs(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<Span> = None;
    let mut line_start = Position { byte: 0, char: 0 };
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let line_end = Position {
            byte: line_start.byte + line.len(),
            char: line_start.char + line.chars().count(),
        };
        if body.is_empty() {
            found.extend(open.take());
        } else {
            let indentation = &line[..line.len() - line.trim_start().len()];
            let start = Position {
                byte: line_start.byte + indentation.len(),
                char: line_start.char + indentation.chars().count(),
            };
            let end =
                Position { byte: start.byte + body.len(), char: start.char + body.chars().count() };
            match &mut open {
                Some(open) => open.end = end,
                None => open = Some(Span { start, end }),
            }
        }
        line_start = line_end;
    }
    found.extend(open);
    found
}

/// Where the sentences of a paragraph end.
pub(super) fn sentence_ends(text: &str, paragraph: Span) -> Vec<Position> {
    let mut at = paragraph.start;
    let text = &text[..paragraph.end.byte];
    sentences(&text[paragraph.start.byte..])
        .into_iter()
        .map(|sentence| {
            let end = paragraph.start.byte + sentence.end;
            at.char += text[at.byte..end].chars().count();
            at.byte = end;
            at
        })
        .collect()
}
