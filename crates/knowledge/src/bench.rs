//! Measuring a base with questions of which the answers are known.
//!
//! Each question is searched exactly as an agent's is; the measures are those of
//! [`crate::evaluation`], over documents ranked by their best passage. A question that nothing in
//! the base answers is refused rightly when nothing that was found is sufficient evidence
//! ([`is_sufficient`]). A run that is stopped is not kept.

mod import;

use std::collections::HashMap;

use ancre_domain::{
    BenchFigures, BenchHit, BenchResult, BenchRun, BenchRunId, BenchSettings, Cancellation,
    CharRange, Clock, ExpectedPassage, Hit, KnowledgeBaseId, PageRequest, ProjectId, Question,
};
use ancre_store::traits::Store;

use crate::KnowledgeError;
use crate::evaluation::{Judgements, ndcg_at, rank_documents, recall_at, reciprocal_rank};
use crate::search::{QueryEmbedder, Reranking, SearchRequest, search_and_rerank};

pub use self::import::{ImportedQuestions, SkippedLine, SkippedReason, import_questions};

/// How many passages are looked at, so that ten documents are among them where they are there.
const LOOKED_AT: u32 = 30;

/// How many documents of each result are kept.
const KEPT_DOCUMENTS: usize = 10;

/// What a measurement works with.
pub struct Bench<'a> {
    /// Where base and questions are.
    pub store: &'a dyn Store,
    /// Embeds the questions; not needed for a measurement by words.
    pub embedder: Option<&'a dyn QueryEmbedder>,
    /// Puts the best in order, if the settings say so.
    pub reranking: Option<&'a Reranking>,
    /// Tells when it was.
    pub clock: &'a dyn Clock,
}

impl Bench<'_> {
    /// Asks every question of a base and keeps what came of it. `on_question` hears how many are
    /// done, of how many.
    ///
    /// # Errors
    ///
    /// [`KnowledgeError::NoQuestions`], [`KnowledgeError::Cancelled`], and those of a search.
    pub fn run(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        settings: BenchSettings,
        cancellation: &Cancellation,
        on_question: &mut dyn FnMut(u32, u32),
    ) -> Result<BenchRun, KnowledgeError> {
        let questions = self.questions(project, kb)?;
        let total = u32::try_from(questions.len()).unwrap_or(u32::MAX);
        if questions.is_empty() {
            return Err(KnowledgeError::NoQuestions);
        }
        let mut asked = Vec::with_capacity(questions.len());
        for (done, question) in (1..).zip(&questions) {
            if cancellation.is_cancelled() {
                return Err(KnowledgeError::Cancelled);
            }
            let hits = self.hits(project, question, settings)?;
            asked.push(measure(question, &hits, settings.top_k));
            on_question(done, total);
        }
        let now = self.clock.now();
        let run = BenchRun {
            id: BenchRunId::generate(now),
            kb_id: kb.clone(),
            settings,
            figures: figures(&asked),
            results: asked.into_iter().map(|asked| asked.result).collect(),
            created_at: now,
        };
        self.store.store_bench_run(project, &run)?;
        Ok(run)
    }

    fn questions(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Vec<Question>, KnowledgeError> {
        let mut questions = Vec::new();
        loop {
            let offset = u32::try_from(questions.len()).unwrap_or(u32::MAX);
            let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
            let page = self.store.list_questions(project, kb, page)?;
            let is_last = page.items.is_empty();
            questions.extend(page.items);
            if is_last || questions.len() >= page.total as usize {
                return Ok(questions);
            }
        }
    }

    fn hits(
        &self,
        project: &ProjectId,
        question: &Question,
        settings: BenchSettings,
    ) -> Result<Vec<Hit>, KnowledgeError> {
        let request = SearchRequest {
            query: question.text.clone(),
            kb_ids: vec![question.kb_id.clone()],
            top_k: settings.top_k.max(LOOKED_AT),
            max_distance: settings.max_distance,
            mode: settings.mode,
        };
        let reranking = self.reranking.filter(|_| settings.rerank);
        Ok(search_and_rerank(self.store, self.embedder, project, &request, reranking)?.hits)
    }
}

