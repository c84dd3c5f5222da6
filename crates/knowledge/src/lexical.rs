//! Words: what the full-text index holds of a passage, and what a question asks of it.
//!
//! Both go through `words`, so whatever is typed meets what was written. A word is indexed twice,
//! as it is and as its stem; stems stand behind the words of their column and begin with a mark that
//! no text has, so one column serves both and a phrase never runs into a stem. Nothing here knows
//! how the index is stored; `ranking` repeats its score for a passage that the index did not list.

mod query;
mod ranking;
mod stems;
mod stop_words;
mod words;

use ancre_domain::Language;
use ancre_store::traits::LexicalText;

pub use self::query::{Matches, Query, Term};
pub use self::ranking::{LexicalScale, PassageWords};
pub use self::stems::stem;

/// Begins a stem: a character for private use, which the index takes for a letter and no word has.
const STEM_MARK: char = '\u{E000}';

/// What the full-text index holds of a chunk. `language` is that of the chunk's own words, where it
/// is known; the folding is the same for every language so far.
pub fn lexical_text(
    title: &str,
    heading: Option<&str>,
    content: &str,
    _language: Option<Language>,
) -> LexicalText {
    LexicalText {
        title: indexed(title),
        heading: indexed(heading.unwrap_or_default()),
        body: indexed(content),
    }
}

/// The words of a text, then their stems, divided by blanks.
fn indexed(text: &str) -> String {
    let words = words::words(text);
    let mut indexed = String::with_capacity(2 * text.len());
    for word in &words {
        push(&mut indexed, &word.folded);
    }
    for word in words.iter().filter(|word| has_stem(&word.folded)) {
        push(&mut indexed, &marked_stem(&word.folded));
    }
    indexed
}

fn push(line: &mut String, word: &str) {
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(word);
}

/// Whether a word is looked for by its stem too: not those with digits in them, which are codes and
/// numbers, and count twice instead.
fn has_stem(folded: &str) -> bool {
    !folded.bytes().any(|byte| byte.is_ascii_digit())
}

fn marked_stem(folded: &str) -> String {
    format!("{STEM_MARK}{}", stem(folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_indexed_as_its_words_and_their_stems() {
        let text = lexical_text(
            "Remboursements",
            Some("Aide › Délais"),
            "L’échéance est le 14.",
            Some(Language::Fr),
        );
        assert_eq!(text.title, "remboursements \u{E000}rembours");
        assert_eq!(text.heading, "aide delais \u{E000}aide \u{E000}dela");
        assert_eq!(text.body, "echeance est le 14 \u{E000}echeanc \u{E000}est \u{E000}le");
        assert_eq!(lexical_text("", None, " … ", None).body, "");
    }
}
