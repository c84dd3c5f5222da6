//! Which sentences a reply takes for one question.
//!
//! Greedy maximal marginal relevance (Carbonell and Goldstein, 1998): the best candidate first,
//! then whichever adds most beyond what was taken, until it adds too little. A sentence of
//! another section must say something of the question that is still unsaid, because the same
//! words under another heading are mostly about another case. A sentence that leans on its
//! predecessor (`It then…`) comes with it or not at all.

use ancre_models::Embedding;

use super::candidates::Candidate;
use super::scores::{QuestionScores, WeightedTerms, cosine, nearness};
use crate::vocabulary::Wording;

/// What is chosen from for one question.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// What the question names.
    pub terms: &'a WeightedTerms,
    /// How well each candidate answers.
    pub scores: &'a QuestionScores,
    /// The candidates.
    pub candidates: &'a [Candidate],
    /// Their vectors.
    pub vectors: &'a [Embedding],
}

impl Choice<'_> {
    /// The candidates taken, in the order of their choice; `taken` holds those that other
    /// questions took, `limit` is how many sentences may be added.
    pub fn select(self, taken: &[usize], limit: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut first: Option<usize> = None;
        while chosen.len() < limit {
            let is_free = |index: &usize| !taken.contains(index) && !chosen.contains(index);
            let next = (0..self.candidates.len())
                .filter(is_free)
                .filter_map(|index| {
                    let mut group = self.can_stand(index)?;
                    group.retain(is_free);
                    let fits = chosen.len() + group.len() <= limit.max(group.len().min(2));
                    let gain = self.gain(index, first, &chosen).filter(|_| fits)?;
                    Some((index, group, gain))
                })
                // Of equals the earlier one: `max_by` would take the last.
                .reduce(|best, other| if other.2 > best.2 { other } else { best });
            let Some((index, mut group, _)) = next else { break };
            if chosen.is_empty() {
                first = Some(index);
            }
            chosen.append(&mut group);
        }
        chosen
    }

    /// What the candidate at `index` adds to those `chosen`, of which `first` was the best;
    /// `None` when it is not worth its place.
    fn gain(&self, index: usize, first: Option<usize>, chosen: &[usize]) -> Option<f32> {
        let score = self.scores.scores[index];
        let Some(first) = first else { return Some(score.total) };
        let best = self.scores.scores[first];
        let candidate = &self.candidates[index];
        let others = || chosen.iter().map(|other| &self.candidates[*other]);
        if others().any(|other| is_repetition(candidate, other)) {
            return None;
        }
        let added = self.added_coverage(candidate, others());
        let keeps_up = added > 0.0
            || score.told > 0.0
            || score.nearness >= best.nearness * KEEPS_UP_SHARE
            || score.coverage >= best.coverage * KEEPS_UP_SHARE;
        let is_near = others().any(|other| is_same_section(candidate, other));
        let worth = score.total + ADDED_WEIGHT * added;
        let is_worth_it = if is_near {
            keeps_up && worth >= best.total * KEPT_SHARE
        } else {
            added > 0.0 && score.total >= best.total * KEPT_SHARE_ELSEWHERE
        };
        let redundancy = chosen
            .iter()
            .map(|other| cosine(&self.vectors[index], &self.vectors[*other]))
            .map(|cosine| nearness(cosine, self.scores.background))
            .fold(0.0_f32, f32::max);
        let gain = worth - REDUNDANCY_WEIGHT * redundancy;
        (is_worth_it && gain >= best.total * KEPT_GAIN).then_some(gain)
    }

    /// How much of the question `candidate` covers by its own words that `others` leave
    /// uncovered; 0 for a trifle, such as the same word instead of another expression.
    fn added_coverage<'c>(
        &self,
        candidate: &Candidate,
        others: impl Iterator<Item = &'c Candidate>,
    ) -> f32 {
        let mut words: Vec<&Wording> =
            others.flat_map(|other| [&other.words, &other.heading_words]).collect();
        let before = self.terms.coverage(&words);
        words.push(&candidate.words);
        let added = self.terms.coverage(&words) - before;
        if added >= MIN_ADDED { added } else { 0.0 }
    }

    /// The candidate with the predecessors that it needs, in document order; `None` when it needs
    /// one that is not there, or answers a heading that the question does not ask.
    fn can_stand(&self, index: usize) -> Option<Vec<usize>> {
        let mut chain = vec![index];
        let mut first = &self.candidates[index];
        while first.leans_on_previous {
            let previous = first.previous.filter(|_| chain.len() <= MAX_PREDECESSORS)?;
            chain.insert(0, previous);
            first = &self.candidates[previous];
        }
        let answers_heading = !first.leans_on_heading
            || self.scores.scores[chain[0]].heading_coverage >= HEADING_COVERAGE;
        answers_heading.then_some(chain)
    }
}

/// Whether two candidates stand under one heading; without headings, in one passage.
fn is_same_section(one: &Candidate, other: &Candidate) -> bool {
    one.heading == other.heading && (one.passage == other.passage || !one.heading.is_empty())
}

/// Whether nearly all words of the one are words of the other.
fn is_repetition(one: &Candidate, other: &Candidate) -> bool {
    let (one, other) = (&one.words.terms, &other.words.terms);
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = small.iter().filter(|term| large.contains(term)).count();
    !small.is_empty() && shared * 5 >= small.len() * 4
}

const REDUNDANCY_WEIGHT: f32 = 0.25;
/// Of the best candidate's total: what a further one of the same section must reach.
const KEPT_SHARE: f32 = 0.86;
/// The same for one of a section that was not quoted yet.
const KEPT_SHARE_ELSEWHERE: f32 = 0.94;
/// What a candidate's total gains by covering what the chosen ones do not.
const ADDED_WEIGHT: f32 = 0.6;
const MIN_ADDED: f32 = 0.1;
/// In one respect a further sentence must be as good as the first; this much of it is as good.
const KEEPS_UP_SHARE: f32 = 0.95;
const KEPT_GAIN: f32 = 0.55;
const MAX_PREDECESSORS: usize = 2;
const HEADING_COVERAGE: f32 = 0.4;
