//! Knowledge: bases, documents, ingestion, search, samples.

mod bases;
mod benches;
mod documents;
mod indexes;
mod ingestion;
mod jobs;
mod library;
mod previews;
mod recognition;
mod rerankers;
mod sample_centre;
mod searching;
mod storage;

pub use bases::{
    create_knowledge_base, delete_knowledge_base, get_knowledge_base, list_knowledge_bases,
    update_knowledge_base,
};
pub use benches::{
    delete_bench_run, delete_question, import_questions, list_bench_runs, list_questions,
    run_bench, save_question, stop_bench,
};
pub use documents::{
    SourcePlace, delete_document, list_documents, read_document, set_document_enabled, source_place,
};
pub use indexes::{discard_generation, estimate_reindex, list_models, reindex, restore_generation};
pub use ingestion::{
    ingest, ingest_files, list_formats, preview_paths, read_text, resume_queued, retry_document,
};
pub use jobs::{
    cancel_job, clear_jobs, get_job, list_job_items, list_jobs, move_job, pause_job, resume_job,
    retry_failed, retry_job,
};
pub use library::{
    attach_source, delete_source, get_source, list_sources, read_source, rename_source,
    replace_source,
};
pub use previews::{page_picture, preview_file, read_preview};
pub use recognition::recognise_document;
pub use rerankers::{import_reranker, list_rerankers, remove_reranker};
pub use sample_centre::install_samples;
pub use searching::{search, show_around};
pub use storage::{compact_storage, get_storage};
