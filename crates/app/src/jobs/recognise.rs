//! Recognising the scanned pages of documents that are in a base.

use std::path::Path;

use ancre_domain::{
    ErrorCode, Explain as _, JobFailure, JobItem, JobItemState, JobStep, KnowledgeBaseId,
};
use ancre_knowledge::ingestion::{
    DEFAULT_BATCH_SIZE, Failure, FileResult, IngestEvent, recognise_document,
};
use ancre_store::traits::ItemChange;

use super::report::Reporter;
use super::request::base_to_feed;
use super::{JobContext, JobEnd, JobWork};
use crate::engine::Model;
use crate::wire::{RecognitionProgress, WireError};

/// The work of the kind `recognise`: each item is a document, and becomes the one in its place.
pub(super) struct Recognising;

impl JobWork for Recognising {
    fn run(&self, context: &JobContext<'_>) -> JobEnd {
        match recognise(context) {
            Ok(end) => end,
            Err(failure) => JobEnd::Failed(failure),
        }
    }
}

fn recognise(context: &JobContext<'_>) -> Result<JobEnd, JobFailure> {
    let ancre = context.ancre();
    let kb_id = context
        .job()
        .kb_id
        .clone()
        .ok_or_else(|| JobFailure::from(WireError::fault("this job feeds no base")))?;
    let reporter = Reporter::begin(context, &kb_id);
    let ended = base_to_feed(ancre, &kb_id)
        .map_err(JobFailure::from)
        .and_then(|(_, model)| take_all(context, &reporter, &kb_id, &model));
    if let Ok(JobEnd::Failed(failure)) | Err(failure) = &ended {
        reporter.stopped(failure.clone().into());
    }
    ended
}

fn take_all(
    context: &JobContext<'_>,
    reporter: &Reporter<'_>,
    kb_id: &KnowledgeBaseId,
    model: &Model,
) -> Result<JobEnd, JobFailure> {
    let (store, id) = (context.ancre().store(), &context.job().id);
    reporter.counted(&store.count_job_items(id).map_err(|error| JobFailure::of(&error))?);
    loop {
        if context.cancellation().is_cancelled() {
            return Ok(JobEnd::Stopped);
        }
        let next = store.next_job_items(id, 0, 1).map_err(|error| JobFailure::of(&error))?;
        let Some(item) = next.into_iter().next() else { return Ok(JobEnd::Done) };
        if let Some(failure) = take(context, reporter, kb_id, model, item)? {
            return Ok(JobEnd::Failed(failure));
        }
    }
}

/// Takes one item. Some failure stops the job.
fn take(
    context: &JobContext<'_>,
    reporter: &Reporter<'_>,
    kb_id: &KnowledgeBaseId,
    model: &Model,
    mut item: JobItem,
) -> Result<Option<JobFailure>, JobFailure> {
    let ancre = context.ancre();
    let (store, id, number) = (ancre.store(), &context.job().id, item.number);
    let stand = |state, change: &ItemChange| {
        store
            .change_job_item(id, number, state, change, ancre.clock().now())
            .map_err(|error| JobFailure::of(&error))
    };
    let document = item
        .document_id
        .clone()
        .ok_or_else(|| JobFailure::from(WireError::fault("this item names no document")))?;
    context.set_step(JobStep::Reading);
    reporter.reading(&item.title, None);
    stand(JobItemState::Reading, &ItemChange::default())?;
    let title = item.title.clone();
    let indexer = model.indexer(ancre, DEFAULT_BATCH_SIZE);
    let hear = |event: IngestEvent| match event {
        IngestEvent::FileRecognising { progress, .. } => {
            let (pages_done, pages_total) = (progress.pages_done, progress.pages_total);
            reporter.reading(&title, Some(RecognitionProgress { pages_done, pages_total }));
        }
        IngestEvent::DocumentIndexing { progress, .. } => {
            context.set_step(JobStep::Indexing);
            reporter.indexing(number, &title, progress);
        }
        _ => {}
    };
    let (project, reader, stop) = (ancre.project(), ancre.reader(), context.cancellation());
    let outcome = match recognise_document(&indexer, reader, project, &document, stop, &hear) {
        Ok(outcome) => outcome,
        Err(error) => {
            let is_base_there = store.knowledge_base(project, kb_id).is_ok();
            // The document went, alone: the others can be recognised all the same.
            if error.code() != ErrorCode::NotFound || !is_base_there {
                return Ok(Some(JobFailure::of(&error)));
            }
            let change =
                ItemChange { failure: Some(JobFailure::of(&error)), ..ItemChange::default() };
            stand(JobItemState::Cancelled, &change)?;
            item.state = JobItemState::Cancelled;
            item.failure = change.failure;
            reporter.item_done(item);
            return Ok(None);
        }
    };
    let (state, failure) = match outcome.result {
        FileResult::Indexed => (JobItemState::Ready, None),
        FileResult::AlreadyHere => (JobItemState::AlreadyHere, None),
        FileResult::Failed(failure) => (JobItemState::Failed, Some(kept(failure))),
        FileResult::Skipped(_) => (JobItemState::Skipped, None),
        // It waits again, or is cancelled with its job.
        FileResult::Cancelled | FileResult::Waiting => {
            reporter.put_down(number);
            return Ok(None);
        }
    };
    if let Some(failure) = failure.clone().filter(JobFailure::can_pass) {
        reporter.put_down(number);
        return Ok(Some(failure));
    }
    let is_whole = failure.is_none();
    let change = ItemChange {
        title: outcome.title,
        // One that failed is tried again from the document that is there.
        document_id: outcome.document.filter(|_| is_whole),
        chunk_count: outcome.chunk_count,
        failure,
        warnings: outcome.warnings,
    };
    stand(state, &change)?;
    reporter.item_done(JobItem {
        state,
        title: change.title.unwrap_or(item.title),
        path: Some(outcome.path)
            .filter(|path| path != Path::new(""))
            .map(|path| path.to_string_lossy().into_owned()),
        document_id: change.document_id.or(item.document_id),
        chunk_count: change.chunk_count,
        failure: change.failure,
        warnings: change.warnings,
        ..item
    });
    Ok(None)
}

fn kept(failure: Failure) -> JobFailure {
    let Failure { code, message, hint, details } = failure;
    JobFailure { code, message, hint, details }
}
