// Generated from the wire types and the operations table of `crates/app` by its test
// `typescript_is_current`; `make fix` writes it again. Do not edit.

import type {
  Agent,
  AgentDetails,
  AgentRef,
  AttachSource,
  BenchProgress,
  BenchRun,
  BenchRunRef,
  CreateKnowledgeBase,
  CreateTicket,
  Document,
  DocumentRef,
  DocumentText,
  Draft,
  DraftReply,
  DraftStep,
  EngineStatus,
  FilePreview,
  ImportQuestions,
  ImportReranker,
  Ingest,
  IngestFiles,
  IngestProgress,
  IngestReport,
  InstallSamples,
  InstalledModel,
  InstalledReranker,
  JobItem,
  JobRef,
  JobSummary,
  KnowledgeBaseRef,
  KnowledgeBaseSummary,
  ListDocuments,
  ListJobItems,
  ListJobs,
  ListQuestions,
  ListSources,
  ListTickets,
  MoveJob,
  Nothing,
  Page,
  PagePicture,
  PagePictureRequest,
  Passage,
  PassageRef,
  PassageView,
  PathsPreview,
  PreviewFile,
  PreviewPaths,
  Question,
  QuestionRef,
  QuestionsImported,
  QueueResumed,
  Reindex,
  ReindexEstimate,
  RenameSource,
  ReplaceSource,
  RerankerRef,
  RetryJob,
  RunBench,
  SamplesInstalled,
  SaveQuestion,
  Search,
  SearchResult,
  SetDocumentEnabled,
  Settings,
  ShowAround,
  SourceRef,
  SourceSummary,
  SourceText,
  StorageReport,
  SupportedFormats,
  TicketRef,
  TicketSummary,
  TicketView,
  UpdateAgent,
  UpdateKnowledgeBase,
  UpdateSettings,
} from './wire';

/** How an operation reaches the host; a refusal is thrown as a `WireError`. */
export type Call = <Output>(
  group: string,
  name: string,
  input: unknown,
  onProgress?: (progress: never) => void,
) => Promise<Output>;

