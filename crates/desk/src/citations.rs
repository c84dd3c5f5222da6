//! Numbers in a draft.
//!
//! A number is a passage: the first passage that the draft cites is `[1]`, the next new one `[2]`,
//! and a passage keeps its number wherever it is cited again. A number stands after the sentence's
//! final punctuation and one space, `Sentence. [1]`, several as `Sentence. [1] [3]`, the same in
//! French and English. A runner's reference to a passage that it was not given is never shown: it
//! is taken out and reported in [`NumberedDraft::dropped`], and the sentence then has to stand the
//! support check without it.

use ancre_domain::{CharRange, Sentence};
use ancre_models::{Part, Passage};

/// A draft whose references have become the numbers that the customer sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedDraft {
    /// The sentences in order.
    pub sentences: Vec<NumberedSentence>,
    /// The cited passages; the first has the number 1, and so on.
    pub cited: Vec<CitedPassage>,
    /// References to passages that were not given, as the runner wrote them.
    pub dropped: Vec<u32>,
}

/// A sentence with its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedSentence {
    /// Its words. What looked like a number of ours in them (`[1]`) has round brackets.
    pub text: String,
    /// Its numbers, each once, in the runner's order.
    pub citations: Vec<u32>,
    /// Whether a new paragraph begins with it.
    pub starts_paragraph: bool,
}

/// A passage that a draft cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedPassage {
    /// Its index among the passages that were given.
    pub index: usize,
    /// The characters of it that were used: sorted, joined where they touch or overlap, inside
    /// the passage.
    pub used_ranges: Vec<CharRange>,
}

/// Gives the references of `parts` their numbers.
pub fn number(parts: &[Part], given: &[Passage]) -> NumberedDraft {
    let mut draft = NumberedDraft { sentences: Vec::new(), cited: Vec::new(), dropped: Vec::new() };
    for part in parts {
        let mut citations: Vec<u32> = Vec::new();
        for citation in &part.citations {
            let Some(index) = given.iter().position(|p| p.number == citation.number) else {
                draft.dropped.push(citation.number);
                continue;
            };
            let known = draft.cited.iter().position(|cited| cited.index == index);
            let place = known.unwrap_or_else(|| {
                draft.cited.push(CitedPassage { index, used_ranges: Vec::new() });
                draft.cited.len() - 1
            });
            let is_inside = |range: &CharRange| {
                range.slice(&given[index].content).is_some_and(|s| !s.is_empty())
            };
            draft.cited[place].used_ranges.extend(citation.range.filter(is_inside));
            let number = u32::try_from(place + 1).unwrap_or(u32::MAX);
            if !citations.contains(&number) {
                citations.push(number);
            }
        }
        draft.sentences.push(NumberedSentence {
            text: without_typed_numbers(&part.text),
            citations,
            starts_paragraph: part.starts_paragraph,
        });
    }
    for cited in &mut draft.cited {
        cited.used_ranges = joined(std::mem::take(&mut cited.used_ranges));
    }
    draft
}

/// The draft as the customer reads it: sentences parted by spaces, paragraphs by an empty line,
/// each sentence's numbers after it.
pub fn render(sentences: &[Sentence]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if !text.is_empty() {
            text.push_str(if sentence.starts_paragraph { "\n\n" } else { " " });
        }
        text.push_str(&sentence.text);
        for number in &sentence.citations {
            text.push_str(&format!(" [{number}]"));
        }
    }
    text
}

/// `text` with `[12]` as `(12)`: a passage's own brackets must not read as a citation.
pub(crate) fn without_typed_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        shown.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let digits = inside.chars().take_while(|c| c.is_numeric()).map(char::len_utf8).sum();
        if digits > 0 && inside[digits..].starts_with(']') {
            shown.push('(');
            shown.push_str(&inside[..digits]);
            shown.push(')');
            rest = &inside[digits + 1..];
        } else {
            shown.push('[');
            rest = inside;
        }
    }
    shown.push_str(rest);
    shown
}

fn joined(mut ranges: Vec<CharRange>) -> Vec<CharRange> {
    ranges.sort_unstable();
    let mut joined: Vec<CharRange> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use ancre_domain::Support;
    use ancre_models::Citation;
    use proptest::prelude::*;

    use super::*;

    fn passages(count: u32) -> Vec<Passage> {
        let passage = |number| Passage {
            number,
            title: format!("Page {number}"),
            uri: None,
            content: "Ten chars.".to_owned(),
            continues_before: false,
            continues_after: false,
            distance: 0.1,
        };
        (1..=count).map(passage).collect()
    }

    fn part(text: &str, numbers: &[u32]) -> Part {
        let cite = |number| Citation { number, range: Some(CharRange { start: 0, end: 3 }) };
        Part {
            text: text.to_owned(),
            citations: numbers.iter().copied().map(cite).collect(),
            starts_paragraph: false,
        }
    }

    fn rendered(draft: &NumberedDraft) -> String {
        let sentence = |s: &NumberedSentence| Sentence {
            text: s.text.clone(),
            citations: s.citations.clone(),
            support: Support::Supported,
            starts_paragraph: s.starts_paragraph,
        };
        render(&draft.sentences.iter().map(sentence).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_follow_the_first_appearance() {
        let draft = number(
            &[part("One.", &[5]), part("Two.", &[2, 5]), part("Three.", &[2])],
            &passages(6),
        );
        assert_eq!(rendered(&draft), "One. [1] Two. [2] [1] Three. [2]");
        assert_eq!(draft.cited.iter().map(|c| c.index).collect::<Vec<_>>(), [4, 1]);
    }

    #[test]
    fn a_passage_that_was_not_given_is_never_shown() {
        let draft = number(&[part("One.", &[9, 0]), part("Two.", &[1])], &passages(2));
        assert_eq!(rendered(&draft), "One. Two. [1]");
        assert_eq!(draft.dropped, [9, 0]);
    }

    #[test]
    fn brackets_in_the_words_are_not_numbers() {
        let draft = number(&[part("Press [1] or [x], not [23].", &[2])], &passages(2));
        assert_eq!(rendered(&draft), "Press (1) or [x], not (23). [1]");
    }

    #[test]
    fn a_range_outside_the_passage_is_not_kept() {
        let mut parts = [part("One.", &[1])];
        parts[0].citations[0].range = Some(CharRange { start: 4, end: 99 });
        assert!(number(&parts, &passages(1)).cited[0].used_ranges.is_empty());
    }

    #[test]
    fn ranges_that_touch_are_one() {
        let range = |start, end| CharRange { start, end };
        assert_eq!(
            joined(vec![range(5, 9), range(0, 3), range(3, 4), range(6, 7)]),
            [range(0, 4), range(5, 9)]
        );
    }

    proptest! {
        #[test]
        fn numbers_are_one_to_n_by_first_appearance(
            references in prop::collection::vec(prop::collection::vec(0_u32..9, 0..4), 0..12)
        ) {
            let parts: Vec<Part> = references.iter().map(|numbers| part("S.", numbers)).collect();
            let draft = number(&parts, &passages(6));
            let mut highest = 0;
            for shown in draft.sentences.iter().flat_map(|sentence| &sentence.citations) {
                prop_assert!((1..=highest + 1).contains(shown));
                highest = highest.max(*shown);
            }
            prop_assert_eq!(highest as usize, draft.cited.len());
        }
    }
}
