//! Recognising the text of scanned pages of documents that are in a base.

use std::path::PathBuf;

use ancre_domain::ErrorCode;
use ancre_knowledge::ingestion::{self, DEFAULT_BATCH_SIZE};

use super::ingestion::{indexer, outcome_of_file};
use super::progress::Reporter;
use crate::Ancre;
use crate::wire::{DocumentRef, IngestProgress, IngestReport, WireError};

/// Recognises the scanned pages of a document from its kept original; when the new text is ready
/// it takes the old document's place.
///
/// # Errors
///
/// `not_found`, `unsupported` where nothing can recognise, `document_busy`, `model_mismatch`, and
/// what the model says; why the original cannot be read is in the report.
pub fn recognise_document(
    ancre: &Ancre,
    input: DocumentRef,
    progress: &dyn Fn(IngestProgress),
) -> Result<IngestReport, WireError> {
    let document = ancre.store().document(ancre.project(), &input.document_id)?;
    if !ancre.document_reader().can_recognise() {
        return Err(WireError {
            code: ErrorCode::Unsupported,
            message: "the recognition of scans is not installed".to_owned(),
            hint: Some("Install Ancre again, or run its set-up.".to_owned()),
            details: None,
        });
    }
    let embedder = ancre.engine().embedder()?;
    let job = ancre.jobs().begin(ancre.clock().now());
    let named = document.source_uri.iter().map(PathBuf::from).collect();
    let reporter = Reporter::begin(ancre, &job.id, &document.kb_id, progress).naming(&named);
    let outcome = ingestion::recognise_document(
        &indexer(ancre, &*embedder, DEFAULT_BATCH_SIZE),
        ancre.reader(),
        ancre.project(),
        &document.id,
        &job.cancellation,
        &|event| reporter.hear(event),
    )?;
    Ok(reporter.finish(vec![outcome_of_file(outcome, &named)], None))
}
