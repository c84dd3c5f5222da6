//! Models on this machine.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the models that are installed
    List,
    /// Import a reranker from the folder of a public cross-encoder
    Import {
        /// Holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, or is a pack
        folder: PathBuf,
        /// What it will be called [default: the name of the folder]
        #[arg(long)]
        id: Option<String>,
        /// The licence of its weights, such as Apache-2.0; needed unless the folder is a pack
        #[arg(long, value_name = "SPDX")]
        license: Option<String>,
        /// Where it came from [default: the folder]
        #[arg(long)]
        source: Option<String>,
        /// How many tokens it reads [default: as its tokenizer says, or 512]
        #[arg(long, value_name = "N")]
        max_tokens: Option<u32>,
    },
    /// Remove a reranker
    Remove {
        /// Its id
        id: String,
    },
}
