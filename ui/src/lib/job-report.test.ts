/** Reports of finished jobs: what is counted, and what changes when one item is taken again by another job. */
import { expect, test } from 'vitest';
import type { JobItem, JobItemState, JobSummary } from '../backend/wire';
import { mended, refused, reportOf } from './job-report';

const item = (number: number, path: string, state: JobItemState): JobItem => ({
  number,
  path,
  title: path,
  state,
  documentId: null,
  chunkCount: 0,
  chunksDone: 0,
  attempts: 1,
  error: state === 'failed' ? { code: 'no_text_layer', message: 'scans' } : null,
  warnings: [],
});
const job = (counts: Partial<JobSummary>) =>
  ({
    id: 'job',
    state: 'done',
    itemsFailed: 0,
    itemsAlreadyHere: 0,
    itemsSkipped: 0,
    error: null,
    ...counts,
  }) as JobSummary;

test('what is neither failed nor passed over nor there before is ready', () => {
  const counts = { itemsTotal: 9, itemsDone: 7, itemsFailed: 2, itemsAlreadyHere: 1, itemsSkipped: 1 };
  expect(reportOf(job(counts), [], 2)).toMatchObject({ ready: 3, failed: 2, alreadyHere: 1, cancelled: 2 });
});

test('a job that was cancelled says so', () => {
  const report = reportOf(job({ state: 'cancelled', itemsTotal: 2, itemsDone: 0, itemsCancelled: 2 }), [], 2);
  expect(report).toMatchObject({ ready: 0, cancelled: 2, stopped: { code: 'cancelled' } });
});

test('an item that succeeds in another job is counted anew at its place', () => {
  const items = [item(1, 'a', 'failed'), item(2, 'b', 'failed')];
  const before = reportOf(job({ itemsTotal: 2, itemsDone: 2, itemsFailed: 2 }), items, 0);
  const again = reportOf(job({ itemsTotal: 1, itemsDone: 1 }), [item(1, 'a', 'ready')], 0);
  const report = mended(before, 1, again);
  expect(report).toMatchObject({ ready: 1, failed: 1 });
  expect(report.items.map(({ number, state }) => [number, state])).toEqual([
    [1, 'ready'],
    [2, 'failed'],
  ]);
});

test('an item that is simply ready now needs no word any more', () => {
  const before = reportOf(job({ itemsDone: 1, itemsFailed: 1 }), [item(1, 'a', 'failed')], 0);
  expect(mended(before, 1, reportOf(job({ itemsDone: 1 }), [], 0))).toMatchObject({
    ready: 1,
    failed: 0,
    items: [],
  });
});

test('a second try that did not begin leaves the item and says why', () => {
  const items = [item(1, 'a', 'failed')];
  const before = reportOf(job({ itemsDone: 1, itemsFailed: 1 }), items, 0);
  const report = mended(before, 1, refused({ code: 'disk_full', message: 'full' }));
  expect(report).toMatchObject({ failed: 1, items, stopped: { code: 'disk_full' } });
});

test('a report that was dismissed meanwhile gives way to the new one', () => {
  const again = reportOf(job({ itemsDone: 1 }), [], 0);
  expect(mended(undefined, 1, again)).toBe(again);
});
