//! Reading as an interface sees it: previews, warnings, archives, passwords. Words stand in for
//! the model, which these stories do not depend on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Tests may.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ancre_app::operations::rag;
use ancre_app::wire::{
    CreateKnowledgeBase, DocumentRef, IngestFiles, IngestProgress, IngestReport, IngestResult,
    ListDocuments, Nothing, PagePictureRequest, Password, PreviewFile, RetryJob,
};
use ancre_app::{Ancre, DocumentReader, EmbedderLoader, Libraries, Options, places};
use ancre_domain::{DocumentId, ErrorCode, KnowledgeBaseId, PageRequest, Warning};
use ancre_models::{Embedder, EmbedderDescription, ModelError};
use ancre_testkit::{WordEmbedder, zip_of};
use tempfile::TempDir;

struct WordLoader;

impl EmbedderLoader for WordLoader {
    fn describe(&self) -> Result<EmbedderDescription, ModelError> {
        Ok(WordEmbedder::new(64).description().clone())
    }

    fn load(&self) -> Result<Arc<dyn Embedder>, ModelError> {
        Ok(Arc::new(WordEmbedder::new(64)))
    }
}

/// An Ancre with one base, and a folder for files.
struct Desk {
    folder: TempDir,
    ancre: Ancre,
    kb_id: KnowledgeBaseId,
}

impl Desk {
    fn open() -> Self {
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self::with(places::libraries(&clone.join("runtime")))
    }

    fn with(libraries: Libraries) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = Options::new(folder.path().join("data"), Arc::new(WordLoader));
        options.reader = DocumentReader::in_process(libraries);
        let ancre = Ancre::open(options).unwrap();
        let input = CreateKnowledgeBase {
            name: "Help".to_owned(),
            description: String::new(),
            model: None,
            chunk_size: None,
            chunk_overlap: None,
        };
        let base = rag::create_knowledge_base(&ancre, input, &|_| ()).unwrap();
        Self { folder, ancre, kb_id: base.knowledge_base.id }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn files(&self, path: &str) -> IngestFiles {
        IngestFiles {
            kb_id: self.kb_id.clone(),
            paths: vec![path.to_owned()],
            title: None,
            password: None,
            recognise: false,
        }
    }

    fn ingest(&self, input: IngestFiles) -> IngestReport {
        rag::ingest_files(&self.ancre, input, &|_| ()).unwrap()
    }

    fn preview(&self, path: &str, entry: Option<&str>) -> ancre_app::wire::FilePreview {
        let input =
            PreviewFile { path: path.to_owned(), entry: entry.map(str::to_owned), password: None };
        rag::preview_file(&self.ancre, input, &|_| ()).unwrap()
    }

    fn read(&self, document_id: DocumentId) -> ancre_app::wire::DocumentText {
        rag::read_document(&self.ancre, DocumentRef { document_id }, &|_| ()).unwrap()
    }
}

/// A log in UTF-8 that was cut inside a character.
fn broken_log() -> Vec<u8> {
    ["# Réglages\n\nDéjà réglé à l'été, répété, préféré.\n".as_bytes(), b"\xC3"].concat()
}

fn replaced() -> Vec<Warning> {
    vec![Warning::ReplacedCharacters { encoding: "UTF-8".to_owned() }]
}

#[test]
fn a_preview_shows_exactly_what_ingestion_stores() {
    let desk = Desk::open();
    let path = desk.file("réglages.md", broken_log());
    let preview = desk.preview(&path, None);
    let list =
        ListDocuments { kb_id: desk.kb_id.clone(), status: None, page: PageRequest::default() };
    let nothing = rag::list_documents(&desk.ancre, list, &|_| ()).unwrap();
    assert_eq!(nothing.total, 0, "a preview keeps nothing");

    let report = desk.ingest(desk.files(&path));
    let stored = desk.read(report.outcomes[0].document_id.clone().unwrap());
    assert_eq!(preview.text, stored.text);
    assert_eq!(preview.title, stored.document.title);
    assert_eq!(preview.mime, stored.document.mime);
    assert_eq!(preview.outline, stored.outline);
    assert_eq!(preview.pagination, stored.pagination);
    assert_eq!(preview.language, stored.language);
    assert_eq!((preview.warnings, preview.entries), (stored.warnings, None));
    assert!(!stored.has_page_pictures);
}

