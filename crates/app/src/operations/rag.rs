//! Knowledge: bases, documents, ingestion, search, samples.

mod bases;
mod documents;
mod ingestion;
mod progress;
mod sample_centre;
mod searching;

pub use bases::{
    create_knowledge_base, delete_knowledge_base, get_knowledge_base, list_knowledge_bases,
};
pub use documents::{SourcePlace, delete_document, list_documents, read_document, source_place};
pub use ingestion::{
    Extracted, cancel_job, extract_file, ingest, ingest_files, list_formats, preview_paths,
    read_text, resume_queued, retry_document,
};
pub use sample_centre::install_samples;
pub use searching::search;
