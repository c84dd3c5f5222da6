//! Reading an item's file and putting its text in the library.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ancre_domain::{
    DocumentId, DocumentStatus, ErrorCode, Explain, JobFailure, JobItem, JobItemState,
};
use ancre_extract::{
    ArchivedFile, ExtractError, ParsedFile, ReadFile, ReadOptions, ReadProgress, is_supported,
};
use ancre_knowledge::KnowledgeError;
use ancre_knowledge::ingestion::{AddedSource, NewText, register_text_of_item};
use ancre_store::traits::ItemChange;

use super::place::{Entry, Place};
use super::{Line, Registered, kept};
use crate::wire::{Password, RecognitionProgress};

/// The archive that was opened last, for all readers: its files mostly follow one another, and
/// then it is opened once for all of them.
#[derive(Default)]
pub(super) struct Shelf {
    archive: PathBuf,
    /// Each is taken away when it is read.
    files: Vec<Option<ArchivedFile>>,
}

/// What a file turned out to be.
enum Found {
    Text(Box<ParsedFile>),
    Archive(Vec<ArchivedFile>),
}

impl Line<'_> {
    /// Reads an item's file, unless that was done before. `None` when it has its outcome, is an
    /// archive, or everything stops.
    pub(super) fn read(&self, item: JobItem, shelf: &Mutex<Shelf>) -> Option<Registered> {
        if let Some(document) = item.document_id.clone() {
            self.known().insert(document.clone());
            return Some(Registered { item, document });
        }
        let place = Place::of_item(&item);
        self.reporter.reading(&item.title, None);
        if !self.stand(item.number, JobItemState::Reading, &ItemChange::default()) {
            return None;
        }
        match self.read_place(&place, &item, shelf) {
            Ok(Found::Text(file)) => self.register(item, &place, *file),
            Ok(Found::Archive(files)) => {
                self.expand(&item, &place.file, files, shelf);
                None
            }
            // It waits again, or is cancelled with its job.
            Err(error) if error.code() == ErrorCode::Cancelled => None,
            Err(error) => {
                self.fail(item, &place, &error.into());
                None
            }
        }
    }

    fn read_place(
        &self,
        place: &Place,
        item: &JobItem,
        shelf: &Mutex<Shelf>,
    ) -> Result<Found, ExtractError> {
        let (jobs, job) = (self.ancre().jobs(), &self.context.job().id);
        let password = jobs.password(job);
        let tell = |progress: ReadProgress| {
            let ReadProgress { pages_done, pages_total, .. } = progress;
            self.reporter
                .reading(&item.title, Some(RecognitionProgress { pages_done, pages_total }));
        };
        let options = ReadOptions {
            password: password.as_ref().map(Password::reveal),
            recognise: self.payload.recognise || jobs.recognises_scans(job, item.number),
            cancellation: Some(self.context.cancellation()),
            progress: Some(&tell),
        };
        let reader = self.ancre().reader();
        let Some(entry) = &place.entry else {
            return Ok(match reader.read_path(&place.file, options)? {
                ReadFile::Document(file) => Found::Text(Box::new(file)),
                ReadFile::Archive(files) => Found::Archive(files),
            });
        };
        // A kind that is not read is said before any trouble with the bytes.
        let ArchivedFile { name, bytes } = self.take(&place.file, entry, shelf, options)?;
        let bytes = match bytes {
            Err(_) if !is_supported(Path::new(&name)) => Vec::new(),
            bytes => bytes?,
        };
        let parsed = reader.read_bytes(&bytes, &name, options)?;
        Ok(Found::Text(Box::new(ParsedFile { parsed, bytes })))
    }

    /// Takes a file off the shelf, onto which its archive is put first where it is not there.
    fn take(
        &self,
        archive: &Path,
        entry: &Entry,
        shelf: &Mutex<Shelf>,
        options: ReadOptions<'_>,
    ) -> Result<ArchivedFile, ExtractError> {
        // Held while an archive is opened: whoever wants another of its files waits for it.
        let mut shelf = locked(shelf);
        let is_on_shelf =
            shelf.archive == archive && shelf.files.get(entry.index).is_some_and(Option::is_some);
        if !is_on_shelf {
            // The old one goes before the new one comes.
            *shelf = Shelf::default();
            let files = match self.ancre().reader().read_path(archive, options)? {
                ReadFile::Archive(files) => files.into_iter().map(Some).collect(),
                ReadFile::Document(_) => Vec::new(),
            };
            *shelf = Shelf { archive: archive.to_owned(), files };
        }
        let place = shelf.files.get_mut(entry.index);
        place
            .and_then(Option::take)
            .filter(|file| file.name == entry.name)
            // The archive is another one by now.
            .ok_or_else(|| ExtractError::FileNotFound { path: archive.join(&entry.name) })
    }

    /// Puts an archive's files in its place.
    fn expand(
        &self,
        item: &JobItem,
        archive: &Path,
        files: Vec<ArchivedFile>,
        shelf: &Mutex<Shelf>,
    ) {
        let (ancre, id) = (self.ancre(), &self.context.job().id);
        let items: Vec<_> = files
            .iter()
            .enumerate()
            .map(|(index, file)| Place::in_archive(archive, index, &file.name).item())
            .collect();
        let replaced = ancre.store().replace_job_item(id, item.number, &items, ancre.clock().now());
        match replaced {
            Ok(()) => {
                self.reporter.archive_opened(u32::try_from(items.len()).unwrap_or(u32::MAX));
                let files = files.into_iter().map(Some).collect();
                *locked(shelf) = Shelf { archive: archive.to_owned(), files };
            }
            Err(error) => self.note(kept(error)),
        }
    }

    fn register(&self, item: JobItem, place: &Place, file: ParsedFile) -> Option<Registered> {
        let mut text = NewText::of_file(place.uri(), file);
        if let Some(title) = &self.payload.title {
            title.clone_into(&mut text.title);
        }
        let ancre = self.ancre();
        let (store, clock, project) = (ancre.store(), ancre.clock(), ancre.project());
        let of_item = (&self.context.job().id, item.number);
        let added = register_text_of_item(store, clock, project, &self.kb_id, text, of_item);
        let document = match added {
            Ok(Some(AddedSource { document, .. })) => document,
            // It was cancelled while it was read.
            Ok(None) => return None,
            Err(error) => {
                self.fail(item, place, &error);
                return None;
            }
        };
        let change = ItemChange {
            title: Some(document.title.clone()),
            document_id: Some(document.id.clone()),
            chunk_count: document.chunk_count,
            failure: None,
            warnings: document.warnings.clone(),
        };
        let is_first = self.known().insert(document.id.clone());
        if document.status == DocumentStatus::Ready || !is_first {
            self.end(item, JobItemState::AlreadyHere, change);
            return None;
        }
        let item = JobItem {
            title: document.title.clone(),
            document_id: Some(document.id.clone()),
            ..item
        };
        self.stand(item.number, JobItemState::Splitting, &change)
            .then_some(Registered { item, document: document.id })
    }

    /// An item that could not be read or stored; the whole job stops for what would cost every
    /// further one too. A file of a kind that is not read is an error when a person named it, and
    /// no more than a remark when it only lay in a folder or an archive.
    fn fail(&self, item: JobItem, place: &Place, error: &KnowledgeError) {
        if error.stops_the_job() {
            self.note(JobFailure::of(error));
            return;
        }
        if self.is_base_gone(error.code()) {
            return;
        }
        let is_passed_over =
            error.code() == ErrorCode::Unsupported && !self.named.contains(&place.path());
        let state = if is_passed_over { JobItemState::Skipped } else { JobItemState::Failed };
        let failure = Some(JobFailure::of(error));
        self.end(item, state, ItemChange { failure, ..ItemChange::default() });
    }

    fn known(&self) -> MutexGuard<'_, HashSet<DocumentId>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn locked(shelf: &Mutex<Shelf>) -> MutexGuard<'_, Shelf> {
    shelf.lock().unwrap_or_else(PoisonError::into_inner)
}
