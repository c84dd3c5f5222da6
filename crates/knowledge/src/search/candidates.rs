//! What both rankings found, put together and ordered.
//!
//! Only numbers are put together at first. A passage's text is read when it is to be shown, or when
//! something about it can only be told from its words; until then it stands in the order by what it
//! could score at most. So of hundreds that are looked at some tens are read, and the order is that
//! of reading them all.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::mem;

use ancre_domain::{ChunkId, Hit, SearchMode};
use ancre_store::traits::NearChunk;

use super::SearchRequest;
use super::sides::{BaseAnswer, Looked, Sides};
use crate::KnowledgeError;
use crate::fusion::{Evidence, NearnessScale, best_first};
use crate::lexical::PassageWords;

/// How many texts are read at once.
const BATCH: usize = 8;

/// A model and its dimension: distances of one model can be compared.
type Model = (String, u32);

/// Everything that was found, the best first.
pub(super) struct Candidates<'a> {
    sides: &'a Sides<'a>,
    bases: &'a [BaseAnswer],
    order: BinaryHeap<Candidate>,
    /// Whether all bases are of one model.
    is_one_model: bool,
    has_identifiers: bool,
}

/// A passage that was found.
#[derive(Debug)]
struct Candidate {
    /// The place of its base among those that were asked.
    base: usize,
    chunk: ChunkId,
    distance: f64,
    /// Where it lies on the scale of nearness; 0 without evidence of that kind.
    nearness: f64,
    /// Whether the ranking by meaning has it.
    is_in_nearest: bool,
    /// Whether the ranking by words has it.
    is_in_words: bool,
    /// Its score by words on the scale that all bases share; the most that it can be, as long as it
    /// is not known.
    words: f64,
    are_words_known: bool,
    /// What it has of the question's identifiers, where the question has some; 1 as long as
    /// `is_open`.
    identifiers: Option<f64>,
    /// Whether its text has to be read to tell its score.
    is_open: bool,
    /// What it scores, or at most when it `is_open`.
    score: f64,
    vector_rank: Option<u32>,
    lexical_rank: Option<u32>,
    hit: Option<Hit>,
}

impl<'a> Candidates<'a> {
    /// Puts the answers of the bases together. What only the words found gets its real distance,
    /// what only the vectors found its real score by words, once its text is read.
    pub(super) fn gather(
        sides: &'a Sides<'a>,
        looked: &'a Looked,
        request: &SearchRequest,
    ) -> Result<Self, KnowledgeError> {
        let mut distances: BTreeMap<Model, Vec<f64>> = BTreeMap::new();
        for answer in &looked.bases {
            let near = answer.nearest.iter().map(|near| near.distance);
            distances.entry(model(answer)).or_default().extend(near);
        }
        let scales: BTreeMap<Model, NearnessScale> = distances
            .into_iter()
            .map(|(model, mut distances)| {
                distances.sort_by(f64::total_cmp);
                (model, NearnessScale::of(&distances))
            })
            .collect();
        let mut found = Self {
            sides,
            bases: &looked.bases,
            order: BinaryHeap::new(),
            is_one_model: scales.len() <= 1,
            has_identifiers: sides.query.terms.iter().any(|term| term.is_identifier),
        };
        let mut all = Vec::new();
        for (base, answer) in looked.bases.iter().enumerate() {
            let scale = scales.get(&model(answer)).copied();
            found.gather_base(base, answer, looked.depth, request, scale, &mut all)?;
        }
        set_ranks(&mut all);
        for candidate in &mut all {
            candidate.score = found.score(candidate);
        }
        found.order = all.into();
        Ok(found)
    }

    /// The next best hit, with its ranks and scores.
    pub(super) fn next(&mut self) -> Result<Option<Hit>, KnowledgeError> {
        loop {
            let Some(mut best) = self.order.pop() else { return Ok(None) };
            if let (false, Some(mut hit)) = (best.is_open, best.hit.take()) {
                hit.distance = best.distance;
                hit.score = best.score;
                hit.vector_rank = best.vector_rank;
                hit.lexical_rank = best.lexical_rank;
                hit.lexical_score = (best.words > 0.0).then_some(best.words);
                return Ok(Some(hit));
            }
            self.read(best)?;
        }
    }

    fn gather_base(
        &self,
        base: usize,
        answer: &BaseAnswer,
        depth: u32,
        request: &SearchRequest,
        nearness: Option<NearnessScale>,
        all: &mut Vec<Candidate>,
    ) -> Result<(), KnowledgeError> {
        let words = &answer.words;
        let looked_at = &words.matches[..words.matches.len().min(depth as usize)];
        let in_words: HashSet<&ChunkId> = looked_at.iter().map(|found| &found.chunk_id).collect();
        let is_within = |distance: f64| request.max_distance.is_none_or(|limit| distance <= limit);
        let near = answer.nearest.iter().filter(|near| is_within(near.distance));
        let in_nearest: HashSet<&ChunkId> = near.clone().map(|near| &near.chunk_id).collect();

        let only_in_words =
            looked_at.iter().map(|found| &found.chunk_id).filter(|id| !in_nearest.contains(id));
        let others = self.with_distances(answer, only_in_words.cloned().collect())?;

        let scores: HashMap<&ChunkId, f64> =
            words.matches.iter().map(|found| (&found.chunk_id, found.score)).collect();
        let least = words.matches.last().map_or(0.0, |last| last.score);
        for NearChunk { chunk_id, distance } in near.cloned().chain(others) {
            let (score, is_known) = match (&words.scale, scores.get(&chunk_id)) {
                (Some(scale), Some(score)) => (scale.scaled(*score), true),
                // Beyond the list, so less than the last of it; where the list is whole, it has no
                // word of the question.
                (Some(scale), None) if words.is_cut => (scale.scaled(least), false),
                _ => (0.0, true),
            };
            let has_identifiers = self.has_identifiers && words.scale.is_some();
            let is_near = answer.vector.is_some() && is_within(distance);
            all.push(Candidate {
                base,
                nearness: nearness.filter(|_| is_near).map_or(0.0, |scale| scale.scaled(distance)),
                is_in_nearest: in_nearest.contains(&chunk_id),
                is_in_words: in_words.contains(&chunk_id),
                words: score,
                are_words_known: is_known,
                identifiers: has_identifiers.then_some(1.0),
                is_open: !is_known || has_identifiers,
                score: 0.0,
                vector_rank: None,
                lexical_rank: None,
                hit: None,
                chunk: chunk_id,
                distance,
            });
        }
        Ok(())
    }

