//! What both rankings found, put together and ordered.

use std::collections::{BTreeMap, HashMap, HashSet};

use ancre_domain::{ChunkId, Hit, SearchMode};

use super::SearchRequest;
use super::sides::{BaseAnswer, Looked, Sides};
use crate::KnowledgeError;
use crate::fusion::{Evidence, NearnessScale, best_first};
use crate::lexical::PassageWords;

/// A model and its dimension: distances of one model can be compared.
type Model = (String, u32);

/// Everything that was found, not yet in order.
pub(super) struct Candidates {
    all: Vec<Candidate>,
    scales: BTreeMap<Model, NearnessScale>,
    mode: SearchMode,
}

struct Candidate {
    hit: Hit,
    model: Model,
    /// Whether its distance counts as evidence.
    is_near: bool,
    /// Whether the ranking by meaning has it.
    is_in_nearest: bool,
    /// Whether the ranking by words has it.
    is_in_words: bool,
    /// Its score by words, on the scale that all bases share.
    words: f64,
    /// What it has of the question's identifiers, where the question has some.
    identifiers: Option<f64>,
}

impl Candidates {
    /// Puts the answers of the bases together. What only the words found gets its real distance,
    /// what only the vectors found its real score by words.
    pub(super) fn gather(
        sides: &Sides<'_>,
        looked: &Looked,
        request: &SearchRequest,
    ) -> Result<Self, KnowledgeError> {
        let mut all = Vec::new();
        let mut distances: BTreeMap<Model, Vec<f64>> = BTreeMap::new();
        for answer in &looked.bases {
            let model = (answer.base.embedding_model_id.clone(), answer.base.embedding_dim);
            let near = distances.entry(model.clone()).or_default();
            near.extend(answer.nearest.iter().map(|hit| hit.distance));
            gather_base(sides, answer, looked.depth, request, &model, &mut all)?;
        }
        let scales = distances.into_iter().map(|(model, mut distances)| {
            distances.sort_by(f64::total_cmp);
            (model, NearnessScale::of(&distances))
        });
        Ok(Self { all, scales: scales.collect(), mode: request.mode })
    }

    /// The hits, best first, with their ranks and scores.
    pub(super) fn ranked(self) -> Vec<Hit> {
        let Self { mut all, scales, mode } = self;
        set_ranks(&mut all);
        let is_one_model = scales.len() <= 1;
        for candidate in &mut all {
            let Candidate { hit, words, identifiers, .. } = candidate;
            let nearness = match scales.get(&candidate.model) {
                Some(scale) if candidate.is_near => scale.scaled(hit.distance),
                _ => 0.0,
            };
            hit.score = match mode {
                SearchMode::Vector if is_one_model => 1.0 - hit.distance,
                _ => Evidence { nearness, words: *words, identifiers: *identifiers }.score(mode),
            };
        }
        let mut hits: Vec<Hit> = all.into_iter().map(|candidate| candidate.hit).collect();
        hits.sort_by(|one, other| best_first(key(one), key(other)));
        hits
    }
}

fn key(hit: &Hit) -> (f64, f64, &ChunkId) {
    (hit.score, hit.distance, &hit.chunk.id)
}

fn gather_base(
    sides: &Sides<'_>,
    answer: &BaseAnswer,
    depth: u32,
    request: &SearchRequest,
    model: &Model,
    all: &mut Vec<Candidate>,
) -> Result<(), KnowledgeError> {
    let words = &answer.words;
    let looked_at = &words.matches[..words.matches.len().min(depth as usize)];
    let in_words: HashSet<&ChunkId> = looked_at.iter().map(|found| &found.chunk_id).collect();
    let is_within = |hit: &Hit| request.max_distance.is_none_or(|limit| hit.distance <= limit);
    let near = answer.nearest.iter().filter(|hit| is_within(hit));
    let in_nearest: HashSet<&ChunkId> = near.clone().map(|hit| &hit.chunk.id).collect();

    let only_in_words: Vec<ChunkId> = looked_at
        .iter()
        .map(|found| found.chunk_id.clone())
        .filter(|id| !in_nearest.contains(id))
        .collect();
    let vector = answer.vector.as_deref();
    let others = if only_in_words.is_empty() {
        Vec::new()
    } else {
        sides.store.hits(sides.project, &answer.base.id, &only_in_words, vector)?
    };

    let scores: HashMap<&ChunkId, f64> =
        words.matches.iter().map(|found| (&found.chunk_id, found.score)).collect();
    let word_score = |hit: &Hit| match (&words.scale, scores.get(&hit.chunk.id)) {
        (Some(scale), Some(score)) => scale.scaled(*score),
        // Beyond the list; where the list is whole, it has no word of the question.
        (Some(scale), None) if words.is_cut => {
            let chunk = &hit.chunk;
            let heading = chunk.heading.as_deref();
            let passage = PassageWords::read(&hit.document_title, heading, &chunk.content);
            scale.score(sides.query, &passage)
        }
        _ => 0.0,
    };
    // Reading a passage takes longer than ranking it: only where a code has to be looked for.
    let has_identifiers = sides.query.terms.iter().any(|term| term.is_identifier);
    let identifiers = |hit: &Hit| {
        let scale = words.scale.as_ref().filter(|_| has_identifiers)?;
        let heading = hit.chunk.heading.as_deref();
        let passage = PassageWords::read(&hit.document_title, heading, &hit.chunk.content);
        scale.identifiers(sides.query, &passage)
    };
    for hit in near.cloned().chain(others) {
        all.push(Candidate {
            is_near: vector.is_some() && is_within(&hit),
            is_in_nearest: in_nearest.contains(&hit.chunk.id),
            is_in_words: in_words.contains(&hit.chunk.id),
            words: word_score(&hit),
            identifiers: identifiers(&hit),
            model: model.clone(),
            hit,
        });
    }
    Ok(())
}

/// Says of each hit at which place either ranking has it, over all bases.
fn set_ranks(all: &mut [Candidate]) {
    let mut order: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_in_nearest).collect();
    order.sort_by(|one, other| {
        let key = |at: usize| (0.0, all[at].hit.distance, &all[at].hit.chunk.id);
        best_first(key(*one), key(*other))
    });
    for (rank, at) in (1..).zip(order) {
        all[at].hit.vector_rank = Some(rank);
    }
    let mut order: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_in_words).collect();
    order.sort_by(|one, other| {
        let key = |at: usize| (all[at].words, 0.0, &all[at].hit.chunk.id);
        best_first(key(*one), key(*other))
    });
    for (rank, at) in (1..).zip(order) {
        all[at].hit.lexical_rank = Some(rank);
    }
    for candidate in all.iter_mut().filter(|candidate| candidate.words > 0.0) {
        candidate.hit.lexical_score = Some(candidate.words);
    }
}
