//! Numbers that count the pages, and numbers that do not.
//!
//! “Page 7”, “7 / 12” and “Guide, vii” differ from page to page by what they count: the number less
//! the page's place is the same everywhere. “Article 7” and “70 €” may look alike; what they count
//! is something else, so they are text.

use std::collections::HashMap;

/// How far a number may be from the page's place where other words stand beside it: a chapter
/// printed on its own begins late, but “Reference 1007” is no page.
const MAX_OFFSET: i64 = 40;

/// Which share of the lines must count alike, in percent: covers and inserts are not counted.
const MIN_PERCENT: usize = 80;

/// Words that stand beside a page's number and nothing else.
const PAGE_WORDS: [&str; 10] =
    ["page", "pages", "p.", "pg.", "seite", "sur", "of", "de", "von", "n°"];

/// In what way lines of one text are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sameness {
    /// They are equal.
    Text,
    /// Their number at `column` (from 0) is the page's place, from 0, and `offset`.
    Pages { column: usize, offset: i64 },
}

impl Sameness {
    /// In what way these lines, each with its page's place, are the same; `None` when their numbers
    /// count something else.
    pub(super) fn of<'a>(lines: impl Iterator<Item = (&'a str, usize)>) -> Option<Self> {
        let lines: Vec<(&str, usize)> = lines.collect();
        let (first, _) = *lines.first()?;
        if lines.iter().all(|(text, _)| *text == first) {
            return Some(Self::Text);
        }
        let is_page = has_page_words_only(first);
        (0..numbers(first).len()).find_map(|column| {
            let mut counts: HashMap<i64, usize> = HashMap::new();
            for (text, page) in &lines {
                if let Some(offset) = offset(text, *page, column) {
                    *counts.entry(offset).or_default() += 1;
                }
            }
            let (offset, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
            let counts_pages =
                count * 100 >= lines.len() * MIN_PERCENT && (is_page || offset.abs() <= MAX_OFFSET);
            counts_pages.then_some(Self::Pages { column, offset })
        })
    }

    /// Whether a line on the page of that place is the same in this way.
    pub(super) fn holds(self, text: &str, page: usize) -> bool {
        match self {
            Self::Text => true,
            Self::Pages { column, offset: expected } => {
                offset(text, page, column) == Some(expected)
            }
        }
    }
}

/// How far the number at `column` is from the page's place.
fn offset(text: &str, page: usize, column: usize) -> Option<i64> {
    let number = *numbers(text).get(column)?;
    number.checked_sub(i64::try_from(page).ok()?)
}

fn has_page_words_only(text: &str) -> bool {
    let words = text.split(|it: char| it.is_whitespace() || "/-–—|()[]·•".contains(it));
    words
        .filter(|word| word.chars().any(char::is_alphabetic))
        .all(|word| roman(word).is_some() || PAGE_WORDS.contains(&word.to_lowercase().as_str()))
}

/// The text with every number, Arabic or Roman, as one sign, so that `Page 12` equals `Page 7`.
pub(super) fn key(text: &str) -> String {
    let mut key = String::new();
    for word in text.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        if roman(word).is_some() {
            key.push('#');
            continue;
        }
        let mut was_digit = false;
        for character in word.chars().flat_map(char::to_lowercase) {
            let is_digit = character.is_numeric();
            if !is_digit {
                key.push(character);
            } else if !was_digit {
                key.push('#');
            }
            was_digit = is_digit;
        }
    }
    key
}

/// The numbers of a text, as [`key`] finds them; one too large to be a page counts as -1.
fn numbers(text: &str) -> Vec<i64> {
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        if let Some(number) = roman(word) {
            numbers.push(number);
            continue;
        }
        let digits = word.split(|it: char| !it.is_numeric()).filter(|it| !it.is_empty());
        numbers.extend(digits.map(|digits| digits.parse().unwrap_or(-1)));
    }
    numbers
}

/// The value of a Roman number up to 399, in letters of one case.
fn roman(word: &str) -> Option<i64> {
    let is_one = |set: &str| word.len() <= 7 && word.chars().all(|it| set.contains(it));
    if word.is_empty() || !(is_one("ivxlc") || is_one("IVXLC")) {
        return None;
    }
    let value = |letter: char| match letter.to_ascii_lowercase() {
        'i' => 1,
        'v' => 5,
        'x' => 10,
        'l' => 50,
        _ => 100,
    };
    let mut total = 0;
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let one = value(letter);
        let is_less = letters.peek().is_some_and(|next| value(*next) > one);
        total += if is_less { -one } else { one };
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Option<Sameness> {
        Sameness::of(lines.iter().copied().zip(0..))
    }

    #[test]
    fn what_counts_the_pages_is_told_from_what_counts_something_else() {
        assert_eq!(of(&["Ancre", "Ancre"]), Some(Sameness::Text));
        for lines in [
            ["Page 1 sur 9", "Page 2 sur 9", "Page 3 sur 9"],
            ["345", "346", "347"],
            ["Guide, 12", "Guide, 13", "Guide, 14"],
            ["vii", "viii", "ix"],
        ] {
            assert!(matches!(of(&lines), Some(Sameness::Pages { .. })), "{lines:?}");
        }
        for lines in [
            ["Prix : 10 €", "Prix : 20 €", "Prix : 30 €"],
            ["Référence 1001", "Référence 1002", "Référence 1003"],
            ["Chapitre 1", "Chapitre 1", "Chapitre 2"],
        ] {
            assert_eq!(of(&lines), None, "{lines:?}");
        }
    }

    #[test]
    fn roman_numbers_have_their_values() {
        for (word, value) in [("iv", 4), ("IX", 9), ("xiv", 14), ("xlii", 42)] {
            assert_eq!(roman(word), Some(value));
        }
        assert_eq!(roman("Iv"), None);
    }
}
