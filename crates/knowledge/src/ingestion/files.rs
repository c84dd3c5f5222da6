//! Files, folders and archives into a base, each file with its own outcome.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ancre_domain::{
    Cancellation, DocumentId, DocumentStatus, ErrorCode, Explain as _, KnowledgeBaseId, ProjectId,
};
use ancre_extract::{
    ArchivedFile, ExtractError, ParsedFile, ReadFile, ReadOptions, ReadProgress, Reader,
    is_supported,
};

use super::indexing::{IndexOutcome, Indexer};
use super::paths::expand_paths;
use super::registration::{AddedSource, NewText, register_text};
use super::report::{Failure, FileOutcome, FileResult, IngestEvent, IngestReport};
use crate::KnowledgeError;
use crate::line::{LineDocument, LineEvent};

/// How the files of a job are read. Nothing of it is kept.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// What reads them.
    pub reader: &'a Reader,
    /// A password to open them with.
    pub password: Option<&'a str>,
    /// Whether scanned pages are recognised, which takes seconds a page.
    pub recognise: bool,
    /// A title in place of a document's own; files of an archive keep theirs.
    pub title: Option<&'a str>,
}

impl<'a> Reading<'a> {
    /// Without password or title, scans left out.
    pub fn with(reader: &'a Reader) -> Self {
        Self { reader, password: None, recognise: false, title: None }
    }
}

/// Ingests the files behind `paths`: first reads and queues every one, then indexes them, a batch
/// of each in turn. What is in an archive is read in its place, each file on its own. One that fails costs
/// itself; a fault that would cost them all, such as a full disk, stops the job with its reason,
/// and what was queued waits. A document that was queued or in error before is indexed now.
///
/// The last event is [`IngestEvent::Finished`], with the report that is also returned.
///
/// # Errors
///
/// Before anything is done: the base is not in this project, or is of another model.
pub fn ingest_files(
    indexer: &Indexer<'_>,
    reading: Reading<'_>,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    paths: &[PathBuf],
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
) -> Result<IngestReport, KnowledgeError> {
    let base = indexer.store.knowledge_base(project, kb)?;
    indexer.ensure_feeds(project, &base)?;

    let list = expand_paths(paths);
    sink(IngestEvent::FilesFound {
        total: u32::try_from(list.files.len()).unwrap_or(u32::MAX),
        skipped: u32::try_from(list.skipped.len()).unwrap_or(u32::MAX),
    });
    let queued = BTreeSet::new();
    let mut job = Job { indexer, reading, project, kb, cancellation, sink, queued, stopped: None };
    let mut files: Vec<FileOutcome> = Vec::new();
    for path in list.files {
        job.register(path, &mut files);
    }
    job.index(&mut files);
    for (path, error) in list.unreadable {
        let failure = Failure::of(&error);
        sink(IngestEvent::FileFailed { path: path.clone(), failure: failure.clone() });
        files.push(unread(path, FileResult::Failed(failure)));
    }
    let skipped = list.skipped.into_iter();
    files.extend(skipped.map(|(path, reason)| unread(path, FileResult::Skipped(reason))));
    let report = IngestReport { files, stopped: job.stopped };
    sink(IngestEvent::Finished { report: report.clone() });
    Ok(report)
}

struct Job<'a> {
    indexer: &'a Indexer<'a>,
    reading: Reading<'a>,
    project: &'a ProjectId,
    kb: &'a KnowledgeBaseId,
    cancellation: &'a Cancellation,
    sink: &'a dyn Fn(IngestEvent),
    /// The documents that this job will index.
    queued: BTreeSet<DocumentId>,
    stopped: Option<Failure>,
}

/// A file that was found, on the disk or in an archive.
struct Place {
    /// How outcomes and events name it.
    path: PathBuf,
    /// How its source names it.
    uri: String,
}

impl Place {
    fn on_disk(path: &Path) -> Self {
        Self { path: path.to_owned(), uri: path.to_string_lossy().into_owned() }
    }

    /// A name that looks absolute stays inside.
    fn in_archive(archive: &Path, name: &str) -> Self {
        let mut path = archive.as_os_str().to_owned();
        path.push("/");
        path.push(name.trim_start_matches('/'));
        Self { path: path.into(), uri: format!("{}#{name}", archive.to_string_lossy()) }
    }
}

