//! `ancre kb reindex`
//!
//! The index is built by a durable job; this command waits for it and shows how far it is. Whoever
//! interrupts the command finds the job in the queue, and is told how it goes on.

use std::io::IsTerminal as _;
use std::thread;
use std::time::Duration;

use ancre_app::operations::rag;
use ancre_app::wire::{
    JobRef, JobSummary, KnowledgeBaseRef, KnowledgeBaseSummary, ListJobs, Reindex, WireError,
};
use ancre_domain::{ErrorCode, JobKind, JobState, KnowledgeBaseId, PageRequest};

use super::ingest::wait_for_queue;
use crate::arguments::ReindexArguments;
use crate::interruption::{Stop, was_asked, while_heard};
use crate::output::{Outcome, counted, line, note, print_json, print_json_line, visible};
use crate::session::Session;

/// How often the job is looked at.
const PAUSE: Duration = Duration::from_millis(250);

pub(crate) fn run(session: &Session, arguments: ReindexArguments) -> Result<Outcome, WireError> {
    let kb_id = session.knowledge_base(&arguments.kb)?;
    let base = KnowledgeBaseRef { kb_id: kb_id.clone() };
    if arguments.restore {
        return restore(session, base);
    }
    if arguments.discard {
        let base = rag::discard_generation(&session.ancre, base, &|_| ())?;
        show(session, &base, "has no previous index any more");
        return Ok(Outcome::Done);
    }
    if arguments.cancel {
        return cancel(session, &kb_id);
    }
    let input = Reindex {
        kb_id,
        model: arguments.model,
        chunk_size: arguments.chunk_size,
        chunk_overlap: arguments.chunk_overlap,
    };
    if arguments.estimate {
        return estimate(session, input);
    }
    let job = rag::reindex(&session.ancre, input, &|_| ())?;
    let (outcome, is_interrupted) =
        while_heard(&session.ancre, Stop::Release, |_| wait(session, job));
    match outcome? {
        Outcome::Done => Ok(Outcome::Done),
        _ if is_interrupted && !session.json => {
            note!(
                "stopped; what is built is kept and the base answers as before. \
                 “ancre jobs resume” goes on, “ancre kb reindex --cancel” takes it away\n"
            );
            Ok(Outcome::Refused(ErrorCode::Cancelled))
        }
        outcome => Ok(outcome),
    }
}

/// So many documents, in words.
fn documents(count: u32) -> String {
    counted(count, "document")
}

fn show(session: &Session, base: &KnowledgeBaseSummary, what: &str) {
    if session.json {
        print_json(base);
    } else {
        line!("“{}” {what}", base.knowledge_base.name);
    }
}

/// Brings the previous index back, and waits until it has what came since it was replaced.
fn restore(session: &Session, base: KnowledgeBaseRef) -> Result<Outcome, WireError> {
    let restored = rag::restore_generation(&session.ancre, base, &|_| ())?;
    let to_come = restored.counts.queued + restored.counts.indexing;
    if to_come == 0 {
        show(session, &restored, "answers from its previous index again");
        return Ok(Outcome::Done);
    }
    if session.json {
        print_json_line(&restored);
    } else {
        show(session, &restored, "answers from its previous index again");
        line!("what came since is indexed for it: {}", documents(to_come));
    }
    wait_for_queue(session)
}

fn estimate(session: &Session, input: Reindex) -> Result<Outcome, WireError> {
    let cost = rag::estimate_reindex(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&cost);
        return Ok(Outcome::Done);
    }
    line!(
        "{}, {}, of which {} embedded before",
        documents(cost.documents),
        counted(cost.chunks, "chunk"),
        match cost.cached_chunks {
            1 => "1 was".to_owned(),
            several => format!("{several} were"),
        }
    );
    if cost.cached_chunks >= cost.chunks {
        line!("nothing is embedded again; the texts are cut and their words indexed");
    } else if cost.milliseconds < 60_000 {
        let seconds = cost.milliseconds.div_ceil(1000).max(1);
        let pace = cost.passages_per_second;
        line!("{} at {pace:.1} passages a second", counted(seconds, "second"));
    } else {
        let minutes = cost.milliseconds as f64 / 60_000.0;
        line!("{minutes:.1} minutes at {:.1} passages a second", cost.passages_per_second);
    }
    line!("{:.1} MB more until the old index is discarded", cost.disk_bytes as f64 / 1e6);
    Ok(Outcome::Done)
}

