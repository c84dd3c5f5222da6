//! Which files a drop of files and folders means.
//!
//! A path that somebody named is always tried, whatever it is called; what lies inside a folder
//! is tried unless it is plainly not a document. Formats are the reader's business, not ours.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ancre_extract::ExtractError;
use walkdir::WalkDir;

/// The files behind some paths.
#[derive(Debug, Default)]
pub struct FileList {
    /// The files to try, each once: the paths in their order, a folder's files by name.
    pub files: Vec<PathBuf>,
    /// What is not tried, and why; a folder stands for everything in it.
    pub skipped: Vec<(PathBuf, SkipReason)>,
    /// Folders that could not be looked into.
    pub unreadable: Vec<(PathBuf, ExtractError)>,
}

/// Why something inside a folder is not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// Its name begins with a dot.
    Hidden,
    /// An office program made it while a document was open: `~$letter.docx`, `.~lock.x#`.
    LockFile,
    /// The system keeps it for itself: `.DS_Store`, `Thumbs.db`, `desktop.ini`.
    SystemFile,
    /// A link back to a folder that it lies in.
    Loop,
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Hidden => "it is hidden",
            Self::LockFile => "an office program made it while a document was open",
            Self::SystemFile => "the system keeps it for itself",
            Self::Loop => "it is a link back to a folder that it lies in",
        })
    }
}

/// Finds the files behind `paths`: files as they are, folders with all they hold. Links are
/// followed. A path that leads nowhere is listed as a file, so that reading it says so.
pub fn expand_paths(paths: &[PathBuf]) -> FileList {
    let mut list = FileList::default();
    let mut seen = BTreeSet::new();
    for path in paths {
        if !path.is_dir() {
            if seen.insert(path.clone()) {
                list.files.push(path.clone());
            }
            continue;
        }
        let mut entries =
            WalkDir::new(path).min_depth(1).follow_links(true).sort_by_file_name().into_iter();
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    note_trouble(&error, path, &mut list);
                    continue;
                }
            };
            if let Some(reason) = skip_reason(entry.file_name()) {
                list.skipped.push((entry.path().to_owned(), reason));
                if entry.file_type().is_dir() {
                    entries.skip_current_dir();
                }
            } else if !entry.file_type().is_dir() && seen.insert(entry.path().to_owned()) {
                list.files.push(entry.into_path());
            }
        }
    }
    list
}

fn note_trouble(error: &walkdir::Error, root: &Path, list: &mut FileList) {
    let path = error.path().unwrap_or(root).to_owned();
    if error.loop_ancestor().is_some() {
        list.skipped.push((path, SkipReason::Loop));
        return;
    }
    let kind = error.io_error().map_or(ErrorKind::Other, std::io::Error::kind);
    if kind == ErrorKind::NotFound {
        // A link to nothing, or a file that has just gone: the reader says so.
        list.files.push(path);
        return;
    }
    let reason = match kind {
        ErrorKind::PermissionDenied => ExtractError::PermissionDenied { path: path.clone() },
        _ => ExtractError::ReadFailed { path: path.clone(), detail: error.to_string() },
    };
    list.unreadable.push((path, reason));
}

fn skip_reason(name: &OsStr) -> Option<SkipReason> {
    let name = name.to_string_lossy();
    if name.starts_with("~$") || name.starts_with(".~lock") {
        Some(SkipReason::LockFile)
    } else if [".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
    {
        Some(SkipReason::SystemFile)
    } else if name.starts_with('.') {
        Some(SkipReason::Hidden)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn names(list: &FileList, root: &Path) -> Vec<String> {
        let relative =
            |path: &PathBuf| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        list.files.iter().map(relative).collect()
    }

    #[test]
    fn a_folder_means_its_files_in_order_without_what_is_no_document() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for directory in ["b/c", ".git/objects"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for file in [
            "b/c/3.md",
            "b/2.txt",
            "a.md",
            "z.md",
            "~$z.docx",
            ".~lock.z.odt#",
            ".DS_Store",
            "b/Thumbs.db",
            ".hidden.md",
            ".git/objects/x.md",
        ] {
            fs::write(root.join(file), "x").unwrap();
        }
        let list = expand_paths(&[root.to_owned()]);
        assert_eq!(names(&list, root), ["a.md", "b/2.txt", "b/c/3.md", "z.md"]);
        let count = |wanted| list.skipped.iter().filter(|(_, reason)| *reason == wanted).count();
        assert_eq!(count(SkipReason::Hidden), 2, "a file, and a folder as one");
        assert_eq!(count(SkipReason::LockFile), 2);
        assert_eq!(count(SkipReason::SystemFile), 2);
    }

    #[test]
    fn a_path_that_is_named_is_tried_once_whatever_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = folder.path().join(".notes.md");
        let missing = folder.path().join("missing.md");
        fs::write(&hidden, "x").unwrap();
        let list = expand_paths(&[hidden.clone(), missing.clone(), hidden.clone()]);
        assert_eq!(list.files, [hidden, missing]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_back_to_its_folder_is_no_endless_walk() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("a.md"), "x").unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
        std::os::unix::fs::symlink(root.join("nothing"), root.join("broken")).unwrap();
        let list = expand_paths(&[root.to_owned()]);
        assert_eq!(names(&list, root), ["a.md", "broken"]);
        assert_eq!(list.skipped, [(root.join("loop"), SkipReason::Loop)]);
    }
}
