//! Whether the cited passages say what a sentence says.
//!
//! The check reads the passages itself and believes nothing that the runner reported. It is
//! literal: a sentence is supported when it is, but for blanks and Markdown, one or several whole
//! sentences of one cited passage in a row. A part of a sentence does not count, because what
//! was cut off may have turned its meaning (`It is not true that …`). Paraphrases, which language
//! models write, need another check; this one calls them unsupported.

use ancre_domain::Support;

use crate::anatomy::segments;
use crate::citations::without_typed_numbers;
use crate::courtesy::is_courtesy;
use crate::markup::plain;

/// Checks one sentence of a draft against the contents of the passages that it cites. A sentence
/// without citations claims nothing only when it is one of the product's courtesies or the
/// agent's own `signature`.
pub fn check(sentence: &str, cited: &[&str], signature: &str) -> Support {
    if cited.is_empty() {
        let is_signature = !signature.trim().is_empty() && sentence.trim() == signature.trim();
        let claims_nothing = is_courtesy(sentence) || is_signature;
        return if claims_nothing { Support::NoClaim } else { Support::Unsupported };
    }
    let sought = comparable(&without_list_marks(sentence));
    let is_there = !sought.is_empty() && cited.iter().any(|content| says(content, &sought));
    if is_there { Support::Supported } else { Support::Unsupported }
}

/// Whether whole sentences of `content` in a row are `sought`.
fn says(content: &str, sought: &str) -> bool {
    let sentences: Vec<String> = segments(content)
        .into_iter()
        .map(|segment| comparable(&plain(&content[segment.range])))
        .filter(|sentence| !sentence.is_empty())
        .collect();
    (0..sentences.len()).any(|first| {
        let mut rest = sought;
        for sentence in &sentences[first..] {
            let Some(after) = rest.strip_prefix(sentence.as_str()) else {
                return false;
            };
            if after.is_empty() {
                return true;
            }
            let Some(after) = after.strip_prefix(' ') else {
                return false;
            };
            rest = after;
        }
        false
    })
}

/// Blanks as single spaces, and brackets as a draft shows them.
fn comparable(text: &str) -> String {
    without_typed_numbers(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The lines of a quoted list without their marks; the first line is its introduction.
fn without_list_marks(sentence: &str) -> String {
    let mut lines = sentence.lines();
    let mut words = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let (mark, rest) = line.split_once(' ').unwrap_or(("", line));
        let is_mark = mark == "•"
            || mark.strip_suffix(['.', ')']).is_some_and(|digits| {
                !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
            });
        words.push(' ');
        words.push_str(if is_mark { rest } else { line });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Refunds\n\nIt is not true that refunds are free. We refund within **14\u{a0}days**.\n\
                        Delivery is slow.\n\nYou need:\n\n- the [receipt](https://x.example)\n- 2 minutes\n";

    #[test]
    fn a_whole_sentence_is_supported_whatever_its_markup() {
        assert_eq!(check("We refund within 14 days.", &["Other.", PAGE], ""), Support::Supported);
        assert_eq!(check("You need:\n• the receipt\n• 2 minutes", &[PAGE], ""), Support::Supported);
    }

    #[test]
    fn what_no_cited_passage_says_whole_is_unsupported() {
        for invented in [
            "Refunds are free.",
            "refunds are free.",
            "We refund within 15 days.",
            "We refund within 14 days. Delivery is fast.",
            "",
        ] {
            assert_eq!(check(invented, &[PAGE], ""), Support::Unsupported, "{invented:?}");
        }
        assert_eq!(check("We refund within 14 days.", &["Other."], ""), Support::Unsupported);
    }

    #[test]
    fn only_courtesies_may_go_without_a_passage() {
        assert_eq!(check("Bonjour,", &[], ""), Support::NoClaim);
        assert_eq!(check("The team of Anchor", &[], "The team of Anchor"), Support::NoClaim);
        assert_eq!(check("We refund within 14 days.", &[], ""), Support::Unsupported);
    }
}