fn cancel(session: &Session, kb_id: &KnowledgeBaseId) -> Result<Outcome, WireError> {
    let mut offset = 0;
    loop {
        let page = PageRequest { offset, limit: PageRequest::MAX_LIMIT };
        let jobs = rag::list_jobs(&session.ancre, ListJobs { page }, &|_| ())?.items;
        let running = jobs.iter().find(|job| {
            let is_over =
                matches!(job.state, JobState::Done | JobState::Failed | JobState::Cancelled);
            job.kind == JobKind::Reindex && job.kb_id.as_ref() == Some(kb_id) && !is_over
        });
        if let Some(job) = running {
            let job_id = job.id.clone();
            let job = rag::cancel_job(&session.ancre, JobRef { job_id }, &|_| ())?;
            if session.json {
                print_json(&job);
            } else {
                line!("cancelled; the base answers as before");
            }
            return Ok(Outcome::Done);
        }
        if jobs.is_empty() {
            return Err(WireError {
                code: ErrorCode::NotFound,
                message: "no index is being built for this base".to_owned(),
                hint: Some(
                    "“ancre kb reindex” builds one; “ancre jobs list” has what is done.".to_owned(),
                ),
                details: None,
            });
        }
        offset += u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    }
}

fn wait(session: &Session, mut job: JobSummary) -> Result<Outcome, WireError> {
    loop {
        tell(session, &job);
        match job.state {
            // Ctrl-C put it back in the queue.
            JobState::Queued | JobState::Running if was_asked() => {
                return Ok(Outcome::Refused(ErrorCode::Cancelled));
            }
            JobState::Done => {
                if !session.json {
                    line!(
                        "“{}” answers from its new index; “--restore” brings the old one back, \
                         “--discard” takes it away",
                        job.title
                    );
                }
                return Ok(Outcome::Done);
            }
            JobState::Cancelled => return Ok(Outcome::Refused(ErrorCode::Cancelled)),
            JobState::Failed | JobState::Paused => {
                let error = job
                    .error
                    .unwrap_or_else(|| WireError::invalid("the job was paused; it can go on"));
                // The job has the reason; a second document would break the lines.
                return if session.json { Ok(Outcome::Refused(error.code)) } else { Err(error) };
            }
            // Put off: a reason that can pass, which this command does not wait for.
            JobState::Queued if job.error.is_some() => {
                if !session.json {
                    note!("the base answers as before; “ancre ingest --resume” goes on\n");
                }
                let error = job.error.map_or(Ok(Outcome::Done), Err);
                // The job has the reason; a second document would break the lines.
                return match error {
                    Err(error) if session.json => Ok(Outcome::Refused(error.code)),
                    outcome => outcome,
                };
            }
            JobState::Queued | JobState::Running => {}
        }
        thread::sleep(PAUSE);
        job = rag::get_job(&session.ancre, JobRef { job_id: job.id }, &|_| ())?;
    }
}

fn tell(session: &Session, job: &JobSummary) {
    if session.json {
        print_json_line(job);
        return;
    }
    if std::io::stderr().is_terminal() {
        let is_running = job.state == JobState::Running || job.state == JobState::Queued;
        let current = visible(job.current.as_deref().unwrap_or_default());
        if is_running {
            note!("\r\x1b[K{}/{}  {current}", job.items_done, job.items_total);
        } else {
            note!("\r\x1b[K");
        }
    }
}
