/**
 * The jobs of the in-memory host: records that move on while `ingestion.ts` takes their items, and what a
 * person can ask of them. Only for tests and development.
 */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { JobItem, JobItemState, JobKind, JobState, JobSummary } from '../wire';
import type { Item } from './ingestion';
import { nameOf, pretend } from './reading';
import { pageOf, type Store } from './store';

/** A job with its items, and what each item pretends to be. */
export interface StoredJob {
  summary: JobSummary;
  items: JobItem[];
  work: Item[];
}

type JobOperations = Pick<
  Operations['rag'],
  | 'listJobs'
  | 'getJob'
  | 'listJobItems'
  | 'pauseJob'
  | 'resumeJob'
  | 'cancelJob'
  | 'retryJob'
  | 'retryFailed'
  | 'moveJob'
  | 'clearJobs'
>;

/** The order of the list: what goes on first. */
const ORDER: JobState[] = ['running', 'queued', 'paused', 'done', 'failed', 'cancelled'];

export function isEnded(state: JobState | JobItemState): boolean {
  return ['done', 'failed', 'cancelled', 'ready', 'already_here', 'skipped'].includes(state);
}

/** Makes a job that is queued behind all others. */
export function enqueue(
  store: Store,
  kbId: string,
  work: readonly Item[],
  kind: JobKind = 'ingest',
): StoredJob {
  const [first, ...others] = work;
  const title = first ? `${first.title}${others.length > 0 ? ` +${others.length}` : ''}` : '';
  const summary: JobSummary = {
    id: store.id(),
    kind,
    kbId,
    kbName: store.get(store.bases, kbId).name,
    title,
    state: 'queued',
    step: null,
    attempts: 0,
    itemsTotal: work.length,
    itemsDone: 0,
    itemsFailed: 0,
    itemsAlreadyHere: 0,
    itemsSkipped: 0,
    itemsCancelled: 0,
    itemsFlagged: 0,
    chunksDone: 0,
    chunksTotal: 0,
    chunksPerMinute: null,
    remainingMs: null,
    current: null,
    nextAttemptAt: null,
    error: null,
    createdAt: Date.now(),
    startedAt: null,
    finishedAt: null,
  };
  const items = work.map(({ path, title }, index): JobItem => ({
    number: index + 1,
    path,
    title,
    state: 'queued',
    documentId: null,
    chunkCount: 0,
    chunksDone: 0,
    attempts: 0,
    error: null,
    warnings: [],
  }));
  const job = { summary, items, work: [...work] };
  store.jobs.set(summary.id, job);
  store.emit({ type: 'jobs_changed' });
  change(store, job, {});
  return job;
}

/** Changes a job, counts its items anew and tells everyone. */
export function change(store: Store, { summary, items }: StoredJob, changed: Partial<JobSummary>): void {
  const count = (...states: JobItemState[]) => items.filter(({ state }) => states.includes(state)).length;
  Object.assign(summary, changed, {
    itemsTotal: items.length,
    itemsDone: items.filter(({ state }) => isEnded(state) && state !== 'cancelled').length,
    itemsFailed: count('failed'),
    itemsAlreadyHere: count('already_here'),
    itemsSkipped: count('skipped'),
    itemsCancelled: count('cancelled'),
    itemsFlagged: items.filter(({ state, warnings }) => isEnded(state) && warnings.length > 0).length,
    chunksDone: items.reduce((sum, { chunksDone }) => sum + chunksDone, 0),
    chunksTotal: items.reduce((sum, { chunkCount }) => sum + chunkCount, 0),
  });
  if (summary.state !== 'running') Object.assign(summary, { current: null, remainingMs: null });
  store.emit({ type: 'job_changed', job: { ...summary } });
}

/** The operations on jobs; `work` takes the items of a job that have no outcome. */
export function jobsOver(store: Store, work: (job: StoredJob) => void): JobOperations {
  const listed = () => {
    const place = ({ summary }: StoredJob) => ORDER.indexOf(summary.state);
    const later = (one: StoredJob, other: StoredJob) =>
      (other.summary.finishedAt ?? 0) - (one.summary.finishedAt ?? 0);
    return [...store.jobs.values()].sort((one, other) =>
      isEnded(one.summary.state) && isEnded(other.summary.state)
        ? later(one, other)
        : place(one) - place(other),
    );
  };
  const going = (jobId: string) => {
    const job = store.get(store.jobs, jobId);
    if (isEnded(job.summary.state)) throw refusal('job_ended', 'This job has ended.');
    return job;
  };
  const again = (job: StoredJob, wanted: (item: JobItem) => boolean) => {
    const items = job.items.filter(wanted);
    for (const item of items) Object.assign(item, { state: 'queued', error: null });
    if (items.length > 0 && isEnded(job.summary.state)) {
      change(store, job, { state: 'queued', finishedAt: null, error: null });
      work(job);
    }
    return items.length;
  };

  return {
    listJobs: async ({ page }) =>
      pageOf(
        listed().map(({ summary }) => ({ ...summary })),
        page,
      ),
    getJob: async ({ jobId }) => ({ ...store.get(store.jobs, jobId).summary }),
    listJobItems: async ({ jobId, state, page }) => {
      const items = store.get(store.jobs, jobId).items.map((item) => ({ ...item }));
      return pageOf(state ? items.filter((item) => item.state === state) : items, page);
    },
    pauseJob: async ({ jobId }) => {
      const job = going(jobId);
      change(store, job, { state: 'paused' });
      return { ...job.summary };
    },
    resumeJob: async ({ jobId }) => {
      const job = going(jobId);
      // Whoever works on it has only been waiting.
      if (job.summary.state === 'paused') {
        change(store, job, { state: job.summary.startedAt === null ? 'queued' : 'running' });
      }
      return { ...job.summary };
    },
    cancelJob: async ({ jobId }) => {
      const job = store.get(store.jobs, jobId);
      if (job.summary.state === 'cancelled') return { ...job.summary };
      going(jobId);
      for (const item of job.items) if (!isEnded(item.state)) item.state = 'cancelled';
      change(store, job, { state: 'cancelled', finishedAt: Date.now() });
      return { ...job.summary };
    },
    retryJob: async ({ jobId, number, password, recognise }) => {
      const job = store.get(store.jobs, jobId);
      const how = { password, ...(recognise ? { recognise } : {}) };
      const item = (password || recognise) && number ? job.work[number - 1] : undefined;
      if (item?.path) job.work[Number(number) - 1] = { path: item.path, ...pretend(nameOf(item.path), how) };
      const isOpen = ({ state }: JobItem) => state === 'failed' || state === 'cancelled';
      const count = again(job, (item) => isOpen(item) && (number ?? item.number) === item.number);
      if (count === 0 && number) throw refusal('not_found', 'This item has not failed.');
      return { ...job.summary };
    },
    retryFailed: async () =>
      [...store.jobs.values()].reduce((sum, job) => sum + again(job, ({ state }) => state === 'failed'), 0),
    moveJob: async ({ jobId, before }) => {
      const job = going(jobId);
      if (before) going(before);
      const order = [...store.jobs].filter(([id]) => id !== jobId);
      const place = before ? order.findIndex(([id]) => id === before) : order.length;
      store.jobs = new Map(order.toSpliced(place, 0, [jobId, job]));
      store.emit({ type: 'jobs_changed' });
      return {};
    },
    clearJobs: async () => {
      store.jobs = new Map([...store.jobs].filter(([, { summary }]) => !isEnded(summary.state)));
      store.emit({ type: 'jobs_changed' });
      return {};
    },
  };
}
