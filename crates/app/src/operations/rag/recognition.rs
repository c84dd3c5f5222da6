//! Recognising the text of scanned pages of documents that are in a base.

use ancre_domain::{ErrorCode, JobId, JobKind};
use ancre_store::traits::NewJobItem;

use crate::Ancre;
use crate::jobs::{JobRequest, ask, base_to_feed, wait_for_report};
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
    ensure_can_recognise(ancre)?;
    base_to_feed(ancre, &document.kb_id)?;
    let id = JobId::generate(ancre.clock().now());
    let watch = ancre.jobs().watch(&id);
    let items = vec![NewJobItem {
        document_id: Some(document.id),
        ..NewJobItem::file(
            document.source_uri.unwrap_or_else(|| document.title.clone()),
            document.title.clone(),
        )
    }];
    let (kind, kb_id) = (JobKind::Recognise, Some(document.kb_id));
    let title = document.title;
    let request = JobRequest { id: id.clone(), kind, kb_id, title, payload: (), items };
    ask(ancre, request)?;
    wait_for_report(ancre, &id, &watch, progress)
}

/// Checks that scans can be recognised here.
pub(super) fn ensure_can_recognise(ancre: &Ancre) -> Result<(), WireError> {
    if ancre.document_reader().can_recognise() {
        return Ok(());
    }
    Err(WireError {
        code: ErrorCode::Unsupported,
        message: "the recognition of scans is not installed".to_owned(),
        hint: Some("Install Ancre again, or run its set-up.".to_owned()),
        details: None,
    })
}
