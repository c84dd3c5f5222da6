/**
 * The ingestions that run, by base, with their rate and their report at the end. Jobs outlive the screens
 * that started them, and those that another window or the last start began are followed by their events.
 * A resumed job goes through several bases: its strip stands where it works, and each base gets its report.
 */
import { createContext } from 'svelte';
import type { Backend, Unsubscribe } from '../backend/backend';
import { toWireError } from '../backend/errors';
import type {
  DocumentId,
  IngestOutcome,
  IngestProgress,
  IngestReport,
  JobId,
  KnowledgeBaseId,
  WireError,
} from '../backend/wire';
import type { Session } from './session.svelte';

/** A job as the strip above a base's documents shows it. */
export interface Job {
  progress: IngestProgress | undefined;
  /** Chunks per second since the first one; undefined until it can be told. */
  rate: number | undefined;
  isCancelling: boolean;
}

/** What a finished job leaves to read; only what needs a word has an outcome here. */
export interface JobReport extends Pick<
  IngestReport,
  'ready' | 'alreadyHere' | 'failed' | 'skipped' | 'cancelled'
> {
  outcomes: IngestOutcome[];
  stopped: WireError | null;
}

/** Below this many milliseconds a rate says nothing. */
const RATE_AFTER_MS = 1000;

/** The jobs of this window. */
export class Jobs {
  running = $state.raw<Readonly<Record<KnowledgeBaseId, Job>>>({});
  reports = $state.raw<Readonly<Record<KnowledgeBaseId, JobReport>>>({});
  readonly #backend: Backend;
  readonly #session: Session;
  #began = new Map<JobId, number>();
  #own = new Set<JobId>();
  /** What became of the items of jobs that others started, by job and base. */
  #outcomes = new Map<JobId, Map<KnowledgeBaseId, IngestOutcome[]>>();

  constructor(backend: Backend, session: Session) {
    this.#backend = backend;
    this.#session = session;
  }

  /** Follows the jobs that others started, until the answer is called. */
  start(): Unsubscribe {
    return this.#backend.subscribe((event) => {
      if (event.type === 'job_progressed' && !this.#own.has(event.jobId)) this.#observeForeign(event);
    });
  }

  ingestFiles(kbId: KnowledgeBaseId, paths: string[]): Promise<void> {
    return this.#run(kbId, (tell) => this.#backend.rag.ingestFiles({ kbId, paths }, tell));
  }

  ingestText(kbId: KnowledgeBaseId, title: string, text: string): Promise<void> {
    return this.#run(kbId, (tell) => this.#backend.rag.ingest({ kbId, title, text }, tell));
  }

  retry(kbId: KnowledgeBaseId, documentId: DocumentId): Promise<void> {
    return this.#run(kbId, (tell) => this.#backend.rag.retryDocument({ documentId }, tell));
  }

  async cancel(kbId: KnowledgeBaseId): Promise<void> {
    const job = this.running[kbId];
    if (!job?.progress) return;
    this.#set(kbId, { ...job, isCancelling: true });
    await this.#backend.rag.cancelJob({ jobId: job.progress.jobId });
  }

  dismissReport(kbId: KnowledgeBaseId): void {
    const { [kbId]: _, ...rest } = this.reports;
    this.reports = rest;
  }

  async #run(
    kbId: KnowledgeBaseId,
    work: (tell: (progress: IngestProgress) => void) => Promise<IngestReport>,
  ): Promise<void> {
    this.dismissReport(kbId);
    if (!this.running[kbId]) this.#set(kbId, { progress: undefined, rate: undefined, isCancelling: false });
    let jobId: JobId | undefined;
    try {
      await this.#session.whenReady();
      const report = await work((progress) => {
        jobId = progress.jobId;
        this.#own.add(jobId);
        this.#observe(progress);
      });
      this.reports = { ...this.reports, [kbId]: report };
    } catch (caught) {
      this.reports = { ...this.reports, [kbId]: { ...tally([]), stopped: toWireError(caught) } };
    } finally {
      if (jobId) this.#endJob(jobId);
      if (!this.running[kbId]?.progress) this.#end(kbId);
    }
  }

  #observeForeign(progress: IngestProgress): void {
    const { jobId, kbId, outcome } = progress;
    const outcomes = this.#outcomes.get(jobId) ?? new Map<KnowledgeBaseId, IngestOutcome[]>();
    if (outcome) outcomes.set(kbId, [...(outcomes.get(kbId) ?? []), outcome]);
    this.#outcomes.set(jobId, outcomes);
    if (progress.phase === 'finished') this.#finishForeign(progress, outcomes);
    else this.#observe(progress);
  }

  /** Ends a job's strips; each base that it worked in gets its report. */
  #finishForeign(
    { jobId, kbId, itemsTotal, itemsFailed }: IngestProgress,
    outcomes: Map<KnowledgeBaseId, IngestOutcome[]>,
  ): void {
    const wasShown = this.#endJob(jobId);
    this.#outcomes.delete(jobId);
    const reports = new Map([...outcomes].map(([id, items]) => [id, { ...tally(items), stopped: null }]));
    const failuresSeen = [...reports.values()].reduce((sum, report) => sum + report.failed, 0);
    const failuresMissed = Math.max(0, itemsFailed - failuresSeen);
    if (failuresMissed > 0 || (wasShown && itemsTotal === 0)) {
      const report = reports.get(kbId) ?? { ...tally([]), stopped: null };
      reports.set(kbId, { ...report, failed: report.failed + failuresMissed });
    }
    this.reports = { ...this.reports, ...Object.fromEntries(reports) };
  }

  #observe(progress: IngestProgress): void {
    const { jobId, kbId, chunksEmbedded } = progress;
    const now = Date.now();
    if (chunksEmbedded > 0 && !this.#began.has(jobId)) this.#began.set(jobId, now);
    const elapsed = now - (this.#began.get(jobId) ?? now);
    const before = this.#stripsOf(jobId);
    const isCancelling = [this.running[kbId], ...before.map(([, job]) => job)].some(
      (job) => job?.isCancelling,
    );
    for (const [id] of before) if (id !== kbId) this.#end(id);
    this.#set(kbId, {
      progress,
      rate: elapsed > RATE_AFTER_MS ? (1000 * chunksEmbedded) / elapsed : undefined,
      isCancelling,
    });
  }

  #set(kbId: KnowledgeBaseId, job: Job): void {
    this.running = { ...this.running, [kbId]: job };
  }

  #stripsOf(jobId: JobId): Array<[KnowledgeBaseId, Job]> {
    return Object.entries(this.running).filter(([, job]) => job.progress?.jobId === jobId);
  }

  /** Ends every strip of a job; answers whether there was one. */
  #endJob(jobId: JobId): boolean {
    this.#began.delete(jobId);
    const strips = this.#stripsOf(jobId);
    for (const [kbId] of strips) this.#end(kbId);
    return strips.length > 0;
  }

  #end(kbId: KnowledgeBaseId): void {
    const { [kbId]: _, ...rest } = this.running;
    this.running = rest;
  }
}

function tally(outcomes: IngestOutcome[]): Omit<JobReport, 'stopped'> {
  const count = (result: IngestOutcome['result']) => outcomes.filter((one) => one.result === result).length;
  return {
    ready: count('ready'),
    alreadyHere: count('already_here'),
    failed: count('failed'),
    skipped: count('skipped'),
    cancelled: count('cancelled'),
    outcomes,
  };
}

/** `useJobs` inside components; `provideJobs` once, at the top. */
export const [useJobs, provideJobs] = createContext<Jobs>();
