//! Which command stands for which operation, so that a new operation is either given a command or a
//! reason why a terminal needs none.

use ancre_app::operations::OPERATIONS;
use clap::CommandFactory as _;

use crate::arguments::Arguments;

/// How an operation is reached from a terminal.
enum Reach {
    /// By this command.
    By(&'static str),
    /// Not at all, and why.
    Not(&'static str),
}

use Reach::{By, Not};

const REACHES: &[(&str, Reach)] = &[
    ("rag.list_knowledge_bases", By("kb list")),
    ("rag.get_knowledge_base", By("kb show")),
    ("rag.create_knowledge_base", By("kb create")),
    ("rag.update_knowledge_base", By("kb update")),
    ("rag.delete_knowledge_base", By("kb delete")),
    ("rag.list_sources", By("source list")),
    ("rag.get_source", By("source show")),
    ("rag.read_source", By("source show")),
    ("rag.rename_source", By("source rename")),
    ("rag.replace_source", By("source replace")),
    ("rag.attach_source", By("source attach")),
    ("rag.delete_source", By("source delete")),
    ("rag.list_documents", By("kb show")),
    ("rag.read_document", Not("it adds to “source show” where the passages lie, for highlighting")),
    ("rag.set_document_enabled", By("source disable")),
    ("rag.delete_document", By("source detach")),
    ("rag.recognise_document", By("source recognise")),
    ("rag.page_picture", Not("a terminal shows no pictures")),
    ("rag.retry_document", By("source retry")),
    ("rag.list_formats", By("formats")),
    ("rag.preview_paths", Not("it asks before a drop on the window; a shell names its files")),
    ("rag.preview_file", By("extract")),
    ("rag.ingest", By("ingest")),
    ("rag.ingest_files", By("ingest")),
    ("rag.resume_queued", By("ingest")),
    ("rag.list_jobs", By("jobs list")),
    ("rag.get_job", By("jobs show")),
    ("rag.list_job_items", By("jobs show")),
    ("rag.pause_job", By("jobs pause")),
    ("rag.resume_job", By("jobs resume")),
    ("rag.cancel_job", By("jobs cancel")),
    ("rag.retry_job", By("jobs retry")),
    ("rag.retry_failed", By("jobs retry")),
    ("rag.move_job", By("jobs move")),
    ("rag.clear_jobs", By("jobs clear")),
    ("rag.get_storage", By("kb storage")),
    ("rag.compact_storage", By("kb storage")),
    ("rag.search", By("search")),
    ("rag.show_around", By("around")),
    ("rag.list_questions", By("bench list")),
    ("rag.save_question", By("bench add")),
    ("rag.delete_question", By("bench remove")),
    ("rag.import_questions", By("bench import")),
    ("rag.run_bench", By("bench run")),
    ("rag.stop_bench", Not("Ctrl-C stops “bench run”")),
    ("rag.list_bench_runs", By("bench list")),
    ("rag.delete_bench_run", By("bench delete")),
    ("rag.list_models", By("models list")),
    ("rag.list_rerankers", By("models list")),
    ("rag.import_reranker", By("models import")),
    ("rag.remove_reranker", By("models remove")),
    ("rag.estimate_reindex", By("kb reindex")),
    ("rag.reindex", By("kb reindex")),
    ("rag.restore_generation", By("kb reindex")),
    ("rag.discard_generation", By("kb reindex")),
    ("rag.install_samples", By("samples")),
    ("desk.list_agents", By("agent list")),
    ("desk.get_agent", By("agent show")),
    ("desk.create_agent", By("agent create")),
    ("desk.update_agent", By("agent update")),
    ("desk.delete_agent", By("agent delete")),
    ("desk.list_tickets", By("ticket list")),
    ("desk.create_ticket", By("ticket new")),
    ("desk.get_ticket", By("ticket show")),
    ("desk.delete_ticket", By("ticket delete")),
    ("desk.draft_reply", By("ticket draft")),
    ("desk.get_passage", By("ticket passage")),
    ("settings.get_settings", By("settings show")),
    ("settings.update_settings", By("settings set")),
    ("settings.reload_engine", Not("each command loads the model anew")),
];

#[test]
fn every_operation_has_a_command_or_a_reason_to_have_none() {
    let without: Vec<String> = OPERATIONS
        .iter()
        .map(|operation| format!("{}.{}", operation.group, operation.name))
        .filter(|name| !REACHES.iter().any(|(known, _)| known == name))
        .collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_command_and_operation_that_is_named_is_there() {
    let whole = Arguments::command();
    for (name, reach) in REACHES {
        let is_known = |(group, name)| ancre_app::operations::find(group, name).is_some();
        assert!(name.split_once('.').is_some_and(is_known), "{name}");
        match reach {
            Not(reason) => assert!(reason.contains(' '), "{name}"),
            By(path) => {
                let leaf = path.split(' ').try_fold(&whole, |it, word| it.find_subcommand(word));
                assert!(leaf.is_some_and(|leaf| !leaf.has_subcommands()), "{name}: {path}");
            }
        }
    }
}

#[test]
fn what_can_be_typed_is_sound() {
    Arguments::command().debug_assert();
}
