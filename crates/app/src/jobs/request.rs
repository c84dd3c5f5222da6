//! Asking for a job.

use ancre_domain::{
    Document, DocumentStatus, ErrorCode, Job, JobId, JobItemState, JobKind, JobState,
    KnowledgeBase, KnowledgeBaseId,
};
use ancre_knowledge::ingestion::{AddedSource, DEFAULT_BATCH_SIZE, register_text};
use ancre_store::StoreError;
use ancre_store::traits::{NewJob, NewJobItem};
use serde::Serialize;

pub(crate) use ancre_knowledge::ingestion::NewText;

use super::ingest::IngestPayload;
use super::worker::tell_change;
use crate::Ancre;
use crate::engine::Model;
use crate::wire::{Event, WireError};

/// The longest title of a job, in characters.
const LONGEST_TITLE: usize = 80;

/// A job that somebody wants.
#[derive(Debug)]
pub(crate) struct JobRequest<P> {
    /// Its id, so that one can listen before it begins.
    pub(crate) id: JobId,
    pub(crate) kind: JobKind,
    pub(crate) kb_id: Option<KnowledgeBaseId>,
    pub(crate) title: String,
    pub(crate) payload: P,
    pub(crate) items: Vec<NewJobItem>,
}

/// Queues a job, tells everyone, and lets the workers look. It is durable when this returns.
pub(crate) fn ask<P: Serialize>(ancre: &Ancre, request: JobRequest<P>) -> Result<Job, WireError> {
    let JobRequest { id, kind, kb_id, title, payload, items } = request;
    let payload = serde_json::to_string(&payload)
        .map_err(|error| WireError::fault(format!("the job could not be written: {error}")))?;
    let project_id = ancre.project().clone();
    let title = shortened(&title);
    let new = NewJob { id, project_id, kb_id, kind, title, payload, items };
    let job = ancre.store().enqueue_job(&new, ancre.clock().now())?;
    tell_change(ancre, job.clone());
    ancre.tell(Event::JobsChanged);
    ancre.start_jobs();
    ancre.jobs().call();
    Ok(job)
}

/// Queues a job that indexes documents which are in the base.
pub(crate) fn ingest_documents(
    ancre: &Ancre,
    id: JobId,
    kb_id: &KnowledgeBaseId,
    documents: &[Document],
    batch_size: Option<u32>,
) -> Result<Job, WireError> {
    let title = match documents {
        [first, others @ ..] if !others.is_empty() => format!("{} +{}", first.title, others.len()),
        _ => documents.first().map(|document| document.title.clone()).unwrap_or_default(),
    };
    let payload = IngestPayload { batch_size, ..IngestPayload::default() };
    let items = documents.iter().map(item_of_document).collect();
    let kb_id = Some(kb_id.clone());
    ask(ancre, JobRequest { id, kind: JobKind::Ingest, kb_id, title, payload, items })
}

/// Stores texts in the library and queues a job that indexes them.
pub(crate) fn ingest_texts(
    ancre: &Ancre,
    id: JobId,
    kb_id: &KnowledgeBaseId,
    texts: Vec<NewText>,
    batch_size: Option<u32>,
) -> Result<Job, WireError> {
    let mut documents: Vec<Document> = Vec::new();
    for text in texts {
        let (store, clock, project) = (ancre.store(), ancre.clock(), ancre.project());
        let AddedSource { document, .. } = register_text(store, clock, project, kb_id, text)?;
        documents.push(document);
    }
    ingest_documents(ancre, id, kb_id, &documents, batch_size)
}

/// Makes a job, for each base, of the documents that wait without one: what an older version left,
/// or what something put back in the queue.
pub(crate) fn adopt(ancre: &Ancre) -> Result<u32, WireError> {
    adopt_documents(ancre, ancre.store().documents_without_job()?)
}

fn adopt_documents(
    ancre: &Ancre,
    waiting: Vec<(ancre_domain::ProjectId, KnowledgeBaseId, ancre_domain::DocumentId)>,
) -> Result<u32, WireError> {
    let mut by_base: Vec<(KnowledgeBaseId, Vec<Document>)> = Vec::new();
    let mut count = 0;
    for (project, kb_id, document) in waiting {
        // A job belongs to the project that is open; others wait until theirs is.
        if project != *ancre.project() {
            continue;
        }
        let document = match ancre.store().document(&project, &document) {
            Ok(document) => document,
            // Gone since the list was made.
            Err(StoreError::NotFound { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        count += 1;
        match by_base.iter_mut().find(|(base, _)| *base == kb_id) {
            Some((_, documents)) => documents.push(document),
            None => by_base.push((kb_id, vec![document])),
        }
    }
    for (kb_id, documents) in by_base {
        ingest_documents(ancre, JobId::generate(ancre.clock().now()), &kb_id, &documents, None)?;
    }
    Ok(count)
}

/// The base and its model, which is loaded, so that a missing one, or one that was updated since the
/// base was indexed, is said to whoever asked, before anything is queued.
pub(crate) fn base_to_feed(
    ancre: &Ancre,
    kb_id: &KnowledgeBaseId,
) -> Result<(KnowledgeBase, Model), WireError> {
    let base = ancre.store().knowledge_base(ancre.project(), kb_id)?;
    let model = ancre.engine().model_of(&base)?;
    model.indexer(ancre, DEFAULT_BATCH_SIZE).ensure_feeds(ancre.project(), &base)?;
    Ok((base, model))
}

/// Lets what had to wait for a new index of a base go on: the jobs that were put off, and documents
/// without one.
pub(crate) fn feed_again(ancre: &Ancre, kb_id: &KnowledgeBaseId) -> Result<(), WireError> {
    for (project, id) in ancre.store().active_jobs()? {
        if project != *ancre.project() {
            continue;
        }
        let job = ancre.store().job(&project, &id)?;
        let waits = job.failure.as_ref().is_some_and(|it| it.code == ErrorCode::ModelMismatch);
        if waits && job.kb_id.as_ref() == Some(kb_id) && job.state == JobState::Queued {
            tell_change(ancre, ancre.store().resume_job(&project, &id)?);
        }
    }
    adopt(ancre)?;
    ancre.jobs().call();
    Ok(())
}

fn item_of_document(document: &Document) -> NewJobItem {
    let is_ready = document.status == DocumentStatus::Ready;
    NewJobItem {
        path: None,
        title: document.title.clone(),
        state: if is_ready { JobItemState::AlreadyHere } else { JobItemState::Queued },
        document_id: Some(document.id.clone()),
        chunk_count: document.chunk_count,
        payload: None,
        failure: None,
        warnings: document.warnings.clone(),
    }
}

fn shortened(title: &str) -> String {
    if title.chars().count() <= LONGEST_TITLE {
        return title.to_owned();
    }
    title.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}
