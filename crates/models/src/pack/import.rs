//! Makes the pack of a reranker from the folder of a public cross-encoder.
//!
//! What is copied is hashed on its way, and the manifest is written last, so that a copy that was
//! cut off is no pack. A folder that is a pack already is copied as it is, each file compared with
//! its hash. Whether the model can be run is not seen here; whoever imports tries it before anybody
//! else sees the folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::folder::{MANIFEST, PackKind, copy_hashing, is_plain_name, unreadable};
use super::reranker::{MODEL, RerankerManifest, RerankerPack, TOKENIZER};
use crate::ModelError;

/// What is copied beside model and tokenizer, where it is there: what a person needs to know under
/// which terms the weights came.
const PAPERS: [&str; 4] = ["LICENSE", "LICENSE.txt", "NOTICE", "README.md"];

/// How many tokens a model reads where its folder does not say.
const USUAL_TOKENS: u32 = 512;

/// The most tokens of a pair. What some folders say is a number that means “no limit”.
const MOST_TOKENS: u32 = 8192;

/// The folder of a cross-encoder, and what it does not say of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RerankerImport {
    /// Holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`.
    pub folder: PathBuf,
    /// What it will be called; see [`Self::is_possible_id`].
    pub id: String,
    /// The licence of the weights, as an SPDX expression.
    pub license: String,
    /// Where the weights came from, for a person.
    pub source: String,
    /// How many tokens of a pair the model reads; what the folder says, or 512, where it is absent.
    pub max_tokens: Option<u32>,
}

impl RerankerImport {
    /// Whether a pack can be called so: letters and digits of ASCII, dots, dashes and underscores,
    /// the first not a dot.
    pub fn is_possible_id(id: &str) -> bool {
        is_plain_name(id) && id.len() <= 100
    }

    /// Whether a folder has a manifest, so that it says all of itself and [`Self::id`] and the
    /// others count for nothing.
    pub fn is_pack(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
    }

    /// Makes the pack in a folder that is there and empty.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] or [`ModelError::Damaged`] naming the file that cannot be had;
    /// [`ModelError::NotWritten`] when the pack cannot be written.
    pub fn write_to(&self, target: &Path) -> Result<RerankerPack, ModelError> {
        if Self::is_pack(&self.folder) {
            copy_pack(&RerankerPack::open(&self.folder)?, target)?;
        } else {
            self.make_pack(target)?;
        }
        RerankerPack::open(target)
    }

    fn make_pack(&self, target: &Path) -> Result<(), ModelError> {
        let mut files = BTreeMap::new();
        for (name, from) in self.files() {
            let hash = copy(&from, &target.join(name))?;
            files.insert(name.to_owned(), hash);
        }
        let version = files.get(MODEL).map(|hash| hash.chars().take(12).collect());
        let manifest = RerankerManifest {
            kind: PackKind::Reranker,
            id: self.id.clone(),
            version: version.unwrap_or_default(),
            max_tokens: self.max_tokens.unwrap_or_else(|| tokens_of(&self.folder)),
            license: self.license.clone(),
            source: self.source.clone(),
            files,
        };
        write_manifest(&manifest, target)
    }

    /// What is copied: the name in the pack, and where it is.
    fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let beside = self.folder.join(MODEL);
        let model = if beside.is_file() { beside } else { self.folder.join("onnx").join(MODEL) };
        let mut files = vec![(MODEL, model), (TOKENIZER, self.folder.join(TOKENIZER))];
        let papers = PAPERS.into_iter().map(|name| (name, self.folder.join(name)));
        files.extend(papers.filter(|(_, path)| path.is_file()));
        files
    }
}

fn copy_pack(pack: &RerankerPack, target: &Path) -> Result<(), ModelError> {
    for name in pack.manifest().files.keys() {
        let path = target.join(name);
        let file = File::create_new(&path).map_err(|error| not_written(&path, error))?;
        let mut sink = BufWriter::new(file);
        pack.copy(name, &mut sink)?;
        sink.flush().map_err(|error| not_written(&path, error))?;
    }
    write_manifest(pack.manifest(), target)
}

fn write_manifest(manifest: &RerankerManifest, target: &Path) -> Result<(), ModelError> {
    let path = target.join(MANIFEST);
    let text = serde_json::to_vec_pretty(manifest)
        .map_err(|error| not_written(&path, io::Error::other(error)))?;
    std::fs::write(&path, text).map_err(|error| not_written(&path, error))
}

