//! Stories of the queue: order, leases, what a person asks, items.

use ancre_domain::{
    Document, DocumentFailure, DocumentStatus, ErrorCode, Job, JobFailure, JobId, JobItemState,
    JobKind, JobProgress, JobState, JobStep, KnowledgeBase, PageRequest, Timestamp, Warning,
};

use super::Subject;
use super::scene::{Scene, Told, refused};
use crate::StoreError;
use crate::traits::{ItemChange, JobEnding, NewJob, NewJobItem};

impl Scene {
    /// A queued job on files of these names.
    fn job(&self, kb: &KnowledgeBase, title: &str, files: &[&str]) -> Result<Job, StoreError> {
        let file = |name: &&str| NewJobItem::file(format!("/aide/{name}"), (*name).to_owned());
        let new = NewJob {
            id: JobId::generate(self.now()),
            project_id: self.project.clone(),
            kb_id: Some(kb.id.clone()),
            kind: JobKind::Ingest,
            title: title.to_owned(),
            payload: "{\"paths\":[\"/aide\"]}".to_owned(),
            items: files.iter().map(file).collect(),
        };
        self.store().enqueue_job(&new, self.now())
    }

    fn lease(&self, job: &Job) -> Result<Job, StoreError> {
        let leased = self.store().lease_job(&job.id, self.now())?;
        leased.ok_or_else(|| StoreError::Fault("the job is not queued".to_owned()))
    }

    /// Where the items of a job stand, by number.
    fn states(&self, job: &Job) -> Result<Vec<JobItemState>, StoreError> {
        let items =
            self.store().list_job_items(&self.project, &job.id, None, PageRequest::default())?;
        Ok(items.items.into_iter().map(|item| item.state).collect())
    }

    fn stand(&self, job: &Job, number: u32, state: JobItemState) -> Told {
        let change = ItemChange::default();
        self.store().change_job_item(&job.id, number, state, &change, self.now())
    }

    fn titles(&self) -> Result<Vec<String>, StoreError> {
        let jobs = self.store().list_jobs(&self.project, PageRequest::default())?;
        Ok(jobs.items.into_iter().map(|job| job.title).collect())
    }

    fn due(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.store().due_jobs(self.now(), 100)?.into_iter().map(|job| job.title).collect())
    }
}

fn full_disk() -> JobFailure {
    JobFailure::of(&StoreError::DiskFull)
}

/// A job is kept as it was asked for, and counts its items.
pub fn a_job_is_kept_as_it_was_asked_for(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let job = scene.job(&kb, "aide", &["a.md", "b.md"])?;
    assert_eq!((job.state, job.kind, job.step), (JobState::Queued, JobKind::Ingest, None));
    assert_eq!((job.kb_name.as_deref(), job.progress.items_total), (Some("FAQ"), 2));
    assert_eq!(scene.store().job(&scene.project, &job.id)?, job);
    assert_eq!(scene.store().job_payload(&job.id)?, "{\"paths\":[\"/aide\"]}");
    refused!(scene.store().job(&scene.subject.other_project, &job.id), StoreError::NotFound { .. });
    Ok(())
}

/// Jobs are taken in their order, which can be changed, as often as one likes.
pub fn jobs_are_taken_in_their_order(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let jobs: Vec<Job> =
        ["a", "b", "c"].iter().map(|title| scene.job(&kb, title, &[])).collect::<Result<_, _>>()?;
    let moved = |job: usize, before: Option<usize>| {
        let before = before.map(|at| &jobs[at].id);
        scene.store().move_job(&scene.project, &jobs[job].id, before)
    };
    assert_eq!(scene.due()?, ["a", "b", "c"]);
    moved(2, Some(0))?;
    assert_eq!(scene.due()?, ["c", "a", "b"]);
    moved(0, None)?;
    assert_eq!(scene.due()?, ["c", "b", "a"]);
    // Halving a gap again and again uses up the digits of a number.
    for _ in 0..120 {
        moved(0, Some(1))?;
        assert_eq!(scene.due()?, ["c", "a", "b"]);
        moved(2, Some(0))?;
        assert_eq!(scene.due()?, ["c", "a", "b"]);
        moved(1, Some(0))?;
        assert_eq!(scene.due()?, ["c", "b", "a"]);
    }
    Ok(())
}

