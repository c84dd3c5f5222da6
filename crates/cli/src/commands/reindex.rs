//! `ancre kb reindex`
//!
//! The index is built by a durable job; this command waits for it and shows how far it is. Ctrl-C
//! pauses the job: cancelling it would take away what is built. Whoever kills the command finds the
//! job in the queue.

use std::io::IsTerminal as _;
use std::thread;
use std::time::Duration;

use ancre_app::operations::rag;
use ancre_app::wire::{
    JobRef, JobSummary, KnowledgeBaseRef, KnowledgeBaseSummary, ListJobs, Reindex, ReindexEstimate,
    WireError,
};
use ancre_domain::{ErrorCode, JobKind, JobState, KnowledgeBaseId};

use super::ingest::wait_for_queue;
use crate::arguments::ReindexArguments;
use crate::interruption::{Stop, while_heard};
use crate::output::{Outcome, counted, line, note, one_line, print_json, print_json_line};
use crate::session::{Session, all};

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
    let (ended, is_interrupted) = while_heard(&session.ancre, Stop::Pause, |name| {
        let job = rag::reindex(&session.ancre, input, &|_| ())?;
        name(&job.id);
        wait(session, job)
    });
    ended.and_then(|job| finish(session, job, is_interrupted))
}

/// The previous index answers at once; documents that came since are indexed for it here and now,
/// since nobody else may be there to do it.
fn restore(session: &Session, base: KnowledgeBaseRef) -> Result<Outcome, WireError> {
    let restored = rag::restore_generation(&session.ancre, base.clone(), &|_| ())?;
    let waiting = restored.counts.queued + restored.counts.indexing;
    if waiting == 0 {
        show(session, &restored, "answers from its previous index again");
        return Ok(Outcome::Done);
    }
    if !session.json {
        show(session, &restored, "answers from its previous index again");
        line!("{waiting} documents that are not in it are indexed for it now");
    }
    let outcome = wait_for_queue(session)?;
    if session.json {
        print_json_line(&rag::get_knowledge_base(&session.ancre, base, &|_| ())?);
    }
    Ok(outcome)
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
    line!("{}", time_of(&cost));
    line!("{:.1} MB more until the old index is discarded", cost.disk_bytes as f64 / 1e6);
    Ok(Outcome::Done)
}

/// How long it takes, in words that hold where there is nothing to embed or no pace is known.
fn time_of(cost: &ReindexEstimate) -> String {
    if cost.chunks == 0 {
        return "nothing is to be indexed".to_owned();
    }
    if cost.cached_chunks == cost.chunks {
        return format!(
            "all vectors are kept, so the model has nothing to do; what remains is to write {} \
             chunks and their words",
            cost.chunks
        );
    }
    if cost.passages_per_second <= 0.0 {
        return "how fast the model is on this machine is not known yet".to_owned();
    }
    let minutes = cost.milliseconds as f64 / 60_000.0;
    format!("{minutes:.1} minutes at {:.1} passages a second", cost.passages_per_second)
}

fn cancel(session: &Session, kb_id: &KnowledgeBaseId) -> Result<Outcome, WireError> {
    let jobs = all(|page| rag::list_jobs(&session.ancre, ListJobs { page }, &|_| ()))?;
    let is_over = |state| matches!(state, JobState::Done | JobState::Failed | JobState::Cancelled);
    let builds = |job: &JobSummary| {
        job.kind == JobKind::Reindex && job.kb_id.as_ref() == Some(kb_id) && !is_over(job.state)
    };
    let Some(job) = jobs.into_iter().find(builds) else {
        let base = KnowledgeBaseRef { kb_id: kb_id.clone() };
        let name = rag::get_knowledge_base(&session.ancre, base, &|_| ())?.knowledge_base.name;
        return Err(WireError {
            code: ErrorCode::NotFound,
            message: format!("no index is being built for “{name}”"),
            hint: Some(format!("“ancre kb reindex '{name}'” begins one.")),
            details: None,
        });
    };
    let job = rag::cancel_job(&session.ancre, JobRef { job_id: job.id }, &|_| ())?;
    if session.json {
        print_json(&job);
    } else {
        line!("cancelled; the base answers as before");
    }
    Ok(Outcome::Done)
}

/// Waits until the job rests, and shows how far it is.
fn wait(session: &Session, mut job: JobSummary) -> Result<JobSummary, WireError> {
    loop {
        tell(session, &job);
        // Put off is a reason that can pass, which this command does not wait for.
        let rests = match job.state {
            JobState::Done | JobState::Cancelled | JobState::Failed | JobState::Paused => true,
            JobState::Queued => job.error.is_some(),
            JobState::Running => false,
        };
        if rests {
            return Ok(job);
        }
        thread::sleep(PAUSE);
        job = rag::get_job(&session.ancre, JobRef { job_id: job.id }, &|_| ())?;
    }
}

fn finish(session: &Session, job: JobSummary, is_interrupted: bool) -> Result<Outcome, WireError> {
    match job.state {
        JobState::Done => {
            if !session.json {
                // A damaged index is not kept.
                let rest = if keeps_previous(session, &job)? {
                    "; “--restore” brings the old one back, “--discard” takes it away"
                } else {
                    ""
                };
                line!("“{}” answers from its new index{rest}", job.title);
            }
            return Ok(Outcome::Done);
        }
        JobState::Cancelled => return Ok(Outcome::Refused(ErrorCode::Cancelled)),
        JobState::Paused => {
            if !session.json {
                line!(
                    "paused with {} of {} documents built; “{}” answers as before",
                    job.items_done,
                    job.items_total,
                    job.title
                );
                note!(
                    "{}; “ancre jobs resume {}” goes on, “ancre kb reindex '{}' --cancel” takes \
                     away what is built\n",
                    if is_interrupted { "stopped" } else { "somebody paused it" },
                    job.id,
                    job.title
                );
            }
            return Ok(Outcome::SomeFailed);
        }
        JobState::Failed | JobState::Queued | JobState::Running => {}
    }
    match job.error {
        // The job has the reason; a second document would break the lines.
        Some(error) if session.json => Ok(Outcome::Refused(error.code)),
        Some(error) => {
            if job.state == JobState::Queued {
                note!("the base answers as before; “ancre ingest --resume” goes on\n");
            }
            Err(error)
        }
        None => Ok(Outcome::Done),
    }
}

/// Whether the index that answered before is there to be brought back.
fn keeps_previous(session: &Session, job: &JobSummary) -> Result<bool, WireError> {
    let Some(kb_id) = job.kb_id.clone() else { return Ok(false) };
    let base = rag::get_knowledge_base(&session.ancre, KnowledgeBaseRef { kb_id }, &|_| ())?;
    Ok(base.index.previous.is_some())
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
