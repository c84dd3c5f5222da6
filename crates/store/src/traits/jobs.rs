//! The queue of durable work.
//!
//! A job's life: `enqueue` makes it queued; `lease` makes it running and binds it to this open
//! store, as a claim does with a document; `keep` tells how far it is; `end` gives it up: ended,
//! put off, paused or simply released. What a person asks (`pause`, `cancel`, `retry`) takes
//! effect here at once, also on a job that is being worked on: whoever works on it notices when it
//! next writes, and `end` then only tidies up. When the process of a lease is gone, by whatever
//! means, `release_abandoned_jobs` puts its jobs back in the queue; items keep their outcomes.

use ancre_domain::{
    Document, DocumentId, Job, JobFailure, JobId, JobItem, JobItemState, JobKind, JobProgress,
    JobStep, KnowledgeBaseId, Page, PageRequest, ProjectId, SourceId, Timestamp, Warning,
};

use crate::StoreError;

/// A job about to be queued.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Its id, made by the caller so that it can listen before anybody works.
    pub id: JobId,
    /// The project that it belongs to.
    pub project_id: ProjectId,
    /// The base that it works on.
    pub kb_id: Option<KnowledgeBaseId>,
    /// What it does.
    pub kind: JobKind,
    /// What a list calls it.
    pub title: String,
    /// What its kind is to do, as JSON. Never a password.
    pub payload: String,
    /// The items that are known already; further ones come by `add_job_items`.
    pub items: Vec<NewJobItem>,
}

/// An item about to be added to a job.
#[derive(Debug, Clone)]
pub struct NewJobItem {
    /// Where the file is.
    pub path: Option<String>,
    /// A title, or the file's name.
    pub title: String,
    /// Where it stands: queued, or an outcome that is known already.
    pub state: JobItemState,
    /// Its document, where it has one already.
    pub document_id: Option<DocumentId>,
    /// How many chunks that document has.
    pub chunk_count: u32,
    /// What only the job's kind understands.
    pub payload: Option<String>,
    /// Why it failed or is not tried.
    pub failure: Option<JobFailure>,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

impl NewJobItem {
    /// A file that waits.
    pub fn file(path: String, title: String) -> Self {
        Self {
            path: Some(path),
            title,
            state: JobItemState::Queued,
            document_id: None,
            chunk_count: 0,
            payload: None,
            failure: None,
            warnings: Vec::new(),
        }
    }
}

/// What becomes of an item.
#[derive(Debug, Clone, Default)]
pub struct ItemChange {
    /// Its title, if it has another one now.
    pub title: Option<String>,
    /// Its document, if it got one.
    pub document_id: Option<DocumentId>,
    /// How many chunks the document has.
    pub chunk_count: u32,
    /// Why it failed or was not tried.
    pub failure: Option<JobFailure>,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

/// How the work on a job ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobEnding {
    /// It came to its end.
    Done,
    /// It cannot go on.
    Failed(JobFailure),
    /// It goes back in the queue, for a reason that can pass.
    PutOff {
        /// The reason.
        failure: JobFailure,
        /// When it is tried again.
        not_before: Timestamp,
        /// How often it was put off since it last got anywhere.
        attempts: u32,
    },
    /// A person must look: the reason did not pass.
    Paused(JobFailure),
    /// Whoever worked on it stops; the next one goes on.
    Released,
}

/// Jobs and their items.
pub trait JobStore {
    /// Queues a job behind every other, with its first items, in one transaction.
    fn enqueue_job(&self, new: &NewJob, now: Timestamp) -> Result<Job, StoreError>;

    /// One job.
    fn job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError>;

    /// What a job was asked to do.
    fn job_payload(&self, id: &JobId) -> Result<String, StoreError>;

    /// The jobs of a project: running, queued in their order, paused, then ended ones, the last
    /// ended first.
    fn list_jobs(&self, project: &ProjectId, page: PageRequest) -> Result<Page<Job>, StoreError>;

    /// The first `limit` queued jobs of every project that may be worked on now, in their order.
    fn due_jobs(&self, now: Timestamp, limit: u32) -> Result<Vec<Job>, StoreError>;

    /// When the first of the jobs that were put off is due.
    fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError>;

    /// How many jobs are queued or running, in every project.
    fn active_jobs(&self) -> Result<Vec<(ProjectId, JobId)>, StoreError>;

    /// Takes a queued job for this open store; `None` when it is not queued any more.
    fn lease_job(&self, id: &JobId, now: Timestamp) -> Result<Option<Job>, StoreError>;

