//! What a person is told when ONNX Runtime is not usable. These stories are a program of their
//! own, since a process that has opened the real one never tries another.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ancre_domain::{ErrorCode, Explain};
use ancre_models::{ModelError, ModelPack, OnnxEmbedder, runtime_library_name};
use tempfile::TempDir;

/// A pack with a sound manifest and no files.
fn pack() -> (TempDir, ModelPack) {
    let names = [
        "model.onnx",
        "tokenizer.json",
        "config.json",
        "tokenizer_config.json",
        "special_tokens_map.json",
    ];
    let files: BTreeMap<&str, String> =
        names.into_iter().map(|name| (name, "0".repeat(64))).collect();
    let manifest = serde_json::json!({
        "id": "tiny", "version": "1", "dimension": 4, "pooling": "mean", "normalized": true,
        "queryPrefix": "", "passagePrefix": "", "maxTokens": 16, "license": "MIT",
        "source": "made by the test", "files": files,
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("manifest.json"), manifest.to_string()).unwrap();
    let pack = ModelPack::open(folder.path()).unwrap();
    (folder, pack)
}

fn assert_refused(library: &Path) {
    let (_folder, pack) = pack();
    let error = OnnxEmbedder::load(&pack, library).err().unwrap();
    assert!(
        matches!(&error, ModelError::RuntimeMissing { path, .. } if path == library),
        "{error}"
    );
    assert_eq!(error.code(), ErrorCode::RuntimeMissing);
    assert!(error.to_string().contains(&library.display().to_string()), "{error}");
}

#[test]
fn a_runtime_that_is_not_there_is_named() {
    assert_refused(&Path::new("/absent").join(runtime_library_name()));
}

#[test]
fn a_folder_in_its_place_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(folder.path());
}

#[test]
fn a_file_that_is_no_library_is_named_and_does_not_spoil_a_second_try() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join(runtime_library_name());
    fs::write(&library, "not a library").unwrap();
    assert_refused(&library);
    assert_refused(&library);
}