/// One store works on a job, and nobody else.
pub fn a_job_is_leased_once(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let job = scene.job(&kb, "aide", &["a.md"])?;
    let neighbour = scene.neighbour()?;
    let leased = scene.lease(&job)?;
    assert_eq!(leased.state, JobState::Running);
    assert!(leased.started_at.is_some());
    assert_eq!(neighbour.lease_job(&job.id, scene.now())?, None);
    let progress = JobProgress { items_total: 1, chunks_done: 7, ..JobProgress::default() };
    let step = Some(JobStep::Indexing);
    assert!(!neighbour.keep_job(&job.id, step, &progress, scene.now())?, "it is not theirs");
    assert!(scene.store().keep_job(&job.id, step, &progress, scene.now())?);
    let kept = neighbour.job(&scene.project, &job.id)?;
    assert_eq!((kept.step, kept.progress), (step, progress));
    assert_eq!(neighbour.release_abandoned_jobs(scene.now())?, [], "its store is open");
    Ok(())
}

/// What was finished stays finished when a store goes; what was at it waits again.
pub fn a_lease_ends_with_its_store(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let job = scene.job(&kb, "aide", &["a.md", "b.md", "c.md"])?;
    let neighbour = scene.neighbour()?;
    neighbour.lease_job(&job.id, scene.now())?;
    scene.stand(&job, 1, JobItemState::Ready)?;
    scene.stand(&job, 2, JobItemState::Embedding)?;
    drop(neighbour);
    let released = scene.store().release_abandoned_jobs(scene.now())?;
    assert_eq!(released, std::slice::from_ref(&job.id));
    assert_eq!(
        scene.states(&job)?,
        [JobItemState::Ready, JobItemState::Queued, JobItemState::Queued]
    );
    let again = scene.lease(&job)?;
    assert_eq!((again.progress.items_done, again.progress.items_total), (1, 3));
    let open = scene.store().next_job_items(&job.id, 0, 100)?;
    let open: Vec<_> = open.into_iter().map(|item| (item.number, item.attempts)).collect();
    assert_eq!(open, [(2, 1), (3, 0)], "an attempt that was cut short counts");
    Ok(())
}

/// A job that was put off is not taken before its time, and says why.
pub fn a_job_that_was_put_off_comes_back(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (document, _) = scene.indexing(&kb, "a", &[0.0])?;
    let job = scene.job(&kb, "aide", &["a.md"])?;
    scene.lease(&job)?;
    let change = ItemChange { document_id: Some(document.id.clone()), ..ItemChange::default() };
    let state = JobItemState::Embedding;
    scene.store().change_job_item(&job.id, 1, state, &change, scene.now())?;
    let failure =
        DocumentFailure { code: ErrorCode::DiskFull, message: "the disk is full".to_owned() };
    scene.store().fail_document(&document.id, &failure)?;

    let not_before = Timestamp::from_millis(scene.now().as_millis() + 60_000);
    let ending = JobEnding::PutOff { failure: full_disk(), not_before, attempts: 2 };
    let ended = scene.store().end_job(&job.id, &ending, scene.now())?;
    assert_eq!((ended.state, ended.attempts), (JobState::Queued, 2));
    assert_eq!(ended.failure.map(|failure| failure.code), Some(ErrorCode::DiskFull));
    assert_eq!(scene.states(&job)?, [JobItemState::Queued], "the item has not failed");
    let document = scene.store().document(&scene.project, &document.id)?;
    assert_eq!(document.status, DocumentStatus::Queued, "nor has its document");
    assert_eq!(scene.due()?, [""; 0]);
    assert_eq!(scene.store().next_due(scene.now())?, Some(not_before));
    assert_eq!(scene.store().due_jobs(not_before, 9)?.len(), 1);
    // A person who has made room need not wait.
    let resumed = scene.store().resume_job(&scene.project, &job.id)?;
    assert_eq!((resumed.failure, resumed.not_before), (None, None));
    assert_eq!(scene.due()?, ["aide"]);
    Ok(())
}

