// Generated from the wire types and the operations table of `crates/app` by its test
// `typescript_is_current`; `make fix` writes it again. Do not edit.

/**
 * An AI persona that answers. (A person is a user or a reviewer, never an agent.)
 */
export type Agent = { 
/**
 * Its id.
 */
id: AgentId, 
/**
 * The project it belongs to.
 */
projectId: ProjectId, 
/**
 * When it was made.
 */
createdAt: Timestamp, 
/**
 * When it was last changed.
 */
updatedAt: Timestamp, 
/**
 * Its name, unique in the project.
 */
name: string, 
/**
 * What it is for; may be empty.
 */
description: string, 
/**
 * How it should answer; may be empty. The extractive runner, which writes nothing of its
 * own, has no use for it.
 */
instructions: string, 
/**
 * The bases it may search, and no others.
 */
kbIds: Array<KnowledgeBaseId>, 
/**
 * How many passages a search gives it, 1 to 50.
 */
topK: number, 
/**
 * Passages farther than this cosine distance are not used; none: no limit.
 */
maxDistance: number | null, 
/**
 * How its passages are found.
 */
searchMode: SearchMode, 
/**
 * The closing line of its replies; empty: the product's own courtesy.
 */
signature: string, };

/**
 * What a person sets of an agent.
 */
export type AgentDetails = { 
/**
 * Its name, unique in the project.
 */
name: string, 
/**
 * What it is for; may be empty.
 */
description: string, 
/**
 * How it should answer; may be empty. The extractive runner, which writes nothing of its
 * own, has no use for it.
 */
instructions: string, 
/**
 * The bases it may search, and no others.
 */
kbIds: Array<KnowledgeBaseId>, 
/**
 * How many passages a search gives it, 1 to 50.
 */
topK: number, 
/**
 * Passages farther than this cosine distance are not used; none: no limit.
 */
maxDistance: number | null, 
/**
 * How its passages are found.
 */
searchMode: SearchMode, 
/**
 * The closing line of its replies; empty: the product's own courtesy.
 */
signature: string, };

/**
 * Names an [`Agent`](crate::Agent).
 */
export type AgentId = string;

/**
 * Names an agent.
 */
export type AgentRef = { 
/**
 * The agent.
 */
agentId: AgentId, };

/**
 * A file of an archive.
 */
export type ArchiveEntry = { 
/**
 * Its path inside, with `/`.
 */
name: string, 
/**
 * Its size, unpacked; 0 for what is not unpacked, since it would not be read.
 */
byteCount: number, 
/**
 * Whether it would be read.
 */
isSupported: boolean, };

/**
 * Adds a source of the library to a base.
 */
export type AttachSource = { 
/**
 * The source.
 */
sourceId: SourceId, 
/**
 * The base.
 */
kbId: KnowledgeBaseId, };

/**
 * A half-open range of characters (Unicode scalar values).
 */
export type CharRange = { 
/**
 * The first character.
 */
start: number, 
/**
 * One past the last character.
 */
end: number, };

/**
 * Names a [`Chunk`](crate::Chunk).
 */
export type ChunkId = string;

/**
 * How texts are cut into chunks. Both figures are characters (Unicode scalar values).
 */
export type ChunkingSettings = { 
/**
 * No chunk is longer than this.
 */
size: number, 
/**
 * How much of a chunk's end the next one repeats.
 */
overlap: number, };

/**
 * Makes a base.
 */
export type CreateKnowledgeBase = { 
/**
 * Its name, 1 to 100 characters.
 */
name: string, 
/**
 * What it is about.
 */
description?: string, 
/**
 * The embedding model; the default pack when absent.
 */
model?: string, 
/**
 * Characters per chunk; 2,000 when absent.
 */
chunkSize?: number, 
/**
 * Characters that consecutive chunks share; 200 when absent.
 */
chunkOverlap?: number, };

/**
 * Makes a ticket from what a customer wrote.
 */
export type CreateTicket = { 
/**
 * Its subject; when blank, the first words of the message.
 */
subject?: string, 
/**
 * The customer's words.
 */
body: string, 
/**
 * The agent that shall answer.
 */
agentId?: AgentId, };

/**
 * Who wrote a message.
 */
export type Direction = "inbound" | "draft";

/**
 * One source attached to one knowledge base. It has its own status, chunks and error: the same
 * source may be ready in one base and in error in another.
 */
