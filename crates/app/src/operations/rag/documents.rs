//! Documents of a base, and where their originals are.

use std::path::PathBuf;

use ancre_domain::{Document, Page, SourceKind};
use ancre_store::traits::DocumentFilter;

use crate::Ancre;
use crate::operations::Never;
use crate::wire::{DocumentRef, DocumentText, Event, ListDocuments, Nothing, WireError};

/// Lists a base's documents, newest first.
///
/// # Errors
///
/// `not_found`.
pub fn list_documents(
    ancre: &Ancre,
    input: ListDocuments,
    _: &dyn Fn(Never),
) -> Result<Page<Document>, WireError> {
    let filter = DocumentFilter { status: input.status };
    Ok(ancre.store().list_documents(ancre.project(), &input.kb_id, filter, input.page)?)
}

/// Shows a document's text as it was indexed.
///
/// # Errors
///
/// `not_found`.
pub fn read_document(
    ancre: &Ancre,
    input: DocumentRef,
    _: &dyn Fn(Never),
) -> Result<DocumentText, WireError> {
    let (store, project) = (ancre.store(), ancre.project());
    let document = store.document(project, &input.document_id)?;
    let source = store.source(project, &document.source_id)?;
    let text = store.source_text(project, &document.source_id)?;
    let chunks = store.chunks(project, &document.id)?;
    Ok(DocumentText {
        document,
        text,
        outline: source.outline,
        language: source.language,
        chunks: chunks.iter().map(|chunk| chunk.range).collect(),
        tokens_outside_window: chunks.iter().map(|chunk| chunk.tokens_outside_window).collect(),
    })
}

/// Takes a document out of its base; its source and all snapshots stay.
///
/// # Errors
///
/// `not_found`.
pub fn delete_document(
    ancre: &Ancre,
    input: DocumentRef,
    _: &dyn Fn(Never),
) -> Result<Nothing, WireError> {
    let document = ancre.store().document(ancre.project(), &input.document_id)?;
    ancre.store().delete_document(ancre.project(), &document.id)?;
    ancre.tell(Event::DocumentsChanged { kb_id: document.kb_id });
    ancre.tell(Event::KnowledgeBasesChanged);
    Ok(Nothing {})
}

/// Where a document's original can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePlace {
    /// A file that was there when it was added.
    File(PathBuf),
    /// An `http` or `https` address.
    Web(String),
    /// Only here: pasted text, samples.
    Library,
}

/// Where a document's original can be opened.
///
/// # Errors
///
/// `not_found`.
pub fn source_place(ancre: &Ancre, input: DocumentRef) -> Result<SourcePlace, WireError> {
    let document = ancre.store().document(ancre.project(), &input.document_id)?;
    Ok(match (document.source_kind, document.source_uri) {
        (SourceKind::Upload, Some(path)) => SourcePlace::File(path.into()),
        // Anything else than a web address is not handed to the system's opener.
        (SourceKind::Url | SourceKind::Crawl, Some(address))
            if address.starts_with("https://") || address.starts_with("http://") =>
        {
            SourcePlace::Web(address)
        }
        _ => SourcePlace::Library,
    })
}
