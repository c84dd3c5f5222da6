/**
 * The in-memory twin of the host, for component tests and for developing in a browser (`npm run dev`). It
 * keeps the contract's shapes and order of events, invents texts, and loses everything on reload. No
 * production bundle contains it: only tests and a development branch of `main.ts` import it.
 */
import type { Backend, FileDrop } from './backend';
import { refusal } from './errors';
import { agentFor, compose } from './memory/drafting';
import { EXTENSIONS, ingest, itemsOf, previewOf, type Item } from './memory/ingestion';
import { SAMPLES } from './memory/samples';
import { Store } from './memory/store';
import type { Operations } from './operations';
import type { EngineStatus, IngestProgress, Language, Page, PageRequest, WireError } from './wire';

export interface MemoryOptions {
  /** Whether the sample help centre is there from the start, and in which language. */
  samples?: Language;
  /** How long each step takes, in milliseconds. */
  delayMs?: number;
  engine?: EngineStatus;
  /** Whether drafts hold a sentence that no passage carries. */
  withUnsupported?: boolean;
}

/** The twin, with what a test wants to do to it or know of it. */
export interface MemoryBackend extends Backend {
  store: Store;
  /** Refuses the next call of an operation, named like `rag.ingestFiles`. */
  refuseNext(operation: string, error: WireError): void;
  /** What a person would do with files over the window. */
  drag(drop: FileDrop): void;
  /** What the pickers answer next. */
  picks: { files: string[]; folder: string | null };
  /** The documents whose originals were opened. */
  opened: string[];
  setEngine(engine: EngineStatus): void;
}

export const MEMORY_ENGINE: EngineStatus = {
  state: 'ready',
  model: { id: 'multilingual-e5-small', version: '1', dimension: 384, maxTokens: 512, license: 'MIT' },
};

