//! Questions from a file: JSON lines or two columns with a tab between.
//!
//! A line is `{"question": "…", "expected": …, "mustRefuse": true}`, where `expected` is a title, a
//! source's id, its address, or a list of these; or a question, a tab and a title. Each line is
//! judged alone: a bad one is left out with its number and the reason. A question that the base has
//! already is left out too.

use std::collections::{HashMap, HashSet};

use ancre_domain::{
    Clock, Document, ExpectedPassage, KnowledgeBaseId, PageRequest, ProjectId, Question, QuestionId,
};
use ancre_store::traits::{DocumentFilter, Store};
use serde::Deserialize;

use crate::KnowledgeError;

/// The longest question, in characters.
const LONGEST: usize = 10_000;

/// What became of a file's lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportedQuestions {
    /// How many questions were made.
    pub imported: u32,
    /// The lines that were left out.
    pub skipped: Vec<SkippedLine>,
}

/// A line that made no question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// Its number, from 1.
    pub line: u32,
    /// Why.
    pub reason: SkippedReason,
}

/// Why a line made no question. Its text is the English clause that a terminal prints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkippedReason {
    /// It begins like JSON and is none, or not that of a question.
    #[error("it is not the JSON of a question: {0}")]
    NotJson(String),
    /// It is not JSON and has a single column.
    #[error("it has no tab between the question and a title")]
    NoTab,
    /// Nothing is asked.
    #[error("the question is empty")]
    Empty,
    /// The question is longer than 10,000 characters; it has this many.
    #[error("the question has {0} characters")]
    TooLong(usize),
    /// Neither a document nor a refusal is expected.
    #[error("it says neither what is expected nor that it must be refused")]
    NothingExpected,
    /// Both a document and a refusal are expected.
    #[error("it must be refused and expects something")]
    RefusedAndExpected,
    /// Several documents of the base have this name.
    #[error("{count} documents are called “{name}”; name it by its id")]
    Ambiguous {
        /// The name.
        name: String,
        /// How many have it.
        count: usize,
    },
    /// No document of the base has this title, address or source's id.
    #[error("no document of the base is called “{0}”")]
    Unknown(String),
    /// The base has this question already, or the file has it twice.
    #[error("the base has this question already")]
    AlreadyThere,
}

/// Makes questions of a base from the lines of a file.
///
/// # Errors
///
/// A [`StoreError::NotFound`](ancre_store::StoreError::NotFound) for the base; what the store says.
pub fn import_questions(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    text: &str,
) -> Result<ImportedQuestions, KnowledgeError> {
    let sources = Sources::of(store, project, kb)?;
    let mut known = known_questions(store, project, kb)?;
    let mut imported = ImportedQuestions::default();
    let mut questions = Vec::new();
    for (line, text) in (1..).zip(text.trim_start_matches('\u{FEFF}').lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let read = read_line(text).and_then(|line| line.checked(&sources));
        let made = read.and_then(|(text, expected)| {
            if known.insert(text.clone()) {
                Ok((text, expected))
            } else {
                Err(SkippedReason::AlreadyThere)
            }
        });
        match made {
            Ok((text, expected)) => {
                let now = clock.now();
                let must_refuse = expected.is_empty();
                let (id, kb_id) = (QuestionId::generate(now), kb.clone());
                questions.push(Question {
                    id,
                    kb_id,
                    text,
                    expected,
                    must_refuse,
                    created_at: now,
                });
            }
            Err(reason) => imported.skipped.push(SkippedLine { line, reason }),
        }
    }
    store.save_questions(project, &questions)?;
    imported.imported = u32::try_from(questions.len()).unwrap_or(u32::MAX);
    Ok(imported)
}

/// A line, read and not yet compared with the base.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    question: String,
    #[serde(default)]
    expected: Names,
    #[serde(default)]
    must_refuse: bool,
}

/// A name or several.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Names {
    #[default]
    None,
    One(String),
    Many(Vec<String>),
}

impl Names {
    fn into_vec(self) -> Vec<String> {
        let names = match self {
            Self::None => Vec::new(),
            Self::One(name) => vec![name],
            Self::Many(names) => names,
        };
        names.into_iter().filter(|name| !name.trim().is_empty()).collect()
    }
}

fn read_line(text: &str) -> Result<Line, SkippedReason> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text)
            .map_err(|error| SkippedReason::NotJson(error.to_string()));
    }
    let (question, title) = text.split_once('\t').ok_or(SkippedReason::NoTab)?;
    let title = title.split('\t').next().unwrap_or_default();
    Ok(Line {
        question: question.to_owned(),
        expected: Names::One(title.to_owned()),
        must_refuse: false,
    })
}

impl Line {
    /// The question and what it expects, or why it is none.
    fn checked(self, sources: &Sources) -> Result<(String, Vec<ExpectedPassage>), SkippedReason> {
        let question = self.question.trim().to_owned();
        match question.chars().count() {
            0 => return Err(SkippedReason::Empty),
            1..=LONGEST => {}
            length => return Err(SkippedReason::TooLong(length)),
        }
        let names = self.expected.into_vec();
        match (names.is_empty(), self.must_refuse) {
            (true, false) => Err(SkippedReason::NothingExpected),
            (false, true) => Err(SkippedReason::RefusedAndExpected),
            _ => {
                let expected = names.iter().map(|name| sources.find(name));
                Ok((question, expected.collect::<Result<_, _>>()?))
            }
        }
    }
}

/// The sources of a base by what a person may call them.
struct Sources {
    by_name: HashMap<String, Vec<ExpectedPassage>>,
}

impl Sources {
    fn of(
        store: &dyn Store,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
    ) -> Result<Self, KnowledgeError> {
        let mut by_name: HashMap<String, Vec<ExpectedPassage>> = HashMap::new();
        let mut offset = 0;
        loop {
            let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
            let page = store.list_documents(project, kb, DocumentFilter::default(), page)?;
            offset += PageRequest::MAX_LIMIT;
            for document in &page.items {
                let expected = whole(document);
                let mut names = vec![key(&document.title), document.source_id.to_string()];
                names.extend(document.source_uri.as_deref().map(key));
                names.dedup();
                for name in names {
                    by_name.entry(name).or_default().push(expected.clone());
                }
            }
            if offset >= page.total {
                return Ok(Self { by_name });
            }
        }
    }

    fn find(&self, name: &str) -> Result<ExpectedPassage, SkippedReason> {
        match self.by_name.get(&key(name)).map(Vec::as_slice) {
            Some([one]) => Ok(one.clone()),
            Some(several) => {
                Err(SkippedReason::Ambiguous { name: name.to_owned(), count: several.len() })
            }
            None => Err(SkippedReason::Unknown(name.to_owned())),
        }
    }
}

fn whole(document: &Document) -> ExpectedPassage {
    ExpectedPassage {
        source_id: document.source_id.clone(),
        title: document.title.clone(),
        start: None,
        end: None,
    }
}

/// By what names are compared.
fn key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn known_questions(
    store: &dyn Store,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
) -> Result<HashSet<String>, KnowledgeError> {
    let mut known = HashSet::new();
    let mut offset = 0;
    loop {
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let page = store.list_questions(project, kb, page)?;
        offset += PageRequest::MAX_LIMIT;
        known.extend(page.items.into_iter().map(|question| question.text));
        if offset >= page.total {
            return Ok(known);
        }
    }
}