/// What a person decides while somebody works on a job counts more than how the work ends.
pub fn a_persons_word_counts(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (store, project) = (scene.store(), &scene.project);
    let job = scene.job(&kb, "aide", &["a.md", "b.md"])?;
    scene.lease(&job)?;
    scene.stand(&job, 1, JobItemState::Reading)?;
    assert_eq!(store.pause_job(project, &job.id)?.state, JobState::Paused);
    assert!(!store.keep_job(&job.id, None, &JobProgress::default(), scene.now())?);
    let ended = store.end_job(&job.id, &JobEnding::Done, scene.now())?;
    assert_eq!(ended.state, JobState::Paused, "the work learnt of it too late");
    assert_eq!(scene.states(&job)?, [JobItemState::Queued; 2]);
    assert_eq!(scene.due()?, [""; 0]);

    assert_eq!(store.resume_job(project, &job.id)?.state, JobState::Queued);
    scene.lease(&job)?;
    scene.stand(&job, 1, JobItemState::Ready)?;
    let cancelled = store.cancel_job(project, &job.id, scene.now())?;
    assert_eq!((cancelled.state, cancelled.progress.items_done), (JobState::Cancelled, 1));
    // A worker that has not noticed yet takes another item.
    scene.stand(&job, 2, JobItemState::Embedding)?;
    store.end_job(&job.id, &JobEnding::Released, scene.now())?;
    assert_eq!(scene.states(&job)?, [JobItemState::Ready, JobItemState::Cancelled]);
    assert_eq!(store.cancel_job(project, &job.id, scene.now())?.state, JobState::Cancelled);
    refused!(store.pause_job(project, &job.id), StoreError::JobEnded);
    refused!(store.resume_job(project, &job.id), StoreError::JobEnded);
    refused!(store.move_job(project, &job.id, None), StoreError::JobEnded);
    Ok(())
}

/// Retrying touches what has not come out well, and nothing else.
pub fn only_what_failed_is_tried_again(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (store, project) = (scene.store(), &scene.project);
    let jobs = [scene.job(&kb, "a", &["1", "2", "3"])?, scene.job(&kb, "b", &["1"])?];
    for job in &jobs {
        scene.lease(job)?;
        scene.stand(job, 1, JobItemState::Failed)?;
    }
    store.retry_job(project, &jobs[1].id, Some(1), scene.now())?;
    let ended = store.end_job(&jobs[1].id, &JobEnding::Done, scene.now())?;
    assert_eq!(ended.state, JobState::Queued, "the wish came in the last moment");
    scene.lease(&jobs[1])?;
    scene.stand(&jobs[1], 1, JobItemState::Failed)?;
    scene.stand(&jobs[0], 2, JobItemState::Ready)?;
    scene.stand(&jobs[0], 3, JobItemState::Failed)?;
    for job in &jobs {
        store.end_job(&job.id, &JobEnding::Done, scene.now())?;
    }
    let (job, count) = store.retry_job(project, &jobs[0].id, Some(3), scene.now())?;
    assert_eq!((job.state, count, job.finished_at), (JobState::Queued, 1, None));
    assert_eq!((job.progress.items_done, job.progress.items_failed), (2, 1));
    refused!(
        store.retry_job(project, &jobs[0].id, Some(2), scene.now()),
        StoreError::NotFound { .. }
    );
    let (ids, count) = store.retry_failed(project, scene.now())?;
    assert_eq!((ids.len(), count), (2, 2));
    assert_eq!(scene.due()?, ["a", "b"]);
    let (queued, ready) = (JobItemState::Queued, JobItemState::Ready);
    assert_eq!(scene.states(&jobs[0])?, [queued, ready, queued]);
    Ok(())
}

