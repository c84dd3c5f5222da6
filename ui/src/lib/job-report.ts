/**
 * What a finished job leaves to read above a base's documents: what its record counts, and the items that
 * need a word. An item that was taken again by another job, to be recognised, shows what became of it there,
 * so that the others stay at hand.
 */
import type { JobId, JobItem, JobItemState, JobSummary, WireError } from '../backend/wire';

/** What a finished job did; only what needs a word has its item here. */
export interface JobReport {
  /** The job; undefined where it could not even be queued. */
  jobId: JobId | undefined;
  total: number;
  ready: number;
  alreadyHere: number;
  failed: number;
  skipped: number;
  cancelled: number;
  items: JobItem[];
  stopped: WireError | null;
}

/** The report of work that was refused before it became a job. */
export function refused(stopped: WireError): JobReport {
  const counts = { total: 0, ready: 0, alreadyHere: 0, failed: 0, skipped: 0, cancelled: 0 };
  return { jobId: undefined, ...counts, items: [], stopped };
}

/** The report of a job, from its record, the items that need a word, and how many it did not reach. */
export function reportOf(job: JobSummary, items: JobItem[], cancelled: number): JobReport {
  const { itemsDone, itemsFailed, itemsAlreadyHere, itemsSkipped } = job;
  return {
    jobId: job.id,
    total: job.itemsTotal,
    ready: Math.max(0, itemsDone - itemsFailed - itemsAlreadyHere - itemsSkipped),
    alreadyHere: itemsAlreadyHere,
    failed: itemsFailed,
    skipped: itemsSkipped,
    cancelled,
    items,
    stopped:
      job.state === 'cancelled' ? { code: 'cancelled', message: 'It was stopped.' } : (job.error ?? null),
  };
}

/** A report in which one item gives way to what became of it in another job. */
export function mended(before: JobReport | undefined, number: number, again: JobReport): JobReport {
  const item = before?.items.find((one) => one.number === number);
  if (!before || !item) return again;
  const after = again.items.find(({ path }) => path === item.path) ?? again.items[0];
  if (!after && again.ready + again.alreadyHere === 0) return { ...before, stopped: again.stopped };
  const state = after?.state ?? 'ready';
  const report = { ...before, stopped: again.stopped };
  count(report, item.state, -1);
  count(report, state, 1);
  report.items = before.items.flatMap((one) => {
    if (one !== item) return [one];
    return after ? [{ ...after, number }] : [];
  });
  return report;
}

function count(report: JobReport, state: JobItemState, by: number): void {
  const names = {
    ready: 'ready',
    already_here: 'alreadyHere',
    failed: 'failed',
    skipped: 'skipped',
    cancelled: 'cancelled',
  } as const;
  if (state in names) report[names[state as keyof typeof names]] += by;
}
