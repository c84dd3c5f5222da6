//! What Ctrl-C means while a command waits for jobs or measures: they are stopped, their end is
//! waited for, and the command reports as always. Nothing is asked a second time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ancre_app::Ancre;
use ancre_app::operations::rag;
use ancre_app::wire::{JobRef, KnowledgeBaseRef};
use ancre_domain::{ErrorCode, JobId, KnowledgeBaseId};

use crate::output::note;

/// Whether somebody pressed Ctrl-C.
static WAS_ASKED: AtomicBool = AtomicBool::new(false);

/// How often one looks whether somebody did.
const LOOK: Duration = Duration::from_millis(50);

/// What Ctrl-C does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop<'a> {
    /// The jobs that this command asked for are cancelled.
    Cancel,
    /// The jobs that this command asked for are paused: what they built would go with them.
    Pause,
    /// The jobs go back in the queue, for whoever opens the data folder next.
    Release,
    /// The measurement of this base comes to nothing.
    Measurement(&'a KnowledgeBaseId),
}

/// Does `work`, which names each job that it waits for. Says besides whether somebody pressed
/// Ctrl-C.
pub(crate) fn while_heard<T>(
    ancre: &Ancre,
    stop: Stop<'_>,
    work: impl FnOnce(&dyn Fn(&JobId)) -> T,
) -> (T, bool) {
    if let Err(error) = ctrlc::set_handler(|| WAS_ASKED.store(true, Ordering::Relaxed)) {
        // Then the system ends the process, and the next one goes on with the jobs.
        note!("warning: Ctrl-C cannot be heard: {error}\n");
    }
    let named: Mutex<Option<JobId>> = Mutex::new(None);
    let is_over = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(LOOK);
                if !was_asked() {
                    continue;
                }
                match stop {
                    Stop::Release => {
                        ancre.stop_jobs();
                        return;
                    }
                    Stop::Measurement(kb_id) => {
                        // Again and again: it may not have begun.
                        let base = KnowledgeBaseRef { kb_id: kb_id.clone() };
                        let _ = rag::stop_bench(ancre, base, &|_| ());
                        continue;
                    }
                    Stop::Cancel | Stop::Pause => {}
                }
                let job = named.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(job_id) = job {
                    let job = JobRef { job_id };
                    let stopped = match stop {
                        Stop::Pause => rag::pause_job(ancre, job, &|_| ()),
                        _ => rag::cancel_job(ancre, job, &|_| ()),
                    };
                    match stopped {
                        // One that has just ended needs no stopping; its report says so.
                        Ok(_) => {}
                        Err(error)
                            if matches!(error.code, ErrorCode::JobEnded | ErrorCode::NotFound) => {}
                        // What cannot be written down waits for the next one; nobody is kept here.
                        Err(_) => {
                            ancre.stop_jobs();
                            return;
                        }
                    }
                }
            }
        });
        let name = |id: &JobId| {
            *named.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.clone());
        };
        let result = work(&name);
        is_over.store(true, Ordering::Relaxed);
        result
    });
    (result, was_asked())
}

/// Whether somebody pressed Ctrl-C.
pub(crate) fn was_asked() -> bool {
    WAS_ASKED.load(Ordering::Relaxed)
}
