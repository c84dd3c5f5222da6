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
 * The means of a measurement, each in [0, 1]; documents are ranked by their best passage. Questions
 * of which every expected document is gone are counted on their own and are part of no mean.
 */
export type BenchFigures = { 
/**
 * The share of what was expected that is among the first `topK` passages.
 */
recallAtK: number, 
/**
 * Normalised discounted cumulative gain of the first ten documents.
 */
ndcgAt10: number, 
/**
 * One over the rank of the first expected document.
 */
mrr: number, 
/**
 * The share of the questions that must be refused which an agent would have refused; none
 * without such questions, or where no model was there to weigh the evidence.
 */
refusedRightly: number | null, 
/**
 * The share of the other questions which an agent would have refused; none as above.
 */
refusedWrongly: number | null, 
/**
 * How many questions were asked, those with gone documents among them.
 */
questions: number, 
/**
 * How many of them expect only documents that are gone from the base.
 */
gone: number, };

/**
 * A document that a measurement found.
 */
export type BenchHit = { 
/**
 * Its title at the time.
 */
title: string, 
/**
 * The score of its best passage.
 */
score: number, };

/**
 * How far a measurement is.
 */
export type BenchProgress = { 
/**
 * Questions asked.
 */
done: number, 
/**
 * Questions in all.
 */
total: number, };

/**
 * What became of one question.
 */
export type BenchResult = { 
/**
 * The question; it may be gone.
 */
questionId: QuestionId, 
/**
 * Its text at the time.
 */
text: string, 
/**
 * The rank of the first document that was expected, from 1; none when it was not found.
 */
rank: number | null, 
/**
 * The titles of what was expected; empty for a question that must be refused.
 */
expected: Array<string>, 
/**
 * Those of these titles whose documents were gone from the base.
 */
gone: Array<string>, 
/**
 * The first documents that were found.
 */
topHits: Array<BenchHit>, 
/**
 * Whether an agent would have refused to answer from what was found; none where no model was
 * there to weigh the evidence.
 */
refused: boolean | null, };

/**
 * A measurement of a base with its questions. It never changes.
 */
export type BenchRun = { 
/**
 * Its id.
 */
id: BenchRunId, 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * How the questions were searched.
 */
settings: BenchSettings, 
/**
 * The index that answered; none for a measurement of an earlier version.
 */
index: SearchedIndex | null, 
/**
 * The means over the questions.
 */
figures: BenchFigures, 
/**
 * What became of each question, in the order of the list.
 */
results: Array<BenchResult>, 
/**
 * When it was made.
 */
createdAt: Timestamp, };

/**
 * Names a [`BenchRun`](crate::BenchRun).
 */
export type BenchRunId = string;

/**
 * Names a measurement.
 */
export type BenchRunRef = { 
/**
 * The measurement.
 */
runId: BenchRunId, };

/**
 * How the questions of a measurement are searched.
 */
export type BenchSettings = { 
/**
 * Which rankings are followed.
 */
mode?: SearchMode, 
/**
 * How many passages an agent would get, 1 to 50.
 */
topK?: number, 
/**
 * How far evidence of meaning reaches, a cosine distance in [0, 2]; none: no limit.
 */
maxDistance?: number | null, 
/**
 * Whether a reranker puts the best in order.
 */
rerank?: boolean, };

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
 * How it was searched; none for a draft of an earlier version.
 */
search: SearchRecord | null, 
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
export type ErrorCode = "invalid_input" | "not_found" | "name_taken" | "already_in_library" | "knowledge_base_in_use" | "agent_without_bases" | "file_not_found" | "permission_denied" | "not_a_file" | "read_failed" | "unsupported" | "binary" | "empty" | "too_large" | "password" | "wrong_password" | "no_text_layer" | "corrupt" | "timeout" | "worker_died" | "cancelled" | "document_busy" | "job_ended" | "model_missing" | "reranker_missing" | "reranker_damaged" | "model_damaged" | "runtime_missing" | "model_failed" | "model_mismatch" | "data_in_use" | "work_in_progress" | "index_missing" | "generation_incomplete" | "data_read_only" | "disk_full" | "database_newer" | "database_damaged" | "database_busy" | "internal";

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
ticketId: TicketId, } | { "type": "job_progressed" } & IngestProgress | { "type": "job_changed", 
/**
 * The job as it is now.
 */
job: JobSummary, } | { "type": "jobs_changed" } | { "type": "engine_changed" } & EngineStatus | { "type": "settings_changed" };

