//! Rerankers: which are installed, putting one in and taking it away.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::WireError;

/// A reranker that is installed.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct InstalledReranker {
    /// Its id; of a pack that cannot be read, the name of its folder.
    pub id: String,
    /// Its version; empty where the pack cannot be read.
    pub version: String,
    /// How many tokens of question and passage together it reads; 0 where the pack cannot be read.
    pub max_tokens: u32,
    /// The licence of its weights, as an SPDX expression.
    pub license: String,
    /// Where its weights came from.
    pub source: String,
    /// Whether it is the one that searches use.
    pub is_used: bool,
    /// Whether it is in the data folder and can be removed.
    pub is_removable: bool,
    /// Why it cannot be used, if so.
    pub error: Option<WireError>,
}

/// Puts a reranker in.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportReranker {
    /// A folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, or a pack. What
    /// follows is for a folder without a manifest; a pack says it itself.
    pub folder: PathBuf,
    /// What it will be called; the name of the folder when absent.
    #[serde(default)]
    #[ts(optional)]
    pub id: Option<String>,
    /// The licence of its weights, as an SPDX expression. Whoever puts it in has looked.
    #[serde(default)]
    #[ts(optional)]
    pub license: Option<String>,
    /// Where its weights came from; the folder when absent.
    #[serde(default)]
    #[ts(optional)]
    pub source: Option<String>,
    /// How many tokens it reads, 16 to 8,192; what its tokenizer says, or 512, when absent.
    #[serde(default)]
    #[ts(optional)]
    pub max_tokens: Option<u32>,
}

/// Names a reranker.
#[derive(Debug, Clone, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RerankerRef {
    /// Its id.
    pub id: String,
}
