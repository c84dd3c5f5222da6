//! Questions that measure a base, and measurements.

use std::path::PathBuf;

use ancre_domain::{
    BenchRunId, BenchSettings, ExpectedPassage, KnowledgeBaseId, PageRequest, QuestionId,
};
use ancre_knowledge::bench::{SkippedLine, SkippedReason};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Asks for a piece of a base's questions, oldest first.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListQuestions {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// Makes a question, or changes one.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaveQuestion {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// The question that is changed; a new one is made when absent.
    #[serde(default)]
    #[ts(optional)]
    pub id: Option<QuestionId>,
    /// The question, 1 to 10,000 characters.
    pub text: String,
    /// What answers it; nothing when it must be refused.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<ExpectedPassage>>")]
    pub expected: Vec<ExpectedPassage>,
    /// Whether nothing in the base answers it.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub must_refuse: bool,
}

/// Names a question.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestionRef {
    /// The question.
    pub question_id: QuestionId,
}

/// Makes questions from a file.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportQuestions {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// JSON lines of `{ question, expected, mustRefuse }`, or lines of a question, a tab and a
    /// title.
    pub path: PathBuf,
}

/// What became of a file's lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuestionsImported {
    /// How many questions were made.
    pub imported: u32,
    /// The lines that were left out.
    pub skipped: Vec<LineSkipped>,
}

/// A line that made no question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LineSkipped {
    /// Its number, from 1.
    pub line: u32,
    /// Why; interfaces have words for each.
    pub code: LineSkippedCode,
    /// The name that no document has, or several have; what is wrong with the JSON.
    pub detail: Option<String>,
    /// How many documents have the name, or characters the question.
    pub count: Option<usize>,
    /// The same as an English clause, for terminals.
    pub reason: String,
}

/// Why a line made no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LineSkippedCode {
    /// It begins like JSON and is not that of a question; `detail` says what is wrong.
    NotJson,
    /// It has no tab between the question and a title.
    NoTab,
    /// The question is empty.
    Empty,
    /// The question has `count` characters.
    TooLong,
    /// It says neither what is expected nor that it must be refused.
    NothingExpected,
    /// It must be refused and expects something.
    RefusedAndExpected,
    /// `count` documents are called `detail`.
    Ambiguous,
    /// No document is called `detail`.
    Unknown,
    /// The base has the question already.
    AlreadyThere,
}

impl From<SkippedLine> for LineSkipped {
    fn from(skipped: SkippedLine) -> Self {
        let SkippedLine { line, reason } = skipped;
        let words = reason.to_string();
        let (code, detail, count) = match reason {
            SkippedReason::NotJson(detail) => (LineSkippedCode::NotJson, Some(detail), None),
            SkippedReason::NoTab => (LineSkippedCode::NoTab, None, None),
            SkippedReason::Empty => (LineSkippedCode::Empty, None, None),
            SkippedReason::TooLong(count) => (LineSkippedCode::TooLong, None, Some(count)),
            SkippedReason::NothingExpected => (LineSkippedCode::NothingExpected, None, None),
            SkippedReason::RefusedAndExpected => (LineSkippedCode::RefusedAndExpected, None, None),
            SkippedReason::Ambiguous { name, count } => {
                (LineSkippedCode::Ambiguous, Some(name), Some(count))
            }
            SkippedReason::Unknown(name) => (LineSkippedCode::Unknown, Some(name), None),
            SkippedReason::AlreadyThere => (LineSkippedCode::AlreadyThere, None, None),
        };
        Self { line, code, detail, count, reason: words }
    }
}

/// Measures a base with its questions.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunBench {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// How the questions are searched.
    #[serde(default)]
    #[ts(optional, as = "Option<BenchSettings>")]
    pub settings: BenchSettings,
}

/// How far a measurement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct BenchProgress {
    /// Questions asked.
    pub done: u32,
    /// Questions in all.
    pub total: u32,
}

/// Names a measurement.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BenchRunRef {
    /// The measurement.
    pub run_id: BenchRunId,
}