/** Every operation as a function, over one way of calling. */
export function operationsOver(call: Call) {
  return {
    rag: {
      /** Lists the bases by name. */
      listKnowledgeBases: () =>
        call<Array<KnowledgeBaseSummary>>('rag', 'list_knowledge_bases', {}),
      /** Shows one base. */
      getKnowledgeBase: (input: KnowledgeBaseRef) =>
        call<KnowledgeBaseSummary>('rag', 'get_knowledge_base', input),
      /** Makes an empty base. */
      createKnowledgeBase: (input: CreateKnowledgeBase) =>
        call<KnowledgeBaseSummary>('rag', 'create_knowledge_base', input),
      /** Changes a base; how texts are cut applies at the next indexing. */
      updateKnowledgeBase: (input: UpdateKnowledgeBase) =>
        call<KnowledgeBaseSummary>('rag', 'update_knowledge_base', input),
      /** Deletes a base; its sources and all snapshots stay. */
      deleteKnowledgeBase: (input: KnowledgeBaseRef) =>
        call<Nothing>('rag', 'delete_knowledge_base', input),
      /** Lists the library, newest first. */
      listSources: (input: ListSources) =>
        call<Page<SourceSummary>>('rag', 'list_sources', input),
      /** Shows a source and the bases it is in. */
      getSource: (input: SourceRef) =>
        call<SourceSummary>('rag', 'get_source', input),
      /** Shows a source's text as it was read. */
      readSource: (input: SourceRef) =>
        call<SourceText>('rag', 'read_source', input),
      /** Gives a source another title, in every base. */
      renameSource: (input: RenameSource) =>
        call<SourceSummary>('rag', 'rename_source', input),
      /** Puts a new version in the place of a source; the old one is searched until the new one is ready. */
      replaceSource: (input: ReplaceSource, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'replace_source', input, onProgress),
      /** Adds a source of the library to a base. */
      attachSource: (input: AttachSource, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'attach_source', input, onProgress),
      /** Deletes a source from the library and every base; snapshots stay. */
      deleteSource: (input: SourceRef) =>
        call<Nothing>('rag', 'delete_source', input),
      /** Lists a base's documents, newest first. */
      listDocuments: (input: ListDocuments) =>
        call<Page<Document>>('rag', 'list_documents', input),
      /** Shows a document's text as it was indexed. */
      readDocument: (input: DocumentRef) =>
        call<DocumentText>('rag', 'read_document', input),
      /** Switches a document on or off; one that is off is not found. */
      setDocumentEnabled: (input: SetDocumentEnabled) =>
        call<Document>('rag', 'set_document_enabled', input),
      /** Takes a document out of its base. */
      deleteDocument: (input: DocumentRef) =>
        call<Nothing>('rag', 'delete_document', input),
      /** Recognises a document's scanned pages; when the new text is ready it takes the old one's place. */
      recogniseDocument: (input: DocumentRef, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'recognise_document', input, onProgress),
      /** Shows a page of a PDF as it looks. */
      pagePicture: (input: PagePictureRequest) =>
        call<PagePicture>('rag', 'page_picture', input),
      /** Indexes a document again that is queued or in error. */
      retryDocument: (input: DocumentRef, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'retry_document', input, onProgress),
      /** Lists the formats that are read. */
      listFormats: () =>
        call<SupportedFormats>('rag', 'list_formats', {}),
      /** Tells what would become of files and folders. */
      previewPaths: (input: PreviewPaths) =>
        call<PathsPreview>('rag', 'preview_paths', input),
      /** Shows what ingestion would read of a file; nothing is kept. */
      previewFile: (input: PreviewFile) =>
        call<FilePreview>('rag', 'preview_file', input),
      /** Adds a text to a base. */
      ingest: (input: Ingest, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'ingest', input, onProgress),
      /** Adds files and folders to a base. */
      ingestFiles: (input: IngestFiles, onProgress?: (progress: IngestProgress) => void) =>
        call<IngestReport>('rag', 'ingest_files', input, onProgress),
      /** Waits for every job that is queued or running, and for what waits without one. */
      resumeQueued: (onProgress?: (progress: IngestProgress) => void) =>
        call<QueueResumed>('rag', 'resume_queued', {}, onProgress),
      /** Lists jobs: running, queued in their order, paused, then ended ones, the last ended first. */
      listJobs: (input: ListJobs) =>
        call<Page<JobSummary>>('rag', 'list_jobs', input),
      /** Shows a job. */
      getJob: (input: JobRef) =>
        call<JobSummary>('rag', 'get_job', input),
      /** Lists a job's items by number. */
      listJobItems: (input: ListJobItems) =>
        call<Page<JobItem>>('rag', 'list_job_items', input),
      /** Keeps a job from being worked on; what it finished stays. */
      pauseJob: (input: JobRef) =>
        call<JobSummary>('rag', 'pause_job', input),
      /** Lets a paused job go on, or one that waits for its next attempt try again now. */
      resumeJob: (input: JobRef) =>
        call<JobSummary>('rag', 'resume_job', input),
      /** Ends a job; what it finished stays. */
      cancelJob: (input: JobRef) =>
        call<JobSummary>('rag', 'cancel_job', input),
      /** Tries a job again: one item, or each that failed or was cancelled. */
      retryJob: (input: RetryJob) =>
        call<JobSummary>('rag', 'retry_job', input),
      /** Tries the failed items of every job again, and says how many there are. */
      retryFailed: () =>
        call<number>('rag', 'retry_failed', {}),
      /** Moves a job before another, or behind all. */
      moveJob: (input: MoveJob) =>
        call<Nothing>('rag', 'move_job', input),
      /** Forgets the jobs that have ended; what they made stays. */
      clearJobs: () =>
        call<Nothing>('rag', 'clear_jobs', {}),
      /** Shows how much room the data folder takes. */
      getStorage: () =>
        call<StorageReport>('rag', 'get_storage', {}),
      /** Gives back the room that deleted things took. */
      compactStorage: () =>
        call<StorageReport>('rag', 'compact_storage', {}),
      /** Finds the passages that answer a question best. */
      search: (input: Search) =>
        call<SearchResult>('rag', 'search', input),
      /** Shows a passage with those before and behind it. */
      showAround: (input: ShowAround) =>
        call<Array<Passage>>('rag', 'show_around', input),
      /** Lists the questions that measure a base, oldest first. */
      listQuestions: (input: ListQuestions) =>
        call<Page<Question>>('rag', 'list_questions', input),
      /** Makes a question that measures a base, or changes one. */
      saveQuestion: (input: SaveQuestion) =>
        call<Question>('rag', 'save_question', input),
      /** Deletes a question; measurements that asked it stay. */
      deleteQuestion: (input: QuestionRef) =>
        call<Nothing>('rag', 'delete_question', input),
      /** Makes questions from the lines of a file. */
      importQuestions: (input: ImportQuestions) =>
        call<QuestionsImported>('rag', 'import_questions', input),
      /** Measures a base with its questions and keeps the figures. */
      runBench: (input: RunBench, onProgress?: (progress: BenchProgress) => void) =>
        call<BenchRun>('rag', 'run_bench', input, onProgress),
      /** Stops the measurements of a base that go on; nothing of them is kept. */
      stopBench: (input: KnowledgeBaseRef) =>
        call<Nothing>('rag', 'stop_bench', input),
      /** Lists a base's measurements, newest first. */
      listBenchRuns: (input: KnowledgeBaseRef) =>
        call<Array<BenchRun>>('rag', 'list_bench_runs', input),
      /** Deletes a measurement. */
      deleteBenchRun: (input: BenchRunRef) =>
        call<Nothing>('rag', 'delete_bench_run', input),
      /** Lists the embedding models that are installed, the default one first. */
      listModels: () =>
        call<Array<InstalledModel>>('rag', 'list_models', {}),
      /** Lists the rerankers that are installed. */
      listRerankers: () =>
        call<Array<InstalledReranker>>('rag', 'list_rerankers', {}),
      /** Puts a reranker in the data folder, and lists those that are installed then. */
      importReranker: (input: ImportReranker) =>
        call<Array<InstalledReranker>>('rag', 'import_reranker', input),
      /** Takes a reranker out of the data folder. */
      removeReranker: (input: RerankerRef) =>
        call<Nothing>('rag', 'remove_reranker', input),
      /** Estimates what a new index of a base costs. */
      estimateReindex: (input: Reindex) =>
        call<ReindexEstimate>('rag', 'estimate_reindex', input),
      /** Builds a new index for a base as a job; the old one answers until it is whole. */
      reindex: (input: Reindex) =>
        call<JobSummary>('rag', 'reindex', input),
      /** Brings the previous index of a base back. */
      restoreGeneration: (input: KnowledgeBaseRef) =>
        call<KnowledgeBaseSummary>('rag', 'restore_generation', input),
      /** Takes the previous index of a base away. */
      discardGeneration: (input: KnowledgeBaseRef) =>
        call<KnowledgeBaseSummary>('rag', 'discard_generation', input),
      /** Puts a sample help centre, its agent and tickets in place. */
      installSamples: (input: InstallSamples, onProgress?: (progress: IngestProgress) => void) =>
        call<SamplesInstalled>('rag', 'install_samples', input, onProgress),
    },
    desk: {
      /** Lists the agents by name. */
      listAgents: () =>
        call<Array<Agent>>('desk', 'list_agents', {}),
      /** Shows one agent. */
      getAgent: (input: AgentRef) =>
        call<Agent>('desk', 'get_agent', input),
      /** Makes an agent. */
      createAgent: (input: AgentDetails) =>
        call<Agent>('desk', 'create_agent', input),
      /** Changes an agent. */
      updateAgent: (input: UpdateAgent) =>
        call<Agent>('desk', 'update_agent', input),
      /** Deletes an agent; its runs stay. */
      deleteAgent: (input: AgentRef) =>
        call<Nothing>('desk', 'delete_agent', input),
      /** Lists tickets, the last changed first. */
      listTickets: (input: ListTickets) =>
        call<Page<TicketSummary>>('desk', 'list_tickets', input),
      /** Makes a ticket from what a customer wrote. */
      createTicket: (input: CreateTicket) =>
        call<TicketView>('desk', 'create_ticket', input),
      /** Shows a ticket, its messages and its latest draft. */
      getTicket: (input: TicketRef) =>
        call<TicketView>('desk', 'get_ticket', input),
      /** Deletes a ticket with its drafts and snapshots. */
      deleteTicket: (input: TicketRef) =>
        call<Nothing>('desk', 'delete_ticket', input),
      /** Lets an agent propose a cited reply. */
      draftReply: (input: DraftReply, onProgress?: (progress: DraftStep) => void) =>
        call<Draft>('desk', 'draft_reply', input, onProgress),
      /** Shows the snapshot behind a number of a draft. */
      getPassage: (input: PassageRef) =>
        call<PassageView>('desk', 'get_passage', input),
    },
    settings: {
      /** Shows the settings and the state of the model. */
      getSettings: () =>
        call<Settings>('settings', 'get_settings', {}),
      /** Changes the language, the theme, or what closing the window does. */
      updateSettings: (input: UpdateSettings) =>
        call<Settings>('settings', 'update_settings', input),
      /** Tries again to load the embedding model. */
      reloadEngine: () =>
        call<EngineStatus>('settings', 'reload_engine', {}),
    },
  };
}

/** Everything that the interface can ask. */
export type Operations = ReturnType<typeof operationsOver>;
