//! Where an item's bytes are: a file, or a file inside an archive, as the item keeps it.

use std::path::{Path, PathBuf};

use ancre_domain::JobItem;
use ancre_store::traits::NewJobItem;
use serde::{Deserialize, Serialize};

/// A file, on the disk or in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The file on the disk.
    pub(super) file: PathBuf,
    /// What is meant inside of it, where it is an archive.
    pub(super) entry: Option<Entry>,
}

/// A file of an archive. Names may come twice, so its place in the archive's list counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) index: usize,
    pub(super) name: String,
}

/// What an item keeps of its place beyond the path that people see.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The bytes of a path that is not Unicode.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<Entry>,
}

impl Place {
    pub(super) fn on_disk(file: PathBuf) -> Self {
        Self { file, entry: None }
    }

    pub(super) fn in_archive(archive: &Path, index: usize, name: &str) -> Self {
        let entry = Entry { index, name: name.to_owned() };
        Self { file: archive.to_owned(), entry: Some(entry) }
    }

    /// The path that people see; a name inside an archive that looks absolute stays inside.
    pub(super) fn path(&self) -> PathBuf {
        let Some(entry) = &self.entry else { return self.file.clone() };
        let mut path = self.file.as_os_str().to_owned();
        path.push("/");
        path.push(entry.name.trim_start_matches('/'));
        path.into()
    }

    /// How its source names it.
    pub(super) fn uri(&self) -> String {
        let file = self.file.to_string_lossy();
        match &self.entry {
            Some(entry) => format!("{file}#{}", entry.name),
            None => file.into_owned(),
        }
    }

    /// An item that waits for being read.
    pub(super) fn item(&self) -> NewJobItem {
        let path = self.path();
        let kept = Kept {
            file: self.entry.as_ref().and_then(|_| self.file.to_str().map(str::to_owned)),
            bytes: bytes_beyond_unicode(&self.file),
            entry: self.entry.clone(),
        };
        let is_plain = kept.entry.is_none() && kept.bytes.is_none();
        NewJobItem {
            payload: (!is_plain).then(|| serde_json::to_string(&kept).ok()).flatten(),
            ..NewJobItem::file(path.to_string_lossy().into_owned(), name_of(&path))
        }
    }

    /// The place that an item keeps.
    pub(super) fn of_item(item: &JobItem) -> Self {
        let kept: Kept = item
            .payload
            .as_deref()
            .and_then(|payload| serde_json::from_str(payload).ok())
            .unwrap_or_default();
        let shown = || PathBuf::from(item.path.clone().unwrap_or_default());
        let file = kept
            .bytes
            .and_then(path_of_bytes)
            .or_else(|| kept.file.map(PathBuf::from))
            .unwrap_or_else(shown);
        Self { file, entry: kept.entry }
    }
}

/// A path's last part, as lists show it.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(unix)]
fn bytes_beyond_unicode(path: &Path) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt as _;
    path.to_str().is_none().then(|| path.as_os_str().as_bytes().to_owned())
}

#[cfg(unix)]
fn path_of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

// Other systems' names are Unicode but for lone surrogates, which no program makes on purpose.
#[cfg(not(unix))]
fn bytes_beyond_unicode(_: &Path) -> Option<Vec<u8>> {
    None
}

#[cfg(not(unix))]
fn path_of_bytes(_: Vec<u8>) -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use ancre_domain::JobItemState;

    use super::*;

    fn kept(place: &Place) -> Place {
        let new = place.item();
        Place::of_item(&JobItem {
            number: 1,
            path: new.path,
            title: new.title,
            state: JobItemState::Queued,
            document_id: None,
            chunk_count: 0,
            attempts: 0,
            payload: new.payload,
            failure: None,
            warnings: Vec::new(),
        })
    }

    #[test]
    fn an_item_finds_its_file_again() {
        let plain = Place::on_disk("/aide/Conditions générales.md".into());
        assert_eq!(kept(&plain), plain);
        assert!(plain.item().payload.is_none(), "the path says it all");
        let entry = Place::in_archive(Path::new("/aide/a#b.zip"), 3, "/etc/passwd");
        assert_eq!(kept(&entry), entry);
        assert_eq!(entry.path(), Path::new("/aide/a#b.zip/etc/passwd"));
        assert_eq!(entry.uri(), "/aide/a#b.zip#/etc/passwd");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_unicode_is_no_obstacle() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/aide/caf\xe9.txt"));
        let place = Place::on_disk(path.to_owned());
        assert_eq!(kept(&place), place);
        assert_eq!(place.item().title, "caf\u{fffd}.txt");
    }
}