#[test]
fn warnings_reach_the_outcome_the_list_and_the_document() {
    let desk = Desk::open();
    let path = desk.file("serveur.log", broken_log());
    let heard: Mutex<Vec<IngestProgress>> = Mutex::default();
    let hear = |progress| heard.lock().unwrap().push(progress);
    let report = rag::ingest_files(&desk.ancre, desk.files(&path), &hear).unwrap();
    assert_eq!(report.outcomes[0].warnings, replaced());
    let told = heard.into_inner().unwrap().into_iter().find_map(|progress| progress.outcome);
    assert_eq!(told.map(|outcome| outcome.warnings), Some(replaced()));

    let list =
        ListDocuments { kb_id: desk.kb_id.clone(), status: None, page: PageRequest::default() };
    let listed = rag::list_documents(&desk.ancre, list, &|_| ()).unwrap();
    assert_eq!(listed.items[0].warnings, replaced());
    assert_eq!(desk.read(listed.items[0].id.clone()).warnings, replaced());
    let again = desk.ingest(desk.files(&path));
    assert_eq!(again.outcomes[0].result, IngestResult::AlreadyHere);
    assert_eq!(again.outcomes[0].warnings, replaced());
}

fn help_centre() -> Vec<u8> {
    zip_of(&[
        ("returns.md", b"# Returns\n\nThirty days."),
        ("delivery/times.md", b"# Times\n\nThree days."),
        ("delivery/map.png", b"\x89PNG\r\n\x1a\n"),
    ])
}