export async function createMemoryBackend(options: MemoryOptions = {}): Promise<MemoryBackend> {
  const { delayMs = 0, engine = MEMORY_ENGINE, withUnsupported = false } = options;
  let delay = 0;
  const store = new Store(engine);
  const refusals = new Map<string, WireError>();
  const stopped = new Set<string>();
  const dropListeners = new Set<(drop: FileDrop) => void>();
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, delay));
  const run = (kbId: string, items: readonly Item[], tell: (progress: IngestProgress) => void = () => {}) =>
    ingest(store, kbId, items, tell, pause, (jobId) => stopped.has(jobId));

  const rag: Operations['rag'] = {
    listKnowledgeBases: async () =>
      [...store.bases.keys()].map((id) => store.summary(id)).sort((a, b) => a.name.localeCompare(b.name)),
    getKnowledgeBase: async ({ kbId }) => store.summary(kbId),
    createKnowledgeBase: async ({ name, description = '', chunkSize = 2000, chunkOverlap = 200 }) => {
      if ([...store.bases.values()].some((base) => base.name === name)) {
        throw refusal('name_taken', 'This name is taken.');
      }
      const id = store.id();
      store.bases.set(id, {
        id,
        projectId: 'default',
        name,
        description,
        embeddingModelId: 'multilingual-e5-small',
        embeddingDim: 384,
        chunking: { size: chunkSize, overlap: chunkOverlap },
        createdAt: Date.now(),
      });
      store.emit({ type: 'knowledge_bases_changed' });
      return store.summary(id);
    },
    deleteKnowledgeBase: async ({ kbId }) => {
      const agents = store.agentsOf(kbId);
      if (agents.length > 0) throw refusal('knowledge_base_in_use', 'Agents use it.', { agents });
      for (const { document } of store.documentsOf(kbId)) store.documents.delete(document.id);
      store.bases.delete(kbId);
      store.emit({ type: 'knowledge_bases_changed' });
      return {};
    },
    listDocuments: async ({ kbId, status, page }) => {
      store.get(store.bases, kbId);
      const all = store.documentsOf(kbId).map(({ document }) => ({ ...document }));
      return pageOf(status ? all.filter((document) => document.status === status) : all, page);
    },
    readDocument: async ({ documentId }) => {
      const { document, text, outline, chunks, tokensOutsideWindow } = store.get(store.documents, documentId);
      const outside = tokensOutsideWindow ?? chunks.map(() => 0);
      return { document, text, outline, language: null, chunks, tokensOutsideWindow: outside };
    },
    deleteDocument: async ({ documentId }) => {
      const { document } = store.get(store.documents, documentId);
      store.documents.delete(documentId);
      for (const passage of store.passages.values()) {
        if (passage.documentId === documentId) passage.isDocumentThere = false;
      }
      store.emit({ type: 'documents_changed', kbId: document.kbId });
      store.emit({ type: 'knowledge_bases_changed' });
      return {};
    },
    retryDocument: async ({ documentId }, onProgress) => {
      const { document, text } = store.get(store.documents, documentId);
      return run(document.kbId, [{ path: document.sourceUri, title: document.title, text }], onProgress);
    },
    listFormats: async () => ({ extensions: EXTENSIONS }),
    previewPaths: async ({ paths }) => previewOf(paths),
    ingest: async ({ kbId, title, text }, onProgress) => run(kbId, [{ path: null, title, text }], onProgress),
    ingestFiles: async ({ kbId, paths }, onProgress) => run(kbId, itemsOf(paths), onProgress),
    resumeQueued: async () => ({ ready: 0, failed: 0, waiting: 0, stopped: null }),
    cancelJob: async ({ jobId }) => {
      stopped.add(jobId);
      return {};
    },
    search: async () => ({ hits: [] }),
    installSamples: async ({ language }, onProgress) => {
      const samples = SAMPLES[language];
      const { id: kbId } = await rag.createKnowledgeBase(samples.base);
      const agent = await desk.createAgent({
        ...samples.agent,
        instructions: '',
        kbIds: [kbId],
        topK: 6,
        maxDistance: null,
        signature: '',
      });
      const items = samples.documents.map(({ title, uri, text }) => ({ path: uri, title, text }));
      await run(kbId, items, onProgress);
      let ticketId = '';
      for (const ticket of samples.tickets.toReversed()) {
        ticketId = (await desk.createTicket({ ...ticket, agentId: agent.id })).id;
      }
      return { kbId, ticketId, at: Date.now() };
    },
  };

  const desk: Operations['desk'] = {
    listAgents: async () => [...store.agents.values()].sort((a, b) => a.name.localeCompare(b.name)),
    getAgent: async ({ agentId }) => store.get(store.agents, agentId),
    createAgent: async (details) => {
      if ([...store.agents.values()].some((agent) => agent.name === details.name)) {
        throw refusal('name_taken', 'This name is taken.');
      }
      const now = Date.now();
      const agent = { ...details, id: store.id(), projectId: 'default', createdAt: now, updatedAt: now };
      store.agents.set(agent.id, agent);
      store.emit({ type: 'agents_changed' });
      return agent;
    },
    updateAgent: async ({ agentId, details }) => {
      const agent = { ...store.get(store.agents, agentId), ...details, updatedAt: Date.now() };
      store.agents.set(agentId, agent);
      store.emit({ type: 'agents_changed' });
      return agent;
    },
    deleteAgent: async ({ agentId }) => {
      store.agents.delete(agentId);
      store.emit({ type: 'agents_changed' });
      return {};
    },
    listTickets: async ({ page }) => {
      const summaries = [...store.tickets.values()].reverse().map(({ ticket, messages, drafts }) => ({
        ...ticket,
        preview: messages[0]?.body.replace(/\s+/g, ' ').slice(0, 120) ?? '',
        agentName: ticket.agentId ? (store.agents.get(ticket.agentId)?.name ?? null) : null,
        latestRunStatus: drafts.at(-1)?.status ?? null,
      }));
      return pageOf(summaries, page);
    },
    createTicket: async ({ subject, body, agentId }) => {
      if (!body.trim()) throw refusal('invalid_input', 'The message is empty.');
      const now = Date.now();
      const id = store.id();
      store.tickets.set(id, {
        ticket: {
          id,
          projectId: 'default',
          subject: subject?.trim() || body.trim().split('\n')[0]!.slice(0, 80),
          status: 'open',
          agentId: agentId ?? null,
          createdAt: now,
          updatedAt: now,
        },
        messages: [
          {
            id: store.id(),
            ticketId: id,
            direction: 'inbound',
            body,
            language: null,
            runId: null,
            createdAt: now,
          },
        ],
        drafts: [],
      });
      store.emit({ type: 'tickets_changed' });
      return store.view(id);
    },
    getTicket: async ({ ticketId }) => store.view(ticketId),
    deleteTicket: async ({ ticketId }) => {
      store.get(store.tickets, ticketId);
      store.tickets.delete(ticketId);
      store.emit({ type: 'tickets_changed' });
      return {};
    },
    draftReply: async ({ ticketId, agentId }, onProgress) => {
      const stored = store.get(store.tickets, ticketId);
      const agent = agentFor(store, stored, agentId);
      for (const step of ['searching', 'writing', 'checking'] as const) {
        onProgress?.(step);
        await pause();
      }
      const draft = compose(store, stored, agent, withUnsupported);
      stored.drafts.push(draft);
      Object.assign(stored.ticket, { status: 'drafted', agentId: agent.id, updatedAt: Date.now() });
      store.emit({ type: 'ticket_drafted', ticketId });
      store.emit({ type: 'tickets_changed' });
      return draft;
    },
    getPassage: async ({ messageId, number }) => store.get(store.passages, `${messageId}/${number}`),
  };

  const settings: Operations['settings'] = {
    getSettings: async () => ({
      ...store.settings,
      engine: store.engine,
      isEmpty: store.bases.size === 0 && store.tickets.size === 0,
    }),
    updateSettings: async (change) => {
      store.settings = { ...store.settings, ...change };
      store.emit({ type: 'settings_changed' });
      return settings.getSettings();
    },
    reloadEngine: async () => {
      store.engine = MEMORY_ENGINE;
      store.emit({ type: 'engine_changed', ...store.engine });
      return store.engine;
    },
  };

  const backend: MemoryBackend = {
    rag: guarded('rag', rag, refusals),
    desk: guarded('desk', desk, refusals),
    settings: guarded('settings', settings, refusals),
    subscribe: store.subscribe,
    store,
    picks: { files: [], folder: null },
    opened: [],
    refuseNext: (operation, error) => void refusals.set(operation, error),
    drag: (drop) => dropListeners.forEach((listener) => listener(drop)),
    setEngine: (status) => {
      store.engine = status;
      store.emit({ type: 'engine_changed', ...status });
    },
    host: {
      pickFiles: async () => backend.picks.files,
      pickFolder: async () => backend.picks.folder,
      onFileDrop: (listener) => {
        dropListeners.add(listener);
        return () => void dropListeners.delete(listener);
      },
      openSource: async (documentId) => {
        refuse('host.openSource', refusals);
        backend.opened.push(documentId);
      },
      revealDataFolder: async () => {},
    },
  };
  if (options.samples) await rag.installSamples({ language: options.samples });
  delay = delayMs;
  return backend;
}

function pageOf<T>(all: readonly T[], page: PageRequest = { offset: 0, limit: 100 }): Page<T> {
  return { items: all.slice(page.offset, page.offset + page.limit), total: all.length };
}

/** Throws, once, what a test said. */
function refuse(operation: string, refusals: Map<string, WireError>): void {
  const error = refusals.get(operation);
  refusals.delete(operation);
  if (error) throw error;
}

/** The same operations, refusing where a test said so. */
function guarded<Group extends object>(name: string, group: Group, refusals: Map<string, WireError>): Group {
  return new Proxy(group, {
    get(target, operation) {
      const call = Reflect.get(target, operation) as (...input: unknown[]) => Promise<unknown>;
      return async (...input: unknown[]) => {
        refuse(`${name}.${String(operation)}`, refusals);
        return call(...input);
      };
    },
  });
}
