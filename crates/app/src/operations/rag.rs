//! Knowledge: bases, documents, ingestion, search, samples.

mod bases;
mod benches;
mod documents;
mod indexes;
mod ingestion;
mod jobs;
mod previews;
mod recognition;
mod sample_centre;
mod searching;

pub use bases::{
    create_knowledge_base, delete_knowledge_base, get_knowledge_base, list_knowledge_bases,
};
pub use benches::{
    delete_bench_run, delete_question, import_questions, list_bench_runs, list_questions,
    run_bench, save_question,
};
pub use documents::{SourcePlace, delete_document, list_documents, read_document, source_place};
pub use indexes::{discard_generation, estimate_reindex, list_models, reindex, restore_generation};
pub use ingestion::{
    ingest, ingest_files, list_formats, preview_paths, read_text, resume_queued, retry_document,
};
pub use jobs::{
    cancel_job, clear_jobs, get_job, list_job_items, list_jobs, move_job, pause_job, resume_job,
    retry_failed, retry_job,
};
pub use previews::{page_picture, preview_file, read_preview};
pub use recognition::recognise_document;
pub use sample_centre::install_samples;
pub use searching::{search, show_around};
