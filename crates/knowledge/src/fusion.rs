//! One order out of two: how near a passage lies in meaning, and how well it fits in words.
//!
//! Nearness is put on a scale from the last to the best of the passages that were looked at, since
//! cosines of one model crowd together and only their differences tell. The score by words is
//! absolute already ([`crate::lexical::LexicalScale`]): a question whose words a base does not
//! have, such as one in another language, is decided by meaning. The sum was chosen by measurement
//! against weighted min-max of both and against reciprocal ranks, both clearly worse
//! (`docs/decisions/0014-fusion.md`). Pure; it knows neither bases nor how to search.

mod duplicates;

use std::cmp::Ordering;

use ancre_domain::{ChunkId, SearchMode};

pub use self::duplicates::Duplicates;

/// How many of the nearest passages make the scale of nearness, and as many of the best by words
/// are looked at with them.
pub const DEPTH: usize = 100;

/// What speaks for a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Where it lies on the scale of nearness, in [0, 1]; 0 without evidence of that kind.
    pub nearness: f64,
    /// Its score by words, in [0, 1].
    pub words: f64,
    /// How many of the question's identifiers it has, weighed by their rarity, in [0, 1]; none for
    /// a question without identifiers. Who types a code wants the passages that have it.
    pub identifiers: Option<f64>,
}

impl Evidence {
    /// The score by which passages are ordered, in [0, 1]; larger is better.
    pub fn score(self, mode: SearchMode) -> f64 {
        match (mode, self.identifiers) {
            (SearchMode::Vector, _) => self.nearness,
            (SearchMode::Text, None) => self.words,
            (SearchMode::Text, Some(identifiers)) => f64::midpoint(self.words, identifiers),
            (SearchMode::Hybrid, None) => f64::midpoint(self.nearness, self.words),
            (SearchMode::Hybrid, Some(identifiers)) => {
                (self.nearness + self.words + identifiers) / 3.0
            }
        }
    }
}

/// From the last to the best of the nearest passages, for one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearnessScale {
    best: f64,
    last: f64,
}

impl NearnessScale {
    /// The scale of passages at these cosine distances, nearest first; of which [`DEPTH`] count.
    pub fn of(distances: &[f64]) -> Self {
        let counted = &distances[..distances.len().min(DEPTH)];
        let at = |distance: Option<&f64>| 1.0 - distance.copied().unwrap_or(1.0);
        Self { best: at(counted.first()), last: at(counted.last()) }
    }

    /// Where a distance lies on it: 1 for the best, 0 for the last and all beyond. Where all are
    /// equally near, as in a base of one passage, they are all best.
    pub fn scaled(self, distance: f64) -> f64 {
        let nearness = 1.0 - distance;
        let length = self.best - self.last;
        if length > f64::EPSILON {
            ((nearness - self.last) / length).clamp(0.0, 1.0)
        } else if nearness + f64::EPSILON >= self.best {
            1.0
        } else {
            0.0
        }
    }
}

/// The order of two passages: the better score first, then the nearer, then the older.
pub fn best_first(one: (f64, f64, &ChunkId), other: (f64, f64, &ChunkId)) -> Ordering {
    let (one_score, one_distance, one_id) = one;
    let (other_score, other_distance, other_id) = other;
    other_score
        .total_cmp(&one_score)
        .then_with(|| one_distance.total_cmp(&other_distance))
        .then_with(|| one_id.cmp(other_id))
}

#[cfg(test)]
mod tests {
    use ancre_domain::Timestamp;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_scale_runs_from_the_last_to_the_best() {
        let scale = NearnessScale::of(&[0.1, 0.2, 0.3]);
        let scaled = [0.1, 0.2, 0.3, 0.5, 0.05].map(|distance| scale.scaled(distance));
        for (scaled, expected) in scaled.into_iter().zip([1.0, 0.5, 0.0, 0.0, 1.0]) {
            assert!((scaled - expected).abs() < 1e-9, "{scaled} is not {expected}");
        }
    }

    #[test]
    fn only_the_first_hundred_make_the_scale() {
        let mut distances = vec![0.2; DEPTH];
        distances[0] = 0.1;
        distances.push(1.9);
        assert!(NearnessScale::of(&distances).scaled(0.2) < 1e-9);
    }

    #[test]
    fn a_single_passage_is_the_best_there_is() {
        let scale = NearnessScale::of(&[0.4]);
        assert!((scale.scaled(0.4) - 1.0).abs() < 1e-9);
        assert!(scale.scaled(0.5) < 1e-9);
        let of_nothing = NearnessScale::of(&[]);
        assert!((of_nothing.scaled(0.3) - 1.0).abs() < 1e-9, "nearer than all of none");
        assert!(of_nothing.scaled(1.5) < 1e-9);
    }

    #[test]
    fn words_decide_between_equally_near_ones_and_age_between_equals() {
        let ids = [1, 2].map(|at| ChunkId::generate(Timestamp::from_millis(at)));
        let score =
            |words| Evidence { nearness: 0.8, words, identifiers: None }.score(SearchMode::Hybrid);
        assert_eq!(
            best_first((score(0.3), 0.1, &ids[1]), (score(0.1), 0.1, &ids[0])),
            Ordering::Less
        );
        assert_eq!(best_first((0.5, 0.1, &ids[0]), (0.5, 0.1, &ids[1])), Ordering::Less);
        assert_eq!(best_first((0.5, 0.2, &ids[0]), (0.5, 0.1, &ids[1])), Ordering::Greater);
    }

    proptest! {
        #[test]
        fn more_of_either_evidence_never_ranks_lower(
            nearness in 0.0..1.0_f64, words in 0.0..1.0_f64, more in 0.0..1.0_f64,
        ) {
            let score = |nearness, words| Evidence { nearness, words, identifiers: Some(0.5) }.score(SearchMode::Hybrid);
            prop_assert!(score((nearness + more).min(1.0), words) >= score(nearness, words));
            prop_assert!(score(nearness, (words + more).min(1.0)) >= score(nearness, words));
        }
    }
}