/// The list shows what goes on first, and ended jobs can be forgotten.
pub fn jobs_are_listed_by_what_goes_on(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (store, project) = (scene.store(), &scene.project);
    for title in ["done", "cancelled", "paused", "queued", "running"] {
        let job = scene.job(&kb, title, &[])?;
        match title {
            "done" => {
                scene.lease(&job)?;
                store.end_job(&job.id, &JobEnding::Done, scene.now())?;
            }
            "cancelled" => drop(store.cancel_job(project, &job.id, scene.now())?),
            "paused" => drop(store.pause_job(project, &job.id)?),
            "running" => drop(scene.lease(&job)?),
            _ => {}
        }
    }
    assert_eq!(scene.titles()?, ["running", "queued", "paused", "cancelled", "done"]);
    let piece = store.list_jobs(project, PageRequest { offset: 1, limit: 2 })?;
    assert_eq!((piece.total, &*piece.items[0].title), (5, "queued"));
    assert_eq!(store.active_jobs()?.len(), 2);
    assert_eq!(store.clear_jobs(project)?, 2);
    assert_eq!(scene.titles()?, ["running", "queued", "paused"]);
    Ok(())
}

/// An archive gives its place to what is in it.
pub fn an_item_becomes_many(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let store = scene.store();
    let job = scene.job(&kb, "aide", &["a.zip", "b.md"])?;
    let file = |name: &str| NewJobItem::file(format!("/aide/a.zip/{name}"), name.to_owned());
    store.replace_job_item(&job.id, 1, &[file("1.md"), file("2.md")], scene.now())?;
    let items = store.next_job_items(&job.id, 0, 100)?;
    let items: Vec<_> = items.iter().map(|item| (item.number, item.title.as_str())).collect();
    assert_eq!(items, [(2, "b.md"), (3, "1.md"), (4, "2.md")]);
    assert_eq!(store.next_job_items(&job.id, 3, 100)?.len(), 1);
    refused!(store.replace_job_item(&job.id, 1, &[], scene.now()), StoreError::NotFound { .. });
    Ok(())
}

/// Ten thousand items are added in pieces and listed by pieces, each kind by itself.
pub fn ten_thousand_items_are_listed_by_pieces(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (store, project) = (scene.store(), &scene.project);
    let job = scene.job(&kb, "aide", &[])?;
    for piece in 0..20 {
        let items: Vec<NewJobItem> = (0..500)
            .map(|number| {
                let name = format!("{}.md", piece * 500 + number);
                NewJobItem::file(format!("/aide/{name}"), name)
            })
            .collect();
        store.add_job_items(&job.id, &items, scene.now())?;
    }
    scene.stand(&job, 9_999, JobItemState::Failed)?;
    let page = PageRequest { offset: 9_990, limit: 500 };
    let last = store.list_job_items(project, &job.id, None, page)?;
    assert_eq!((last.total, last.items.len(), last.items[9].number), (10_000, 10, 10_000));
    let failed = Some(JobItemState::Failed);
    let failed = store.list_job_items(project, &job.id, failed, PageRequest::default())?;
    assert_eq!((failed.total, failed.items[0].number), (1, 9_999));
    let counts = store.count_job_items(&job.id)?;
    assert_eq!((counts.items_total, counts.items_done, counts.items_failed), (10_000, 1, 1));
    let other = &scene.subject.other_project;
    let crossed = store.list_job_items(other, &job.id, None, PageRequest::default());
    refused!(crossed, StoreError::NotFound { .. });
    Ok(())
}

/// An item keeps what became of it, and what it does not say stays.
pub fn an_item_keeps_its_outcome(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let store = scene.store();
    let document: Document = scene.queued(&kb, "a")?;
    let job = scene.job(&kb, "aide", &["a.md"])?;
    let warnings = vec![Warning::Partial { pages: vec![3] }];
    let read = ItemChange {
        title: Some("Remboursements".to_owned()),
        document_id: Some(document.id.clone()),
        ..ItemChange::default()
    };
    store.change_job_item(&job.id, 1, JobItemState::Splitting, &read, scene.now())?;
    let failed = ItemChange {
        failure: Some(full_disk()),
        warnings: warnings.clone(),
        ..ItemChange::default()
    };
    store.change_job_item(&job.id, 1, JobItemState::Failed, &failed, scene.now())?;
    let item = store
        .list_job_items(&scene.project, &job.id, None, PageRequest::default())?
        .items
        .remove(0);
    assert_eq!((&*item.title, item.document_id), ("Remboursements", Some(document.id)));
    assert_eq!((item.failure, item.warnings), (Some(full_disk()), warnings));
    assert_eq!(store.count_job_items(&job.id)?.items_flagged, 1);
    Ok(())
}

