//! New indexes as an interface sees them: several models, jobs, going back. Words stand in for the
//! models.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, Ingest, JobRef, JobSummary, KnowledgeBaseRef, KnowledgeBaseSummary,
    ListJobs, Nothing, Reindex, Search, UpdateKnowledgeBase, WireError,
};
use ancre_app::{Ancre, EmbedderLoader, InstalledPack, Options};
use ancre_domain::{Clock as _, ErrorCode, IndexHealth, JobState, KnowledgeBaseId, SearchMode};
use ancre_knowledge::ingestion::{NewText, register_text};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_store::SqliteStore;
use ancre_store::traits::SourceStore as _;
use ancre_testkit::WordEmbedder;

/// A model of words; the default one has others beside it.
#[derive(Clone)]
struct Words {
    id: &'static str,
    version: &'static str,
    dimension: u32,
    pause: Duration,
    is_damaged: bool,
}

impl Words {
    const fn called(id: &'static str, dimension: u32) -> Self {
        Self { id, version: "1", dimension, pause: Duration::ZERO, is_damaged: false }
    }
}

impl EmbedderLoader for Words {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        if self.is_damaged {
            return Err(ModelError::Damaged { path: "manifest.json".into(), detail: "cut".into() });
        }
        let (dimension, version) = (self.dimension, self.version.to_owned());
        let words = WordEmbedder::new(64).named(self.id).description().clone();
        Ok(EmbedderDescription { dimension, version, ..words })
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        let words = WordEmbedder::new(self.dimension).named(self.id).in_version(self.version);
        Ok(Arc::new(words.pausing(self.pause)))
    }

    fn installed(&self, _: &Path) -> Vec<InstalledPack> {
        let slow = Self { pause: Duration::from_millis(20), ..Self::called("slow", 16) };
        let packs = [
            ("other", Self::called("other", 32)),
            ("huge", Self::called("huge", 9_000)),
            ("slow", slow),
            ("broken", Self { is_damaged: true, ..Self::called("broken", 8) }),
        ];
        packs
            .into_iter()
            .map(|(name, loader)| InstalledPack { name: name.to_owned(), loader: Arc::new(loader) })
            .collect()
    }
}

fn open(folder: &Path) -> Ancre {
    open_in_version(folder, "1")
}

fn open_in_version(folder: &Path, version: &'static str) -> Ancre {
    let loader = Arc::new(Words { version, ..Words::called("usual", 64) });
    Ancre::open(Options::new(folder.join("data"), loader)).unwrap()
}

fn empty_base(ancre: &Ancre, name: &str) -> KnowledgeBaseId {
    let input = CreateKnowledgeBase {
        name: name.to_owned(),
        description: String::new(),
        model: None,
        chunk_size: None,
        chunk_overlap: None,
    };
    rag::create_knowledge_base(ancre, input, &|_| ()).unwrap().knowledge_base.id
}

fn text(kb_id: &KnowledgeBaseId, title: &str, text: String) -> Ingest {
    Ingest {
        kb_id: kb_id.clone(),
        title: title.to_owned(),
        text,
        source_kind: None,
        source_uri: None,
        mime: None,
        batch_size: None,
    }
}

fn base_with_texts(ancre: &Ancre) -> KnowledgeBaseId {
    let kb_id = empty_base(ancre, "Aide");
    for of in ["remboursement", "livraison", "facture"] {
        let sentences: String =
            (0..60).map(|number| format!("La phrase {number} parle de {of}. ")).collect();
        let input = text(&kb_id, &format!("Sur {of}"), sentences);
        assert_eq!(rag::ingest(ancre, input, &|_| ()).unwrap().ready, 1);
    }
    kb_id
}

fn wanted(kb_id: &KnowledgeBaseId, model: &str) -> Reindex {
    Reindex {
        kb_id: kb_id.clone(),
        model: Some(model.to_owned()),
        chunk_size: Some(300),
        chunk_overlap: None,
    }
}

fn base(ancre: &Ancre, kb_id: &KnowledgeBaseId) -> KnowledgeBaseSummary {
    rag::get_knowledge_base(ancre, KnowledgeBaseRef { kb_id: kb_id.clone() }, &|_| ()).unwrap()
}