/**
 * What answers a question: a passage of a source, or any passage of it.
 */
export type ExpectedPassage = { 
/**
 * The source; it may be gone.
 */
sourceId: SourceId, 
/**
 * Its title when the question was made.
 */
title: string, 
/**
 * Where the passage begins in the source's text, in characters; none: any passage will do.
 */
start?: number | null, 
/**
 * One past where it ends.
 */
end?: number | null, };

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
 * What a generation is for. A base has at most one of each.
 */
export type GenerationState = "building" | "serving" | "previous";

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
 * Makes questions from a file.
 */
export type ImportQuestions = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * JSON lines of `{ question, expected, mustRefuse }`, or lines of a question, a tab and a
 * title.
 */
path: string, };

/**
 * Puts a reranker in.
 */
export type ImportReranker = { 
/**
 * A folder with `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, or a pack. What
 * follows is for a folder without a manifest; a pack says it itself.
 */
folder: string, 
/**
 * What it will be called; the name of the folder when absent.
 */
id?: string, 
/**
 * The licence of its weights, as an SPDX expression. Whoever puts it in has looked.
 */
license?: string, 
/**
 * Where its weights came from; the folder when absent.
 */
source?: string, 
/**
 * How many tokens it reads, 16 to 8,192; what its tokenizer says, or 512, when absent.
 */
maxTokens?: number, };

/**
 * A base that was searched in part, since a part of its index is missing.
 */
export type IndexGap = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * Its name.
 */
kbName: string, 
/**
 * What is missing.
 */
missing: MissingPart, };

/**
 * One index of a base: chunks cut with one setting, vectors of one model, words.
 */
export type IndexGeneration = { 
/**
 * Its number within the base, from 1.
 */
number: number, 
/**
 * What it is for.
 */
state: GenerationState, 
/**
 * The embedder whose vectors it holds.
 */
embeddingModelId: string, 
/**
 * That embedder's version; none where it was indexed before versions were kept.
 */
embeddingVersion: string | null, 
/**
 * The length of the vectors.
 */
embeddingDim: number, 
/**
 * How its texts were cut when it was begun.
 */
chunking: ChunkingSettings, 
/**
 * Documents that are whole in it.
 */
documents: number, 
/**
 * Chunks that have their vectors in it.
 */
chunks: number, 
/**
 * When it was begun.
 */
createdAt: Timestamp, 
/**
 * When it was whole.
 */
finishedAt: Timestamp | null, };

/**
 * Whether a base can be searched as it should be.
 */
export type IndexHealth = "ok" | "legacy" | "vectors_missing" | "wrong_dimension" | "chunks_missing" | "model_missing" | "no_text_index";

/**
 * The index that a base answers from, and those beside it.
 */
export type IndexSummary = { 
/**
 * The number of the generation that answers, from 1.
 */
generation: number, 
/**
 * The version of the model that made it; none where it is from before versions were kept.
 */
embeddingVersion: string | null, 
/**
 * Whether it can be searched as it should be.
 */
health: IndexHealth, 
/**
 * Whether indexing the base again would make another index: of another version of its model,
 * or cut as its settings say now.
 */
isOutdated: boolean, 
/**
 * The one that is being built.
 */
building: IndexGeneration | null, 
/**
 * The one that answered before and can be brought back.
 */
previous: IndexGeneration | null, 
/**
 * How the texts were cut that are searched; the base's own chunking is for the next indexing.
 */
chunkingInUse: ChunkingSettings, };

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
export type IngestPhase = "finding" | "reading" | "indexing" | "waiting" | "finished";

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
 * Why nothing can be done now, with the phase `waiting`.
 */