export type Document = { 
/**
 * Its id.
 */
id: DocumentId, 
/**
 * The base it is in.
 */
kbId: KnowledgeBaseId, 
/**
 * The source it shows.
 */
sourceId: SourceId, 
/**
 * How the source came.
 */
sourceKind: SourceKind, 
/**
 * Where the source came from.
 */
sourceUri: string | null, 
/**
 * Its title.
 */
title: string, 
/**
 * The media type of the original.
 */
mime: string, 
/**
 * SHA-256 of the text.
 */
sha256: string, 
/**
 * Where it stands.
 */
status: DocumentStatus, 
/**
 * Length of the text in characters.
 */
charCount: number, 
/**
 * How many chunks it has; 0 until it is ready.
 */
chunkCount: number, 
/**
 * Whether searches see it once it is ready; a document that is switched off keeps its place.
 */
isEnabled: boolean, 
/**
 * Why it is in error, if it is.
 */
failure: DocumentFailure | null, 
/**
 * What a person should know of how it was read and indexed.
 */
warnings: Array<Warning>, 
/**
 * When it was attached.
 */
createdAt: Timestamp, 
/**
 * When it became ready.
 */
ingestedAt: Timestamp | null, };

/**
 * How many documents of a base stand where, and how much it holds.
 */
export type DocumentCounts = { 
/**
 * Waiting.
 */
queued: number, 
/**
 * Being indexed.
 */
indexing: number, 
/**
 * Searchable.
 */
ready: number, 
/**
 * In error.
 */
error: number, 
/**
 * Chunks of the ready ones.
 */
chunks: number, };

/**
 * Why a document is in error.
 */
export type DocumentFailure = { 
/**
 * The stable code.
 */
code: ErrorCode, 
/**
 * One English sentence.
 */
message: string, };

/**
 * Names a [`Document`](crate::Document).
 */
export type DocumentId = string;

/**
 * Names a document.
 */
export type DocumentRef = { 
/**
 * The document.
 */
documentId: DocumentId, };

/**
 * Where a document stands. Only a ready one is seen by searches.
 */
export type DocumentStatus = "queued" | "indexing" | "ready" | "error";

/**
 * A document with its text.
 */
export type DocumentText = { 
/**
 * The document.
 */
document: Document, 
/**
 * Its text.
 */
text: string, 
/**
 * The headings of the text.
 */
outline: Array<Heading>, 
/**
 * The pages of the text, where the format has pages.
 */
pagination: Pagination | null, 
/**
 * What a person should know of how it was read and indexed.
 */
warnings: Array<Warning>, 
/**
 * Whether its pages can be shown as they look: a PDF whose original is kept.
 */
hasPagePictures: boolean, 
/**
 * Its language, where it is one of ours and was recognised.
 */
language: Language | null, 
/**
 * Where its chunks lie in the text, in order; empty until it is ready.
 */
chunks: Array<CharRange>, 
/**
 * For each chunk, how many of the model's tokens lay outside its window and are not in its
 * vector.
 */
tokensOutsideWindow: Array<number>, };

/**
 * The reply that a run proposes.
 */
export type Draft = { 
/**
 * The run.
 */
runId: RunId, 
/**
 * The ticket.
 */
ticketId: TicketId, 
/**
 * The draft's message; its citations are numbered within it.
 */
messageId: MessageId, 
/**
 * How the run ended.
 */
status: RunStatus, 
/**
 * The agent's name at the time.
 */
agent: string, 
/**
 * The risk of the message; not weighed by this version.
 */
risk: null, 
/**
 * The language of the reply.
 */
language: Language, 
/**
 * The reply as the customer would read it, with its numbers.
 */
text: string, 
/**
 * The passages behind the numbers, by number.
 */
citations: Array<DraftCitation>, 
/**
 * The reply sentence by sentence.
 */
sentences: Array<Sentence>, 
/**
 * Why there is no answer, as one English sentence.
 */
reason: string | null, 
/**
 * How long the steps took.
 */
timings: RunTimings, 
/**
 * When it was made.
 */
createdAt: Timestamp, };

/**
 * A passage behind a number.
 */
export type DraftCitation = { 
/**
 * The number in the draft, from 1.
 */
number: number, 
/**
 * The chunk, as it was.
 */
chunkId: ChunkId, 
/**
 * The document's title at the time.
 */
documentTitle: string, 
/**
 * Where the source came from.
 */
sourceUri: string | null, 
/**
 * The page of the first words that were quoted.
 */
page: number | null, 
/**
 * What such a page is.
 */
pageKind: PageKind | null, 
/**
 * What the document called the page, where that was more than its number.
 */
pageLabel: string | null, 
/**
 * The passage's beginning, one line.
 */
contentPreview: string, };

/**
 * Asks an agent for a draft.
 */
