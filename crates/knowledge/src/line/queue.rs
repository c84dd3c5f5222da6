//! What waits for a model: the windows of every open document of every job, and whose are next.
//!
//! A batch is put together from all of them. Jobs take turns at its places, so that none waits for
//! another. In a job, every other place is for the document that has had the fewest windows
//! embedded, of several the smallest, so that a small one is through soon and no large one falls behind its like; the places
//! between are for the one that came first, so that it gets done however many small ones follow.
//! Nothing here embeds, waits or locks; [`IndexingLine`](super::IndexingLine) does.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use ancre_models::{Embedding, ModelError};

use super::passages::{Passage, Passages};
use super::room::{self, Size};
use super::{CutDocument, LineDocument};
use crate::KnowledgeError;
use crate::ingestion::IndexProgress;

/// The open documents of the jobs that feed a model.
#[derive(Debug)]
pub(super) struct Queue {
    /// In the order of their turns.
    jobs: VecDeque<JobQueue>,
    numbers: u64,
}

#[derive(Debug)]
struct JobQueue {
    number: u64,
    batch_size: usize,
    /// In the order in which they came.
    documents: Vec<OpenDocument>,
    is_oldest_next: bool,
}

#[derive(Debug)]
struct OpenDocument {
    number: u64,
    item: LineDocument,
    size: Size,
    passages: Passages,
    /// Windows that went into a batch.
    served: u64,
    /// Windows that are at the model now.
    at_model: usize,
    /// What nobody heard yet.
    news: Option<Result<IndexProgress, KnowledgeError>>,
}

/// Windows that are embedded together, with whose they are.
#[derive(Debug, Default)]
pub(super) struct Batch {
    parts: Vec<BatchPart>,
}

/// The windows of one document in a batch.
#[derive(Debug)]
pub(super) struct BatchPart {
    job: u64,
    document: u64,
    passages: Vec<Passage>,
}

