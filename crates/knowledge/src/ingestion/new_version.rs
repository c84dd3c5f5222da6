//! A new version of a source, in every base that the old one is in.
//!
//! In each base the old version is searched until the new one is ready there; one base may be
//! ready and another in error. Here it is read, stored and queued in each base; indexing its
//! documents is the same work as for any other.

use std::path::Path;

use ancre_domain::{Cancellation, Clock, ProjectId, SourceId};
use ancre_extract::{ReadFile, ReadOptions};
use ancre_store::traits::{SourceReplacement, Store};

use super::files::Reading;
use super::registration::{NewText, new_source};
use crate::KnowledgeError;

/// Where a new version comes from.
#[derive(Debug, Clone, Copy)]
pub enum NewVersion<'a> {
    /// A file, which brings its own title.
    File(&'a Path),
    /// A text; the title stays.
    Text(&'a str),
}

/// Stores a new version of a source and queues it, in each base, to take the place of the old one.
/// The documents of the answer are those that are to be indexed, with whether the base had the text
/// already; the same text as before changes nothing and gives none.
///
/// # Errors
///
/// Before anything is changed: there is no such source in the project, or the new version cannot
/// be read, is empty, or is an archive.
pub fn register_new_version(
    store: &dyn Store,
    clock: &dyn Clock,
    reading: Reading<'_>,
    project: &ProjectId,
    id: &SourceId,
    version: NewVersion<'_>,
    cancellation: &Cancellation,
) -> Result<SourceReplacement, KnowledgeError> {
    let old = store.source(project, id)?;
    let text = match version {
        NewVersion::File(path) => read(path, reading, cancellation)?,
        NewVersion::Text(text) => {
            let name = if old.mime == "text/markdown" { "text.md" } else { "text.txt" };
            let parsed = ancre_extract::parse_text(text.as_bytes(), name)?;
            let pasted = NewText::pasted(old.title, parsed.text);
            NewText { mime: parsed.mime, outline: parsed.outline, ..pasted }
        }
    };
    if text.text.trim().is_empty() {
        return Err(KnowledgeError::Empty);
    }
    Ok(store.replace_source(project, id, &new_source(project, text), clock.now())?)
}

fn read(
    path: &Path,
    reading: Reading<'_>,
    cancellation: &Cancellation,
) -> Result<NewText, KnowledgeError> {
    let options = ReadOptions {
        password: reading.password,
        recognise: reading.recognise,
        cancellation: Some(cancellation),
        progress: None,
    };
    match reading.reader.read_path(path, options)? {
        ReadFile::Document(file) => Ok(NewText::of_file(path.to_string_lossy().into_owned(), file)),
        ReadFile::Archive(_) => Err(KnowledgeError::ArchiveAsVersion),
    }
}