export type DraftReply = { 
/**
 * The ticket.
 */
ticketId: TicketId, 
/**
 * The agent; when absent the ticket's own, else the only one there is.
 */
agentId?: AgentId, };

/**
 * The step a draft is at.
 */
export type DraftStep = "searching" | "writing" | "checking";

/**
 * The state of the embedding model, which is loaded in the background at the start.
 */
export type EngineStatus = { "state": "loading" } | { "state": "ready", 
/**
 * The model.
 */
model: ModelInfo, } | { "state": "failed", 
/**
 * Why, and what to do.
 */
error: WireError, };

/**
 * What went wrong, as a word that stays the same for ever.
 */
export type ErrorCode = "invalid_input" | "not_found" | "name_taken" | "knowledge_base_in_use" | "agent_without_bases" | "file_not_found" | "permission_denied" | "not_a_file" | "read_failed" | "unsupported" | "binary" | "empty" | "too_large" | "password" | "wrong_password" | "no_text_layer" | "corrupt" | "timeout" | "worker_died" | "cancelled" | "document_busy" | "model_missing" | "model_damaged" | "runtime_missing" | "model_failed" | "model_mismatch" | "data_in_use" | "work_in_progress" | "index_missing" | "generation_incomplete" | "data_read_only" | "disk_full" | "database_newer" | "database_damaged" | "database_busy" | "internal";

/**
 * Something that happened, in the past tense. Progress of one call goes through that call's own
 * channel; these go to everyone.
 */
export type Event = { "type": "knowledge_bases_changed" } | { "type": "documents_changed", 
/**
 * The base.
 */
kbId: KnowledgeBaseId, } | { "type": "sources_changed" } | { "type": "agents_changed" } | { "type": "tickets_changed" } | { "type": "ticket_drafted", 
/**
 * The ticket.
 */
ticketId: TicketId, } | { "type": "job_progressed" } & IngestProgress | { "type": "engine_changed" } & EngineStatus | { "type": "settings_changed" };

/**
 * What ingestion would read of a file; nothing is kept.
 */
export type FilePreview = { 
/**
 * Its title.
 */
title: string, 
/**
 * Its media type.
 */
mime: string, 
/**
 * Its language, where it is one of ours and was recognised.
 */
language: Language | null, 
/**
 * The encoding that it was read in, where the format leaves it open.
 */
encoding: string | null, 
/**
 * The text; empty for an archive.
 */
text: string, 
/**
 * Its headings.
 */
outline: Array<Heading>, 
/**
 * Its pages, where the format has pages.
 */
pagination: Pagination | null, 
/**
 * What a person should know of the reading.
 */
warnings: Array<Warning>, 
/**
 * For an archive, what is in it.
 */
entries: Array<ArchiveEntry> | null, };

/**
 * A heading of a source's text.
 */
export type Heading = { 
/**
 * Its depth, 1 for the outermost.
 */
level: number, 
/**
 * Its words, without markup.
 */
title: string, 
/**
 * Where its line begins in the text, in characters.
 */
start: number, };

/**
 * Adds a text to a base.
 */
export type Ingest = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * The text's title.
 */
title: string, 
/**
 * The text.
 */
text: string, 
/**
 * How it came; `inline` when absent.
 */
sourceKind?: SourceKind, 
/**
 * Where it came from.
 */
sourceUri?: string, 
/**
 * Its media type; `text/plain` when absent.
 */
mime?: string, 
/**
 * How many chunks are embedded at once, 1 to 256; 16 when absent.
 */
batchSize?: number, };

/**
 * Adds files and folders to a base.
 */
export type IngestFiles = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * Files, and folders that are taken with everything in them.
 */
paths: Array<string>, 
/**
 * A title in place of the document's own; only for a single file.
 */
title?: string, 
/**
 * A password to open it with; only for a single file.
 */
password?: string, 
/**
 * Whether scanned pages are recognised, which takes seconds a page; not when absent.
 */
recognise?: boolean, };

/**
 * What became of one file or text.
 */
export type IngestOutcome = { 
/**
 * The path, for a file.
 */
path: string | null, 
/**
 * The title, or the file's name.
 */
title: string, 
/**
 * What became of it.
 */
result: IngestResult, 
/**
 * The document, where there is one.
 */
documentId: DocumentId | null, 
/**
 * How many chunks it has.
 */
chunkCount: number, 
/**
 * Why it failed or was passed over.
 */
error: WireError | null, 
/**
 * What a person should know of how it was read and indexed.
 */
warnings: Array<Warning>, };

/**
 * What an ingestion is doing.
 */
