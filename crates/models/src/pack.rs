//! A model on the disk: a folder with the model's files and a manifest that says what they are.
//!
//! The manifest carries the SHA-256 of every file, so that a cut-off copy or a swapped file is
//! found before it gives wrong vectors, and is named. There are packs of embedders, here, and of
//! rerankers ([`reranker`]); what they have in common is in [`folder`]. Nothing here loads a model.

mod folder;
mod import;
mod reranker;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use self::folder::{check_files, copy_verified, read_manifest};
use crate::{EmbedderDescription, ModelError};

pub use self::folder::PackKind;
pub use self::import::RerankerImport;
pub use self::reranker::{RerankerDescription, RerankerManifest, RerankerPack};

/// The files without which a pack is none.
const REQUIRED_FILES: [&str; 5] = [
    "model.onnx",
    "tokenizer.json",
    "config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
];

/// The pack of an embedder whose manifest was read and makes sense. Its files are checked when they
/// are read or by [`Self::verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPack {
    folder: PathBuf,
    manifest: Manifest,
}

/// What the `manifest.json` of an embedder says, in camelCase.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// Names the model, such as `multilingual-e5-small`.
    pub id: String,
    /// Changes when the same text would get another vector.
    pub version: String,
    /// The length of its vectors.
    pub dimension: u32,
    /// How the vectors of a text's tokens become one.
    pub pooling: Pooling,
    /// Whether the vectors are brought to length 1; a pack that does not want it is refused.
    pub normalized: bool,
    /// What is put before a question.
    pub query_prefix: String,
    /// What is put before a passage.
    pub passage_prefix: String,
    /// How many tokens the model reads, the prefix and the two marks included.
    pub max_tokens: u32,
    /// The licence of the weights, as an SPDX expression.
    pub license: String,
    /// Where the weights came from, for a person.
    pub source: String,
    /// The SHA-256 of each file in the folder, as 64 lower-case hexadecimal digits.
    pub files: BTreeMap<String, String>,
}

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Pooling {
    /// Their mean.
    Mean,
}

impl ModelPack {
    /// Reads the manifest of a pack and checks that it makes sense.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] without a manifest; [`ModelError::Damaged`] when it is not one, is of
    /// another kind, lists no file that a model needs, or asks for something unknown.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let manifest = read_manifest(folder, PackKind::Embedder, Manifest::check)?;
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Compares every file with its hash. Nothing is kept in memory.
    ///
    /// # Errors
    ///
    /// [`ModelError::Missing`] or [`ModelError::Damaged`] for the first file that is not as the
    /// manifest says.
    pub fn verify(&self) -> Result<(), ModelError> {
        let files = &self.manifest.files;
        files.keys().try_for_each(|name| copy_verified(&self.folder, files, name, &mut io::sink()))
    }

    /// What the manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The embedder that this pack makes.
    pub fn description(&self) -> EmbedderDescription {
        EmbedderDescription {
            id: self.manifest.id.clone(),
            version: self.manifest.version.clone(),
            dimension: self.manifest.dimension,
            max_tokens: self.manifest.max_tokens,
            license: self.manifest.license.clone(),
        }
    }

    /// Where a file of the pack is.
    #[cfg(feature = "onnx")]
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The bytes of a file, of which the hash was compared: what was checked is what is used.
    #[cfg(feature = "onnx")]
    pub(crate) fn read_verified(&self, name: &str) -> Result<Vec<u8>, ModelError> {
        let mut bytes = Vec::new();
        copy_verified(&self.folder, &self.manifest.files, name, &mut bytes)?;
        Ok(bytes)
    }
}

