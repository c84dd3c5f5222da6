//! Words that a line's end divides.
//!
//! A hyphen at a line's end was set by the hyphenation (“infor-mation”) or belongs to the word
//! (“rendez-vous”, “long-term”), and the file does not say which: PDFium marks both alike. The
//! document itself knows best: a word that stands undivided elsewhere in it is written so here
//! too. Else the shape of the halves decides, and last a short list of French and English words
//! that begin or end compounds.

use std::collections::HashSet;

use super::line::{HYPHEN, Line};

/// The most different words that are kept.
const MAX_WORDS: usize = 400_000;

/// First parts of compounds, which are rarely the first syllables of a longer word.
const FIRST_PARTS: [&str; 54] = [
    "peut",
    "rendez",
    "porte",
    "saint",
    "sainte",
    "demi",
    "semi",
    "non",
    "vice",
    "après",
    "avant",
    "arrière",
    "celui",
    "celle",
    "ceux",
    "celles",
    "vingt",
    "trente",
    "quarante",
    "cinquante",
    "soixante",
    "quatre",
    "chef",
    "chefs",
    "quelques",
    "moi",
    "toi",
    "lui",
    "elle",
    "nous",
    "vous",
    "eux",
    "elles",
    "soi",
    "là",
    "grand",
    "grands",
    "week",
    "self",
    "well",
    "half",
    "high",
    "low",
    "long",
    "short",
    "real",
    "open",
    "third",
    "first",
    "second",
    "cross",
    "read",
    "end",
    "follow",
];

/// Last parts of compounds, as whole words.
const LAST_PARTS: [&str; 14] = [
    "nous", "vous", "ils", "elles", "moi", "toi", "lui", "même", "mêmes", "être", "dire", "out",
    "off", "down",
];

/// What makes one word of a first part after all: “real-ity”, “long-itude”.
const SUFFIXES: [&str; 16] = [
    "ity", "ities", "ize", "ise", "ism", "ly", "er", "est", "ness", "itude", "way", "ways", "eur",
    "ement", "euse", "ing",
];

/// The words of a document that no line's end divides, in lower case.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashSet<String>,
}

impl Vocabulary {
    /// The words within the lines.
    pub(super) fn of<'a>(lines: impl Iterator<Item = &'a Line>) -> Self {
        let mut words = HashSet::new();
        for line in lines {
            // The first and the last may be halves themselves.
            let all: Vec<&str> = line.text.split_whitespace().collect();
            let inner = all.get(1..all.len().saturating_sub(1)).unwrap_or_default();
            for word in inner.iter().map(|word| bare(word)).filter(|word| word.len() > 3) {
                if words.len() >= MAX_WORDS {
                    return Self { words };
                }
                words.insert(word.to_lowercase());
            }
        }
        Self { words }
    }

    /// Adds a line to a text that it continues: after a space, or as the rest of a divided word.
    pub(super) fn join(&self, text: &mut String, next: &str) {
        let Some(left) = text.strip_suffix([HYPHEN, '-', '\u{2010}', '\u{AD}']) else {
            if !is_without_spaces(text, next) {
                text.push(' ');
            }
            text.push_str(next);
            return;
        };
        let is_marked = text.ends_with([HYPHEN, '\u{AD}']);
        let first = left.split_whitespace().next_back().unwrap_or_default();
        let divided = first.chars().next_back().is_some_and(char::is_alphabetic)
            && next.starts_with(char::is_alphabetic);
        let length = left.len();
        if divided && !left.ends_with(char::is_whitespace) {
            let second = next.split_whitespace().next().unwrap_or_default();
            let keeps = self.keeps_hyphen(bare(first), bare(second));
            text.truncate(length);
            if keeps {
                text.push('-');
            }
        } else if left.is_empty() || left.ends_with(char::is_whitespace) || is_marked {
            // A dash between words, or a hyphen before a number: “COVID-19”.
            let is_dash = left.ends_with(char::is_whitespace);
            text.truncate(length);
            text.push_str(if is_dash { "- " } else { "-" });
        }
        text.push_str(next);
    }

    fn keeps_hyphen(&self, left: &str, right: &str) -> bool {
        let (first, second) = (left.to_lowercase(), right.to_lowercase());
        if self.words.contains(&format!("{first}{second}")) {
            return false;
        }
        if self.words.contains(&format!("{first}-{second}")) {
            return true;
        }
        if right.starts_with(char::is_uppercase) {
            let is_capitals = |word: &str| word.chars().all(char::is_uppercase);
            return !is_capitals(left) || !is_capitals(right) || is_first_part(&first, &second);
        }
        // “vis-à-vis”, “c'est-à-dire”: the second half of something that has hyphens already; and
        // no hyphenation leaves fewer than three letters.
        let is_compound = left.contains('-')
            || right.split_once('-').is_some_and(|(part, _)| part.chars().count() <= 4);
        is_compound
            || second.chars().count() <= 2
            || LAST_PARTS.contains(&second.as_str())
            || is_first_part(&first, &second)
    }
}

