//! How a worker ended, and what that says about the document it was reading.

use std::process::ExitStatus;

use super::limits::{Limits, in_words};
use crate::ExtractError;

/// The end of a worker that was not stopped by us.
#[derive(Debug)]
pub(super) struct Death {
    /// How it ended; `None` when it closed its output and went on, or the system does not say.
    pub(super) status: Option<ExitStatus>,
    /// The last of what it wrote to its error output.
    pub(super) last_words: String,
}

impl Death {
    /// The error of the document that it died of.
    pub(super) fn error(&self, limits: &Limits) -> ExtractError {
        if self.signal() == Some(CPU_SIGNAL) {
            return ExtractError::Timeout { seconds: u64::from(limits.cpu_seconds) };
        }
        // What Rust's runtime says before it ends the process.
        if self.last_words.contains("memory allocation of") && self.last_words.contains("failed") {
            return ExtractError::TooLarge {
                what: "the memory that reading it takes".to_owned(),
                size: "more".to_owned(),
                limit: in_words(limits.memory_bytes),
            };
        }
        ExtractError::WorkerDied { detail: self.detail() }
    }

    fn detail(&self) -> String {
        if self.last_words.contains("has overflowed its stack") {
            return "its parts lie too deep in each other".to_owned();
        }
        if let Some(signal) = self.signal() {
            return if signal == KILL_SIGNAL {
                format!("something else ended it (signal {signal}), perhaps for want of memory")
            } else {
                format!("it crashed (signal {signal})")
            };
        }
        match self.status.and_then(|status| status.code()) {
            Some(code) => format!("it stopped (exit code {code})"),
            None => "it stopped answering".to_owned(),
        }
    }

    #[cfg(unix)]
    fn signal(&self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(self.status.as_ref()?)
    }

    #[cfg(not(unix))]
    fn signal(&self) -> Option<i32> {
        None
    }
}

#[cfg(unix)]
const CPU_SIGNAL: i32 = libc::SIGXCPU;
#[cfg(unix)]
const KILL_SIGNAL: i32 = libc::SIGKILL;
// Elsewhere `signal` is always `None`.
#[cfg(not(unix))]
const CPU_SIGNAL: i32 = 24;
#[cfg(not(unix))]
const KILL_SIGNAL: i32 = 9;

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    fn sentence(wait_status: i32, last_words: &str) -> String {
        let status = Some(ExitStatus::from_raw(wait_status));
        let death = Death { status, last_words: last_words.to_owned() };
        death.error(&Limits::default()).to_string()
    }

    #[test]
    fn each_way_to_die_has_words_a_person_understands() {
        let died = "the reader ended while it read this document: ";
        for (wait_status, last_words, said) in [
            (
                libc::SIGABRT,
                "thread 'x' has overflowed its stack",
                "its parts lie too deep in each other",
            ),
            (libc::SIGSEGV, "", "it crashed (signal 11)"),
            (3 << 8, "", "it stopped (exit code 3)"),
        ] {
            assert_eq!(sentence(wait_status, last_words), format!("{died}{said}"));
        }
        assert_eq!(
            sentence(libc::SIGABRT, "memory allocation of 8589934592 bytes failed\n"),
            "it is too large: the memory that reading it takes is more; the limit is 1 GiB"
        );
        assert_eq!(
            sentence(libc::SIGXCPU, ""),
            "reading it took more than 60 seconds and was stopped"
        );
    }
}
