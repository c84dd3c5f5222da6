//! How good a ranking is: the usual measures of retrieval.
//!
//! Pure arithmetic over rankings and judgements; whoever runs the searches brings both. The
//! definitions are those of TREC's `trec_eval`: nDCG with the grade itself as gain and a discount
//! of log₂(rank + 1) (Järvelin and Kekäläinen, 2002).

use std::collections::{BTreeMap, BTreeSet};

/// The judged documents of one question and their grades: 1 for relevant, more for better, 0 for
/// judged and not relevant. A document that is not in it counts as 0.
pub type Judgements = BTreeMap<String, f64>;

/// The measures of one question, each in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scores {
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg_at_10: f64,
    /// The share of the relevant documents that are among the first six.
    pub recall_at_6: f64,
    /// 1 / rank of the first relevant document, 0 when there is none.
    pub reciprocal_rank: f64,
}

impl Scores {
    /// The measures of a ranking of documents, best first.
    pub fn of<D: AsRef<str>>(ranking: &[D], judgements: &Judgements) -> Self {
        Self {
            ndcg_at_10: ndcg_at(10, ranking, judgements),
            recall_at_6: recall_at(6, ranking, judgements),
            reciprocal_rank: reciprocal_rank(ranking, judgements),
        }
    }
}

/// The mean of several questions' measures, and of how many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeanScores {
    /// How many questions.
    pub query_count: u32,
    /// The arithmetic mean of each measure; all 0 when there are no questions.
    pub scores: Scores,
}

impl MeanScores {
    /// The mean over some questions.
    pub fn of(scores: impl IntoIterator<Item = Scores>) -> Self {
        let mut query_count = 0_u32;
        let mut sum = Scores::default();
        for scores in scores {
            query_count += 1;
            sum.ndcg_at_10 += scores.ndcg_at_10;
            sum.recall_at_6 += scores.recall_at_6;
            sum.reciprocal_rank += scores.reciprocal_rank;
        }
        let count = f64::from(query_count.max(1));
        let scores = Scores {
            ndcg_at_10: sum.ndcg_at_10 / count,
            recall_at_6: sum.recall_at_6 / count,
            reciprocal_rank: sum.reciprocal_rank / count,
        };
        Self { query_count, scores }
    }
}

/// Documents in the order of their best chunk, given the documents of chunks, best chunk first.
pub fn rank_documents<D: Ord + Clone>(chunks: impl IntoIterator<Item = D>) -> Vec<D> {
    let mut seen = BTreeSet::new();
    chunks.into_iter().filter(|document| seen.insert(document.clone())).collect()
}

/// nDCG of the first `k`: the gain of the ranking over that of the best possible one; 0 when
/// nothing is relevant. A document that is ranked twice gains once.
pub fn ndcg_at<D: AsRef<str>>(k: usize, ranking: &[D], judgements: &Judgements) -> f64 {
    let gains = first_times(ranking).into_iter().map(|document| grade(judgements, document));
    let mut best: Vec<f64> = judgements.values().copied().filter(|grade| *grade > 0.0).collect();
    best.sort_by(|one, other| other.total_cmp(one));
    let ideal = discounted_gain(best.into_iter().take(k));
    if ideal > 0.0 { discounted_gain(gains.take(k)) / ideal } else { 0.0 }
}

/// The share of the relevant documents that are among the first `k`; 0 when nothing is relevant.
pub fn recall_at<D: AsRef<str>>(k: usize, ranking: &[D], judgements: &Judgements) -> f64 {
    let relevant = judgements.values().filter(|grade| **grade > 0.0).count();
    let found = first_times(ranking)
        .into_iter()
        .take(k)
        .filter(|document| grade(judgements, document) > 0.0)
        .count();
    if relevant == 0 { 0.0 } else { count(found) / count(relevant) }
}

/// 1 / rank of the first relevant document; 0 when none is in the ranking.
pub fn reciprocal_rank<D: AsRef<str>>(ranking: &[D], judgements: &Judgements) -> f64 {
    first_times(ranking)
        .into_iter()
        .position(|document| grade(judgements, document) > 0.0)
        .map_or(0.0, |position| 1.0 / count(position + 1))
}

