//! A part of an index: some thousand vectors with their codes.
//!
//! Parts are what makes changing an index cheap beside searches that go on reading it: a copy of an
//! index shares all parts, and only the part that changes is copied. What was taken away is noted
//! beside the codes, so deleting never copies them. Parts never move in memory, so a large index
//! grows without being copied from one place to a larger one.

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::ChunkKey;
use super::codes::{CodedQuestion, Quantiser};
use super::scan;

/// How many vectors fill a part; the windows of its last chunk may go beyond.
pub(super) const PART: usize = 8 * 1_024;

/// Room for the windows of the last chunk of a part.
const SLACK: usize = 64;

/// Marks a vector whose chunk was taken away.
const GONE: u32 = u32::MAX;

/// Some vectors of an index.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    codes: Arc<Codes>,
    /// For each vector its chunk's place in the codes' `chunks`, or [`GONE`].
    owners: Vec<u32>,
}

/// What does not change when something is taken away.
#[derive(Debug, Clone, Default)]
struct Codes {
    signs: Vec<u64>,
    numbers: Vec<i8>,
    /// For each vector the size of a step of its numbers.
    steps: Vec<f32>,
    chunks: Vec<IndexedVectors>,
    /// Where the chunks stand in `chunks`, also those that were taken away.
    places: HashMap<ChunkKey, u32>,
    /// From the least to the greatest key: ids begin with the time, so most parts need not be asked
    /// for a chunk.
    keys: Option<RangeInclusive<ChunkKey>>,
    /// The vectors as they are, as long as the index has few.
    whole: Vec<f32>,
}

#[derive(Debug, Clone)]
struct IndexedVectors {
    key: ChunkKey,
    /// Its vectors: the first one's place, and how many follow one another.
    vectors: Range<u32>,
}

impl Part {
    /// An empty part that will be filled.
    pub(super) fn with_room(quantiser: &Quantiser) -> Self {
        let room = PART + SLACK;
        let codes = Codes {
            signs: Vec::with_capacity(room * quantiser.words()),
            numbers: Vec::with_capacity(room * quantiser.dimension()),
            steps: Vec::with_capacity(room),
            ..Codes::default()
        };
        Self { codes: Arc::new(codes), owners: Vec::with_capacity(room) }
    }

    /// How many vectors it has, with those that were taken away.
    pub(super) fn len(&self) -> usize {
        self.owners.len()
    }

    /// Adds the vectors of a chunk that is not there; says how many. Vectors of another dimension
    /// are left out.
    pub(super) fn insert<'v>(
        &mut self,
        quantiser: &Quantiser,
        key: ChunkKey,
        vectors: impl IntoIterator<Item = &'v [f32]>,
        are_kept_whole: bool,
    ) -> usize {
        let codes = Arc::make_mut(&mut self.codes);
        let (Ok(chunk), Ok(first)) =
            (u32::try_from(codes.chunks.len()), u32::try_from(self.owners.len()))
        else {
            return 0;
        };
        let mut end = first;
        for vector in vectors {
            if vector.len() != quantiser.dimension() || end == GONE {
                continue;
            }
            let step = quantiser.encode(vector, &mut codes.signs, &mut codes.numbers);
            codes.steps.push(step);
            if are_kept_whole {
                codes.whole.extend_from_slice(vector);
            }
            self.owners.push(chunk);
            end += 1;
        }
        if end > first {
            codes.chunks.push(IndexedVectors { key, vectors: first..end });
            codes.places.insert(key, chunk);
            codes.keys = Some(match &codes.keys {
                Some(keys) => key.min(*keys.start())..=key.max(*keys.end()),
                None => key..=key,
            });
        }
        (end - first) as usize
    }

    /// Forgets the vectors as they are.
    pub(super) fn drop_whole(&mut self) {
        Arc::make_mut(&mut self.codes).whole = Vec::new();
    }

    /// Takes a chunk away; says how many vectors went.
    pub(super) fn remove(&mut self, key: ChunkKey) -> usize {
        let Some(place) = self.place(key) else { return 0 };
        let Some(chunk) = self.codes.chunks.get(place as usize) else { return 0 };
        let vectors = chunk.vectors.start as usize..chunk.vectors.end as usize;
        if let Some(owners) = self.owners.get_mut(vectors.clone()) {
            owners.fill(GONE);
        }
        vectors.len()
    }

    /// The place of a chunk, if it is there.
    pub(super) fn place(&self, key: ChunkKey) -> Option<u32> {
        if !self.codes.keys.as_ref()?.contains(&key) {
            return None;
        }
        let place = *self.codes.places.get(&key)?;
        self.is_there(place).then_some(place)
    }

    /// The key of the chunk at a place.
    pub(super) fn key(&self, place: u32) -> Option<ChunkKey> {
        self.codes.chunks.get(place as usize).map(|chunk| chunk.key)
    }

    /// Every chunk that is there: its place and its key.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u32, ChunkKey)> + '_ {
        let chunks = (0..).zip(&self.codes.chunks);
        chunks.filter(|(place, _)| self.is_there(*place)).map(|(place, chunk)| (place, chunk.key))
    }

    fn is_there(&self, place: u32) -> bool {
        let chunk = self.codes.chunks.get(place as usize);
        let first = chunk.and_then(|chunk| self.owners.get(chunk.vectors.start as usize));
        first == Some(&place)
    }

    /// Appends for each vector how many of its signs differ from the question's.
    pub(super) fn differing_signs(&self, question: &CodedQuestion, distances: &mut Vec<u16>) {
        let before = distances.len();
        distances.resize(before + self.owners.len(), 0);
        if let Some(distances) = distances.get_mut(before..) {
            scan::differing_signs(&question.signs, &self.codes.signs, distances);
        }
    }

    /// The chunks of these vectors; each once, if the vectors stand in order.
    pub(super) fn owners(&self, vectors: impl Iterator<Item = usize>) -> Vec<u32> {
        let owners = vectors.filter_map(|vector| self.owners.get(vector)).copied();
        let mut owners: Vec<u32> = owners.filter(|owner| *owner != GONE).collect();
        // The vectors of a chunk follow one another.
        owners.dedup();
        owners
    }

    /// Half the best product of a chunk's windows and half the mean of all, less the part that all
    /// vectors share. `products` is room that is used again.
    pub(super) fn score(
        &self,
        place: u32,
        question: &CodedQuestion,
        products: &mut Vec<i32>,
    ) -> Option<f32> {
        let vectors = self.codes.chunks.get(place as usize)?.vectors.clone();
        products.clear();
        let steps = self.codes.steps.get(vectors.start as usize..)?;
        scan::products(&question.numbers, &self.codes.numbers, vectors, products);
        let (mut best, mut sum) = (f32::MIN, 0.0);
        for (product, step) in products.iter().zip(steps) {
            #[expect(clippy::cast_precision_loss, reason = "a score, compared and not counted")]
            let product = *product as f32 * step;
            best = best.max(product);
            sum += product;
        }
        #[expect(clippy::cast_precision_loss, reason = "the windows of one chunk")]
        let mean = sum / products.len().max(1) as f32;
        Some(f32::midpoint(best, mean) * question.step)
    }

    /// The same from the vectors as they are, with the part that all share.
    pub(super) fn exact_score(&self, place: u32, question: &[f32]) -> Option<f32> {
        let dimension = question.len().max(1);
        let vectors = self.codes.chunks.get(place as usize)?.vectors.clone();
        let vectors = vectors.start as usize * dimension..vectors.end as usize * dimension;
        super::similarity(question, self.codes.whole.get(vectors)?.chunks_exact(dimension))
    }
}
