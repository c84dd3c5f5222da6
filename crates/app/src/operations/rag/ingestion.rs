//! Adding texts, files and folders; going on with what an earlier process left.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ancre_domain::{DocumentStatus, ErrorCode, Explain as _, KnowledgeBaseId, SourceKind};
use ancre_knowledge::ingestion::{
    DEFAULT_BATCH_SIZE, Failure, FileOutcome, FileResult, IndexOutcome, Indexer, NewText, Reading,
    expand_paths, ingest_files as ingest_all, register_text,
};
use ancre_models::Embedder;

use super::progress::{Item, Reporter, name_of, result_of_failure};
use crate::Ancre;
use crate::jobs::RunningJob;
use crate::operations::Never;
use crate::wire::{
    DocumentRef, Ingest, IngestFiles, IngestOutcome, IngestProgress, IngestReport, IngestResult,
    JobRef, Nothing, Password, PathsPreview, PreviewPaths, QueueResumed, SupportedFormats,
    WireError,
};

/// The most files that a preview counts; a person who drags more learns that it is more.
const MAX_PREVIEWED: usize = 10_000;

/// Lists the formats that are read.
///
/// # Errors
///
/// None.
pub fn list_formats(
    ancre: &Ancre,
    _: Nothing,
    _: &dyn Fn(Never),
) -> Result<SupportedFormats, WireError> {
    let extensions = ancre_extract::supported_extensions().map(str::to_owned);
    Ok(SupportedFormats {
        extensions: extensions.collect(),
        can_recognise: ancre.document_reader().can_recognise(),
    })
}

/// Tells what would become of files and folders, by their names alone.
///
/// # Errors
///
/// None: a path that leads nowhere is counted as such.
pub fn preview_paths(
    _: &Ancre,
    input: PreviewPaths,
    _: &dyn Fn(Never),
) -> Result<PathsPreview, WireError> {
    let paths: Vec<PathBuf> = input.paths.into_iter().map(PathBuf::from).collect();
    let folders = paths.iter().filter(|path| path.is_dir()).count();
    let list = expand_paths(&paths);
    let mut preview = PathsPreview {
        hidden: count(list.skipped.len()),
        folders: count(folders),
        unreadable: count(list.unreadable.len()),
        is_truncated: list.files.len() > MAX_PREVIEWED,
        ..PathsPreview::default()
    };
    for path in list.files.iter().take(MAX_PREVIEWED) {
        match std::fs::metadata(path) {
            Err(_) => preview.unreadable += 1,
            Ok(_) if !ancre_extract::is_supported(path) => preview.unsupported += 1,
            Ok(metadata) => {
                preview.supported += 1;
                preview.byte_count += metadata.len();
            }
        }
    }
    Ok(preview)
}

/// Adds a text to a base: idempotent by the SHA-256 of the text.
///
/// # Errors
///
/// `invalid_input`, `not_found`, `model_mismatch`, and what the model or the store say before
/// anything was begun; what befalls the text itself is in the report.
pub fn ingest(
    ancre: &Ancre,
    input: Ingest,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let batch_size = match input.batch_size {
        None => DEFAULT_BATCH_SIZE,
        Some(size @ 1..=256) => size as usize,
        Some(_) => return Err(WireError::invalid("a batch has 1 to 256 chunks")),
    };
    let text = Text {
        title: &input.title,
        text: &input.text,
        kind: input.source_kind.unwrap_or(SourceKind::Inline),
        uri: input.source_uri.as_deref(),
        mime: input.mime.as_deref().unwrap_or("text/plain"),
    };
    let new_texts = vec![text.read()?];
    ingest_new_texts(ancre, &input.kb_id, new_texts, batch_size, progress)
}