#[test]
fn an_archive_shows_its_files_and_each_can_be_read() {
    let desk = Desk::open();
    let path = desk.file("help.zip", help_centre());
    let preview = desk.preview(&path, None);
    assert_eq!((preview.title.as_str(), preview.text.as_str()), ("help", ""));
    let entries: Vec<_> = preview
        .entries
        .unwrap()
        .into_iter()
        .map(|entry| (entry.name, entry.byte_count, entry.is_supported))
        .collect();
    let expected =
        [("returns.md", 23, true), ("delivery/times.md", 20, true), ("delivery/map.png", 0, false)];
    assert_eq!(entries, expected.map(|(name, bytes, read)| (name.to_owned(), bytes, read)));

    let times = desk.preview(&path, Some("delivery/times.md"));
    assert_eq!((times.title.as_str(), times.entries), ("Times", None));
    let input = PreviewFile { path, entry: Some("../returns.md".to_owned()), password: None };
    let error = rag::preview_file(&desk.ancre, input, &|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
}

#[test]
fn an_archive_is_one_item_that_becomes_many() {
    let desk = Desk::open();
    let path = desk.file("help.zip", help_centre());
    let heard: Mutex<Vec<IngestProgress>> = Mutex::default();
    let hear = |progress| heard.lock().unwrap().push(progress);
    let report = rag::ingest_files(&desk.ancre, desk.files(&path), &hear).unwrap();
    assert_eq!((report.ready, report.skipped, report.failed), (2, 1, 0), "{report:?}");
    let paths: Vec<_> = report.outcomes.iter().filter_map(|it| it.path.clone()).collect();
    assert_eq!(paths[1], format!("{path}/delivery/times.md"));

    let heard = heard.into_inner().unwrap();
    let totals: Vec<u32> = heard.iter().map(|progress| progress.items_total).collect();
    assert!(totals.contains(&1) && totals.is_sorted(), "{totals:?}");
    let last = heard.last().unwrap();
    assert_eq!((last.items_total, last.items_done, last.items_failed), (3, 3, 0));

    let document = report.outcomes[1].document_id.clone().unwrap();
    let place = rag::source_place(&desk.ancre, DocumentRef { document_id: document }).unwrap();
    assert_eq!(place, rag::SourcePlace::File(PathBuf::from(path)), "the archive is opened");
}

/// A PDF from `pypdf` that opens with “openpassword”.
fn locked() -> String {
    let documents = Path::new(env!("CARGO_MANIFEST_DIR")).join("../extract/tests/documents");
    documents.join("pypdf__libreoffice-writer-password.pdf").to_str().unwrap().to_owned()
}

#[test]
fn a_locked_document_asks_for_its_password_and_opens_with_it() {
    let desk = Desk::open();
    let outcome = |password: Option<&str>| {
        let password = password.map(|password| Password::from(password.to_owned()));
        desk.ingest(IngestFiles { password, ..desk.files(&locked()) }).outcomes.remove(0)
    };
    let asked = outcome(None).error.unwrap();
    assert_eq!(asked.code, ErrorCode::Password);
    assert_eq!(asked.details, Some(serde_json::json!({ "canUnlock": true })));
    let refused = outcome(Some("12345")).error.unwrap();
    assert_eq!(refused.code, ErrorCode::WrongPassword);
    assert!(!format!("{refused:?}").contains("12345"), "an error does not repeat it");
    let opened = outcome(Some("openpassword"));
    assert_eq!(opened.result, IngestResult::Ready, "{opened:?}");
    let text = desk.read(opened.document_id.unwrap()).text;
    assert!(text.contains("Lorem ipsum dolor sit amet"), "{text}");
}

#[test]
fn a_password_is_for_one_file_and_is_not_shown() {
    let desk = Desk::open();
    let mut input = desk.files("a.pdf");
    input.paths.push("b.pdf".to_owned());
    input.password = Some(Password::from("sesame".to_owned()));
    assert!(!format!("{input:?}").contains("sesame"));
    let error = rag::ingest_files(&desk.ancre, input, &|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
}

#[test]
fn a_title_is_given_to_a_single_file() {
    let desk = Desk::open();
    let path = desk.file("a.md", "# Its own\n\nWords.");
    let title = Some("Another".to_owned());
    let report = desk.ingest(IngestFiles { title: title.clone(), ..desk.files(&path) });
    assert_eq!(report.outcomes[0].title, "Another");
    let folder = desk.folder.path().to_str().unwrap();
    let input = IngestFiles { title, ..desk.files(folder) };
    let error = rag::ingest_files(&desk.ancre, input, &|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidInput);
}

#[test]
fn what_cannot_be_pictured_or_recognised_is_refused_with_a_reason() {
    let desk = Desk::with(Libraries::default());
    let report = desk.ingest(desk.files(&desk.file("a.md", "Words.")));
    let document_id = report.outcomes[0].document_id.clone().unwrap();

    let formats = rag::list_formats(&desk.ancre, Nothing {}, &|_| ()).unwrap();
    assert!(!formats.can_recognise, "there are no libraries here");
    let input = DocumentRef { document_id: document_id.clone() };
    let error = rag::recognise_document(&desk.ancre, input, &|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Unsupported);
    let job_id = report.job_id;
    let again = RetryJob { job_id, number: Some(1), password: None, recognise: true };
    let error = rag::retry_job(&desk.ancre, again, &|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Unsupported, "said before anything is tried");
    let picture = |page, width| {
        let input = PagePictureRequest { document_id: document_id.clone(), page, width };
        rag::page_picture(&desk.ancre, input, &|_| ()).unwrap_err().code
    };
    assert_eq!(picture(1, 800), ErrorCode::Unsupported);
    assert_eq!(picture(1, 199), ErrorCode::InvalidInput);
    assert_eq!(picture(0, 800), ErrorCode::InvalidInput);
}
