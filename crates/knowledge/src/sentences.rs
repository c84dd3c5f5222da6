//! Where sentences begin and end, in French and English.
//!
//! Drafts quote sentences and the chunker cuts between them, so a wrong end is a wrong quotation.
//! The rules begin where Unicode's UAX 29 stops: abbreviations, initials, quotations that go on,
//! the no-break spaces of French punctuation, and the line structure of Markdown. Languages
//! without letter case get the plain rule: a stop followed by a blank ends a sentence. There is
//! no dictionary and no model here; an unknown abbreviation before a capital is taken for an end.

mod abbreviations;
mod blocks;
mod enclosures;

use std::ops::Range;

use abbreviations::{Abbreviation, abbreviation};
use blocks::{Block, blocks};
use enclosures::Enclosures;

#[cfg(test)]
mod tests;

/// The sentences of `text` as byte ranges, in order, without the blanks around them.
///
/// Every non-blank character is in exactly one sentence, except the marks of line structure: the
/// `- `, `1. `, `## ` or `> ` that a line begins with, lines made of marks only (`---`,
/// `|---|---|`), and the lines that open and close fenced code. Headings, list items, table rows
/// and lines of code are sentences of their own; a blank line ends a sentence, a single line
/// break inside a paragraph does not. Marks of a continued quotation (`> `) stay inside the
/// sentence that runs across them. Takes time linear in the length of the text.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in blocks(text) {
        match block {
            Block::Prose(range) => Scanner::over(text, range).split(&mut found),
            Block::Line(range) => push_trimmed(text, range, &mut found),
        }
    }
    found
}

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    let end = range.start + slice.trim_end().len();
    if start < end {
        found.push(start..end);
    }
}

/// Walks over one paragraph. Positions are bytes of `text`, the paragraph's own slice.
struct Scanner<'t> {
    text: &'t str,
    offset: usize,
    enclosures: Enclosures,
    sentence_start: usize,
    /// Where the sentence has its first letter or digit; the text's length while none is known.
    first_letter: usize,
    /// How far the first letter has been looked for, so that no text is looked through twice.
    looked_to: usize,
}

impl<'t> Scanner<'t> {
    fn over(text: &'t str, range: Range<usize>) -> Self {
        let offset = range.start;
        let text = &text[range];
        Self {
            text,
            offset,
            enclosures: Enclosures::of(text),
            sentence_start: 0,
            first_letter: text.len(),
            looked_to: 0,
        }
    }

    fn split(mut self, found: &mut Vec<Range<usize>>) {
        let mut at = 0;
        while let Some(stop) = self.text[at..].find(is_stop).map(|found| at + found) {
            let run_end = self.end_of_stops(stop);
            let end = self.end_of_closers(run_end);
            self.look_for_first_letter(stop);
            if self.ends_sentence(stop, run_end, end) {
                let range = self.offset + self.sentence_start..self.offset + end;
                push_trimmed_within(self.text, self.offset, range, found);
                self.sentence_start = end;
                self.first_letter = self.text.len();
                self.looked_to = end;
            }
            at = end;
        }
        let rest = self.offset + self.sentence_start..self.offset + self.text.len();
        push_trimmed_within(self.text, self.offset, rest, found);
    }

    fn look_for_first_letter(&mut self, to: usize) {
        if self.first_letter == self.text.len() && self.looked_to < to {
            let found = self.text[self.looked_to..to].find(char::is_alphanumeric);
            self.first_letter = found.map_or(self.text.len(), |at| self.looked_to + at);
            self.looked_to = to;
        }
    }

    /// One past the run of stops that begins at `stop`, such as `?!`, `...` or `? !`.
    fn end_of_stops(&self, stop: usize) -> usize {
        let mut end = stop;
        loop {
            let rest = &self.text[end..];
            let mut characters = rest.chars();
            match characters.next() {
                Some(character) if is_stop(character) => end += character.len_utf8(),
                Some(blank @ (' ' | '\u{a0}' | '\u{202f}'))
                    if matches!(characters.next(), Some('!' | '?')) =>
                {
                    end += blank.len_utf8();
                }
                _ => return end,
            }
        }
    }

