//! Stories of what a document has besides its words: pages, warnings, an archive around it, an
//! original that is read again.

#![allow(clippy::unwrap_used, reason = "a story that cannot go on ends there")]

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

use ancre_domain::{
    Cancellation, ChunkingSettings, Document, DocumentStatus, ErrorCode, KnowledgeBase, PageKind,
    Pagination, TextPage, Warning,
};
use ancre_extract::{Libraries, Reader};
use ancre_knowledge::IndexingLine;
use ancre_knowledge::ingestion::{
    DEFAULT_BATCH_SIZE, FileOutcome, FileResult, IndexOutcome, Indexer, IngestEvent, IngestReport,
    NewText, Reading, ingest_files, recognise_document, register_text,
};
use ancre_store::traits::{DocumentStore, SourceStore};
use ancre_testkit::{Scene, WordEmbedder, zip_of};

/// A line belongs to one model of one store, so each indexer of a story has its own.
fn line() -> &'static IndexingLine {
    Box::leak(Box::default())
}

fn indexer(scene: &Scene) -> Indexer<'_> {
    Indexer {
        store: &*scene.store,
        embedder: &scene.embedder,
        line: line(),
        clock: &scene.clock,
        batch_size: DEFAULT_BATCH_SIZE,
    }
}

fn reader() -> Reader {
    Reader::in_process(Libraries::default())
}

fn added(scene: &Scene, base: &KnowledgeBase, text: NewText) -> Document {
    let project = scene.project_id();
    let added = register_text(&*scene.store, &scene.clock, project, &base.id, text).unwrap();
    let id = added.document.id;
    let outcome = indexer(scene).index_document(project, &id, &Cancellation::new(), &mut |_| {});
    let Ok(IndexOutcome::Ready(document)) = outcome else { unreachable!("it can be indexed") };
    document
}

fn ingest(
    scene: &Scene,
    base: &KnowledgeBase,
    path: PathBuf,
    sink: &dyn Fn(IngestEvent),
) -> IngestReport {
    let reader = reader();
    let (reading, project) = (Reading::with(&reader), scene.project_id());
    let cancellation = Cancellation::new();
    ingest_files(&indexer(scene), reading, project, &base.id, &[path], &cancellation, sink).unwrap()
}

fn recognise(scene: &Scene, document: &Document) -> FileOutcome {
    let (reader, cancellation) = (reader(), Cancellation::new());
    let project = scene.project_id();
    recognise_document(&indexer(scene), &reader, project, &document.id, &cancellation, &|_| {})
        .unwrap()
}

/// A text whose original is another one, as a scan's is before it is recognised.
fn scanned(text: &str, original: &str) -> NewText {
    NewText {
        uri: Some("/scans/lettre.txt".to_owned()),
        bytes: Some(original.as_bytes().to_vec()),
        ..NewText::pasted("Lettre", text)
    }
}

#[test]
fn a_chunk_knows_the_page_on_which_its_own_text_begins() {
    let scene = Scene::new();
    let settings = ChunkingSettings { size: 60, overlap: 20 };
    let base = scene.knowledge_base_with("Aide", settings);
    let sentence = "Une phrase de trente caractères.";
    let text = [sentence; 6].join("\n\n");
    let start = |at: usize| u32::try_from(at * (sentence.chars().count() + 2)).unwrap();
    let page = |number, at, label: Option<&str>| TextPage {
        number,
        label: label.map(str::to_owned),
        start: start(at),
    };
    let pages = vec![page(1, 1, None), page(2, 2, Some("ii")), page(3, 4, None)];
    let text = NewText {
        pagination: Some(Pagination { kind: PageKind::Page, pages }),
        ..NewText::pasted("Pages", text)
    };
    let document = added(&scene, &base, text);

    let chunks = scene.store.chunks(scene.project_id(), &document.id).unwrap();
    let pages: Vec<_> = chunks.iter().map(|it| (it.page, it.page_label.as_deref())).collect();
    let second = (Some(2), Some("ii"));
    assert_eq!(
        pages,
        [(None, None), (Some(1), None), second, second, (Some(3), None), (Some(3), None)]
    );
    assert!(chunks[2].range.start < start(2), "what it repeats is of the page before");
    let kinds: Vec<_> = chunks.iter().map(|chunk| chunk.page_kind).collect();
    assert_eq!(kinds[..2], [None, Some(PageKind::Page)]);
}

#[test]
fn a_slide_that_says_enough_is_a_chunk_of_its_own() {
    let scene = Scene::new();
    let settings = ChunkingSettings { size: 120, overlap: 20 };
    let base = scene.knowledge_base_with("Aide", settings);
    let begins = |kind: PageKind, last: &str| {
        let page = |number, start| TextPage { number, label: None, start };
        let pages = vec![page(1, 0), page(2, 34), page(3, 68)];
        let first = "Une phrase de trente caractères.";
        let text = NewText {
            pagination: Some(Pagination { kind, pages }),
            ..NewText::pasted("Pages", [first, first, last].join("\n\n"))
        };
        let document = added(&scene, &base, text);
        let chunks = scene.store.chunks(scene.project_id(), &document.id).unwrap();
        chunks.iter().map(|chunk| (chunk.page, chunk.range.start)).collect::<Vec<_>>()
    };
    assert_eq!(begins(PageKind::Slide, "Bref."), [(Some(1), 0), (Some(2), 34), (Some(3), 68)]);
    assert_eq!(begins(PageKind::Page, "Tout aussi bref."), [(Some(1), 0)]);
}