/// Copies a file and returns its SHA-256. A model that is missing is named by where it should be.
fn copy(from: &Path, to: &Path) -> Result<String, ModelError> {
    if !from.is_file() {
        return Err(ModelError::Missing { path: from.to_owned() });
    }
    let mut sink = File::create_new(to).map_err(|error| not_written(to, error))?;
    copy_hashing(from, &mut sink).map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => not_written(to, error),
        _ => unreadable(from, &error),
    })
}

/// How many tokens of a pair the model of a folder reads, as the settings of its tokenizer say.
fn tokens_of(folder: &Path) -> u32 {
    let said = std::fs::read(folder.join("tokenizer_config.json")).ok();
    let settings: Option<serde_json::Value> =
        said.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    settings
        .and_then(|settings| settings.get("model_max_length")?.as_u64())
        .and_then(|tokens| u32::try_from(tokens).ok())
        .filter(|tokens| (1..=MOST_TOKENS).contains(tokens))
        .unwrap_or(USUAL_TOKENS)
}

fn not_written(path: &Path, cause: io::Error) -> ModelError {
    ModelError::NotWritten { path: path.to_owned(), cause }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A folder as a public cross-encoder has it, and an empty one for the pack.
    fn folders() -> (TempDir, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("onnx")).unwrap();
        for (name, content) in
            [("onnx/model.onnx", "a graph"), (TOKENIZER, "{}"), ("LICENSE", "terms"), ("x.bin", "")]
        {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        (folder, tempfile::tempdir().unwrap())
    }

    fn import(folder: &TempDir) -> RerankerImport {
        RerankerImport {
            folder: folder.path().to_owned(),
            id: "small".to_owned(),
            license: "Apache-2.0".to_owned(),
            source: "somewhere".to_owned(),
            max_tokens: None,
        }
    }

    #[test]
    fn a_folder_becomes_a_pack_with_hashes_and_its_licence() {
        let (folder, target) = folders();
        let pack = import(&folder).write_to(target.path()).unwrap();
        pack.verify().unwrap();
        let names: Vec<&str> = pack.manifest().files.keys().map(String::as_str).collect();
        assert_eq!(names, ["LICENSE", MODEL, TOKENIZER]);
        assert_eq!(pack.manifest().max_tokens, 512);
        assert_eq!(pack.manifest().version.len(), 12);
    }

    #[test]
    fn the_window_is_what_the_tokenizer_says_unless_that_is_no_limit() {
        let (folder, _) = folders();
        let tokens = |content: &str| {
            std::fs::write(folder.path().join("tokenizer_config.json"), content).unwrap();
            let target = tempfile::tempdir().unwrap();
            import(&folder).write_to(target.path()).unwrap().manifest().max_tokens
        };
        assert_eq!(tokens(r#"{"model_max_length": 256}"#), 256);
        assert_eq!(tokens(r#"{"model_max_length": 1000000000000000019884624838656}"#), 512);
        assert_eq!(tokens("not JSON"), 512);
    }

    #[test]
    fn a_pack_is_copied_as_it_is_and_one_that_is_damaged_is_not() {
        let (folder, first) = folders();
        let made = import(&folder).write_to(first.path()).unwrap();
        let second = tempfile::tempdir().unwrap();
        let again = RerankerImport { id: "another".to_owned(), ..import(&first) };
        let copied = again.write_to(second.path()).unwrap();
        copied.verify().unwrap();
        assert_eq!(copied.manifest(), made.manifest());

        std::fs::write(first.path().join(MODEL), "another graph").unwrap();
        let third = tempfile::tempdir().unwrap();
        let error = again.write_to(third.path()).unwrap_err();
        assert!(
            matches!(&error, ModelError::Damaged { path, .. } if *path == first.path().join(MODEL)),
            "{error}"
        );
        assert!(!third.path().join(MANIFEST).exists(), "it would look like a pack");
    }

    #[test]
    fn a_folder_without_a_model_is_told_so() {
        let empty = tempfile::tempdir().unwrap();
        let target = tempfile::tempdir().unwrap();
        let error = import(&empty).write_to(target.path()).unwrap_err();
        assert!(matches!(&error, ModelError::Missing { path } if path.ends_with(MODEL)), "{error}");
    }

    #[test]
    fn ids_are_names_of_folders_and_nothing_else() {
        for id in ["ms-marco-MiniLM-L6-v2", "a", "x_1.2"] {
            assert!(RerankerImport::is_possible_id(id), "{id}");
        }
        for id in ["", "..", ".part", "a/b", "a b", "é", &"x".repeat(101)] {
            assert!(!RerankerImport::is_possible_id(id), "{id}");
        }
    }
}
