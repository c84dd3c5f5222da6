//! Questions that measure a knowledge base, and what a measurement found.

use serde::{Deserialize, Serialize};

use crate::{
    BenchRunId, KnowledgeBaseId, QuestionId, SearchMode, SearchedIndex, SourceId, Timestamp,
};

/// A question of which it is known what answers it, or that nothing in the base does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The base it measures.
    pub kb_id: KnowledgeBaseId,
    /// The question, as a customer would ask it.
    pub text: String,
    /// What answers it; empty when it must be refused.
    pub expected: Vec<ExpectedPassage>,
    /// Whether nothing in the base answers it, so that a search that seems to has failed.
    pub must_refuse: bool,
    /// When it was made.
    pub created_at: Timestamp,
}

/// What answers a question: a passage of a source, or any passage of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExpectedPassage {
    /// The source; it may be gone.
    pub source_id: SourceId,
    /// Its title when the question was made.
    pub title: String,
    /// Where the passage begins in the source's text, in characters; none: any passage will do.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub start: Option<u32>,
    /// One past where it ends.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub end: Option<u32>,
}

/// A measurement of a base with its questions. It never changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BenchRun {
    /// Its id.
    pub id: BenchRunId,
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// How the questions were searched.
    pub settings: BenchSettings,
    /// The index that answered; none for a measurement of an earlier version.
    pub index: Option<SearchedIndex>,
    /// The means over the questions.
    pub figures: BenchFigures,
    /// What became of each question, in the order of the list.
    pub results: Vec<BenchResult>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// How the questions of a measurement are searched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BenchSettings {
    /// Which rankings are followed.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<SearchMode>"))]
    pub mode: SearchMode,
    /// How many passages an agent would get, 1 to 50.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<u32>"))]
    pub top_k: u32,
    /// How far evidence of meaning reaches, a cosine distance in [0, 2]; none: no limit.
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub max_distance: Option<f64>,
    /// Whether a reranker puts the best in order.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub rerank: bool,
}

impl Default for BenchSettings {
    fn default() -> Self {
        Self { mode: SearchMode::default(), top_k: 6, max_distance: None, rerank: false }
    }
}

/// The means of a measurement, each in [0, 1]; documents are ranked by their best passage. Questions
/// of which every expected document is gone are counted on their own and are part of no mean.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BenchFigures {
    /// The share of what was expected that is among the first `topK` passages.
    pub recall_at_k: f64,
    /// Normalised discounted cumulative gain of the first ten documents.
    #[serde(rename = "ndcgAt10")]
    #[cfg_attr(feature = "typescript", ts(rename = "ndcgAt10"))]
    pub ndcg_at_10: f64,
    /// One over the rank of the first expected document.
    pub mrr: f64,
    /// The share of the questions that must be refused which an agent would have refused; none
    /// without such questions, or where no model was there to weigh the evidence.
    pub refused_rightly: Option<f64>,
    /// The share of the other questions which an agent would have refused; none as above.
    pub refused_wrongly: Option<f64>,
    /// How many questions were asked, those with gone documents among them.
    pub questions: u32,
    /// How many of them expect only documents that are gone from the base.
    #[serde(default)]
    pub gone: u32,
}

/// What became of one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BenchResult {
    /// The question; it may be gone.
    pub question_id: QuestionId,
    /// Its text at the time.
    pub text: String,
    /// The rank of the first document that was expected, from 1; none when it was not found.
    pub rank: Option<u32>,
    /// The titles of what was expected; empty for a question that must be refused.
    pub expected: Vec<String>,
    /// Those of these titles whose documents were gone from the base.
    #[serde(default)]
    pub gone: Vec<String>,
    /// The first documents that were found.
    pub top_hits: Vec<BenchHit>,
    /// Whether an agent would have refused to answer from what was found; none where no model was
    /// there to weigh the evidence.
    pub refused: Option<bool>,
}

impl BenchResult {
    /// Whether everything that was expected was gone, so that nothing could be found.
    pub fn is_gone(&self) -> bool {
        !self.expected.is_empty() && self.gone.len() == self.expected.len()
    }
}

/// A document that a measurement found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BenchHit {
    /// Its title at the time.
    pub title: String,
    /// The score of its best passage.
    pub score: f64,
}