    /// One past the quotes, brackets and marks that close behind a stop, and a note's number.
    fn end_of_closers(&self, after_stops: usize) -> usize {
        let mut end = after_stops;
        loop {
            let rest = &self.text[end..];
            let mut characters = rest.chars();
            let Some(first) = characters.next() else { return end };
            let second = characters.next();
            if matches!(first, ')' | ']' | '»' | '”' | '’' | '*' | '_')
                || (matches!(first, '"' | '\'' | '`') && self.enclosures.close_at(end))
                || (first == '\'' && second.is_none_or(char::is_whitespace))
            {
                end += first.len_utf8();
                if first == ']' && second == Some('(') {
                    end += self.link_target_length(end);
                }
            } else if matches!(first, ' ' | '\u{a0}' | '\u{202f}') && second == Some('»') {
                end += first.len_utf8() + '»'.len_utf8();
            } else if let Some(length) = note_number_length(rest) {
                end += length;
            } else {
                return end;
            }
        }
    }

    /// The length of the `(target)` of a Markdown link that stands at `at`.
    fn link_target_length(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        match rest.find([')', ' ', '\n']) {
            Some(close) if rest.as_bytes()[close] == b')' => close + 1,
            _ => 0,
        }
    }

    /// Whether the sentence ends at `end`, given stops at `stop..run_end`, closers up to `end`.
    fn ends_sentence(&mut self, stop: usize, run_end: usize, end: usize) -> bool {
        let rest = &self.text[end..];
        let Some(following) = rest.chars().next() else { return true };
        let stops = &self.text[stop..run_end];
        let needs_no_blank = stops.ends_with(['。', '！', '？']);
        if !following.is_whitespace() && !needs_no_blank {
            return false;
        }
        let Some(next) = NextWord::of(rest) else { return true };
        if self.first_letter >= stop || next.begins_with_stop || self.quotation_goes_on(end) {
            return false;
        }
        let closed = end > run_end;
        if stops.contains(['?', '!', '。', '！', '？']) {
            return !(closed && next.is_lower_case());
        }
        if next.is_lower_case() {
            return false;
        }
        if stops != "." {
            let omission = self.text[..stop].ends_with(['[', '(']);
            return !(omission && closed);
        }
        closed || !self.dot_abbreviates(stop, &next)
    }

    /// Whether `end` lies inside a quotation or bracket of the sentence that has more to come: one
    /// opened in mid sentence, or one after which the sentence continues.
    fn quotation_goes_on(&mut self, end: usize) -> bool {
        let (text, start, first_letter) = (self.text, self.sentence_start, self.first_letter);
        self.enclosures.around(end).any(|enclosure| {
            enclosure.start >= start
                && (first_letter < enclosure.start || continues(&text[enclosure.end..]))
        })
    }

    /// Whether the dot at `stop` belongs to an abbreviation, an initial or a number in a list.
    fn dot_abbreviates(&self, stop: usize, next: &NextWord<'_>) -> bool {
        let before = &self.text[self.sentence_start..stop];
        let word_start = before
            .rfind(|character: char| {
                character.is_whitespace() || "«»“”\"'’([{*_".contains(character)
            })
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[word_start..];
        let earlier = before[..word_start].trim_end();
        let begins_sentence = self.first_letter >= self.sentence_start + word_start;

        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return !word.is_empty() && (begins_sentence || earlier.ends_with(':'));
        }
        match abbreviation(word) {
            Some(Abbreviation::Title) => !next.is_starter() || next.is_particle(),
            Some(Abbreviation::Joint) => true,
            Some(Abbreviation::Inner) => !next.is_starter(),
            Some(Abbreviation::BeforeNumber) => next.is_number(),
            Some(Abbreviation::Acronym) => next.begins_upper_case() && !next.is_starter(),
            Some(Abbreviation::Initial) => {
                next.begins_upper_case() && initial_of_name(earlier, begins_sentence, next)
                    || next.is_number() && ends_with_dotted_word(earlier)
            }
            None => false,
        }
    }
}

fn push_trimmed_within(
    paragraph: &str,
    offset: usize,
    range: Range<usize>,
    found: &mut Vec<Range<usize>>,
) {
    let mut local = Vec::with_capacity(1);
    push_trimmed(paragraph, range.start - offset..range.end - offset, &mut local);
    found.extend(local.into_iter().map(|range| range.start + offset..range.end + offset));
}