/// Adds files, folders and archives to a base, each file with its own outcome.
///
/// # Errors
///
/// Those of [`ingest`].
pub fn ingest_files(
    ancre: &Ancre,
    input: IngestFiles,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let paths: Vec<PathBuf> = input.paths.into_iter().map(PathBuf::from).collect();
    let is_single = matches!(paths.as_slice(), [path] if !path.is_dir());
    if input.title.is_some() && !is_single {
        return Err(WireError::invalid("a title can be given to a single file only"));
    }
    if input.password.is_some() && paths.len() != 1 {
        return Err(WireError::invalid("a password can be given to a single file only"));
    }
    let reading = Reading {
        reader: ancre.reader(),
        password: input.password.as_ref().map(Password::reveal),
        recognise: input.recognise,
        title: input.title.as_deref().map(str::trim).filter(|title| !title.is_empty()),
    };
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let named: BTreeSet<PathBuf> = paths.iter().cloned().collect();
    let reporter = Reporter::begin(ancre, &job.id, &input.kb_id, progress).naming(&named);
    let report = ingest_all(
        &indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE),
        reading,
        ancre.project(),
        &input.kb_id,
        &paths,
        &job.cancellation,
        &|event| reporter.hear(event),
    )?;
    let outcomes = report.files.into_iter().map(|file| outcome_of_file(file, &named)).collect();
    Ok(reporter.finish(outcomes, report.stopped.map(refusal)))
}

/// Indexes a document again that is queued or in error.
///
/// # Errors
///
/// `not_found`, `document_busy`, `model_mismatch`, and what the model says.
pub fn retry_document(
    ancre: &Ancre,
    input: DocumentRef,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let document = ancre.store().document(ancre.project(), &input.document_id)?;
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let reporter = Reporter::begin(ancre, &job.id, &document.kb_id, progress);
    let item = Item::of_document(&document);
    reporter.expect(std::slice::from_ref(&item));
    let indexer = indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE);
    let outcome = indexer.index_document(
        ancre.project(),
        &document.id,
        &job.cancellation,
        &mut |progress| {
            reporter.indexing(&item, progress);
        },
    )?;
    let outcome = outcome_of_index(item, outcome);
    reporter.item_done(&outcome);
    Ok(reporter.finish(vec![outcome], None))
}

/// Indexes what an earlier process left unfinished, in every project.
///
/// # Errors
///
/// What the model says, or the store when the queue cannot be read.
pub fn resume_queued(
    ancre: &Ancre,
    _: Nothing,
    progress: &dyn Fn(IngestProgress),
) -> Result<QueueResumed, WireError> {
    ancre.store().release_abandoned_documents()?;
    let queued = ancre.store().queued_documents()?;
    let Some((project, first)) = queued.first() else {
        return Ok(QueueResumed::default());
    };
    let first = ancre.store().document(project, first)?.kb_id;
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let reporter = Reporter::resume(ancre, &job.id, &first, count(queued.len()), progress);
    let report = indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE)
        .resume_queued(&job.cancellation, &|event| reporter.hear(event))?;
    let stopped = report.stopped.map(refusal);
    reporter.finish(Vec::new(), stopped.clone());
    Ok(QueueResumed {
        ready: report.indexed,
        failed: report.failed,
        waiting: report.waiting,
        stopped,
    })
}

/// Stops a job; what it finished stays.
///
/// # Errors
///
/// `not_found` when no such job runs.
pub fn cancel_job(ancre: &Ancre, input: JobRef, _: &dyn Fn(Never)) -> Result<Nothing, WireError> {
    if ancre.jobs().cancel(&input.job_id) {
        return Ok(Nothing {});
    }
    Err(WireError {
        code: ErrorCode::NotFound,
        message: "this job is not running any more".to_owned(),
        hint: None,
        details: None,
    })
}

/// Reads bytes that came without a name, such as standard input, as a text file is read.
///
/// # Errors
///
/// `binary`, `empty`, `too_large`.
pub fn read_text(bytes: &[u8]) -> Result<String, WireError> {
    Ok(ancre_extract::parse_text(bytes, "text.txt")?.text)
}

/// A text that comes from inside the product or from a caller, not from a file.
pub(super) struct Text<'a> {
    pub(super) title: &'a str,
    pub(super) text: &'a str,
    pub(super) kind: SourceKind,
    pub(super) uri: Option<&'a str>,
    pub(super) mime: &'a str,
}

impl Text<'_> {
    /// Reads it as a file of its media type is read, so that pasted Markdown has its headings and
    /// the same text has the same hash however it came.
    fn read(&self) -> Result<NewText, WireError> {
        let name = if self.mime == "text/markdown" { "text.md" } else { "text.txt" };
        let parsed = ancre_extract::parse_text(self.text.as_bytes(), name)?;
        Ok(NewText {
            kind: self.kind,
            uri: self.uri.map(str::to_owned),
            title: self.title.trim().to_owned(),
            mime: self.mime.to_owned(),
            bytes: None,
            text: parsed.text,
            outline: parsed.outline,
            pagination: parsed.pagination,
            warnings: parsed.warnings,
            language: parsed.language,
        })
    }
}