fn first_title(ancre: &Ancre, kb_id: &KnowledgeBaseId, query: &str) -> String {
    let input = Search {
        query: query.to_owned(),
        kb_ids: vec![kb_id.clone()],
        top_k: Some(1),
        max_distance: None,
        mode: Some(SearchMode::Vector),
        rerank: false,
    };
    rag::search(ancre, input, &|_| ()).unwrap().hits[0].document_title.clone()
}

fn wait(ancre: &Ancre, job: JobSummary, until: impl Fn(&JobSummary) -> bool) -> JobSummary {
    let began = Instant::now();
    let mut job = job;
    while !until(&job) {
        assert!(began.elapsed() < Duration::from_secs(60), "{job:?}");
        std::thread::sleep(Duration::from_millis(20));
        job = rag::get_job(ancre, JobRef { job_id: job.id }, &|_| ()).unwrap();
    }
    job
}

fn is_over(job: &JobSummary) -> bool {
    matches!(job.state, JobState::Done | JobState::Failed | JobState::Cancelled)
}

fn refusal<T>(result: Result<T, WireError>) -> ErrorCode {
    result.err().expect("it is refused").code
}

#[test]
fn a_base_changes_its_model_by_a_job_and_back_by_a_click() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    assert!(!base(&ancre, &kb_id).index.is_outdated);

    let cost = rag::estimate_reindex(&ancre, wanted(&kb_id, "other"), &|_| ()).unwrap();
    assert!(cost.documents == 3 && cost.chunks > 15 && cost.passages_per_second > 0.0, "{cost:?}");

    let job = rag::reindex(&ancre, wanted(&kb_id, "other"), &|_| ()).unwrap();
    let job = wait(&ancre, job, is_over);
    assert_eq!((job.state, job.items_done, job.items_total), (JobState::Done, 3, 3), "{job:?}");
    let changed = base(&ancre, &kb_id);
    assert_eq!(changed.knowledge_base.embedding_model_id, "other");
    assert_eq!((changed.index.generation, changed.index.health), (2, IndexHealth::Ok));
    assert_eq!(changed.index.chunking_in_use.size, 300);
    assert!(changed.index.building.is_none() && changed.index.previous.is_some());
    assert_eq!(first_title(&ancre, &kb_id, "livraison"), "Sur livraison");

    let input = KnowledgeBaseRef { kb_id: kb_id.clone() };
    let back = rag::restore_generation(&ancre, input.clone(), &|_| ()).unwrap();
    assert_eq!(
        (back.knowledge_base.embedding_model_id.as_str(), back.index.generation),
        ("usual", 1)
    );
    assert_eq!(first_title(&ancre, &kb_id, "facture"), "Sur facture");
    let alone = rag::discard_generation(&ancre, input.clone(), &|_| ()).unwrap();
    assert!(alone.index.previous.is_none());
    assert_eq!(refusal(rag::restore_generation(&ancre, input, &|_| ())), ErrorCode::NotFound);
}

#[test]
fn what_came_since_a_switch_is_found_after_going_back_without_anything_more() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    let job = rag::reindex(&ancre, wanted(&kb_id, "other"), &|_| ()).unwrap();
    assert_eq!(wait(&ancre, job, is_over).state, JobState::Done);
    let came = text(&kb_id, "Parking", "Le parking ferme à dix heures.".to_owned());
    assert_eq!(rag::ingest(&ancre, came, &|_| ()).unwrap().ready, 1);

    let input = KnowledgeBaseRef { kb_id: kb_id.clone() };
    let back = rag::restore_generation(&ancre, input, &|_| ()).unwrap();
    assert_eq!(back.index.generation, 1);
    assert_eq!(back.counts.ready + back.counts.queued + back.counts.indexing, 4);
    let jobs = rag::list_jobs(&ancre, ListJobs::default(), &|_| ()).unwrap().items;
    // The newest of that name: the first is the one that added it.
    let job =
        jobs.into_iter().filter(|job| job.title == "Parking").max_by_key(|job| job.created_at);
    assert_eq!(wait(&ancre, job.unwrap(), is_over).state, JobState::Done);
    assert_eq!(base(&ancre, &kb_id).counts.ready, 4);
    assert_eq!(first_title(&ancre, &kb_id, "Le parking ferme à dix heures"), "Parking");
}

