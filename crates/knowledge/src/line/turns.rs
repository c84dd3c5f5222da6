//! Who may use the embedder next, when several jobs feed the same model.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What the jobs that feed one model share: their turns at it. Make one for each model, and hand
/// it to every [`Indexer`](crate::ingestion::Indexer) of that model.
#[derive(Debug)]
pub struct IndexingLine {
    tickets: Mutex<Tickets>,
    next: Condvar,
}

/// A plain mutex would let the one that comes back at once take it again and again.
#[derive(Debug)]
struct Tickets {
    given: u64,
    served: u64,
}

/// A turn at the embedder; ends when dropped.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a IndexingLine);

impl IndexingLine {
    /// A line at which nobody waits.
    pub const fn new() -> Self {
        Self { tickets: Mutex::new(Tickets { given: 0, served: 0 }), next: Condvar::new() }
    }

    /// Waits for a turn, in the order of asking.
    pub(super) fn turn(&self) -> Turn<'_> {
        let mut tickets = self.lock();
        let mine = tickets.given;
        tickets.given += 1;
        drop(
            self.next
                .wait_while(tickets, |tickets| tickets.served != mine)
                .unwrap_or_else(PoisonError::into_inner),
        );
        Turn(self)
    }

    fn lock(&self) -> MutexGuard<'_, Tickets> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for IndexingLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().served += 1;
        self.0.next.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn jobs_take_turns_and_never_two_at_once() {
        let line = IndexingLine::new();
        let (at_work, ended) = (AtomicU32::new(0), AtomicU32::new(0));
        let order = Mutex::new(Vec::new());
        let first = line.turn();
        thread::scope(|scope| {
            for job in 0..2 {
                let (line, at_work, ended, order) = (&line, &at_work, &ended, &order);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let _turn = line.turn();
                        assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0, "one at a time");
                        order.lock().unwrap().push(job);
                        // Until the other one waits, as it does where the work takes its time.
                        while line.waiting() == 0 && ended.load(Ordering::SeqCst) == 0 {
                            thread::yield_now();
                        }
                        at_work.fetch_sub(1, Ordering::SeqCst);
                    }
                    ended.fetch_add(1, Ordering::SeqCst);
                });
            }
            while line.waiting() < 2 {
                thread::yield_now();
            }
            drop(first);
        });
        let order = order.into_inner().unwrap();
        assert!(order[..98].windows(2).all(|pair| pair[0] != pair[1]), "{order:?}");
    }

    impl IndexingLine {
        /// How many wait behind the one whose turn it is.
        fn waiting(&self) -> u64 {
            let tickets = self.lock();
            (tickets.given - tickets.served).saturating_sub(1)
        }
    }
}
