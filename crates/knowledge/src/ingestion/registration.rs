//! Storing a text and queueing it for a base.

use std::fmt::Write as _;

use ancre_domain::{
    Clock, Document, Heading, JobId, KnowledgeBaseId, Language, Pagination, ProjectId, SourceId,
    SourceKind, Warning,
};
use ancre_extract::{Parsed, ParsedFile};
use ancre_store::traits::{NewSource, Store};
use sha2::{Digest, Sha256};

use crate::KnowledgeError;

/// The longest title that is made from a text without one, in characters.
const DERIVED_TITLE_LENGTH: usize = 80;

/// A text about to be added to a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewText {
    /// How it came.
    pub kind: SourceKind,
    /// Where it came from: a path, a web address, or nothing for pasted text.
    pub uri: Option<String>,
    /// Its title; an empty one is replaced by the text's first words.
    pub title: String,
    /// The media type of the original.
    pub mime: String,
    /// The original's bytes; `None` when the text is the original.
    pub bytes: Option<Vec<u8>>,
    /// The text.
    pub text: String,
    /// Its headings, in order.
    pub outline: Vec<Heading>,
    /// Its pages, where the format has pages.
    pub pagination: Option<Pagination>,
    /// What a person should know of how it was read.
    pub warnings: Vec<Warning>,
    /// Its language, where it is known.
    pub language: Option<Language>,
}

impl NewText {
    /// A text that was pasted or piped in: plain, kept as it is, its language recognised.
    pub fn pasted(title: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let language = ancre_extract::detect_language(&text);
        Self {
            kind: SourceKind::Inline,
            uri: None,
            title: title.into(),
            mime: "text/plain".to_owned(),
            bytes: None,
            text,
            outline: Vec::new(),
            pagination: None,
            warnings: Vec::new(),
            language,
        }
    }

    /// A file that was read: `uri` is its path, with `#` and a path inside for one of an archive.
    pub fn of_file(uri: String, file: ParsedFile) -> Self {
        let ParsedFile { parsed, bytes } = file;
        let Parsed { text, title, mime, outline, pagination, warnings, language, encoding: _ } =
            parsed;
        Self {
            kind: SourceKind::Upload,
            uri: Some(uri),
            title,
            mime,
            bytes: (bytes != text.as_bytes()).then_some(bytes),
            text,
            outline,
            pagination,
            warnings,
            language,
        }
    }
}

/// A text that is in the library and in the base.
#[derive(Debug, Clone, PartialEq)]
pub struct AddedSource {
    /// The document; queued unless it was there before.
    pub document: Document,
    /// Whether the base held the same text already.
    pub was_there: bool,
}

/// Stores a text in the project's library, unless it is there, and queues it for the base,
/// unless it is attached. What makes two texts the same is their SHA-256.
///
/// # Errors
///
/// [`KnowledgeError::Empty`] for a text of nothing but blanks, of which nothing is stored; what
/// the store says, such as that the base does not exist.
pub fn register_text(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    text: NewText,
) -> Result<AddedSource, KnowledgeError> {
    let source = store_text(store, clock, project, kb, text)?;
    let (document, was_there) = store.attach_source(project, kb, &source, clock.now())?;
    Ok(AddedSource { document, was_there })
}

/// [`register_text`] for an item of a job, by its number. `None` where the item was cancelled
/// meanwhile: the text is in the library then, and in no base.
///
/// # Errors
///
/// Those of [`register_text`].
pub fn register_text_of_item(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    text: NewText,
    item: (&JobId, u32),
) -> Result<Option<AddedSource>, KnowledgeError> {
    let source = store_text(store, clock, project, kb, text)?;
    let attached = store.attach_item_source(project, kb, &source, item, clock.now())?;
    Ok(attached.map(|(document, was_there)| AddedSource { document, was_there }))
}

/// Puts a text that is meant for a base in the library.
fn store_text(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ProjectId,
    kb: &KnowledgeBaseId,
    text: NewText,
) -> Result<SourceId, KnowledgeError> {
    if text.text.trim().is_empty() {
        return Err(KnowledgeError::Empty);
    }
    // Asked first, so that a wrong base leaves nothing in the library.
    store.knowledge_base(project, kb)?;
    Ok(store.store_source(&new_source(project, text), clock.now())?.source.id)
}

/// Stores a text in the project's library, unless it is there, and queues it to take the place of
/// a document, which is searched until the new one is ready. A text that the document has already
/// changes nothing; then the document itself is given back.
///
/// # Errors
///
/// Those of [`register_text`].
pub(super) fn register_in_place_of(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ProjectId,
    replaced: &Document,
    text: NewText,
) -> Result<AddedSource, KnowledgeError> {
    if text.text.trim().is_empty() {
        return Err(KnowledgeError::Empty);
    }
    let now = clock.now();
    let stored = store.store_source(&new_source(project, text), now)?;
    let (document, was_there) =
        store.attach_in_place_of(project, &replaced.id, &stored.source.id, now)?;
    Ok(AddedSource { document, was_there })
}

pub(super) fn new_source(project: &ProjectId, text: NewText) -> NewSource {
    let byte_count = text.bytes.as_ref().map_or(text.text.len(), Vec::len) as u64;
    let is_scanned =
        text.warnings.iter().any(|warning| matches!(warning, Warning::ScannedPages { .. }));
    let mut warnings = text.warnings;
    warnings.extend(Warning::of_text(&text.text, byte_count).into_iter().filter(|warning| {
        // Scans are said already.
        !(is_scanned && matches!(warning, Warning::LittleText { .. }))
    }));
    NewSource {
        project_id: project.clone(),
        kind: text.kind,
        uri: text.uri,
        title: title_or_first_words(&text.title, &text.text),
        mime: text.mime,
        sha256: sha256(&text.text),
        bytes: text.bytes,
        text: text.text,
        outline: text.outline,
        pagination: text.pagination,
        warnings,
        language: text.language,
    }
}

/// SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits.
fn sha256(text: &str) -> String {
    let mut digits = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

fn title_or_first_words(title: &str, text: &str) -> String {
    let title = title.trim();
    if !title.is_empty() {
        return title.to_owned();
    }
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line = line.trim_start_matches('#').trim_start();
    let mut words: String = line.chars().take(DERIVED_TITLE_LENGTH).collect();
    if words.len() < line.len() {
        if let Some(blank) = words.rfind(' ') {
            words.truncate(blank);
        }
        words.push('…');
    }
    if words.is_empty() { "#".to_owned() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_a_title_is_called_by_its_first_words() {
        assert_eq!(title_or_first_words("  Titre ", "x"), "Titre");
        assert_eq!(title_or_first_words("", "\n\n## Retours\nTexte"), "Retours");
        let long = "mot ".repeat(40);
        let title = title_or_first_words(" ", &long);
        assert!(title.ends_with("mot…") && title.chars().count() <= 80, "{title}");
    }

    #[test]
    fn the_hash_is_the_one_of_the_standard() {
        assert_eq!(
            sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
