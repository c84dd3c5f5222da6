//! `ancre bench`

use std::path::PathBuf;

use ancre_app::operations::rag;
use ancre_app::wire::{
    BenchProgress, BenchRunRef, ImportQuestions, KnowledgeBaseRef, Nothing, RunBench, WireError,
};
use ancre_domain::{BenchRun, BenchSettings, ErrorCode, KnowledgeBaseId, Question};
use serde::Serialize;
use std::io::IsTerminal as _;

use super::question;
use crate::arguments::BenchCommand;
use crate::interruption::{Stop, while_heard};
use crate::names::not_found;
use crate::output::{
    Outcome, counted, line, note, one_line, print_json, print_json_line, print_table,
};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: BenchCommand) -> Result<Outcome, WireError> {
    match command {
        BenchCommand::Import { kb, path } => import(session, &kb, path),
        BenchCommand::Add { kb, question, answer } => {
            question::add(session, &kb, question, &answer)
        }
        BenchCommand::Change { id, question, answer } => {
            question::change(session, &id, question, &answer)
        }
        BenchCommand::Remove { id } => question::remove(session, &id),
        BenchCommand::List { kb } => list(session, &kb),
        BenchCommand::Run { kb, mode, top_k, max_distance, rerank } => {
            let settings = BenchSettings { mode: mode.into(), top_k, max_distance, rerank };
            measure(session, &kb, settings)
        }
        BenchCommand::Show { id, kb } => show(session, kb.as_deref(), id.as_deref()),
        BenchCommand::Delete { id } => delete(session, &id),
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
        note!("line {}: {}\n", skipped.line, one_line(&skipped.reason));
    }
    line!(
        "{} imported, {} skipped",
        counted(imported.imported, "question"),
        counted(imported.skipped.len() as u64, "line")
    );
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
    let listed = Listed { questions: session.questions(&kb_id)?, runs: runs(session, kb_id)? };
    if session.json {
        print_json(&listed);
        return Ok(Outcome::Done);
    }
    let mut rows = vec![["QUESTION", "EXPECTED", "ID"].map(str::to_owned).to_vec()];
    rows.extend(listed.questions.iter().map(|question| {
        let titles: Vec<&str> = question.expected.iter().map(|it| it.title.as_str()).collect();
        let expected =
            if question.must_refuse { "(refused)".to_owned() } else { titles.join(", ") };
        vec![question.text.clone(), expected, question.id.to_string()]
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

fn show(session: &Session, kb: Option<&str>, id: Option<&str>) -> Result<Outcome, WireError> {
    let runs = match kb {
        Some(kb) => runs(session, session.knowledge_base(kb)?)?,
        None => runs_of_all(session)?,
    };
    let run = match id {
        Some(id) => runs.iter().find(|run| run.id.as_str() == id),
        None => runs.iter().max_by_key(|run| run.created_at),
    };
    let run = run.ok_or_else(no_such_run)?;
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

fn delete(session: &Session, id: &str) -> Result<Outcome, WireError> {
    let run_id = id.parse().map_err(|_| not_found("measurement", id, "ancre bench list"))?;
    rag::delete_bench_run(&session.ancre, BenchRunRef { run_id }, &|_| ())?;
    if session.json {
        print_json(&Nothing {});
    } else {
        line!("deleted the measurement {id}");
    }
    Ok(Outcome::Done)
}

fn no_such_run() -> WireError {
    WireError {
        code: ErrorCode::NotFound,
        message: "there is no such measurement".to_owned(),
        hint: Some("“ancre bench run --kb NAME” makes one.".to_owned()),
        details: None,
    }
}

/// The measurements of every base.
fn runs_of_all(session: &Session) -> Result<Vec<BenchRun>, WireError> {
    let bases = rag::list_knowledge_bases(&session.ancre, Nothing {}, &|_| ())?;
    let of_each = bases.into_iter().map(|base| runs(session, base.knowledge_base.id));
    Ok(of_each.collect::<Result<Vec<_>, _>>()?.concat())
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
