//! Search: what is asked, what was found and why.

use ancre_domain::{
    CharRange, Chunk, ChunkId, DocumentId, Hit, KnowledgeBaseId, Language, PageKind, SearchMode,
    SourceId,
};
use ancre_knowledge::search::MissingIndex;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Searches bases.
#[derive(Debug, Clone, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// The question.
    pub query: String,
    /// The bases.
    pub kb_ids: Vec<KnowledgeBaseId>,
    /// How many passages, 1 to 10,000; 6 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub top_k: Option<u32>,
    /// How far evidence of meaning reaches, a cosine distance in [0, 2]. A passage beyond it is
    /// found only by its words, with its real distance.
    #[serde(default)]
    #[ts(optional)]
    pub max_distance: Option<f64>,
    /// Which rankings are followed; both when absent.
    #[serde(default)]
    #[ts(optional)]
    pub mode: Option<SearchMode>,
    /// Whether the best are put in order by the reranker that is installed.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub rerank: bool,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult {
    /// The passages, best first.
    pub hits: Vec<SearchHit>,
    /// Which rankings were followed.
    pub mode: SearchMode,
    /// The language of the question, where it is one of ours and clear.
    pub language: Option<Language>,
    /// The words that were looked for, as they were typed.
    pub terms: Vec<String>,
    /// The bases that could be searched in part only.
    pub gaps: Vec<IndexGap>,
    /// Whether the reranker put the best in order; false when it was late or failed, so that the
    /// order is the search's. None where it was not asked for.
    pub is_reranked: Option<bool>,
    /// How long it took.
    pub milliseconds: u32,
}

/// A base that was searched in part, since a part of its index is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct IndexGap {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Its name.
    pub kb_name: String,
    /// What is missing.
    pub missing: MissingPart,
}

/// A part of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MissingPart {
    /// The base was searched by words alone.
    Vectors,
    /// The base was searched by meaning alone.
    Words,
}

impl From<ancre_knowledge::search::IndexGap> for IndexGap {
    fn from(gap: ancre_knowledge::search::IndexGap) -> Self {
        let missing = match gap.missing {
            MissingIndex::Vectors => MissingPart::Vectors,
            MissingIndex::Words => MissingPart::Words,
        };
        Self { kb_id: gap.kb_id, kb_name: gap.kb_name, missing }
    }
}

/// A passage that a search found.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its document.
    pub document_id: DocumentId,
    /// Its base.
    pub kb_id: KnowledgeBaseId,
    /// That base's name.
    pub kb_name: String,
    /// The source behind the document.
    pub source_id: SourceId,
    /// The document's title.
    pub document_title: String,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// The passage.
    pub content: String,
    /// The chunk's place in its document, from 0.
    pub position: u32,
    /// Where the passage begins in the text, in characters.
    pub start: u32,
    /// One past where it ends.
    pub end: u32,
    /// The page it begins on.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document calls the page, where that is more than its number.
    pub page_label: Option<String>,
    /// The headings it stands under.
    pub heading: Option<String>,
    /// The language of the passage, where it was recognised.
    pub language: Option<Language>,
    /// Cosine distance to the question, in [0, 2]; 2 where it is not known.
    pub distance: f64,
    /// By what the passages are ordered, in [0, 1]; larger is better.
    pub score: f64,
    /// Its place in the ranking by meaning, from 1; none where that ranking does not have it.
    pub vector_rank: Option<u32>,
    /// Its place in the ranking by words, from 1; none where that ranking does not have it.
    pub lexical_rank: Option<u32>,
    /// How well it fits by words, in [0, 1].
    pub lexical_score: Option<f64>,
    /// The words of the question that it, its title or its heading has, as they were typed.
    pub matched_terms: Vec<String>,
    /// Where they stand in `content`, in characters, in order and apart.
    pub matches: Vec<CharRange>,
}

impl From<Hit> for SearchHit {
    fn from(hit: Hit) -> Self {
        Self {
            chunk_id: hit.chunk.id,
            document_id: hit.chunk.document_id,
            kb_id: hit.kb_id,
            kb_name: hit.kb_name,
            source_id: hit.source_id,
            document_title: hit.document_title,
            source_uri: hit.source_uri,
            content: hit.chunk.content,
            position: hit.chunk.position,
            start: hit.chunk.range.start,
            end: hit.chunk.range.end,
            page: hit.chunk.page,
            page_kind: hit.chunk.page_kind,
            page_label: hit.chunk.page_label,
            heading: hit.chunk.heading,
            language: hit.language,
            distance: hit.distance,
            score: hit.score,
            vector_rank: hit.vector_rank,
            lexical_rank: hit.lexical_rank,
            lexical_score: hit.lexical_score,
            matched_terms: hit.matched_terms,
            matches: hit.matches,
        }
    }
}

/// Asks for what stands around a passage.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowAround {
    /// The passage.
    pub chunk_id: ChunkId,
    /// How many passages before it, at most 50; 1 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub before: Option<u32>,
    /// How many behind it, at most 50; 1 when absent.
    #[serde(default)]
    #[ts(optional)]
    pub after: Option<u32>,
}

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Passage {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its place in its document, from 0.
    pub position: u32,
    /// Where it begins in the text, in characters.
    pub start: u32,
    /// One past where it ends.
    pub end: u32,
    /// Its text.
    pub content: String,
    /// The headings it stands under.
    pub heading: Option<String>,
    /// The page it begins on.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document calls the page, where that is more than its number.
    pub page_label: Option<String>,
}

impl From<Chunk> for Passage {
    fn from(chunk: Chunk) -> Self {
        Self {
            chunk_id: chunk.id,
            position: chunk.position,
            start: chunk.range.start,
            end: chunk.range.end,
            content: chunk.content,
            heading: chunk.heading,
            page: chunk.page,
            page_kind: chunk.page_kind,
            page_label: chunk.page_label,
        }
    }
}
