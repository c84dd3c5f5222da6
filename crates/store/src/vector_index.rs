//! A derived index of vectors for bases that have grown: a quantised first pass over all of them,
//! a finer second one over all windows of the chunks that the best belong to.
//!
//! It lives in memory and is made from the stored vectors, which stay the truth: whoever searches
//! compares the chunks found here with their stored vectors again, and is never wrong without
//! this index, only slower. It is flat, without a graph: building it is reading the vectors once,
//! taking a chunk away or adding one costs nothing, and its memory is known (a byte and a bit for
//! each number: 432 bytes for a vector of 384). What was weighed, and figures, stand in
//! `docs/decisions/0017-vector-index.md`. No SQL here: `sqlite/vector_indexes.rs` feeds it.

mod codes;
mod part;
mod scan;

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use codes::{CodedQuestion, Quantiser};
use part::{PART, Part};

/// Up to so many vectors are kept as they are beside their codes, and compared without loss.
const MOST_WHOLE: usize = 3 * 1_024;

/// How many vectors the mean is taken of.
pub(crate) const SAMPLE: usize = 20_000;

/// The least number of vectors that the second pass looks at; fewer than these are all looked at.
const MIN_CANDIDATES: usize = 4_000;

/// Of more vectors, the second pass looks at one in so many.
const CANDIDATE_SHARE: usize = 40;

/// For each chunk wanted, the second pass looks at as many vectors at least.
const CANDIDATES_PER_CHUNK: usize = 64;

/// From so many vectors on, the scan is divided between threads.
const DIVIDE_FROM: usize = 150_000;

/// The most threads of one search. Beyond two, memory is the limit on most machines.
const MAX_THREADS: usize = 4;

/// The index of the vectors of one table. A clone shares what it has with the original until one of
/// them changes, so an index can be changed beside searches in it.
#[derive(Debug, Clone)]
pub(crate) struct VectorIndex {
    quantiser: Arc<Quantiser>,
    /// In the order in which they were filled; each has a vector at least.
    parts: Vec<Arc<Part>>,
    /// How many vectors the parts have, with those that were taken away.
    total: usize,
    gone: usize,
    /// Whether the vectors are kept as they are: as long as they are few.
    is_whole: bool,
}

/// A chunk's id as a number.
pub(crate) type ChunkKey = u128;

/// A chunk that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The chunk.
    pub(crate) key: ChunkKey,
    /// About half the sum of the question's product with the chunk's best vector and the mean of
    /// its products with all of them.
    pub(crate) similarity: f32,
}

/// A chunk by its place, with its score. Places are by part, then by order in it.
type Scored = (f32, (usize, u32));

impl VectorIndex {
    /// An empty index for vectors like those of the `sample`, each of `dimension` numbers.
    pub(crate) fn of_sample(dimension: usize, sample: &[Vec<f32>]) -> Self {
        Self {
            quantiser: Arc::new(Quantiser::of_sample(dimension, sample)),
            parts: Vec::new(),
            total: 0,
            gone: 0,
            is_whole: true,
        }
    }

    /// How many vectors can be found.
    pub(crate) fn len(&self) -> usize {
        self.total - self.gone
    }