#[test]
fn an_overlap_that_fits_is_kept_when_chunks_change() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = empty_base(&ancre, "Aide");
    let change = |size, overlap| {
        let input = UpdateKnowledgeBase {
            kb_id: kb_id.clone(),
            name: None,
            description: None,
            chunk_size: size,
            chunk_overlap: overlap,
        };
        let chunking =
            rag::update_knowledge_base(&ancre, input, &|_| ()).unwrap().knowledge_base.chunking;
        (chunking.size, chunking.overlap)
    };
    assert_eq!(change(None, Some(300)), (2_000, 300));
    assert_eq!(change(Some(800), None), (800, 300), "it fits");
    assert_eq!(change(Some(600), None), (600, 300), "just");
    assert_eq!(change(Some(500), None), (500, 50), "it does not fit");
    assert_eq!(change(Some(400), Some(100)), (400, 100));
}

#[test]
fn a_base_takes_files_in_while_its_new_index_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    let job = rag::reindex(&ancre, wanted(&kb_id, "slow"), &|_| ()).unwrap();
    let job = wait(&ancre, job, |job| job.chunks_total > 0);
    let came = text(&kb_id, "Parking", "Le parking ferme à dix heures.".to_owned());
    assert_eq!(rag::ingest(&ancre, came, &|_| ()).unwrap().ready, 1);
    let job = wait(&ancre, job, is_over);
    assert_eq!(job.state, JobState::Done, "{job:?}");
    let after = base(&ancre, &kb_id);
    assert_eq!(after.knowledge_base.embedding_model_id, "slow");
    assert_eq!(after.index.generation, 2);
    // What was indexed into the old one at the moment of the switch is indexed again by itself.
    let began = Instant::now();
    while base(&ancre, &kb_id).counts.ready < 4 {
        assert!(began.elapsed() < Duration::from_secs(60), "it never became ready");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(first_title(&ancre, &kb_id, "Le parking ferme à dix heures"), "Parking");
    assert_eq!(first_title(&ancre, &kb_id, "livraison"), "Sur livraison");
}

#[test]
fn a_build_is_cancelled_and_the_space_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    let job = rag::reindex(&ancre, wanted(&kb_id, "slow"), &|_| ()).unwrap();
    let job = wait(&ancre, job, |job| job.chunks_total > 0);
    rag::cancel_job(&ancre, JobRef { job_id: job.id.clone() }, &|_| ()).unwrap();
    wait(&ancre, job, |_| base(&ancre, &kb_id).index.building.is_none());
    assert_eq!(base(&ancre, &kb_id).knowledge_base.embedding_model_id, "usual");
    assert_eq!(first_title(&ancre, &kb_id, "livraison"), "Sur livraison");
}

#[test]
fn a_build_goes_on_after_the_window_was_closed_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    let job = rag::reindex(&ancre, wanted(&kb_id, "slow"), &|_| ()).unwrap();
    let job = wait(&ancre, job, |job| job.chunks_total > 0);
    drop(ancre);

    let ancre = open(folder.path());
    assert_eq!(base(&ancre, &kb_id).knowledge_base.embedding_model_id, "usual");
    ancre.start_jobs();
    let job = wait(&ancre, job, is_over);
    assert_eq!(job.state, JobState::Done, "{job:?}");
    assert_eq!(first_title(&ancre, &kb_id, "livraison"), "Sur livraison");
    assert_eq!(base(&ancre, &kb_id).knowledge_base.embedding_model_id, "slow");
}