export type IngestPhase = "finding" | "reading" | "indexing" | "finished";

/**
 * How far an ingestion is. Sent when it begins, at most ten times a second while it works, at
 * each change of state of an item, and at the end.
 */
export type IngestProgress = { 
/**
 * The job, for cancelling it.
 */
jobId: JobId, 
/**
 * The base that is fed.
 */
kbId: KnowledgeBaseId, 
/**
 * What it is doing.
 */
phase: IngestPhase, 
/**
 * Items it knows of so far.
 */
itemsTotal: number, 
/**
 * Items that have their outcome.
 */
itemsDone: number, 
/**
 * Items that ended in error.
 */
itemsFailed: number, 
/**
 * Chunks of the current document that are embedded.
 */
chunksDone: number, 
/**
 * Chunks of the current document.
 */
chunksTotal: number, 
/**
 * Chunks embedded since the job began.
 */
chunksEmbedded: number, 
/**
 * The current item's title or file name.
 */
current: string | null, 
/**
 * How far the recognition of the current item's scanned pages is, while it goes on.
 */
recognition: RecognitionProgress | null, 
/**
 * Estimated milliseconds until the end, once it can be told.
 */
remainingMs: number | null, 
/**
 * The outcome that this event brings, if it brings one.
 */
outcome: IngestOutcome | null, 
/**
 * Why the job stopped before its end, if it did; told with the phase `finished`.
 */
stopped?: WireError, };

/**
 * What an ingestion did.
 */
export type IngestReport = { 
/**
 * The job.
 */
jobId: JobId, 
/**
 * The base; the first of several; none where a source was replaced that is in no base.
 */
kbId: KnowledgeBaseId | null, 
/**
 * Newly searchable.
 */
ready: number, 
/**
 * Already there.
 */
alreadyHere: number, 
/**
 * Failed.
 */
failed: number, 
/**
 * Passed over.
 */
skipped: number, 
/**
 * Not reached.
 */
cancelled: number, 
/**
 * Each item's outcome.
 */
outcomes: Array<IngestOutcome>, 
/**
 * Why the job stopped before its end, if it did.
 */
stopped: WireError | null, };

/**
 * What became of a file or text, in a word.
 */
export type IngestResult = "ready" | "already_here" | "failed" | "skipped" | "cancelled";

/**
 * Puts the sample help centre, its agent and its tickets in place.
 */
export type InstallSamples = { 
/**
 * In which language.
 */
language: Language, };

/**
 * Names one piece of long work while it runs.
 */
export type JobId = string;

/**
 * Names a job.
 */
export type JobRef = { 
/**
 * The job.
 */
jobId: JobId, };

/**
 * Names a [`KnowledgeBase`](crate::KnowledgeBase).
 */
export type KnowledgeBaseId = string;

/**
 * Names a base.
 */
export type KnowledgeBaseRef = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, };

/**
 * A base with what it holds.
 */
export type KnowledgeBaseSummary = { 
/**
 * What it holds.
 */
counts: DocumentCounts, 
/**
 * The names of the agents that may search it.
 */
agents: Array<string>, 
/**
 * Its id.
 */
id: KnowledgeBaseId, 
/**
 * The project it belongs to.
 */
projectId: ProjectId, 
/**
 * Its name, unique in the project.
 */
name: string, 
/**
 * What it is about; may be empty.
 */
description: string, 
/**
 * The embedder whose vectors it holds.
 */
embeddingModelId: string, 
/**
 * The length of those vectors.
 */
embeddingDim: number, 
/**
 * How its texts are cut.
 */
chunking: ChunkingSettings, 
/**
 * When it was made.
 */
createdAt: Timestamp, };

/**
 * A language that the product speaks: its interface, its replies, its rules for sentences.
 */
export type Language = "fr" | "en";

/**
 * Asks for a piece of a base's documents, newest first.
 */
export type ListDocuments = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * Only those that stand here.
 */
status?: DocumentStatus, 
/**
 * Which piece.
 */
page?: PageRequest, };

/**
 * Asks for a piece of the library, newest first.
 */
export type ListSources = { 
/**
 * Words that all occur in the title or the place it came from, without regard to case and
 * accents.
 */
query?: string, 
/**
 * Only what is in this base.
 */
kbId?: KnowledgeBaseId, 
/**
 * Only what came so.
 */
kind?: SourceKind, 
/**
 * Which piece.
 */
page?: PageRequest, };

/**
 * Asks for a piece of the tickets, the last changed first.
 */
export type ListTickets = { 
/**
 * Which piece.
 */
page?: PageRequest, };

