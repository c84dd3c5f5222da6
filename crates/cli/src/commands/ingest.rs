//! `ancre ingest`

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{IsTerminal as _, Read as _};
use std::path::Path;

use ancre_app::SystemClock;
use ancre_app::operations::rag;
use ancre_app::wire::{
    Ingest, IngestFiles, IngestOutcome, IngestProgress, IngestReport, IngestResult, Nothing,
    Password, WaitingFor, WireError,
};
use ancre_domain::{Clock as _, KnowledgeBaseId, SourceKind, Timestamp};

use crate::arguments::IngestArguments;
use crate::interruption::{Stop, while_heard};
use crate::output::{Outcome, counted, line, note, note_warnings, one_line, print_json_line};
use crate::session::Session;

pub(crate) fn run(session: &Session, arguments: IngestArguments) -> Result<Outcome, WireError> {
    let Some(kb) = arguments.kb.clone().filter(|_| !arguments.resume) else {
        return wait_for_queue(session);
    };
    let kb_id = session.knowledge_base(&kb)?;
    let told = RefCell::new(HashSet::new());
    let (report, is_interrupted) = while_heard(&session.ancre, Stop::Cancel, |name| {
        ingest(session, kb_id, arguments, &|progress| {
            name(&progress.job_id);
            told.borrow_mut().extend(progress.outcome.as_ref().map(named));
            print_progress(progress, session.json);
        })
    });
    let report = report?;
    if !session.json {
        print_untold(&report, &told.into_inner());
    }
    let outcome = finish(&report, session.json)?;
    if is_interrupted && report.cancelled > 0 && !session.json {
        note!("stopped; “ancre jobs retry {}” goes on with the rest\n", report.job_id);
    }
    match outcome {
        Outcome::Done if is_interrupted => Ok(Outcome::SomeFailed),
        outcome => Ok(outcome),
    }
}

fn ingest(
    session: &Session,
    kb_id: KnowledgeBaseId,
    arguments: IngestArguments,
    hear: &dyn Fn(&IngestProgress),
) -> Result<IngestReport, WireError> {
    let on_progress = |progress: IngestProgress| hear(&progress);
    if arguments.paths.iter().any(|path| path == Path::new("-")) {
        if arguments.paths.len() > 1 {
            return Err(WireError::invalid("“-” reads standard input and takes no other path"));
        }
        let input = Ingest {
            kb_id,
            title: arguments.title.unwrap_or_default(),
            text: read_standard_input()?,
            source_kind: Some(SourceKind::Inline),
            source_uri: None,
            mime: None,
            batch_size: None,
        };
        return rag::ingest(&session.ancre, input, &on_progress);
    }
    let paths = arguments.paths.iter().map(|path| absolute(path)).collect::<Result<_, _>>()?;
    let input = IngestFiles {
        kb_id,
        paths,
        title: arguments.title,
        password: arguments.password.map(Password::from),
        recognise: arguments.recognise,
    };
    rag::ingest_files(&session.ancre, input, &on_progress)
}

/// What a line calls an outcome: the path, or the title of what has none.
fn named(outcome: &IngestOutcome) -> String {
    outcome.path.as_ref().unwrap_or(&outcome.title).clone()
}

/// Prints the outcomes that no progress told: of what could not even be looked into, such as a
/// folder that may not be read, and of what was passed over.
fn print_untold(report: &IngestReport, told: &HashSet<String>) {
    clear_status();
    let has_reason = |outcome: &&IngestOutcome| outcome.error.is_some();
    for outcome in report.outcomes.iter().filter(has_reason) {
        if !told.contains(&named(outcome)) {
            line!("{}", line(outcome));
        }
    }
}

/// Prints what a job did, and tells how it ended.
pub(crate) fn finish(report: &IngestReport, json: bool) -> Result<Outcome, WireError> {
    if json {
        print_json_line(report);
    } else {
        print_report(report);
    }
    match &report.stopped {
        // The report has the reason; a second document would break the lines.
        Some(error) if json => Ok(Outcome::Refused(error.code)),
        Some(error) => Err(error.clone()),
        None if report.failed > 0 => Ok(Outcome::SomeFailed),
        None => Ok(Outcome::Done),
    }
}

