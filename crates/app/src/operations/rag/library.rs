//! The library: sources, stored once and attached to any number of bases.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ancre_domain::{KnowledgeBaseId, Page, SourceSummary};
use ancre_knowledge::ingestion::{
    DEFAULT_BATCH_SIZE, NewVersion, Reading, replace_source as replace,
};
use ancre_knowledge::library;
use ancre_store::traits::SourceFilter;

use super::ingestion::{count, index_items, indexer, outcome_of_file, refusal};
use super::previews::has_page_pictures;
use super::progress::{Item, Reporter};
use crate::Ancre;
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
    let title = input.title.split_whitespace().collect::<Vec<_>>().join(" ");
    match title.chars().count() {
        1..=LONGEST_TITLE => {}
        0 => return Err(WireError::invalid("a source needs a title")),
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
/// version cannot be read, and what the model says, before anything was changed. What befalls it
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
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let named: BTreeSet<PathBuf> = path.iter().cloned().collect();
    let first: Option<KnowledgeBaseId> =
        before.attachments.first().map(|attachment| attachment.kb_id.clone());
    let reporter = first.map(|kb| Reporter::begin(ancre, &job.id, &kb, progress).naming(&named));
    let report = replace(
        &indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE),
        reading,
        ancre.project(),
        &input.source_id,
        version,
        &job.cancellation,
        &|event| {
            if let Some(reporter) = &reporter {
                reporter.hear(event);
            }
        },
    )?;
    let outcomes: Vec<_> =
        report.files.into_iter().map(|file| outcome_of_file(file, &named)).collect();
    tell_of(ancre, &before);
    ancre.compact_when_worthwhile();
    Ok(match reporter {
        Some(reporter) => reporter.finish(outcomes, report.stopped.map(refusal)),
        None => IngestReport::of_no_base(job.id.clone()),
    })
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
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let reporter = Reporter::begin(ancre, &job.id, &input.kb_id, progress);
    let (store, now) = (ancre.store(), ancre.clock().now());
    let (document, _) =
        store.attach_source(ancre.project(), &input.kb_id, &input.source_id, now)?;
    let indexer = indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE);
    let outcomes = index_items(&indexer, &job, &reporter, vec![Item::of_document(&document)])?;
    Ok(reporter.finish(outcomes, None))
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
