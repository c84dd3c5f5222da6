//! A new version of a source, in every base that the old one is in.
//!
//! In each base the old version is searched until the new one is ready there; one base may be
//! ready and another in error. What remains undone, because the job was stopped or the process
//! killed, waits in the queue and takes its place when it is indexed.

use std::path::{Path, PathBuf};

use ancre_domain::{
    Cancellation, Document, DocumentStatus, ErrorCode, Explain as _, ProjectId, SourceId,
};
use ancre_extract::{ReadFile, ReadOptions, ReadProgress};

use super::files::Reading;
use super::indexing::{IndexOutcome, Indexer};
use super::registration::{NewText, new_source};
use super::report::{Failure, FileOutcome, FileResult, IngestEvent, IngestReport};
use crate::KnowledgeError;

/// Where a new version comes from.
#[derive(Debug, Clone, Copy)]
pub enum NewVersion<'a> {
    /// A file, which brings its own title.
    File(&'a Path),
    /// A text; the title stays.
    Text(&'a str),
}

/// Puts a new version in the place of a source. The report has an outcome for each base;
/// [`FileResult::AlreadyHere`] for one that has the new text already. The same text as before
/// changes nothing, and the report is empty.
///
/// # Errors
///
/// Before anything is changed: there is no such source in the project, or the new version cannot
/// be read, is empty, or is an archive.
pub fn replace_source(
    indexer: &Indexer<'_>,
    reading: Reading<'_>,
    project: &ProjectId,
    id: &SourceId,
    version: NewVersion<'_>,
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
) -> Result<IngestReport, KnowledgeError> {
    let old = indexer.store.source(project, id)?;
    let (path, text) = match version {
        NewVersion::File(path) => (path.to_owned(), read(path, reading, cancellation, sink)?),
        NewVersion::Text(text) => {
            let name = if old.mime == "text/markdown" { "text.md" } else { "text.txt" };
            let parsed = ancre_extract::parse_text(text.as_bytes(), name)?;
            let pasted = NewText::pasted(old.title.clone(), parsed.text);
            let text = NewText { mime: parsed.mime, outline: parsed.outline, ..pasted };
            (PathBuf::from(&old.title), text)
        }
    };
    if text.text.trim().is_empty() {
        return Err(KnowledgeError::Empty);
    }
    let new = new_source(project, text);
    let replacement = indexer.store.replace_source(project, id, &new, indexer.clock.now())?;
    let total = u32::try_from(replacement.documents.len()).unwrap_or(u32::MAX);
    sink(IngestEvent::FilesFound { total, skipped: 0 });
    let mut report = IngestReport::default();
    for (document, was_there) in &replacement.documents {
        let (path, document) = (path.clone(), document.clone());
        sink(IngestEvent::FileRegistered { path, document, was_there: *was_there });
    }
    for (document, _) in replacement.documents {
        let outcome = match &report.stopped {
            Some(_) => outcome_of(&path, &document, FileResult::Waiting),
            None => {
                index(indexer, project, &path, &document, cancellation, sink, &mut report.stopped)
            }
        };
        report.files.push(outcome);
    }
    sink(IngestEvent::Finished { report: report.clone() });
    Ok(report)
}

fn read(
    path: &Path,
    reading: Reading<'_>,
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
) -> Result<NewText, KnowledgeError> {
    let tell = |progress: ReadProgress| {
        sink(IngestEvent::FileRecognising { path: path.to_owned(), progress });
    };
    let options = ReadOptions {
        password: reading.password,
        recognise: reading.recognise,
        cancellation: Some(cancellation),
        progress: Some(&tell),
    };
    match reading.reader.read_path(path, options)? {
        ReadFile::Document(file) => Ok(NewText::of_file(path.to_string_lossy().into_owned(), file)),
        ReadFile::Archive(_) => Err(KnowledgeError::ArchiveAsVersion),
    }
}

fn index(
    indexer: &Indexer<'_>,
    project: &ProjectId,
    path: &Path,
    document: &Document,
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
    stopped: &mut Option<Failure>,
) -> FileOutcome {
    if document.status == DocumentStatus::Ready {
        return outcome_of(path, document, FileResult::AlreadyHere);
    }
    let error = match indexer.index_and_tell(project, &document.id, cancellation, sink) {
        Ok(IndexOutcome::Ready(document)) => {
            return outcome_of(path, &document, FileResult::Indexed);
        }
        Ok(IndexOutcome::WasReady) => return outcome_of(path, document, FileResult::AlreadyHere),
        Ok(IndexOutcome::Cancelled) => return outcome_of(path, document, FileResult::Cancelled),
        // Another job is at it.
        Err(error) if error.code() == ErrorCode::DocumentBusy => {
            return outcome_of(path, document, FileResult::Waiting);
        }
        Ok(IndexOutcome::Failed(error)) | Err(error) => error,
    };
    let failure = Failure::of(&error);
    // A base of another model is a reason for that base alone.
    if error.stops_the_job() && error.code() != ErrorCode::ModelMismatch {
        *stopped = Some(failure.clone());
    }
    outcome_of(path, document, FileResult::Failed(failure))
}

fn outcome_of(path: &Path, document: &Document, result: FileResult) -> FileOutcome {
    FileOutcome {
        path: path.to_owned(),
        title: Some(document.title.clone()),
        document: Some(document.id.clone()),
        chunk_count: document.chunk_count,
        warnings: document.warnings.clone(),
        result,
    }
}