/// Works on everything that waits, until it is done; Ctrl-C puts the rest back.
pub(crate) fn wait_for_queue(session: &Session) -> Result<Outcome, WireError> {
    let on_progress = |progress: IngestProgress| print_progress(&progress, session.json);
    let (resumed, is_interrupted) = while_heard(&session.ancre, Stop::Release, |_| {
        rag::resume_queued(&session.ancre, Nothing {}, &on_progress)
    });
    let resumed = resumed?;
    if session.json {
        print_json_line(&resumed);
    } else {
        clear_status();
        let has_documents = resumed.ready + resumed.failed + resumed.waiting > 0;
        let (built, waiting) = (resumed.indexes_built, resumed.indexes_waiting);
        if has_documents || built + waiting == 0 {
            line!(
                "{} ready, {} failed, {} still waiting",
                resumed.ready,
                resumed.failed,
                resumed.waiting
            );
        }
        if built > 0 {
            line!("{built} new {}: in use now", plural(built));
        }
        if waiting > 0 {
            line!("{waiting} new {} not whole yet: the old one answers", plural(waiting));
        }
        if is_interrupted {
            note!("stopped; “ancre ingest --resume” goes on\n");
        }
    }
    match resumed.stopped {
        Some(error) if session.json => Ok(Outcome::Refused(error.code)),
        Some(error) => Err(error),
        None if resumed.failed > 0 || is_interrupted => Ok(Outcome::SomeFailed),
        None => Ok(Outcome::Done),
    }
}

fn plural(indexes: u32) -> &'static str {
    if indexes == 1 { "index" } else { "indexes" }
}

/// Text on standard input, which is UTF-8 or is read as any text file is.
pub(crate) fn read_standard_input() -> Result<String, WireError> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| WireError::invalid(format!("standard input cannot be read: {error}")))?;
    rag::read_text(&bytes)
}

pub(crate) fn absolute(path: &Path) -> Result<String, WireError> {
    let path = std::path::absolute(path)
        .map_err(|error| WireError::invalid(format!("{}: {error}", path.display())))?;
    path.into_os_string().into_string().map_err(|path| {
        WireError::invalid(format!(
            "the path {} is not valid Unicode; give its folder",
            path.display()
        ))
    })
}

pub(crate) fn print_progress(progress: &IngestProgress, json: bool) {
    if json {
        print_json_line(progress);
        return;
    }
    if let Some(waits) = &progress.waits {
        clear_status();
        note!("{}\n", one_line(&waiting(waits)));
    } else if let Some(outcome) = &progress.outcome {
        clear_status();
        line!("{}", line(outcome));
        note_warnings(&outcome.warnings);
    } else if std::io::stderr().is_terminal() {
        let current = one_line(progress.current.as_deref().unwrap_or_default());
        if let Some(recognition) = &progress.recognition {
            note!(
                "\r\x1b[K{}/{}  {current}  {}/{}",
                progress.items_done,
                progress.items_total,
                recognition.pages_done,
                counted(recognition.pages_total, "scanned page")
            );
            return;
        }
        note!(
            "\r\x1b[K{}/{}  {current}  {}/{}",
            progress.items_done,
            progress.items_total,
            progress.chunks_done,
            counted(progress.chunks_total, "chunk")
        );
    }
}

/// Takes the line away that tells how far the work is.
pub(crate) fn clear_status() {
    if std::io::stderr().is_terminal() {
        note!("\r\x1b[K");
    }
}

fn line(outcome: &IngestOutcome) -> String {
    let name = outcome.path.as_deref().unwrap_or(&outcome.title);
    let reason = outcome.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
    match outcome.result {
        IngestResult::Ready => {
            format!("ready         {name} ({})", counted(outcome.chunk_count, "chunk"))
        }
        IngestResult::AlreadyHere => format!("already here  {name} (linked)"),
        IngestResult::Failed => format!("failed        {name}: {reason}"),
        IngestResult::Skipped => format!("skipped       {name}: {reason}"),
        IngestResult::Cancelled => format!("cancelled     {name}"),
        IngestResult::Waiting => format!("waiting       {name}"),
    }
}

/// Why nothing happens, and until when.
fn waiting(waits: &WaitingFor) -> String {
    let WaitingFor { error, next_attempt_at } = waits;
    let next = next_attempt_at.map_or_else(|| "later".to_owned(), in_how_long);
    format!("waiting: {}; it is tried again {next}, Ctrl-C stops waiting", error.message)
}

/// How far a moment is away: “in 4 s”, “in 3 min”.
pub(crate) fn in_how_long(moment: Timestamp) -> String {
    let wait = moment.as_millis().saturating_sub(SystemClock.now().as_millis());
    match wait.saturating_add(999) / 1_000 {
        ..=0 => "now".to_owned(),
        seconds @ 1..=99 => format!("in {seconds} s"),
        seconds => format!("in {} min", (seconds + 30) / 60),
    }
}

fn print_report(report: &IngestReport) {
    clear_status();
    let IngestReport { ready, already_here, failed, skipped, cancelled, waiting, .. } = report;
    let waiting = if *waiting > 0 { format!(", {waiting} still waiting") } else { String::new() };
    line!(
        "{ready} ready, {already_here} already here, {failed} failed, {skipped} skipped, \
         {cancelled} cancelled{waiting}"
    );
    if report.waiting > 0 {
        note!("nothing of it is lost; “ancre ingest --resume” goes on\n");
    }
}
