//! Measuring retrieval on files of documents, questions and judgements.
//!
//! The documents are ingested exactly as a person's would be, into a temporary data folder with
//! one base per language, and the questions are searched exactly as an agent's are; nothing of a
//! person's data is touched. A document is its title and its text, as a page begins with its
//! heading; documents of which both are the same are one document under several ids. The metrics themselves are in `ancre_knowledge::evaluation`.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ancre_domain::{DocumentId, ErrorCode, KnowledgeBaseId, SearchMode};
use ancre_knowledge::evaluation::{Judgements, MeanScores, Scores, rank_documents};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::EmbedderLoader;
use crate::operations::rag;
use crate::wire::{CreateKnowledgeBase, Ingest, Search, WireError};
use crate::{Ancre, Options};

/// How many chunks are asked of each search, so that at least ten documents are among them even
/// where one document fills several places.
const CHUNKS_PER_QUESTION: u32 = 60;

/// The files of an evaluation.
#[derive(Debug, Clone)]
pub struct RetrievalFiles {
    /// JSON lines of `{ id, title, text, lang }`.
    pub corpus: PathBuf,
    /// JSON lines of `{ id, text, lang }`.
    pub queries: PathBuf,
    /// Lines of question id, document id and relevance, separated by tabs.
    pub qrels: PathBuf,
}

/// What an evaluation found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetrievalReport {
    /// The embedding model.
    pub model: String,
    /// Its version.
    pub model_version: String,
    /// How it was searched.
    pub mode: SearchMode,
    /// The figures of each language.
    pub languages: BTreeMap<String, RetrievalFigures>,
}

/// The figures of one language: means over its questions, each in [0, 1].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RetrievalFigures {
    /// Documents searched.
    pub documents: u32,
    /// Chunks they were cut into.
    pub chunks: u32,
    /// Questions asked.
    pub questions: u32,
    /// Normalised discounted cumulative gain of the first ten documents.
    #[serde(rename = "ndcgAt10")]
    pub ndcg_at_10: f64,
    /// The share of the relevant documents that is among the first six.
    #[serde(rename = "recallAt6")]
    pub recall_at_6: f64,
    /// One over the rank of the first relevant document.
    pub mrr: f64,
}

/// How far an evaluation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetrievalProgress<'a> {
    /// Documents of a language are being indexed.
    Indexing {
        /// The language.
        language: &'a str,
        /// Documents done.
        done: usize,
        /// Documents in all.
        total: usize,
    },
    /// Questions of a language are being asked.
    Asking {
        /// The language.
        language: &'a str,
        /// Questions in all.
        total: usize,
    },
}

#[derive(Debug, Deserialize)]
struct CorpusDocument {
    id: String,
    #[serde(default)]
    title: String,
    text: String,
    lang: String,
}

#[derive(Debug, Deserialize)]
struct JudgedQuestion {
    id: String,
    text: String,
    lang: String,
}

/// What is relevant, by question.
type JudgedQuestions = HashMap<String, Judgements>;

