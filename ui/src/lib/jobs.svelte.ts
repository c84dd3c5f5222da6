/**
 * The jobs of the host as this window knows them: one record each, kept current by events, in the order of
 * the queue. The progress place, the ring in the rail and the strips above documents are all views of it.
 * Jobs outlive the window, so on start it asks what there is; what a person wants of a job is passed on, and
 * what became of it comes back as an event.
 */
import { createContext } from 'svelte';
import { SvelteSet } from 'svelte/reactivity';
import type { Backend, Unsubscribe } from '../backend/backend';
import { toWireError } from '../backend/errors';
import type {
  DocumentId,
  IngestProgress,
  IngestReport,
  JobId,
  JobItem,
  JobState,
  JobSummary,
  KnowledgeBaseId,
  RecognitionProgress,
  WireError,
} from '../backend/wire';
import { flaggedItems, itemNumbered, itemsIn } from './job-items';
import { mended, refused, reportOf, type JobReport } from './job-report';
import { isUnlockable } from './password';
import { throttled } from './throttle';

/** How files are taken, where that is not the ordinary way. */
export interface Taking {
  /** Opens a protected file; it is passed on and kept nowhere. */
  password?: string;
  /** Whether pages that are scans are recognised. */
  recognise?: boolean;
}

/** What became of work that a screen waits for. */
export interface Outcome {
  report: IngestReport | undefined;
  error: WireError | undefined;
}

/** Work that tells how far it is. */
type Work = (tell: (progress: IngestProgress) => void) => Promise<IngestReport>;

/** Jobs that are fetched at once; more come as they are scrolled to. */
const PAGE_SIZE = 100;
/** The screen follows at most this often, in milliseconds. */
const SHOW_MS = 120;
/** The list is asked for again at most this often, in milliseconds. */
const REFRESH_MS = 250;
/** A report names no more items than this; the progress place has all of them. */
const MOST_ITEMS = 200;