    /// Writes down how far a leased job is, and that somebody works on it. `false` when this
    /// store has no lease of it any more.
    fn keep_job(
        &self,
        id: &JobId,
        step: Option<JobStep>,
        progress: &JobProgress,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Says of every job that this store has leased that somebody works on it.
    fn beat(&self, now: Timestamp) -> Result<(), StoreError>;

    /// Gives a job up. One that a person paused or cancelled meanwhile stays so. Items that were
    /// being worked on wait again, or are cancelled with their job; a document that such an item
    /// left in error waits again too. A job that is done but for an item that somebody wants tried
    /// again is queued. The counts of the progress are taken anew from the items
    /// where it has any.
    fn end_job(&self, id: &JobId, ending: &JobEnding, now: Timestamp) -> Result<Job, StoreError>;

    /// Puts back in the queue the jobs of stores that are no longer open, and says which.
    fn release_abandoned_jobs(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError>;

    /// Keeps a queued or running job from being worked on. [`StoreError::JobEnded`] when it has
    /// ended; one that is paused already stays so.
    fn pause_job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError>;

    /// Puts a paused job, or one that was put off, back in the queue at its place.
    /// [`StoreError::JobEnded`] when it has ended.
    fn resume_job(&self, project: &ProjectId, id: &JobId) -> Result<Job, StoreError>;

    /// Ends a job and every item of it that has no outcome. [`StoreError::JobEnded`] when it has
    /// ended otherwise.
    fn cancel_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        now: Timestamp,
    ) -> Result<Job, StoreError>;

    /// Queues a job again with one item, or with each that failed or was cancelled; also one
    /// that failed as a whole. Outcomes that are good stay. Says how many items wait again.
    fn retry_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        number: Option<u32>,
        now: Timestamp,
    ) -> Result<(Job, u32), StoreError>;

    /// [`Self::retry_job`] for the failed items of every job of a project. Says which jobs, and
    /// how many items.
    fn retry_failed(
        &self,
        project: &ProjectId,
        now: Timestamp,
    ) -> Result<(Vec<JobId>, u32), StoreError>;

    /// Moves a queued or paused job before another, or behind all.
    fn move_job(
        &self,
        project: &ProjectId,
        id: &JobId,
        before: Option<&JobId>,
    ) -> Result<(), StoreError>;

    /// Forgets the jobs that have ended, and says how many.
    fn clear_jobs(&self, project: &ProjectId) -> Result<u32, StoreError>;

    /// Adds items at the end of a job, in one transaction; callers bring some hundreds at once.
    fn add_job_items(
        &self,
        id: &JobId,
        items: &[NewJobItem],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Puts items in the place of one, which turned out to be an archive. They come at the end.
    fn replace_job_item(
        &self,
        id: &JobId,
        number: u32,
        items: &[NewJobItem],
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Forgets the items of a job, whose finding begins anew.
    fn clear_job_items(&self, id: &JobId) -> Result<(), StoreError>;

    /// The items of a job by number, those in `state` only if one is given.
    fn list_job_items(
        &self,
        project: &ProjectId,
        id: &JobId,
        state: Option<JobItemState>,
        page: PageRequest,
    ) -> Result<Page<JobItem>, StoreError>;

    /// The first `limit` items after a number that have no outcome, by number.
    fn next_job_items(
        &self,
        id: &JobId,
        after: u32,
        limit: u32,
    ) -> Result<Vec<JobItem>, StoreError>;

    /// Where an item stands now. Beginning to embed counts as an attempt.
    fn change_job_item(
        &self,
        id: &JobId,
        number: u32,
        state: JobItemState,
        change: &ItemChange,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Attaches a source to a base for an item, which knows the document from the same moment on, so
    /// that whoever ends the job ends its document too. The `bool` says whether the source was
    /// attached before. `None`, and nothing changes, where the item has its outcome: it was
    /// cancelled meanwhile.
    fn attach_item_source(
        &self,
        project: &ProjectId,
        kb: &KnowledgeBaseId,
        source: &SourceId,
        item: (&JobId, u32),
        now: Timestamp,
    ) -> Result<Option<(Document, bool)>, StoreError>;

    /// What the items of a job add up to.
    fn count_job_items(&self, id: &JobId) -> Result<JobProgress, StoreError>;

    /// The documents that wait and that no job has or had and was cancelled: from a version
    /// without jobs, or put back in the queue by something else. Oldest first, with their bases.
    fn documents_without_job(
        &self,
    ) -> Result<Vec<(ProjectId, KnowledgeBaseId, DocumentId)>, StoreError>;
}
