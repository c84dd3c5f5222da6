//! Questions that measure a base, and the measurements.

use std::path::Path;
use std::time::Duration;

use ancre_desk::Answerer;
use ancre_desk::extractive::ExtractiveRunner;
use ancre_domain::{BenchRun, ErrorCode, Page, Question, QuestionId};
use ancre_knowledge::bench::{self, Answering, Bench};
use ancre_knowledge::search::{QueryEmbedder, Reranking};

use crate::Ancre;
use crate::operations::Never;
use crate::wire::{
    BenchProgress, BenchRunRef, ImportQuestions, KnowledgeBaseRef, ListQuestions, Nothing,
    QuestionRef, QuestionsImported, RunBench, SaveQuestion, WireError,
};

/// How long the reranker may take for one question of a measurement: long enough that a slow machine
/// measures the reranker and not its own slowness.
const PATIENCE: Duration = Duration::from_secs(60);

/// The largest file of questions, in bytes.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// Lists a base's questions, oldest first.
///
/// # Errors
///
/// `not_found`.
pub fn list_questions(
    ancre: &Ancre,
    input: ListQuestions,
    _: &dyn Fn(Never),
) -> Result<Page<Question>, WireError> {
    Ok(ancre.store().list_questions(ancre.project(), &input.kb_id, input.page)?)
}

/// Makes a question, or changes one.
///
/// # Errors
///
/// `invalid_input`; `not_found` for the base, the question or a source.
pub fn save_question(
    ancre: &Ancre,
    input: SaveQuestion,
    _: &dyn Fn(Never),
) -> Result<Question, WireError> {
    let (store, project) = (ancre.store(), ancre.project());
    let text = input.text.trim().to_owned();
    if !(1..=10_000).contains(&text.chars().count()) {
        return Err(WireError::invalid("a question has 1 to 10,000 characters"));
    }
    if input.expected.is_empty() != input.must_refuse {
        return Err(WireError::invalid("a question either expects something or must be refused"));
    }
    for expected in &input.expected {
        if matches!((expected.start, expected.end), (Some(start), Some(end)) if start >= end) {
            return Err(WireError::invalid("a passage begins before it ends"));
        }
        store.source(project, &expected.source_id)?;
    }
    let now = ancre.clock().now();
    let (id, created_at) = match input.id {
        Some(id) => {
            let known = store.question(project, &id)?;
            (id, known.created_at)
        }
        None => (QuestionId::generate(now), now),
    };
    let question = Question {
        id,
        kb_id: input.kb_id,
        text,
        expected: input.expected,
        must_refuse: input.must_refuse,
        created_at,
    };
    store.save_questions(project, std::slice::from_ref(&question))?;
    Ok(question)
}

/// Deletes a question; measurements that asked it stay.
///
/// # Errors
///
/// `not_found`.
pub fn delete_question(
    ancre: &Ancre,
    input: QuestionRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ancre.store().delete_question(ancre.project(), &input.question_id)?;
    Ok(Nothing {})
}

/// Makes questions from the lines of a file.
///
/// # Errors
///
/// `not_found` for the base; `file_not_found`, `permission_denied`, `too_large`, `binary` for the
/// file.
pub fn import_questions(
    ancre: &Ancre,
    input: ImportQuestions,
    _: &dyn Fn(Never),
) -> Result<QuestionsImported, WireError> {
    ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    let text = read_file(&input.path)?;
    let imported = bench::import_questions(
        ancre.store(),
        ancre.clock(),
        ancre.project(),
        &input.kb_id,
        &text,
    )?;
    Ok(QuestionsImported {
        imported: imported.imported,
        skipped: imported.skipped.into_iter().map(Into::into).collect(),
    })
}

/// Measures a base with its questions, and keeps what came of it.
///
/// # Errors
///
/// `invalid_input` without questions or with impossible settings; `not_found`; `reranker_missing`;
/// `cancelled`; what the model says.
pub fn run_bench(
    ancre: &Ancre,
    input: RunBench,
    progress: &dyn Fn(BenchProgress),
) -> Result<BenchRun, WireError> {
    let settings = input.settings;
    if !(1..=50).contains(&settings.top_k) {
        return Err(WireError::invalid("a measurement looks at 1 to 50 passages"));
    }
    ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    let reranking = settings.rerank.then(|| ancre.engine().reranking()).transpose()?;
    let reranking = reranking.map(|it| Reranking { budget: PATIENCE, ..it });
    let embedder = ancre.engine().query_embedder(settings.mode);
    // A draft compares sentences with the default model, so where there is none nothing would be
    // answered or refused.
    let runner = match embedder {
        Some(engine) => Some(ExtractiveRunner::new(engine.embedder()?)),
        None => None,
    };
    let (store, project) = (ancre.store(), ancre.project());
    let answerer = runner.as_ref().map(|runner| Answerer { runner, store, project });
    let cancellation = ancre.jobs().measurement(&input.kb_id);
    let bench = Bench {
        store: ancre.store(),
        embedder: embedder.map(|embedder| embedder as &dyn QueryEmbedder),
        reranking: reranking.as_ref(),
        answering: answerer.as_ref().map(|answerer| answerer as &dyn Answering),
        clock: ancre.clock(),
    };
    let mut on_question = |done, total| progress(BenchProgress { done, total });
    Ok(bench.run(ancre.project(), &input.kb_id, settings, &cancellation, &mut on_question)?)
}

/// Stops the measurements of a base that go on; nothing of them is kept.
///
/// # Errors
///
/// `not_found`.
pub fn stop_bench(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    ancre.jobs().stop_measurements(&input.kb_id);
    Ok(Nothing {})
}

/// Lists a base's measurements, newest first.
///
/// # Errors
///
/// `not_found`.
pub fn list_bench_runs(
    ancre: &Ancre,
    input: KnowledgeBaseRef,
    _: &dyn Fn(Never),
) -> Result<Vec<BenchRun>, WireError> {
    Ok(ancre.store().bench_runs(ancre.project(), &input.kb_id)?)
}

/// Deletes a measurement.
///
/// # Errors
///
/// `not_found`.
pub fn delete_bench_run(
    ancre: &Ancre,
    input: BenchRunRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    ancre.store().delete_bench_run(ancre.project(), &input.run_id)?;
    Ok(Nothing {})
}

fn read_file(path: &Path) -> Result<String, WireError> {
    let refused = |code, detail: String| WireError {
        code,
        message: format!("{} cannot be read: {detail}", path.display()),
        hint: None,
        details: None,
    };
    let unreadable = |error: std::io::Error| {
        let code = match error.kind() {
            std::io::ErrorKind::NotFound => ErrorCode::FileNotFound,
            std::io::ErrorKind::PermissionDenied => ErrorCode::PermissionDenied,
            _ => ErrorCode::ReadFailed,
        };
        refused(code, error.to_string())
    };
    let file = std::fs::metadata(path).map_err(unreadable)?;
    if !file.is_file() {
        return Err(refused(ErrorCode::NotAFile, "it is not a file".to_owned()));
    }
    if file.len() > LARGEST_FILE {
        return Err(refused(ErrorCode::TooLarge, "it has more than 64 MiB".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    String::from_utf8(bytes)
        .map_err(|_| refused(ErrorCode::Binary, "it is not text in UTF-8".to_owned()))
}
