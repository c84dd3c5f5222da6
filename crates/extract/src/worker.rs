//! Worker processes, in which the parsers of binary and compressed formats run.
//!
//! A file can make a parser loop, ask for all memory, overflow its stack or, in native code, run
//! what it likes; only a process can be stopped from outside. A worker is the application's own
//! program, started with a hidden argument ([`run_worker_if_asked`]). It gets a document's bytes
//! by a pipe and gives back what it read (`protocol`), never opens a file for writing and never a
//! socket (`confinement`), and serves many documents, one at a time (`pool`). How it ended tells
//! what was wrong with the document (`death`).

mod confinement;
mod death;
mod limits;
mod pipes;
mod pool;
mod process;
mod protocol;
mod serve;
mod supervision;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system_calls;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

pub use limits::Limits;
pub(crate) use pool::Pool;
pub(crate) use process::Watch;
pub(crate) use protocol::Request;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use protocol::answered;

/// The argument that makes a program of Ancre a worker: the first one.
pub const WORKER_ARGUMENT: &str = "extract-worker";

/// How a worker process is started: the application's own program with a hidden argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

impl WorkerCommand {
    /// The running program, which must call [`run_worker_if_asked`] first of all.
    ///
    /// # Errors
    ///
    /// Where the system does not say which program is running.
    pub fn current_program() -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, arguments: vec![WORKER_ARGUMENT.to_owned()] })
    }
}

/// Becomes a worker when the program was started as one, and returns how it is to exit. Must be
/// the first thing a program does, before it reads settings or starts a thread.
///
/// `None` when the first argument is any other than [`WORKER_ARGUMENT`]. A person who types that
/// argument in a terminal is told in a sentence what it is for.
pub fn run_worker_if_asked() -> Option<ExitCode> {
    let is_asked = std::env::args_os().nth(1).is_some_and(|argument| argument == WORKER_ARGUMENT);
    is_asked.then(serve::serve)
}
