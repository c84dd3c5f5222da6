/**
 * Files that are being dragged over the window: what would become of them, and into which base they go. The
 * base that is open takes them, else the only one there is, else the person is asked after the drop.
 */
import type { Backend, FileDrop, Unsubscribe } from '../backend/backend';
import type { KnowledgeBaseSummary, PathsPreview, SupportedFormats } from '../backend/wire';
import type { Jobs } from '../lib/jobs.svelte';
import { locale } from '../lib/i18n.svelte';
import { Loaded } from '../lib/loaded.svelte';
import { attempt } from '../lib/report';
import { route } from '../lib/route.svelte';

export class Drop {
  /** The paths over the window, while there are any. */
  over = $state.raw<string[]>();
  /** Paths that were dropped and wait for a base to be chosen. */
  waiting = $state.raw<string[]>();
  readonly preview = new Loaded<PathsPreview>();
  readonly formats = new Loaded<SupportedFormats>();
  readonly bases = new Loaded<KnowledgeBaseSummary[]>();
  readonly #backend: Backend;
  readonly #jobs: Jobs;

  constructor(backend: Backend, jobs: Jobs) {
    this.#backend = backend;
    this.#jobs = jobs;
  }

  /** The base that takes what is dropped. */
  get target(): KnowledgeBaseSummary | undefined {
    const all = this.bases.value ?? [];
    const { place, id } = route.address;
    const open = place === 'knowledge' ? all.find((base) => base.id === id) : undefined;
    return open ?? (all.length === 1 ? all[0] : undefined);
  }

  start(): Unsubscribe {
    void this.formats.load(() => this.#backend.rag.listFormats());
    return this.#backend.host.onFileDrop((drop) => this.#follow(drop));
  }

  /** Reads paths into a base and goes there to watch. */
  take(kbId: string, paths: string[]): void {
    this.waiting = undefined;
    route.go({ place: 'knowledge', id: kbId });
    void this.#jobs.ingestFiles(kbId, paths);
  }

  /** Makes a base and reads the waiting paths into it. */
  async takeIntoNew(name: string, paths: string[]): Promise<void> {
    await attempt(async () => {
      const base = await this.#backend.rag.createKnowledgeBase({ name });
      this.take(base.id, paths);
    });
  }

  #follow(drop: FileDrop): void {
    if (drop.type === 'enter') this.#enter(drop.paths);
    if (drop.type === 'leave') this.over = undefined;
    if (drop.type === 'drop') void this.#drop(drop.paths);
  }

  #enter(paths: string[]): void {
    this.over = paths;
    this.preview.clear();
    void this.preview.load(() => this.#backend.rag.previewPaths({ paths }));
    void this.#loadBases();
  }

  async #drop(paths: string[]): Promise<void> {
    this.over = undefined;
    if (paths.length === 0) return;
    await this.#loadBases();
    if (this.target) this.take(this.target.id, paths);
    else this.waiting = paths;
  }

  #loadBases(): Promise<void> {
    return this.bases.load(() => this.#backend.rag.listKnowledgeBases());
  }
}

/** What a drop would do, in one line. */
export function previewWords(preview: PathsPreview, base: string | undefined): string {
  const { t, size } = locale;
  if (preview.supported === 0 && preview.unreadable === 0) return t('drop.nothing');
  const count = preview.supported;
  return [
    base === undefined ? t('drop.willReadLater', { count }) : t('drop.willRead', { count, base }),
    ...(preview.unsupported > 0 ? [t('drop.unsupported', { count: preview.unsupported })] : []),
    ...(preview.hidden > 0 ? [t('drop.hidden', { count: preview.hidden })] : []),
    ...(preview.unreadable > 0 ? [t('drop.unreadable', { count: preview.unreadable })] : []),
    size(preview.byteCount),
    ...(preview.isTruncated ? [t('drop.truncated')] : []),
  ].join(', ');
}
