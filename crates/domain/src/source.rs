//! What the library keeps: each text once.

use serde::{Deserialize, Serialize};

use crate::{
    DocumentFailure, DocumentId, DocumentStatus, KnowledgeBaseId, Language, Pagination, ProjectId,
    SourceId, Timestamp, Warning,
};

/// A document in a project's library, stored once per text: its bytes and its extracted text are
/// both kept (in the store; this struct carries neither, so that lists stay light).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    /// Its id.
    pub id: SourceId,
    /// The project whose library holds it.
    pub project_id: ProjectId,
    /// How it came.
    pub kind: SourceKind,
    /// Where it came from: a path, a web address, or nothing for pasted text.
    pub uri: Option<String>,
    /// Its title, never empty.
    pub title: String,
    /// The media type of the original bytes.
    pub mime: String,
    /// SHA-256 of the extracted text in UTF-8, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Size of the original in bytes.
    pub byte_count: u64,
    /// Length of the extracted text in characters (Unicode scalar values).
    pub char_count: u32,
    /// The language of the text, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// The headings of the text, in order.
    pub outline: Vec<Heading>,
    /// The pages of the text, where the format has pages.
    pub pagination: Option<Pagination>,
    /// What a person should know of how it was read.
    pub warnings: Vec<Warning>,
    /// Whether the original's bytes are kept beside the text; otherwise the text is the original.
    pub has_original: bool,
    /// When it was stored.
    pub created_at: Timestamp,
}

/// A source as the library lists it: without its headings and pages, and with where it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceSummary {
    /// Its id.
    pub id: SourceId,
    /// How it came.
    pub kind: SourceKind,
    /// Where it came from: a path, a web address, or nothing for pasted text.
    pub uri: Option<String>,
    /// Its title, never empty.
    pub title: String,
    /// The media type of the original bytes.
    pub mime: String,
    /// SHA-256 of the extracted text in UTF-8, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Size of the original in bytes.
    pub byte_count: u64,
    /// Length of the extracted text in characters.
    pub char_count: u32,
    /// The language of the text, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// What a person should know of how it was read.
    pub warnings: Vec<Warning>,
    /// Whether the original's bytes are kept beside the text.
    pub has_original: bool,
    /// 1 for the first; one more than that of the source whose place it took.
    pub version: u32,
    /// When it was stored.
    pub created_at: Timestamp,
    /// The bases it is in, by name.
    pub attachments: Vec<SourceAttachment>,
}

/// A source in one base: what a list shows of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SourceAttachment {
    /// The document.
    pub document_id: DocumentId,
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// The base's name.
    pub kb_name: String,
    /// Where the document stands.
    pub status: DocumentStatus,
    /// Whether searches see it once it is ready.
    pub is_enabled: bool,
    /// How many chunks it has; 0 until it is ready.
    pub chunk_count: u32,
    /// Why it is in error, if it is.
    pub failure: Option<DocumentFailure>,
}

/// How a source came into the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum SourceKind {
    /// A file that a person brought.
    Upload,
    /// One page or document fetched from its address.
    Url,
    /// A page found by a crawl.
    Crawl,
    /// Text that was pasted or piped in.
    Inline,
}

impl SourceKind {
    /// The word in the database and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Url => "url",
            Self::Crawl => "crawl",
            Self::Inline => "inline",
        }
    }

    /// The kind that [`Self::as_str`] names so.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Upload, Self::Url, Self::Crawl, Self::Inline]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// A heading of a source's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Heading {
    /// Its depth, 1 for the outermost.
    pub level: u8,
    /// Its words, without markup.
    pub title: String,
    /// Where its line begins in the text, in characters.
    pub start: u32,
}
