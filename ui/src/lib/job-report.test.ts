/** Reports in which one item is tried again: what changes, and what stays. */
import { expect, test } from 'vitest';
import type { IngestOutcome } from '../backend/wire';
import { mended, tally } from './job-report';

const outcome = (path: string, result: IngestOutcome['result']): IngestOutcome => ({
  path,
  title: path,
  result,
  documentId: null,
  chunkCount: 0,
  error: null,
  warnings: [],
});
const reportOf = (...outcomes: IngestOutcome[]) => ({ ...tally(outcomes), stopped: null });

test('an item that succeeds the second time is counted anew at its place', () => {
  const [first, second] = [outcome('a', 'failed'), outcome('b', 'failed')];
  const report = mended(reportOf(first, second), first, reportOf(outcome('a', 'ready')));
  expect(report).toMatchObject({ ready: 1, failed: 1 });
  expect(report.outcomes.map(({ path, result }) => [path, result])).toEqual([
    ['a', 'ready'],
    ['b', 'failed'],
  ]);
});

test('what else was in the archive of the item is not told twice', () => {
  const item = outcome('all.zip/a', 'failed');
  const before = reportOf(item, outcome('all.zip/b', 'ready'));
  const again = reportOf(outcome('all.zip/b', 'already_here'), outcome('all.zip/a', 'ready'));
  expect(mended(before, item, again)).toMatchObject({ ready: 2, failed: 0, alreadyHere: 0 });
});

test('a second try that did not begin leaves the item and says why', () => {
  const item = outcome('a', 'failed');
  const stopped = { code: 'disk_full' as const, message: 'full' };
  const report = mended(reportOf(item), item, { ...tally([]), stopped });
  expect(report).toMatchObject({ failed: 1, outcomes: [item], stopped });
});

test('a report that was dismissed meanwhile gives way to the new one', () => {
  const again = reportOf(outcome('a', 'ready'));
  expect(mended(undefined, outcome('a', 'failed'), again)).toBe(again);
});
