//! Wiping deleted words and giving room back, by itself and out of everybody's way.
//!
//! After something was deleted or indexed anew, and when a window has started, somebody looks, on
//! a thread of its own: once it has been quiet for a moment, so that deleting a hundred documents
//! is one piece of work and not a hundred. First the words of deleted texts are wiped; then,
//! where giving back pays (see
//! [`StorageSize::is_compacting_worthwhile`](ancre_store::traits::StorageSize)), room is given
//! back in steps of milliseconds, which stop as soon as documents are to be indexed. A process
//! that ends takes [`LAST_MOMENT`] for the wiping; what is left stands in the tables themselves,
//! and the next look goes on.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ancre_domain::Cancellation;
use ancre_store::StoreError;
use ancre_store::traits::Store;

/// How long nothing more must have been deleted.
const QUIET: Duration = Duration::from_secs(2);

/// How long wiping is put off at most while more and more is deleted.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How long a process that ends goes on wiping: a base of 10,000 passages takes half a second.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// One look at a time; stopped with the Ancre that it belongs to.
#[derive(Debug, Default)]
pub(crate) struct Compaction {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    stops: Stops,
}

/// What stops the parts of a look.
#[derive(Debug, Clone, Default)]
struct Stops {
    wiping: Cancellation,
    giving_back: Cancellation,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// When somebody last had a reason to look, until it is looked.
    asked: Option<Instant>,
    is_looking: bool,
    is_stopping: bool,
}

impl Compaction {
    /// Looks soon. Whoever asks meanwhile is served by the same look.
    pub(crate) fn look(&self, store: &Arc<dyn Store>) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.shared.lock();
        if store.is_read_only() || state.is_stopping {
            return;
        }
        state.asked = Some(Instant::now());
        self.shared.changed.notify_all();
        if std::mem::replace(&mut state.is_looking, true) {
            return;
        }
        let (store, shared) = (Arc::clone(store), Arc::clone(&self.shared));
        let stops = self.stops.clone();
        let begun = std::thread::Builder::new().name("ancre-compaction".to_owned());
        match begun.spawn(move || shared.work(&*store, &stops)) {
            Ok(begun) => *thread = Some(begun),
            Err(error) => {
                tracing::warn!(%error, "nobody looks for room to give back");
                state.is_looking = false;
            }
        }
    }

    /// Ends the look, after at most [`LAST_MOMENT`] of wiping. There is no other after this.
    pub(crate) fn stop(&self) {
        self.stops.giving_back.cancel();
        let mut state = self.shared.lock();
        state.is_stopping = true;
        self.shared.changed.notify_all();
        let is_over =
            self.shared.changed.wait_timeout_while(state, LAST_MOMENT, |it| it.is_looking);
        drop(is_over);
        self.stops.wiping.cancel();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // One that panicked has nothing more to do.
            let _ = thread.join();
        }
    }
}

impl Drop for Compaction {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Shared {
    fn work(&self, store: &dyn Store, stops: &Stops) {
        while self.waits_until_quiet() {
            if let Err(error) = look(store, stops) {
                // Nobody asked for it, so nobody has to hear that it has to wait.
                tracing::info!(%error, "no room was given back");
            }
        }
    }

    /// Waits until it has been quiet, or the process ends. `false`, and nobody looks any more, when
    /// there is no reason to.
    fn waits_until_quiet(&self) -> bool {
        let mut state = self.lock();
        let begun = Instant::now();
        while let Some(asked) = state.asked {
            let wait = QUIET.saturating_sub(asked.elapsed());
            if wait.is_zero() || begun.elapsed() >= LONGEST_WAIT || state.is_stopping {
                state.asked = None;
                return true;
            }
            let waited = self.changed.wait_timeout(state, wait);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
        state.is_looking = false;
        drop(state);
        self.changed.notify_all();
        false
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn look(store: &dyn Store, stops: &Stops) -> Result<(), StoreError> {
    if store.has_deleted_words()? {
        store.wipe_deleted(&stops.wiping)?;
    }
    let is_stopping = stops.giving_back.is_cancelled();
    if !is_stopping && store.storage_size()?.is_compacting_worthwhile() {
        store.compact(&stops.giving_back)?;
    }
    Ok(())
}
