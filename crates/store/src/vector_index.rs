//! A derived index of vectors for bases that have grown: a quantised first pass over all of them,
//! a finer second one over the best, and chunks by their best window as the answer.
//!
//! It lives in memory and is made from the stored vectors, which stay the truth: whoever searches
//! compares the chunks found here with their stored vectors again, and is never wrong without
//! this index, only slower. It is flat, without a graph: building it is reading the vectors once,
//! taking a chunk away or adding one costs nothing, and its memory is known (a byte and a bit for
//! each number: 432 bytes for a vector of 384). What was weighed, and figures, stand in
//! `docs/decisions/0015-vector-index.md`. No SQL here: `sqlite/vector_indexes.rs` feeds it.

mod codes;
mod scan;

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::ops::Range;
use std::thread;

use codes::{CodedQuestion, Quantiser};

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

/// Marks a vector whose chunk was taken away.
const GONE: u32 = u32::MAX;

/// The index of the vectors of one table.
#[derive(Debug)]
pub(crate) struct VectorIndex {
    quantiser: Quantiser,
    signs: Vec<u64>,
    codes: Vec<i8>,
    /// For each vector the size of a step of its codes.
    steps: Vec<f32>,
    /// For each vector its chunk's place in `chunks`, or [`GONE`].
    owners: Vec<u32>,
    chunks: Vec<IndexedVectors>,
    places: HashMap<ChunkKey, u32>,
    gone: usize,
}

/// A chunk's id as a number.
pub(crate) type ChunkKey = u128;

#[derive(Debug, Clone)]
struct IndexedVectors {
    key: ChunkKey,
    /// Its vectors: the first one's place, and how many follow one another.
    vectors: Range<u32>,
}

/// A chunk that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// The chunk.
    pub(crate) key: ChunkKey,
    /// About the product of the question with the chunk's best vector.
    pub(crate) similarity: f32,
}

impl VectorIndex {
    /// An empty index for vectors like those of the `sample`, each of `dimension` numbers.
    pub(crate) fn of_sample(dimension: usize, sample: &[Vec<f32>]) -> Self {
        Self {
            quantiser: Quantiser::of_sample(dimension, sample),
            signs: Vec::new(),
            codes: Vec::new(),
            steps: Vec::new(),
            owners: Vec::new(),
            chunks: Vec::new(),
            places: HashMap::new(),
            gone: 0,
        }
    }

    /// How many vectors can be found.
    pub(crate) fn len(&self) -> usize {
        self.owners.len() - self.gone
    }

