//! How well a sentence answers a question.
//!
//! Two witnesses: the embedder, which hears paraphrases but finds everything rather alike, and
//! the question's own words, which are exact but deaf to synonyms. The cosine is measured from a
//! background, the question's mean similarity to sentences that are about nothing in particular,
//! because the level of cosines differs between models and between questions; words weigh by
//! their rarity among the passages (inverse document frequency), so that a word that no passage
//! has weighs most.

use ancre_models::Embedding;

use super::candidates::Candidate;

/// Sentences about nothing that a help centre answers, in both languages.
pub(super) const NEUTRAL_SENTENCES: [&str; 16] = [
    "La lumière du soir tombe sur les toits de la ville.",
    "Mon grand-père racontait souvent ses voyages en bateau.",
    "Les musiciens accordent leurs instruments avant le concert.",
    "Une légère brise agite les feuilles des peupliers.",
    "Le chat dort sur le fauteuil près de la fenêtre.",
    "L’équipe a marqué deux buts en seconde mi-temps.",
    "Les volcans de l’île sont endormis depuis des siècles.",
    "Ajoutez la farine, puis remuez doucement la pâte.",
    "The evening light falls on the roofs of the town.",
    "My grandfather often spoke of his journeys by boat.",
    "The musicians tune their instruments before the concert.",
    "A light breeze moves the leaves of the poplars.",
    "The cat sleeps on the armchair near the window.",
    "The team scored two goals in the second half.",
    "The volcanoes of the island have slept for centuries.",
    "Add the flour, then stir the dough gently.",
];

/// What one question finds in the candidates.
#[derive(Debug, Clone)]
pub(super) struct QuestionScores {
    /// For each candidate.
    pub scores: Vec<Score>,
    /// The question's mean cosine to the neutral sentences.
    pub background: f32,
}

/// What speaks for one candidate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Score {
    /// `(cosine - background) / (1 - background)`: 0 for a neutral sentence, 1 for the question
    /// itself.
    pub nearness: f32,
    /// The share of the question's words, by weight, that the sentence and its heading have.
    pub coverage: f32,
    /// The share of them that the heading alone has.
    pub heading_coverage: f32,
    /// All of it with the nearness of the whole passage; by this candidates are ordered.
    pub total: f32,
}

/// The weights of the words of a question among the passages.
#[derive(Debug, Clone)]
pub(super) struct WeightedTerms(pub Vec<(String, f32)>);

impl WeightedTerms {
    /// Weighs each different term of `question` by its rarity among `passages`, given as the terms
    /// of each: ln(1 + (n + 1) / (df + 1/2)).
    pub fn new(question: &[String], passages: &[Vec<String>]) -> Self {
        let mut weighted: Vec<(String, f32)> = Vec::new();
        for term in question {
            if weighted.iter().any(|(known, _)| known == term) {
                continue;
            }
            let holding =
                passages.iter().filter(|terms| terms.iter().any(|other| matches(term, other)));
            let ratio = (as_f32(passages.len()) + 1.0) / (as_f32(holding.count()) + 0.5);
            weighted.push((term.clone(), ratio.ln_1p()));
        }
        Self(weighted)
    }

    /// The share of the weight that `terms` have, in [0, 1]; 0 for a question without terms.
    pub fn coverage(&self, terms: &[&[String]]) -> f32 {
        let has = |term: &str| terms.iter().any(|set| set.iter().any(|other| matches(term, other)));
        let all: f32 = self.0.iter().map(|(_, weight)| weight).sum();
        let held: f32 = self.0.iter().filter(|(term, _)| has(term)).map(|(_, weight)| weight).sum();
        if all > 0.0 { held / all } else { 0.0 }
    }
}

/// Scores every candidate for a question.
pub(super) fn score(
    terms: &WeightedTerms,
    question: &Embedding,
    candidates: &[Candidate],
    vectors: &[Embedding],
    passage_cosines: &[f32],
    background: f32,
) -> QuestionScores {
    let scores = candidates
        .iter()
        .zip(vectors)
        .map(|(candidate, vector)| {
            let nearness = nearness(cosine(question, vector), background);
            let own = terms.coverage(&[&candidate.terms]);
            let with_heading = terms.coverage(&[&candidate.terms, &candidate.heading_terms]);
            let coverage = f32::midpoint(own, with_heading);
            let heading_coverage = terms.coverage(&[&candidate.heading_terms]);
            let passage = self::nearness(passage_cosines[candidate.passage], background);
            let total = nearness + COVERAGE_WEIGHT * coverage + PASSAGE_WEIGHT * passage;
            Score { nearness, coverage, heading_coverage, total }
        })
        .collect();
    QuestionScores { scores, background }
}

/// The mean cosine of `question` to `neutral`; 0 when there is none.
pub(super) fn background(question: &Embedding, neutral: &[Embedding]) -> f32 {
    let sum: f32 = neutral.iter().map(|other| cosine(question, other)).sum();
    sum / as_f32(neutral.len().max(1))
}

/// Measures `cosine` from the background: 0 there, 1 for the same direction.
pub(super) fn nearness(cosine: f32, background: f32) -> f32 {
    (cosine - background) / (1.0 - background).max(MIN_ROOM)
}

/// The cosine of two vectors of length 1.
pub(super) fn cosine(one: &Embedding, other: &Embedding) -> f32 {
    one.vector.iter().zip(&other.vector).map(|(a, b)| a * b).sum()
}

/// Two stems match when they are equal or one continues the other from its fifth letter on.
fn matches(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.len() >= MIN_PREFIX && long.len() - short.len() <= MAX_REST && long.starts_with(short)
}

#[expect(clippy::cast_precision_loss, reason = "counts here are far below 2^24")]
pub(super) fn as_f32(count: usize) -> f32 {
    count as f32
}

const COVERAGE_WEIGHT: f32 = 0.35;
const PASSAGE_WEIGHT: f32 = 1.0;
const MIN_ROOM: f32 = 0.05;
const MIN_PREFIX: usize = 5;
const MAX_REST: usize = 4;
