//! Where in its document lies what a draft quotes.
//!
//! A chunk knows the page on which it begins, but a chunk may span pages: three short slides are
//! one. A citation names the page of what it quotes, so that whoever opens the document finds it
//! there. Hits of a search stay with the beginning of their chunk.

use ancre_domain::{CharRange, Chunk, Hit, PageKind, ProjectId, Source};
use ancre_knowledge::chunker::heading_path;
use ancre_store::StoreError;
use ancre_store::traits::Store;

/// A page and the headings above it, as a snapshot keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The page, where the format has pages.
    pub(crate) page: Option<u32>,
    /// What such a page is.
    pub(crate) page_kind: Option<PageKind>,
    /// What the document calls the page, where that is more than its number.
    pub(crate) page_label: Option<String>,
    /// The titles of the headings, joined.
    pub(crate) heading: Option<String>,
}

/// Where the first of `used` lies, which are ranges of the hit's chunk. Where nothing is marked as
/// used, or the source was deleted since the search, that is where the chunk begins.
///
/// # Errors
///
/// What the store says when the source cannot be read.
pub(crate) fn place_of(
    store: &dyn Store,
    project: &ProjectId,
    hit: &Hit,
    used: &[CharRange],
) -> Result<Place, StoreError> {
    let Some(first) = used.first() else { return Ok(Place::of_chunk(&hit.chunk)) };
    match store.source(project, &hit.source_id) {
        Ok(source) => Ok(Place::at(&source, hit.chunk.range.start.saturating_add(first.start))),
        Err(StoreError::NotFound { .. }) => Ok(Place::of_chunk(&hit.chunk)),
        Err(error) => Err(error),
    }
}

impl Place {
    fn of_chunk(chunk: &Chunk) -> Self {
        Self {
            page: chunk.page,
            page_kind: chunk.page_kind,
            page_label: chunk.page_label.clone(),
            heading: chunk.heading.clone(),
        }
    }

    /// The place of character `at` of the source's text.
    fn at(source: &Source, at: u32) -> Self {
        let pagination = source.pagination.as_ref();
        let page = pagination.and_then(|pages| pages.page_at(at));
        Self {
            page: page.map(|page| page.number),
            page_kind: page.and(pagination).map(|pages| pages.kind),
            page_label: page.and_then(|page| page.label.clone()),
            heading: heading_path(&source.outline, at),
        }
    }
}

#[cfg(test)]
mod tests {
    use ancre_domain::{
        ChunkId, Clock as _, DocumentId, KnowledgeBaseId, SourceId, SourceKind, Timestamp,
    };
    use ancre_testkit::Scene;

    use super::*;

    fn hit(now: Timestamp) -> Hit {
        let chunk = Chunk {
            id: ChunkId::generate(now),
            document_id: DocumentId::generate(now),
            position: 0,
            content: "Un. Deux.".to_owned(),
            range: CharRange { start: 0, end: 9 },
            page: Some(2),
            page_kind: Some(PageKind::Page),
            page_label: Some("ii".to_owned()),
            heading: Some("Retours".to_owned()),
            token_count: 3,
            tokens_outside_window: 0,
        };
        Hit {
            chunk,
            kb_id: KnowledgeBaseId::generate(now),
            kb_name: "Aide".to_owned(),
            source_id: SourceId::generate(now),
            document_title: "Retours".to_owned(),
            source_uri: None,
            source_kind: SourceKind::Inline,
            language: None,
            distance: 0.1,
            score: 0.9,
            vector_rank: None,
            lexical_rank: None,
            lexical_score: None,
            matched_terms: Vec::new(),
            matches: Vec::new(),
        }
    }

    #[test]
    fn a_quotation_whose_source_is_gone_lies_where_its_chunk_begins() {
        let scene = Scene::new();
        let hit = hit(scene.clock.now());
        let used = [CharRange { start: 4, end: 9 }];
        let place = place_of(&*scene.store, scene.project_id(), &hit, &used);
        assert!(place.is_ok_and(|place| place == Place::of_chunk(&hit.chunk)));
    }
}
