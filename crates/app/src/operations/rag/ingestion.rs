//! Adding texts, files and folders; going on with what an earlier process left.

use std::path::PathBuf;

use ancre_domain::{DocumentStatus, JobId, JobKind, KnowledgeBaseId, SourceKind, is_blank};
use ancre_knowledge::ingestion::expand_paths;
use ancre_store::StoreError;

use crate::Ancre;
use crate::jobs::{
    self, IngestPayload, JobRequest, NewText, base_to_feed, ingest_documents, wait_for_all,
    wait_for_report,
};
use crate::operations::Never;
use crate::wire::{
    DocumentRef, Ingest, IngestFiles, IngestProgress, IngestReport, Nothing, PathsPreview,
    PreviewPaths, QueueResumed, SupportedFormats, WireError,
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
    if !input.batch_size.is_none_or(|size| (1..=256).contains(&size)) {
        return Err(WireError::invalid("a batch has 1 to 256 chunks"));
    }
    let text = Text {
        title: &input.title,
        text: &input.text,
        kind: input.source_kind.unwrap_or(SourceKind::Inline),
        uri: input.source_uri.as_deref(),
        mime: input.mime.as_deref().unwrap_or("text/plain"),
    };
    let texts = vec![text.read()?];
    ingest_new_texts(ancre, &input.kb_id, texts, input.batch_size, progress)
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
    base_to_feed(ancre, &input.kb_id)?;
    let named = |path: &PathBuf| {
        path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    };
    let title = match paths.as_slice() {
        [first, others @ ..] if !others.is_empty() => format!("{} +{}", named(first), others.len()),
        _ => paths.first().map(named).unwrap_or_default(),
    };
    let given =
        input.title.as_deref().map(ancre_domain::tidy_name).filter(|title| !is_blank(title));
    let id = JobId::generate(ancre.clock().now());
    let watch = ancre.jobs().watch(&id);
    if let Some(password) = input.password {
        ancre.jobs().keep_password(&id, password);
    }
    let payload = IngestPayload {
        paths: paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        title: given,
        recognise: input.recognise,
        batch_size: None,
    };
    let (kind, kb_id, items) = (JobKind::Ingest, Some(input.kb_id), Vec::new());
    let request = JobRequest { id: id.clone(), kind, kb_id, title, payload, items };
    jobs::ask(ancre, request)?;
    wait_for_report(ancre, &id, &watch, progress)
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
    if document.status == DocumentStatus::Indexing {
        return Err(StoreError::DocumentBusy.into());
    }
    base_to_feed(ancre, &document.kb_id)?;
    let id = JobId::generate(ancre.clock().now());
    let watch = ancre.jobs().watch(&id);
    let kb_id = document.kb_id.clone();
    ingest_documents(ancre, id.clone(), &kb_id, &[document], None)?;
    wait_for_report(ancre, &id, &watch, progress)
}

/// Takes up what waits without a job, and waits for every job that is queued or running. Jobs go
/// on by themselves where somebody works; this is for whoever wants to see the end.
///
/// # Errors
///
/// What the store says when the queue cannot be read; what befalls a job is in the answer.
pub fn resume_queued(
    ancre: &Ancre,
    _: Nothing,
    progress: &dyn Fn(IngestProgress),
) -> Result<QueueResumed, WireError> {
    wait_for_all(ancre, progress)
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
            title: ancre_domain::tidy_name(self.title),
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
    ingest_new_texts(ancre, kb_id, texts, None, progress)
}

fn ingest_new_texts(
    ancre: &Ancre,
    kb_id: &KnowledgeBaseId,
    texts: Vec<NewText>,
    batch_size: Option<u32>,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    base_to_feed(ancre, kb_id)?;
    let id = JobId::generate(ancre.clock().now());
    let watch = ancre.jobs().watch(&id);
    jobs::ingest_texts(ancre, id.clone(), kb_id, texts, batch_size)?;
    wait_for_report(ancre, &id, &watch, progress)
}

/// A length as it crosses to an interface.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