/// Runs an evaluation in each of some modes of search; the documents are indexed once.
///
/// # Errors
///
/// [`WireError`] when a file cannot be read or does not have the form it should, or the model does
/// not load.
pub fn retrieval(
    files: &RetrievalFiles,
    loader: Arc<dyn EmbedderLoader>,
    modes: &[SearchMode],
    progress: &dyn Fn(RetrievalProgress<'_>),
) -> Result<Vec<RetrievalReport>, WireError> {
    let documents: Vec<CorpusDocument> = read_json_lines(&files.corpus)?;
    let questions: Vec<JudgedQuestion> = read_json_lines(&files.queries)?;
    let judgements = read_judgements(&files.qrels)?;
    let description = loader.describe()?;
    let folder = tempfile::tempdir()
        .map_err(|error| WireError::fault(format!("no temporary folder could be made: {error}")))?;
    let ancre = Ancre::open(Options::new(folder.path(), loader))?;

    let mut reports: Vec<RetrievalReport> = modes
        .iter()
        .map(|mode| RetrievalReport {
            model: description.id.clone(),
            model_version: description.version.clone(),
            mode: *mode,
            languages: BTreeMap::new(),
        })
        .collect();
    let mut asked: Vec<&str> = questions.iter().map(|question| question.lang.as_str()).collect();
    asked.sort_unstable();
    asked.dedup();
    for language in asked {
        let documents: Vec<_> = documents.iter().filter(|it| it.lang == language).collect();
        let questions: Vec<_> = questions.iter().filter(|it| it.lang == language).collect();
        let indexed = index(&ancre, language, &documents, progress)?;
        progress(RetrievalProgress::Asking { language, total: questions.len() });
        for report in &mut reports {
            let mut figures = ask(&ancre, &indexed, report.mode, &questions, &judgements)?;
            figures.documents = count(documents.len());
            figures.chunks = indexed.chunks;
            report.languages.insert(language.to_owned(), figures);
        }
    }
    Ok(reports)
}

/// A base made from a corpus.
struct Indexed {
    kb_id: KnowledgeBaseId,
    chunks: u32,
    /// The id under which each document is found: its own, or that of its twin.
    found_as: HashMap<String, String>,
}

fn index(
    ancre: &Ancre,
    language: &str,
    documents: &[&CorpusDocument],
    progress: &dyn Fn(RetrievalProgress<'_>),
) -> Result<Indexed, WireError> {
    let base = CreateKnowledgeBase {
        name: language.to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    let kb_id = rag::create_knowledge_base(ancre, base, &|_| ())?.knowledge_base.id;
    let mut indexed = Indexed { kb_id, chunks: 0, found_as: HashMap::new() };
    let mut first_ids: HashMap<DocumentId, String> = HashMap::new();
    for (done, document) in documents.iter().enumerate() {
        progress(RetrievalProgress::Indexing { language, done, total: documents.len() });
        let title = document.title.trim();
        let input = Ingest {
            kb_id: indexed.kb_id.clone(),
            title: if title.is_empty() { &document.id } else { title }.to_owned(),
            text: format!("{title}\n\n{}", document.text),
            source_kind: None,
            source_uri: Some(document.id.clone()),
            mime: None,
            batch_size: None,
        };
        for outcome in rag::ingest(ancre, input, &|_| ())?.outcomes {
            if let Some(error) = outcome.error {
                return Err(WireError { message: format!("{}: {error}", document.id), ..error });
            }
            if let Some(id) = outcome.document_id {
                let first = first_ids.entry(id).or_insert_with(|| document.id.clone()).clone();
                if first == document.id {
                    indexed.chunks += outcome.chunk_count;
                }
                indexed.found_as.insert(document.id.clone(), first);
            }
        }
    }
    Ok(indexed)
}

fn ask(
    ancre: &Ancre,
    indexed: &Indexed,
    mode: SearchMode,
    questions: &[&JudgedQuestion],
    judgements: &JudgedQuestions,
) -> Result<RetrievalFigures, WireError> {
    let mut scores = Vec::new();
    for question in questions {
        let Some(judged) = judgements.get(&question.id) else { continue };
        let found_as = |id: &String| indexed.found_as.get(id).unwrap_or(id).clone();
        let relevance: Judgements =
            judged.iter().map(|(id, relevance)| (found_as(id), *relevance)).collect();
        let input = Search {
            query: question.text.clone(),
            kb_ids: vec![indexed.kb_id.clone()],
            top_k: Some(CHUNKS_PER_QUESTION),
            mode: Some(mode),
            ..Search::default()
        };
        let hits = rag::search(ancre, input, &|_| ())?.hits;
        let ranking = rank_documents(hits.into_iter().filter_map(|hit| hit.source_uri));
        scores.push(Scores::of(&ranking, &relevance));
    }
    let MeanScores { query_count, scores } = MeanScores::of(scores);
    Ok(RetrievalFigures {
        documents: 0,
        chunks: 0,
        questions: query_count,
        ndcg_at_10: scores.ndcg_at_10,
        recall_at_6: scores.recall_at_6,
        mrr: scores.reciprocal_rank,
    })
}

fn read_json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, WireError> {
    lines(path)?
        .into_iter()
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(&line).map_err(|error| malformed(path, index, &error.to_string()))
        })
        .collect()
}

fn read_judgements(path: &Path) -> Result<JudgedQuestions, WireError> {
    let mut judgements = JudgedQuestions::new();
    for (index, line) in lines(path)?.iter().enumerate() {
        let mut fields = line.split('\t');
        let (Some(question), Some(document)) = (fields.next(), fields.next()) else {
            return Err(malformed(path, index, "it has fewer than two fields"));
        };
        let relevance = fields.next().map_or(Ok(1.0), |field| field.trim().parse());
        let relevance =
            relevance.map_err(|_| malformed(path, index, "the relevance is no number"))?;
        judgements.entry(question.to_owned()).or_default().insert(document.to_owned(), relevance);
    }
    Ok(judgements)
}

/// The lines of a file that are not blank.
fn lines(path: &Path) -> Result<Vec<String>, WireError> {
    let unreadable = |error: std::io::Error| WireError {
        code: match error.kind() {
            std::io::ErrorKind::NotFound => ErrorCode::FileNotFound,
            std::io::ErrorKind::PermissionDenied => ErrorCode::PermissionDenied,
            _ => ErrorCode::ReadFailed,
        },
        message: format!("{} cannot be read: {error}", path.display()),
        hint: None,
        details: None,
    };
    let file = File::open(path).map_err(unreadable)?;
    let lines: Vec<String> =
        BufReader::new(file).lines().collect::<Result<_, _>>().map_err(unreadable)?;
    Ok(lines.into_iter().filter(|line| !line.trim().is_empty()).collect())
}

fn malformed(path: &Path, index: usize, detail: &str) -> WireError {
    WireError::invalid(format!("{}, line {}: {detail}", path.display(), index + 1))
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
