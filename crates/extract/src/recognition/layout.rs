//! Words with their places, into paragraphs of running text.
//!
//! The engine says where lines and paragraphs begin; what a line end means is decided here. A
//! line that has no room for the next word ended because it was full, so it runs on; any other
//! line end was meant and stays, as do the rows of a table. Paragraphs that the engine hardly
//! believes are left out: they are the grain of photographs and stamps.

use super::tesseract::Word;

/// A word is believed from here on.
const BELIEVED: f32 = 0.6;

/// A paragraph is dropped when less than this part of its letters is in believed words. On the
/// scans of `make_scans.py` paragraphs had 0.92 or more, and the same pages read upside down 0.39
/// or less, as had the few that were seen in drawings and blots. The mean would not do: one
/// misread word in a short title takes it under any bound.
const LEAST_SHARE: f32 = 0.5;

/// The paragraphs, and how sure they are on average, from 0 to 1.
pub(super) fn paragraphs(words: &[Word]) -> (Vec<String>, f32) {
    let (mut texts, mut kept) = (Vec::new(), Vec::new());
    for paragraph in split(words, |word| word.starts_paragraph) {
        let is_text = paragraph.iter().any(|word| word.text.contains(char::is_alphanumeric));
        if is_text && believed_share(paragraph) >= LEAST_SHARE {
            append(&mut texts, running_text(paragraph));
            kept.extend_from_slice(paragraph);
        }
    }
    (texts, super::confidence(&kept))
}

/// Adds a paragraph, or the rest of the last one: the engine begins a paragraph after every line
/// with room at its end, also in the middle of a sentence.
fn append(texts: &mut Vec<String>, text: String) {
    let goes_on = |last: &String| {
        last.ends_with(|it: char| it.is_alphabetic() || it == ',')
            && text.starts_with(char::is_lowercase)
    };
    match texts.last_mut().filter(|last| goes_on(last)) {
        Some(last) => {
            last.push('\n');
            last.push_str(&text);
        }
        None => texts.push(text),
    }
}

/// The part of the letters that is in believed words, from 0 to 1.
fn believed_share(paragraph: &[Word]) -> f32 {
    let letters = |word: &Word| word.text.chars().count() as f32;
    let all: f32 = paragraph.iter().map(letters).sum();
    let believed: f32 =
        paragraph.iter().filter(|word| word.confidence >= BELIEVED).map(letters).sum();
    if all > 0.0 { believed / all } else { 0.0 }
}

/// Cuts before each word that starts something.
fn split(words: &[Word], starts: fn(&Word) -> bool) -> impl Iterator<Item = &[Word]> {
    words.chunk_by(move |_, next| !starts(next))
}

/// The lines of a paragraph as one text.
fn running_text(paragraph: &[Word]) -> String {
    let right = paragraph.iter().map(|word| word.right).max().unwrap_or(0);
    let lines: Vec<&[Word]> = split(paragraph, |word| word.starts_line).collect();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        match index.checked_sub(1).and_then(|before| lines.get(before)) {
            Some(before) if !is_full(before, line, right) => text.push('\n'),
            Some(_) if is_divided(&text, line) => {
                text.pop();
            }
            Some(_) if keeps_hyphen(&text, line) => {}
            Some(_) => text.push(' '),
            None => {}
        }
        for (place, word) in line.iter().enumerate() {
            if place > 0 {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
    }
    text
}

/// Whether the first word of `next` had no room at the end of `line`.
fn is_full(line: &[Word], next: &[Word], right: i32) -> bool {
    let (Some(last), Some(first)) = (line.last(), next.first()) else {
        return true;
    };
    let room = right.saturating_sub(last.right);
    // A space is about a quarter of a line's height, and as much is left for letters that are
    // narrower than their place.
    let needed = width(first).saturating_add(height(line) / 2);
    room < needed && !is_row(line) && !is_row(next)
}

/// Whether there is a gap between the words of a line that only cells have.
fn is_row(line: &[Word]) -> bool {
    let widest = line
        .windows(2)
        .map(|pair| match pair {
            [left, right] => right.left.saturating_sub(left.right),
            _ => 0,
        })
        .max()
        .unwrap_or(0);
    widest > height(line).saturating_mul(3) / 2
}

fn width(word: &Word) -> i32 {
    word.right.saturating_sub(word.left)
}

/// The height of the highest word.
fn height(line: &[Word]) -> i32 {
    line.iter().map(|word| word.bottom.saturating_sub(word.top)).max().unwrap_or(0)
}

/// Whether the text ends in the first half of a word.
fn is_divided(text: &str, next: &[Word]) -> bool {
    ends_with_hyphen(text) && starts_small(next) && !is_joined_by_hyphen(next)
}

/// Whether the text ends with a hyphen that belongs there, as in `dit-il` or `Saint-Malo`.
fn keeps_hyphen(text: &str, next: &[Word]) -> bool {
    ends_with_hyphen(text)
        && next
            .first()
            .is_some_and(|word| word.text.chars().next().is_some_and(char::is_alphanumeric))
}

fn ends_with_hyphen(text: &str) -> bool {
    let mut end = text.chars().rev();
    matches!(end.next(), Some('-' | '\u{2010}' | '\u{ad}'))
        && end.next().is_some_and(char::is_alphabetic)
}

fn starts_small(line: &[Word]) -> bool {
    line.first().and_then(|word| word.text.chars().next()).is_some_and(char::is_lowercase)
}

/// French words that hang on the one before by a hyphen that is never left out.
fn is_joined_by_hyphen(line: &[Word]) -> bool {
    const JOINED: [&str; 20] = [
        "ce", "ci", "elle", "elles", "en", "il", "ils", "je", "la", "le", "les", "leur", "lui",
        "là", "moi", "même", "mêmes", "nous", "on", "vous",
    ];
    line.first().is_some_and(|word| {
        JOINED.contains(&word.text.trim_end_matches(|letter: char| !letter.is_alphabetic()))
    })
}

#[cfg(test)]
mod tests;
