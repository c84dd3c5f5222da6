//! How well a passage fits a question by its words, on a scale that every base shares.
//!
//! The index orders its passages by BM25 (Robertson and Zaragoza, 2009; k₁ = 1.2, b = 0.75, as
//! SQLite's FTS5 has them). That number depends on the base it comes from, so it is divided by
//! what a passage would get that had every term of the question very often: 1 is as good as it
//! gets, 0 is no word in common, and bases with other sizes can be compared. A question of which
//! the base lacks most words stays near 0, whatever its best passage is. The same number is
//! computed here for passages that only the search by meaning found.

use ancre_store::traits::WordStatistics;

use super::query::Query;
use super::words::words;
use super::{STEM_MARK, has_stem, stem};

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Rarity of a term that more than half of the passages have, as in FTS5.
const LEAST_RARITY: f64 = 1e-6;

/// The scale of one question in one base.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalScale {
    /// The rarity of each form of each term.
    rarities: Vec<f64>,
    chunks: f64,
    average_length: f64,
    best_possible: f64,
}

impl LexicalScale {
    /// The scale for `query`, from what the base's index counted for `query.lexical_query()`.
    pub fn new(statistics: &WordStatistics) -> Self {
        let chunks = f64::from(statistics.chunks);
        let rarity = |count: &u32| {
            let count = f64::from(*count);
            ((chunks - count + 0.5) / (count + 0.5)).ln().max(LEAST_RARITY)
        };
        let rarities: Vec<f64> = statistics.chunks_with.iter().map(rarity).collect();
        let best_possible = (K1 + 1.0) * rarities.iter().sum::<f64>();
        Self { rarities, chunks, average_length: statistics.average_length, best_possible }
    }

    /// The index's own score on this scale.
    pub fn scaled(&self, score: f64) -> f64 {
        if self.best_possible > 0.0 { (score / self.best_possible).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// How many of the identifiers a passage has, each by its rarity, in [0, 1]; `None` for a
    /// question without any. 1 is a passage that has them all where hardly another one has.
    pub fn identifiers(&self, query: &Query, passage: &PassageWords) -> Option<f64> {
        let rarest = ((self.chunks + 0.5) / 0.5).ln();
        // Each term has two forms.
        let terms = query.terms.iter().zip(self.rarities.iter().step_by(2));
        let found: Vec<f64> = terms
            .filter(|(term, _)| term.is_identifier)
            .map(|(term, rarity)| {
                let is_there = passage.times(&term.words) > 0.0;
                if is_there && rarest > 0.0 { (rarity / rarest).min(1.0) } else { 0.0 }
            })
            .collect();
        (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
    }

    /// The score of a passage on this scale, as the index would give it.
    pub fn score(&self, query: &Query, passage: &PassageWords) -> f64 {
        let length = passage.length / self.average_length.max(1.0);
        let saturation = K1 * (1.0 - B + B * length);
        let forms = query.terms.iter().flat_map(super::Term::forms);
        let score = forms.zip(&self.rarities).map(|(words, rarity)| {
            let times = passage.times(&words);
            rarity * times * (K1 + 1.0) / (times + saturation)
        });
        self.scaled(score.sum())
    }
}

/// The words of a passage, counted as the index counts them.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageWords {
    fields: [Vec<String>; 3],
    length: f64,
}

impl PassageWords {
    /// Reads a passage.
    pub fn read(title: &str, heading: Option<&str>, content: &str) -> Self {
        let fields = [title, heading.unwrap_or_default(), content]
            .map(|text| words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>());
        // Words with a stem stand in the index twice.
        let lengths = fields.iter().flatten().map(|word| if has_stem(word) { 2.0 } else { 1.0 });
        let length = lengths.sum();
        Self { fields, length }
    }

    fn times(&self, form: &[String]) -> f64 {
        let words = self.fields.iter().flatten();
        let count = match form {
            [word] => match word.strip_prefix(STEM_MARK) {
                // A word begins with its stem, so most need not be stemmed.
                Some(wanted) => words
                    .filter(|word| word.starts_with(wanted) && has_stem(word))
                    .filter(|word| stem(word) == wanted)
                    .count(),
                None => words.filter(|it| *it == word).count(),
            },
            row => {
                let rows = self.fields.iter().flat_map(|field| field.windows(row.len()));
                rows.filter(|it| *it == row).count()
            }
        };
        count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics(chunks: u32, average_length: f64, chunks_with: &[u32]) -> WordStatistics {
        WordStatistics { chunks, average_length, chunks_with: chunks_with.to_vec() }
    }

    #[test]
    fn a_passage_with_every_word_scores_high_and_one_with_none_zero() {
        let query = Query::read("délai remboursement E-1042");
        let scale = LexicalScale::new(&statistics(1_000, 40.0, &[10, 20, 5, 9, 2, 2]));
        let score = |content: &str| scale.score(&query, &PassageWords::read("", None, content));
        let all = score("Le délai de remboursement après une erreur E-1042.");
        let some = score("Le délai de livraison.");
        assert!(all > 0.5 && all <= 1.0, "{all}");
        assert!(some > 0.05 && some < all / 2.0, "{some} of {all}");
        assert!(score("Rien de tel.").abs() < f64::EPSILON);
    }

    #[test]
    fn a_base_that_lacks_most_words_stays_low() {
        let query = Query::read("imprimante cartouche facture");
        // Only `facture` is in this base at all.
        let scale = LexicalScale::new(&statistics(100, 40.0, &[0, 0, 0, 0, 3, 3]));
        let best = scale.score(&query, &PassageWords::read("", None, "La facture."));
        assert!(best < 0.4, "{best}");
    }

    #[test]
    fn who_has_the_code_is_told_from_who_has_its_parts() {
        let query = Query::read("erreur E-1042");
        let scale = LexicalScale::new(&statistics(1_000, 40.0, &[50, 50, 2, 2]));
        let share = |content: &str| {
            scale.identifiers(&query, &PassageWords::read("", None, content)).unwrap()
        };
        assert!(share("Le code E-1042.") > 0.7);
        assert!(share("L’erreur 1042 du plan E.") < 1e-9);
        let without = Query::read("une erreur");
        assert_eq!(scale.identifiers(&without, &PassageWords::read("", None, "erreur")), None);
    }

    #[test]
    fn an_empty_base_has_a_scale_too() {
        let query = Query::read("mot");
        let scale = LexicalScale::new(&statistics(0, 0.0, &[0, 0]));
        assert!(scale.score(&query, &PassageWords::read("", None, "mot")).is_finite());
    }
}