/// The jobs of a base end with it, whatever they were at, and say why; so do their items.
pub fn a_deleted_base_ends_its_jobs(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let store = scene.store();
    let jobs = [
        scene.job(&kb, "running", &["1", "2"])?,
        scene.job(&kb, "paused", &["1"])?,
        scene.job(&kb, "queued", &["1"])?,
    ];
    let done = scene.job(&kb, "done", &[])?;
    scene.lease(&done)?;
    store.end_job(&done.id, &JobEnding::Done, scene.now())?;
    scene.lease(&jobs[0])?;
    let ready = ItemChange::default();
    store.change_job_item(&jobs[0].id, 1, JobItemState::Ready, &ready, scene.now())?;
    store.pause_job(&scene.project, &jobs[1].id)?;
    let elsewhere = scene.job(&scene.base("Autre")?, "elsewhere", &["1"])?;

    let ended = store.delete_knowledge_base(&scene.project, &kb.id, scene.now())?;
    assert_eq!(ended, jobs.each_ref().map(|job| job.id.clone()));
    // Whoever works on one notices later.
    let gone = JobFailure::of(&StoreError::NotFound { kind: "knowledge base", id: "FAQ".into() });
    store.end_job(&jobs[0].id, &JobEnding::Failed(gone), scene.now())?;
    for job in &jobs {
        let job = store.job(&scene.project, &job.id)?;
        assert_eq!((job.state, job.kb_name), (JobState::Cancelled, None));
        assert_eq!(job.failure.map(|failure| failure.code), Some(ErrorCode::NotFound));
        let items = store.list_job_items(&scene.project, &job.id, None, PageRequest::default())?;
        for item in items.items.iter().filter(|item| item.state != JobItemState::Ready) {
            assert_eq!(item.state, JobItemState::Cancelled);
            assert_eq!(item.failure.as_ref().map(|it| it.code), Some(ErrorCode::NotFound));
        }
    }
    let progress = store.job(&scene.project, &jobs[0].id)?.progress;
    assert_eq!((progress.items_done, progress.items_cancelled), (1, 1));
    assert_eq!(store.job(&scene.project, &done.id)?.state, JobState::Done, "it had ended");
    assert_eq!(store.job(&scene.project, &elsewhere.id)?.state, JobState::Queued);
    assert_eq!(store.active_jobs()?.len(), 1, "nobody waits for what never comes");
    Ok(())
}

