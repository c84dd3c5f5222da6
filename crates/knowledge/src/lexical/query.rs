//! What a question asks of the words of passages.
//!
//! Whatever is typed is a question: there is no syntax, so no error of syntax. Stop words of the
//! question's language are left out (of both, where the language is not clear) unless nothing else
//! is there. What looks like an identifier, joined by marks and with a digit, an `@` or a `://` in
//! it, is one term that matches its parts in a row, as typed or with other marks between them.
//! However long the question, at most [`MAX_TERMS`] terms are searched.

use std::collections::HashSet;
use std::ops::Range;

use ancre_domain::{CharRange, Language};
use ancre_extract::detect_language;
use ancre_store::traits::{LexicalQuery, LexicalTerm};

use super::stop_words::is_stop_word;
use super::words::{Word, is_hyphens, words};
use super::{has_stem, marked_stem, stem};

/// The most terms that one question is searched by: each costs the index a list to read.
pub(super) const MAX_TERMS: usize = 32;

/// How many characters of a question are read for words: what it asks stands at its beginning, and
/// what follows in a pasted log says little of it.
const MAX_CHARS: usize = 20_000;

/// Parts of an identifier so long say something alone: `FR-2024-000123` also finds `000123`.
const TELLING_PART: usize = 5;

/// A question, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Its language, where it is one of ours and clear.
    pub language: Option<Language>,
    /// What is looked for, in the order of the question, each once.
    pub terms: Vec<Term>,
}

/// A word or an identifier that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// Its folded words, at least one; more than one must stand in a row.
    pub words: Vec<String>,
    /// As it was typed.
    pub shown: String,
    /// Whether it names one thing, such as a code, a version or an address.
    pub is_identifier: bool,
}

/// Where a passage has the words of a question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// The terms that its title, its heading or its content has, as they were typed.
    pub terms: Vec<String>,
    /// Where they stand in the content, in characters, in order and apart.
    pub ranges: Vec<CharRange>,
}

impl Query {
    /// Reads a question.
    pub fn read(text: &str) -> Self {
        let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(end, _)| end);
        let text = &text[..end];
        let language = detect_language(text);
        let words: Vec<Word> = words(text).into_iter().filter(|word| !word.is_part).collect();
        let mut terms = Vec::new();
        for run in runs(text, &words) {
            read_run(text, run, language, &mut terms);
        }
        if terms.is_empty() {
            terms.extend(words.iter().map(|word| Term::one(text, word)));
        }
        let mut seen = HashSet::new();
        terms.retain(|term| seen.insert(term.words.clone()));
        Self { language, terms: most_telling(terms) }
    }

    /// Whether there is nothing to look for, as in a question of marks only.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// What the index is asked for: each word as it is and as its stem; what has no stem twice, so
    /// that a code weighs no less than a word.
    pub fn lexical_query(&self) -> LexicalQuery {
        let forms = self.terms.iter().flat_map(Term::forms);
        let terms = forms.map(|words| LexicalTerm { words, is_prefix: false });
        LexicalQuery { terms: terms.collect() }
    }

    /// Where a passage has the terms, so that a person sees why it was found. Other forms of a
    /// word count, as they do in the search.
    pub fn matches(&self, title: &str, heading: Option<&str>, content: &str) -> Matches {
        let (title, heading) = (words(title), words(heading.unwrap_or_default()));
        let body = words(content);
        let mut found = Matches::default();
        let mut places: Vec<Range<usize>> = Vec::new();
        for term in &self.terms {
            let in_body = term.places(&body);
            if !in_body.is_empty() || term.is_in(&title) || term.is_in(&heading) {
                found.terms.push(term.shown.clone());
            }
            places.extend(in_body);
        }
        found.ranges = in_characters(content, places);
        found
    }
}

impl Term {
    fn one(text: &str, word: &Word) -> Self {
        let shown = text[word.range.clone()].to_owned();
        Self { words: vec![word.folded.clone()], shown, is_identifier: is_code(&word.folded) }
    }

    fn phrase(text: &str, run: &[Word]) -> Self {
        let start = run.first().map_or(0, |word| word.range.start);
        let end = run.last().map_or(start, |word| word.range.end);
        let words = run.iter().map(|word| word.folded.clone()).collect();
        Self { words, shown: text[start..end].to_owned(), is_identifier: true }
    }

    /// The two forms in which the index is asked for it.
    pub(super) fn forms(&self) -> [Vec<String>; 2] {
        let second = match self.words.as_slice() {
            [word] if has_stem(word) => vec![marked_stem(word)],
            _ => self.words.clone(),
        };
        [self.words.clone(), second]
    }

    fn is_in(&self, words: &[Word]) -> bool {
        !self.places(words).is_empty()
    }

    /// Where it stands among the words of a text, in bytes.
    fn places(&self, words: &[Word]) -> Vec<Range<usize>> {
        if let [word] = self.words.as_slice()
            && has_stem(word)
        {
            let wanted = stem(word);
            let same = words.iter().filter(|it| it.folded == *word || has_this_stem(it, &wanted));
            return same.map(|it| it.range.clone()).collect();
        }
        let rows = words.windows(self.words.len());
        let same = rows.filter(|row| row.iter().map(|it| &it.folded).eq(&self.words));
        same.filter_map(|row| Some(row.first()?.range.start..row.last()?.range.end)).collect()
    }
}

/// Whether it is the stem of a word: what a word begins with, so most need not be stemmed.
fn has_this_stem(word: &Word, wanted: &str) -> bool {
    word.folded.starts_with(wanted) && stem(&word.folded) == wanted
}