/**
 * One turn of a conversation.
 */
export type Message = { 
/**
 * Its id.
 */
id: MessageId, 
/**
 * The conversation it is part of.
 */
ticketId: TicketId, 
/**
 * Who wrote it.
 */
direction: Direction, 
/**
 * Its text.
 */
body: string, 
/**
 * Its language, where it is one of ours and was recognised.
 */
language: Language | null, 
/**
 * The run that proposed it, for a draft.
 */
runId: RunId | null, 
/**
 * When it came.
 */
createdAt: Timestamp, };

/**
 * Names a [`Message`](crate::Message).
 */
export type MessageId = string;

/**
 * An embedding model.
 */
export type ModelInfo = { 
/**
 * Its id.
 */
id: string, 
/**
 * The version of its pack.
 */
version: string, 
/**
 * The length of its vectors.
 */
dimension: number, 
/**
 * How many tokens it reads of a text.
 */
maxTokens: number, 
/**
 * The licence of its weights.
 */
license: string, };

/**
 * Stands where an operation reports no progress.
 */
export type Never = never;

/**
 * Nothing to say.
 */
export type Nothing = Record<symbol, never>;

/**
 * A piece of a list, and how long the whole is.
 */
export type Page<T> = { 
/**
 * The items of this piece, in the list's order.
 */
items: Array<T>, 
/**
 * How many items the whole list has.
 */
total: number, };

/**
 * What the pages of a source are.
 */
export type PageKind = "page" | "approximate_page" | "slide" | "sheet";

/**
 * A page as it looks.
 */
export type PagePicture = { 
/**
 * A PNG image in base64.
 */
png: string, };

/**
 * Asks for the picture of a page.
 */
export type PagePictureRequest = { 
/**
 * The document.
 */
documentId: DocumentId, 
/**
 * The page, from 1.
 */
page: number, 
/**
 * How wide it shall be, 200 to 2,400 pixels.
 */
width: number, };

/**
 * Which piece of a list is wanted.
 */
export type PageRequest = { 
/**
 * How many items to skip.
 */
offset: number, 
/**
 * How many items to return at most; 500 is the most that is honoured.
 */
limit: number, };

/**
 * The pages of a text.
 */
export type Pagination = { 
/**
 * What they are.
 */
kind: PageKind, 
/**
 * Each with its beginning, in the order of the text.
 */
pages: Array<TextPage>, };

/**
 * Asks for the passage behind a number.
 */
export type PassageRef = { 
/**
 * The draft's message.
 */
messageId: MessageId, 
/**
 * The number in it.
 */
number: number, };

/**
 * The snapshot behind a number.
 */
export type PassageView = { 
/**
 * The number.
 */
number: number, 
/**
 * The document's title at the time.
 */
documentTitle: string, 
/**
 * Where the source came from.
 */
sourceUri: string | null, 
/**
 * How the source came.
 */
sourceKind: SourceKind, 
/**
 * The source, as it was.
 */
sourceId: SourceId, 
/**
 * The document, as it was.
 */
documentId: DocumentId, 
/**
 * The base, as it was.
 */
kbId: KnowledgeBaseId, 
/**
 * The base's name at the time.
 */
kbName: string, 
/**
 * The whole passage, as it was.
 */
content: string, 
/**
 * The parts of `content` that the draft used, in characters.
 */
usedRanges: Array<CharRange>, 
/**
 * The chunk's place in its document, from 0.
 */
position: number, 
/**
 * Where the passage lay in the document's text, in characters.
 */
range: CharRange, 
/**
 * The page of the first words that were quoted.
 */
page: number | null, 
/**
 * What such a page is.
 */
pageKind: PageKind | null, 
/**
 * What the document called the page, where that was more than its number.
 */
pageLabel: string | null, 
/**
 * The headings that these words stood under.
 */
heading: string | null, 
/**
 * Cosine distance to the question, in [0, 2].
 */
distance: number, 
/**
 * Whether the document is still in its base.
 */
isDocumentThere: boolean, 
/**
 * When the snapshot was taken.
 */
createdAt: Timestamp, };

/**
 * What would become of paths, judged by their names alone; at most 10,000 files are counted.
 */
export type PathsPreview = { 
/**
 * Files that would be read.
 */
supported: number, 
/**
 * Files of kinds that are not read.
 */
unsupported: number, 
/**
 * Hidden and lock files that would be passed over.
 */
hidden: number, 
/**
 * Folders among the given paths.
 */
folders: number, 
/**
 * Paths that lead nowhere or may not be read.
 */
unreadable: number, 
/**
 * The bytes of the supported files.
 */
byteCount: number, 
/**
 * Whether there was more than was counted.
 */
isTruncated: boolean, };