waits?: WaitingFor, 
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
 * Cancelled before their turn.
 */
cancelled: number, 
/**
 * Not reached yet: the job is put off, or goes on later.
 */
waiting: number, 
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
export type IngestResult = "ready" | "already_here" | "failed" | "skipped" | "cancelled" | "waiting";

/**
 * Puts the sample help centre, its agent and its tickets in place.
 */
export type InstallSamples = { 
/**
 * In which language.
 */
language: Language, };

/**
 * An embedding model on this machine.
 */
export type InstalledModel = { 
/**
 * Its id; of a pack that cannot be read, the name of its folder.
 */
id: string, 
/**
 * Its version; empty where the pack cannot be read.
 */
version: string, 
/**
 * The length of its vectors; 0 where the pack cannot be read.
 */
dimension: number, 
/**
 * How many tokens it reads of a text.
 */
maxTokens: number, 
/**
 * The licence of its weights, as an SPDX expression.
 */
license: string, 
/**
 * Whether new bases use it.
 */
isDefault: boolean, 
/**
 * Why it cannot be used, if so.
 */
error: WireError | null, };

/**
 * A reranker that is installed.
 */
export type InstalledReranker = { 
/**
 * Its id; of a pack that cannot be read, the name of its folder.
 */
id: string, 
/**
 * Its version; empty where the pack cannot be read.
 */
version: string, 
/**
 * How many tokens of question and passage together it reads; 0 where the pack cannot be read.
 */
maxTokens: number, 
/**
 * The licence of its weights, as an SPDX expression.
 */
license: string, 
/**
 * Where its weights came from.
 */
source: string, 
/**
 * Whether it is the one that searches use.
 */
isUsed: boolean, 
/**
 * Whether it is in the data folder and can be removed.
 */
isRemovable: boolean, 
/**
 * Why it cannot be used, if so.
 */
error: WireError | null, };

/**
 * Names one piece of long work while it runs.
 */
export type JobId = string;

/**
 * An item of a job.
 */
export type JobItem = { 
/**
 * Its number in the job, from 1.
 */
number: number, 
/**
 * Where the file is; for a file of an archive, the archive's path and the one inside.
 */
path: string | null, 
/**
 * Its title, or the file's name until it was read.
 */
title: string, 
/**
 * Where it stands.
 */
state: JobItemState, 
/**
 * Its document, once it has one.
 */
documentId: DocumentId | null, 
/**
 * How many chunks the document has; 0 until it is searchable.
 */
chunkCount: number, 
/**
 * How many chunks are embedded so far.
 */
chunksDone: number, 
/**
 * How often its indexing was begun.
 */
attempts: number, 
/**
 * Why it failed or was not tried.
 */
error: WireError | null, 
/**
 * What a person should know of how it was read and indexed.
 */
warnings: Array<Warning>, };

/**
 * Where an item of a job stands.
 */
export type JobItemState = "queued" | "reading" | "splitting" | "embedding" | "ready" | "failed" | "already_here" | "skipped" | "cancelled";

/**
 * What a job does.
 */
export type JobKind = "ingest" | "reindex" | "text_index" | "recognise" | "crawl" | "mail";

/**
 * Names a job.
 */
export type JobRef = { 
/**
 * The job.
 */
jobId: JobId, };

/**
 * Where a job stands.
 */
export type JobState = "queued" | "running" | "paused" | "done" | "failed" | "cancelled";

/**
 * What a job is doing.
 */
export type JobStep = "finding" | "reading" | "indexing" | "verifying" | "switching";

/**
 * A job and how far it is. Counts are of items unless they say chunks.
 */
