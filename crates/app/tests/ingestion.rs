//! Ingestion as an interface sees it: outcomes, progress, cancelling. Words stand in for the model,
//! which these stories do not depend on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, Ingest, IngestFiles, IngestPhase, IngestProgress, IngestReport,
    IngestResult, JobRef, KnowledgeBaseRef, ListDocuments, Nothing, PreviewPaths, RetryJob, Search,
};
use ancre_app::{Ancre, EmbedderLoader, Options};
use ancre_domain::{DocumentStatus, KnowledgeBaseId, PageRequest};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_testkit::WordEmbedder;

struct WordLoader(Duration);

impl WordLoader {
    fn embedder(&self) -> WordEmbedder {
        WordEmbedder::new(64).pausing(self.0)
    }
}

impl EmbedderLoader for WordLoader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(self.embedder().description().clone())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        Ok(Arc::new(self.embedder()))
    }
}

fn open(folder: &Path, pause: Duration) -> (Ancre, KnowledgeBaseId) {
    let options = Options::new(folder.join("data"), Arc::new(WordLoader(pause)));
    let ancre = Ancre::open(options).unwrap();
    let input = CreateKnowledgeBase {
        name: "Help".to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    let base = rag::create_knowledge_base(&ancre, input, &|_| ()).unwrap();
    (ancre, base.knowledge_base.id)
}

fn files(kb_id: &KnowledgeBaseId, folder: &Path) -> IngestFiles {
    let paths = vec![folder.to_str().unwrap().to_owned()];
    IngestFiles { kb_id: kb_id.clone(), paths, title: None, password: None, recognise: false }
}

/// A thousand files, of which every tenth is empty, binary, of an unknown kind or hidden in turn.
fn thousand_files(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for number in 0..1_000 {
        let (name, content): (String, Vec<u8>) = match number {
            _ if number % 40 == 0 => (format!("{number}.txt"), Vec::new()),
            _ if number % 40 == 10 => (format!("{number}.md"), b"\x89PNG\r\n\x1a\n\0\0\0".to_vec()),
            _ if number % 40 == 20 => (format!("{number}.xyz"), b"text".to_vec()),
            _ if number % 40 == 30 => (format!(".{number}.txt"), b"text".to_vec()),
            _ => (format!("{number}.txt"), format!("Rule number {number} applies.").into_bytes()),
        };
        std::fs::write(folder.join(name), content).unwrap();
    }
}

fn by_result(report: &IngestReport) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for outcome in &report.outcomes {
        *counts.entry(format!("{:?}", outcome.result)).or_default() += 1;
    }
    counts
}

#[test]
fn each_of_a_thousand_files_has_its_own_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::ZERO);
    let thousand = folder.path().join("files");
    thousand_files(&thousand);
    let preview = PreviewPaths { paths: vec![thousand.to_str().unwrap().to_owned()] };
    let preview = rag::preview_paths(&ancre, preview, &|_| ()).unwrap();
    assert_eq!(
        (preview.supported, preview.unsupported, preview.hidden, preview.folders),
        (950, 25, 25, 1)
    );

    let report = rag::ingest_files(&ancre, files(&kb_id, &thousand), &|_| ()).unwrap();
    let expected = [("Failed", 50), ("Ready", 900), ("Skipped", 50)];
    let expected = expected.map(|(result, count)| (result.to_owned(), count));
    assert_eq!(by_result(&report), BTreeMap::from(expected));
    let explained = |outcome: &ancre_app::wire::IngestOutcome| {
        matches!(outcome.result, IngestResult::Ready) || outcome.error.is_some()
    };
    assert!(report.outcomes.iter().all(explained), "whatever is not ready says why");
    let base = rag::get_knowledge_base(&ancre, KnowledgeBaseRef { kb_id }, &|_| ()).unwrap();
    assert_eq!(base.counts.ready, 900);
}

#[test]
fn lists_and_searches_answer_while_a_job_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::from_millis(20));
    let some = folder.path().join("files");
    std::fs::create_dir_all(&some).unwrap();
    for number in 0..20 {
        std::fs::write(some.join(format!("{number}.txt")), format!("Rule {number}.")).unwrap();
    }
    let seen_while_indexing: Mutex<Vec<u32>> = Mutex::default();
    let found_while_indexing: Mutex<Vec<usize>> = Mutex::default();
    std::thread::scope(|scope| {
        let job = scope.spawn(|| rag::ingest_files(&ancre, files(&kb_id, &some), &|_| ()).unwrap());
        while !job.is_finished() {
            let input =
                ListDocuments { kb_id: kb_id.clone(), status: None, page: PageRequest::default() };
            let documents = rag::list_documents(&ancre, input, &|_| ()).unwrap();
            let ready = documents.items.iter().filter(|it| it.status == DocumentStatus::Ready);
            seen_while_indexing.lock().unwrap().push(u32::try_from(ready.count()).unwrap());
            let search = Search {
                query: "Which rule?".to_owned(),
                kb_ids: vec![kb_id.clone()],
                top_k: Some(50),
                max_distance: None,
                mode: None,
                rerank: false,
            };
            let hits = rag::search(&ancre, search, &|_| ()).unwrap().hits;
            found_while_indexing.lock().unwrap().push(hits.len());
        }
    });
    let found = found_while_indexing.into_inner().unwrap();
    assert!(found.iter().any(|hits| (1..20).contains(hits)), "it was searched: {found:?}");
    assert!(found.is_sorted(), "what was found once stays found: {found:?}");
    let seen = seen_while_indexing.into_inner().unwrap();
    assert!(
        seen.iter().any(|ready| (1..20).contains(ready)),
        "the list was read meanwhile: {seen:?}"
    );
}

