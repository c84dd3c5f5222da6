//! Asking both rankings of every base, at the same time.
//!
//! The words run on a thread of their own while the question is embedded and the vectors are
//! compared, so a search takes as long as its slower side.

use std::collections::HashMap;
use std::panic;
use std::sync::Arc;
use std::thread;

use ancre_domain::{IndexHealth, KnowledgeBase, ProjectId, SearchMode};
use ancre_store::traits::{LexicalMatch, LexicalWeights, NearChunk, Store};

use super::{IndexGap, MissingIndex, QueryEmbedder, is_index_missing};
use crate::KnowledgeError;
use crate::lexical::{LexicalScale, Query};

/// How a title's and a heading's words count beside the text's: alike, as measured.
const WEIGHTS: LexicalWeights = LexicalWeights { title: 1.0, heading: 1.0, body: 1.0 };

/// The ranking by words is asked for so many times more passages than are looked at: their scores
/// are then known for most of what the vectors found.
const MORE_WORDS: u32 = 4;

/// Where a search stops looking deeper for passages that do not say the same as others.
const DEEPEST: u32 = 40_000;

/// What is asked.
pub(super) struct Sides<'a> {
    pub store: &'a dyn Store,
    pub embedder: Option<&'a dyn QueryEmbedder>,
    pub project: &'a ProjectId,
    /// The question, folded for the model.
    pub text: &'a str,
    pub query: &'a Query,
    pub mode: SearchMode,
}

/// What the bases answered.
pub(super) struct Looked {
    pub bases: Vec<BaseAnswer>,
    /// How many passages of each ranking are looked at.
    pub depth: u32,
}

/// What one base answered.
pub(super) struct BaseAnswer {
    pub base: KnowledgeBase,
    /// The vector of the question by the base's model, where the base can be asked with it.
    pub vector: Option<Arc<[f32]>>,
    /// The nearest passages, nearest first.
    pub nearest: Vec<NearChunk>,
    /// The best passages by words, best first.
    pub words: WordRanking,
    missing: Option<MissingIndex>,
}

/// The ranking by words of one base.
#[derive(Default)]
pub(super) struct WordRanking {
    pub matches: Vec<LexicalMatch>,
    /// `None` where no words were asked.
    pub scale: Option<LexicalScale>,
    /// Whether passages beyond the list may have words of the question too.
    pub is_cut: bool,
    is_missing: bool,
}

/// The ranking by meaning of one base.
struct Nearness {
    vector: Option<Arc<[f32]>>,
    nearest: Vec<NearChunk>,
    is_missing: bool,
}

impl Sides<'_> {
    /// Asks every base for `depth` passages of each ranking.
    pub(super) fn ask(
        &self,
        bases: Vec<KnowledgeBase>,
        depth: u32,
        max_distance: Option<f64>,
    ) -> Result<Looked, KnowledgeError> {
        let (nearness, words) = thread::scope(|scope| {
            let words = scope.spawn(|| self.words(&bases, depth));
            let nearness = self.nearness(&bases, depth, max_distance);
            (nearness, words.join().unwrap_or_else(|cause| panic::resume_unwind(cause)))
        });
        let (nearness, words) = (nearness?, words?);
        let answers = bases.into_iter().zip(nearness).zip(words).map(|((base, near), words)| {
            let missing = if near.is_missing {
                Some(MissingIndex::Vectors)
            } else {
                words.is_missing.then_some(MissingIndex::Words)
            };
            BaseAnswer { base, vector: near.vector, nearest: near.nearest, words, missing }
        });
        Ok(Looked { bases: answers.collect(), depth })
    }

    /// Asks the same bases for more.
    pub(super) fn ask_deeper(
        &self,
        looked: Looked,
        max_distance: Option<f64>,
    ) -> Result<Looked, KnowledgeError> {
        let bases = looked.bases.into_iter().map(|answer| answer.base).collect();
        self.ask(bases, looked.depth.saturating_mul(8).min(DEEPEST), max_distance)
    }

    fn words(
        &self,
        bases: &[KnowledgeBase],
        depth: u32,
    ) -> Result<Vec<WordRanking>, KnowledgeError> {
        if self.mode == SearchMode::Vector || self.query.is_empty() {
            return Ok(bases.iter().map(|_| WordRanking::default()).collect());
        }
        let query = self.query.lexical_query();
        let limit = depth.saturating_mul(MORE_WORDS);
        let ranking = |base: &KnowledgeBase| {
            let found = self.store.lexical(self.project, &base.id, &query, WEIGHTS, limit)?;
            if found.matches.is_empty() {
                let health = self.store.index_health(self.project, &base.id)?;
                let is_missing = health == IndexHealth::NoTextIndex;
                return Ok(WordRanking { is_missing, ..WordRanking::default() });
            }
            Ok(WordRanking {
                is_cut: found.matches.len() >= limit as usize,
                scale: Some(LexicalScale::new(&found.statistics)),
                matches: found.matches,
                is_missing: false,
            })
        };
        bases.iter().map(ranking).collect()
    }

    fn nearness(
        &self,
        bases: &[KnowledgeBase],
        depth: u32,
        max_distance: Option<f64>,
    ) -> Result<Vec<Nearness>, KnowledgeError> {
        let mut vectors: HashMap<(&str, u32), Arc<[f32]>> = HashMap::new();
        let mut answers = Vec::with_capacity(bases.len());
        for base in bases {
            let Some(embedder) = self.embedder else {
                answers.push(Nearness { vector: None, nearest: Vec::new(), is_missing: false });
                continue;
            };
            let model = (base.embedding_model_id.as_str(), base.embedding_dim);
            let vector = match vectors.get(&model) {
                Some(vector) => Arc::clone(vector),
                None => Arc::from(embedder.embed_for(base, self.text)?),
            };
            vectors.insert(model, Arc::clone(&vector));
            answers.push(self.nearest(base, vector, depth, max_distance)?);
        }
        Ok(answers)
    }

    fn nearest(
        &self,
        base: &KnowledgeBase,
        vector: Arc<[f32]>,
        depth: u32,
        max_distance: Option<f64>,
    ) -> Result<Nearness, KnowledgeError> {
        // In a hybrid search the limit is drawn afterwards, since the scale of nearness must not
        // depend on it.
        let (k, limit) = match self.mode {
            SearchMode::Hybrid => (depth, None),
            SearchMode::Vector => (depth, max_distance),
            SearchMode::Text => (0, None),
        };
        let found = self.store.nearest_chunks(self.project, &base.id, &vector, k, limit);
        match found.map_err(KnowledgeError::from) {
            Ok(nearest) => Ok(Nearness { vector: Some(vector), nearest, is_missing: false }),
            Err(error) if is_index_missing(&error) && self.mode != SearchMode::Vector => {
                Ok(Nearness { vector: None, nearest: Vec::new(), is_missing: true })
            }
            Err(error) => Err(error),
        }
    }
}

impl Looked {
    /// Whether no base has more to give.
    pub(super) fn is_exhausted(&self) -> bool {
        let depth = self.depth as usize;
        let has_more = |answer: &BaseAnswer| {
            answer.nearest.len() >= depth || answer.words.matches.len() > depth
        };
        self.depth >= DEEPEST || !self.bases.iter().any(has_more)
    }

    pub(super) fn gaps(&self) -> Vec<IndexGap> {
        let gap = |answer: &BaseAnswer| {
            Some(IndexGap {
                kb_id: answer.base.id.clone(),
                kb_name: answer.base.name.clone(),
                missing: answer.missing?,
            })
        };
        self.bases.iter().filter_map(gap).collect()
    }
}
