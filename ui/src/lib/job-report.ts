/**
 * What a finished job leaves to read, counted from its items. An item that is tried again on its own, with
 * a password or with recognition, takes its new outcome in the old report, so that the others stay at hand.
 */
import type { IngestOutcome, IngestReport, WireError } from '../backend/wire';

/** What a finished job did; only what needs a word has an outcome here. */
export interface JobReport extends Pick<
  IngestReport,
  'ready' | 'alreadyHere' | 'failed' | 'skipped' | 'cancelled'
> {
  outcomes: IngestOutcome[];
  stopped: WireError | null;
}

/** Counts what became of items. */
export function tally(outcomes: IngestOutcome[]): Omit<JobReport, 'stopped'> {
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

/** What became of an item that was tried again; with it may have come the others of its archive. */
export function outcomeOf(item: IngestOutcome, again: JobReport): IngestOutcome | undefined {
  return again.outcomes.find(({ path }) => path === item.path) ?? again.outcomes[0];
}

/** A report in which one item gives way to what became of it when it was tried again. */
export function mended(before: JobReport | undefined, item: IngestOutcome, again: JobReport): JobReport {
  if (!before?.outcomes.includes(item)) return again;
  const after = outcomeOf(item, again);
  if (!after) return { ...before, stopped: again.stopped };
  const [taken, given] = [tally([item]), tally([after])];
  return {
    ready: before.ready - taken.ready + given.ready,
    alreadyHere: before.alreadyHere - taken.alreadyHere + given.alreadyHere,
    failed: before.failed - taken.failed + given.failed,
    skipped: before.skipped - taken.skipped + given.skipped,
    cancelled: before.cancelled - taken.cancelled + given.cancelled,
    outcomes: before.outcomes.map((one) => (one === item ? after : one)),
    stopped: again.stopped,
  };
}
