/**
 * The search that a person is at: what is typed, over which bases and how, and what was found. It outlives
 * the screen, so that one comes back from a document to the same hits; the choices outlive the window.
 */
import { createContext } from 'svelte';
import type { Backend } from '../../backend/backend';
import type {
  ChunkId,
  KnowledgeBaseId,
  KnowledgeBaseSummary,
  InstalledReranker,
  Passage,
  SearchHit,
  SearchMode,
  SearchResult,
} from '../../backend/wire';
import { toasts } from '../../kit/toasts.svelte';
import { locale } from '../../lib/i18n.svelte';
import { Loaded } from '../../lib/loaded.svelte';
import { attempt } from '../../lib/report';
import { route } from '../../lib/route.svelte';
import { MODES } from '../../lib/search-mode';

/** How many hits may be asked for. */
export const COUNTS = [6, 10, 20, 50, 100] as const;

const KEY = 'search:choices';

/** What is remembered on this machine. */
interface Choices {
  /** The bases that are left out; a new base is searched. */
  without: KnowledgeBaseId[];
  mode: SearchMode;
  topK: number;
  /** Whether the reranker is asked, where there is one. */
  rerank: boolean;
}

/** What was asked, as it led to the hits that are shown. */
export interface Asked {
  query: string;
  kbIds: KnowledgeBaseId[];
}

export class Searching {
  query = $state('');
  choices = $state.raw<Choices>(remembered());
  asked = $state.raw<Asked>();
  readonly bases = new Loaded<KnowledgeBaseSummary[]>();
  readonly rerankers = new Loaded<InstalledReranker[]>();
  readonly result = new Loaded<SearchResult>();
  /** The hit that the keys are at. */
  current = $state(-1);
  /** What stands around the hits for which that was asked. */
  around = $state.raw<ReadonlyMap<ChunkId, readonly Passage[]>>(new Map());
  explained = $state.raw<ReadonlySet<ChunkId>>(new Set());
  /** The base that a search was kept in last. */
  keptIn = $state<KnowledgeBaseId>();
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The bases that are searched. */
  get chosen(): KnowledgeBaseSummary[] {
    return (this.bases.value ?? []).filter(({ id }) => !this.choices.without.includes(id));
  }

  /** Whether there is a reranker to ask. */
  get hasReranker(): boolean {
    return (this.rerankers.value ?? []).some(({ isUsed }) => isUsed);
  }

  get hits(): readonly SearchHit[] {
    return this.result.value?.hits ?? [];
  }

  loadBases(): Promise<void> {
    return this.bases.load(() => this.#backend.rag.listKnowledgeBases());
  }

  loadRerankers(): Promise<void> {
    return this.rerankers.load(() => this.#backend.rag.listRerankers());
  }

  choose(change: Partial<Choices>): void {
    this.choices = { ...this.choices, ...change };
    localStorage.setItem(KEY, JSON.stringify(this.choices));
  }

  /** Whether a base is searched. */
  take(kbId: KnowledgeBaseId, isTaken: boolean): void {
    const others = this.choices.without.filter((id) => id !== kbId);
    this.choose({ without: isTaken ? others : [...others, kbId] });
  }

  /** Searches for what is typed; without words or bases nothing happens. */
  async search(): Promise<void> {
    const query = this.query.trim();
    const kbIds = this.chosen.map(({ id }) => id);
    if (!query || kbIds.length === 0) return;
    const { mode, topK } = this.choices;
    const rerank = this.choices.rerank && this.hasReranker;
    const asked = { query, kbIds };
    await this.result.load(async () => {
      const result = await this.#backend.rag.search({ ...asked, mode, topK, rerank });
      this.asked = asked;
      this.current = -1;
      this.around = new Map();
      this.explained = new Set();
      return result;
    });
  }

  /** Shows or hides why a passage was found. */
  explain({ chunkId }: SearchHit): void {
    const explained = new Set(this.explained);
    if (!explained.delete(chunkId)) explained.add(chunkId);
    this.explained = explained;
  }

  /** Shows what stands before and behind a passage, or hides it again. */
  async showAround({ chunkId }: SearchHit): Promise<void> {
    if (this.around.has(chunkId)) {
      const around = new Map(this.around);
      around.delete(chunkId);
      this.around = around;
      return;
    }
    await attempt(async () => {
      const passages = await this.#backend.rag.showAround({ chunkId, before: 1, after: 1 });
      this.around = new Map(this.around).set(chunkId, passages);
    });
  }

  /** Opens the document of a hit where the passage begins. */
  open(hit: SearchHit): void {
    route.go({ place: 'knowledge', id: hit.kbId, sub: hit.documentId, at: hit.start });
  }

  /** Keeps the query as a question of the hit's base that this passage answers. */
  async keep({ kbId, kbName, sourceId, documentTitle: title, start, end }: SearchHit): Promise<void> {
    const text = this.asked?.query;
    if (!text) return;
    await attempt(async () => {
      const expected = [{ sourceId, title, start, end }];
      const { id: questionId } = await this.#backend.rag.saveQuestion({ kbId, text, expected });
      this.keptIn = kbId;
      const undo = () => void attempt(() => this.#backend.rag.deleteQuestion({ questionId }));
      toasts.show(locale.t('search.kept', { base: kbName }), {
        action: { label: locale.t('common.undo'), run: undo },
      });
    });
  }
}

function remembered(): Choices {
  const usual: Choices = { without: [], mode: 'hybrid', topK: 10, rerank: false };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Choices>;
    return {
      without: Array.isArray(kept.without) ? kept.without.map(String) : usual.without,
      mode: MODES.find((mode) => mode === kept.mode) ?? usual.mode,
      topK: COUNTS.find((count) => count === kept.topK) ?? usual.topK,
      rerank: kept.rerank === true,
    };
  } catch {
    return usual;
  }
}

/** `useSearching` inside components; `provideSearching` once, at the top. */
export const [useSearching, provideSearching] = createContext<Searching>();