fn first_times<D: AsRef<str>>(ranking: &[D]) -> Vec<&str> {
    rank_documents(ranking.iter().map(AsRef::as_ref))
}

fn grade(judgements: &Judgements, document: &str) -> f64 {
    judgements.get(document).copied().unwrap_or(0.0).max(0.0)
}

fn discounted_gain(gains: impl Iterator<Item = f64>) -> f64 {
    gains.enumerate().map(|(position, gain)| gain / count(position + 2).log2()).sum()
}

fn count(items: usize) -> f64 {
    u32::try_from(items).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(grades: &[(&str, f64)]) -> Judgements {
        grades.iter().map(|(document, grade)| ((*document).to_owned(), *grade)).collect()
    }

    fn assert_near(actual: f64, expected: f64) {
        assert!((actual - expected).abs() < 1e-4, "{actual} is not {expected}");
    }

    #[test]
    fn the_best_ranking_scores_one() {
        let scores = Scores::of(&["a", "b", "c"], &judged(&[("a", 1.0), ("b", 1.0)]));
        assert_eq!(scores, Scores { ndcg_at_10: 1.0, recall_at_6: 1.0, reciprocal_rank: 1.0 });
    }

    #[test]
    fn binary_figures_match_those_worked_by_hand() {
        // Relevant at ranks 2 and 4, a third one missing:
        // DCG = 1/log2(3) + 1/log2(5) = 0.63093 + 0.43068; ideal = 1 + 0.63093 + 0.5.
        let judgements = judged(&[("b", 1.0), ("d", 1.0), ("z", 1.0), ("a", 0.0)]);
        let scores = Scores::of(&["a", "b", "c", "d"], &judgements);
        assert_near(scores.ndcg_at_10, 1.06161 / 2.13093);
        assert_near(scores.recall_at_6, 2.0 / 3.0);
        assert_near(scores.reciprocal_rank, 0.5);
    }

    #[test]
    fn graded_figures_match_those_worked_by_hand() {
        // Grades 3, 2, 3, 0, 1, 2 with nothing else judged: DCG 6.86113, ideal 7.14100.
        let judgements =
            judged(&[("a", 3.0), ("b", 2.0), ("c", 3.0), ("d", 0.0), ("e", 1.0), ("f", 2.0)]);
        assert_near(ndcg_at(10, &["a", "b", "c", "d", "e", "f"], &judgements), 0.96081);
        assert_near(
            ndcg_at(2, &["b", "a"], &judgements),
            (2.0 + 3.0 * 0.63093) / (3.0 + 3.0 * 0.63093),
        );
    }

    #[test]
    fn only_the_first_ten_count_and_nothing_counts_twice() {
        let mut ranking: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        ranking.push("late".to_owned());
        let scores = Scores::of(&ranking, &judged(&[("late", 1.0)]));
        assert_eq!((scores.ndcg_at_10, scores.recall_at_6), (0.0, 0.0));
        assert_near(scores.reciprocal_rank, 1.0 / 11.0);
        assert_near(ndcg_at(10, &["a", "a"], &judged(&[("a", 1.0)])), 1.0);
    }

    #[test]
    fn a_question_without_relevant_documents_scores_zero() {
        assert_eq!(Scores::of(&["a"], &judged(&[])), Scores::default());
        assert_eq!(Scores::of::<&str>(&[], &judged(&[("a", 1.0)])), Scores::default());
        assert_eq!(MeanScores::of([]), MeanScores::default());
    }

    #[test]
    fn a_document_ranks_by_its_best_chunk() {
        assert_eq!(rank_documents(["b", "a", "b", "c", "a"]), ["b", "a", "c"]);
    }

    #[test]
    fn a_mean_weighs_every_question_alike() {
        let scores =
            |value| Scores { ndcg_at_10: value, recall_at_6: value, reciprocal_rank: value };
        let mean = MeanScores::of([scores(1.0), scores(0.0)]);
        assert_eq!(mean, MeanScores { query_count: 2, scores: scores(0.5) });
    }
}
