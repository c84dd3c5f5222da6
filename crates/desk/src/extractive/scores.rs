//! How well a sentence answers a question.
//!
//! Two witnesses: the embedder, which hears paraphrases but finds everything rather alike, and
//! the question's own words, which are exact and know the synonyms of the vocabulary. The cosine is measured from a
//! background, the question's mean similarity to sentences that are about nothing in particular,
//! because the level of cosines differs between models and between questions; words weigh by
//! their rarity among the passages (inverse document frequency), so that a word that no passage
//! has weighs most.

use ancre_models::Embedding;

use super::candidates::Candidate;
use crate::vocabulary::{Asked, Wording, asked};

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
    /// The coverage again when the sentence tells what the question only asks for, else 0.
    pub told: f32,
    /// All of it with the nearness of the whole passage; by this candidates are ordered.
    pub total: f32,
}

/// What a question names, with its weight among the passages.
#[derive(Debug, Clone)]
pub(super) struct WeightedTerms(Vec<(Asked, f32)>);

impl WeightedTerms {
    /// Weighs each thing that `question` names by its rarity among `passages`:
    /// ln(1 + (n + 1) / (df + 1/2)), half of it for what only asks (`how long`) and
    /// nothing where no passage tells that, because it is a hint and not a word.
    pub fn new(question: &str, passages: &[Wording]) -> Self {
        let weigh = |asked: Asked| {
            let holding =
                passages.iter().filter(|words| share_held(&asked, &[words]) > 0.0).count();
            let ratio = (as_f32(passages.len()) + 1.0) / (as_f32(holding) + 0.5);
            let share = match (asked.is_cue, holding) {
                (false, _) => 1.0,
                (true, 0) => 0.0,
                (true, _) => CUE_WEIGHT,
            };
            let weight = ratio.ln_1p() * share;
            (asked, weight)
        };
        Self(asked(question).into_iter().map(weigh).collect())
    }

    /// How many words the question has that can be found; a cue of small words counts as one.
    pub fn count(&self) -> usize {
        self.0.iter().map(|(asked, _)| asked.terms.len().max(1)).sum()
    }

    /// Whether there is nothing to look for but one word that the vocabulary does not know.
    pub fn is_one_unknown_word(&self) -> bool {
        self.count() < 2 && self.0.iter().all(|(asked, _)| asked.concept.is_none())
    }

    /// Whether `words` tell what the question only asks for, such as a number of days.
    fn is_told(&self, words: &Wording) -> bool {
        let mut cues = self.0.iter().filter(|(asked, _)| asked.is_cue);
        cues.any(|(asked, _)| asked.concept.is_some_and(|c| words.concepts.contains(&c)))
    }

    /// The share of the weight that `words` have, in [0, 1]; 0 for a question without content.
    /// What is called otherwise there counts a little less.
    pub fn coverage(&self, words: &[&Wording]) -> f32 {
        let all: f32 = self.0.iter().map(|(_, weight)| weight).sum();
        let held: f32 =
            self.0.iter().map(|(asked, weight)| weight * share_held(asked, words)).sum();
        if all > 0.0 { held / all } else { 0.0 }
    }
}

/// 1 when `words` have the very words of `asked`, a little less when they have its concept.
fn share_held(asked: &Asked, words: &[&Wording]) -> f32 {
    let has =
        |term: &String| words.iter().any(|set| set.terms.iter().any(|other| matches(term, other)));
    let has_concept =
        || asked.concept.is_some_and(|c| words.iter().any(|set| set.concepts.contains(&c)));
    if !asked.terms.is_empty() && asked.terms.iter().all(has) {
        1.0
    } else if has_concept() {
        CONCEPT_CREDIT
    } else {
        0.0
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
            let own = terms.coverage(&[&candidate.words]);
            let with_heading = terms.coverage(&[&candidate.words, &candidate.heading_words]);
            let coverage = f32::midpoint(own, with_heading);
            let heading_coverage = terms.coverage(&[&candidate.heading_words]);
            let passage = self::nearness(passage_cosines[candidate.passage], background);
            let told = if terms.is_told(&candidate.words) { with_heading } else { 0.0 };
            let total = nearness
                + COVERAGE_WEIGHT * coverage
                + TOLD_WEIGHT * told
                + PASSAGE_WEIGHT * passage;
            Score { nearness, coverage, heading_coverage, told, total }
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

/// Another expression for the same concept, against the same word.
const CONCEPT_CREDIT: f32 = 0.85;
const CUE_WEIGHT: f32 = 0.5;
const COVERAGE_WEIGHT: f32 = 0.35;
/// For a sentence that tells the time or the price that is asked, next to what it is about.
const TOLD_WEIGHT: f32 = 0.2;
const PASSAGE_WEIGHT: f32 = 1.0;
const MIN_ROOM: f32 = 0.05;
const MIN_PREFIX: usize = 5;
const MAX_REST: usize = 4;