#[test]
fn what_is_in_an_archive_is_read_file_by_file() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("aide.zip");
    let archive = zip_of(&[
        ("retours.md", "# Retours\n\nTrente jours.".as_bytes()),
        ("livraison/délais.md", "# Délais\n\nTrois jours.".as_bytes()),
        ("livraison/copie.txt", "# Délais\n\nTrois jours.".as_bytes()),
        ("logo.png", b"\x89PNG\r\n\x1a\n"),
        ("vide.txt", b""),
    ]);
    fs::write(&path, archive).unwrap();
    let events = RefCell::new(Vec::new());
    let report = ingest(&scene, &base, path.clone(), &|event| events.borrow_mut().push(event));

    let outcomes: Vec<(PathBuf, String)> = report
        .files
        .iter()
        .map(|file| {
            let word = match &file.result {
                FileResult::Failed(failure) => failure.code.as_str().to_owned(),
                other => format!("{other:?}"),
            };
            (file.path.strip_prefix(&path).unwrap().to_owned(), word)
        })
        .collect();
    let expected = [
        ("retours.md", "Indexed"),
        ("livraison/délais.md", "Indexed"),
        ("livraison/copie.txt", "AlreadyHere"),
        ("logo.png", "unsupported"),
        ("vide.txt", "empty"),
    ];
    assert_eq!(outcomes, expected.map(|(name, word)| (name.into(), word.to_owned())));
    let opened = IngestEvent::ArchiveOpened { path: path.clone(), files: 5 };
    assert!(events.borrow().contains(&opened));
    let uris: Vec<_> =
        scene.documents(&base).into_iter().map(|it| it.source_uri.unwrap()).collect();
    let path = path.to_str().unwrap();
    assert_eq!(uris, [format!("{path}#livraison/délais.md"), format!("{path}#retours.md")]);
}

#[test]
fn what_is_said_of_the_reading_stays_with_the_document() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.log");
    fs::write(&path, [FRENCH.as_bytes(), b"\xC3"].concat()).unwrap();
    let report = ingest(&scene, &base, path, &|_| {});
    let warnings = [Warning::ReplacedCharacters { encoding: "UTF-8".to_owned() }];
    assert_eq!(report.files[0].warnings, warnings);
    assert_eq!(scene.documents(&base)[0].warnings, warnings);
}

const FRENCH: &str = "Déjà réglé à l'été";

#[test]
fn a_recognised_text_takes_the_place_of_its_document() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let old = added(&scene, &base, scanned("Première page.", "Première page. Deuxième page."));
    let outcome = recognise(&scene, &old);
    assert_eq!(outcome.result, FileResult::Indexed);

    let [new] = &scene.documents(&base)[..] else { panic!("one has taken the other's place") };
    assert_eq!(Some(&new.id), outcome.document.as_ref());
    assert_eq!((new.status, new.title.as_str()), (DocumentStatus::Ready, "Lettre"));
    let text = scene.store.source_text(scene.project_id(), &new.source_id).unwrap();
    assert_eq!(text.trim_end(), "Première page. Deuxième page.");
}

#[test]
fn a_text_that_comes_out_the_same_changes_nothing() {
    let scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let pasted = added(&scene, &base, NewText::pasted("Lettre", "Rien de neuf."));
    let read = added(&scene, &base, scanned("Rien non plus.\n", "Rien non plus.\r\n"));
    for document in [&pasted, &read] {
        assert_eq!(recognise(&scene, document).result, FileResult::AlreadyHere);
    }
    assert_eq!(scene.documents(&base), [read, pasted]);
}

#[test]
fn a_recognition_that_fails_leaves_the_document_searched() {
    let mut scene = Scene::new();
    let base = scene.knowledge_base("Aide");
    let old = added(&scene, &base, scanned("Première page.", "Du poison."));
    scene.embedder = WordEmbedder::new(64).refusing("poison");
    let outcome = recognise(&scene, &old);
    assert!(matches!(&outcome.result, FileResult::Failed(it) if it.code == ErrorCode::ModelFailed));
    let kept = scene.store.document(scene.project_id(), &old.id).unwrap();
    assert_eq!(kept.status, DocumentStatus::Ready);

    let binary = added(&scene, &base, scanned("Autre lettre.", "GIF89a\u{1}\u{2}"));
    let outcome = recognise(&scene, &binary);
    assert!(matches!(&outcome.result, FileResult::Failed(it) if it.code == ErrorCode::Binary));
    assert_eq!(outcome.document, Some(binary.id));
}