/**
 * Asks what ingestion would read of a file.
 */
export type PreviewFile = { 
/**
 * The file.
 */
path: string, 
/**
 * For an archive, which of its files; its list when absent.
 */
entry?: string, 
/**
 * A password to open it with.
 */
password?: string, };

/**
 * Asks what would become of paths, before they are ingested.
 */
export type PreviewPaths = { 
/**
 * Files and folders.
 */
paths: Array<string>, };

/**
 * Names a [`Project`](crate::Project).
 */
export type ProjectId = string;

/**
 * What became of the documents that an earlier process left waiting.
 */
export type QueueResumed = { 
/**
 * Searchable now.
 */
ready: number, 
/**
 * In error now.
 */
failed: number, 
/**
 * Still waiting: the job was stopped, or another process has them.
 */
waiting: number, 
/**
 * Why the job stopped before its end, if it did.
 */
stopped: WireError | null, };

/**
 * How far the recognition of scanned pages is.
 */
export type RecognitionProgress = { 
/**
 * Pages that are recognised.
 */
pagesDone: number, 
/**
 * Pages that are scans.
 */
pagesTotal: number, };

/**
 * Gives a source another title, in every base.
 */
export type RenameSource = { 
/**
 * The source.
 */
sourceId: SourceId, 
/**
 * Its new title, 1 to 300 characters.
 */
title: string, };

/**
 * Puts a new version in the place of a source, from a file or a text, one of the two.
 */
export type ReplaceSource = { 
/**
 * The source.
 */
sourceId: SourceId, 
/**
 * The file with the new version; its title becomes the source's.
 */
path?: string, 
/**
 * The new version's text; the title stays.
 */
text?: string, 
/**
 * A password to open the file with.
 */
password?: string, 
/**
 * Whether scanned pages are recognised, which takes seconds a page; not when absent.
 */
recognise?: boolean, };

/**
 * Names a [`Run`](crate::Run).
 */
export type RunId = string;

/**
 * How a run ended.
 */
export type RunStatus = "drafted" | "no_evidence";

/**
 * How long the steps of a run took, in milliseconds.
 */
export type RunTimings = { 
/**
 * Embedding the query and searching.
 */
searchMs: number, 
/**
 * Writing and checking the reply.
 */
generateMs: number, };

/**
 * What the samples made.
 */
export type SamplesInstalled = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * The ticket to open first.
 */
ticketId: TicketId, 
/**
 * When it was done.
 */
at: Timestamp, };

/**
 * Searches bases.
 */
export type Search = { 
/**
 * The question.
 */
query: string, 
/**
 * The bases.
 */
kbIds: Array<KnowledgeBaseId>, 
/**
 * How many passages, 1 to 10,000; 6 when absent.
 */
topK?: number, 
/**
 * Only passages at most this far, a cosine distance in [0, 2].
 */
maxDistance?: number, };

/**
 * A passage that a search found.
 */
export type SearchHit = { 
/**
 * The chunk.
 */
chunkId: ChunkId, 
/**
 * Its document.
 */
documentId: DocumentId, 
/**
 * Its base.
 */
kbId: KnowledgeBaseId, 
/**
 * That base's name.
 */
kbName: string, 
/**
 * The source behind the document.
 */
sourceId: SourceId, 
/**
 * The document's title.
 */
documentTitle: string, 
/**
 * Where the source came from.
 */
sourceUri: string | null, 
/**
 * The passage.
 */
content: string, 
/**
 * The chunk's place in its document, from 0.
 */
position: number, 
/**
 * Where the passage begins in the text, in characters.
 */
start: number, 
/**
 * One past where it ends.
 */
end: number, 
/**
 * The page it begins on.
 */
page: number | null, 
/**
 * What such a page is.
 */
pageKind: PageKind | null, 
/**
 * What the document calls the page, where that is more than its number.
 */
pageLabel: string | null, 
/**
 * The headings it stands under.
 */
heading: string | null, 
/**
 * Cosine distance to the question, in [0, 2].
 */
distance: number, 
/**
 * Larger is better.
 */
score: number, };

/**
 * How a search finds its passages.
 */
export type SearchMode = "hybrid" | "vector" | "text";

/**
 * What a search found.
 */
export type SearchResult = { 
/**
 * The passages, best first.
 */
hits: Array<SearchHit>, };

/**
 * One sentence of a draft.
 */