#[test]
fn absurd_results_are_flagged_for_a_look() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::ZERO);
    let some = folder.path().join("files");
    std::fs::create_dir_all(&some).unwrap();
    std::fs::write(some.join("good.txt"), "Standard delivery takes three working days.").unwrap();
    // Private-use signs, as a font without a table leaves them: text, and nobody can read it.
    let unreadable = "\u{e001}\u{e002}\u{e003}\u{e004}\u{e005} ".repeat(400) + "end";
    std::fs::write(some.join("unreadable.txt"), unreadable).unwrap();
    let report = rag::ingest_files(&ancre, files(&kb_id, &some), &|_| ()).unwrap();
    let job = rag::get_job(&ancre, JobRef { job_id: report.job_id.clone() }, &|_| ()).unwrap();
    assert_eq!((job.items_done, job.items_flagged), (2, 1), "{report:?}");
    let flagged: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|outcome| !outcome.warnings.is_empty())
        .map(|outcome| outcome.title.as_str())
        .collect();
    assert_eq!(flagged, ["unreadable"]);
}

#[test]
fn progress_counts_up_to_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::ZERO);
    let some = folder.path().join("files");
    std::fs::create_dir_all(&some).unwrap();
    for number in 0..5 {
        std::fs::write(some.join(format!("{number}.txt")), format!("Rule {number}.")).unwrap();
    }
    let heard: Mutex<Vec<IngestProgress>> = Mutex::default();
    let hear = |progress| heard.lock().unwrap().push(progress);
    let report = rag::ingest_files(&ancre, files(&kb_id, &some), &hear).unwrap();
    let heard = heard.into_inner().unwrap();
    let last = heard.last().unwrap();
    assert_eq!(last.phase, IngestPhase::Finished);
    assert_eq!((last.items_done, last.items_total, last.chunks_embedded), (5, 5, 5));
    let outcomes = heard.iter().filter(|progress| progress.outcome.is_some()).count();
    assert_eq!(outcomes, report.outcomes.len(), "each outcome is told once");
    assert!(heard.is_sorted_by_key(|progress| progress.items_done));
}

#[test]
fn a_cancelled_job_keeps_what_it_finished_and_the_rest_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::from_millis(20));
    let some = folder.path().join("files");
    std::fs::create_dir_all(&some).unwrap();
    for number in 0..20 {
        std::fs::write(some.join(format!("{number}.txt")), format!("Rule {number}.")).unwrap();
    }
    let cancel = |progress: IngestProgress| {
        let is_first = progress.outcome.is_some_and(|it| it.result == IngestResult::Ready);
        if is_first {
            // A later outcome finds the job cancelled already, which is no error.
            rag::cancel_job(&ancre, JobRef { job_id: progress.job_id }, &|_| ()).unwrap();
        }
    };
    let report = rag::ingest_files(&ancre, files(&kb_id, &some), &cancel).unwrap();
    assert!((1..20).contains(&report.ready), "{:?}", by_result(&report));
    assert_eq!(report.ready + report.cancelled, 20, "{:?}", by_result(&report));

    let again = RetryJob { job_id: report.job_id, number: None, password: None, recognise: false };
    rag::retry_job(&ancre, again, &|_| ()).unwrap();
    let resumed = rag::resume_queued(&ancre, Nothing {}, &|_| ()).unwrap();
    assert_eq!((resumed.ready, resumed.waiting), (report.cancelled, 0));
    let base = rag::get_knowledge_base(&ancre, KnowledgeBaseRef { kb_id }, &|_| ()).unwrap();
    assert_eq!((base.counts.ready, base.counts.queued), (20, 0));
}

#[test]
fn pasted_markdown_has_its_headings_and_comes_once() {
    let folder = tempfile::tempdir().unwrap();
    let (ancre, kb_id) = open(folder.path(), Duration::ZERO);
    let paste = || Ingest {
        kb_id: kb_id.clone(),
        title: "Rules".to_owned(),
        text: "# Parking\n\nThe car park closes at ten.".to_owned(),
        source_kind: None,
        source_uri: None,
        mime: Some("text/markdown".to_owned()),
        batch_size: Some(1),
    };
    assert_eq!(rag::ingest(&ancre, paste(), &|_| ()).unwrap().ready, 1);
    assert_eq!(rag::ingest(&ancre, paste(), &|_| ()).unwrap().already_here, 1);
    let search = ancre_app::wire::Search {
        query: "car park".to_owned(),
        kb_ids: vec![kb_id.clone()],
        top_k: None,
        max_distance: None,
        mode: None,
        rerank: false,
    };
    let found = rag::search(&ancre, search, &|_| ()).unwrap().hits;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].heading.as_deref(), Some("Parking"));
}
