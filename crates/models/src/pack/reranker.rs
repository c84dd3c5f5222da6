//! The pack of a reranker: a cross-encoder and its tokenizer.
//!
//! A person puts such a pack in, so it needs no more files than the two that are read. How long a
//! pair may be stands in the manifest; all else is in the graph and the tokenizer.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::folder::{PackKind, check_files, copy_verified, read_manifest};
use crate::ModelError;

/// The cross-encoder. Its weights are inside: a graph with files of its own beside it is not read.
pub(super) const MODEL: &str = "model.onnx";

/// Its tokenizer, with the template of a pair.
pub(super) const TOKENIZER: &str = "tokenizer.json";

/// The fewest tokens of a pair that leave room for a question and a passage.
const FEWEST_TOKENS: u32 = 16;

/// The pack of a reranker whose manifest was read and makes sense. Its files are checked when they
/// are read or by [`Self::verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RerankerPack {
    folder: PathBuf,
    manifest: RerankerManifest,
}

/// What the `manifest.json` of a reranker says, in camelCase, beside `"kind": "reranker"`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RerankerManifest {
    /// [`PackKind::Reranker`].
    pub kind: PackKind,
    /// Names the model, such as `ms-marco-MiniLM-L6-v2`.
    pub id: String,
    /// Changes when the same pair would get another score.
    pub version: String,
    /// How many tokens of question, passage and marks together the model reads, 16 or more.
    pub max_tokens: u32,
    /// The licence of the weights, as an SPDX expression.
    pub license: String,
    /// Where the weights came from, for a person.
    pub source: String,
    /// The SHA-256 of each file in the folder, as 64 lower-case hexadecimal digits.
    pub files: BTreeMap<String, String>,
}

/// What a reranker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RerankerDescription {
    /// Names the model.
    pub id: String,
    /// Changes when the same pair would get another score.
    pub version: String,
    /// How many tokens of question, passage and marks together it reads.
    pub max_tokens: u32,
    /// The licence of the weights, as an SPDX expression.
    pub license: String,
    /// Where the weights came from, for a person.
    pub source: String,
}

impl RerankerPack {
    /// Reads the manifest of a pack and checks that it makes sense.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] without a manifest; [`ModelError::Damaged`] when it is not one, is of
    /// another kind, or lists no model or tokenizer.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let manifest = read_manifest(folder, PackKind::Reranker, RerankerManifest::check)?;
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Compares every file with its hash. Nothing is kept in memory.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] or [`ModelError::Damaged`] for the first file that is not as the
    /// manifest says.
    pub fn verify(&self) -> Result<(), ModelError> {
        self.manifest.files.keys().try_for_each(|name| self.copy(name, &mut io::sink()))
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the manifest says.
    pub fn manifest(&self) -> &RerankerManifest {
        &self.manifest
    }

    /// The reranker that this pack makes.
    pub fn description(&self) -> RerankerDescription {
        let RerankerManifest { id, version, max_tokens, license, source, .. } =
            self.manifest.clone();
        RerankerDescription { id, version, max_tokens, license, source }
    }

    /// Copies a file, comparing it with its hash.
    pub(super) fn copy(&self, name: &str, sink: &mut dyn io::Write) -> Result<(), ModelError> {
        copy_verified(&self.folder, &self.manifest.files, name, sink)
    }

    /// The cross-encoder's file and its bytes, of which the hash was compared.
    #[cfg(feature = "onnx")]
    pub(crate) fn read_model(&self) -> Result<(PathBuf, Vec<u8>), ModelError> {
        self.read(MODEL)
    }

    /// The tokenizer's file and its bytes, of which the hash was compared.
    #[cfg(feature = "onnx")]
    pub(crate) fn read_tokenizer(&self) -> Result<(PathBuf, Vec<u8>), ModelError> {
        self.read(TOKENIZER)
    }

    #[cfg(feature = "onnx")]
    fn read(&self, name: &str) -> Result<(PathBuf, Vec<u8>), ModelError> {
        let mut bytes = Vec::new();
        self.copy(name, &mut bytes)?;
        Ok((self.folder.join(name), bytes))
    }
}

impl RerankerManifest {
    /// What is wrong with it, if something is.
    fn check(&self) -> Result<(), String> {
        if self.max_tokens < FEWEST_TOKENS {
            return Err(format!("maxTokens must be {FEWEST_TOKENS} or more"));
        }
        check_files(&self.files, &[MODEL, TOKENIZER])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::super::folder::MANIFEST;
    use super::*;

    /// The SHA-256 of `abc`, from FIPS 180-2.
    const HASH_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// A pack in which both files hold `abc`.
    fn pack_with(change: impl FnOnce(&mut Value)) -> TempDir {
        let mut manifest = json!({
            "kind": "reranker", "id": "tiny", "version": "1", "maxTokens": 16, "license": "MIT",
            "source": "made by the test",
            "files": { MODEL: HASH_OF_ABC, TOKENIZER: HASH_OF_ABC },
        });
        change(&mut manifest);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(MANIFEST), manifest.to_string()).unwrap();
        for name in [MODEL, TOKENIZER] {
            std::fs::write(folder.path().join(name), "abc").unwrap();
        }
        folder
    }

    fn refusal(change: impl FnOnce(&mut Value)) -> String {
        RerankerPack::open(pack_with(change).path()).unwrap_err().to_string()
    }

    #[test]
    fn two_files_and_a_manifest_are_a_pack() {
        let folder = pack_with(|_| ());
        let pack = RerankerPack::open(folder.path()).unwrap();
        pack.verify().unwrap();
        assert_eq!(pack.description().id, "tiny");
        assert_eq!(PackKind::of(folder.path()).unwrap(), PackKind::Reranker);
    }

    #[test]
    fn a_changed_byte_is_found_and_the_file_named() {
        let folder = pack_with(|_| ());
        std::fs::write(folder.path().join(MODEL), "abd").unwrap();
        let error = RerankerPack::open(folder.path()).unwrap().verify().unwrap_err();
        assert!(
            matches!(&error, ModelError::Damaged { path, .. } if path.ends_with(MODEL)),
            "{error}"
        );
    }

    #[test]
    fn a_pack_of_an_embedder_is_no_reranker() {
        let silent = refusal(|manifest| {
            manifest.as_object_mut().unwrap().remove("kind");
        });
        assert!(silent.ends_with("it is of an embedder, not of a reranker"), "{silent}");
    }

    #[test]
    fn senseless_manifests_are_refused() {
        let reason = refusal(|manifest| manifest["maxTokens"] = json!(15));
        assert!(reason.ends_with("maxTokens must be 16 or more"), "{reason}");
        let reason = refusal(|manifest| {
            manifest["files"].as_object_mut().unwrap().remove(TOKENIZER);
        });
        assert!(reason.ends_with("it does not list tokenizer.json"), "{reason}");
        let reason = refusal(|manifest| manifest["files"]["../key"] = json!(HASH_OF_ABC));
        assert!(reason.contains("is not the name of a file in the pack"), "{reason}");
    }
}
