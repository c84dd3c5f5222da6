//! Whether the passages answer a question at all.
//!
//! A search always finds something, and the cosines of the default model do not separate right
//! from wrong, so no threshold on one number decides. Three signals are added up in a logistic
//! rule whose weights were fitted on questions with and without their documents
//! (`docs/decisions/0004-extractive-evidence.md` has the figures and how to measure again).

use ancre_domain::Language;

use super::candidates::Candidate;
use super::scores::{QuestionScores, WeightedTerms, nearness as nearness_to_background};
use crate::vocabulary::Wording;

/// What speaks for an answer to one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signals {
    /// The largest nearness of a candidate.
    pub nearness: f32,
    /// The nearness of the passage that the search put first, as a whole.
    pub passage_nearness: f32,
    /// The largest coverage of the question's words by one sentence and its heading; 0 for a
    /// question of one word outside the vocabulary, which proves nothing.
    pub sentence_coverage: f32,
    /// The largest coverage by one whole passage and its title.
    pub passage_coverage: f32,
    /// How far the best candidate's nearness stands above the median candidate's.
    pub lead: f32,
    /// Whether question and best passage are in two languages, so that words cannot testify.
    pub is_foreign: bool,
}

impl Signals {
    /// Reads the signals of one question; `passage_words` holds the words of each passage and its
    /// title, `passage_languages` their languages.
    pub fn read(
        terms: &WeightedTerms,
        question_language: Option<Language>,
        scores: &QuestionScores,
        candidates: &[Candidate],
        passage_cosine: f32,
        passage_words: &[Wording],
        passage_languages: &[Option<Language>],
    ) -> Self {
        let mut nearness: Vec<f32> = scores.scores.iter().map(|score| score.nearness).collect();
        nearness.sort_by(f32::total_cmp);
        let highest = nearness.last().copied().unwrap_or_default();
        let median = nearness.get(nearness.len() / 2).copied().unwrap_or_default();
        let best = (0..candidates.len())
            .max_by(|a, b| scores.scores[*a].total.total_cmp(&scores.scores[*b].total));
        let language = best.and_then(|best| passage_languages[candidates[best].passage]);
        let is_foreign = matches!((question_language, language), (Some(a), Some(b)) if a != b);
        Self {
            nearness: highest,
            passage_nearness: nearness_to_background(passage_cosine, scores.background),
            sentence_coverage: if terms.is_one_unknown_word() {
                0.0
            } else {
                scores.scores.iter().map(|score| score.coverage).fold(0.0_f32, f32::max)
            },
            passage_coverage: passage_words
                .iter()
                .map(|words| terms.coverage(&[words]))
                .fold(0.0_f32, f32::max),
            lead: highest - median,
            is_foreign,
        }
    }

    /// Whether the evidence is enough to quote.
    pub fn is_sufficient(&self) -> bool {
        self.log_odds() > 0.0
    }

    /// The logarithm of the odds that the passages hold an answer, as fitted.
    pub fn log_odds(&self) -> f32 {
        if self.is_foreign {
            -5.1 + 12.9 * self.lead + 7.7 * self.passage_nearness + 3.0 * self.sentence_coverage
        } else {
            -9.3 + 7.5 * self.nearness
                + 9.9 * self.passage_nearness
                + 1.85 * self.passage_coverage
                + 12.0 * (self.sentence_coverage - 0.6).max(0.0)
        }
    }
}
