//! Knowledge: bases, documents, ingestion, search, samples.

mod bases;
mod documents;
mod ingestion;
mod library;
mod previews;
mod progress;
mod recognition;
mod sample_centre;
mod searching;
mod storage;

pub use bases::{
    create_knowledge_base, delete_knowledge_base, get_knowledge_base, list_knowledge_bases,
    update_knowledge_base,
};
pub use documents::{
    SourcePlace, delete_document, list_documents, read_document, set_document_enabled, source_place,
};
pub use ingestion::{
    cancel_job, ingest, ingest_files, list_formats, preview_paths, read_text, resume_queued,
    retry_document,
};
pub use library::{
    attach_source, delete_source, get_source, list_sources, read_source, rename_source,
    replace_source,
};
pub use previews::{page_picture, preview_file, read_preview};
pub use recognition::recognise_document;
pub use sample_centre::install_samples;
pub use searching::search;
pub use storage::{compact_storage, get_storage};
