//! The sentences that a reply may quote.
//!
//! Not every sentence of a passage can stand in a letter: headings, table rows, code, questions,
//! boilerplate and what a chunk's edge has cut are left out. A list goes together with the line
//! that introduces it. What the chunks' overlap shows twice is taken once, from the passage that
//! the search preferred.

use std::collections::HashSet;
use std::ops::Range;

use ancre_models::Passage;

use crate::anatomy::{Segment, SegmentKind, segments};
use crate::markup::plain;
use crate::vocabulary::Wording;
use crate::words::fold;

/// A sentence, or a list with its introduction, that a reply may quote.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// The index of its passage in the request.
    pub passage: usize,
    /// Its bytes in the passage.
    pub range: Range<usize>,
    /// Its words without markup.
    pub text: String,
    /// The nearest heading above it, else the document's title.
    pub heading: String,
    /// Its words and concepts.
    pub words: Wording,
    /// The words and concepts of the heading.
    pub heading_words: Wording,
    /// The candidate right before it in the same paragraph.
    pub previous: Option<usize>,
    /// Whether it speaks of something that only the sentence before it names.
    pub leans_on_previous: bool,
    /// Whether it answers the heading (`Yes, …`) and says nothing without it.
    pub leans_on_heading: bool,
    /// Whether it is a list with its introduction.
    pub is_list: bool,
}

impl Candidate {
    /// What is embedded for it: a sentence of a help page often makes sense only under its
    /// heading.
    pub fn embedded_text(&self) -> String {
        let line = self.text.replace('\n', " ");
        if self.heading.is_empty() { line } else { format!("{}: {line}", self.heading) }
    }
}

/// Lengths in characters within which a sentence can be quoted.
const SENTENCE_CHARS: std::ops::RangeInclusive<usize> = 15..=600;
/// A list longer than this is not quoted whole, so not at all.
const MAX_LIST_CHARS: usize = 900;
const MIN_WORDS: usize = 4;
/// A paragraph or an item without a final stop counts as a sentence from this many words; shorter
/// ones are headings and labels.
const MIN_WORDS_WITHOUT_STOP: usize = 7;

/// The candidates of `passages`, by passage and in document order.
pub(crate) fn candidates(passages: &[Passage]) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for (index, passage) in passages.iter().enumerate() {
        of_passage(index, passage, &mut found, &mut seen);
    }
    found
}

fn of_passage(
    index: usize,
    passage: &Passage,
    found: &mut Vec<Candidate>,
    seen: &mut HashSet<String>,
) {
    let content = passage.content.as_str();
    let all = segments(content);
    let title = if looks_like_file_name(&passage.title) { "" } else { passage.title.trim() };
    let mut heading = plain(title);
    let mut last: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(segment) = all.get(at) {
        let here = at;
        at += 1;
        if segment.kind == SegmentKind::Heading {
            heading = plain(&content[segment.range.clone()]);
            last = None;
            continue;
        }
        // A list mark shows that the item begins with the passage.
        let is_begun = matches!(segment.kind, SegmentKind::Item { is_first: true });
        let is_cut = (here == 0 && passage.continues_before && !is_begun)
            || (at == all.len()
                && passage.continues_after
                && !ends_sentence(&content[segment.range.clone()]));
        let list = list_after(&all, here, content);
        let (range, text, is_list) = if let Some(items) = list.clone() {
            at = items.end;
            let end = all[items.end - 1].range.end;
            let is_last_cut = items.end == all.len()
                && passage.continues_after
                && !ends_sentence(&content[..end]);
            if is_last_cut {
                last = None;
                continue;
            }
            (segment.range.start..end, list_text(&all, here, items, content), true)
        } else {
            (segment.range.clone(), plain(&content[segment.range.clone()]), false)
        };
        if is_cut || !is_quotable(segment.kind, &text, is_list) {
            last = None;
            continue;
        }
        if !seen.insert(fold(&text)) {
            last = None;
            continue;
        }
        let previous = last.filter(|(block, _)| *block == segment.block).map(|(_, index)| index);
        last = Some((segment.block, found.len()));
        found.push(Candidate {
            passage: index,
            range,
            words: Wording::read(&text),
            heading_words: Wording::read(&heading),
            heading: heading.clone(),
            previous,
            leans_on_previous: leans_on_previous(&text),
            leans_on_heading: leans_on_heading(&text),
            is_list,
            text,
        });
    }
}

/// The indices of the items that the sentence at `here` introduces with a colon.
fn list_after(all: &[Segment], here: usize, content: &str) -> Option<Range<usize>> {
    let intro = &all[here];
    let ends_with_colon = content[intro.range.clone()].trim_end_matches(['*', '_']).ends_with(':');
    if intro.kind != SegmentKind::Sentence || !ends_with_colon {
        return None;
    }
    let items = all[here + 1..].iter().take_while(|s| matches!(s.kind, SegmentKind::Item { .. }));
    let count = items.count();
    (count > 0).then_some(here + 1..here + 1 + count)
}

/// The introduction and its items, each item on a line of its own.
fn list_text(all: &[Segment], here: usize, items: Range<usize>, content: &str) -> String {
    let mut text = plain(&content[all[here].range.clone()]);
    for item in &all[items] {
        let words = plain(&content[item.range.clone()]);
        if item.kind == (SegmentKind::Item { is_first: true }) {
            text.push('\n');
            text.push_str(if item.mark.starts_with(|c: char| c.is_ascii_digit()) {
                &item.mark
            } else {
                "•"
            });
        }
        text.push(' ');
        text.push_str(&words);
    }
    text
}