impl Manifest {
    /// What is wrong with it, if something is.
    fn check(&self) -> Result<(), String> {
        if self.dimension == 0 || self.max_tokens == 0 {
            return Err("dimension and maxTokens must be above 0".to_owned());
        }
        if !self.normalized {
            return Err("vectors that are not normalised are not supported".to_owned());
        }
        check_files(&self.files, &REQUIRED_FILES)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::folder::MANIFEST;
    use super::*;

    /// The SHA-256 of `abc`, from FIPS 180-2.
    const HASH_OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn sound_manifest() -> Value {
        let files: BTreeMap<&str, &str> =
            REQUIRED_FILES.into_iter().map(|name| (name, HASH_OF_ABC)).collect();
        json!({
            "id": "tiny", "version": "1", "dimension": 4, "pooling": "mean", "normalized": true,
            "queryPrefix": "query: ", "passagePrefix": "passage: ", "maxTokens": 16,
            "license": "MIT", "source": "made by the test", "files": files,
        })
    }

    /// A pack in which every file holds `abc`.
    fn pack_with(manifest: &Value) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(MANIFEST), manifest.to_string()).unwrap();
        for name in REQUIRED_FILES {
            std::fs::write(folder.path().join(name), "abc").unwrap();
        }
        folder
    }

    fn refusal(change: impl FnOnce(&mut Value)) -> String {
        let mut manifest = sound_manifest();
        change(&mut manifest);
        let folder = pack_with(&manifest);
        ModelPack::open(folder.path()).unwrap_err().to_string()
    }

    #[test]
    fn a_sound_pack_is_opened_and_verified() {
        let folder = pack_with(&sound_manifest());
        let pack = ModelPack::open(folder.path()).unwrap();
        pack.verify().unwrap();
        assert_eq!(pack.description().id, "tiny");
        assert_eq!(pack.manifest().query_prefix, "query: ");
    }

    #[test]
    fn a_changed_byte_is_found_and_the_file_named() {
        let folder = pack_with(&sound_manifest());
        std::fs::write(folder.path().join("tokenizer.json"), "abd").unwrap();
        let error = ModelPack::open(folder.path()).unwrap().verify().unwrap_err();
        assert!(
            matches!(&error, ModelError::Damaged { path, .. } if path.ends_with("tokenizer.json")),
            "{error}"
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = pack_with(&sound_manifest());
        std::fs::remove_file(folder.path().join("model.onnx")).unwrap();
        let error = ModelPack::open(folder.path()).unwrap().verify().unwrap_err();
        assert!(
            matches!(&error, ModelError::Missing { path } if path.ends_with("model.onnx")),
            "{error}"
        );
    }

    #[test]
    fn a_missing_folder_is_a_missing_manifest() {
        let error = ModelPack::open(Path::new("/absent/pack")).unwrap_err();
        assert!(
            matches!(&error, ModelError::Missing { path } if path.ends_with(MANIFEST)),
            "{error}"
        );
    }

    #[test]
    fn unknown_pooling_is_refused() {
        let reason = refusal(|manifest| manifest["pooling"] = json!("cls"));
        assert!(reason.contains("unknown variant `cls`"), "{reason}");
    }

    #[test]
    fn a_manifest_without_a_needed_file_is_refused() {
        let reason = refusal(|manifest| {
            manifest["files"].as_object_mut().unwrap().remove("config.json");
        });
        assert!(reason.ends_with("it does not list config.json"), "{reason}");
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in ["../secret", "a/b", "a\\b", "C:x", "..", ""] {
            let reason = refusal(|manifest| manifest["files"][name] = json!(HASH_OF_ABC));
            assert!(reason.contains("is not the name of a file in the pack"), "{reason}");
        }
    }

    #[test]
    fn senseless_figures_are_refused() {
        for (key, value) in
            [("dimension", json!(0)), ("maxTokens", json!(0)), ("normalized", json!(false))]
        {
            let reason = refusal(|manifest| manifest[key] = value);
            assert!(reason.contains("is damaged"), "{key}: {reason}");
        }
        let reason = refusal(|manifest| manifest["files"]["model.onnx"] = json!("abc"));
        assert!(reason.ends_with("the hash of model.onnx is not a SHA-256"), "{reason}");
    }

    #[test]
    fn a_pack_of_a_reranker_is_no_embedder() {
        let reason = refusal(|manifest| manifest["kind"] = json!("reranker"));
        assert!(reason.ends_with("it is of a reranker, not of an embedder"), "{reason}");
        let reason = refusal(|manifest| manifest["kind"] = json!("painter"));
        assert!(reason.contains("unknown variant `painter`"), "{reason}");
    }
}
