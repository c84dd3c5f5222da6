//! What is in a file and how a page looks: reading that keeps nothing.

use std::path::Path;

use ancre_domain::ErrorCode;
use ancre_extract::{ArchivedFile, Parsed, ReadFile, ReadOptions, Reader, is_supported};
use ancre_knowledge::ingestion::original_name;

use crate::operations::Never;
use crate::wire::{
    ArchiveEntry, FilePreview, PagePicture, PagePictureRequest, PreviewFile, WireError,
};
use crate::{Ancre, base64};

/// The media type of the documents that pages can be pictured of.
const PDF: &str = "application/pdf";

/// Shows what ingestion would read of a file, of an archive what is in it; nothing is kept.
///
/// # Errors
///
/// Why the file cannot be read; `not_found` when the archive has no such file.
pub fn preview_file(
    ancre: &Ancre,
    input: PreviewFile,
    _: &dyn Fn(Never),
) -> Result<FilePreview, WireError> {
    let options = ReadOptions {
        password: input.password.as_ref().map(crate::wire::Password::reveal),
        ..ReadOptions::default()
    };
    read_preview(ancre.reader(), Path::new(&input.path), input.entry.as_deref(), options)
}

/// [`preview_file`] without an opened Ancre, for hosts that need no data folder for it.
///
/// # Errors
///
/// Those of [`preview_file`].
pub fn read_preview(
    reader: &Reader,
    path: &Path,
    entry: Option<&str>,
    options: ReadOptions<'_>,
) -> Result<FilePreview, WireError> {
    match (reader.read_path(path, options)?, entry) {
        (ReadFile::Document(file), None) => Ok(of_document(file.parsed)),
        (ReadFile::Document(_), Some(_)) => {
            Err(WireError::invalid(format!("{} is not an archive", path.display())))
        }
        (ReadFile::Archive(files), None) => Ok(of_archive(path, &files)),
        (ReadFile::Archive(files), Some(name)) => {
            let found = files.into_iter().find(|file| file.name == name);
            let file = found.ok_or_else(|| WireError {
                code: ErrorCode::NotFound,
                message: format!("there is no “{name}” in the archive"),
                hint: None,
                details: None,
            })?;
            Ok(of_document(reader.read_bytes(&file.bytes?, name, options)?))
        }
    }
}

/// Shows a page of a PDF as it looks, from the original that was kept.
///
/// # Errors
///
/// `not_found`, `invalid_input` for a width that is not possible, `unsupported` for documents
/// without pictures of pages, and why the original cannot be read.
pub fn page_picture(
    ancre: &Ancre,
    input: PagePictureRequest,
    _: &dyn Fn(Never),
) -> Result<PagePicture, WireError> {
    if !(200..=2_400).contains(&input.width) {
        return Err(WireError::invalid("a picture is 200 to 2,400 pixels wide"));
    }
    if input.page == 0 {
        return Err(WireError::invalid("pages are counted from 1"));
    }
    let document = ancre.store().document(ancre.project(), &input.document_id)?;
    let source = ancre.store().source(ancre.project(), &document.source_id)?;
    if !has_page_pictures(ancre, &source) {
        return Err(WireError {
            code: ErrorCode::Unsupported,
            message: "there are no pictures of this document's pages".to_owned(),
            hint: None,
            details: None,
        });
    }
    let bytes = ancre.store().source_bytes(ancre.project(), &document.source_id)?;
    let name = original_name(&source);
    let options = ReadOptions::default();
    let png = ancre.reader().page_picture(&bytes, &name, input.page, input.width, options)?;
    Ok(PagePicture { png: base64::encode(&png) })
}

/// Whether [`page_picture`] can show the pages of a source: a PDF whose original is kept.
pub(super) fn has_page_pictures(ancre: &Ancre, source: &ancre_domain::Source) -> bool {
    source.mime == PDF && source.has_original && ancre.document_reader().can_draw_pages()
}

fn of_document(parsed: Parsed) -> FilePreview {
    let Parsed { text, title, mime, pagination, outline, language, encoding, warnings } = parsed;
    FilePreview {
        title,
        mime,
        language,
        encoding,
        text,
        outline,
        pagination,
        warnings,
        entries: None,
    }
}

fn of_archive(path: &Path, files: &[ArchivedFile]) -> FilePreview {
    let entries = files.iter().map(|file| ArchiveEntry {
        name: file.name.clone(),
        byte_count: file.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
        is_supported: is_supported(Path::new(&file.name)) && file.bytes.is_ok(),
    });
    FilePreview {
        title: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        mime: "application/zip".to_owned(),
        language: None,
        encoding: None,
        text: String::new(),
        outline: Vec::new(),
        pagination: None,
        warnings: Vec::new(),
        entries: Some(entries.collect()),
    }
}