fn is_quotable(kind: SegmentKind, text: &str, is_list: bool) -> bool {
    let length = text.chars().count();
    let words = text.split_whitespace().filter(|w| w.chars().any(char::is_alphanumeric)).count();
    if is_boilerplate(text) || !is_mostly_letters(text) {
        return false;
    }
    if is_list {
        return length <= MAX_LIST_CHARS;
    }
    if kind == SegmentKind::Other || !SENTENCE_CHARS.contains(&length) || words < MIN_WORDS {
        return false;
    }
    let bare = without_closing_marks(text);
    if bare.ends_with(['?', ':']) || !begins_sentence(text) {
        return false;
    }
    ends_sentence(text) || words >= MIN_WORDS_WITHOUT_STOP
}

fn without_closing_marks(text: &str) -> &str {
    text.trim_end_matches(['"', '”', '’', '»', ')', ']', '*', '_', ' ', '\u{a0}', '\u{202f}'])
}

fn ends_sentence(text: &str) -> bool {
    without_closing_marks(text.trim_end()).ends_with(['.', '!', '?', '…'])
}

/// A sentence that begins in lower case is the rest of another.
fn begins_sentence(text: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric());
    first.is_some_and(|c| !c.is_lowercase()) || BRANDS.iter().any(|brand| text.starts_with(brand))
}

/// Lower-case beginnings that are names.
const BRANDS: &[&str] = &["iPhone", "iPad", "iOS", "eBay", "macOS"];

fn is_mostly_letters(text: &str) -> bool {
    let visible = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    letters * 2 > visible
}

fn is_boilerplate(text: &str) -> bool {
    let folded = fold(text);
    BOILERPLATE.iter().any(|start| folded.starts_with(start))
        || folded.contains("all rights reserved")
        || folded.contains("tous droits reserves")
}

/// How sentences of page frames begin, folded.
const BOILERPLATE: &[&str] = &[
    "©",
    "copyright",
    "voir aussi",
    "lire aussi",
    "a lire aussi",
    "see also",
    "read more",
    "en savoir plus",
    "learn more",
    "cliquez ici",
    "click here",
    "partager",
    "share this",
    "skip to",
    "aller au contenu",
    "accept cookies",
    "this site uses cookies",
    "ce site utilise des cookies",
    "was this article helpful",
    "cet article vous a-t-il",
    "last updated",
    "derniere mise a jour",
    "table of contents",
    "sommaire",
];

fn leans_on_previous(text: &str) -> bool {
    let folded = fold(text);
    if IMPERSONAL.iter().any(|start| folded.starts_with(start)) {
        return false;
    }
    begins_with_word(&folded, LEANING)
}

fn leans_on_heading(text: &str) -> bool {
    let beginning: String = fold(text).chars().take(ANSWER_BEGINNING_CHARS).collect();
    let says = |word: &str| {
        beginning.match_indices(word).any(|(at, _)| {
            let before = beginning[..at].chars().next_back();
            let after =
                beginning[at + word.len()..].trim_start_matches([' ', '\u{a0}', '\u{202f}']);
            before.is_none_or(|c| c == ' ') && after.starts_with([',', '.', '!', ';', ':', '…'])
        })
    };
    ["oui", "non", "yes", "no"].into_iter().any(says)
}

/// `Oui, …` and `En principe, non…` stand within so many characters.
const ANSWER_BEGINNING_CHARS: usize = 24;

fn begins_with_word(folded: &str, starts: &[&str]) -> bool {
    let folded = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    starts.iter().any(|start| {
        folded.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Words by which a sentence points at the one before it, folded.
const LEANING: &[&str] = &[
    "il",
    "elle",
    "ils",
    "elles",
    "celui-ci",
    "celle-ci",
    "ceux-ci",
    "celles-ci",
    "cela",
    "ca",
    "ceci",
    "ce dernier",
    "cette derniere",
    "ces derniers",
    "ces dernieres",
    "ce",
    "cet",
    "cette",
    "ces",
    "ensuite",
    "puis",
    "enfin",
    "toutefois",
    "cependant",
    "neanmoins",
    "en revanche",
    "sinon",
    "dans ce cas",
    "de plus",
    "en outre",
    "par ailleurs",
    "ainsi",
    "donc",
    "mais",
    "or",
    "alors",
    "par consequent",
    "de meme",
    "y compris",
    "son",
    "sa",
    "leur",
    "it",
    "they",
    "this",
    "these",
    "that",
    "those",
    "then",
    "next",
    "finally",
    "however",
    "otherwise",
    "in that case",
    "in this case",
    "moreover",
    "furthermore",
    "also",
    "therefore",
    "but",
    "and",
    "so",
    "its",
    "their",
    "he",
    "she",
    "after that",
    "instead",
    "likewise",
];

/// Beginnings that look as if they pointed back and do not, folded.
const IMPERSONAL: &[&str] = &[
    "il est possible",
    "il est necessaire",
    "il est obligatoire",
    "il est interdit",
    "il est recommande",
    "il est conseille",
    "il est egalement possible",
    "il faut",
    "il suffit",
    "il y a",
    "il n'y a",
    "il existe",
    "il convient",
    "il vous faut",
    "il vous suffit",
    "il n'est pas possible",
    "il n'est pas necessaire",
    "ce site",
    "cette page",
    "cet article",
    "it is possible",
    "it is not possible",
    "it is necessary",
    "it takes",
    "it is recommended",
    "this page",
    "this article",
    "this site",
    "this guide",
];

fn looks_like_file_name(title: &str) -> bool {
    let title = title.trim();
    !title.contains(' ') && title.rsplit_once('.').is_some_and(|(_, kind)| kind.len() <= 8)
}
