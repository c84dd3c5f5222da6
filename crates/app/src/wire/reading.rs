//! Reading files and pages without a base: previews, pictures of pages, passwords.

use std::fmt;

use ancre_domain::{DocumentId, Heading, Language, Pagination, Warning};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A password that somebody gave. It is used for the call it came with and nothing else: it is
/// not stored, and its debug form does not show it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Password(String);

impl Password {
    /// The password itself, for the reader.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Password {
    fn from(password: String) -> Self {
        Self(password)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Password(…)")
    }
}

/// Asks what ingestion would read of a file.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreviewFile {
    /// The file.
    pub path: String,
    /// For an archive, which of its files; its list when absent.
    #[serde(default)]
    #[ts(optional)]
    pub entry: Option<String>,
    /// A password to open it with.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub password: Option<Password>,
}

/// What ingestion would read of a file; nothing is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FilePreview {
    /// Its title.
    pub title: String,
    /// Its media type.
    pub mime: String,
    /// Its language, where it is one of ours and was recognised.
    pub language: Option<Language>,
    /// The encoding that it was read in, where the format leaves it open.
    pub encoding: Option<String>,
    /// The text; empty for an archive.
    pub text: String,
    /// Its headings.
    pub outline: Vec<Heading>,
    /// Its pages, where the format has pages.
    pub pagination: Option<Pagination>,
    /// What a person should know of the reading.
    pub warnings: Vec<Warning>,
    /// For an archive, what is in it.
    pub entries: Option<Vec<ArchiveEntry>>,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveEntry {
    /// Its path inside, with `/`.
    pub name: String,
    /// Its size, unpacked; 0 for what is not unpacked, since it would not be read.
    #[ts(type = "number")]
    pub byte_count: u64,
    /// Whether it would be read.
    pub is_supported: bool,
}

/// Asks for the picture of a page.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PagePictureRequest {
    /// The document.
    pub document_id: DocumentId,
    /// The page, from 1.
    pub page: u32,
    /// How wide it shall be, 200 to 2,400 pixels.
    pub width: u32,
}

/// A page as it looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PagePicture {
    /// A PNG image in base64.
    pub png: String,
}
