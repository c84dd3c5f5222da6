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
    /// Waiting workers; the last one returned is lent first, so that the others, which nobody has
    /// needed for long, end by themselves.
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::cell::Cell;
    use std::fs::File;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::operation::Operation;
    use crate::worker::protocol::{Kind, Ready, VERSION, write_frame};
    use crate::worker::{Limits, WorkerCommand};
    use crate::{Libraries, ReadProgress};

    /// A shell that answers with frames from files, as slowly as the story wants.
    fn slow_worker(folder: &Path, version: u32) -> Pool {
        let write = |name: &str, kind, content: &[u8]| {
            write_frame(&mut File::create(folder.join(name)).unwrap(), kind, content).unwrap();
        };
        let ready = Ready { version, unlimited: Vec::new() };
        write("ready", Kind::Ready, &serde_json::to_vec(&ready).unwrap());
        write("accepted", Kind::Accepted, b"");
        for pages_done in 1..=3 {
            let progress = ReadProgress { pages_done, pages_total: 3 };
            let content = serde_json::to_vec(&progress).unwrap();
            write(&format!("page{pages_done}"), Kind::Progress, &content);
        }
        write("failed", Kind::Failed, &serde_json::to_vec(&ExtractError::Empty).unwrap());
        let text = format!(
            "cd '{}'; cat ready accepted; \
             for page in 1 2 3; do sleep 0.8; cat page$page; done; cat failed",
            folder.display()
        );
        let arguments = vec!["-c".to_owned(), text];
        Pool::new(WorkerCommand { program: "/bin/sh".into(), arguments })
    }

    fn read(pool: &Pool, recognise: bool) -> (ExtractError, u32) {
        let request = Request {
            operation: Operation::Parse,
            file_name: "a.pdf".to_owned(),
            password: None,
            recognise,
            libraries: Libraries::default(),
            memory_bytes: 1 << 30,
            cpu_seconds: 60,
        };
        let limits = Limits {
            document: Duration::from_millis(600),
            page: Duration::from_millis(1_200),
            ..Limits::default()
        };
        let pages_done = Cell::new(0);
        let progress = |progress: ReadProgress| pages_done.set(progress.pages_done);
        let watch = Watch { limits: &limits, cancellation: None, progress: Some(&progress) };
        (pool.read(&request, b"%PDF", watch).unwrap_err(), pages_done.get())
    }

    #[test]
    fn each_recognised_page_buys_time_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let pool = slow_worker(folder.path(), VERSION);
        assert_eq!(read(&pool, true), (ExtractError::Empty, 3));
        assert_eq!(read(&pool, false).0, ExtractError::Timeout { seconds: 0 });
    }

    #[test]
    fn a_worker_of_another_version_is_not_spoken_to() {
        let folder = tempfile::tempdir().unwrap();
        let pool = slow_worker(folder.path(), VERSION + 1);
        let (error, _) = read(&pool, false);
        assert!(error.to_string().contains("another version of Ancre"), "{error}");
    }
}
