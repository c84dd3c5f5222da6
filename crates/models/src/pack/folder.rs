//! What every pack is: a folder with a manifest that names its files and their hashes.
//!
//! Each kind of pack reads its own fields of the manifest; here is what they have in common. The
//! bytes that are used are the bytes that were compared with their hash.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ModelError;

/// The file that says what a pack is.
pub(super) const MANIFEST: &str = "manifest.json";

/// How much of a file is hashed at a time, in bytes.
const BLOCK: usize = 1024 * 1024;

/// What a pack makes. A manifest that does not say is one of an embedder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum PackKind {
    /// An [`Embedder`](crate::Embedder).
    #[default]
    Embedder,
    /// A [`Reranker`](crate::Reranker).
    Reranker,
}

/// The one field of a manifest that tells how the others are read.
#[derive(Deserialize)]
struct Kinded {
    #[serde(default)]
    kind: PackKind,
}

impl PackKind {
    /// What the pack in a folder makes, as its manifest says; nothing else of it is looked at.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] without a manifest; [`ModelError::Damaged`] when it is not one or
    /// names another kind.
    pub fn of(folder: &Path) -> Result<Self, ModelError> {
        let path = folder.join(MANIFEST);
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        parsed::<Kinded>(&path, &bytes).map(|it| it.kind)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Embedder => "an embedder",
            Self::Reranker => "a reranker",
        }
    }
}

/// Reads the manifest of a pack of that kind; `check` says what is wrong with it.
///
/// # Errors
///
/// [`ModelError::Missing`] without a manifest; [`ModelError::Damaged`] when it is not one, is of
/// another kind, or `check` says so.
pub(super) fn read_manifest<M: DeserializeOwned>(
    folder: &Path,
    kind: PackKind,
    check: impl FnOnce(&M) -> Result<(), String>,
) -> Result<M, ModelError> {
    let path = folder.join(MANIFEST);
    let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
    let damaged = |detail: String| ModelError::Damaged { path: path.clone(), detail };
    let found = parsed::<Kinded>(&path, &bytes)?.kind;
    if found != kind {
        return Err(damaged(format!("it is of {}, not of {}", found.name(), kind.name())));
    }
    let manifest = parsed(&path, &bytes)?;
    check(&manifest).map_err(damaged)?;
    Ok(manifest)
}

/// What is wrong with the list of files of a manifest, if something is.
pub(super) fn check_files(
    files: &BTreeMap<String, String>,
    required: &[&str],
) -> Result<(), String> {
    if let Some(name) = required.iter().find(|name| !files.contains_key(**name)) {
        return Err(format!("it does not list {name}"));
    }
    for (name, hash) in files {
        if !is_plain_name(name) {
            return Err(format!("“{name}” is not the name of a file in the pack"));
        }
        if hash.len() != 64 || !hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(format!("the hash of {name} is not a SHA-256"));
        }
    }
    Ok(())
}

/// Copies a file of a pack to `sink`.
///
/// # Errors
///
/// [`ModelError::Missing`]; [`ModelError::Damaged`] when it is not as `files` says. What `sink` has
/// heard by then is worth nothing.
pub(super) fn copy_verified(
    folder: &Path,
    files: &BTreeMap<String, String>,
    name: &str,
    sink: &mut dyn io::Write,
) -> Result<(), ModelError> {
    let path = folder.join(name);
    let found = copy_hashing(&path, sink).map_err(|error| unreadable(&path, &error))?;
    match files.get(name) {
        Some(expected) if *expected == found => Ok(()),
        Some(expected) => Err(ModelError::Damaged {
            path,
            detail: format!("its SHA-256 is {found}, the manifest says {expected}"),
        }),
        None => {
            Err(ModelError::Damaged { path, detail: "the manifest does not list it".to_owned() })
        }
    }
}

/// A name that cannot lead out of a folder on any system.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Copies a file and returns its SHA-256 in hexadecimal digits.
pub(super) fn copy_hashing(path: &Path, sink: &mut dyn io::Write) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; BLOCK];
    loop {
        let count = file.read(&mut block)?;
        if count == 0 {
            break;
        }
        hash.update(&block[..count]);
        sink.write_all(&block[..count])?;
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What it means that a file of a pack cannot be read.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> ModelError {
    let path = path.to_owned();
    if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
        return ModelError::Missing { path };
    }
    ModelError::Damaged { path, detail: format!("it cannot be read: {error}") }
}

fn parsed<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, ModelError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ModelError::Damaged { path: path.to_owned(), detail: error.to_string() })
}