    /// Adds the vectors of a chunk, in place of any that it had. Vectors of another dimension are
    /// left out.
    pub(crate) fn insert<'v>(
        &mut self,
        key: ChunkKey,
        vectors: impl IntoIterator<Item = &'v [f32]>,
    ) {
        self.remove(key);
        let (Ok(chunk), Ok(first)) =
            (u32::try_from(self.chunks.len()), u32::try_from(self.owners.len()))
        else {
            return;
        };
        let mut end = first;
        for vector in vectors {
            if vector.len() != self.quantiser.dimension() || end == GONE {
                continue;
            }
            let step = self.quantiser.encode(vector, &mut self.signs, &mut self.codes);
            self.steps.push(step);
            self.owners.push(chunk);
            end += 1;
        }
        if end > first {
            self.chunks.push(IndexedVectors { key, vectors: first..end });
            self.places.insert(key, chunk);
        }
    }

    /// Takes a chunk away.
    pub(crate) fn remove(&mut self, key: ChunkKey) {
        let Some(place) = self.places.remove(&key) else { return };
        let Some(chunk) = self.chunks.get(place as usize) else { return };
        let vectors = chunk.vectors.start as usize..chunk.vectors.end as usize;
        self.gone += vectors.len();
        if let Some(owners) = self.owners.get_mut(vectors) {
            owners.fill(GONE);
        }
    }

    /// Whether so much was taken away that making the index anew is worth it.
    pub(crate) fn is_worn(&self) -> bool {
        self.gone > MIN_CANDIDATES && self.gone > self.owners.len() / 4
    }

    /// About the `k` chunks nearest to `question`, best first. Fewer when there are fewer, or when
    /// `question` is of another dimension.
    pub(crate) fn search(&self, question: &[f32], k: usize) -> Vec<Found> {
        if question.len() != self.quantiser.dimension() || k == 0 || self.owners.is_empty() {
            return Vec::new();
        }
        let question = self.quantiser.question(question);
        let parts = self.parts();
        let wanted = self.candidates(k).div_ceil(parts.len());
        let mut scored = if let [part] = parts.as_slice() {
            self.score(&question, part.clone(), wanted)
        } else {
            thread::scope(|scope| {
                let threads: Vec<_> = parts
                    .into_iter()
                    .map(|part| scope.spawn(|| self.score(&question, part, wanted)))
                    .collect();
                let scored = threads.into_iter().filter_map(|thread| thread.join().ok());
                scored.flatten().collect()
            })
        };
        self.best_chunks(&mut scored, k, question.offset)
    }

    /// How many vectors the second pass looks at.
    fn candidates(&self, k: usize) -> usize {
        let count = self.owners.len();
        let wanted = MIN_CANDIDATES
            .max(count / CANDIDATE_SHARE)
            .max(k.saturating_mul(CANDIDATES_PER_CHUNK))
            .saturating_add(self.gone);
        wanted.min(count)
    }

    fn parts(&self) -> Vec<Range<usize>> {
        let count = self.owners.len();
        let threads = if count < DIVIDE_FROM {
            1
        } else {
            thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
        };
        let length = count.div_ceil(threads).max(1);
        (0..count).step_by(length).map(|begin| begin..(begin + length).min(count)).collect()
    }

    /// The vectors of a part that pass the first look, about `wanted` of them, with their scores.
    fn score(
        &self,
        question: &CodedQuestion,
        part: Range<usize>,
        wanted: usize,
    ) -> Vec<(f32, u32)> {
        let places = self.first_look(question, part, wanted);
        let mut scored = Vec::with_capacity(places.len());
        scan::products(&question.numbers, &self.codes, &places, |place, product| {
            let step = self.steps.get(place as usize).copied().unwrap_or_default();
            #[expect(clippy::cast_precision_loss, reason = "a score, compared and not counted")]
            scored.push((product as f32 * step * question.step, place));
        });
        scored
    }

    /// The places of the vectors of which the fewest signs differ from the question's: as many as
    /// are wanted, and those that differ as little as the last of them.
    fn first_look(&self, question: &CodedQuestion, part: Range<usize>, wanted: usize) -> Vec<u32> {
        let is_alive = |place: &u32| self.owners.get(*place as usize) != Some(&GONE);
        let all = u32::try_from(part.start).unwrap_or(GONE)..u32::try_from(part.end).unwrap_or(GONE);
        if wanted >= part.len() {
            return all.filter(is_alive).collect();
        }
        let words = self.quantiser.words();
        let Some(signs) = self.signs.get(part.start * words..part.end * words) else {
            return Vec::new();
        };
        let mut distances = vec![0; part.len()];
        scan::differing_signs(&question.signs, signs, &mut distances);
        let mut counts = vec![0_usize; self.quantiser.dimension() + 1];
        for distance in &distances {
            if let Some(count) = counts.get_mut(usize::from(*distance)) {
                *count += 1;
            }
        }
        let mut seen = 0;
        let limit = counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        let limit = limit.unwrap_or(counts.len());
        let near = all.zip(distances).filter(|(_, distance)| usize::from(*distance) <= limit);
        near.map(|(place, _)| place).filter(is_alive).collect()
    }

    /// The `k` best chunks of scored vectors.
    fn best_chunks(&self, scored: &mut Vec<(f32, u32)>, k: usize, offset: f32) -> Vec<Found> {
        // Each chunk may bring several vectors: sorting a few times as many as chunks are wanted is
        // enough nearly always; where it is not, the rest is sorted too.
        let better = |one: &(f32, u32), other: &(f32, u32)| {
            other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
        };
        let mut sorted = 0;
        let mut found: Vec<Found> = Vec::with_capacity(k.min(scored.len()));
        let mut taken = HashSet::new();
        while sorted < scored.len() && found.len() < k {
            let rest = scored.split_at_mut(sorted).1;
            let piece = (k - found.len()).saturating_mul(4).clamp(64, rest.len().max(64));
            if piece < rest.len() {
                rest.select_nth_unstable_by(piece, better);
            }
            let piece = piece.min(rest.len());
            let Some(best) = rest.get_mut(..piece) else { break };
            best.sort_unstable_by(better);
            for (score, place) in best.iter() {
                let owner = self.owners.get(*place as usize).copied().unwrap_or(GONE);
                let Some(chunk) = self.chunks.get(owner as usize) else { continue };
                if found.len() < k && taken.insert(owner) {
                    found.push(Found { key: chunk.key, similarity: score + offset });
                }
            }
            sorted += piece;
        }
        found
    }
}

#[cfg(test)]
mod tests;