export type JobSummary = { 
/**
 * Its id.
 */
id: JobId, 
/**
 * What it does.
 */
kind: JobKind, 
/**
 * The base that it works on; it may be gone.
 */
kbId: KnowledgeBaseId | null, 
/**
 * That base's name, while it is there.
 */
kbName: string | null, 
/**
 * What it is about: a file, a folder, a title.
 */
title: string, 
/**
 * Where it stands.
 */
state: JobState, 
/**
 * What it does, or did last.
 */
step: JobStep | null, 
/**
 * How often it was put off since it last got anywhere.
 */
attempts: number, 
/**
 * That are known so far.
 */
itemsTotal: number, 
/**
 * That have their outcome, whatever it is; those that were cancelled have none.
 */
itemsDone: number, 
/**
 * That could not be read or indexed.
 */
itemsFailed: number, 
/**
 * Whose text was there already.
 */
itemsAlreadyHere: number, 
/**
 * That were not tried.
 */
itemsSkipped: number, 
/**
 * That were cancelled before their turn.
 */
itemsCancelled: number, 
/**
 * That have warnings and are worth a look.
 */
itemsFlagged: number, 
/**
 * Chunks that are indexed.
 */
chunksDone: number, 
/**
 * Chunks that are known so far.
 */
chunksTotal: number, 
/**
 * The measured pace, while it runs.
 */
chunksPerMinute: number | null, 
/**
 * Estimated milliseconds until the end, once it can be told.
 */
remainingMs: number | null, 
/**
 * What it is at: a title or a file's name.
 */
current: string | null, 
/**
 * When it is tried again, if it was put off.
 */
nextAttemptAt: Timestamp | null, 
/**
 * Why it failed, was put off, or was paused by itself.
 */
error: WireError | null, 
/**
 * When somebody asked for it.
 */
createdAt: Timestamp, 
/**
 * When it was first worked on.
 */
startedAt: Timestamp | null, 
/**
 * When it ended.
 */
finishedAt: Timestamp | null, };

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
 * The index that it answers from.
 */
index: IndexSummary, 
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
 * A line that made no question.
 */
export type LineSkipped = { 
/**
 * Its number, from 1.
 */
line: number, 
/**
 * Why; interfaces have words for each.
 */
code: LineSkippedCode, 
/**
 * The name that no document has, or several have; what is wrong with the JSON.
 */
detail: string | null, 
/**
 * How many documents have the name, or characters the question.
 */
count: number | null, 
/**
 * The same as an English clause, for terminals.
 */
reason: string, };

/**
 * Why a line made no question.
 */
export type LineSkippedCode = "not_json" | "no_tab" | "empty" | "too_long" | "nothing_expected" | "refused_and_expected" | "ambiguous" | "unknown" | "already_there";

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
 * Asks for a piece of a job's items.
 */
export type ListJobItems = { 
/**
 * The job.
 */
jobId: JobId, 
/**
 * Only those that stand here.
 */
state?: JobItemState, 
/**
 * Which piece.
 */
page?: PageRequest, };

/**
 * Asks for a piece of the list of jobs.
 */
export type ListJobs = { 
/**
 * Which piece.
 */
page?: PageRequest, };

/**
 * Asks for a piece of a base's questions, oldest first.
 */
export type ListQuestions = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
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
 * A part of an index.
 */
export type MissingPart = "vectors" | "words";

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
 * Moves a job in the queue.
 */
export type MoveJob = { 
/**
 * The job.
 */
jobId: JobId, 
/**
 * The job before which it is taken; behind all others when null.
 */
before: JobId | null, };

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
 * A passage of a document.
 */
export type Passage = { 
/**
 * The chunk.
 */
chunkId: ChunkId, 
/**
 * Its place in its document, from 0.
 */
position: number, 
/**
 * Where it begins in the text, in characters.
 */
start: number, 
/**
 * One past where it ends.
 */
end: number, 
/**
 * Its text.
 */
content: string, 
/**
 * The headings it stands under.
 */
heading: string | null, 
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
pageLabel: string | null, };

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
 * A question of which it is known what answers it, or that nothing in the base does.
 */
