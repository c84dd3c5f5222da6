// The desktop's plugins and their commands: the operations table by group, as the build script
// needs them for the permissions before anything is compiled. Included by `build.rs` and by the
// host; the test `every_operation_is_a_command` holds them against the table.

pub const RAG: &[&str] = &[
    "list_knowledge_bases",
    "get_knowledge_base",
    "create_knowledge_base",
    "update_knowledge_base",
    "delete_knowledge_base",
    "list_sources",
    "get_source",
    "read_source",
    "rename_source",
    "replace_source",
    "attach_source",
    "delete_source",
    "list_documents",
    "read_document",
    "set_document_enabled",
    "delete_document",
    "recognise_document",
    "page_picture",
    "retry_document",
    "list_formats",
    "preview_paths",
    "preview_file",
    "ingest",
    "ingest_files",
    "resume_queued",
    "list_jobs",
    "get_job",
    "list_job_items",
    "pause_job",
    "resume_job",
    "cancel_job",
    "retry_job",
    "retry_failed",
    "move_job",
    "clear_jobs",
    "get_storage",
    "compact_storage",
    "search",
    "show_around",
    "list_questions",
    "save_question",
    "delete_question",
    "import_questions",
    "run_bench",
    "list_bench_runs",
    "delete_bench_run",
    "list_models",
    "estimate_reindex",
    "reindex",
    "restore_generation",
    "discard_generation",
    "install_samples",
];

pub const DESK: &[&str] = &[
    "list_agents",
    "get_agent",
    "create_agent",
    "update_agent",
    "delete_agent",
    "list_tickets",
    "create_ticket",
    "get_ticket",
    "delete_ticket",
    "draft_reply",
    "get_passage",
];

pub const SETTINGS: &[&str] = &["get_settings", "update_settings", "reload_engine"];

/// Commands that only a desktop has.
pub const HOST: &[&str] =
    &["open_source", "reveal_data_folder", "close_window", "quit", "set_host_language"];
