//! Indexing the documents of a job's items, in the line of their model.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use ancre_domain::{
    Document, DocumentId, ErrorCode, Explain as _, JobFailure, JobItem, JobItemState, JobStep,
};
use ancre_knowledge::ingestion::{IndexOutcome, IndexProgress};
use ancre_knowledge::{Arrival, KnowledgeError, LineDocument, LineEvent};
use ancre_store::traits::ItemChange;

use super::{Line, Registered};

/// How long to wait before looking again at a document that another job is indexing.
const BUSY: Duration = Duration::from_millis(50);

/// The items whose documents are in the line, and those that come back to it.
#[derive(Default)]
struct InLine {
    items: HashMap<DocumentId, InWork>,
    /// Those of which another job has the document, or another item of this one.
    busy: VecDeque<(Instant, Registered)>,
}

struct InWork {
    item: JobItem,
    is_embedding: bool,
}

impl Line<'_> {
    /// Indexes what the readers bring, and writes each item's outcome. When everything stops, those
    /// without one wait.
    pub(super) fn index_all(&self, read: Receiver<Registered>) {
        let in_line = RefCell::new(InLine::default());
        let mut has_ended = false;
        let mut arrivals = || {
            if self.must_stop() {
                return Arrival::End;
            }
            let mut in_line = in_line.borrow_mut();
            if let Some(registered) = in_line.next_busy() {
                return self.place(&mut in_line, registered);
            }
            match if has_ended { Err(TryRecvError::Disconnected) } else { read.try_recv() } {
                Ok(registered) => self.place(&mut in_line, registered),
                Err(TryRecvError::Empty) => Arrival::NotYet,
                Err(TryRecvError::Disconnected) => {
                    has_ended = true;
                    if in_line.busy.is_empty() { Arrival::End } else { Arrival::NotYet }
                }
            }
        };
        self.indexer.index_arrivals(&mut arrivals, &mut |event| {
            match event {
                LineEvent::Progressed { document, progress } => {
                    self.progressed(&mut in_line.borrow_mut(), &document, progress);
                }
                LineEvent::Ended { document, outcome } => {
                    let in_work = in_line.borrow_mut().items.remove(&document);
                    if let Some(InWork { item, .. }) = in_work
                        && let Some(busy) = self.ended(item, document, outcome)
                    {
                        in_line.borrow_mut().busy.push_back((Instant::now(), busy));
                    }
                }
            }
            if self.must_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Readers that still wait to hand something over end at a closed door.
        drop(read);
        for in_work in in_line.into_inner().items.into_values() {
            self.reporter.put_down(in_work.item.number);
        }
    }

    fn place(&self, in_line: &mut InLine, registered: Registered) -> Arrival {
        let Registered { item, document } = registered;
        if in_line.items.contains_key(&document) {
            in_line.busy.push_back((Instant::now(), Registered { item, document }));
            return Arrival::NotYet;
        }
        let line_document = LineDocument {
            project_id: self.ancre().project().clone(),
            document_id: document.clone(),
            cancellation: self.context.cancellation().clone(),
        };
        in_line.items.insert(document, InWork { item, is_embedding: false });
        Arrival::Document(line_document)
    }

    fn progressed(&self, in_line: &mut InLine, document: &DocumentId, progress: IndexProgress) {
        let Some(InWork { item, is_embedding }) = in_line.items.get_mut(document) else { return };
        if !*is_embedding {
            let document_id = Some(document.clone());
            let change = ItemChange { document_id, ..ItemChange::default() };
            *is_embedding = self.stand(item.number, JobItemState::Embedding, &change);
            self.context.set_step(JobStep::Indexing);
        }
        self.reporter.indexing(item.number, &item.title, progress);
    }

    /// Writes an item's outcome, or gives it back when another job brings the same text and is at
    /// it: what becomes of it counts here too.
    fn ended(
        &self,
        item: JobItem,
        document: DocumentId,
        outcome: Result<IndexOutcome, KnowledgeError>,
    ) -> Option<Registered> {
        match outcome {
            Ok(IndexOutcome::Ready(document)) => self.found(item, JobItemState::Ready, document),
            Ok(IndexOutcome::WasReady) => {
                match self.ancre().store().document(self.ancre().project(), &document) {
                    // An earlier run of this job was killed between the document and its item.
                    Ok(document) if item.attempts > 0 => {
                        self.found(item, JobItemState::Ready, document);
                    }
                    Ok(document) => self.found(item, JobItemState::AlreadyHere, document),
                    Err(error) => self.lost(item, &error.into()),
                }
            }
            Ok(IndexOutcome::Cancelled) => self.reporter.put_down(item.number),
            Err(error) if error.code() == ErrorCode::DocumentBusy => {
                return Some(Registered { item, document });
            }
            Ok(IndexOutcome::Failed(error)) | Err(error) => self.lost(item, &error),
        }
        None
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

impl InLine {
    fn next_busy(&mut self) -> Option<Registered> {
        let is_due = self.busy.front().is_some_and(|(since, _)| since.elapsed() >= BUSY);
        if is_due { self.busy.pop_front().map(|(_, registered)| registered) } else { None }
    }
}