impl Job<'_> {
    /// Reads what is at one path and queues it. A file that waits for its index is
    /// [`FileResult::Waiting`].
    fn register(&mut self, path: PathBuf, files: &mut Vec<FileOutcome>) {
        if let Some(result) = self.reason_to_leave() {
            files.push(unread(path, result));
            return;
        }
        let place = Place::on_disk(&path);
        match self.read(&place, |reader, options| reader.read_path(&path, options)) {
            Ok(ReadFile::Document(file)) => {
                let mut text = NewText::of_file(place.uri.clone(), file);
                if let Some(title) = self.reading.title {
                    title.clone_into(&mut text.title);
                }
                files.push(self.queue(&place, text));
            }
            Ok(ReadFile::Archive(entries)) => self.register_entries(&path, entries, files),
            Err(error) => files.push(self.failed(&place, &error.into())),
        }
    }

    fn register_entries(
        &mut self,
        archive: &Path,
        entries: Vec<ArchivedFile>,
        files: &mut Vec<FileOutcome>,
    ) {
        let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        (self.sink)(IngestEvent::ArchiveOpened { path: archive.to_owned(), files: count });
        for ArchivedFile { name, bytes } in entries {
            let place = Place::in_archive(archive, &name);
            if let Some(result) = self.reason_to_leave() {
                files.push(unread(place.path, result));
                continue;
            }
            // A kind that is not read is said before any trouble with the bytes.
            let bytes = match bytes {
                Err(_) if !is_supported(Path::new(&name)) => Ok(Vec::new()),
                bytes => bytes,
            };
            let read = bytes.and_then(|bytes| {
                let parsed =
                    self.read(&place, |reader, options| reader.read_bytes(&bytes, &name, options))?;
                Ok(ParsedFile { parsed, bytes })
            });
            files.push(match read {
                Ok(file) => self.queue(&place, NewText::of_file(place.uri.clone(), file)),
                Err(error) => self.failed(&place, &error.into()),
            });
        }
    }

    /// Why nothing more is read, if so.
    fn reason_to_leave(&self) -> Option<FileResult> {
        if self.stopped.is_some() {
            Some(FileResult::Waiting)
        } else {
            self.cancellation.is_cancelled().then_some(FileResult::Cancelled)
        }
    }

    /// Reads as this job reads: with its password, telling of recognised pages.
    fn read<T>(
        &self,
        place: &Place,
        read: impl FnOnce(&Reader, ReadOptions<'_>) -> Result<T, ExtractError>,
    ) -> Result<T, ExtractError> {
        let tell = |progress: ReadProgress| {
            (self.sink)(IngestEvent::FileRecognising { path: place.path.clone(), progress });
        };
        let options = ReadOptions {
            password: self.reading.password,
            recognise: self.reading.recognise,
            cancellation: Some(self.cancellation),
            progress: Some(&tell),
        };
        read(self.reading.reader, options)
    }

    fn queue(&mut self, place: &Place, text: NewText) -> FileOutcome {
        let Indexer { store, clock, .. } = *self.indexer;
        let AddedSource { document, was_there } =
            match register_text(store, clock, self.project, self.kb, text) {
                Ok(added) => added,
                Err(error) => return self.failed(place, &error),
            };
        let is_new_here =
            document.status != DocumentStatus::Ready && self.queued.insert(document.id.clone());
        let outcome = FileOutcome {
            path: place.path.clone(),
            title: Some(document.title.clone()),
            document: Some(document.id.clone()),
            chunk_count: document.chunk_count,
            warnings: document.warnings.clone(),
            result: if is_new_here { FileResult::Waiting } else { FileResult::AlreadyHere },
        };
        (self.sink)(IngestEvent::FileRegistered { path: place.path.clone(), document, was_there });
        outcome
    }

    fn failed(&mut self, place: &Place, error: &KnowledgeError) -> FileOutcome {
        let path = place.path.clone();
        if error.code() == ErrorCode::Cancelled {
            return unread(path, FileResult::Cancelled);
        }
        let failure = self.note(error);
        (self.sink)(IngestEvent::FileFailed { path: path.clone(), failure: failure.clone() });
        unread(path, FileResult::Failed(failure))
    }

    /// Indexes the files that wait.
    fn index(&mut self, files: &mut [FileOutcome]) {
        let waiting = |file: &FileOutcome| matches!(file.result, FileResult::Waiting);
        let mut by_document: HashMap<DocumentId, &mut FileOutcome> = HashMap::new();
        let mut documents = Vec::new();
        for file in files.iter_mut().filter(|file| waiting(file)) {
            let Some(document_id) = file.document.clone() else { continue };
            documents.push(LineDocument {
                project_id: self.project.clone(),
                document_id: document_id.clone(),
                cancellation: self.cancellation.clone(),
            });
            by_document.insert(document_id, file);
        }
        if self.stopped.is_none() {
            let (indexer, sink) = (self.indexer, self.sink);
            indexer.index_documents(&mut documents.into_iter(), &mut |event| {
                if let LineEvent::Ended { document, outcome } = event.tell_to(sink)
                    && let Some(file) = by_document.get_mut(&document)
                {
                    self.ended(file, outcome);
                }
                if self.stopped.is_some() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        }
    }

    fn ended(&mut self, file: &mut FileOutcome, outcome: Result<IndexOutcome, KnowledgeError>) {
        file.result = match outcome {
            Ok(IndexOutcome::Ready(document)) => {
                file.chunk_count = document.chunk_count;
                file.warnings = document.warnings;
                FileResult::Indexed
            }
            Ok(IndexOutcome::WasReady) => FileResult::AlreadyHere,
            // Another process brings the same text and is at it: no error, as any duplicate.
            Err(error) if error.code() == ErrorCode::DocumentBusy => FileResult::AlreadyHere,
            Ok(IndexOutcome::Cancelled) => FileResult::Cancelled,
            Ok(IndexOutcome::Failed(error)) | Err(error) => FileResult::Failed(self.note(&error)),
        };
    }

    /// Remembers an error that stops the job.
    fn note(&mut self, error: &KnowledgeError) -> Failure {
        let mut failure = Failure::of(error);
        let is_base_gone = error.code() == ErrorCode::NotFound
            && self.indexer.store.knowledge_base(self.project, self.kb).is_err();
        if is_base_gone {
            failure.message = "the knowledge base was deleted meanwhile".to_owned();
        }
        if is_base_gone || error.stops_the_job() {
            self.stopped = Some(failure.clone());
        }
        failure
    }
}

fn unread(path: PathBuf, result: FileResult) -> FileOutcome {
    FileOutcome { path, title: None, document: None, chunk_count: 0, warnings: Vec::new(), result }
}