export type Question = { 
/**
 * Its id.
 */
id: QuestionId, 
/**
 * The base it measures.
 */
kbId: KnowledgeBaseId, 
/**
 * The question, as a customer would ask it.
 */
text: string, 
/**
 * What answers it; empty when it must be refused.
 */
expected: Array<ExpectedPassage>, 
/**
 * Whether nothing in the base answers it, so that a search that seems to has failed.
 */
mustRefuse: boolean, 
/**
 * When it was made.
 */
createdAt: Timestamp, };

/**
 * Names a [`Question`](crate::Question).
 */
export type QuestionId = string;

/**
 * Names a question.
 */
export type QuestionRef = { 
/**
 * The question.
 */
questionId: QuestionId, };

/**
 * What became of a file's lines.
 */
export type QuestionsImported = { 
/**
 * How many questions were made.
 */
imported: number, 
/**
 * The lines that were left out.
 */
skipped: Array<LineSkipped>, };

/**
 * What became of the work that an earlier process left waiting: documents, and indexes that are
 * built anew, whose documents count for nothing here because they were ready before.
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
 * Bases that answer from a new index now.
 */
indexesBuilt: number, 
/**
 * Bases whose new index is not whole yet; they answer as before.
 */
indexesWaiting: number, 
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
 * Asks for a new index of a base, or what one would cost. What is absent stays as it is.
 */
export type Reindex = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * The embedding model; the base's own when absent.
 */
model?: string, 
/**
 * Characters per chunk; as the base's settings say when absent.
 */
chunkSize?: number, 
/**
 * Characters that consecutive chunks share; as the base's settings say when absent.
 */
chunkOverlap?: number, };

/**
 * What a new index costs, measured on this machine.
 */
export type ReindexEstimate = { 
/**
 * Documents that have to be built.
 */
documents: number, 
/**
 * Chunks that they will have.
 */
chunks: number, 
/**
 * Of these, how many were embedded before and need nothing.
 */
cachedChunks: number, 
/**
 * How long it takes.
 */
milliseconds: number, 
/**
 * How many bytes the database grows by until the old index is discarded.
 */
diskBytes: number, 
/**
 * How fast the model is here; 0 where nothing is to be embedded and nobody knows.
 */
passagesPerSecond: number, };

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
 * Names a reranker.
 */
export type RerankerRef = { 
/**
 * Its id.
 */
id: string, };

/**
 * Tries a job again.
 */
export type RetryJob = { 
/**
 * The job.
 */
jobId: JobId, 
/**
 * One item; each that failed or was cancelled when absent.
 */
number?: number, 
/**
 * A password to open it with. It is kept in memory only.
 */
password?: string, 
/**
 * Whether pages that are scans are recognised this time. It is kept in memory only, too.
 */
recognise?: boolean, };

/**
 * Measures a base with its questions.
 */
export type RunBench = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * How the questions are searched.
 */
settings?: BenchSettings, };

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
 * Makes a question, or changes one.
 */
export type SaveQuestion = { 
/**
 * The base.
 */
kbId: KnowledgeBaseId, 
/**
 * The question that is changed; a new one is made when absent.
 */
id?: QuestionId, 
/**
 * The question, 1 to 10,000 characters.
 */
text: string, 
/**
 * What answers it; nothing when it must be refused.
 */
expected?: Array<ExpectedPassage>, 
/**
 * Whether nothing in the base answers it.
 */
mustRefuse?: boolean, };

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
 * How far evidence of meaning reaches, a cosine distance in [0, 2]. A passage beyond it is
 * found only by its words, with its real distance.
 */
maxDistance?: number, 
/**
 * Which rankings are followed; both when absent.
 */
mode?: SearchMode, 
/**
 * Whether the best are put in order by the reranker that is installed.
 */
rerank?: boolean, };

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
 * The language of the passage, where it was recognised.
 */
language: Language | null, 
/**
 * Cosine distance to the question, in [0, 2]; 2 where it is not known.
 */
distance: number, 
/**
 * By what the passages are ordered, in [0, 1]; larger is better.
 */
score: number, 
/**
 * Its place in the ranking by meaning, from 1; none where that ranking does not have it.
 */
