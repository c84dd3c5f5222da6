//! A job's side of the line: opening its documents as there is room, and publishing them.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use ancre_domain::{ErrorCode, Explain as _};
use ancre_models::ModelError;
use ancre_store::StoreError;
use ancre_store::traits::IndexedChunk;

use super::passages::Passages;
use super::queue::News;
use super::room::Size;
use super::turns::JobPlace;
use super::{Arrival, CutDocument, LineDocument, LineEvent, Opened, Work};
use crate::KnowledgeError;
use crate::ingestion::{IndexOutcome, Indexer};

/// How many large documents are set aside while smaller ones pass them.
const MOST_ASIDE: usize = 1_000;

pub(super) struct Intake<'a> {
    indexer: &'a Indexer<'a>,
    work: &'a dyn Work,
    place: &'a JobPlace<'a>,
    /// Those that have to be opened again.
    again: VecDeque<LineDocument>,
    /// A small one for which there was no room yet.
    small: Option<(LineDocument, Size)>,
    /// Large ones for which there was no room yet, in their order.
    large: VecDeque<(LineDocument, Size)>,
    has_ended: bool,
}

type Tell<'t> = &'t mut dyn FnMut(LineEvent) -> ControlFlow<()>;
type Arrivals<'t> = &'t mut dyn FnMut() -> Arrival;

impl<'a> Intake<'a> {
    pub(super) fn new(
        indexer: &'a Indexer<'a>,
        work: &'a dyn Work,
        place: &'a JobPlace<'a>,
    ) -> Self {
        let (again, small, large) = (VecDeque::new(), None, VecDeque::new());
        Self { indexer, work, place, again, small, large, has_ended: false }
    }

    /// See [`super::run`].
    pub(super) fn run(mut self, arrivals: Arrivals<'_>, tell: Tell<'_>) {
        if self.take_all(arrivals, tell).is_continue() {
            return;
        }
        for (item, cut) in self.place.leave() {
            let cancelled = Err(ModelError::Cancelled.into());
            if let Err(error) = self.work.close(&item, &cut, cancelled) {
                // The claim ends with this process.
                tracing::warn!(document = %item.document_id, %error, "not given back");
            }
        }
    }

    fn take_all(&mut self, arrivals: Arrivals<'_>, tell: Tell<'_>) -> ControlFlow<()> {
        loop {
            let seen = self.place.calls();
            let news = self.place.take_news();
            let is_news = !news.is_empty();
            // All of it before anything is opened: those that left the queue are known only here.
            let mut heard = ControlFlow::Continue(());
            for news in news {
                heard = match heard {
                    ControlFlow::Continue(()) => self.hear(news, tell),
                    ControlFlow::Break(()) => {
                        self.put_down(news);
                        heard
                    }
                };
            }
            heard?;
            // One at a time, so that nothing waits while a long list is opened.
            if let Some((item, size)) = self.next(arrivals) {
                self.open(item, size, tell)?;
            } else if self.is_over() {
                return ControlFlow::Continue(());
            } else if !is_news {
                self.place.wait(seen);
            }
        }
    }

    /// The next document for which there is room.
    fn next(&mut self, arrivals: Arrivals<'_>) -> Option<(LineDocument, Size)> {
        if let Some(item) = self.again.pop_front() {
            let size = self.size_of(&item);
            return Some((item, size));
        }
        if let Some((item, size)) = self.small.take_if(|(_, size)| self.place.has_room(*size)) {
            return Some((item, size));
        }
        if self.large.front().is_some_and(|(_, size)| self.place.has_room(*size)) {
            return self.large.pop_front();
        }
        while !self.has_ended && self.small.is_none() && self.large.len() < MOST_ASIDE {
            match arrivals() {
                Arrival::Document(item) => {
                    let size = self.size_of(&item);
                    // Large ones keep their order, or the largest would never come in.
                    let is_behind = !size.is_small() && !self.large.is_empty();
                    if !is_behind && self.place.has_room(size) {
                        return Some((item, size));
                    }
                    if size.is_small() {
                        self.small = Some((item, size));
                    } else {
                        self.large.push_back((item, size));
                    }
                }
                Arrival::NotYet => return None,
                Arrival::End => self.has_ended = true,
            }
        }
        None
    }

    /// One that is not there any more says so when it is opened.
    fn size_of(&self, item: &LineDocument) -> Size {
        let document = self.indexer.store.document(&item.project_id, &item.document_id);
        Size::of(document.map_or(0, |document| document.char_count))
    }

    fn is_over(&self) -> bool {
        self.has_ended && self.small.is_none() && self.large.is_empty() && !self.place.has_open()
    }

    fn open(&mut self, item: LineDocument, size: Size, tell: Tell<'_>) -> ControlFlow<()> {
        match self.work.open(&item) {
            Ok(Opened::Cut(cut)) => {
                let passages = Passages::of(cut);
                let (document, progress) = (item.document_id.clone(), passages.progress());
                self.place.enter(item, size, passages);
                tell(LineEvent::Progressed { document, progress })
            }
            Ok(Opened::Ended(outcome)) => ended(item, Ok(outcome), tell),
            Err(error) => ended(item, Err(error), tell),
        }
    }

    fn hear(&mut self, news: News, tell: Tell<'_>) -> ControlFlow<()> {
        match news {
            News::Progressed(item, progress) => {
                tell(LineEvent::Progressed { document: item.document_id, progress })
            }
            News::Embedded(item, passages) => {
                let (cut, indexed) = passages.finish();
                self.close(item, &cut, Ok(indexed), tell)
            }
            News::Failed(item, cut, error) => self.close(item, &cut, Err(error), tell),
        }
    }

    fn close(
        &mut self,
        item: LineDocument,
        cut: &CutDocument,
        indexed: Result<Vec<IndexedChunk>, KnowledgeError>,
        tell: Tell<'_>,
    ) -> ControlFlow<()> {
        let outcome = self.work.close(&item, cut, indexed);
        // Another job may wait for this very document.
        self.indexer.line.call();
        if let Err(KnowledgeError::Store(StoreError::GenerationChanged)) = outcome {
            self.again.push_back(item);
            return ControlFlow::Continue(());
        }
        ended(item, outcome, tell)
    }

    /// Gives back a document of which nobody wants to hear any more.
    fn put_down(&self, news: News) {
        let (item, cut) = match news {
            News::Progressed(..) => return,
            News::Embedded(item, passages) => (item, passages.into_document()),
            News::Failed(item, cut, _) => (item, cut),
        };
        if let Err(error) = self.work.close(&item, &cut, Err(ModelError::Cancelled.into())) {
            tracing::warn!(document = %item.document_id, %error, "not given back");
        }
    }
}

fn ended(
    item: LineDocument,
    outcome: Result<IndexOutcome, KnowledgeError>,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    let stops = match &outcome {
        // A document of another model stays in the queue and costs nobody anything.
        Err(error) if error.code() == ErrorCode::ModelMismatch => false,
        Ok(IndexOutcome::Failed(error)) | Err(error) => error.stops_the_job(),
        Ok(_) => false,
    };
    let heard = tell(LineEvent::Ended { document: item.document_id, outcome });
    if stops { ControlFlow::Break(()) } else { heard }
}
