//! The workers that are there: started when needed, kept warm, lent to one document at a time.

use std::fmt;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ancre_domain::Cancellation;

use super::WorkerCommand;
use super::process::{Watch, Worker};
use super::protocol::Request;
use crate::ExtractError;
use crate::operation::Reply;

/// How often one who waits for a worker looks whether he should.
const TICK: Duration = Duration::from_millis(15);

/// Workers of one command. Dropped, it leaves none behind.
pub(crate) struct Pool {
    command: WorkerCommand,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Default)]
struct State {
    /// Waiting workers; the last one returned is lent first, so that the others may go.
    idle: Vec<Worker>,
    /// How many are lent.
    lent: usize,
}

impl Pool {
    /// A pool that starts no worker before one is needed.
    pub(crate) fn new(command: WorkerCommand) -> Self {
        Self { command, state: Mutex::default(), returned: Condvar::new() }
    }

    /// Has a document read by a worker, waiting for one if need be.
    ///
    /// # Errors
    ///
    /// What the worker says, or how it ended.
    pub(crate) fn read(
        &self,
        request: &Request,
        document: &[u8],
        watch: Watch<'_>,
    ) -> Result<Reply, ExtractError> {
        loop {
            let mut loan = self.lend(watch)?;
            let mut worker = match loan.worker.take() {
                Some(worker) => worker,
                None => Worker::start(&self.command, watch)?,
            };
            let was_experienced = worker.is_experienced();
            let served = worker.read(request, document, watch);
            if served.is_reusable {
                loan.worker = Some(worker);
            } else {
                drop(worker);
            }
            drop(loan);
            // A waiting worker may be ended by anything, such as a system short of memory. That is
            // not this document's fault; a fresh worker shows whether it is.
            let is_innocent = was_experienced && !served.was_accepted;
            if is_innocent && matches!(served.result, Err(ExtractError::WorkerDied { .. })) {
                continue;
            }
            return served.result;
        }
    }

    fn lend(&self, watch: Watch<'_>) -> Result<Loan<'_>, ExtractError> {
        let mut state = self.state();
        loop {
            if watch.cancellation.is_some_and(Cancellation::is_cancelled) {
                return Err(ExtractError::Cancelled);
            }
            if state.lent < watch.limits.workers.max(1) {
                break;
            }
            let (again, _) =
                self.returned.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
            state = again;
        }
        state.lent += 1;
        let mut ended = Vec::new();
        let worker = loop {
            match state.idle.pop() {
                Some(worker) if !worker.is_waiting() => ended.push(worker),
                other => break other,
            }
        };
        drop(state); // Before the ended ones are dropped, which takes a moment.
        Ok(Loan { pool: self, worker })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pool").field("command", &self.command).finish_non_exhaustive()
    }
}

/// The right to one worker, given back when it is dropped, with the worker if there is one.
struct Loan<'a> {
    pool: &'a Pool,
    worker: Option<Worker>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.state();
        state.lent -= 1;
        state.idle.extend(self.worker.take());
        drop(state);
        self.pool.returned.notify_one();
    }
}
