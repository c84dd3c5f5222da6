//! Projects and the library of sources.

use ancre_domain::{
    Chunk, Document, Heading, KnowledgeBaseId, Language, Page, PageRequest, Pagination, Project,
    ProjectId, Source, SourceId, SourceKind, SourceSummary, Timestamp, Warning,
};

use super::LexicalText;
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

/// Which sources of a library are wanted; all of them when nothing is said.
#[derive(Debug, Clone, Default)]
pub struct SourceFilter {
    /// Words that all occur in the title or the place it came from, or begin or end within one;
    /// without regard to case and accents. They are words: `%` and `*` stand for themselves.
    pub words: String,
    /// Only what is in this base.
    pub kb: Option<KnowledgeBaseId>,
    /// Only what came so.
    pub kind: Option<SourceKind>,
}

/// What replacing a source by a new version began.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceReplacement {
    /// The new version, or the source itself when the text is the same.
    pub source: Source,
    /// A document for each base that the old version is in, with whether it was there before.
    /// Those that are not ready take their places when they are.
    pub documents: Vec<(Document, bool)>,
}

/// Projects and their libraries.
pub trait SourceStore {
    /// The project that a fresh data folder begins with; made at the first call.
    fn default_project(&self, now: Timestamp) -> Result<Project, StoreError>;

    /// Makes another project, with a library and bases of its own.
    fn create_project(&self, name: &str, now: Timestamp) -> Result<Project, StoreError>;

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

    /// The sources of a library, newest first. [`StoreError::NotFound`] when the filter names a
    /// base of another project.
    fn list_sources(
        &self,
        project: &ProjectId,
        filter: &SourceFilter,
        page: PageRequest,
    ) -> Result<Page<SourceSummary>, StoreError>;

    /// One source as a list shows it.
    fn source_summary(
        &self,
        project: &ProjectId,
        id: &SourceId,
    ) -> Result<SourceSummary, StoreError>;

    /// Gives a source another title, in the library, in every base and in the text tables, for
    /// which `words` makes the words of each chunk anew. Snapshots keep the title they were made
    /// with.
    fn rename_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
        title: &str,
        words: &dyn Fn(&Chunk, Option<Language>) -> LexicalText,
    ) -> Result<(), StoreError>;

    /// Stores a new version of a source and attaches it wherever the old one is, to take its
    /// place there; see [`attach_in_place_of`](super::DocumentStore::attach_in_place_of). The old
    /// one goes with its last document, at once if it has none. The same text changes nothing.
    fn replace_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
        new: &NewSource,
        now: Timestamp,
    ) -> Result<SourceReplacement, StoreError>;

    /// Deletes a source with its documents, chunks and vectors in every base, and says which
    /// documents those were. Its text and bytes are overwritten in the database's file; copies in
    /// `backups` and snapshots stay.
    fn delete_source(
        &self,
        project: &ProjectId,
        id: &SourceId,
    ) -> Result<Vec<Document>, StoreError>;
}