/// Words in a row with nothing but joining marks between them.
fn runs<'a>(text: &'a str, words: &'a [Word]) -> impl Iterator<Item = &'a [Word]> {
    words.chunk_by(move |one, next| is_joint(text, one, next))
}

fn is_joint(text: &str, one: &Word, next: &Word) -> bool {
    let gap = &text[one.range.end..next.range.start];
    if gap.is_empty() || gap.chars().count() > 3 || !gap.chars().all(is_joining) {
        return false;
    }
    // A sentence that ends without a blank behind it joins nothing: `la 1042.Merci`.
    let ends_sentence = matches!(gap, "." | "," | ":" | ";")
        && one.is_number() != next.is_number()
        && (is_plain(one) || is_plain(next));
    !ends_sentence || is_address(text, one)
}

fn is_joining(character: char) -> bool {
    matches!(
        character,
        '-' | '\u{2010}'
            ..='\u{2013}'
                | '_'
                | '/'
                | '\\'
                | '.'
                | ','
                | ':'
                | '@'
                | '#'
                | '+'
                | '&'
                | '='
                | '?'
                | '%'
                | '~'
                | '*'
                | '$'
    )
}

fn is_plain(word: &Word) -> bool {
    word.folded.len() > 1 && word.folded.chars().all(char::is_alphabetic)
}

/// Whether the blanks around a word enclose an address of the web or of mail.
fn is_address(text: &str, word: &Word) -> bool {
    let start = text[..word.range.start].rfind(char::is_whitespace).unwrap_or(0);
    let after = &text[word.range.end..];
    let end = after.find(char::is_whitespace).map_or(text.len(), |at| word.range.end + at);
    is_written_address(&text[start..end])
}

/// Whether a word alone is a code: digits and letters together, or a long number.
fn is_code(folded: &str) -> bool {
    let digits = folded.chars().filter(char::is_ascii_digit).count();
    digits >= TELLING_PART || (digits > 0 && digits < folded.chars().count())
}

fn is_written_address(written: &str) -> bool {
    let is_mail = written.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    is_mail || written.contains("://") || written.contains("www.")
}

fn read_run(text: &str, run: &[Word], language: Option<Language>, terms: &mut Vec<Term>) {
    let is_content = |word: &&Word| {
        let is_single = word.folded.chars().count() == 1 && !word.is_number();
        !is_single && !is_stop_word(&word.folded, language)
    };
    let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
    let written = &text[first.range.start..last.range.end];
    let has_digit = run.iter().any(|word| word.folded.chars().any(char::is_numeric));
    let is_address = run.len() > 1 && is_written_address(written);
    if run.len() > 1 && (has_digit || is_address) {
        terms.push(Term::phrase(text, run));
        let is_telling = |word: &&Word| word.folded.len() >= TELLING_PART && is_content(word);
        let is_scheme = |word: &Word| matches!(word.folded.as_str(), "https" | "mailto");
        let parts = run.iter().filter(is_telling).filter(|word| !is_scheme(word));
        terms.extend(parts.map(|word| Term::one(text, word)));
        return;
    }
    // `wi-fi`, `USB-C`, `R&D`: the short parts say nothing alone. `puis-je`, `a-t-il` do neither.
    let is_meant = |word: &&Word| !is_stop_word(&word.folded, language);
    let meant: Vec<&Word> = run.iter().filter(is_meant).collect();
    let joins = |gap: &str| is_hyphens(gap) || matches!(gap, "&" | "_" | "+");
    let is_compound = meant.len() > 1
        && meant.iter().any(|word| word.folded.chars().count() <= 2)
        && run.windows(2).all(|pair| joins(&text[pair[0].range.end..pair[1].range.start]));
    if is_compound {
        terms.push(Term { is_identifier: false, ..Term::phrase(text, run) });
    }
    let shortest = if is_compound { TELLING_PART } else { 1 };
    let alone = run.iter().filter(is_content).filter(|word| word.folded.len() >= shortest);
    terms.extend(alone.map(|word| Term::one(text, word)));
}

/// At most [`MAX_TERMS`]: identifiers and numbers first, then long words, which are rare, then
/// those that came first.
fn most_telling(mut terms: Vec<Term>) -> Vec<Term> {
    if terms.len() <= MAX_TERMS {
        return terms;
    }
    /// Beyond, length no longer tells how rare a word is.
    const LONG: usize = 10;
    let rarity = |term: &Term| {
        let is_code = term.words.len() > 1 || !has_stem(&term.words[0]);
        (is_code, term.words.iter().map(String::len).sum::<usize>().min(LONG))
    };
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(rarity(&terms[*at])));
    let kept: HashSet<usize> = order.into_iter().take(MAX_TERMS).collect();
    let mut at = 0..;
    terms.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
    terms
}

/// Ranges of bytes as ranges of characters, in order; those that touch become one.
fn in_characters(text: &str, mut places: Vec<Range<usize>>) -> Vec<CharRange> {
    places.sort_by_key(|place| (place.start, place.end));
    let mut ranges: Vec<CharRange> = Vec::new();
    let (mut byte, mut character) = (0, 0_u32);
    let mut count_to = |at: usize| {
        if at < byte {
            (byte, character) = (0, 0);
        }
        let passed = text.get(byte..at).map_or(0, |it| it.chars().count());
        character += u32::try_from(passed).unwrap_or(u32::MAX);
        byte = at;
        character
    };
    for place in places {
        let range = CharRange { start: count_to(place.start), end: count_to(place.end) };
        match ranges.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        }
    }
    ranges
}

#[cfg(test)]
mod tests;
