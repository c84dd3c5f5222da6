//! The rows that fit a question's words best: Okapi BM25 as FTS5 computes it, over lists.
//!
//! Rows are gone through by windows of some thousand numbers: the lists of all terms are poured
//! into one window, then its rows are scored, exactly only where they could still be among the best
//! (the idea of Turtle and Flood's max-score, 1995). Where a list does not tell how long a row is,
//! that has to be looked up, which takes longer than everything else; but the row has at least as
//! many words as the place where one of the question's words stands in it tells, and a longer row
//! scores lower. What comes out is the same as FTS5's own, to the last digit. Pure; the lists come
//! from `postings`.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::postings::Posting;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Rarity of a term that more than half of the rows have.
const LEAST_RARITY: f64 = 1e-6;

/// How many row numbers are gone through at once.
const WINDOW: usize = 4_096;

/// Sums in another order differ in the last digits.
const ROUNDING: f64 = 1.0 + 1e-9;

/// What the ranking of one question rests on.
pub(super) struct Ranking<'l> {
    /// Each list once.
    lists: &'l [Vec<Posting>],
    /// For each term of the question its list; terms may share one.
    terms: &'l [usize],
    /// For each list how much a row gains by it.
    rarities: Vec<f64>,
    /// For each list how many terms have it.
    shares: Vec<f64>,
    average_length: f64,
}

/// A row and its score; the better is the greater, and of equals the older.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scored {
    pub(super) row: i64,
    pub(super) score: f64,
}

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.row.cmp(&self.row))
    }
}

/// The rows of a window, by their number in it.
struct Window {
    /// For each list how often each row has the term.
    times: Vec<f32>,
    slots: Vec<Slot>,
}

/// A row of a window.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// At most what it scores.
    limit: f64,
    /// How many words it has, at least; 0 for a row that no list has.
    words: u32,
    /// Whether it has exactly so many.
    is_exact: bool,
}

impl<'l> Ranking<'l> {
    /// For a table of `rows` rows with `average_length` words each.
    pub(super) fn new(
        lists: &'l [Vec<Posting>],
        terms: &'l [usize],
        rows: u64,
        average_length: f64,
    ) -> Self {
        let rarities = lists.iter().map(|list| rarity(rows as f64, list.len() as f64)).collect();
        let mut shares = vec![0.0; lists.len()];
        for term in terms {
            if let Some(share) = shares.get_mut(*term) {
                *share += 1.0;
            }
        }
        Self { lists, terms, rarities, shares, average_length }
    }

    /// The `wanted` best rows, best first. `length_of` says how many words a row has; a row that it
    /// does not know is left out.
    pub(super) fn best<E>(
        &self,
        wanted: usize,
        mut length_of: impl FnMut(i64) -> Result<Option<f64>, E>,
    ) -> Result<Vec<Scored>, E> {
        if wanted == 0 {
            return Ok(Vec::new());
        }
        let mut best: BinaryHeap<Reverse<Scored>> = BinaryHeap::new();
        let mut rests: Vec<&[Posting]> = self.lists.iter().map(Vec::as_slice).collect();
        let mut window = Window::new(self.lists.len());
        while let Some(first) = rests.iter().filter_map(|rest| Some(rest.first()?.row)).min() {
            window.clear();
            for (at, rest) in rests.iter_mut().enumerate() {
                self.pour(&mut window, at, rest, first);
            }
            for (slot, found) in window.rows() {
                // An older row goes before an equal one, and rows come by age.
                let least = match best.peek() {
                    Some(Reverse(last)) if best.len() >= wanted => last.score,
                    _ => f64::NEG_INFINITY,
                };
                if found.limit * ROUNDING <= least {
                    continue;
                }
                let row = first + i64::try_from(slot).unwrap_or(i64::MAX);
                let at_most = self.score(&window, slot, f64::from(found.words));
                let score = if found.is_exact {
                    at_most
                } else {
                    if at_most * ROUNDING <= least {
                        continue;
                    }
                    let Some(length) = length_of(row)? else { continue };
                    self.score(&window, slot, length)
                };
                if best.len() < wanted {
                    best.push(Reverse(Scored { row, score }));
                } else if score > least {
                    best.pop();
                    best.push(Reverse(Scored { row, score }));
                }
            }
        }
        Ok(best.into_sorted_vec().into_iter().map(|Reverse(scored)| scored).collect())
    }

