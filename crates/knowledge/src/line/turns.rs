//! The line itself: one queue for a model, and one turn at it at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::queue::{Batch, BatchPart, News, Queue};
use super::room::{LARGE_ROOM, Size};
use super::{CutDocument, LineDocument, Passages};
use crate::KnowledgeError;

/// How long somebody waits without being called: a cancellation that is raised rings no bell.
const PATIENCE: Duration = Duration::from_millis(200);

/// What the jobs that feed one model share: the windows that wait for it, and the turns at it. Make
/// one for each model of a store, and hand it to every [`Indexer`](crate::ingestion::Indexer) of
/// that model. Whoever has the turn embeds a batch for all of them.
#[derive(Debug)]
pub struct IndexingLine {
    state: Mutex<State>,
    bell: Condvar,
    /// How many characters of large documents are open at once, about.
    room: u64,
}

#[derive(Debug)]
struct State {
    queue: Queue,
    is_taken: bool,
    /// How many want a turn for something of their own.
    asking: usize,
    /// Counts the reasons to look again.
    calls: u64,
}

/// A turn at the model; ends when dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a IndexingLine);

/// A job's place in the line; ends when dropped.
#[derive(Debug)]
pub(super) struct JobPlace<'a> {
    line: &'a IndexingLine,
    number: u64,
}

impl IndexingLine {
    /// A line at which nobody waits.
    pub const fn new() -> Self {
        Self::with_room(LARGE_ROOM)
    }

    /// A line in which large documents of so many characters together are open at once, about.
    pub const fn with_room(room: u64) -> Self {
        let state = State { queue: Queue::new(), is_taken: false, asking: 0, calls: 0 };
        Self { state: Mutex::new(state), bell: Condvar::new(), room }
    }

    /// Lets everyone who waits look again, because there is another document for them, or none
    /// any more.
    pub fn call(&self) {
        self.change(|_| ());
    }

    /// Waits for a turn for something beside the queue, before its next batch.
    pub(crate) fn turn(&self) -> Turn<'_> {
        let mut state = self.lock();
        state.asking += 1;
        let free = self.bell.wait_while(state, |state| state.is_taken);
        state = free.unwrap_or_else(PoisonError::into_inner);
        state.asking -= 1;
        state.is_taken = true;
        Turn(self)
    }

    /// Takes part; see [`JobPlace`].
    pub(super) fn join(&self, batch_size: usize) -> JobPlace<'_> {
        let number = self.change(|state| state.queue.join(batch_size));
        JobPlace { line: self, number }
    }

    /// Changes something and lets everyone look.
    fn change<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        state.calls += 1;
        let result = act(&mut state);
        drop(state);
        self.bell.notify_all();
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobPlace<'_> {
    pub(super) fn enter(&self, item: LineDocument, size: Size, passages: Passages) {
        self.line.change(|state| state.queue.enter(self.number, item, size, passages));
    }

    pub(super) fn has_room(&self, size: Size) -> bool {
        self.line.lock().queue.has_room(self.number, size, self.line.room)
    }

    pub(super) fn has_open(&self) -> bool {
        self.line.lock().queue.has_open(self.number)
    }

    pub(super) fn take_news(&self) -> Vec<News> {
        let news = self.line.lock().queue.take_news(self.number);
        if !news.is_empty() {
            // There may be room now for another job's document.
            self.line.call();
        }
        news
    }

    /// Gives back what is open, and takes part no more.
    pub(super) fn leave(&self) -> Vec<(LineDocument, CutDocument)> {
        self.line.change(|state| state.queue.leave(self.number))
    }

    /// How often there was a reason to look, for [`Self::wait`].
    pub(super) fn calls(&self) -> u64 {
        self.line.lock().calls
    }

    /// Waits until there is a reason to look that came after `seen`; not for long.
    pub(super) fn wait(&self, seen: u64) {
        let quiet = |state: &mut State| state.calls == seen;
        // Whatever the reason to wake, the caller looks again.
        drop(self.line.bell.wait_timeout_while(self.line.lock(), PATIENCE, quiet));
    }

    /// Waits for the next turn with something to embed, of whatever job; `None` once `is_over`.
    pub(super) fn next_batch(&self, is_over: impl Fn() -> bool) -> Option<(Turn<'_>, Batch)> {
        let must_wait = |state: &mut State| {
            !is_over() && (state.is_taken || state.asking > 0 || !state.queue.has_windows())
        };
        let state = self.line.bell.wait_while(self.line.lock(), must_wait);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if is_over() {
            return None;
        }
        state.is_taken = true;
        let batch = state.queue.next_batch();
        Some((Turn(self.line), batch))
    }
}

impl Drop for JobPlace<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Turn<'_> {
    /// Brings the windows of a batch back.
    pub(super) fn deliver(
        &self,
        outcomes: Vec<(BatchPart, Result<Vec<ancre_models::Embedding>, KnowledgeError>)>,
    ) {
        self.0.change(|state| {
            for (part, embeddings) in outcomes {
                state.queue.deliver(part, embeddings);
            }
        });
    }
}

impl Default for IndexingLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_taken = false);
    }
}
