//! What calls a model.
//!
//! [`Embedder`] turns texts into vectors, [`Reranker`] weighs passages against a question and
//! [`Runner`] writes replies; the rest of the product knows only these traits. Model packs,
//! tokenizers and ONNX Runtime live here and nowhere else (behind the feature `onnx`, so that crates
//! which need only the traits build without them). Nothing here knows a database, a document format
//! or a prompt.

mod embedder;
mod error;
#[cfg(feature = "onnx")]
mod onnx;
mod pack;
mod reranker;
mod runner;
mod runtime_library;

pub use embedder::{Embedder, EmbedderDescription, Embedding};
pub use error::ModelError;
#[cfg(feature = "onnx")]
pub use onnx::{OnnxEmbedder, OnnxReranker, forbid_telemetry};
pub use pack::{
    Manifest, ModelPack, PackKind, Pooling, RerankerDescription, RerankerImport, RerankerManifest,
    RerankerPack,
};
pub use reranker::Reranker;
pub use runner::{Citation, Generation, GenerationRequest, Part, Passage, Runner};
pub use runtime_library::runtime_library_name;