    /// Takes what belongs to the window from the front of a list.
    fn pour(&self, window: &mut Window, at: usize, rest: &mut &[Posting], first: i64) {
        let end = first.saturating_add(i64::try_from(WINDOW).unwrap_or(i64::MAX));
        let here = rest.partition_point(|posting| posting.row < end);
        let (here, later) = rest.split_at(here);
        *rest = later;
        let gain = self.rarities.get(at).zip(self.shares.get(at)).map_or(0.0, |(r, s)| r * s);
        let gain = gain * (K1 + 1.0);
        let (base, per_word) = (K1 * (1.0 - B), K1 * B / self.average_length);
        let times = window.times.get_mut(at * WINDOW..(at + 1) * WINDOW).unwrap_or_default();
        for posting in here {
            let slot = usize::try_from(posting.row - first).unwrap_or(WINDOW);
            let (Some(times), Some(slot)) = (times.get_mut(slot), window.slots.get_mut(slot))
            else {
                continue;
            };
            *times = posting.times;
            let words = posting.length.least();
            let often = f64::from(posting.times);
            slot.limit += gain * often / (often + base + per_word * f64::from(words));
            slot.words = words.max(slot.words);
            slot.is_exact |= posting.length.is_exact();
        }
    }

    /// The score of a row of this length, term by term as FTS5 adds it up.
    fn score(&self, window: &Window, slot: usize, length: f64) -> f64 {
        let term = |at: &usize| {
            let times = window.times.get(at * WINDOW + slot).copied().unwrap_or_default();
            let rarity = self.rarities.get(*at).copied().unwrap_or_default();
            rarity * self.saturated(f64::from(times), length)
        };
        self.terms.iter().map(term).fold(0.0, |score, gained| score + gained)
    }

    fn saturated(&self, times: f64, length: f64) -> f64 {
        (times * (K1 + 1.0)) / (times + K1 * (1.0 - B + B * length / self.average_length))
    }
}

impl Window {
    fn new(lists: usize) -> Self {
        Self { times: vec![0.0; lists * WINDOW], slots: vec![Slot::default(); WINDOW] }
    }

    fn clear(&mut self) {
        self.times.fill(0.0);
        self.slots.fill(Slot::default());
    }

    /// The rows that some list has.
    fn rows(&self) -> impl Iterator<Item = (usize, Slot)> + '_ {
        self.slots.iter().copied().enumerate().filter(|(_, slot)| slot.words > 0)
    }
}

/// How much a term tells that so many of the rows have.
fn rarity(rows: f64, rows_with: f64) -> f64 {
    let rarity = ((rows - rows_with + 0.5) / (rows_with + 0.5)).ln();
    if rarity <= 0.0 { LEAST_RARITY } else { rarity }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::sqlite::postings::Length;

    /// Rows with, for each of three terms, how often they have it.
    fn lists(rows: &BTreeMap<i64, [u8; 3]>) -> Vec<Vec<Posting>> {
        let list = |term: usize| {
            let with = rows.iter().filter(|(_, times)| times[term] > 0);
            let posting = |(row, times): (&i64, &[u8; 3])| Posting {
                row: *row,
                times: f32::from(times[term]),
                // Of some rows it is known.
                length: if row % 2 == 0 {
                    Length::exactly(times.iter().map(|times| u32::from(*times)).sum::<u32>() + 3)
                } else {
                    Length::at_least(u32::from(times[term]))
                },
            };
            with.map(posting).collect()
        };
        (0..3).map(list).collect()
    }

    fn best(rows: &BTreeMap<i64, [u8; 3]>, wanted: usize) -> Vec<Scored> {
        let lists = lists(rows);
        let ranking = Ranking::new(&lists, &[0, 1, 2, 2], rows.len() as u64 * 4, 9.0);
        let length = |row: i64| {
            let words: u32 = rows[&row].iter().map(|times| u32::from(*times)).sum();
            Ok::<_, Infallible>(Some(f64::from(words) + 3.0))
        };
        ranking.best(wanted, length).unwrap()
    }

    proptest! {
        #[test]
        fn a_shorter_list_is_the_beginning_of_a_longer_one(
            rows in prop::collection::btree_map(0..20_000_i64, prop::array::uniform3(0..4_u8), 0..60),
            wanted in 0..20_usize,
        ) {
            let all = best(&rows, rows.len());
            let with_some = rows.values().filter(|times| times.iter().any(|it| *it > 0));
            prop_assert_eq!(all.len(), with_some.count());
            prop_assert!(all.is_sorted_by(|one, next| one > next));
            prop_assert_eq!(&best(&rows, wanted)[..], &all[..wanted.min(all.len())]);
        }
    }

    #[test]
    fn a_row_that_is_not_there_is_left_out() {
        let lists = vec![vec![
            Posting { row: 1, times: 1.0, length: Length::at_least(1) },
            Posting { row: 2, times: 1.0, length: Length::at_least(1) },
        ]];
        let ranking = Ranking::new(&lists, &[0], 10, 5.0);
        let length = |row| Ok::<_, Infallible>((row == 2).then_some(5.0));
        let rows: Vec<i64> = ranking.best(9, length).unwrap().iter().map(|it| it.row).collect();
        assert_eq!(rows, [2]);
    }
}
