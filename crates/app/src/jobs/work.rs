//! What each kind of job does.

use ancre_domain::{Explain, JobFailure, JobKind};

use super::JobContext;
use super::ingest::Ingesting;
use super::recognise::Recognising;
use super::reindex::Reindexing;
use super::text_index::TextIndexing;
use crate::wire::WireError;

/// The work of one kind of job. It holds nothing of a single job: everything comes by the
/// context, and what must survive a crash is in the store.
pub trait JobWork: Send + Sync {
    /// Works until the job is done, cannot go on, or the context's cancellation is raised. It may
    /// be a second attempt: what an earlier one finished must not be done again.
    fn run(&self, context: &JobContext<'_>) -> JobEnd;
}

/// How the work on a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum JobEnd {
    /// It is done; single items may have failed.
    Done,
    /// It cannot go on. For a reason that can pass (see [`JobFailure::can_pass`]) it is tried
    /// again later, after longer and longer pauses.
    Failed(JobFailure),
    /// The context's cancellation was raised: paused, cancelled, or the process ends.
    Stopped,
}

impl JobEnd {
    /// The end that an error makes.
    pub fn failed(error: &dyn Explain) -> Self {
        Self::Failed(JobFailure::of(error))
    }
}

impl From<WireError> for JobEnd {
    fn from(error: WireError) -> Self {
        Self::Failed(error.into())
    }
}

/// The table of works: one line for each kind. `None` for kinds of later versions, whose jobs
/// fail and say so.
pub(super) fn work_of(kind: JobKind) -> Option<&'static dyn JobWork> {
    match kind {
        JobKind::Ingest => Some(&Ingesting),
        JobKind::Recognise => Some(&Recognising),
        JobKind::Reindex => Some(&Reindexing),
        JobKind::TextIndex => Some(&TextIndexing),
        JobKind::Crawl | JobKind::Mail => None,
    }
}
