//! Indexing the document of an item.

use std::time::Duration;

use ancre_domain::{Document, ErrorCode, Explain as _, JobFailure, JobItem, JobItemState};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::ingestion::IndexOutcome;
use ancre_store::traits::ItemChange;

use super::{Line, Registered};

/// How long to wait before looking again at a document that another job is indexing.
const BUSY: Duration = Duration::from_millis(50);

impl Line<'_> {
    /// Indexes one document and writes its item's outcome. When everything stops it stays without
    /// one, and waits.
    pub(super) fn index(&self, registered: Registered) {
        let Registered { item, document } = registered;
        if self.must_stop() {
            return;
        }
        let change = ItemChange { document_id: Some(document.clone()), ..ItemChange::default() };
        if !self.stand(item.number, JobItemState::Embedding, &change) {
            return;
        }
        self.context.set_step(ancre_domain::JobStep::Indexing);
        let project = self.ancre().project();
        let mut tell = |progress| self.reporter.indexing(item.number, &item.title, progress);
        let outcome = loop {
            let cancellation = self.context.cancellation();
            let outcome = self.indexer.index_document(project, &document, cancellation, &mut tell);
            // Another job brings the same text and is at it: what becomes of it counts here too.
            let is_busy = matches!(&outcome, Err(error) if error.code() == ErrorCode::DocumentBusy);
            if !is_busy || self.must_stop() {
                break outcome;
            }
            std::thread::sleep(BUSY);
        };
        match outcome {
            Ok(IndexOutcome::Ready(document)) => self.found(item, JobItemState::Ready, document),
            Ok(IndexOutcome::WasReady) => match self.ancre().store().document(project, &document) {
                // An earlier run of this job was killed between the document and its item.
                Ok(document) if item.attempts > 0 => {
                    self.found(item, JobItemState::Ready, document);
                }
                Ok(document) => self.found(item, JobItemState::AlreadyHere, document),
                Err(error) => self.lost(item, &error.into()),
            },
            Ok(IndexOutcome::Cancelled) => self.reporter.put_down(item.number),
            Err(error) if error.code() == ErrorCode::DocumentBusy => {
                self.reporter.put_down(item.number);
            }
            Ok(IndexOutcome::Failed(error)) | Err(error) => self.lost(item, &error),
        }
    }

    fn found(&self, item: JobItem, state: JobItemState, document: Document) {
        let change = ItemChange {
            title: Some(document.title),
            document_id: Some(document.id),
            chunk_count: document.chunk_count,
            failure: None,
            warnings: document.warnings,
        };
        self.end(item, state, change);
    }

    fn lost(&self, item: JobItem, error: &KnowledgeError) {
        if error.stops_the_job() {
            self.reporter.put_down(item.number);
            self.note(JobFailure::of(error));
            return;
        }
        if self.is_base_gone(error.code()) {
            self.reporter.put_down(item.number);
            return;
        }
        // Somebody took the document out of its base: that is no failure.
        let (state, failure) = if error.code() == ErrorCode::NotFound {
            let message = "it was taken out of its base before it was indexed".to_owned();
            let failure =
                JobFailure { code: ErrorCode::NotFound, message, hint: None, details: None };
            (JobItemState::Cancelled, failure)
        } else {
            (JobItemState::Failed, JobFailure::of(error))
        };
        let warnings = item.warnings.clone();
        self.end(
            item,
            state,
            ItemChange { failure: Some(failure), warnings, ..ItemChange::default() },
        );
    }
}
