//! Building a new index for a base.
//!
//! The job has no items: which documents are built stands in the index itself, so a second run goes
//! on where the first was killed. A person who cancels it gets the disk space back; one who pauses
//! it, or ends the application, loses nothing.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ancre_domain::{
    ChunkingSettings, DocumentId, ErrorCode, Explain as _, Job, JobFailure, JobState, JobStep,
    KnowledgeBaseId,
};
use ancre_knowledge::ingestion::{DEFAULT_BATCH_SIZE, IndexProgress};
use ancre_knowledge::reindex::{ReindexEvent, reindex};
use serde::{Deserialize, Serialize};

use super::request::feed_again;
use super::{JobContext, JobEnd, JobWork};
use crate::Ancre;
use crate::wire::{Event, WireError};

/// What index is to be built.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReindexPayload {
    /// The id of its model.
    pub(crate) model: String,
    /// How its texts are cut.
    pub(crate) chunking: ChunkingSettings,
}

/// The work of the kind `reindex`.
pub(super) struct Reindexing;

impl JobWork for Reindexing {
    fn run(&self, context: &JobContext<'_>) -> JobEnd {
        match build(context) {
            Ok(()) => JobEnd::Done,
            Err(failure) if failure.code == ErrorCode::Cancelled => {
                let ancre = context.ancre();
                let job = ancre.store().job(ancre.project(), &context.job().id);
                if job.is_ok_and(|job| job.state == JobState::Cancelled) {
                    forget(ancre, context.job());
                }
                JobEnd::Stopped
            }
            Err(failure) => JobEnd::Failed(failure),
        }
    }
}

fn build(context: &JobContext<'_>) -> Result<(), JobFailure> {
    let ancre = context.ancre();
    let payload: ReindexPayload = context.payload()?;
    let kb_id = base_of(context.job())?;
    let model = ancre.engine().model(Some(&payload.model))?;
    context.set_step(JobStep::Indexing);
    let progress = Progress { context, kb_id, state: Mutex::default() };
    reindex(
        &model.indexer(ancre, DEFAULT_BATCH_SIZE),
        ancre.project(),
        kb_id,
        payload.chunking,
        context.cancellation(),
        &|event| progress.hear(event),
    )
    .map_err(|error| JobFailure {
        code: error.code(),
        message: error.to_string(),
        hint: error.hint(),
        details: error.details(),
    })?;
    ancre.tell(Event::KnowledgeBasesChanged);
    ancre.tell(Event::DocumentsChanged { kb_id: kb_id.clone() });
    if let Err(error) = feed_again(ancre, kb_id) {
        // They are tried again all the same, later.
        tracing::warn!(base = %kb_id, %error, "what waited for the new index still waits");
    }
    Ok(())
}

/// Takes away what a job built that was cancelled. Not much happens where it built nothing.
pub(crate) fn forget(ancre: &Ancre, job: &Job) {
    let Some(kb_id) = &job.kb_id else { return };
    // Another job may build one by now: what it builds is not this one's.
    let is_built_again =
        ancre.store().list_jobs(&job.project_id, ancre_domain::PageRequest::default());
    let is_built_again = is_built_again.is_ok_and(|jobs| {
        jobs.items.iter().any(|other| {
            other.id != job.id
                && other.kind == job.kind
                && other.kb_id == job.kb_id
                && !other.state.is_ended()
        })
    });
    if is_built_again {
        return;
    }
    match ancre.store().cancel_generation(&job.project_id, kb_id) {
        Ok(()) => ancre.tell(Event::KnowledgeBasesChanged),
        Err(error) => tracing::warn!(base = %kb_id, %error, "a half-built index stays"),
    }
}

pub(super) fn base_of(job: &Job) -> Result<&KnowledgeBaseId, JobFailure> {
    job.kb_id.as_ref().ok_or_else(|| JobFailure::from(WireError::fault("this job has no base")))
}

struct Progress<'a> {
    context: &'a JobContext<'a>,
    kb_id: &'a KnowledgeBaseId,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    chunks_before: u32,
    /// The documents that are at it.
    at_it: HashMap<DocumentId, IndexProgress>,
}

impl Progress<'_> {
    fn hear(&self, event: ReindexEvent) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ReindexEvent::Found { documents, built } => {
                if documents > built {
                    self.context.set_step(JobStep::Indexing);
                }
                self.context.report(|progress| {
                    progress.items_total = documents;
                    progress.items_done = built;
                });
            }
            ReindexEvent::Building { document, progress } => {
                let is_new = state.at_it.insert(document.clone(), progress).is_none();
                self.count(&state);
                if is_new {
                    let ancre = self.context.ancre();
                    if let Ok(document) = ancre.store().document(ancre.project(), &document) {
                        self.context.report(|progress| progress.current = Some(document.title));
                    }
                }
            }
            ReindexEvent::Built { document } => {
                if let Some(done) = state.at_it.remove(&document) {
                    state.chunks_before += done.chunks_total;
                }
                self.count(&state);
                self.context.report(|progress| progress.items_done += 1);
            }
            ReindexEvent::Switching => {
                self.context.report(|progress| progress.current = None);
                self.context.set_step(JobStep::Switching);
                self.context.ancre().tell(Event::DocumentsChanged { kb_id: self.kb_id.clone() });
            }
        }
    }

    fn count(&self, state: &State) {
        let of = |number: fn(&IndexProgress) -> u32| -> u32 {
            state.at_it.values().map(number).fold(state.chunks_before, u32::saturating_add)
        };
        let (done, total) = (of(|at| at.chunks_done), of(|at| at.chunks_total));
        self.context.report(|progress| {
            progress.chunks_done = done;
            progress.chunks_total = total;
        });
    }
}
