//! A document's text in chunks, with what the index wants to know of each.

use ancre_domain::{Chunk, ChunkId, ChunkingSettings, Clock, Document, Language, Pagination};
use ancre_extract::detect_language;
use ancre_store::traits::{LexicalText, Store};

use crate::KnowledgeError;
use crate::chunker::{chunk_units, heading_path};
use crate::lexical::lexical_text;

/// Characters to a token, about, in French and English.
const CHARACTERS_PER_TOKEN: u32 = 4;

/// A chunk of fewer bytes is taken to be in its document's language.
const LEAST_FOR_LANGUAGE: usize = 120;

/// How many bytes of a chunk its language is recognised by, about.
const LANGUAGE_SAMPLE: usize = 600;

/// A document that is cut.
#[derive(Debug)]
pub(crate) struct CutDocument {
    /// Its title.
    pub(crate) title: String,
    /// Its language, where it was recognised.
    pub(crate) language: Option<Language>,
    /// At least one.
    pub(crate) chunks: Vec<Chunk>,
}

impl CutDocument {
    /// The language of a chunk, and its words as they are indexed.
    pub(crate) fn words_of(&self, chunk: &Chunk) -> (Option<Language>, LexicalText) {
        let language = language_of(&chunk.content, self.language);
        let heading = chunk.heading.as_deref();
        (language, lexical_text(&self.title, heading, &chunk.content, language))
    }
}

/// The language of a chunk: of its own words where there are enough, else of its document.
pub(crate) fn language_of(content: &str, document: Option<Language>) -> Option<Language> {
    if content.len() < LEAST_FOR_LANGUAGE {
        return document;
    }
    let end = content.floor_char_boundary(LANGUAGE_SAMPLE);
    detect_language(&content[..end])
}

/// Reads a document's text and cuts it.
///
/// # Errors
///
/// [`KnowledgeError::Empty`] or [`KnowledgeError::TooLong`]; what the store says.
pub(crate) fn cut(
    store: &dyn Store,
    clock: &dyn Clock,
    project: &ancre_domain::ProjectId,
    document: &Document,
    chunking: ChunkingSettings,
) -> Result<CutDocument, KnowledgeError> {
    let source = store.source(project, &document.source_id)?;
    let text = store.source_text(project, &document.source_id)?;
    if u32::try_from(text.len()).is_err() && u32::try_from(text.chars().count()).is_err() {
        return Err(KnowledgeError::TooLong);
    }
    let now = clock.now();
    let pagination = source.pagination.as_ref();
    let units = pagination.map(Pagination::unit_starts).unwrap_or_default();
    let chunks: Vec<Chunk> = (0..)
        .zip(chunk_units(&text, &units, chunking))
        .map(|(position, slice)| {
            // As with the heading: what a chunk repeats of the one before says nothing of it.
            let page = pagination.and_then(|pages| pages.page_at(slice.own_start));
            Chunk {
                id: ChunkId::generate(now),
                document_id: document.id.clone(),
                position,
                content: text[slice.bytes].to_owned(),
                range: slice.range,
                page: page.map(|page| page.number),
                page_kind: page.and(pagination).map(|pages| pages.kind),
                page_label: page.and_then(|page| page.label.clone()),
                heading: heading_path(&source.outline, slice.own_start),
                token_count: slice.range.char_count().div_ceil(CHARACTERS_PER_TOKEN),
                tokens_outside_window: 0,
            }
        })
        .collect();
    if chunks.is_empty() {
        return Err(KnowledgeError::Empty);
    }
    Ok(CutDocument { title: document.title.clone(), language: source.language, chunks })
}