/** Whether nothing more happens unless somebody asks again. */
export function isEnded(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** Whether it ended with something that did not succeed. */
export function hasFailures({ state, itemsFailed }: JobSummary): boolean {
  return state === 'failed' || (isEnded(state) && itemsFailed > 0);
}

/** The jobs of this window. */
export class Jobs {
  /** Those that were fetched, in the host's order: running, queued, paused, ended. */
  all = $state.raw<readonly JobSummary[]>([]);
  /** How many there are; undefined until the first answer. */
  total = $state<number>();
  error = $state.raw<WireError>();
  /** What the last job of a base left to read, until it is dismissed. */
  reports = $state.raw<Readonly<Record<KnowledgeBaseId, JobReport>>>({});
  /** The pages that are being recognised, by job. */
  recognitions = $state.raw<Readonly<Record<JobId, RecognitionProgress & { title: string }>>>({});
  /** Jobs that were asked to end and have not yet. */
  readonly cancelling = new SvelteSet<JobId>();
  readonly #backend: Backend;
  #known = new Map<JobId, JobSummary>();
  #order: JobId[] = [];
  #limit = PAGE_SIZE;
  #turn = 0;
  /** How many changes were told so far, and at which of them each job changed last. */
  #told = 0;
  #toldOf = new Map<JobId, number>();
  /** Jobs whose end was reported, until they are tried again. */
  #settled = new Set<JobId>();
  #listeners = new Set<(job: JobSummary) => void>();
  #asked = new WeakSet<JobReport>();
  /** Jobs that take one item of a report again. */
  #replacing = new Map<JobId, number>();
  readonly #show = throttled(() => this.#publish(), SHOW_MS);
  readonly #refresh = throttled(() => void this.refresh(), REFRESH_MS);

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Asks what there is and follows it until the answer is called. */
  start(): Unsubscribe {
    void this.refresh();
    return this.#backend.subscribe((event) => {
      if (event.type === 'job_changed') this.#observe(event.job);
      if (event.type === 'jobs_changed') this.#refresh();
      if (event.type === 'job_progressed') this.#observeRecognition(event);
    });
  }

  /** Asks for the list anew. */
  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    const toldBefore = this.#told;
    try {
      const page = { offset: 0, limit: this.#limit };
      const { items, total } = await this.#backend.rag.listJobs({ page });
      if (turn !== this.#turn) return;
      this.#order = items.map(({ id }) => id);
      // What was told after the question is newer than the answer.
      const isNewer = (id: JobId) => (this.#toldOf.get(id) ?? 0) > toldBefore;
      // An end that the list knows before its event comes is news, unless it was there from the first.
      for (const job of items) {
        const before = this.#known.get(job.id);
        if (before && !isEnded(before.state) && !isNewer(job.id)) this.#settle(job);
      }
      const newer = [...this.#known].filter(([id]) => isNewer(id));
      this.#known = new Map([...items.map((job) => [job.id, job] as const), ...newer]);
      this.#toldOf = new Map([...this.#toldOf].filter(([id]) => this.#known.has(id)));
      this.#settled = new Set([...this.#settled].filter((id) => this.#known.has(id)));
      this.total = total;
      this.error = undefined;
      this.#publish();
    } catch (caught) {
      if (turn === this.#turn) this.error = toWireError(caught);
    }
  }

  /** Fetches more of the list once its end comes into view. */
  show(last: number): void {
    if (last < this.#limit - 10 || this.#limit >= (this.total ?? 0)) return;
    this.#limit += PAGE_SIZE;
    void this.refresh();
  }

  get running(): JobSummary[] {
    return this.all.filter(({ state }) => state === 'running');
  }

  get waiting(): JobSummary[] {
    return this.all.filter(({ state }) => state === 'queued');
  }

  /** The jobs of a base that have not ended; the one that is worked on first. */
  openIn(kbId: KnowledgeBaseId): JobSummary[] {
    return this.all.filter((job) => job.kbId === kbId && !isEnded(job.state));
  }

  /** Hears every change of a job, until the answer is called. */
  follow(listener: (job: JobSummary) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  ingestFiles(kbId: KnowledgeBaseId, paths: string[], taking: Taking = {}): Promise<Outcome> {
    return this.#run(kbId, (tell) => this.#backend.rag.ingestFiles({ kbId, paths, ...taking }, tell));
  }

  ingestText(kbId: KnowledgeBaseId, title: string, text: string): Promise<Outcome> {
    return this.#run(kbId, (tell) => this.#backend.rag.ingest({ kbId, title, text }, tell));
  }

  /** Indexes a document again. */
  retry(kbId: KnowledgeBaseId, documentId: DocumentId): Promise<Outcome> {
    return this.#run(kbId, (tell) => this.#backend.rag.retryDocument({ documentId }, tell));
  }

  /** Adds a source of the library to a base. */
  attach(kbId: KnowledgeBaseId, sourceId: string): Promise<Outcome> {
    return this.#run(kbId, (tell) => this.#backend.rag.attachSource({ sourceId, kbId }, tell));
  }

  /** Recognises the scanned pages of a document that is there; `item` is that of the report. */
  recognise(kbId: KnowledgeBaseId, documentId: DocumentId, item?: JobItem): Promise<Outcome> {
    return this.#run(kbId, (tell) => this.#backend.rag.recogniseDocument({ documentId }, tell), item?.number);
  }

  async pause(jobId: JobId): Promise<void> {
    this.#observe(await this.#backend.rag.pauseJob({ jobId }));
  }

  async resume(jobId: JobId): Promise<void> {
    this.#observe(await this.#backend.rag.resumeJob({ jobId }));
  }

  async cancel(jobId: JobId): Promise<void> {
    this.cancelling.add(jobId);
    try {
      this.#observe(await this.#backend.rag.cancelJob({ jobId }));
    } finally {
      this.cancelling.delete(jobId);
    }
  }

  /** Tries a job again: one item, or each that failed or was cancelled. */
  async retryJob(jobId: JobId, number?: number): Promise<void> {
    const of = number === undefined ? { jobId } : { jobId, number };
    this.#observe(await this.#backend.rag.retryJob(of));
  }

  /**
   * Tries an item again, with a password or with its scans recognised; answers how the item stands once its
   * file is open, or is not.
   */
  async takeAgain(jobId: JobId, number: number, taking: Taking): Promise<JobItem | undefined> {
    const done = this.#whenTaken(jobId, number);
    try {
      await this.#backend.rag.retryJob({ jobId, number, ...taking });
      return await done.item();
    } finally {
      done.stop();
    }
  }

  /** Moves a queued job one place up or down among the queued; answers whether there was room. */
  async move(jobId: JobId, by: -1 | 1): Promise<boolean> {
    const queue = this.waiting.map(({ id }) => id);
    const at = queue.indexOf(jobId);
    const to = at + by;
    if (at < 0 || to < 0 || to >= queue.length) return false;
    const before = (by < 0 ? queue[to] : queue[to + 1]) ?? null;
    await this.#backend.rag.moveJob({ jobId, before });
    await this.refresh();
    return true;
  }

  dismissReport(kbId: KnowledgeBaseId): void {
    const { [kbId]: _, ...rest } = this.reports;
    this.reports = rest;
  }

  /** The only file of a report, where it waits for its password; answered once, so that it is asked once. */
  takePasswordQuestion(kbId: KnowledgeBaseId): JobItem | undefined {
    const report = this.reports[kbId];
    if (!report || this.#asked.has(report)) return undefined;
    this.#asked.add(report);
    const [only] = report.items;
    const waits = only?.path && only.error?.code === 'password' && isUnlockable(only.error);
    return waits && report.total === 1 ? only : undefined;
  }

  async #run(kbId: KnowledgeBaseId, work: Work, replaces?: number): Promise<Outcome> {
    if (replaces === undefined) this.dismissReport(kbId);
    try {
      const report = await work(({ jobId }) => {
        if (replaces !== undefined) this.#replacing.set(jobId, replaces);
      });
      return { report, error: report.stopped ?? undefined };
    } catch (caught) {
      const error = toWireError(caught);
      this.#setReport(kbId, refused(error), replaces);
      return { report: undefined, error };
    }
  }

  #observe(job: JobSummary): void {
    const before = this.#known.get(job.id);
    this.#known.set(job.id, job);
    this.#toldOf.set(job.id, ++this.#told);
    if (before?.state !== job.state) this.#refresh();
    if (isEnded(job.state)) {
      if (job.id in this.recognitions) this.#forgetRecognition(job.id);
    }
    this.#settle(job);
    // A report must not stand beside the strip of its job, so another state shows at once.
    if (before?.state !== job.state) this.#publish();
    else this.#show();
    for (const listener of this.#listeners) listener(job);
  }

  /** Reports a job once for each of its ends, whether an event or the list told of it first. */
  #settle(job: JobSummary): void {
    if (!isEnded(job.state)) this.#settled.delete(job.id);
    else if (!this.#settled.has(job.id)) {
      this.#settled.add(job.id);
      void this.#report(job);
    }
  }

  #publish(): void {
    this.all = this.#order.flatMap((id) => this.#known.get(id) ?? []);
  }

  #observeRecognition({ jobId, recognition, current }: IngestProgress): void {
    if (recognition) {
      this.recognitions = { ...this.recognitions, [jobId]: { ...recognition, title: current ?? '' } };
    } else if (jobId in this.recognitions) this.#forgetRecognition(jobId);
  }

  #forgetRecognition(jobId: JobId): void {
    const { [jobId]: _, ...rest } = this.recognitions;
    this.recognitions = rest;
  }

  /** Gathers what a job that has just ended leaves to read in its base. */
  async #report(job: JobSummary): Promise<void> {
    const { kbId } = job;
    if (!kbId || (job.kind !== 'ingest' && job.kind !== 'recognise')) return;
    try {
      const { rag } = this.#backend;
      const [failed, skipped, flagged, cancelled] = await Promise.all([
        job.itemsFailed > 0 ? itemsIn(rag, job.id, 'failed', MOST_ITEMS) : [],
        job.itemsSkipped > 0 ? itemsIn(rag, job.id, 'skipped', MOST_ITEMS) : [],
        job.itemsFlagged > 0 ? flaggedItems(rag, job.id, MOST_ITEMS) : [],
        rag.listJobItems({ jobId: job.id, state: 'cancelled', page: { offset: 0, limit: 1 } }),
      ]);
      const told = new Set([...failed, ...skipped].map(({ number }) => number));
      const items = [...failed, ...skipped, ...flagged.filter(({ number }) => !told.has(number))];
      items.sort((one, other) => one.number - other.number);
      const replaces = this.#replacing.get(job.id);
      this.#replacing.delete(job.id);
      this.#setReport(kbId, reportOf(job, items, cancelled.total), replaces);
    } catch {
      // The record was cleared meanwhile, and with it what there was to tell.
    }
  }

  #setReport(kbId: KnowledgeBaseId, report: JobReport, replaces: number | undefined): void {
    const shown = replaces === undefined ? report : mended(this.reports[kbId], replaces, report);
    this.reports = { ...this.reports, [kbId]: shown };
  }

  /** Waits until an item was tried again: its file is open, or it has its outcome. */
  #whenTaken(jobId: JobId, number: number) {
    let wake = () => {};
    let changed = false;
    const stop = this.follow((job) => {
      if (job.id !== jobId) return;
      changed = true;
      wake();
    });
    const item = async () => {
      for (;;) {
        changed = false;
        const found = await itemNumbered(this.#backend.rag, jobId, number);
        if (found?.state !== 'queued' && found?.state !== 'reading') return found;
        if (!changed) await new Promise<void>((resolve) => (wake = resolve));
      }
    };
    return { item, stop };
  }
}

/** `useJobs` inside components; `provideJobs` once, at the top. */
export const [useJobs, provideJobs] = createContext<Jobs>();