export type Sentence = { 
/**
 * Its words, without numbers.
 */
text: string, 
/**
 * The numbers that stand after it.
 */
citations: Array<number>, 
/**
 * Whether its passages carry it.
 */
support: Support, 
/**
 * Whether a new paragraph begins with it.
 */
startsParagraph: boolean, };

/**
 * Switches a document on or off.
 */
export type SetDocumentEnabled = { 
/**
 * The document.
 */
documentId: DocumentId, 
/**
 * Whether searches see it.
 */
isEnabled: boolean, };

/**
 * What a person chose, and what they may want to know.
 */
export type Settings = { 
/**
 * The language of the interface; none: the system's.
 */
language: Language | null, 
/**
 * Light or dark; none: the system's.
 */
theme: Theme | null, 
/**
 * Where everything is kept.
 */
dataFolder: string, 
/**
 * The version of Ancre.
 */
version: string, 
/**
 * The embedding model.
 */
engine: EngineStatus, 
/**
 * Whether another Ancre is using the data folder, so that here it can only be read.
 */
isReadOnly: boolean, 
/**
 * Whether nothing has been made yet: no base, no ticket.
 */
isEmpty: boolean, };

/**
 * A source in one base: what a list shows of the document.
 */
export type SourceAttachment = { 
/**
 * The document.
 */
documentId: DocumentId, 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * The base's name.
 */
kbName: string, 
/**
 * Where the document stands.
 */
status: DocumentStatus, 
/**
 * Whether searches see it once it is ready.
 */
isEnabled: boolean, 
/**
 * How many chunks it has; 0 until it is ready.
 */
chunkCount: number, 
/**
 * Why it is in error, if it is.
 */
failure: DocumentFailure | null, };

/**
 * Names a [`Source`](crate::Source).
 */
export type SourceId = string;

/**
 * How a source came into the library.
 */
export type SourceKind = "upload" | "url" | "crawl" | "inline";

/**
 * Names a source.
 */
export type SourceRef = { 
/**
 * The source.
 */
sourceId: SourceId, };

/**
 * A source as the library lists it: without its headings and pages, and with where it is used.
 */
export type SourceSummary = { 
/**
 * Its id.
 */
id: SourceId, 
/**
 * How it came.
 */
kind: SourceKind, 
/**
 * Where it came from: a path, a web address, or nothing for pasted text.
 */
uri: string | null, 
/**
 * Its title, never empty.
 */
title: string, 
/**
 * The media type of the original bytes.
 */
mime: string, 
/**
 * SHA-256 of the extracted text in UTF-8, 64 lower-case hexadecimal digits.
 */
sha256: string, 
/**
 * Size of the original in bytes.
 */
byteCount: number, 
/**
 * Length of the extracted text in characters.
 */
charCount: number, 
/**
 * The language of the text, where it is one of ours and was recognised.
 */
language: Language | null, 
/**
 * What a person should know of how it was read.
 */
warnings: Array<Warning>, 
/**
 * Whether the original's bytes are kept beside the text.
 */
hasOriginal: boolean, 
/**
 * 1 for the first; one more than that of the source whose place it took.
 */
version: number, 
/**
 * When it was stored.
 */
createdAt: Timestamp, 
/**
 * The bases it is in, by name.
 */
attachments: Array<SourceAttachment>, };

/**
 * A source with its text.
 */
export type SourceText = { 
/**
 * The source.
 */
source: SourceSummary, 
/**
 * Its text.
 */
text: string, 
/**
 * The headings of the text.
 */
outline: Array<Heading>, 
/**
 * The pages of the text, where the format has pages.
 */
pagination: Pagination | null, 
/**
 * Whether its pages can be shown as they look: a PDF whose original is kept.
 */
hasPagePictures: boolean, };

/**
 * How much room the data folder takes, in bytes.
 */
export type StorageReport = { 
/**
 * The database with its log.
 */
databaseBytes: number, 
/**
 * What of it can be given back, about.
 */
reclaimableBytes: number, 
/**
 * What of it is vectors kept to save work.
 */
cacheBytes: number, 
/**
 * What of it is originals of sources.
 */
originalsBytes: number, };

/**
 * Whether the cited passages carry a sentence.
 */
export type Support = "supported" | "unsupported" | "no_claim";

/**
 * The formats that are read.
 */
export type SupportedFormats = { 
/**
 * File extensions without the dot, lower case.
 */
extensions: Array<string>, 
/**
 * Whether scanned pages can be recognised here.
 */
canRecognise: boolean, };

/**
 * Where one page begins in the text.
 */
