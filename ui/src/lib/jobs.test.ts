/** Jobs that others started, followed by their events alone: across bases, and to their reports. */
import { expect, test } from 'vitest';
import type { Backend } from '../backend/backend';
import type { Event, IngestOutcome, IngestProgress } from '../backend/wire';
import { Jobs } from './jobs.svelte';
import type { Session } from './session.svelte';

/** Jobs over a host that only tells, and a way to make it tell. */
function follow() {
  let listen = (_: Event) => {};
  const backend = { subscribe: (listener: typeof listen) => ((listen = listener), () => {}) };
  const jobs = new Jobs(backend as unknown as Backend, {} as Session);
  jobs.start();
  const tell = (kbId: string, change: Partial<IngestProgress> = {}) =>
    listen({
      type: 'job_progressed',
      jobId: 'job',
      kbId,
      phase: 'indexing',
      itemsTotal: 3,
      itemsDone: 0,
      itemsFailed: 0,
      chunksDone: 0,
      chunksTotal: 0,
      chunksEmbedded: 0,
      current: null,
      remainingMs: null,
      outcome: null,
      recognition: null,
      ...change,
    });
  return { jobs, tell };
}

const outcome = (title: string, result: IngestOutcome['result']): IngestOutcome => ({
  path: null,
  title,
  result,
  documentId: null,
  chunkCount: 0,
  error: result === 'failed' ? { code: 'empty', message: 'There is no text in it.' } : null,
  warnings: [],
});

test('the strip of a resumed job goes with it from base to base and ends with it', () => {
  const { jobs, tell } = follow();
  tell('first');
  expect(Object.keys(jobs.running)).toEqual(['first']);
  tell('second');
  expect(Object.keys(jobs.running)).toEqual(['second']);
  tell('second', { phase: 'finished' });
  expect(jobs.running).toEqual({});
});

test('a job that finishes in another base than it was last seen in leaves no strip', () => {
  const { jobs, tell } = follow();
  tell('first');
  tell('second', { phase: 'finished' });
  expect(jobs.running).toEqual({});
});

test('another job in a base goes on when one ends', () => {
  const { jobs, tell } = follow();
  tell('first');
  tell('second', { jobId: 'other' });
  tell('first', { phase: 'finished' });
  expect(Object.keys(jobs.running)).toEqual(['second']);
});

test('each base of a job gets the report of its own items', () => {
  const { jobs, tell } = follow();
  tell('first', { outcome: outcome('one', 'ready') });
  tell('second', { outcome: outcome('two', 'failed'), itemsFailed: 1 });
  tell('second', { phase: 'finished', itemsFailed: 1 });
  expect(jobs.reports.first).toMatchObject({ ready: 1, failed: 0 });
  expect(jobs.reports.second).toMatchObject({ ready: 0, failed: 1, outcomes: [{ title: 'two' }] });
});

test('failed items that come with the end are shown, even where no strip was', () => {
  const { jobs, tell } = follow();
  tell('first', { phase: 'finished', itemsFailed: 2, outcome: outcome('one', 'failed') });
  expect(jobs.reports.first).toMatchObject({ failed: 2, outcomes: [{ title: 'one' }] });
});
