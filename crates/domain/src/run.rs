//! One attempt of an agent on a message, and the passages it rests on.

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, CharRange, ChunkId, DocumentId, KnowledgeBaseId, Language, MessageId, PageKind, RunId,
    SearchRecord, SourceId, SourceKind, TicketId, TicketSourceId, Timestamp,
};

/// One attempt of an agent on a message. It never changes once it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The conversation.
    pub ticket_id: TicketId,
    /// The message it answers.
    pub message_id: MessageId,
    /// The draft it proposed, if it did: a message of the same ticket.
    pub reply_message_id: Option<MessageId>,
    /// The agent that answered.
    pub agent_id: AgentId,
    /// That agent's name at the time.
    pub agent_name: String,
    /// The runner that wrote, such as `extractive`.
    pub runner: String,
    /// How it ended.
    pub status: RunStatus,
    /// The language of the reply.
    pub language: Language,
    /// What was searched.
    pub query: String,
    /// How it was searched; none for a run of an earlier version.
    pub search: Option<SearchRecord>,
    /// Every passage that the runner was given, in the order of the search.
    pub hits: Vec<RunHit>,
    /// The reply, sentence by sentence, in order.
    pub sentences: Vec<Sentence>,
    /// The reply as the customer would read it, with its numbers; empty for a failed run.
    pub text: String,
    /// Why it ended without an answer, as one English sentence.
    pub reason: Option<String>,
    /// How long the steps took.
    pub timings: RunTimings,
    /// When it began.
    pub created_at: Timestamp,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum RunStatus {
    /// It proposed a reply that cites at least one passage.
    Drafted,
    /// Nothing relevant was found, and the reply says so instead of filling in.
    NoEvidence,
}

impl RunStatus {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drafted => "drafted",
            Self::NoEvidence => "no_evidence",
        }
    }

    /// The status that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Drafted, Self::NoEvidence].into_iter().find(|status| status.as_str() == word)
    }
}

/// A passage that a run was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunHit {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// The source behind it.
    pub source_id: SourceId,
    /// The base it was found in.
    pub kb_id: KnowledgeBaseId,
    /// Cosine distance to the query.
    pub distance: f64,
    /// Its score in the search.
    pub score: f64,
    /// Its place in the ranking by meaning, from 1. Runs of earlier versions have none of these.
    #[serde(default)]
    pub vector_rank: Option<u32>,
    /// Its place in the ranking by words, from 1.
    #[serde(default)]
    pub lexical_rank: Option<u32>,
    /// What the ranking by words gave it.
    #[serde(default)]
    pub lexical_score: Option<f64>,
    /// The words of the query that it has.
    #[serde(default)]
    pub matched_terms: Vec<String>,
}

/// One sentence of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// Its words, without numbers.
    pub text: String,
    /// The numbers that stand after it.
    pub citations: Vec<u32>,
    /// Whether its passages carry it.
    pub support: Support,
    /// Whether a new paragraph begins with it.
    pub starts_paragraph: bool,
}

/// Whether the cited passages carry a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Support {
    /// A cited passage says it.
    Supported,
    /// No cited passage says it.
    Unsupported,
    /// It claims nothing: a greeting, a courtesy, a question back.
    NoClaim,
}

/// How long the steps of a run took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RunTimings {
    /// Embedding the query and searching.
    pub search_ms: u32,
    /// Writing and checking the reply.
    pub generate_ms: u32,
}

/// The snapshot of a cited passage: what citation `[position]` of a draft rests on, kept for
/// ever. Ids in it may name rows that are gone; nothing in it is looked up again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TicketSource {
    /// Its id.
    pub id: TicketSourceId,
    /// The conversation.
    pub ticket_id: TicketId,
    /// The draft whose numbers it explains.
    pub message_id: MessageId,
    /// The run that wrote the draft.
    pub run_id: RunId,
    /// The number in the draft, from 1.
    pub position: u32,
    /// The document, as it was.
    pub document_id: DocumentId,
    /// The chunk, as it was.
    pub chunk_id: ChunkId,
    /// The base, as it was.
    pub kb_id: KnowledgeBaseId,
    /// The base's name at the time.
    pub kb_name: String,
    /// The source, as it was.
    pub source_id: SourceId,
    /// The document's title at the time.
    pub document_title: String,
    /// Where the source came from.
    pub source_uri: Option<String>,
    /// How the source came.
    pub source_kind: SourceKind,
    /// The passage's beginning, one line.
    pub content_preview: String,
    /// The whole passage.
    pub content_full: String,
    /// The chunk's place in its document, from 0.
    pub chunk_position: u32,
    /// Where the passage lay in the document's text, in characters.
    pub chunk_range: CharRange,
    /// The page of the first part that was used, where the format has pages; where none is
    /// marked as used, the page that the passage began on.
    pub page: Option<u32>,
    /// What such a page is.
    pub page_kind: Option<PageKind>,
    /// What the document called the page, where that was more than its number.
    pub page_label: Option<String>,
    /// The headings that the same place stood under.
    pub heading: Option<String>,
    /// Cosine distance to the query.
    pub distance: f64,
    /// The parts of `content_full` that the draft used, in characters, in order.
    pub used_ranges: Vec<CharRange>,
    /// When the snapshot was taken.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_of_an_earlier_version_reads() {
        let id = "0".repeat(32);
        let kept = format!(
            r#"{{"chunkId":"{id}","sourceId":"{id}","kbId":"{id}","distance":0.25,"score":0.75}}"#
        );
        let hit: Option<RunHit> = serde_json::from_str(&kept).ok();
        let ranks = hit.map(|hit| (hit.vector_rank, hit.lexical_rank, hit.matched_terms.len()));
        assert_eq!(ranks, Some((None, None, 0)));
    }
}
