//! Taking files, folders and texts into a base.
//!
//! Two steps. The first finds the files and writes each down as an item, so that a folder of ten
//! thousand is known at once. The second takes the items in order: a few threads read files and
//! store their texts, so that a scan that takes minutes does not keep the others from it, and hand
//! them to the line of their model, a bounded number ahead. What is finished is written item by
//! item; a second run takes up what has no outcome.

mod indexing;
mod place;
mod reading;

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use ancre_domain::{
    DocumentId, ErrorCode, JobFailure, JobItem, JobItemState, JobStep, KnowledgeBaseId,
};
use ancre_extract::ExtractError;
use ancre_knowledge::ingestion::{DEFAULT_BATCH_SIZE, Indexer, SkipReason, expand_paths};
use ancre_store::StoreError;
use ancre_store::traits::{ItemChange, NewJobItem};
use serde::{Deserialize, Serialize};

use self::place::Place;
use self::reading::Shelf;
use super::report::Reporter;
use super::request::base_to_feed;
use super::{JobContext, JobEnd, JobWork};
use crate::Ancre;
use crate::engine::Model;
use crate::wire::WireError;

/// How many items are written in one transaction.
const ITEMS_AT_ONCE: usize = 500;

/// How many items are looked at in one query.
const LOOK: u32 = 200;

/// How many texts are read before the line wants them.
const AHEAD: usize = 8;

/// How many files of a job are read side by side.
const READERS: usize = 3;

/// What an ingestion is to do, besides the items that it may have from the start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct IngestPayload {
    /// Files and folders, as a person named them.
    pub(crate) paths: Vec<String>,
    /// A title in place of the document's own.
    pub(crate) title: Option<String>,
    /// Whether scanned pages are recognised.
    pub(crate) recognise: bool,
    /// How many chunks are embedded at once.
    pub(crate) batch_size: Option<u32>,
}

/// The work of the kind `ingest`.
pub(super) struct Ingesting;

impl JobWork for Ingesting {
    fn run(&self, context: &JobContext<'_>) -> JobEnd {
        match ingest(context) {
            Ok(end) => end,
            Err(failure) => JobEnd::Failed(failure),
        }
    }
}

fn ingest(context: &JobContext<'_>) -> Result<JobEnd, JobFailure> {
    let ancre = context.ancre();
    let payload: IngestPayload = context.payload()?;
    let kb_id = context
        .job()
        .kb_id
        .clone()
        .ok_or_else(|| JobFailure::from(WireError::fault("this job feeds no base")))?;
    let reporter = Reporter::begin(context, &kb_id);
    let ended = base_to_feed(ancre, &kb_id).map_err(JobFailure::from).and_then(|(_, model)| {
        let line = Line::new(context, &reporter, payload, kb_id.clone(), &model);
        line.find()?;
        line.work()
    });
    if let Ok(JobEnd::Failed(failure)) | Err(failure) = &ended {
        reporter.stopped(failure.clone().into());
    }
    ended
}

/// One run over the items of a job.
struct Line<'a> {
    context: &'a JobContext<'a>,
    reporter: &'a Reporter<'a>,
    payload: IngestPayload,
    /// The paths that a person named; what is found in folders and archives is judged milder.
    named: BTreeSet<PathBuf>,
    kb_id: KnowledgeBaseId,
    indexer: Indexer<'a>,
    /// The documents that this run indexes: a text that comes twice is indexed once.
    known: Mutex<HashSet<DocumentId>>,
    /// Why the job cannot go on, once that is known.
    trouble: Mutex<Option<JobFailure>>,
}

/// The items that no reader has taken yet.
#[derive(Default)]
struct Unread {
    items: VecDeque<JobItem>,
    /// The number of the last one that was taken.
    after: u32,
}

/// An item whose text is in the library.
struct Registered {
    item: JobItem,
    document: DocumentId,
}