    /// Whether similarities are those of the vectors themselves, and all chunks are compared.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_whole
    }

    /// Adds the vectors of a chunk, in place of any that it had. Vectors of another dimension are
    /// left out.
    pub(crate) fn insert<'v>(
        &mut self,
        key: ChunkKey,
        vectors: impl IntoIterator<Item = &'v [f32]>,
    ) {
        self.remove(key);
        let is_full = self.parts.last().is_none_or(|part| part.len() >= PART);
        if is_full {
            // Small bases do not need the room of a whole part.
            let is_first = self.parts.is_empty();
            let part = if is_first { Part::default() } else { Part::with_room(&self.quantiser) };
            self.parts.push(Arc::new(part));
        }
        if let Some(part) = self.parts.last_mut() {
            let part = Arc::make_mut(part);
            self.total += part.insert(&self.quantiser, key, vectors, self.is_whole);
        }
        self.parts.pop_if(|part| part.len() == 0);
        if self.is_whole && self.total > MOST_WHOLE {
            self.is_whole = false;
            self.parts.iter_mut().for_each(|part| Arc::make_mut(part).drop_whole());
        }
    }

    /// Takes a chunk away.
    pub(crate) fn remove(&mut self, key: ChunkKey) {
        if let Some(part) = self.parts.iter_mut().find(|part| part.place(key).is_some()) {
            self.gone += Arc::make_mut(part).remove(key);
        }
    }

    /// The chunks that it has and `there` does not.
    pub(crate) fn keys_not_in(&self, there: &HashSet<ChunkKey>) -> Vec<ChunkKey> {
        let keys = self.parts.iter().flat_map(|part| part.chunks()).map(|(_, key)| key);
        keys.filter(|key| !there.contains(key)).collect()
    }

    /// Whether it has a chunk.
    pub(crate) fn has(&self, key: ChunkKey) -> bool {
        self.parts.iter().any(|part| part.place(key).is_some())
    }

    /// Whether so much was taken away that making the index anew is worth it.
    pub(crate) fn is_worn(&self) -> bool {
        self.gone > MIN_CANDIDATES && self.gone > self.total / 4
    }

    /// About the `k` chunks nearest to `question`, best first. Fewer when there are fewer, or when
    /// `question` is of another dimension.
    pub(crate) fn search(&self, question: &[f32], k: usize) -> Vec<Found> {
        if question.len() != self.quantiser.dimension() || k == 0 || self.parts.is_empty() {
            return Vec::new();
        }
        if self.is_whole {
            let scored = self.parts.iter().enumerate().flat_map(|(at, part)| {
                part.chunks().filter_map(move |(place, _)| {
                    Some((part.exact_score(place, question)?, (at, place)))
                })
            });
            return self.best_chunks(scored.collect(), k, 0.0);
        }
        let question = self.quantiser.question(question);
        let shares = self.shares();
        let wanted = self.candidates(k).div_ceil(shares.len().max(1));
        let scored = if let [(first, share)] = shares.as_slice() {
            score(&question, *first, share, wanted)
        } else {
            thread::scope(|scope| {
                let threads: Vec<_> = shares
                    .iter()
                    .map(|(first, share)| scope.spawn(|| score(&question, *first, share, wanted)))
                    .collect();
                let scored = threads.into_iter().filter_map(|thread| thread.join().ok());
                scored.flatten().collect()
            })
        };
        self.best_chunks(scored, k, question.offset)
    }

    /// About how similar a chunk is, as [`Found::similarity`]; `None` for one that is not here.
    pub(crate) fn similarities(&self, question: &[f32], keys: &[ChunkKey]) -> Vec<Option<f32>> {
        if question.len() != self.quantiser.dimension() {
            return vec![None; keys.len()];
        }
        let found = |key: &ChunkKey| {
            self.parts.iter().find_map(|part| Some((part.as_ref(), part.place(*key)?)))
        };
        if self.is_whole {
            let similarity = |key| found(key).and_then(|(part, at)| part.exact_score(at, question));
            return keys.iter().map(similarity).collect();
        }
        let question = self.quantiser.question(question);
        let mut products = Vec::new();
        let similarity = |key| {
            let (part, place) = found(key)?;
            Some(part.score(place, &question, &mut products)? + question.offset)
        };
        keys.iter().map(similarity).collect()
    }

    /// How many vectors the second pass looks at.
    fn candidates(&self, k: usize) -> usize {
        let wanted = MIN_CANDIDATES
            .max(self.total / CANDIDATE_SHARE)
            .max(k.saturating_mul(CANDIDATES_PER_CHUNK))
            .saturating_add(self.gone);
        wanted.min(self.total)
    }

    /// The parts divided between the threads of a search, each share with the place of its first.
    fn shares(&self) -> Vec<(usize, &[Arc<Part>])> {
        let threads = if self.total < DIVIDE_FROM {
            1
        } else {
            thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
        };
        let length = self.parts.len().div_ceil(threads).max(1);
        (0..).step_by(length).zip(self.parts.chunks(length)).collect()
    }

    /// The `k` best of scored chunks.
    fn best_chunks(&self, mut scored: Vec<Scored>, k: usize, offset: f32) -> Vec<Found> {
        let better =
            |one: &Scored, other: &Scored| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        if k < scored.len() {
            scored.select_nth_unstable_by(k, better);
            scored.truncate(k);
        }
        scored.sort_unstable_by(better);
        let found = scored.into_iter().filter_map(|(score, (part, place))| {
            let key = self.parts.get(part)?.key(place)?;
            Some(Found { key, similarity: score + offset })
        });
        found.collect()
    }
}

/// How similar a chunk with these vectors is to a question, as [`Found::similarity`] but exactly.
pub(crate) fn similarity<'v>(
    question: &[f32],
    vectors: impl IntoIterator<Item = &'v [f32]>,
) -> Option<f32> {
    let (mut best, mut sum, mut count) = (f32::MIN, 0.0, 0.0);
    for vector in vectors {
        let similarity = scan::similarity(question, vector);
        best = best.max(similarity);
        sum += similarity;
        count += 1.0;
    }
    (count > 0.0).then(|| f32::midpoint(best, sum / count))
}

/// The chunks of the vectors that pass the first look, about `wanted` vectors, each with its score
/// over all its windows. `first` is the place of the first part.
fn score(
    question: &CodedQuestion,
    first: usize,
    parts: &[Arc<Part>],
    wanted: usize,
) -> Vec<Scored> {
    let total = parts.iter().map(|part| part.len()).sum();
    let mut distances = Vec::with_capacity(total);
    for part in parts {
        part.differing_signs(question, &mut distances);
    }
    let limit = limit_for(&distances, question.numbers.len(), wanted);
    let mut scored = Vec::with_capacity(wanted);
    let mut products = Vec::new();
    let mut rest = distances.as_slice();
    for (at, part) in (first..).zip(parts) {
        let (of_part, later) = rest.split_at(part.len().min(rest.len()));
        rest = later;
        let near = of_part.iter().enumerate().filter(|(_, distance)| **distance <= limit);
        for place in part.owners(near.map(|(vector, _)| vector)) {
            let score = part.score(place, question, &mut products);
            scored.extend(score.map(|score| (score, (at, place))));
        }
    }
    scored
}

/// The distance up to which `wanted` of these lie, and those that are as far as the last of them.
fn limit_for(distances: &[u16], greatest: usize, wanted: usize) -> u16 {
    let mut counts = vec![0_usize; greatest + 1];
    for distance in distances {
        if let Some(count) = counts.get_mut(usize::from(*distance)) {
            *count += 1;
        }
    }
    let mut seen = 0;
    let limit = (0_u16..).zip(counts).find_map(|(distance, count)| {
        seen += count;
        (seen >= wanted).then_some(distance)
    });
    limit.unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
