/**
 * What the in-memory host holds, and how it tells about it. Only for tests and development.
 */
import { refusal } from '../errors';
import type {
  Agent,
  BenchRun,
  CharRange,
  ChunkingSettings,
  Document,
  Draft,
  EngineStatus,
  Event,
  Heading,
  InstalledReranker,
  KnowledgeBaseSummary,
  Message,
  Page,
  PageRequest,
  Pagination,
  PassageView,
  Question,
  Settings,
  SourceKind,
  TicketView,
  Warning,
} from '../wire';
import type { StoredJob } from './jobs';

/** A document with what was made of its text. */
export interface StoredDocument {
  document: Document;
  text: string;
  outline: Heading[];
  chunks: CharRange[];
  pagination?: Pagination | null;
  /** Per chunk, tokens outside the model's window. */
  tokensOutsideWindow?: number[];
}

/** A text of the library, once however many bases it is in. */
export interface StoredSource {
  id: string;
  kind: SourceKind;
  uri: string | null;
  title: string;
  text: string;
  mime: string;
  pagination: Pagination | null;
  warnings: Warning[];
  version: number;
  createdAt: number;
}

/** A ticket with all that hangs on it. */
export interface StoredTicket {
  ticket: Omit<TicketView, 'messages' | 'draft' | 'draftCount'>;
  messages: Message[];
  drafts: Draft[];
}

/** Everything, in maps by id; the order of insertion is the order of making. */
export class Store {
  bases = new Map<string, Omit<KnowledgeBaseSummary, 'counts' | 'agents'>>();
  sources = new Map<string, StoredSource>();
  documents = new Map<string, StoredDocument>();
  agents = new Map<string, Agent>();
  tickets = new Map<string, StoredTicket>();
  passages = new Map<string, PassageView>();
  questions = new Map<string, Question>();
  benchRuns = new Map<string, BenchRun>();
  rerankers = new Map<string, InstalledReranker>();
  /** In the order of the queue. */
  jobs = new Map<string, StoredJob>();
  settings: Omit<Settings, 'engine' | 'isEmpty'> = {
    language: null,
    theme: null,
    whenClosed: 'keep_working',
    hasSeenClosingNotice: false,
    dataFolder: '/home/user/.local/share/ancre',
    version: '0.1.0',
    isReadOnly: false,
  };
  engine: EngineStatus;
  readonly #listeners = new Set<(event: Event) => void>();
  #nextId = 1;

  constructor(engine: EngineStatus) {
    this.engine = engine;
  }

  id(): string {
    return String(this.#nextId++).padStart(32, '0');
  }

  subscribe = (listener: (event: Event) => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  get<T>(map: Map<string, T>, id: string): T {
    const found = map.get(id);
    if (found === undefined) throw refusal('not_found', 'It is not there.');
    return found;
  }

  /** The source of this text: one that is there, or a new one. */
  source(
    read: Pick<StoredSource, 'title' | 'text' | 'mime' | 'pagination' | 'warnings'> & { path: string | null },
  ) {
    const there = [...this.sources.values()].find(({ text }) => text === read.text);
    if (there) return there;
    const { path, title, text, mime, pagination, warnings } = read;
    const source: StoredSource = {
      ...{ title, text, mime, pagination, warnings },
      id: this.id(),
      kind: path ? 'upload' : 'inline',
      uri: path,
      version: 1,
      createdAt: Date.now(),
    };
    this.sources.set(source.id, source);
    return source;
  }

  /** Takes a document out of its base; what was cited of it stays. */
  deleteDocument(id: string): void {
    this.documents.delete(id);
    for (const passage of this.passages.values()) {
      if (passage.documentId === id) passage.isDocumentThere = false;
    }
  }

  documentsOf(kbId: string): StoredDocument[] {
    return [...this.documents.values()].filter(({ document }) => document.kbId === kbId).reverse();
  }

  agentsOf(kbId: string): string[] {
    return [...this.agents.values()].filter((agent) => agent.kbIds.includes(kbId)).map((agent) => agent.name);
  }

  summary(kbId: string): KnowledgeBaseSummary {
    const counts = { queued: 0, indexing: 0, ready: 0, error: 0, chunks: 0 };
    for (const { document } of this.documentsOf(kbId)) {
      counts[document.status]++;
      if (document.status === 'ready') counts.chunks += document.chunkCount;
    }
    const base = this.get(this.bases, kbId);
    // As over the wire, what is told does not change afterwards.
    return { ...base, index: structuredClone(base.index), counts, agents: this.agentsOf(kbId) };
  }

  view(ticketId: string): TicketView {
    const { ticket, messages, drafts } = this.get(this.tickets, ticketId);
    return { ...ticket, messages, draft: drafts.at(-1) ?? null, draftCount: drafts.length };
  }
}

/** Cuts at blank lines into slices no longer than a base allows, and here never longer than 420. */
export function chunksOf(text: string, { size }: ChunkingSettings): CharRange[] {
  const limit = Math.min(size, 420);
  const ranges: CharRange[] = [];
  let start = 0;
  for (const match of text.matchAll(/\n\n|$/g)) {
    const end = match.index;
    const last = ranges.at(-1);
    if (last && end - last.start <= limit) last.end = end;
    else if (end > start) ranges.push({ start, end });
    start = end + 2;
  }
  return ranges;
}

export function outlineOf(text: string): Heading[] {
  return [...text.matchAll(/^(#+) (.+)$/gm)].map((match) => ({
    level: match[1]?.length ?? 1,
    title: match[2] ?? '',
    start: match.index,
  }));
}

/** A part of a list, as a screen asks for it. */
export function pageOf<T>(all: readonly T[], page: PageRequest = { offset: 0, limit: 100 }): Page<T> {
  return { items: all.slice(page.offset, page.offset + page.limit), total: all.length };
}
