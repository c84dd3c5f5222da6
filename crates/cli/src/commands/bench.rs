//! `ancre bench`

use std::path::PathBuf;

use ancre_app::operations::rag;
use ancre_app::wire::{
    BenchProgress, ImportQuestions, KnowledgeBaseRef, ListQuestions, RunBench, WireError,
};
use ancre_domain::{
    BenchRun, BenchSettings, ErrorCode, KnowledgeBaseId, Page, PageRequest, Question,
};
use serde::Serialize;
use std::io::IsTerminal as _;

use crate::arguments::BenchCommand;
use crate::interruption::{Stop, while_heard};
use crate::output::{Outcome, line, note, print_json, print_json_line, print_table};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: BenchCommand) -> Result<Outcome, WireError> {
    match command {
        BenchCommand::Import { kb, path } => import(session, &kb, path),
        BenchCommand::List { kb } => list(session, &kb),
        BenchCommand::Run { kb, mode, top_k, max_distance, rerank } => {
            let settings = BenchSettings { mode: mode.into(), top_k, max_distance, rerank };
            measure(session, &kb, settings)
        }
        BenchCommand::Show { kb, id } => show(session, &kb, id.as_deref()),
    }
}

fn import(session: &Session, kb: &str, path: PathBuf) -> Result<Outcome, WireError> {
    let input = ImportQuestions { kb_id: session.knowledge_base(kb)?, path };
    let imported = rag::import_questions(&session.ancre, input, &|_| ())?;
    let outcome = if imported.skipped.is_empty() { Outcome::Done } else { Outcome::SomeFailed };
    if session.json {
        print_json(&imported);
        return Ok(outcome);
    }
    for skipped in &imported.skipped {
        note!("line {}: {}\n", skipped.line, skipped.reason);
    }
    line!("{} questions imported, {} lines skipped", imported.imported, imported.skipped.len());
    Ok(outcome)
}

/// The questions and measurements of a base.
#[derive(Serialize)]
struct Listed {
    questions: Vec<Question>,
    runs: Vec<BenchRun>,
}

fn list(session: &Session, kb: &str) -> Result<Outcome, WireError> {
    let kb_id = session.knowledge_base(kb)?;
    let listed = Listed { questions: questions(session, &kb_id)?, runs: runs(session, kb_id)? };
    if session.json {
        print_json(&listed);
        return Ok(Outcome::Done);
    }
    let mut rows = vec![["QUESTION", "EXPECTED"].map(str::to_owned).to_vec()];
    rows.extend(listed.questions.iter().map(|question| {
        let titles: Vec<&str> = question.expected.iter().map(|it| it.title.as_str()).collect();
        let expected =
            if question.must_refuse { "(refused)".to_owned() } else { titles.join(", ") };
        vec![question.text.clone(), expected]
    }));
    print_table(&rows);
    line!("");
    print_runs(&listed.runs);
    Ok(Outcome::Done)
}

fn measure(session: &Session, kb: &str, settings: BenchSettings) -> Result<Outcome, WireError> {
    let kb_id = session.knowledge_base(kb)?;
    let input = RunBench { kb_id: kb_id.clone(), settings };
    let is_watched = std::io::stderr().is_terminal();
    let progress = |progress: BenchProgress| {
        if session.json {
            print_json_line(&progress);
        } else if is_watched {
            note!("\r\x1b[K{}/{}", progress.done, progress.total);
        }
    };
    let (measured, is_interrupted) = while_heard(&session.ancre, Stop::Measurement(&kb_id), |_| {
        rag::run_bench(&session.ancre, input, &progress)
    });
    if is_watched {
        note!("\r\x1b[K");
    }
    let run = match measured {
        Err(error) if is_interrupted && error.code == ErrorCode::Cancelled => {
            note!("stopped; nothing of it is kept\n");
            return Ok(Outcome::SomeFailed);
        }
        measured => measured?,
    };
    if session.json {
        print_json_line(&run);
        return Ok(Outcome::Done);
    }
    print_runs(std::slice::from_ref(&run));
    note_gone(&run);
    Ok(Outcome::Done)
}