fn is_first_part(first: &str, second: &str) -> bool {
    // What stands before an apostrophe is another word: “l'après-midi”.
    let first = first.rsplit(['\'', '’']).next().unwrap_or(first);
    if first == "sous" {
        // Of the two kinds, “souscrire” and “soustraire” are the few.
        return !["cri", "trai", "tract", "ten", "tien"].iter().any(|it| second.starts_with(it))
            || second.starts_with("traitan");
    }
    FIRST_PARTS.contains(&first) && !SUFFIXES.contains(&second)
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|it: char| !it.is_alphanumeric())
}

/// Whether two lines join without a space: Chinese and Japanese, and addresses of the web.
fn is_without_spaces(text: &str, next: &str) -> bool {
    let is_ideograph = |it: char| matches!(it, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF9F}');
    let (last, first) = (text.chars().next_back(), next.chars().next());
    let is_address = text.ends_with('/')
        && text.split_whitespace().next_back().is_some_and(|word| word.contains("://"));
    is_address || (last.is_some_and(is_ideograph) && first.is_some_and(is_ideograph))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(vocabulary: &Vocabulary, left: &str, right: &str) -> String {
        let mut text = left.to_owned();
        vocabulary.join(&mut text, right);
        text
    }

    #[test]
    fn a_divided_word_is_whole_again() {
        let nothing = Vocabulary::default();
        for (left, right, whole) in [
            ("toute infor\u{2}", "mation utile", "toute information utile"),
            ("un rembour-", "sement,", "un remboursement,"),
            ("INTRO-", "DUCTION", "INTRODUCTION"),
            ("in real-", "ity it", "in reality it"),
            ("il faut sous\u{2}", "crire ici", "il faut souscrire ici"),
            ("l'éta\u{AD}", "blissement", "l'établissement"),
        ] {
            assert_eq!(joined(&nothing, left, right), whole);
        }
    }

    #[test]
    fn a_compound_keeps_its_hyphen() {
        let nothing = Vocabulary::default();
        for (left, right, whole) in [
            ("prenez rendez\u{2}", "vous avant", "prenez rendez-vous avant"),
            ("C'est peut-", "être lui", "C'est peut-être lui"),
            ("rue Saint\u{2}", "Denis", "rue Saint-Denis"),
            ("Jean-", "Pierre", "Jean-Pierre"),
            ("c'est-à\u{2}", "dire", "c'est-à-dire"),
            ("celui\u{2}", "ci", "celui-ci"),
            ("a-t-", "il", "a-t-il"),
            ("an arc-", "en-ciel", "an arc-en-ciel"),
            ("a long\u{2}", "term plan", "a long-term plan"),
            ("les sous\u{2}", "traitants", "les sous-traitants"),
            ("to log-", "in", "to log-in"),
            ("l'après-", "midi", "l'après-midi"),
            ("COVID-", "19", "COVID-19"),
            ("une option -", "payante", "une option - payante"),
        ] {
            assert_eq!(joined(&nothing, left, right), whole);
        }
    }

    #[test]
    fn the_document_itself_knows_best() {
        let line = |text: &str| Line { text: text.to_owned(), ..Line::default() };
        let lines = [line("le mot porte-monnaie est là"), line("un terminal nonchalant ici")];
        let vocabulary = Vocabulary::of(lines.iter());
        assert_eq!(joined(&vocabulary, "mon porte\u{2}", "monnaie"), "mon porte-monnaie");
        assert_eq!(joined(&vocabulary, "l'air non\u{2}", "chalant"), "l'air nonchalant");
    }

    #[test]
    fn lines_of_whole_words_get_a_space_unless_their_writing_has_none() {
        let nothing = Vocabulary::default();
        assert_eq!(joined(&nothing, "sous trente", "jours"), "sous trente jours");
        assert_eq!(joined(&nothing, "淡々と", "最期"), "淡々と最期");
        assert_eq!(joined(&nothing, "voir https://a.fr/b/", "c"), "voir https://a.fr/b/c");
    }
}