#[test]
fn a_model_that_cannot_serve_is_refused_before_anything_is_queued() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let kb_id = base_with_texts(&ancre);
    let refused = |model| refusal(rag::reindex(&ancre, wanted(&kb_id, model), &|_| ()));
    assert_eq!(refused("huge"), ErrorCode::InvalidInput);
    assert_eq!(refused("absent"), ErrorCode::ModelMissing);
    assert_eq!(refused("broken"), ErrorCode::ModelDamaged);
    assert!(base(&ancre, &kb_id).index.building.is_none());
    assert_eq!(first_title(&ancre, &kb_id, "livraison"), "Sur livraison");

    let models = rag::list_models(&ancre, Nothing {}, &|_| ()).unwrap();
    let shown: Vec<(&str, bool, bool)> = models
        .iter()
        .map(|model| (model.id.as_str(), model.is_default, model.error.is_some()))
        .collect();
    let expected = [
        ("usual", true, false),
        ("other", false, false),
        ("huge", false, true),
        ("slow", false, false),
        ("broken", false, true),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_base_is_made_fed_and_searched_with_its_own_model() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open(folder.path());
    let input = CreateKnowledgeBase {
        name: "Autre".to_owned(),
        description: String::new(),
        model: Some("other".to_owned()),
        chunk_size: None,
        chunk_overlap: None,
    };
    let made = rag::create_knowledge_base(&ancre, input, &|_| ()).unwrap();
    assert_eq!(made.knowledge_base.embedding_dim, 32);
    let kb_id = made.knowledge_base.id;
    let input = Ingest {
        kb_id: kb_id.clone(),
        title: "Retours".to_owned(),
        text: "Sous 14 jours.".to_owned(),
        source_kind: None,
        source_uri: None,
        mime: None,
        batch_size: None,
    };
    assert_eq!(rag::ingest(&ancre, input, &|_| ()).unwrap().ready, 1);
    assert_eq!(first_title(&ancre, &kb_id, "jours"), "Retours");
}

#[test]
fn a_base_of_the_model_before_its_update_answers_and_takes_nothing_until_it_is_indexed_again() {
    let folder = tempfile::tempdir().unwrap();
    let ancre = open_in_version(folder.path(), "1");
    let kb_id = base_with_texts(&ancre);
    let empty = empty_base(&ancre, "Vide");
    drop(ancre);
    // One waits that was queued before the update.
    let store = SqliteStore::open(&folder.path().join("data")).unwrap();
    let (clock, parking) = (ancre_app::SystemClock, "Le parking ferme à dix heures.");
    let project = store.default_project(clock.now()).unwrap().id;
    let waiting = NewText::pasted("Parking", parking);
    register_text(&store, &clock, &project, &kb_id, waiting).unwrap();
    drop(store);

    let ancre = open_in_version(folder.path(), "2");
    ancre.start_jobs();
    assert!(base(&ancre, &kb_id).index.is_outdated);
    assert_eq!(first_title(&ancre, &kb_id, "facture"), "Sur facture", "it goes on answering");
    let more = || text(&kb_id, "Horaires", "Nous ouvrons à neuf heures.".to_owned());
    let refused = rag::ingest(&ancre, more(), &|_| ()).err().unwrap();
    assert_eq!(refused.code, ErrorCode::ModelMismatch);
    assert!(refused.message.contains("version 1"), "{refused}");
    let jobs = || rag::list_jobs(&ancre, ListJobs::default(), &|_| ()).unwrap().items;
    let waits = jobs().into_iter().find(|job| job.title == "Parking").unwrap();
    let waits = wait(&ancre, waits, |job| job.error.is_some());
    assert_eq!(waits.error.as_ref().unwrap().code, ErrorCode::ModelMismatch);
    assert_eq!(waits.state, JobState::Queued, "it is put off, not failed");

    let report = rag::ingest(&ancre, text(&empty, "Un", "Une phrase.".to_owned()), &|_| ());
    assert_eq!(report.unwrap().ready, 1, "what holds nothing takes the new version on");
    assert_eq!(base(&ancre, &empty).index.embedding_version.as_deref(), Some("2"));

    let input = Reindex { chunk_size: None, ..wanted(&kb_id, "usual") };
    let job = rag::reindex(&ancre, input, &|_| ()).unwrap();
    assert_eq!(wait(&ancre, job, is_over).state, JobState::Done);
    assert_eq!(wait(&ancre, waits, is_over).state, JobState::Done, "it goes on by itself");
    assert_eq!(rag::ingest(&ancre, more(), &|_| ()).unwrap().ready, 1);
    let index = base(&ancre, &kb_id).index;
    assert_eq!((index.embedding_version.as_deref(), index.is_outdated), (Some("2"), false));
    assert_eq!(base(&ancre, &kb_id).counts.ready, 5);
}