/// What a job hears of its documents.
#[derive(Debug)]
pub(super) enum News {
    /// More of it is embedded.
    Progressed(LineDocument, IndexProgress),
    /// All of it is; it has left the queue.
    Embedded(LineDocument, Box<Passages>),
    /// It cannot be, or nobody wants it any more; it has left the queue.
    Failed(LineDocument, CutDocument, KnowledgeError),
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self { jobs: VecDeque::new(), numbers: 0 }
    }

    /// Lets a job take part, and gives its number.
    pub(super) fn join(&mut self, batch_size: usize) -> u64 {
        let number = self.next_number();
        let documents = Vec::new();
        let batch_size = batch_size.max(1);
        self.jobs.push_back(JobQueue { number, batch_size, documents, is_oldest_next: false });
        number
    }

    /// Takes a job out, and gives what it had open.
    pub(super) fn leave(&mut self, job: u64) -> Vec<(LineDocument, CutDocument)> {
        let at = self.jobs.iter().position(|it| it.number == job);
        let documents = at.and_then(|at| self.jobs.remove(at)).map(|job| job.documents);
        let given_back = |open: OpenDocument| (open.item, open.passages.into_document());
        documents.unwrap_or_default().into_iter().map(given_back).collect()
    }

    /// Adds a document that is cut.
    pub(super) fn enter(&mut self, job: u64, item: LineDocument, size: Size, passages: Passages) {
        let number = self.next_number();
        if let Some(job) = self.job(job) {
            let (served, at_model, news) = (0, 0, None);
            let open = OpenDocument { number, item, size, passages, served, at_model, news };
            job.documents.push(open);
        }
    }

    /// Whether there is room for another document of this size of a job.
    pub(super) fn has_room(&self, job: u64, size: Size, room: u64) -> bool {
        let mine = self.jobs.iter().filter(|it| it.number == job);
        let mine = mine.flat_map(JobQueue::sizes);
        if size.is_small() {
            return room::has_room_for_small(mine);
        }
        room::has_room_for_large(size, mine, self.jobs.iter().flat_map(JobQueue::sizes), room)
    }

    pub(super) fn has_open(&self, job: u64) -> bool {
        self.jobs.iter().any(|it| it.number == job && !it.documents.is_empty())
    }

    pub(super) fn has_windows(&self) -> bool {
        self.jobs.iter().any(JobQueue::has_windows)
    }

    /// The next windows to embed, as many as the most modest of the jobs wants; none when none
    /// wait. They come back by [`Self::deliver`].
    pub(super) fn next_batch(&mut self) -> Batch {
        let waiting = self.jobs.iter().filter(|job| job.has_windows());
        let size = waiting.map(|job| job.batch_size).min().unwrap_or_default();
        let mut batch = Batch::default();
        for _ in 0..size {
            let Some(at) = self.jobs.iter().position(JobQueue::has_windows) else { break };
            let Some(mut job) = self.jobs.remove(at) else { break };
            job.give_window(&mut batch);
            self.jobs.push_back(job);
        }
        batch
    }

    /// Brings back what was made of a document's windows. One that left meanwhile is passed over.
    pub(super) fn deliver(
        &mut self,
        part: BatchPart,
        embeddings: Result<Vec<Embedding>, KnowledgeError>,
    ) {
        let BatchPart { job, document, passages } = part;
        let Some(job) = self.job(job) else { return };
        let Some(open) = job.documents.iter_mut().find(|it| it.number == document) else { return };
        open.at_model = 0;
        open.news = Some(embeddings.map(|embeddings| {
            open.passages.accept(passages, embeddings);
            open.passages.progress()
        }));
    }

    /// What a job has not heard yet, in the order in which its documents came.
    pub(super) fn take_news(&mut self, job: u64) -> Vec<News> {
        let Some(job) = self.job(job) else { return Vec::new() };
        let mut heard = Vec::new();
        let mut at = 0;
        while let Some(open) = job.documents.get_mut(at) {
            let is_over = open.at_model == 0 && open.passages.is_done();
            let is_cancelled = open.item.cancellation.is_cancelled() && !is_over;
            match open.news.take() {
                Some(Ok(progress)) => heard.push(News::Progressed(open.item.clone(), progress)),
                Some(Err(error)) => {
                    let open = job.documents.remove(at);
                    heard.push(News::Failed(open.item, open.passages.into_document(), error));
                    continue;
                }
                None => {}
            }
            if is_cancelled || is_over {
                let OpenDocument { item, passages, .. } = job.documents.remove(at);
                heard.push(if is_over {
                    News::Embedded(item, Box::new(passages))
                } else {
                    News::Failed(item, passages.into_document(), ModelError::Cancelled.into())
                });
                continue;
            }
            at += 1;
        }
        heard
    }

    fn job(&mut self, number: u64) -> Option<&mut JobQueue> {
        self.jobs.iter_mut().find(|job| job.number == number)
    }

    fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

impl JobQueue {
    fn sizes(&self) -> impl Iterator<Item = Size> {
        self.documents.iter().map(|open| open.size)
    }

    fn has_windows(&self) -> bool {
        self.documents.iter().any(OpenDocument::has_windows)
    }

    fn give_window(&mut self, batch: &mut Batch) {
        let is_oldest = self.is_oldest_next;
        self.is_oldest_next = !is_oldest;
        let mut waiting = self.documents.iter_mut().filter(|open| open.has_windows());
        let chosen = if is_oldest {
            waiting.next()
        } else {
            waiting.min_by_key(|open| (open.served, open.size))
        };
        let Some(open) = chosen else { return };
        let window = open.passages.next_batch(1);
        open.served += window.len() as u64;
        open.at_model += window.len();
        batch.add(self.number, open.number, window);
    }
}

impl OpenDocument {
    fn has_windows(&self) -> bool {
        self.passages.has_waiting()
            && !self.item.cancellation.is_cancelled()
            && !matches!(self.news, Some(Err(_)))
    }
}

impl Batch {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Every window's text as the model gets it, in the order of [`Self::into_parts`].
    pub(super) fn texts(&self) -> Vec<&str> {
        self.parts.iter().flat_map(BatchPart::texts).collect()
    }

    pub(super) fn into_parts(self) -> Vec<BatchPart> {
        self.parts
    }

    fn add(&mut self, job: u64, document: u64, windows: Vec<Passage>) {
        let known = self.parts.iter_mut().find(|part| part.document == document);
        match known {
            Some(part) => part.passages.extend(windows),
            None => self.parts.push(BatchPart { job, document, passages: windows }),
        }
    }
}

impl BatchPart {
    /// The texts of its windows, in their order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.passages.iter().map(|passage| passage.text.as_str())
    }

    pub(super) fn len(&self) -> usize {
        self.passages.len()
    }
}
