//! The worker process.

use std::path::PathBuf;

/// How a worker process is started: the application's own program with a hidden argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}
