//! Every use case of Ancre, once, without a host.
//!
//! A host (the desktop window, the terminal) opens an [`Ancre`] and forwards calls to the
//! [`operations`] table; it adds nothing to what they do. Nothing here knows Tauri, a terminal
//! or HTTP.

mod ancre;
mod base64;
mod clock;
mod compaction;
mod engine;
pub mod evaluation;
mod jobs;
pub mod operations;
pub mod places;
mod reading;
mod samples;
pub mod typescript;
pub mod wire;

pub use ancre::{Ancre, EventSink, Options};
pub use ancre_extract::{Libraries, ReadOptions, ReadProgress, run_worker_if_asked};
pub use ancre_models::forbid_telemetry;
pub use ancre_store::Access;
pub use clock::SystemClock;
pub use engine::{EmbedderLoader, FoundReranker, InstalledPack, PackLoader};
pub use jobs::{JobContext, JobEnd, JobWork};
pub use reading::DocumentReader;
