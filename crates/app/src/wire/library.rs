//! The library: sources, the bases they are in, and the room that everything takes.

use ancre_domain::{
    DocumentId, Heading, KnowledgeBaseId, PageRequest, Pagination, SourceId, SourceKind,
    SourceSummary,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Password;

/// Asks for a piece of the library, newest first.
#[derive(Debug, Clone, Default, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListSources {
    /// Words that all occur in the title or the place it came from, without regard to case and
    /// accents.
    #[serde(default)]
    #[ts(optional)]
    pub query: Option<String>,
    /// Only what is in this base.
    #[serde(default)]
    #[ts(optional)]
    pub kb_id: Option<KnowledgeBaseId>,
    /// Only what came so.
    #[serde(default)]
    #[ts(optional)]
    pub kind: Option<SourceKind>,
    /// Which piece.
    #[serde(default)]
    #[ts(optional, as = "Option<PageRequest>")]
    pub page: PageRequest,
}

/// Names a source.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceRef {
    /// The source.
    pub source_id: SourceId,
}

/// A source with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SourceText {
    /// The source.
    pub source: SourceSummary,
    /// Its text.
    pub text: String,
    /// The headings of the text.
    pub outline: Vec<Heading>,
    /// The pages of the text, where the format has pages.
    pub pagination: Option<Pagination>,
    /// Whether its pages can be shown as they look: a PDF whose original is kept.
    pub has_page_pictures: bool,
}

/// Gives a source another title, in every base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameSource {
    /// The source.
    pub source_id: SourceId,
    /// Its new title, 1 to 300 characters.
    pub title: String,
}

/// Puts a new version in the place of a source, from a file or a text, one of the two.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplaceSource {
    /// The source.
    pub source_id: SourceId,
    /// The file with the new version; its title becomes the source's.
    #[serde(default)]
    #[ts(optional)]
    pub path: Option<String>,
    /// The new version's text; the title stays.
    #[serde(default)]
    #[ts(optional)]
    pub text: Option<String>,
    /// A password to open the file with.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub password: Option<Password>,
    /// Whether scanned pages are recognised, which takes seconds a page; not when absent.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub recognise: bool,
}

/// Adds a source of the library to a base.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttachSource {
    /// The source.
    pub source_id: SourceId,
    /// The base.
    pub kb_id: KnowledgeBaseId,
}

/// Switches a document on or off.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetDocumentEnabled {
    /// The document.
    pub document_id: DocumentId,
    /// Whether searches see it.
    pub is_enabled: bool,
}

/// Changes a base; what is absent stays.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateKnowledgeBase {
    /// The base.
    pub kb_id: KnowledgeBaseId,
    /// Its name, 1 to 100 characters.
    #[serde(default)]
    #[ts(optional)]
    pub name: Option<String>,
    /// What it is about.
    #[serde(default)]
    #[ts(optional)]
    pub description: Option<String>,
    /// Characters per chunk, at the next indexing.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_size: Option<u32>,
    /// Characters that consecutive chunks share, at the next indexing.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_overlap: Option<u32>,
}

/// How much room the data folder takes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct StorageReport {
    /// The database with its log.
    #[ts(type = "number")]
    pub database_bytes: u64,
    /// What of it can be given back, about.
    #[ts(type = "number")]
    pub reclaimable_bytes: u64,
    /// What of it is vectors kept to save work.
    #[ts(type = "number")]
    pub cache_bytes: u64,
    /// What of it is originals of sources.
    #[ts(type = "number")]
    pub originals_bytes: u64,
}
