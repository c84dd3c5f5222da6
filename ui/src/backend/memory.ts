/**
 * The in-memory twin of the host, for component tests and for developing in a browser (`npm run dev`). It
 * keeps the contract's shapes and order of events, invents texts, and loses everything on reload. No
 * production bundle contains it: only tests and a development branch of `main.ts` import it.
 */
import type { Backend, Closing, FileDrop } from './backend';
import { deskOver } from './memory/desk';
import { ragOver } from './memory/rag';
import { Store } from './memory/store';
import type { Operations } from './operations';
import type { EngineStatus, Language, WireError } from './wire';

export interface MemoryOptions {
  /** Whether the sample help centre is there from the start, and in which language. */
  samples?: Language;
  /** How long each step takes, in milliseconds. */
  delayMs?: number;
  engine?: EngineStatus;
  /** Whether scans can be recognised. */
  canRecognise?: boolean;
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
  /** What the pickers answer next; the first of the files where one is asked for. */
  picks: { files: string[]; folder: string | null };
  /** The documents whose originals were opened. */
  opened: string[];
  setEngine(engine: EngineStatus): void;
  /** What the host does when the window is closed for the first time with work under way. */
  askToClose(closing: Closing): void;
  /** How the window went: `closed`, `quit`, or not yet. */
  gone: 'closed' | 'quit' | undefined;
  /** The language that the host speaks by itself. */
  language: Language | undefined;
}

export const MEMORY_ENGINE: EngineStatus = {
  state: 'ready',
  model: { id: 'multilingual-e5-small', version: '1', dimension: 384, maxTokens: 512, license: 'MIT' },
};

export async function createMemoryBackend(options: MemoryOptions = {}): Promise<MemoryBackend> {
  const { delayMs = 0, engine = MEMORY_ENGINE, withUnsupported = false, canRecognise = true } = options;
  let delay = 0;
  const store = new Store(engine);
  const refusals = new Map<string, WireError>();
  const dropListeners = new Set<(drop: FileDrop) => void>();
  const closingListeners = new Set<(closing: Closing) => void>();
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, delay));

  const desk = deskOver(store, pause, withUnsupported);
  const rag = ragOver(store, pause, desk, canRecognise);

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
    gone: undefined,
    language: undefined,
    refuseNext: (operation, error) => void refusals.set(operation, error),
    drag: (drop) => dropListeners.forEach((listener) => listener(drop)),
    askToClose: (closing) => closingListeners.forEach((listener) => listener(closing)),
    setEngine: (status) => {
      store.engine = status;
      store.emit({ type: 'engine_changed', ...status });
    },
    host: {
      pickFiles: async () => backend.picks.files,
      pickFile: async () => backend.picks.files[0] ?? null,
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
      onClosing: (listener) => {
        closingListeners.add(listener);
        return () => void closingListeners.delete(listener);
      },
      closeWindow: async () => void (backend.gone = 'closed'),
      quit: async () => void (backend.gone = 'quit'),
      setLanguage: async (language) => void (backend.language = language),
    },
  };
  if (options.samples) await rag.installSamples({ language: options.samples });
  delay = delayMs;
  return backend;
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