/// Whether a passage is sufficient evidence that the base answers the question.
///
/// Distances of one model crowd together and words alone mislead, so both are weighed, in a logistic
/// rule fitted on the development set (best passage of questions with and without their documents;
/// `docs/decisions/0014-fusion.md`). Where a distance is not known it says nothing for the passage.
pub fn is_sufficient(hit: &Hit) -> bool {
    const CONSTANT: f64 = 3.96;
    const DISTANCE: f64 = 38.0;
    let words = hit.lexical_score.unwrap_or_default();
    CONSTANT - DISTANCE * hit.distance + words > 0.0
}

/// A question, measured.
struct Asked {
    result: BenchResult,
    must_refuse: bool,
    recall: f64,
    ndcg: f64,
    reciprocal_rank: f64,
}

fn measure(question: &Question, hits: &[Hit], top_k: u32) -> Asked {
    let given = &hits[..hits.len().min(top_k as usize)];
    let names = |hits: &[Hit]| -> Vec<String> {
        rank_documents(hits.iter().map(|hit| name_of(hit, &question.expected)))
    };
    let judgements: Judgements = if question.must_refuse {
        Judgements::new()
    } else {
        (0..question.expected.len()).map(|at| (expected_name(at), 1.0)).collect()
    };
    let (all, in_given) = (names(hits), names(given));
    let first = all.iter().position(|name| judgements.contains_key(name));
    Asked {
        result: BenchResult {
            question_id: question.id.clone(),
            text: question.text.clone(),
            rank: first.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX)),
            expected: question.expected.iter().map(|it| it.title.clone()).collect(),
            top_hits: top_documents(hits),
            refused: !given.iter().any(is_sufficient),
        },
        must_refuse: question.must_refuse,
        recall: recall_at(in_given.len(), &in_given, &judgements),
        ndcg: ndcg_at(10, &all, &judgements),
        reciprocal_rank: reciprocal_rank(&all, &judgements),
    }
}

/// What a hit counts as: the expectation that it meets, or its own document.
fn name_of(hit: &Hit, expected: &[ExpectedPassage]) -> String {
    let met = expected.iter().position(|passage| is_met(passage, hit));
    met.map_or_else(|| hit.source_id.to_string(), expected_name)
}

fn expected_name(at: usize) -> String {
    format!("expected {at}")
}

/// Whether a hit is what was expected: of the source and, where a passage was named, with at least
/// half of it or half of the hit within.
fn is_met(expected: &ExpectedPassage, hit: &Hit) -> bool {
    let (Some(start), Some(end)) = (expected.start, expected.end) else {
        return expected.source_id == hit.source_id;
    };
    let (passage, range) = (CharRange { start, end }, hit.chunk.range);
    let shared = CharRange { start: start.max(range.start), end: end.min(range.end) };
    let shorter = u64::from(passage.char_count().min(range.char_count()));
    expected.source_id == hit.source_id
        && shared.char_count() > 0
        && 2 * u64::from(shared.char_count()) >= shorter
}

fn top_documents(hits: &[Hit]) -> Vec<BenchHit> {
    let mut best: HashMap<_, &Hit> = HashMap::new();
    for hit in hits {
        best.entry(&hit.source_id).or_insert(hit);
    }
    let documents = rank_documents(hits.iter().map(|hit| &hit.source_id));
    let documents = documents.into_iter().take(KEPT_DOCUMENTS);
    let hit = |hit: &&Hit| BenchHit { title: hit.document_title.clone(), score: hit.score };
    documents.filter_map(|source| best.get(source).map(hit)).collect()
}

fn figures(asked: &[Asked]) -> BenchFigures {
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let values: Vec<f64> = values.collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let answerable = || asked.iter().filter(|asked| !asked.must_refuse);
    let share = |must_refuse: bool| {
        let kind = asked.iter().filter(|asked| asked.must_refuse == must_refuse);
        mean(&mut kind.map(|asked| f64::from(u8::from(asked.result.refused))))
    };
    BenchFigures {
        recall_at_k: mean(&mut answerable().map(|asked| asked.recall)).unwrap_or_default(),
        ndcg_at_10: mean(&mut answerable().map(|asked| asked.ndcg)).unwrap_or_default(),
        mrr: mean(&mut answerable().map(|asked| asked.reciprocal_rank)).unwrap_or_default(),
        refused_rightly: share(true),
        refused_wrongly: share(false),
        questions: u32::try_from(asked.len()).unwrap_or(u32::MAX),
    }
}