impl<'a> Line<'a> {
    fn new(
        context: &'a JobContext<'a>,
        reporter: &'a Reporter<'a>,
        payload: IngestPayload,
        kb_id: KnowledgeBaseId,
        model: &'a Model,
    ) -> Self {
        let ancre = context.ancre();
        let batch_size = payload.batch_size.map_or(DEFAULT_BATCH_SIZE, |size| size as usize);
        Self {
            context,
            reporter,
            named: payload.paths.iter().map(PathBuf::from).collect(),
            payload,
            kb_id,
            indexer: model.indexer(ancre, batch_size),
            known: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    fn ancre(&self) -> &'a Ancre {
        self.context.ancre()
    }

    /// Step one: writes down what there is to do, unless an earlier run did.
    fn find(&self) -> Result<(), JobFailure> {
        let (ancre, id) = (self.ancre(), &self.context.job().id);
        let is_found = !matches!(self.context.job().step, None | Some(JobStep::Finding));
        if !is_found && !self.payload.paths.is_empty() {
            self.context.set_step(JobStep::Finding);
            ancre.store().clear_job_items(id).map_err(kept)?;
            let paths: Vec<PathBuf> = self.payload.paths.iter().map(PathBuf::from).collect();
            let list = expand_paths(&paths);
            let items = list
                .files
                .into_iter()
                .map(|path| Place::on_disk(path).item())
                .chain(list.unreadable.into_iter().map(|(path, error)| unreadable(path, &error)))
                .chain(list.skipped.into_iter().map(|(path, reason)| skipped(path, reason)));
            let mut batch = Vec::with_capacity(ITEMS_AT_ONCE);
            for item in items {
                batch.push(item);
                if batch.len() == ITEMS_AT_ONCE {
                    if self.context.cancellation().is_cancelled() {
                        return Ok(());
                    }
                    ancre.store().add_job_items(id, &batch, ancre.clock().now()).map_err(kept)?;
                    batch.clear();
                }
            }
            ancre.store().add_job_items(id, &batch, ancre.clock().now()).map_err(kept)?;
        }
        self.reporter.counted(&ancre.store().count_job_items(id).map_err(kept)?);
        self.context.set_step(JobStep::Reading);
        Ok(())
    }

    /// Step two: takes every item that has no outcome. An item that a person wants tried again
    /// meanwhile lies behind the readers, so it looks once more until there is none.
    fn work(&self) -> Result<JobEnd, JobFailure> {
        let (store, id) = (self.ancre().store(), &self.context.job().id);
        loop {
            if let Some(failure) = self.trouble() {
                return Ok(JobEnd::Failed(failure));
            }
            if self.context.cancellation().is_cancelled() {
                return Ok(JobEnd::Stopped);
            }
            if store.next_job_items(id, 0, 1).map_err(kept)?.is_empty() {
                return Ok(JobEnd::Done);
            }
            self.pass();
        }
    }

    /// Takes the items once, from the first to the last.
    fn pass(&self) {
        let (sender, receiver) = sync_channel(AHEAD);
        let (unread, shelf) = (Mutex::default(), Mutex::default());
        std::thread::scope(|scope| {
            for _ in 0..READERS {
                let (sender, unread, shelf) = (sender.clone(), &unread, &shelf);
                scope.spawn(move || {
                    let reading = AssertUnwindSafe(|| self.read_all(unread, shelf, &sender));
                    if catch_unwind(reading).is_err() {
                        self.note(WireError::fault("a document made the program fail").into());
                    }
                    drop(sender);
                    self.indexer.line.call();
                });
            }
            drop(sender);
            self.index_all(receiver);
        });
    }

    fn read_all(&self, unread: &Mutex<Unread>, shelf: &Mutex<Shelf>, to: &SyncSender<Registered>) {
        while let Some(item) = self.next_item(unread) {
            if let Some(registered) = self.read(item, shelf) {
                if to.send(registered).is_err() {
                    return;
                }
                self.indexer.line.call();
            }
        }
    }

    fn next_item(&self, unread: &Mutex<Unread>) -> Option<JobItem> {
        if self.must_stop() {
            return None;
        }
        let mut unread = unread.lock().unwrap_or_else(PoisonError::into_inner);
        if unread.items.is_empty() {
            let id = &self.context.job().id;
            match self.ancre().store().next_job_items(id, unread.after, LOOK) {
                Ok(items) => unread.items = items.into(),
                Err(error) => self.note(kept(error)),
            }
        }
        let item = unread.items.pop_front()?;
        unread.after = item.number;
        Some(item)
    }

    fn must_stop(&self) -> bool {
        self.context.cancellation().is_cancelled() || self.trouble().is_some()
    }

    fn trouble(&self) -> Option<JobFailure> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers why the job cannot go on; the first reason counts.
    fn note(&self, failure: JobFailure) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    /// Writes where an item stands.
    fn stand(&self, number: u32, state: JobItemState, change: &ItemChange) -> bool {
        let (ancre, id) = (self.ancre(), &self.context.job().id);
        let written = ancre.store().change_job_item(id, number, state, change, ancre.clock().now());
        written.map_err(|error| self.note(kept(error))).is_ok()
    }

    /// Writes an item's outcome and tells it.
    fn end(&self, mut item: JobItem, state: JobItemState, change: ItemChange) {
        if !self.stand(item.number, state, &change) {
            self.reporter.put_down(item.number);
            return;
        }
        item.state = state;
        item.title = change.title.unwrap_or(item.title);
        item.document_id = change.document_id.or(item.document_id);
        item.chunk_count = change.chunk_count;
        item.failure = change.failure;
        item.warnings = change.warnings;
        self.reporter.item_done(item);
    }

    /// Whether the base is gone, which ends the job; noted if so.
    fn is_base_gone(&self, code: ErrorCode) -> bool {
        let ancre = self.ancre();
        let is_gone = code == ErrorCode::NotFound
            && matches!(
                ancre.store().knowledge_base(ancre.project(), &self.kb_id),
                Err(StoreError::NotFound { .. })
            );
        if is_gone {
            self.note(JobFailure {
                code,
                message: "the knowledge base was deleted meanwhile".to_owned(),
                hint: None,
                details: None,
            });
        }
        is_gone
    }
}

#[allow(clippy::needless_pass_by_value)] // It stands in `map_err`.
fn kept(error: StoreError) -> JobFailure {
    JobFailure::of(&error)
}

fn unreadable(path: PathBuf, error: &ExtractError) -> NewJobItem {
    let failure = Some(JobFailure::of(error));
    NewJobItem { state: JobItemState::Failed, failure, ..Place::on_disk(path).item() }
}

fn skipped(path: PathBuf, reason: SkipReason) -> NewJobItem {
    let failure = Some(JobFailure {
        code: ErrorCode::Unsupported,
        message: reason.to_string(),
        hint: None,
        details: None,
    });
    NewJobItem { state: JobItemState::Skipped, failure, ..Place::on_disk(path).item() }
}
