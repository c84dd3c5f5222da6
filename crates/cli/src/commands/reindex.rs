//! `ancre kb reindex`
//!
//! The index is built by a durable job; this command waits for it and shows how far it is. Whoever
//! interrupts the command finds the job in the queue.

use std::io::IsTerminal as _;
use std::thread;
use std::time::Duration;

use ancre_app::operations::rag;
use ancre_app::wire::{
    JobRef, JobSummary, KnowledgeBaseRef, KnowledgeBaseSummary, ListJobs, Reindex, WireError,
};
use ancre_domain::{ErrorCode, JobKind, JobState, KnowledgeBaseId};

use crate::arguments::ReindexArguments;
use crate::output::{Outcome, counted, line, note, one_line, print_json, print_json_line};
use crate::session::{Session, all};

/// How often the job is looked at.
const PAUSE: Duration = Duration::from_millis(250);

pub(crate) fn run(session: &Session, arguments: ReindexArguments) -> Result<Outcome, WireError> {
    let kb_id = session.knowledge_base(&arguments.kb)?;
    let base = KnowledgeBaseRef { kb_id: kb_id.clone() };
    if arguments.restore {
        let base = rag::restore_generation(&session.ancre, base, &|_| ())?;
        show(session, &base, "answers from its previous index again");
        return Ok(Outcome::Done);
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
    wait(session, job)
}

fn show(session: &Session, base: &KnowledgeBaseSummary, what: &str) {
    if session.json {
        print_json(base);
    } else {
        line!("“{}” {what}", base.knowledge_base.name);
    }
}

fn estimate(session: &Session, input: Reindex) -> Result<Outcome, WireError> {
    let cost = rag::estimate_reindex(&session.ancre, input, &|_| ())?;
    if session.json {
        print_json(&cost);
        return Ok(Outcome::Done);
    }
    line!(
        "{}, {}, of which {} were embedded before",
        counted(cost.documents, "document"),
        counted(cost.chunks, "chunk"),
        cost.cached_chunks
    );
    let minutes = cost.milliseconds as f64 / 60_000.0;
    line!("{minutes:.1} minutes at {:.1} passages a second", cost.passages_per_second);
    line!("{:.1} MB more until the old index is discarded", cost.disk_bytes as f64 / 1e6);
    Ok(Outcome::Done)
}

fn cancel(session: &Session, kb_id: &KnowledgeBaseId) -> Result<Outcome, WireError> {
    let jobs = all(|page| rag::list_jobs(&session.ancre, ListJobs { page }, &|_| ()))?;
    let is_over = |state| matches!(state, JobState::Done | JobState::Failed | JobState::Cancelled);
    let builds = |job: &JobSummary| {
        job.kind == JobKind::Reindex && job.kb_id.as_ref() == Some(kb_id) && !is_over(job.state)
    };
    let job = jobs.into_iter().find(builds).ok_or_else(|| WireError {
        code: ErrorCode::NotFound,
        message: "no index is being built for this base".to_owned(),
        hint: None,
        details: None,
    })?;
    let job = rag::cancel_job(&session.ancre, JobRef { job_id: job.id }, &|_| ())?;
    if session.json {
        print_json(&job);
    } else {
        line!("cancelled; the base answers as before");
    }
    Ok(Outcome::Done)
}

fn wait(session: &Session, mut job: JobSummary) -> Result<Outcome, WireError> {
    loop {
        tell(session, &job);
        match job.state {
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
                return job.error.map_or(Ok(Outcome::Done), Err);
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
        let current = one_line(job.current.as_deref().unwrap_or_default());
        if is_running {
            note!("\r\x1b[K{}/{}  {current}", job.items_done, job.items_total);
        } else {
            note!("\r\x1b[K");
        }
    }
}
