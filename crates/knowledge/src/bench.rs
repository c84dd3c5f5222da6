//! Measuring a base with questions of which the answers are known.
//!
//! Each question is searched exactly as an agent's is; the measures are those of
//! [`crate::evaluation`], over documents ranked by their best passage. Whether a question would be
//! refused is asked of whoever answers ([`Answering`]), so that a measurement knows no rule of its
//! own. A question whose documents have all left the base measures nothing: it is asked and listed,
//! and is part of no mean. A run that is stopped is not kept.

mod figures;
mod import;

use std::collections::{HashMap, HashSet};

use ancre_domain::{
    BenchHit, BenchResult, BenchRun, BenchRunId, BenchSettings, Cancellation, CharRange, Clock,
    ExpectedPassage, Hit, KnowledgeBaseId, PageRequest, ProjectId, Question, SourceId,
};
use ancre_store::traits::{DocumentFilter, Store};

use crate::KnowledgeError;
use crate::evaluation::{Judgements, ndcg_at, rank_documents, recall_at, reciprocal_rank};
use crate::search::{QueryEmbedder, Reranking, SearchRequest, search_and_rerank, searched_indexes};

use self::figures::figures;
pub use self::import::{ImportedQuestions, SkippedLine, SkippedReason, import_questions};

/// How many passages are looked at, so that ten documents are among them where they are there.
const LOOKED_AT: u32 = 30;

/// How many documents of each result are kept.
const KEPT_DOCUMENTS: usize = 10;

/// Whoever answers questions from what a search found, and refuses where that is too little.
pub trait Answering {
    /// Whether `question` would be answered from `hits`, which are all that an agent would get.
    ///
    /// # Errors
    ///
    /// [`ModelError::Cancelled`](ancre_models::ModelError::Cancelled); what a model or the store
    /// says.
    fn would_answer(
        &self,
        question: &str,
        hits: &[Hit],
        cancellation: &Cancellation,
    ) -> Result<bool, KnowledgeError>;
}

/// What a measurement works with.
pub struct Bench<'a> {
    /// Where base and questions are.
    pub store: &'a dyn Store,
    /// Embeds the questions; not needed for a measurement by words.
    pub embedder: Option<&'a dyn QueryEmbedder>,
    /// Puts the best in order, if the settings say so.
    pub reranking: Option<&'a Reranking>,
    /// Tells what would be refused; without it, refusals are not measured.
    pub answering: Option<&'a dyn Answering>,
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
        let index = searched_indexes(self.store, project, std::slice::from_ref(kb))?.pop();
        let present = self.sources(project, kb)?;
        let mut asked = Vec::with_capacity(questions.len());
        for (done, question) in (1..).zip(&questions) {
            if cancellation.is_cancelled() {
                return Err(KnowledgeError::Cancelled);
            }
            let hits = self.hits(project, question, settings)?;
            let given = &hits[..hits.len().min(settings.top_k as usize)];
            let refused = match self.answering {
                Some(it) => Some(!it.would_answer(&question.text, given, cancellation)?),
                None => None,
            };
            asked.push(measure(question, &hits, given.len(), &present, refused));
            on_question(done, total);
        }
        let now = self.clock.now();
        let run = BenchRun {
            id: BenchRunId::generate(now),
            kb_id: kb.clone(),
            settings,
            index,
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

    /// The sources that the base has a document of.
    fn sources(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<HashSet<SourceId>, KnowledgeError> {
        let mut sources = HashSet::new();
        let mut offset = 0;
        loop {
            let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
            let page = self.store.list_documents(project, kb, DocumentFilter::default(), page)?;
            offset += PageRequest::MAX_LIMIT;
            sources.extend(page.items.into_iter().map(|document| document.source_id));
            if offset >= page.total {
                return Ok(sources);
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

/// A question, measured.
struct Asked {
    result: BenchResult,
    recall: f64,
    ndcg: f64,
    reciprocal_rank: f64,
}

/// Measures one question of which the first `given` hits would go to an agent.
fn measure(
    question: &Question,
    hits: &[Hit],
    given: usize,
    present: &HashSet<SourceId>,
    refused: Option<bool>,
) -> Asked {
    // What is gone cannot be found; what is left of a question still measures.
    let (there, gone): (Vec<&ExpectedPassage>, Vec<&ExpectedPassage>) =
        question.expected.iter().partition(|it| present.contains(&it.source_id));
    let titles = |expected: &[&ExpectedPassage]| -> Vec<String> {
        expected.iter().map(|it| it.title.clone()).collect()
    };
    let names = |hits: &[Hit]| -> Vec<String> {
        rank_documents(hits.iter().map(|hit| name_of(hit, &there)))
    };
    let judgements: Judgements = (0..there.len()).map(|at| (expected_name(at), 1.0)).collect();
    let (all, in_given) = (names(hits), names(&hits[..given]));
    let first = all.iter().position(|name| judgements.contains_key(name));
    Asked {
        result: BenchResult {
            question_id: question.id.clone(),
            text: question.text.clone(),
            rank: first.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX)),
            expected: question.expected.iter().map(|it| it.title.clone()).collect(),
            gone: titles(&gone),
            top_hits: top_documents(hits),
            refused,
        },
        recall: recall_at(in_given.len(), &in_given, &judgements),
        ndcg: ndcg_at(10, &all, &judgements),
        reciprocal_rank: reciprocal_rank(&all, &judgements),
    }
}

/// What a hit counts as: the expectation that it meets, or its own document.
fn name_of(hit: &Hit, expected: &[&ExpectedPassage]) -> String {
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
