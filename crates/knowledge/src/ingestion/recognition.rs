//! Recognising the scanned pages of a document that is in a base already.
//!
//! Its kept original is read again with recognition. The new text becomes a document that takes
//! the old one's place when it is whole; until then, and if anything goes wrong, the old one is
//! searched as before.

use std::path::PathBuf;

use ancre_domain::{
    Cancellation, DocumentId, DocumentStatus, ErrorCode, Explain as _, ProjectId, Source,
};
use ancre_extract::{ParsedFile, ReadOptions, ReadProgress, Reader, is_supported};

use super::indexing::{IndexOutcome, Indexer};
use super::registration::{AddedSource, NewText, register_in_place_of};
use super::report::{Failure, FileOutcome, FileResult, IngestEvent};
use crate::KnowledgeError;

/// Recognises the scanned pages of a document. [`FileResult::AlreadyHere`] says that the text came
/// out as it was; a new document that could not be indexed stays, in error or queued, and takes
/// the place when it is tried again.
///
/// # Errors
///
/// Before anything is read: the document is not in this project, its base is of another model, or
/// the store does not answer. What goes wrong with the document itself is in its outcome.
pub fn recognise_document(
    indexer: &Indexer<'_>,
    reader: &Reader,
    project: &ProjectId,
    id: &DocumentId,
    cancellation: &Cancellation,
    sink: &dyn Fn(IngestEvent),
) -> Result<FileOutcome, KnowledgeError> {
    let document = indexer.store.document(project, id)?;
    let base = indexer.store.knowledge_base(project, &document.kb_id)?;
    indexer.ensure_feeds(project, &base)?;
    let source = indexer.store.source(project, &document.source_id)?;

    let path = PathBuf::from(source.uri.as_deref().unwrap_or(&document.title));
    sink(IngestEvent::FilesFound { total: 1, skipped: 0 });
    let mut outcome = FileOutcome {
        path: path.clone(),
        title: Some(document.title.clone()),
        document: Some(document.id.clone()),
        chunk_count: document.chunk_count,
        warnings: document.warnings.clone(),
        result: FileResult::AlreadyHere,
    };
    if !source.has_original {
        // A text that is its own original has no scans.
        sink(IngestEvent::FileRegistered { path, document, was_there: true });
        return Ok(outcome);
    }
    let tell = |progress: ReadProgress| {
        sink(IngestEvent::FileRecognising { path: path.clone(), progress });
    };
    let options = ReadOptions {
        password: None,
        recognise: true,
        cancellation: Some(cancellation),
        progress: Some(&tell),
    };
    let bytes = indexer.store.source_bytes(project, &document.source_id)?;
    let read = reader.read_bytes(&bytes, &original_name(&source), options);
    let added = read.map_err(KnowledgeError::from).and_then(|parsed| {
        let file = ParsedFile { parsed, bytes };
        let text = NewText {
            kind: source.kind,
            uri: source.uri.clone(),
            title: document.title.clone(),
            ..NewText::of_file(String::new(), file)
        };
        register_in_place_of(indexer.store, indexer.clock, project, &document, text)
    });
    let AddedSource { document: new, was_there } = match added {
        Ok(added) => added,
        Err(error) if error.code() == ErrorCode::Cancelled => {
            outcome.result = FileResult::Cancelled;
            return Ok(outcome);
        }
        Err(error) => {
            let failure = Failure::of(&error);
            sink(IngestEvent::FileFailed { path, failure: failure.clone() });
            outcome.result = FileResult::Failed(failure);
            return Ok(outcome);
        }
    };
    outcome.document = Some(new.id.clone());
    let is_ready = new.status == DocumentStatus::Ready;
    sink(IngestEvent::FileRegistered { path, document: new.clone(), was_there });
    if is_ready {
        return Ok(outcome);
    }
    outcome.result = match indexer.index_and_tell(project, &new.id, cancellation, sink)? {
        IndexOutcome::Ready(document) => {
            outcome.chunk_count = document.chunk_count;
            outcome.warnings = document.warnings;
            FileResult::Indexed
        }
        IndexOutcome::WasReady => FileResult::AlreadyHere,
        IndexOutcome::Cancelled => FileResult::Cancelled,
        IndexOutcome::Failed(error) => FileResult::Failed(Failure::of(&error)),
    };
    Ok(outcome)
}

/// A file name under which a source's original can be read: that of its place, as far as the
/// extension says a format; else one that its media type makes.
pub fn original_name(source: &Source) -> String {
    let place = source.uri.as_deref().unwrap_or_default();
    let name = place.rsplit(['/', '\\', '#']).next().unwrap_or_default();
    if is_supported(name.as_ref()) {
        return name.to_owned();
    }
    match source.mime.as_str() {
        "application/pdf" => "document.pdf".to_owned(),
        "text/markdown" => "document.md".to_owned(),
        "text/html" => "document.html".to_owned(),
        _ => "document.txt".to_owned(),
    }
}
