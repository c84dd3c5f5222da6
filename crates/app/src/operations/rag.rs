//! Knowledge: bases, documents, ingestion, search, samples.

mod bases;
mod benches;
mod documents;
mod ingestion;
mod previews;
mod progress;
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
pub use ingestion::{
    cancel_job, ingest, ingest_files, list_formats, preview_paths, read_text, resume_queued,
    retry_document,
};
pub use previews::{page_picture, preview_file, read_preview};
pub use recognition::recognise_document;
pub use sample_centre::install_samples;
pub use searching::{search, show_around};