    /// Chunks that the ranking by meaning does not have, with their real distances; the farthest
    /// where the question has no vector.
    fn with_distances(
        &self,
        answer: &BaseAnswer,
        chunks: Vec<ChunkId>,
    ) -> Result<Vec<NearChunk>, KnowledgeError> {
        /// The farthest that a passage can be.
        const FARTHEST: f64 = 2.0;
        let Some(vector) = &answer.vector else {
            let far = |chunk_id| NearChunk { chunk_id, distance: FARTHEST };
            return Ok(chunks.into_iter().map(far).collect());
        };
        if chunks.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.sides.store.distances(self.sides.project, &answer.base.id, &chunks, vector)?)
    }

    /// Reads the texts of `first` and of those that stand next, and puts them where they belong.
    /// What went meanwhile is left out.
    fn read(&mut self, first: Candidate) -> Result<(), KnowledgeError> {
        let base = first.base;
        let mut unread = vec![first];
        let mut others = Vec::new();
        while unread.len() + others.len() < BATCH {
            let Some(next) = self.order.pop() else { break };
            let is_unread = next.hit.is_none() && next.base == base;
            if is_unread { unread.push(next) } else { others.push(next) }
        }
        self.order.extend(others);
        let Some(answer) = self.bases.get(base) else { return Ok(()) };
        let ids: Vec<ChunkId> = unread.iter().map(|candidate| candidate.chunk.clone()).collect();
        let hits = self.sides.store.hits(self.sides.project, &answer.base.id, &ids, None)?;
        let mut hits: HashMap<ChunkId, Hit> =
            hits.into_iter().map(|hit| (hit.chunk.id.clone(), hit)).collect();
        for mut candidate in unread {
            let Some(hit) = hits.remove(&candidate.chunk) else { continue };
            if mem::take(&mut candidate.is_open) {
                self.settle(&mut candidate, answer, &hit);
            }
            candidate.hit = Some(hit);
            self.order.push(candidate);
        }
        Ok(())
    }

    /// Tells from its text what a candidate scores.
    fn settle(&self, candidate: &mut Candidate, answer: &BaseAnswer, hit: &Hit) {
        let Some(scale) = &answer.words.scale else { return };
        let query = self.sides.query;
        let heading = hit.chunk.heading.as_deref();
        let passage = PassageWords::read(&hit.document_title, heading, &hit.chunk.content);
        if !mem::replace(&mut candidate.are_words_known, true) {
            candidate.words = scale.score(query, &passage);
        }
        if self.has_identifiers {
            candidate.identifiers = scale.identifiers(query, &passage);
        }
        candidate.score = self.score(candidate);
    }

    fn score(&self, candidate: &Candidate) -> f64 {
        let Candidate { nearness, words, identifiers, .. } = *candidate;
        match self.sides.mode {
            SearchMode::Vector if self.is_one_model => 1.0 - candidate.distance,
            mode => Evidence { nearness, words, identifiers }.score(mode),
        }
    }
}

fn model(answer: &BaseAnswer) -> Model {
    (answer.base.embedding_model_id.clone(), answer.base.embedding_dim)
}

/// The best is the greatest.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |it: &Self| (it.score, it.distance);
        let ((score, distance), (other_score, other_distance)) = (key(self), key(other));
        let one = (score, distance, &self.chunk);
        best_first(one, (other_score, other_distance, &other.chunk)).reverse()
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// Says of each candidate at which place either ranking has it, over all bases.
fn set_ranks(all: &mut [Candidate]) {
    let mut nearest: Vec<&mut Candidate> =
        all.iter_mut().filter(|candidate| candidate.is_in_nearest).collect();
    nearest.sort_by(|one, other| {
        best_first((0.0, one.distance, &one.chunk), (0.0, other.distance, &other.chunk))
    });
    for (rank, candidate) in (1..).zip(nearest) {
        candidate.vector_rank = Some(rank);
    }
    let mut by_words: Vec<&mut Candidate> =
        all.iter_mut().filter(|candidate| candidate.is_in_words).collect();
    by_words.sort_by(|one, other| {
        best_first((one.words, 0.0, &one.chunk), (other.words, 0.0, &other.chunk))
    });
    for (rank, candidate) in (1..).zip(by_words) {
        candidate.lexical_rank = Some(rank);
    }
}
