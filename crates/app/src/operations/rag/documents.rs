//! Documents of a base, and where their originals are.

use std::path::{Path, PathBuf};

use ancre_domain::{Document, Page, SourceKind};
use ancre_store::traits::DocumentFilter;

use super::previews::has_page_pictures;
use crate::Ancre;
use crate::operations::Never;
use crate::wire::{
    DocumentRef, DocumentText, Event, ListDocuments, Nothing, SetDocumentEnabled, WireError,
};

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
        has_page_pictures: has_page_pictures(ancre, &source),
        warnings: document.warnings.clone(),
        document,
        text,
        outline: source.outline,
        pagination: source.pagination,
        language: source.language,
        chunks: chunks.iter().map(|chunk| chunk.range).collect(),
        tokens_outside_window: chunks.iter().map(|chunk| chunk.tokens_outside_window).collect(),
    })
}

/// Switches a document on or off: one that is off keeps its place and is not found.
///
/// # Errors
///
/// `not_found`.
pub fn set_document_enabled(
    ancre: &Ancre,
    input: SetDocumentEnabled,
    _: &dyn Fn(Never),
) -> Result<Document, WireError> {
    let SetDocumentEnabled { document_id, is_enabled } = input;
    let store = ancre.store();
    let document = store.set_document_enabled(ancre.project(), &document_id, is_enabled)?;
    ancre.tell(Event::DocumentsChanged { kb_id: document.kb_id.clone() });
    Ok(document)
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
    ancre.compact_when_worthwhile();
    Ok(Nothing {})
}

/// Where a document's original can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePlace {
    /// A file that was there when it was added; for what came in an archive, the archive.
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
        (SourceKind::Upload, Some(place)) => SourcePlace::File(file_of(&place)),
        // Anything else than a web address is not handed to the system's opener.
        (SourceKind::Url | SourceKind::Crawl, Some(address))
            if address.starts_with("https://") || address.starts_with("http://") =>
        {
            SourcePlace::Web(address)
        }
        _ => SourcePlace::Library,
    })
}

/// The file behind a place. `#` divides an archive from the path inside, but may also stand in the
/// names of both; what lies on the disk decides.
fn file_of(place: &str) -> PathBuf {
    let whole = Path::new(place);
    let archive = || {
        let before = place.match_indices('#').map(|(at, _)| Path::new(&place[..at]));
        before.into_iter().find(|path| path.is_file())
    };
    let file = if whole.is_file() { whole } else { archive().unwrap_or(whole) };
    file.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_an_archive_is_opened_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["C# notes.md", "aide #2.zip"] {
            std::fs::write(path(name), "").unwrap();
        }
        let file = |place: &str| file_of(path(place).to_str().unwrap());
        assert_eq!(file("C# notes.md"), path("C# notes.md"));
        assert_eq!(file("aide #2.zip#retours/a.pdf"), path("aide #2.zip"));
        assert_eq!(file("gone.zip#a.pdf"), path("gone.zip#a.pdf"), "it is named as it was");
    }
}
