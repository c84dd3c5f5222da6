//! The library: sources, stored once and attached to any number of bases.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ancre_domain::{Document, JobId, KnowledgeBaseId, Page, SourceSummary, is_blank};
use ancre_knowledge::ingestion::{NewVersion, Reading, register_new_version};
use ancre_knowledge::library;
use ancre_store::traits::SourceFilter;

use super::ingestion::count;
use super::previews::has_page_pictures;
use crate::Ancre;
use crate::jobs::{base_to_feed, ingest_documents, wait_for_report};
use crate::operations::Never;
use crate::wire::{
    AttachSource, Event, IngestProgress, IngestReport, ListSources, Nothing, Password,
    RenameSource, ReplaceSource, SourceRef, SourceText, WireError,
};

/// The longest title that a person can give, in characters.
const LONGEST_TITLE: usize = 300;

/// Lists the library, newest first.
///
/// # Errors
///
/// `not_found` when the base is not one of the project's.
pub fn list_sources(
    ancre: &Ancre,
    input: ListSources,
    _: &dyn Fn(Never),
) -> Result<Page<SourceSummary>, WireError> {
    let words = input.query.unwrap_or_default();
    let filter = SourceFilter { words, kb: input.kb_id, kind: input.kind };
    Ok(ancre.store().list_sources(ancre.project(), &filter, input.page)?)
}

/// Shows one source and the bases it is in.
///
/// # Errors
///
/// `not_found`.
pub fn get_source(
    ancre: &Ancre,
    input: SourceRef,
    _: &dyn Fn(Never),
) -> Result<SourceSummary, WireError> {
    Ok(ancre.store().source_summary(ancre.project(), &input.source_id)?)
}

/// Shows a source's text as it was read.
///
/// # Errors
///
/// `not_found`.
pub fn read_source(
    ancre: &Ancre,
    input: SourceRef,
    _: &dyn Fn(Never),
) -> Result<SourceText, WireError> {
    let (store, project) = (ancre.store(), ancre.project());
    let whole = store.source(project, &input.source_id)?;
    Ok(SourceText {
        source: store.source_summary(project, &input.source_id)?,
        text: store.source_text(project, &input.source_id)?,
        has_page_pictures: has_page_pictures(ancre, &whole),
        outline: whole.outline,
        pagination: whole.pagination,
    })
}

/// Gives a source another title; its documents' titles follow in every base, snapshots keep
/// theirs.
///
/// # Errors
///
/// `invalid_input`, `not_found`.
pub fn rename_source(
    ancre: &Ancre,
    input: RenameSource,
    progress: &dyn Fn(Never),
) -> Result<SourceSummary, WireError> {
    let title = ancre_domain::tidy_name(&input.title);
    match title.chars().count() {
        _ if is_blank(&title) => return Err(WireError::invalid("a source needs a title")),
        1..=LONGEST_TITLE => {}
        length => {
            return Err(WireError::invalid(format!(
                "the title has {length} characters; at most {LONGEST_TITLE} are possible"
            )));
        }
    }
    library::rename_source(ancre.store(), ancre.project(), &input.source_id, &title)?;
    let source = get_source(ancre, SourceRef { source_id: input.source_id }, progress)?;
    tell_of(ancre, &source);
    Ok(source)
}

/// Puts a new version in the place of a source: in every base the old one is searched until the
/// new one is ready, and goes from the library with the last of them.
///
/// # Errors
///
/// `invalid_input` unless there is a file or a text, and one only; `not_found`; why the new
/// version cannot be read, `already_in_library` when another source has its text, and what the model says, before anything was changed. What befalls it
/// in one base is in the report.
pub fn replace_source(
    ancre: &Ancre,
    input: ReplaceSource,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let path = input.path.map(PathBuf::from);
    let version = match (&path, &input.text) {
        (Some(path), None) => NewVersion::File(path),
        (None, Some(text)) => NewVersion::Text(text),
        _ => return Err(WireError::invalid("a new version is a file or a text, one of the two")),
    };
    let before = ancre.store().source_summary(ancre.project(), &input.source_id)?;
    let reading = Reading {
        password: input.password.as_ref().map(Password::reveal),
        recognise: input.recognise,
        ..Reading::with(ancre.reader())
    };
    // Said before anything is changed: a model that is not there.
    for attachment in &before.attachments {
        base_to_feed(ancre, &attachment.kb_id)?;
    }
    let replacement = register_new_version(
        ancre.store(),
        ancre.clock(),
        reading,
        ancre.project(),
        &input.source_id,
        version,
        ancre.jobs().stopping(),
    )?;
    tell_of(ancre, &before);
    let mut by_base: BTreeMap<KnowledgeBaseId, Vec<Document>> = BTreeMap::new();
    for (document, _) in replacement.documents {
        by_base.entry(document.kb_id.clone()).or_default().push(document);
    }
    let mut report = IngestReport::of_no_base(JobId::generate(ancre.clock().now()));
    for (kb_id, documents) in by_base {
        report.add(index(ancre, &kb_id, &documents, progress)?);
    }
    tell_of(ancre, &before);
    ancre.compact_when_worthwhile();
    Ok(report)
}

/// Adds a source of the library to a base and indexes it there.
///
/// # Errors
///
/// `not_found` for a source or a base of another project; `model_mismatch`, and what the model
/// says.
pub fn attach_source(
    ancre: &Ancre,
    input: AttachSource,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    // Asked first, so that nobody waits for a model in vain.
    ancre.store().source_summary(ancre.project(), &input.source_id)?;
    ancre.store().knowledge_base(ancre.project(), &input.kb_id)?;
    base_to_feed(ancre, &input.kb_id)?;
    let (store, now) = (ancre.store(), ancre.clock().now());
    let (document, _) =
        store.attach_source(ancre.project(), &input.kb_id, &input.source_id, now)?;
    let report = index(ancre, &input.kb_id, &[document], progress)?;
    ancre.tell(Event::SourcesChanged);
    Ok(report)
}

/// Indexes documents of a base as a job, and waits for its end. One that is ready is there already.
fn index(
    ancre: &Ancre,
    kb_id: &KnowledgeBaseId,
    documents: &[Document],
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let id = JobId::generate(ancre.clock().now());
    let watch = ancre.jobs().watch(&id);
    ingest_documents(ancre, id.clone(), kb_id, documents, None)?;
    wait_for_report(ancre, &id, &watch, progress)
}

/// Deletes a source: its passages leave every base, its text and its original leave the disk, the
/// snapshots that were made of it stay.
///
/// # Errors
///
/// `not_found`.
pub fn delete_source(
    ancre: &Ancre,
    input: SourceRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    let source = ancre.store().source_summary(ancre.project(), &input.source_id)?;
    let documents = ancre.store().delete_source(ancre.project(), &input.source_id)?;
    tracing::info!(source = %input.source_id, documents = count(documents.len()), "deleted");
    tell_of(ancre, &source);
    ancre.compact_when_worthwhile();
    Ok(Nothing {})
}

/// Tells open windows that the bases with this source show something else now.
fn tell_of(ancre: &Ancre, source: &SourceSummary) {
    for attachment in &source.attachments {
        ancre.tell(Event::DocumentsChanged { kb_id: attachment.kb_id.clone() });
    }
    ancre.tell(Event::SourcesChanged);
    ancre.tell(Event::KnowledgeBasesChanged);
}
