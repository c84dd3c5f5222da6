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
} from '../backend/wire';
import { mended, tally, type JobReport } from './job-report';
import { isUnlockable } from './password';
import type { Session } from './session.svelte';

/** A job as the strip above a base's documents shows it. */
export interface Job {
  progress: IngestProgress | undefined;
  /** Chunks per second since the first one; undefined until it can be told. */
  rate: number | undefined;
  isCancelling: boolean;
}

/** How files are taken, where that is not the ordinary way. */
export interface Taking {
  /** Opens a protected file; it is passed on and kept nowhere. */
  password?: string;
  /** Whether pages that are scans are recognised. */
  recognise?: boolean;
  /** The item of the base's report that is tried again. */
  replaces?: IngestOutcome;
  /** Called once the file is open and its passages are being indexed. */
  onopened?: () => void;
}

/** Below this many milliseconds a rate says nothing. */
const RATE_AFTER_MS = 1000;

/** Work that tells how far it is. */
type Work = (tell: (progress: IngestProgress) => void) => Promise<IngestReport>;

/** The jobs of this window. */
export class Jobs {
  running = $state.raw<Readonly<Record<KnowledgeBaseId, Job>>>({});
  reports = $state.raw<Readonly<Record<KnowledgeBaseId, JobReport>>>({});
  readonly #backend: Backend;
  readonly #session: Session;
  #began = new Map<JobId, number>();
  #own = new Set<JobId>();
  #asked = new WeakSet<JobReport>();
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

  ingestFiles(kbId: KnowledgeBaseId, paths: string[], taking: Taking = {}): Promise<JobReport> {
    const { replaces, onopened, ...how } = taking;
    const work: Work = (tell) => this.#backend.rag.ingestFiles({ kbId, paths, ...how }, tell);
    return this.#run(kbId, work, replaces, onopened);
  }

  ingestText(kbId: KnowledgeBaseId, title: string, text: string): Promise<JobReport> {
    return this.#run(kbId, (tell) => this.#backend.rag.ingest({ kbId, title, text }, tell));
  }

  retry(kbId: KnowledgeBaseId, documentId: DocumentId): Promise<JobReport> {
    return this.#run(kbId, (tell) => this.#backend.rag.retryDocument({ documentId }, tell));
  }

  /** Recognises the scanned pages of a document that is there. */
  recognise(kbId: KnowledgeBaseId, documentId: DocumentId, replaces?: IngestOutcome): Promise<JobReport> {
    const work: Work = (tell) => this.#backend.rag.recogniseDocument({ documentId }, tell);
    return this.#run(kbId, work, replaces);
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

  /** The only file of a report, where it waits for its password; answered once, so that it is asked once. */
  takePasswordQuestion(kbId: KnowledgeBaseId): IngestOutcome | undefined {
    const report = this.reports[kbId];
    if (!report || this.#asked.has(report)) return undefined;
    this.#asked.add(report);
    const [only, ...others] = report.outcomes;
    const waits = only?.path && only.error?.code === 'password' && isUnlockable(only.error);
    return waits && others.length === 0 ? only : undefined;
  }

  async #run(
    kbId: KnowledgeBaseId,
    work: Work,
    replaces?: IngestOutcome,
    onopened?: () => void,
  ): Promise<JobReport> {
    if (!replaces) this.dismissReport(kbId);
    if (!this.running[kbId]) this.#set(kbId, { progress: undefined, rate: undefined, isCancelling: false });
    let jobId: JobId | undefined;
    try {
      await this.#session.whenReady();
      const report = await work((progress) => {
        jobId = progress.jobId;
        this.#own.add(jobId);
        this.#observe(progress);
        if (progress.phase === 'indexing') onopened?.();
      });
      return this.#report(kbId, report, replaces);
    } catch (caught) {
      return this.#report(kbId, { ...tally([]), stopped: toWireError(caught) }, replaces);
    } finally {
      if (jobId) this.#endJob(jobId);
      if (!this.running[kbId]?.progress) this.#end(kbId);
    }
  }

  /** Shows what a job did; answers what it did alone. */
  #report(kbId: KnowledgeBaseId, report: JobReport, replaces: IngestOutcome | undefined): JobReport {
    const shown = replaces ? mended(this.reports[kbId], replaces, report) : report;
    this.reports = { ...this.reports, [kbId]: shown };
    return report;
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

/** `useJobs` inside components; `provideJobs` once, at the top. */
export const [useJobs, provideJobs] = createContext<Jobs>();
