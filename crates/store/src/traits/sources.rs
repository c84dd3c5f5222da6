//! Projects and the library of sources.

use ancre_domain::{
    Heading, Language, Pagination, Project, ProjectId, Source, SourceId, SourceKind, Timestamp,
    Warning,
};

use crate::StoreError;

/// A source about to enter a library.
#[derive(Debug, Clone)]
pub struct NewSource {
    /// The project whose library it enters.
    pub project_id: ProjectId,
    /// How it came.
    pub kind: SourceKind,
    /// Where it came from.
    pub uri: Option<String>,
    /// Its title.
    pub title: String,
    /// The media type of `bytes`.
    pub mime: String,
    /// SHA-256 of `text`, lower-case hexadecimal.
    pub sha256: String,
    /// The original; `None` when the text is the original.
    pub bytes: Option<Vec<u8>>,
    /// The extracted text.
    pub text: String,
    /// The headings of the text.
    pub outline: Vec<Heading>,
    /// The pages of the text, where the format has pages.
    pub pagination: Option<Pagination>,
    /// What a person should know of how it was read.
    pub warnings: Vec<Warning>,
    /// The language of the text.
    pub language: Option<Language>,
}

/// A source of the library, and whether it was there before.
#[derive(Debug, Clone)]
pub struct StoredSource {
    /// The source.
    pub source: Source,
    /// Whether the library held the same text already; its row was left as it was, pages and warnings too.
    pub was_there: bool,
}

/// Projects and their libraries.
pub trait SourceStore {
    /// The project that a fresh data folder begins with; made at the first call.
    fn default_project(&self, now: Timestamp) -> Result<Project, StoreError>;

    /// Stores a source, unless its project holds one with the same `sha256` already.
    fn store_source(&self, source: &NewSource, now: Timestamp) -> Result<StoredSource, StoreError>;

    /// One source.
    fn source(&self, project: &ProjectId, id: &SourceId) -> Result<Source, StoreError>;

    /// The extracted text of a source.
    fn source_text(&self, project: &ProjectId, id: &SourceId) -> Result<String, StoreError>;

    /// The original bytes of a source; its text in UTF-8 where the text is the original.
    fn source_bytes(&self, project: &ProjectId, id: &SourceId) -> Result<Vec<u8>, StoreError>;

    /// The source of this project with this `sha256`, if it is there.
    fn find_source(&self, project: &ProjectId, sha256: &str) -> Result<Option<Source>, StoreError>;
}
