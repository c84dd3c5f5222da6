//! `ancre jobs`

use ancre_app::operations::rag;
use ancre_app::wire::{
    JobItemView, JobRef, JobSummary, ListJobItems, ListJobs, MoveJob, Nothing, RetryJob, WireError,
};
use ancre_domain::{JobId, JobItemState, JobState};
use serde::Serialize;

use super::ingest::{in_how_long, wait_for_queue};
use crate::arguments::JobsCommand;
use crate::names;
use crate::output::{Outcome, counted, line, note_warnings_of, print_json, print_table};
use crate::session::{Session, all};

pub(crate) fn run(session: &Session, command: JobsCommand) -> Result<Outcome, WireError> {
    let ancre = &session.ancre;
    match command {
        JobsCommand::List => {
            let jobs = all(|page| rag::list_jobs(ancre, ListJobs { page }, &|_| ()))?;
            if session.json {
                print_json(&jobs);
            } else {
                print_jobs(&jobs);
            }
        }
        JobsCommand::Show { id, state } => show(session, &names::job(&id)?, state.as_deref())?,
        JobsCommand::Pause { id } => {
            let job = rag::pause_job(ancre, job_ref(&id)?, &|_| ())?;
            say(session, &job, "paused");
        }
        // What was asked for goes on here and now; nobody else may be there to do it.
        JobsCommand::Resume { id } => {
            rag::resume_job(ancre, job_ref(&id)?, &|_| ())?;
            return wait_for_queue(session);
        }
        JobsCommand::Cancel { id } => {
            let job = rag::cancel_job(ancre, job_ref(&id)?, &|_| ())?;
            say(session, &job, "cancelled");
        }
        JobsCommand::Retry { id: Some(id), item, password, recognise } => {
            let job_id = names::job(&id)?;
            let password = password.map(Into::into);
            let input = RetryJob { job_id, number: item, password, recognise };
            rag::retry_job(ancre, input, &|_| ())?;
            return wait_for_queue(session);
        }
        JobsCommand::Retry { id: None, .. } => {
            rag::retry_failed(ancre, Nothing {}, &|_| ())?;
            return wait_for_queue(session);
        }
        JobsCommand::Move { id, before } => {
            let before = before.as_deref().map(names::job).transpose()?;
            rag::move_job(ancre, MoveJob { job_id: names::job(&id)?, before }, &|_| ())?;
            say_nothing(session, "moved it");
        }
        JobsCommand::Clear => {
            rag::clear_jobs(ancre, Nothing {}, &|_| ())?;
            say_nothing(session, "forgot the jobs that have ended");
        }
    }
    Ok(Outcome::Done)
}

/// A job with its items.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    job: JobSummary,
    items: Vec<JobItemView>,
}

fn show(session: &Session, job_id: &JobId, state: Option<&str>) -> Result<(), WireError> {
    let state = match state {
        None => None,
        Some(word) => Some(
            JobItemState::from_word(word)
                .ok_or_else(|| WireError::invalid(format!("no item is ever “{word}”")))?,
        ),
    };
    let job = rag::get_job(&session.ancre, JobRef { job_id: job_id.clone() }, &|_| ())?;
    let items = all(|page| {
        let input = ListJobItems { job_id: job_id.clone(), state, page };
        rag::list_job_items(&session.ancre, input, &|_| ())
    })?;
    if session.json {
        print_json(&Shown { job, items });
        return Ok(());
    }
    print_jobs(std::slice::from_ref(&job));
    if let Some(error) = &job.error {
        match job.next_attempt_at {
            Some(next) => line!("{}; it is tried again {}", error.message, in_how_long(next)),
            None => line!("{}", error.message),
        }
    }
    if job.items_flagged > 0 {
        line!("{} with warnings", counted(job.items_flagged, "item"));
    }
    let mut rows = vec![["item", "state", "chunks", "name", ""].map(str::to_owned).to_vec()];
    rows.extend(items.iter().map(|item| {
        vec![
            item.number.to_string(),
            item.state.as_str().to_owned(),
            item.chunks_done.to_string(),
            item.path.as_ref().unwrap_or(&item.title).clone(),
            item.error.as_ref().map(|error| error.message.clone()).unwrap_or_default(),
        ]
    }));
    print_table(&rows);
    for item in &items {
        note_warnings_of(item.path.as_ref().unwrap_or(&item.title), &item.warnings);
    }
    Ok(())
}

fn print_jobs(jobs: &[JobSummary]) {
    let heading = ["job", "kind", "state", "done", "failed", "base", "title"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(jobs.iter().map(|job| {
        let state = match (job.state, &job.next_attempt_at) {
            (JobState::Queued, Some(_)) => "put off",
            (state, _) => state.as_str(),
        };
        vec![
            job.id.to_string(),
            job.kind.as_str().to_owned(),
            state.to_owned(),
            format!("{}/{}", job.items_done, job.items_total),
            job.items_failed.to_string(),
            job.kb_name.clone().unwrap_or_default(),
            job.title.clone(),
        ]
    }));
    print_table(&rows);
}

fn say(session: &Session, job: &JobSummary, what: &str) {
    if session.json {
        print_json(job);
    } else {
        line!("{what} “{}” ({})", job.title, job.id);
    }
}

fn say_nothing(session: &Session, what: &str) {
    if session.json {
        print_json(&Nothing {});
    } else {
        line!("{what}");
    }
}

fn job_ref(id: &str) -> Result<JobRef, WireError> {
    Ok(JobRef { job_id: names::job(id)? })
}
