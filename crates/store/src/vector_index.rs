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
mod scan;

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::ops::Range;
use std::thread;

use codes::{CodedQuestion, Quantiser};

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
    /// The vectors as they are, as long as they are few.
    whole: Option<Vec<f32>>,
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
    /// About half the sum of the question's product with the chunk's best vector and the mean of
    /// its products with all of them.
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
            whole: Some(Vec::new()),
        }
    }

    /// How many vectors can be found.
    pub(crate) fn len(&self) -> usize {
        self.owners.len() - self.gone
    }

    /// Whether similarities are those of the vectors themselves, and all chunks are compared.
    pub(crate) fn is_exact(&self) -> bool {
        self.whole.is_some()
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
            if let Some(whole) = &mut self.whole {
                whole.extend_from_slice(vector);
            }
            self.steps.push(step);
            self.owners.push(chunk);
            end += 1;
        }
        if end > first {
            self.chunks.push(IndexedVectors { key, vectors: first..end });
            self.places.insert(key, chunk);
        }
        if self.owners.len() > MOST_WHOLE {
            self.whole = None;
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

    /// The chunks that it has and `there` does not.
    pub(crate) fn keys_not_in(&self, there: &HashSet<ChunkKey>) -> Vec<ChunkKey> {
        self.places.keys().copied().filter(|key| !there.contains(key)).collect()
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
        if let Some(whole) = &self.whole {
            let alive = self.places.values().copied();
            let score = |owner| {
                let chunk = self.chunks.get(owner as usize)?;
                Some((self.exact_score_of(chunk, question, whole), owner))
            };
            let mut scored = alive.filter_map(score).collect();
            return self.best_chunks(&mut scored, k, 0.0);
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

    /// About how similar a chunk is, as [`Found::similarity`]; `None` for one that is not here.
    pub(crate) fn similarities(&self, question: &[f32], keys: &[ChunkKey]) -> Vec<Option<f32>> {
        if question.len() != self.quantiser.dimension() {
            return vec![None; keys.len()];
        }
        if let Some(whole) = &self.whole {
            let similarity = |key: &ChunkKey| {
                let chunk = self.chunks.get(*self.places.get(key)? as usize)?;
                Some(self.exact_score_of(chunk, question, whole))
            };
            return keys.iter().map(similarity).collect();
        }
        let question = self.quantiser.question(question);
        let mut products = Vec::new();
        let mut similarity = |key: &ChunkKey| {
            let chunk = self.chunks.get(*self.places.get(key)? as usize)?;
            Some(self.score_of(chunk, &question, &mut products) + question.offset)
        };
        keys.iter().map(&mut similarity).collect()
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

    /// The chunks of the vectors of a part that pass the first look, about `wanted` vectors, each
    /// with its score over all its windows.
    fn score(
        &self,
        question: &CodedQuestion,
        part: Range<usize>,
        wanted: usize,
    ) -> Vec<(f32, u32)> {
        let places = self.first_look(question, part, wanted);
        let mut owners: Vec<u32> =
            places.iter().filter_map(|place| self.owners.get(*place as usize)).copied().collect();
        // The vectors of a chunk follow one another.
        owners.dedup();
        let mut scored = Vec::with_capacity(owners.len());
        let mut products = Vec::new();
        for owner in owners {
            let Some(chunk) = self.chunks.get(owner as usize) else { continue };
            scored.push((self.score_of(chunk, question, &mut products), owner));
        }
        scored
    }

    /// Half the best product of a chunk's windows and half the mean of all, less the part that all
    /// vectors share. `products` is room that is used again.
    fn score_of(
        &self,
        chunk: &IndexedVectors,
        question: &CodedQuestion,
        products: &mut Vec<i32>,
    ) -> f32 {
        products.clear();
        scan::products(&question.numbers, &self.codes, chunk.vectors.clone(), products);
        let steps = self.steps.get(chunk.vectors.start as usize..).unwrap_or_default();
        let (mut best, mut sum) = (f32::MIN, 0.0);
        for (product, step) in products.iter().zip(steps) {
            #[expect(clippy::cast_precision_loss, reason = "a score, compared and not counted")]
            let product = *product as f32 * step;
            best = best.max(product);
            sum += product;
        }
        #[expect(clippy::cast_precision_loss, reason = "the windows of one chunk")]
        let mean = sum / products.len().max(1) as f32;
        f32::midpoint(best, mean) * question.step
    }

    /// The same from the vectors as they are.
    fn exact_score_of(&self, chunk: &IndexedVectors, question: &[f32], whole: &[f32]) -> f32 {
        let dimension = self.quantiser.dimension();
        let vectors =
            chunk.vectors.start as usize * dimension..chunk.vectors.end as usize * dimension;
        let vectors = whole.get(vectors).unwrap_or_default().chunks_exact(dimension.max(1));
        let (mut best, mut sum, mut count) = (f32::MIN, 0.0, 0.0);
        for vector in vectors {
            let similarity = scan::similarity(question, vector);
            best = best.max(similarity);
            sum += similarity;
            count += 1.0;
        }
        f32::midpoint(best, sum / f32::max(count, 1.0))
    }

    /// The places of the vectors of which the fewest signs differ from the question's: as many as
    /// are wanted, and those that differ as little as the last of them.
    fn first_look(&self, question: &CodedQuestion, part: Range<usize>, wanted: usize) -> Vec<u32> {
        let is_alive = |place: &u32| self.owners.get(*place as usize) != Some(&GONE);
        let all =
            u32::try_from(part.start).unwrap_or(GONE)..u32::try_from(part.end).unwrap_or(GONE);
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

    /// The `k` best of scored chunks; one that lies in two parts is scored twice.
    fn best_chunks(&self, scored: &mut Vec<(f32, u32)>, k: usize, offset: f32) -> Vec<Found> {
        let better = |one: &(f32, u32), other: &(f32, u32)| {
            other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
        };
        let wanted = k.saturating_add(MAX_THREADS);
        if wanted < scored.len() {
            scored.select_nth_unstable_by(wanted, better);
            scored.truncate(wanted);
        }
        scored.sort_unstable_by(better);
        scored.dedup_by_key(|(_, owner)| *owner);
        scored.truncate(k);
        let found = scored.iter().filter_map(|(score, owner)| {
            let key = self.chunks.get(*owner as usize)?.key;
            Some(Found { key, similarity: score + offset })
        });
        found.collect()
    }
}

#[cfg(test)]
mod tests;
