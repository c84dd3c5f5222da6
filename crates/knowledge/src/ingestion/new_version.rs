//! A new version of a source, in every base that the old one is in.
//!
//! In each base the old version is searched until the new one is ready there; one base may be
//! ready and another in error. Here it is read, stored and queued in each base; indexing its
//! documents is the same work as for any other.

use std::path::Path;

use ancre_domain::{Cancellation, Clock, DocumentStatus, ProjectId, SourceId, is_blank};
use ancre_extract::{ReadFile, ReadOptions};
use ancre_store::traits::{NewSource, SourceReplacement, Store};

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
/// be read, is empty, is an archive, or has the text of another source.
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
    if is_blank(&text.text) {
        return Err(KnowledgeError::Empty);
    }
    let new = new_source(project, text);
    refuse_other_source(store, project, id, &new)?;
    Ok(store.replace_source(project, id, &new, clock.now())?)
}

/// Refuses the text of another source: each text is one source, so the two would become one, and
/// a title would go. A version of this source that waits for its place is no other one.
fn refuse_other_source(
    store: &dyn Store,
    project: &ProjectId,
    id: &SourceId,
    new: &NewSource,
) -> Result<(), KnowledgeError> {
    let Some(known) = store.find_source(project, &new.sha256)?.filter(|known| known.id != *id)
    else {
        return Ok(());
    };
    let versions = |id| store.source_summary(project, id);
    let (old, known) = (versions(id)?, versions(&known.id)?);
    let waits_here = known.attachments.iter().any(|waiting| {
        let is_in_line = waiting.status != DocumentStatus::Ready;
        is_in_line && old.attachments.iter().any(|it| it.kb_id == waiting.kb_id)
    });
    if known.version == old.version + 1 && waits_here {
        return Ok(());
    }
    Err(KnowledgeError::AlreadyInLibrary { title: known.title })
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
