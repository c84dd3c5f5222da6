//! The words of chunks and of questions, as the full-text index takes them.
//!
//! What a word is (elisions, ligatures, stems) is decided outside, alike for passages and for
//! questions. The store folds case and diacritics, and takes whatever comes as words: nothing in
//! a question is ever read as a command.

use ancre_domain::ChunkId;

/// What the full-text index holds of a chunk: words separated by blanks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LexicalText {
    /// Of the document's title.
    pub title: String,
    /// Of the headings that the chunk stands under.
    pub heading: String,
    /// Of the chunk itself.
    pub body: String,
}

/// What is looked for: a chunk matches when it has at least one of the terms.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LexicalQuery {
    /// The terms, the most telling first: the store may leave out those beyond
    /// [`Self::MAX_TERMS`].
    pub terms: Vec<LexicalTerm>,
}

impl LexicalQuery {
    /// How many terms of a query count.
    pub const MAX_TERMS: usize = 256;
}

/// A word, or a phrase of words that follow each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LexicalTerm {
    /// One word, or more for a phrase.
    pub words: Vec<String>,
    /// Whether the last word may go on.
    pub is_prefix: bool,
}

/// What a match in each field weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalWeights {
    /// In the title.
    pub title: f64,
    /// In the headings.
    pub heading: f64,
    /// In the text itself.
    pub body: f64,
}

/// A chunk that has words of the question.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalMatch {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Okapi BM25 over the weighted fields; larger is better.
    pub score: f64,
}

/// What a search by words found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LexicalRanking {
    /// The best matches, best first; of equally good ones the older first.
    pub matches: Vec<LexicalMatch>,
    /// How common the terms are.
    pub statistics: WordStatistics,
}

/// How common the terms of a query are in a base: what its ranking by words rests on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WordStatistics {
    /// How many chunks the index holds.
    pub chunks: u32,
    /// How many words one of them has on the average, all fields together.
    pub average_length: f64,
    /// How many chunks have each term, in the order of the query.
    pub chunks_with: Vec<u32>,
}