/// Whether a single capital before a dot is the initial of a name, given what stands before it in
/// the sentence. `vitamine C. Elle…` has an ordinary word before it, `John F. Kennedy` a name.
fn initial_of_name(earlier: &str, begins_sentence: bool, next: &NextWord<'_>) -> bool {
    if begins_sentence || ends_with_dotted_word(earlier) {
        return !next.is_starter() || next.is_particle();
    }
    if next.is_initial() {
        return true;
    }
    let previous = earlier.rsplit(char::is_whitespace).next().unwrap_or("");
    previous
        .trim_start_matches(|character: char| !character.is_alphanumeric())
        .starts_with(char::is_uppercase)
        && !next.is_starter()
}

/// Whether the last word is itself an abbreviation or an initial: `J. K.`, `art. L.`, `M. J.`
fn ends_with_dotted_word(earlier: &str) -> bool {
    earlier.strip_suffix('.').is_some_and(|earlier| {
        let word = earlier.rsplit(|character: char| !character.is_alphanumeric()).next();
        word.is_some_and(|word| abbreviation(word).is_some())
    })
}

/// The length of a note's number such as `[12]` that `rest` begins with.
fn note_number_length(rest: &str) -> Option<usize> {
    let digits = rest.strip_prefix('[')?;
    let close = digits.bytes().take(4).position(|byte| !byte.is_ascii_digit())?;
    (close > 0 && digits.as_bytes()[close] == b']').then_some(close + 2)
}

/// Whether what follows a closed quotation continues its sentence.
fn continues(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with([',', ';', ':', '.', '?', '!', '…', '-', '–', '—'])
        || rest.starts_with(char::is_lowercase)
}

fn is_stop(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

/// What stands after a stop and its blanks.
struct NextWord<'t> {
    word: &'t str,
    after: Option<char>,
    begins_with_stop: bool,
}

impl<'t> NextWord<'t> {
    /// The first word of `rest` without quotes and brackets; `None` when only blanks are left.
    fn of(rest: &'t str) -> Option<Self> {
        let rest = rest.trim_start();
        let first = rest.chars().next()?;
        // A few opening marks only: behind more of them there is no word worth a look.
        let mut bare = rest;
        for _ in 0..8 {
            let shorter = bare
                .strip_prefix(|character: char| "«“‘\"'([*_`¿¡—–-".contains(character))
                .map(|bare| bare.trim_start_matches([' ', '\u{a0}', '\u{202f}']));
            match shorter {
                Some(shorter) => bare = shorter,
                None => break,
            }
        }
        let end = bare
            .char_indices()
            .take(32)
            .find(|(_, character)| !character.is_alphanumeric())
            .map_or_else(
                || bare.char_indices().nth(32).map_or(bare.len(), |(at, _)| at),
                |(at, _)| at,
            );
        Some(Self {
            word: &bare[..end],
            after: bare[end..].chars().next(),
            begins_with_stop: is_stop(first) && end == 0,
        })
    }

    /// A word such as `ensuite`; a name such as `iPhone` counts as a capital.
    fn is_lower_case(&self) -> bool {
        self.word.starts_with(char::is_lowercase) && !self.word.contains(char::is_uppercase)
    }

    fn begins_upper_case(&self) -> bool {
        self.word.starts_with(char::is_uppercase)
    }

    /// The `K.` of `J. K. Rowling`.
    fn is_initial(&self) -> bool {
        self.after == Some('.') && self.word.chars().count() == 1 && self.begins_upper_case()
    }

    /// Digits, or a Roman number, or a single capital as in `art. L. 121`.
    fn is_number(&self) -> bool {
        self.word.starts_with(|character: char| character.is_ascii_digit())
            || (!self.word.is_empty()
                && self.word.bytes().all(|byte| b"IVXLCDMRA".contains(&byte))
                && !self.is_starter())
    }

    /// A word that plainly begins a sentence. A single letter does as `L’` or as `À `, not as the
    /// `L.` of `art. L. 121`.
    fn is_starter(&self) -> bool {
        let whole = match self.word {
            "C" | "D" | "J" | "L" | "M" | "N" | "S" => matches!(self.after, Some('\'' | '’')),
            "A" | "I" | "Y" | "À" => self.after.is_some_and(char::is_whitespace),
            _ => true,
        };
        whole && abbreviations::begins_sentences(self.word)
    }

    /// A word that begins sentences and surnames alike: `M. Le Goff`.
    fn is_particle(&self) -> bool {
        matches!(self.word, "Le" | "La" | "Les" | "L" | "De" | "Du" | "Des" | "D" | "An" | "Do")
    }
}
