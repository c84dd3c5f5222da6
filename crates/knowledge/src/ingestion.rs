//! From a text or a file to a searchable document.
//!
//! Two steps, so that a folder of a thousand files is known at once and a killed process loses
//! nothing: *registering* stores the text and queues a document; *indexing* cuts, embeds and
//! publishes it. A document becomes visible as a whole or not at all, and each one fails alone.
//! Everything blocks; callers run it off the threads that must answer. Nothing here remembers
//! jobs: whoever starts one watches it through the sink it hands in.

mod feeding;
mod files;
mod indexing;
mod new_version;
mod paths;
mod recognition;
mod registration;
mod report;

pub use files::{Reading, ingest_files};
pub use indexing::{DEFAULT_BATCH_SIZE, IndexOutcome, IndexProgress, Indexer, ResumeReport};
pub use new_version::{NewVersion, register_new_version};
pub use paths::{FileList, SkipReason, expand_paths};
pub use recognition::{original_name, recognise_document};
pub use registration::{AddedSource, NewText, register_text, register_text_of_item};
pub use report::{Failure, FileOutcome, FileResult, IngestEvent, IngestReport};