/// What was cancelled is not counted as done, and its documents say so instead of waiting for
/// ever; one item that is tried again does not make the others done.
pub fn what_was_cancelled_is_not_done(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let store = scene.store();
    let documents =
        [scene.queued(&kb, "un")?, scene.queued(&kb, "deux")?, scene.queued(&kb, "trois")?];
    let job = scene.job(&kb, "aide", &["1", "2", "3"])?;
    let other = scene.job(&kb, "other", &["1"])?;
    let at = |job: &Job, number, document: &Document, state| {
        let change = ItemChange { document_id: Some(document.id.clone()), ..ItemChange::default() };
        store.change_job_item(&job.id, number, state, &change, scene.now())
    };
    for (number, document) in (1..).zip(&documents) {
        at(&job, number, document, JobItemState::Splitting)?;
    }
    at(&other, 1, &documents[2], JobItemState::Queued)?;
    scene.lease(&job)?;
    at(&job, 1, &documents[0], JobItemState::Ready)?;
    // It is just being indexed, and given back when whoever works on it notices.
    store.claim_document(&scene.project, &documents[1].id)?;
    store.cancel_job(&scene.project, &job.id, scene.now())?;
    store.release_document(&documents[1].id)?;
    let ended = store.end_job(&job.id, &JobEnding::Released, scene.now())?;
    assert_eq!((ended.progress.items_done, ended.progress.items_cancelled), (1, 2));
    let stands = |at: usize| store.document(&scene.project, &documents[at].id);
    let cancelled = stands(1)?;
    assert_eq!(cancelled.status, DocumentStatus::Error);
    assert_eq!(cancelled.failure.map(|failure| failure.code), Some(ErrorCode::Cancelled));
    assert_eq!(stands(2)?.status, DocumentStatus::Queued, "the other job will index it");

    store.retry_job(&scene.project, &job.id, Some(2), scene.now())?;
    scene.lease(&job)?;
    assert!(store.claim_document(&scene.project, &documents[1].id)?.is_some());
    at(&job, 2, &documents[1], JobItemState::Ready)?;
    let ended = store.end_job(&job.id, &JobEnding::Done, scene.now())?;
    assert_eq!(ended.state, JobState::Cancelled, "the third stays cancelled");
    assert_eq!((ended.progress.items_done, ended.progress.items_cancelled), (2, 1));

    store.retry_job(&scene.project, &job.id, None, scene.now())?;
    scene.lease(&job)?;
    at(&job, 3, &documents[2], JobItemState::AlreadyHere)?;
    let ended = store.end_job(&job.id, &JobEnding::Done, scene.now())?;
    assert_eq!((ended.state, ended.progress.items_done), (JobState::Done, 3));
    Ok(())
}

/// A document that waits and that nobody will take up is found; one that was cancelled waits for a
/// person.
pub fn a_document_without_a_job_is_found(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let store = scene.store();
    let [alone, queued, cancelled, done] =
        ["alone", "queued", "cancelled", "done"].map(|text| scene.queued(&kb, text));
    let documents = [queued?, cancelled?, done?];
    let job = scene.job(&kb, "aide", &["1", "2", "3"])?;
    let states = [JobItemState::Queued, JobItemState::Cancelled, JobItemState::Ready];
    for ((number, document), state) in (1..).zip(&documents).zip(states) {
        let change = ItemChange { document_id: Some(document.id.clone()), ..ItemChange::default() };
        store.change_job_item(&job.id, number, state, &change, scene.now())?;
    }
    let found: Vec<_> = store.documents_without_job()?.into_iter().map(|(.., id)| id).collect();
    // The last one stands queued although its job is done with it: something put it back.
    assert_eq!(found, [alone?.id, documents[2].id.clone()]);
    Ok(())
}

/// A document and the item that it came by know each other from the same moment on: whoever cancels
/// the job before leaves no document, and whoever cancels it after ends the document with it.
pub fn a_document_comes_with_its_item_or_not_at_all(subject: Subject) -> Told {
    let scene = Scene::of(subject)?;
    let kb = scene.base("FAQ")?;
    let (store, project) = (scene.store(), &scene.project);
    let (early, late) = (scene.source("un")?, scene.source("deux")?);
    let job = scene.job(&kb, "aide", &["1", "2"])?;
    scene.lease(&job)?;
    scene.stand(&job, 1, JobItemState::Reading)?;
    scene.stand(&job, 2, JobItemState::Reading)?;

    let attached =
        store.attach_item_source(project, &kb.id, &early.id, (&job.id, 1), scene.now())?;
    let Some((document, false)) = attached else { panic!("it is new: {attached:?}") };
    let items = store.list_job_items(project, &job.id, None, PageRequest::default())?.items;
    assert_eq!(items[0].document_id.as_ref(), Some(&document.id));
    assert_eq!(store.documents_without_job()?, []);

    store.cancel_job(project, &job.id, scene.now())?;
    let attached =
        store.attach_item_source(project, &kb.id, &late.id, (&job.id, 2), scene.now())?;
    assert_eq!(attached, None, "it was cancelled");
    assert_eq!(store.document(project, &document.id)?.status, DocumentStatus::Error);
    assert_eq!(store.document_counts(project, &kb.id)?.queued, 0);
    assert_eq!(store.documents_without_job()?, []);
    Ok(())
}
