//! A request to stop, shared between the one who asks and the one who works.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that is raised once and stays raised. Clones share it. Long work looks at it between
/// steps that take at most a few seconds, and ends with everything it had finished kept.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// A flag that nobody has raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked the work to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
