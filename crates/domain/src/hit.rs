//! What a search finds.

use crate::{CharRange, Chunk, KnowledgeBaseId, Language, SourceId, SourceKind};

/// A chunk found by a search, with the document it is from and how near it lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub chunk: Chunk,
    /// The base it was found in.
    pub kb_id: KnowledgeBaseId,
    /// That base's name.
    pub kb_name: String,
    /// The source behind the document.
    pub source_id: SourceId,
    /// The document's title.
    pub document_title: String,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// How the source came.
    pub source_kind: SourceKind,
    /// The language of the passage's own words, where it was recognised.
    pub language: Option<Language>,
    /// Cosine distance to the question, in [0, 2]; smaller is nearer.
    pub distance: f64,
    /// By what the hits are ordered; larger is better. For a vector search, 1 - distance.
    pub score: f64,
    /// Its place in the ranking by meaning, from 1; none where that ranking does not have it.
    pub vector_rank: Option<u32>,
    /// Its place in the ranking by words, from 1; none where that ranking does not have it.
    pub lexical_rank: Option<u32>,
    /// What the ranking by words gave it; larger is better.
    pub lexical_score: Option<f64>,
    /// The words of the question that it has.
    pub matched_terms: Vec<String>,
    /// Where they stand in the content, in order.
    pub matches: Vec<CharRange>,
}

impl Hit {
    /// The content's beginning, at most `limit` characters, for lists.
    pub fn preview(&self, limit: usize) -> String {
        preview(&self.chunk.content, limit)
    }
}

/// The first `limit` characters of `text` on one line, with an ellipsis where it was cut.
pub fn preview(text: &str, limit: usize) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().count() > limit {
            let cut: String = words.chars().take(limit.saturating_sub(1)).collect();
            return cut.trim_end().to_owned() + "…";
        }
    }
    words
}
