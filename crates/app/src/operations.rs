//! The table of operations: each thing that an interface can ask is one line here.
//!
//! Hosts only forward: they look an operation up by its group and name, hand over JSON and a
//! sink for progress, and give back JSON or a [`WireError`]. The same lines make the functions of
//! `ui/src/backend/operations.ts` and the permissions of the desktop host. Operations block;
//! hosts run them on threads of their own.

// Every operation owns its input: the table hands over what it read, and the signatures stay alike.
#![allow(clippy::needless_pass_by_value)]

pub mod desk;
pub mod rag;
pub mod settings;

use ancre_domain::{
    Agent, AgentDetails, BenchRun, Document, Page, Question, SourceSummary, is_blank,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ts_rs::TS;

use crate::Ancre;
use crate::typescript::{self, Declarations};
use crate::wire::*;

/// Hears the progress of one call, as JSON.
pub type ProgressSink<'a> = &'a (dyn Fn(Value) + Send + Sync);

/// One thing that an interface can ask.
pub struct Operation {
    /// The group it stands in, which is the desktop's plugin: `rag`, `desk` or `settings`.
    pub group: &'static str,
    /// Its name in snake case.
    pub name: &'static str,
    /// What it is for, one sentence.
    pub summary: &'static str,
    call: fn(&Ancre, Value, ProgressSink<'_>) -> Result<Value, WireError>,
    typescript: fn() -> OperationTypes,
    visit: fn(&mut Declarations),
}

/// The TypeScript names of what goes in and comes out of an operation.
pub(crate) struct OperationTypes {
    pub(crate) input: String,
    pub(crate) output: String,
    /// `never` when it reports no progress.
    pub(crate) progress: String,
}

impl Operation {
    /// Runs the operation and waits for its end.
    ///
    /// # Errors
    ///
    /// [`WireError`]: `invalid_input` when `input` is not what the operation takes, else what the
    /// operation itself says.
    pub fn call(
        &self,
        ancre: &Ancre,
        input: Value,
        progress: ProgressSink<'_>,
    ) -> Result<Value, WireError> {
        (self.call)(ancre, input, progress)
    }

    pub(crate) fn typescript(&self) -> OperationTypes {
        (self.typescript)()
    }

    pub(crate) fn visit(&self, declarations: &mut Declarations) {
        (self.visit)(declarations);
    }
}

/// The operation of that group and name.
pub fn find(group: &str, name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.group == group && operation.name == name)
}

fn read<I: DeserializeOwned>(input: Value) -> Result<I, WireError> {
    serde_json::from_value(input)
        .map_err(|error| WireError::invalid(format!("the request does not fit: {error}")))
}

/// A name that a person gave, tidied: 1 to 100 characters.
fn name(kind: &str, given: &str) -> Result<String, WireError> {
    let name = ancre_domain::tidy_name(given);
    match name.chars().count() {
        _ if is_blank(&name) => Err(WireError::invalid(format!("the {kind} needs a name"))),
        1..=100 => Ok(name),
        length => Err(WireError::invalid(format!(
            "the name of the {kind} has {length} characters; at most 100 are possible"
        ))),
    }
}

fn write<O: Serialize>(output: &O) -> Result<Value, WireError> {
    serde_json::to_value(output)
        .map_err(|error| WireError::fault(format!("the answer could not be written: {error}")))
}

/// Stands where an operation reports no progress.
#[derive(Debug, Clone, Copy, Serialize, TS)]
pub enum Never {}

// `name(Input) -> Output, Progress = "What it is for.", handler;` - the handler takes the
// application, the input and a typed sink.
macro_rules! operations {
    ($($group:ident { $($name:ident($input:ty) -> $output:ty, $progress:ty = $summary:literal;)* })*) => {
        /// Every operation, in the order in which the interface's functions are generated.
        pub static OPERATIONS: &[Operation] = &[$($(
            Operation {
                group: stringify!($group),
                name: stringify!($name),
                summary: $summary,
                call: |ancre, input, sink| {
                    let report = |progress: $progress| {
                        if let Ok(progress) = serde_json::to_value(progress) {
                            sink(progress);
                        }
                    };
                    let output: $output = $group::$name(ancre, read::<$input>(input)?, &report)?;
                    write(&output)
                },
                typescript: || OperationTypes {
                    input: <$input as TS>::name(&typescript::config()),
                    output: <$output as TS>::name(&typescript::config()),
                    progress: <$progress as TS>::name(&typescript::config()),
                },
                visit: |declarations| {
                    declarations.add::<$input>();
                    declarations.add::<$output>();
                    declarations.add::<$progress>();
                },
            },
        )*)*];
    };
}

operations! {
    rag {
        list_knowledge_bases(Nothing) -> Vec<KnowledgeBaseSummary>, Never = "Lists the bases by name.";
        get_knowledge_base(KnowledgeBaseRef) -> KnowledgeBaseSummary, Never = "Shows one base.";
        create_knowledge_base(CreateKnowledgeBase) -> KnowledgeBaseSummary, Never = "Makes an empty base.";
        update_knowledge_base(UpdateKnowledgeBase) -> KnowledgeBaseSummary, Never = "Changes a base; how texts are cut applies at the next indexing.";
        delete_knowledge_base(KnowledgeBaseRef) -> Nothing, Never = "Deletes a base; its sources and all snapshots stay.";
        list_sources(ListSources) -> Page<SourceSummary>, Never = "Lists the library, newest first.";
        get_source(SourceRef) -> SourceSummary, Never = "Shows a source and the bases it is in.";
        read_source(SourceRef) -> SourceText, Never = "Shows a source's text as it was read.";
        rename_source(RenameSource) -> SourceSummary, Never = "Gives a source another title, in every base.";
        replace_source(ReplaceSource) -> IngestReport, IngestProgress = "Puts a new version in the place of a source; the old one is searched until the new one is ready.";
        attach_source(AttachSource) -> IngestReport, IngestProgress = "Adds a source of the library to a base.";
        delete_source(SourceRef) -> Nothing, Never = "Deletes a source from the library and every base; snapshots stay.";
        list_documents(ListDocuments) -> Page<Document>, Never = "Lists a base's documents, newest first.";
        read_document(DocumentRef) -> DocumentText, Never = "Shows a document's text as it was indexed.";
        set_document_enabled(SetDocumentEnabled) -> Document, Never = "Switches a document on or off; one that is off is not found.";
        delete_document(DocumentRef) -> Nothing, Never = "Takes a document out of its base.";
        recognise_document(DocumentRef) -> IngestReport, IngestProgress = "Recognises a document's scanned pages; when the new text is ready it takes the old one's place.";
        page_picture(PagePictureRequest) -> PagePicture, Never = "Shows a page of a PDF as it looks.";
        retry_document(DocumentRef) -> IngestReport, IngestProgress = "Indexes a document again that is queued or in error.";
        list_formats(Nothing) -> SupportedFormats, Never = "Lists the formats that are read.";
        preview_paths(PreviewPaths) -> PathsPreview, Never = "Tells what would become of files and folders.";
        preview_file(PreviewFile) -> FilePreview, Never = "Shows what ingestion would read of a file; nothing is kept.";
        ingest(Ingest) -> IngestReport, IngestProgress = "Adds a text to a base.";
        ingest_files(IngestFiles) -> IngestReport, IngestProgress = "Adds files and folders to a base.";
        resume_queued(Nothing) -> QueueResumed, IngestProgress = "Waits for every job that is queued or running, and for what waits without one.";
        list_jobs(ListJobs) -> Page<JobSummary>, Never = "Lists jobs: running, queued in their order, paused, then ended ones, the last ended first.";
        get_job(JobRef) -> JobSummary, Never = "Shows a job.";
        list_job_items(ListJobItems) -> Page<JobItemView>, Never = "Lists a job's items by number.";
        pause_job(JobRef) -> JobSummary, Never = "Keeps a job from being worked on; what it finished stays.";
        resume_job(JobRef) -> JobSummary, Never = "Lets a paused job go on, or one that waits for its next attempt try again now.";
        cancel_job(JobRef) -> JobSummary, Never = "Ends a job; what it finished stays.";
        retry_job(RetryJob) -> JobSummary, Never = "Tries a job again: one item, or each that failed or was cancelled.";
        retry_failed(Nothing) -> u32, Never = "Tries the failed items of every job again, and says how many there are.";
        move_job(MoveJob) -> Nothing, Never = "Moves a job before another, or behind all.";
        clear_jobs(Nothing) -> Nothing, Never = "Forgets the jobs that have ended; what they made stays.";
        get_storage(Nothing) -> StorageReport, Never = "Shows how much room the data folder takes.";
        compact_storage(Nothing) -> StorageReport, Never = "Gives back the room that deleted things took.";
        search(Search) -> SearchResult, Never = "Finds the passages that answer a question best.";
        show_around(ShowAround) -> Vec<Passage>, Never = "Shows a passage with those before and behind it.";
        list_questions(ListQuestions) -> Page<Question>, Never = "Lists the questions that measure a base, oldest first.";
        save_question(SaveQuestion) -> Question, Never = "Makes a question that measures a base, or changes one.";
        delete_question(QuestionRef) -> Nothing, Never = "Deletes a question; measurements that asked it stay.";
        import_questions(ImportQuestions) -> QuestionsImported, Never = "Makes questions from the lines of a file.";
        run_bench(RunBench) -> BenchRun, BenchProgress = "Measures a base with its questions and keeps the figures.";
        stop_bench(KnowledgeBaseRef) -> Nothing, Never = "Stops the measurements of a base that go on; nothing of them is kept.";
        list_bench_runs(KnowledgeBaseRef) -> Vec<BenchRun>, Never = "Lists a base's measurements, newest first.";
        delete_bench_run(BenchRunRef) -> Nothing, Never = "Deletes a measurement.";
        list_models(Nothing) -> Vec<InstalledModel>, Never = "Lists the embedding models that are installed, the default one first.";
        list_rerankers(Nothing) -> Vec<InstalledReranker>, Never = "Lists the rerankers that are installed.";
        import_reranker(ImportReranker) -> Vec<InstalledReranker>, Never = "Puts a reranker in the data folder, and lists those that are installed then.";
        remove_reranker(RerankerRef) -> Nothing, Never = "Takes a reranker out of the data folder.";
        estimate_reindex(Reindex) -> ReindexEstimate, Never = "Estimates what a new index of a base costs.";
        reindex(Reindex) -> JobSummary, Never = "Builds a new index for a base as a job; the old one answers until it is whole.";
        restore_generation(KnowledgeBaseRef) -> KnowledgeBaseSummary, Never = "Brings the previous index of a base back.";
        discard_generation(KnowledgeBaseRef) -> KnowledgeBaseSummary, Never = "Takes the previous index of a base away.";
        install_samples(InstallSamples) -> SamplesInstalled, IngestProgress = "Puts a sample help centre, its agent and tickets in place.";
    }
    desk {
        list_agents(Nothing) -> Vec<Agent>, Never = "Lists the agents by name.";
        get_agent(AgentRef) -> Agent, Never = "Shows one agent.";
        create_agent(AgentDetails) -> Agent, Never = "Makes an agent.";
        update_agent(UpdateAgent) -> Agent, Never = "Changes an agent.";
        delete_agent(AgentRef) -> Nothing, Never = "Deletes an agent; its runs stay.";
        list_tickets(ListTickets) -> Page<TicketSummary>, Never = "Lists tickets, the last changed first.";
        create_ticket(CreateTicket) -> TicketView, Never = "Makes a ticket from what a customer wrote.";
        get_ticket(TicketRef) -> TicketView, Never = "Shows a ticket, its messages and its latest draft.";
        delete_ticket(TicketRef) -> Nothing, Never = "Deletes a ticket with its drafts and snapshots.";
        draft_reply(DraftReply) -> Draft, DraftStep = "Lets an agent propose a cited reply.";
        get_passage(PassageRef) -> PassageView, Never = "Shows the snapshot behind a number of a draft.";
    }
    settings {
        get_settings(Nothing) -> Settings, Never = "Shows the settings and the state of the model.";
        update_settings(UpdateSettings) -> Settings, Never = "Changes the language, the theme, or what closing the window does.";
        reload_engine(Nothing) -> EngineStatus, Never = "Tries again to load the embedding model.";
    }
}