export type TextPage = { 
/**
 * Its number, from 1: of the page, the slide or the sheet.
 */
number: number, 
/**
 * What the document itself calls it, where that is more than the number: `xii`, or
 * `Tarifs!A2:D51`.
 */
label: string | null, 
/**
 * The first character of the text that is on it. A page without text begins where the next
 * one does.
 */
start: number, };

/**
 * The look of the interface.
 */
export type Theme = "light" | "dark";

/**
 * Names a [`Ticket`](crate::Ticket).
 */
export type TicketId = string;

/**
 * Names a ticket.
 */
export type TicketRef = { 
/**
 * The ticket.
 */
ticketId: TicketId, };

/**
 * Where a ticket stands.
 */
export type TicketStatus = "open" | "drafted";

/**
 * A ticket as a list shows it.
 */
export type TicketSummary = { 
/**
 * The beginning of the customer's last message.
 */
preview: string, 
/**
 * The agent's name.
 */
agentName: string | null, 
/**
 * How its latest run ended.
 */
latestRunStatus: RunStatus | null, 
/**
 * Its id.
 */
id: TicketId, 
/**
 * The project it belongs to.
 */
projectId: ProjectId, 
/**
 * Its subject, never empty.
 */
subject: string, 
/**
 * Whether it waits for a reply.
 */
status: TicketStatus, 
/**
 * The agent that answers it, once one was chosen.
 */
agentId: AgentId | null, 
/**
 * When it came.
 */
createdAt: Timestamp, 
/**
 * When its last message came.
 */
updatedAt: Timestamp, };

/**
 * A ticket, its messages and its latest draft.
 */
export type TicketView = { 
/**
 * The customer's messages, oldest first.
 */
messages: Array<Message>, 
/**
 * The latest draft, if there is one.
 */
draft: Draft | null, 
/**
 * How many drafts there have been.
 */
draftCount: number, 
/**
 * Its id.
 */
id: TicketId, 
/**
 * The project it belongs to.
 */
projectId: ProjectId, 
/**
 * Its subject, never empty.
 */
subject: string, 
/**
 * Whether it waits for a reply.
 */
status: TicketStatus, 
/**
 * The agent that answers it, once one was chosen.
 */
agentId: AgentId | null, 
/**
 * When it came.
 */
createdAt: Timestamp, 
/**
 * When its last message came.
 */
updatedAt: Timestamp, };

/**
 * A moment: milliseconds since 1970-01-01T00:00:00Z, UTC.
 */
export type Timestamp = number;

/**
 * Changes an agent.
 */
export type UpdateAgent = { 
/**
 * The agent.
 */
agentId: AgentId, 
/**
 * What it becomes.
 */
details: AgentDetails, };

/**
 * Changes a base; what is absent stays.
 */
export type UpdateKnowledgeBase = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * Its name, 1 to 100 characters.
 */
name?: string, 
/**
 * What it is about.
 */
description?: string, 
/**
 * Characters per chunk, at the next indexing.
 */
chunkSize?: number, 
/**
 * Characters that consecutive chunks share, at the next indexing.
 */
chunkOverlap?: number, };

/**
 * Changes settings. What is absent stays; `null` goes back to the system's choice.
 */
export type UpdateSettings = { 
/**
 * The language of the interface.
 */
language?: Language | null, 
/**
 * Light or dark.
 */
theme?: Theme | null, };

/**
 * Something to know of a document that was read.
 */
export type Warning = { "code": "replaced_characters", 
/**
 * The encoding, such as `UTF-8`.
 */
encoding: string, } | { "code": "partial", 
/**
 * The pages that were lost, where the format has pages and they are known.
 */
pages: Array<number>, } | { "code": "scanned_pages", 
/**
 * Which.
 */
pages: Array<number>, 
/**
 * How many pages the document has.
 */
total: number, } | { "code": "recognised_pages", 
/**
 * Which.
 */
pages: Array<number>, 
/**
 * How many pages the document has.
 */
total: number, } | { "code": "garbled_pages", 
/**
 * Which.
 */
pages: Array<number>, 
/**
 * How many pages the document has.
 */
total: number, } | { "code": "skipped_parts", 
/**
 * Their names.
 */
names: Array<string>, } | { "code": "outside_window", 
/**
 * How many.
 */
passages: number, 
/**
 * How many passages the document has.
 */
total: number, };

/**
 * An error as it crosses to an interface.
 */
export type WireError = { 
/**
 * What the interface can act on, and localise by.
 */
code: ErrorCode, 
/**
 * One English sentence.
 */
message: string, 
/**
 * What to do next.
 */
hint?: string, 
/**
 * More for the curious, such as the names that the sentence speaks of.
 */
details?: unknown, };

