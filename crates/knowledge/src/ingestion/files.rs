//! Files and folders into a base, each with its own outcome.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ancre_domain::{
    Cancellation, DocumentId, DocumentStatus, ErrorCode, Explain as _, KnowledgeBaseId, ProjectId,
};
use ancre_extract::parse_file;

use super::indexing::{IndexOutcome, Indexer};
use super::paths::expand_paths;
use super::registration::{AddedSource, NewText, register_text};
use super::report::{Failure, FileOutcome, FileResult, IngestEvent, IngestReport};
use crate::KnowledgeError;
use crate::search::ensure_same_model;

/// Ingests the files behind `paths`: first reads and queues every one, then indexes them in
/// order. One that fails costs itself; a fault that would cost them all, such as a full disk,
/// stops the job with its reason, and what was queued waits. A document that was queued or in
/// error before is indexed now.
///
/// The last event is [`IngestEvent::Finished`], with the report that is also returned.
///
/// # Errors
///
/// Before anything is done: the base is not in this project, or is of another model.
pub fn ingest_files(
    indexer: &Indexer<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    paths: &[PathBuf],
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
) -> Result<IngestReport, KnowledgeError> {
    let base = indexer.store.knowledge_base(project, kb)?;
    ensure_same_model(&base, indexer.embedder)?;

    let list = expand_paths(paths);
    sink(IngestEvent::FilesFound {
        total: u32::try_from(list.files.len()).unwrap_or(u32::MAX),
        skipped: u32::try_from(list.skipped.len()).unwrap_or(u32::MAX),
    });
    let mut job =
        Job { indexer, project, kb, cancellation, sink, queued: BTreeSet::new(), stopped: None };
    let mut files: Vec<FileOutcome> =
        list.files.into_iter().map(|path| job.register(path)).collect();
    for file in &mut files {
        job.index(file);
    }
    for (path, error) in list.unreadable {
        let failure = Failure::of(&error);
        sink(IngestEvent::FileFailed { path: path.clone(), failure: failure.clone() });
        files.push(unread(path, FileResult::Failed(failure)));
    }
    let skipped = list.skipped.into_iter();
    files.extend(skipped.map(|(path, reason)| unread(path, FileResult::Skipped(reason))));

    let report = IngestReport { files, stopped: job.stopped };
    sink(IngestEvent::Finished { report: report.clone() });
    Ok(report)
}

struct Job<'a> {
    indexer: &'a Indexer<'a>,
    project: &'a ProjectId,
    kb: &'a KnowledgeBaseId,
    cancellation: &'a Cancellation,
    sink: &'a dyn Fn(IngestEvent),
    /// The documents that this job will index.
    queued: BTreeSet<DocumentId>,
    stopped: Option<Failure>,
}

impl Job<'_> {
    /// Reads one file and queues it. A file that waits for its index is
    /// [`FileResult::Waiting`].
    fn register(&mut self, path: PathBuf) -> FileOutcome {
        if self.stopped.is_some() {
            return unread(path, FileResult::Waiting);
        }
        if self.cancellation.is_cancelled() {
            return unread(path, FileResult::Cancelled);
        }
        let (added, warnings) = match self.read_and_queue(&path) {
            Ok(read) => read,
            Err(error) => {
                let failure = self.note(&error);
                (self.sink)(IngestEvent::FileFailed {
                    path: path.clone(),
                    failure: failure.clone(),
                });
                return unread(path, FileResult::Failed(failure));
            }
        };
        let AddedSource { document, was_there } = added;
        let is_new_here =
            document.status != DocumentStatus::Ready && self.queued.insert(document.id.clone());
        let outcome = FileOutcome {
            path: path.clone(),
            title: Some(document.title.clone()),
            document: Some(document.id.clone()),
            chunk_count: document.chunk_count,
            warnings,
            result: if is_new_here { FileResult::Waiting } else { FileResult::AlreadyHere },
        };
        (self.sink)(IngestEvent::FileRegistered { path, document, was_there });
        outcome
    }

    /// The document, and what there is to say of the reading.
    fn read_and_queue(&self, path: &Path) -> Result<(AddedSource, Vec<String>), KnowledgeError> {
        let mut file = parse_file(path)?;
        let warnings = std::mem::take(&mut file.parsed.warnings);
        let text = NewText::from_file(path, file);
        let Indexer { store, clock, .. } = *self.indexer;
        Ok((register_text(store, clock, self.project, self.kb, text)?, warnings))
    }

    fn index(&mut self, file: &mut FileOutcome) {
        let (FileResult::Waiting, Some(document), None) =
            (&file.result, &file.document, &self.stopped)
        else {
            return;
        };
        let (project, cancellation) = (self.project, self.cancellation);
        let outcome = self.indexer.index_and_tell(project, document, cancellation, self.sink);
        file.result = match outcome {
            Ok(IndexOutcome::Ready(indexed)) => {
                file.chunk_count = indexed.document.chunk_count;
                file.warnings.extend(indexed.warning());
                FileResult::Indexed
            }
            Ok(IndexOutcome::WasReady) => FileResult::AlreadyHere,
            // Another process brings the same text and is at it: no error, as any duplicate.
            Err(error) if error.code() == ErrorCode::DocumentBusy => FileResult::AlreadyHere,
            Ok(IndexOutcome::Cancelled) => FileResult::Cancelled,
            Ok(IndexOutcome::Failed(error)) | Err(error) => FileResult::Failed(self.note(&error)),
        };
    }

    /// Remembers an error that stops the job.
    fn note(&mut self, error: &KnowledgeError) -> Failure {
        let mut failure = Failure::of(error);
        let is_base_gone = error.code() == ErrorCode::NotFound
            && self.indexer.store.knowledge_base(self.project, self.kb).is_err();
        if is_base_gone {
            failure.message = "the knowledge base was deleted meanwhile".to_owned();
        }
        if is_base_gone || error.stops_the_job() {
            self.stopped = Some(failure.clone());
        }
        failure
    }
}

fn unread(path: PathBuf, result: FileResult) -> FileOutcome {
    FileOutcome { path, title: None, document: None, chunk_count: 0, warnings: Vec::new(), result }
}