vectorRank: number | null, 
/**
 * Its place in the ranking by words, from 1; none where that ranking does not have it.
 */
lexicalRank: number | null, 
/**
 * How well it fits by words, in [0, 1].
 */
lexicalScore: number | null, 
/**
 * The words of the question that it, its title or its heading has, as they were typed.
 */
matchedTerms: Array<string>, 
/**
 * Where they stand in `content`, in characters, in order and apart.
 */
matches: Array<CharRange>, };

/**
 * How a search finds its passages.
 */
export type SearchMode = "hybrid" | "vector" | "text";

/**
 * The settings of a search that a run rests on.
 */
export type SearchRecord = { 
/**
 * Which rankings were followed.
 */
mode: SearchMode, 
/**
 * How many passages were asked for.
 */
topK: number, 
/**
 * How far evidence of meaning reached, a cosine distance in [0, 2]; none: no limit.
 */
maxDistance: number | null, 
/**
 * The indexes that answered, in the order of their bases' ids.
 */
indexes: Array<SearchedIndex>, };

/**
 * What a search found.
 */
export type SearchResult = { 
/**
 * The passages, best first.
 */
hits: Array<SearchHit>, 
/**
 * Which rankings were followed.
 */
mode: SearchMode, 
/**
 * The language of the question, where it is one of ours and clear.
 */
language: Language | null, 
/**
 * The words that were looked for, as they were typed.
 */
terms: Array<string>, 
/**
 * The bases that could be searched in part only.
 */
gaps: Array<IndexGap>, 
/**
 * Whether the reranker put the best in order; false when it was late or failed, so that the
 * order is the search's. None where it was not asked for.
 */
isReranked: boolean | null, 
/**
 * How long it took.
 */
milliseconds: number, };

/**
 * The index of a base at the time of a search.
 */
export type SearchedIndex = { 
/**
 * The base; it may be gone.
 */
kbId: KnowledgeBaseId, 
/**
 * The number of its generation; none for a base from before generations.
 */
generation: number | null, 
/**
 * The embedder whose vectors it held.
 */
embeddingModelId: string, 
/**
 * That embedder's version; none where it was indexed before versions were kept.
 */
embeddingVersion: string | null, };

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
 * What closing the window does.
 */
whenClosed: WhenClosed, 
/**
 * Whether the person was told that work goes on behind a closed window.
 */
hasSeenClosingNotice: boolean, 
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
 * Asks for what stands around a passage.
 */
export type ShowAround = { 
/**
 * The passage.
 */
chunkId: ChunkId, 
/**
 * How many passages before it, at most 50; 1 when absent.
 */
before?: number, 
/**
 * How many behind it, at most 50; 1 when absent.
 */
after?: number, };

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
 * Changes settings. What is absent stays; `null` goes back to the system's choice,
 * where there is one.
 */
export type UpdateSettings = { 
/**
 * The language of the interface.
 */
language?: Language | null, 
/**
 * Light or dark.
 */
theme?: Theme | null, 
/**
 * What closing the window does.
 */
whenClosed?: WhenClosed, 
/**
 * Whether the person was told that work goes on behind a closed window.
 */
hasSeenClosingNotice?: boolean, };

/**
 * Why nothing can be done with a job now.
 */
export type WaitingFor = { 
/**
 * The reason.
 */
error: WireError, 
/**
 * When it is tried again.
 */
nextAttemptAt: Timestamp | null, };

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
total: number, } | { "code": "many_chunks", 
/**
 * How many passages the document has.
 */
chunks: number, 
/**
 * The size of the file.
 */
bytes: number, } | { "code": "mostly_unprintable", 
/**
 * How many of a hundred characters.
 */
percent: number, } | { "code": "little_text", 
/**
 * How many characters did.
 */
characters: number, 
/**
 * The size of the file.
 */
bytes: number, };

/**
 * What closing the window does.
 */
export type WhenClosed = "keep_working" | "stay_in_tray" | "quit";

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

