//! Who may use the one model next.
//!
//! A search waits for the vector of its question while an ingestion asks for one vector after the
//! other. A plain mutex would let the ingestion, which comes back at once, take it again and again.
//! Here background work queues behind whoever is waiting in front, so a question waits for one
//! run of the model at most. It is the triple-mutex idiom for two priorities.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something that one may use at a time, questions first.
#[derive(Debug)]
pub(super) struct Turns<T> {
    /// Held by the one who is next; whoever waits for `shared` holds it.
    next: Mutex<()>,
    /// Held by the background work that has or awaits its turn, so that at most one of it stands in
    /// the way of a question.
    background: Mutex<()>,
    shared: Mutex<T>,
}

/// A turn in the background; ends when dropped.
pub(super) struct BackgroundTurn<'a, T> {
    shared: MutexGuard<'a, T>,
    _background: MutexGuard<'a, ()>,
}

impl<T> Turns<T> {
    pub(super) const fn new(shared: T) -> Self {
        Self { next: Mutex::new(()), background: Mutex::new(()), shared: Mutex::new(shared) }
    }

    /// The next turn.
    pub(super) fn take(&self) -> MutexGuard<'_, T> {
        let _next = lock(&self.next);
        lock(&self.shared)
    }

    /// A turn when nobody else waits.
    pub(super) fn take_in_background(&self) -> BackgroundTurn<'_, T> {
        let background = lock(&self.background);
        let _next = lock(&self.next);
        BackgroundTurn { shared: lock(&self.shared), _background: background }
    }
}

/// A thread that panicked leaves a model behind that is as good as before: each run starts anew.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Deref for BackgroundTurn<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.shared
    }
}

impl<T> DerefMut for BackgroundTurn<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.shared
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_question_waits_for_few_turns_of_eager_background_work() {
        let turns = Turns::new(0_u32);
        let is_over = AtomicBool::new(false);
        let background_turns = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let mut turn = turns.take_in_background();
                        thread::sleep(Duration::from_millis(1));
                        *turn += 1;
                        background_turns.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            while background_turns.load(Ordering::Relaxed) < 3 {
                thread::yield_now();
            }
            for _ in 0..20 {
                let before = background_turns.load(Ordering::Relaxed);
                let turn = turns.take();
                let passed = background_turns.load(Ordering::Relaxed) - before;
                drop(turn);
                // The one under way, and one that had already queued.
                assert!(passed <= 3, "{passed} turns went before a question");
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }
}