/// Adds several texts to a base as one job.
pub(super) fn ingest_texts(
    ancre: &Ancre,
    kb_id: &KnowledgeBaseId,
    texts: Vec<Text<'_>>,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let texts = texts.iter().map(Text::read).collect::<Result<_, _>>()?;
    ingest_new_texts(ancre, kb_id, texts, DEFAULT_BATCH_SIZE, progress)
}

fn ingest_new_texts(
    ancre: &Ancre,
    kb_id: &KnowledgeBaseId,
    texts: Vec<NewText>,
    batch_size: usize,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let reporter = Reporter::begin(ancre, &job.id, kb_id, progress);
    let indexer = indexer(ancre, &*embedder, batch_size);
    let mut items = Vec::new();
    for text in texts {
        let (store, clock, project) = (ancre.store(), ancre.clock(), ancre.project());
        let added = register_text(store, clock, project, kb_id, text)?;
        items.push(Item::of_document(&added.document));
    }
    let outcomes = index_items(&indexer, &job, &reporter, items)?;
    Ok(reporter.finish(outcomes, None))
}

/// Indexes documents one after another, telling of each.
pub(super) fn index_items(
    indexer: &Indexer<'_>,
    job: &RunningJob<'_>,
    reporter: &Reporter<'_>,
    items: Vec<Item>,
) -> Result<Vec<IngestOutcome>, WireError> {
    reporter.expect(&items);
    let mut outcomes = Vec::new();
    for item in items {
        let outcome = match &item.document {
            Some(document) if document.status != DocumentStatus::Ready => {
                let id = document.id.clone();
                let mut tell = |progress| reporter.indexing(&item, progress);
                let project = reporter.project();
                match indexer.index_document(project, &id, &job.cancellation, &mut tell) {
                    Ok(indexed) => outcome_of_index(item, indexed),
                    // Another job brings the same text and is at it.
                    Err(error) if error.code() == ErrorCode::DocumentBusy => {
                        item.outcome(IngestResult::AlreadyHere, None)
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            _ => item.outcome(IngestResult::AlreadyHere, None),
        };
        reporter.item_done(&outcome);
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// What indexes with the opened storage and this embedder.
pub(super) fn indexer<'a>(
    ancre: &'a Ancre,
    embedder: &'a dyn Embedder,
    batch_size: usize,
) -> Indexer<'a> {
    Indexer { store: ancre.store(), embedder, clock: ancre.clock(), batch_size }
}

fn outcome_of_index(item: Item, outcome: IndexOutcome) -> IngestOutcome {
    match outcome {
        IndexOutcome::Ready(document) => {
            Item { document: Some(document), ..item }.outcome(IngestResult::Ready, None)
        }
        IndexOutcome::WasReady => item.outcome(IngestResult::AlreadyHere, None),
        IndexOutcome::Failed(error) => item.outcome(IngestResult::Failed, Some(error.into())),
        IndexOutcome::Cancelled => item.outcome(IngestResult::Cancelled, None),
    }
}

/// A file's outcome as it crosses to an interface.
pub(super) fn outcome_of_file(file: FileOutcome, named: &BTreeSet<PathBuf>) -> IngestOutcome {
    let (result, error) = match file.result {
        FileResult::Indexed => (IngestResult::Ready, None),
        FileResult::AlreadyHere => (IngestResult::AlreadyHere, None),
        FileResult::Failed(failure) => {
            (result_of_failure(failure.code, &file.path, named), Some(refusal(failure)))
        }
        FileResult::Skipped(reason) => (
            IngestResult::Skipped,
            Some(WireError {
                code: ErrorCode::Unsupported,
                message: reason.to_string(),
                hint: None,
                details: None,
            }),
        ),
        FileResult::Cancelled | FileResult::Waiting => (IngestResult::Cancelled, None),
    };
    IngestOutcome {
        title: file.title.unwrap_or_else(|| name_of(&file.path)),
        path: Some(file.path.to_string_lossy().into_owned()),
        result,
        document_id: file.document,
        chunk_count: file.chunk_count,
        error,
        warnings: file.warnings,
    }
}

/// A kept failure as it crosses to an interface.
pub(super) fn refusal(failure: Failure) -> WireError {
    let Failure { code, message, hint, details } = failure;
    WireError { code, message, hint, details }
}

/// A length as it crosses to an interface.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