fn show(session: &Session, kb: &str, id: Option<&str>) -> Result<Outcome, WireError> {
    let runs = runs(session, session.knowledge_base(kb)?)?;
    let run = match id {
        Some(id) => runs.iter().find(|run| run.id.as_str() == id),
        None => runs.first(),
    };
    let Some(run) = run else {
        return Err(WireError {
            code: ancre_domain::ErrorCode::NotFound,
            message: "the base has no such measurement".to_owned(),
            hint: Some("“ancre bench run --kb NAME” makes one.".to_owned()),
            details: None,
        });
    };
    if session.json {
        print_json(run);
        return Ok(Outcome::Done);
    }
    print_runs(std::slice::from_ref(run));
    line!("");
    let mut rows =
        vec![["RANK", "QUESTION", "EXPECTED", "FOUND FIRST"].map(str::to_owned).to_vec()];
    rows.extend(run.results.iter().map(|result| {
        let rank = match (result.rank, result.expected.is_empty(), result.refused) {
            _ if result.is_gone() => "gone".to_owned(),
            (Some(rank), _, Some(true)) => format!("{rank} (refused)"),
            (Some(rank), ..) => rank.to_string(),
            (None, true, Some(true)) => "refused".to_owned(),
            (None, true, Some(false)) => "answered".to_owned(),
            (None, ..) => "-".to_owned(),
        };
        let first = result.top_hits.first().map(|hit| hit.title.clone()).unwrap_or_default();
        vec![rank, result.text.clone(), result.expected.join(", "), first]
    }));
    print_table(&rows);
    note_index(run);
    note_gone(run);
    Ok(Outcome::Done)
}

/// Says which index a measurement asked, and how far it looked.
fn note_index(run: &BenchRun) {
    if let Some(limit) = run.settings.max_distance {
        line!("distance up to {limit}");
    }
    if run.settings.rerank {
        line!("reranked");
    }
    if let Some(index) = &run.index {
        let version = index.embedding_version.as_deref().unwrap_or("of unknown version");
        let generation = index.generation.map_or_else(|| "-".to_owned(), |it| it.to_string());
        line!("index generation {generation}, {} {version}", index.embedding_model_id);
    }
}

/// Says which questions measured nothing, and what can be done.
fn note_gone(run: &BenchRun) {
    if run.figures.gone == 0 {
        return;
    }
    line!("");
    line!(
        "{} questions are in no figure: what they expect is gone from the base",
        run.figures.gone
    );
    for result in run.results.iter().filter(|result| result.is_gone()) {
        line!("  {} ({})", result.text, result.gone.join(", "));
    }
    line!(
        "Add the documents again (“ancre ingest”, “ancre source attach”), or change or delete these \
         questions in the window, under Measure."
    );
}

fn questions(session: &Session, kb_id: &KnowledgeBaseId) -> Result<Vec<Question>, WireError> {
    let mut questions = Vec::new();
    loop {
        let offset = u32::try_from(questions.len()).unwrap_or(u32::MAX);
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let input = ListQuestions { kb_id: kb_id.clone(), page };
        let Page { items, total } = rag::list_questions(&session.ancre, input, &|_| ())?;
        let is_last = items.is_empty();
        questions.extend(items);
        if is_last || questions.len() >= total as usize {
            return Ok(questions);
        }
    }
}

fn runs(session: &Session, kb_id: KnowledgeBaseId) -> Result<Vec<BenchRun>, WireError> {
    rag::list_bench_runs(&session.ancre, KnowledgeBaseRef { kb_id }, &|_| ())
}

fn print_runs(runs: &[BenchRun]) {
    let heading = [
        "MODE",
        "K",
        "QUESTIONS",
        "GONE",
        "recall@k",
        "nDCG@10",
        "MRR",
        "REFUSED RIGHTLY",
        "WRONGLY",
        "ID",
    ];
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |it| format!("{it:.3}"));
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(runs.iter().map(|run| {
        vec![
            run.settings.mode.as_str().to_owned(),
            run.settings.top_k.to_string(),
            run.figures.questions.to_string(),
            run.figures.gone.to_string(),
            format!("{:.3}", run.figures.recall_at_k),
            format!("{:.3}", run.figures.ndcg_at_10),
            format!("{:.3}", run.figures.mrr),
            share(run.figures.refused_rightly),
            share(run.figures.refused_wrongly),
            run.id.to_string(),
        ]
    }));
    print_table(&rows);
}
