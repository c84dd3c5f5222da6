//! `ancre eval`

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

use ancre_app::evaluation::{self, RetrievalFiles, RetrievalProgress, RetrievalReport};
use ancre_app::wire::WireError;
use ancre_domain::SearchMode;

use crate::arguments::EvalCommand;
use crate::output::{Outcome, line, note, print_json, print_table};
use crate::session;

pub(crate) fn run(
    command: EvalCommand,
    data: Option<PathBuf>,
    json: bool,
) -> Result<Outcome, WireError> {
    let EvalCommand::Retrieval { corpus, queries, qrels, mode } = command;
    let loader = session::loader(&session::data_folder(data)?);
    let files = RetrievalFiles { corpus, queries, qrels };
    let modes: Vec<SearchMode> = mode.into_iter().map(SearchMode::from).collect();
    let reports = evaluation::retrieval(&files, Arc::new(loader), &modes, &print_progress)?;
    match reports.as_slice() {
        [report] if json => print_json(report),
        reports if json => print_json(&reports),
        reports => reports.iter().for_each(print_report),
    }
    Ok(Outcome::Done)
}

fn print_progress(progress: RetrievalProgress<'_>) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    match progress {
        RetrievalProgress::Indexing { language, done, total } => {
            note!("\r\x1b[K{language}: indexing {done}/{total}");
        }
        RetrievalProgress::Asking { language, total } => {
            note!("\r\x1b[K{language}: asking {total} questions");
        }
    }
}

fn print_report(report: &RetrievalReport) {
    if std::io::stderr().is_terminal() {
        note!("\r\x1b[K");
    }
    line!("{} {}, {} search", report.model, report.model_version, report.mode.as_str());
    let heading = ["LANGUAGE", "DOCUMENTS", "CHUNKS", "QUESTIONS", "nDCG@10", "recall@6", "MRR"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(report.languages.iter().map(|(language, figures)| {
        vec![
            language.clone(),
            figures.documents.to_string(),
            figures.chunks.to_string(),
            figures.questions.to_string(),
            format!("{:.3}", figures.ndcg_at_10),
            format!("{:.3}", figures.recall_at_6),
            format!("{:.3}", figures.mrr),
        ]
    }));
    print_table(&rows);
}
