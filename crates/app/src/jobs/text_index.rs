//! Adding the words of bases that are from before text search.

use ancre_domain::{
    ErrorCode, Explain as _, IndexHealth, JobFailure, JobId, JobKind, JobStep, PageRequest,
};
use ancre_knowledge::words::add_missing_words;
use ancre_store::StoreError;

use super::reindex::base_of;
use super::{JobContext, JobEnd, JobRequest, JobWork, ask};
use crate::Ancre;
use crate::wire::{Event, WireError};

/// The work of the kind `text_index`. What is added stays; a second run goes on.
pub(super) struct TextIndexing;

impl JobWork for TextIndexing {
    fn run(&self, context: &JobContext<'_>) -> JobEnd {
        match add_words(context) {
            Ok(()) => JobEnd::Done,
            Err(failure) if failure.code == ErrorCode::Cancelled => JobEnd::Stopped,
            Err(failure) => JobEnd::Failed(failure),
        }
    }
}

fn add_words(context: &JobContext<'_>) -> Result<(), JobFailure> {
    let ancre = context.ancre();
    let kb_id = base_of(context.job())?;
    context.set_step(JobStep::Indexing);
    let counts = ancre.store().document_counts(ancre.project(), kb_id);
    let total = counts.map_err(|error| JobFailure::of(&error))?.chunks;
    let mut tell = |done: u32| {
        context.report(|progress| {
            progress.chunks_done = done;
            progress.chunks_total = total.max(done);
        });
    };
    let (store, project) = (ancre.store(), ancre.project());
    add_missing_words(store, project, kb_id, context.cancellation(), &mut tell).map_err(
        |error| JobFailure {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint(),
            details: error.details(),
        },
    )?;
    ancre.tell(Event::KnowledgeBasesChanged);
    Ok(())
}

/// Queues a job for each base whose words are missing, unless it has one. Quick where none is.
pub(crate) fn ask_for_missing_words(ancre: &Ancre) -> Result<(), WireError> {
    for listing in ancre.store().list_knowledge_bases(ancre.project())? {
        let base = listing.knowledge_base;
        if lacks_words(ancre, &base.id)? && !has_job(ancre, &base.id)? {
            ask(
                ancre,
                JobRequest {
                    id: JobId::generate(ancre.clock().now()),
                    kind: JobKind::TextIndex,
                    kb_id: Some(base.id),
                    title: base.name,
                    payload: serde_json::json!({}),
                    items: Vec::new(),
                },
            )?;
        }
    }
    Ok(())
}

fn lacks_words(ancre: &Ancre, kb_id: &ancre_domain::KnowledgeBaseId) -> Result<bool, StoreError> {
    let (store, project) = (ancre.store(), ancre.project());
    Ok(match store.index_health(project, kb_id)? {
        IndexHealth::Ok => false,
        _ => !store.chunks_without_words(project, kb_id, 1)?.is_empty(),
    })
}

fn has_job(ancre: &Ancre, kb_id: &ancre_domain::KnowledgeBaseId) -> Result<bool, StoreError> {
    let page = PageRequest { offset: 0, limit: PageRequest::MAX_LIMIT };
    let jobs = ancre.store().list_jobs(ancre.project(), page)?.items;
    Ok(jobs.iter().any(|job| {
        job.kind == JobKind::TextIndex && job.kb_id.as_ref() == Some(kb_id) && !job.state.is_ended()
    }))
}
