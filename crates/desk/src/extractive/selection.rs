//! Which sentences a reply takes for one question.
//!
//! Greedy maximal marginal relevance (Carbonell and Goldstein, 1998): the best candidate first,
//! then whichever adds most beyond what was taken, until it adds too little. A sentence that
//! leans on its predecessor (`It then…`) comes with it or not at all.

use ancre_models::Embedding;

use super::candidates::Candidate;
use super::scores::{QuestionScores, cosine, nearness};

/// The candidates taken for a question, in the order of their choice; `taken` holds those that
/// other questions took, `limit` is how many sentences may be added.
pub(super) fn select(
    scores: &QuestionScores,
    candidates: &[Candidate],
    vectors: &[Embedding],
    taken: &[usize],
    limit: usize,
) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut best_total: Option<f32> = None;
    loop {
        let free = |index: &usize| !taken.contains(index) && !chosen.contains(index);
        let marginal = |index: usize| {
            let redundancy = chosen
                .iter()
                .map(|other| nearness(cosine(&vectors[index], &vectors[*other]), scores.background))
                .fold(0.0_f32, f32::max);
            scores.scores[index].total - REDUNDANCY_WEIGHT * redundancy
        };
        let repeats = |index: &usize| {
            chosen.iter().any(|other| is_repetition(&candidates[*index], &candidates[*other]))
        };
        let next = (0..candidates.len())
            .filter(free)
            .filter(|index| can_stand(*index, scores, candidates).is_some() && !repeats(index))
            .map(|index| (index, marginal(index)))
            // Of equals the earlier one: `max_by` would take the last.
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((index, gain)) = next else { break };
        let total = scores.scores[index].total;
        let is_same_passage =
            chosen.iter().any(|other| candidates[*other].passage == candidates[index].passage);
        let share = if is_same_passage { KEPT_SHARE } else { KEPT_SHARE_ELSEWHERE };
        let is_enough =
            best_total.is_none_or(|best| total >= best * share && gain >= best * KEPT_GAIN);
        if !is_enough {
            break;
        }
        let mut group = can_stand(index, scores, candidates).unwrap_or_default();
        group.retain(free);
        if chosen.len() + group.len() > limit.max(group.len().min(2)) {
            break;
        }
        best_total = best_total.or(Some(total));
        chosen.extend(group);
        if chosen.len() >= limit {
            break;
        }
    }
    chosen
}

/// The candidate with the predecessors that it needs, in document order; `None` when it needs one
/// that is not there, or answers a heading that the question does not ask.
fn can_stand(
    index: usize,
    scores: &QuestionScores,
    candidates: &[Candidate],
) -> Option<Vec<usize>> {
    let mut chain = vec![index];
    let mut first = &candidates[index];
    while first.leans_on_previous {
        let previous = first.previous.filter(|_| chain.len() <= MAX_PREDECESSORS)?;
        chain.insert(0, previous);
        first = &candidates[previous];
    }
    let answers_heading =
        !first.leans_on_heading || scores.scores[chain[0]].heading_coverage >= HEADING_COVERAGE;
    answers_heading.then_some(chain)
}

/// Whether nearly all words of the one are words of the other.
fn is_repetition(one: &Candidate, other: &Candidate) -> bool {
    let (one, other) = (&one.words.terms, &other.words.terms);
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let shared = small.iter().filter(|term| large.contains(term)).count();
    !small.is_empty() && shared * 5 >= small.len() * 4
}

const REDUNDANCY_WEIGHT: f32 = 0.25;
/// Of the best candidate's total: what a further one of the same passage must reach.
const KEPT_SHARE: f32 = 0.86;
/// The same for one of a passage that was not quoted yet.
const KEPT_SHARE_ELSEWHERE: f32 = 0.94;
const KEPT_GAIN: f32 = 0.55;
const MAX_PREDECESSORS: usize = 2;
const HEADING_COVERAGE: f32 = 0.4;
