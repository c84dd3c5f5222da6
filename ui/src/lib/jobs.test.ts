/** The jobs that a window knows: those that were there when it opened, and what it hears of them. */
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { Backend } from '../backend/backend';
import type { Event, JobItem, JobSummary } from '../backend/wire';
import { Jobs } from './jobs.svelte';

const jobOf = (id: string, change: Partial<JobSummary> = {}) =>
  ({
    id,
    kind: 'ingest',
    kbId: 'base',
    title: id,
    state: 'queued',
    itemsTotal: 1,
    itemsDone: 0,
    itemsFailed: 0,
    itemsAlreadyHere: 0,
    itemsSkipped: 0,
    itemsFlagged: 0,
    error: null,
    ...change,
  }) as JobSummary;

/** Jobs over a host that has some, and a way to make it tell of one. */
async function follow(jobs: JobSummary[], items: JobItem[] = []) {
  let listen = (_: Event) => {};
  const held = new Map(jobs.map((job) => [job.id, job]));
  const moved: unknown[] = [];
  const rag = {
    listJobs: vi.fn(async () => ({ items: [...held.values()], total: held.size })),
    listJobItems: async ({ state }: { state?: string }) => {
      const wanted = items.filter((item) => !state || item.state === state);
      return { items: wanted, total: wanted.length };
    },
    moveJob: async (input: unknown) => void moved.push(input),
  };
  const subscribe = (listener: typeof listen) => ((listen = listener), () => {});
  const store = new Jobs({ rag, subscribe } as unknown as Backend);
  store.start();
  await vi.waitFor(() => expect(store.total).toBe(jobs.length));
  const hold = (job: JobSummary) => void held.set(job.id, job);
  const tell = (job: JobSummary) => {
    hold(job);
    listen({ type: 'job_changed', job });
    flushSync();
  };
  return { store, hold, tell, rag, moved };
}

test('what goes on when the window opens is there, and is not reported as news', async () => {
  const { store } = await follow([jobOf('one', { state: 'running' }), jobOf('old', { state: 'done' })]);
  await store.refresh();
  expect(store.running.map(({ id }) => id)).toEqual(['one']);
  expect(store.openIn('base').map(({ id }) => id)).toEqual(['one']);
  expect(store.reports).toEqual({});
});

test('a job that ends before the eyes of the window leaves its report in its base', async () => {
  const failed = { number: 1, path: '/a', title: 'a', state: 'failed', warnings: [], error: null };
  const { store, tell } = await follow([jobOf('one', { state: 'running' })], [failed as unknown as JobItem]);
  tell(jobOf('one', { state: 'done', itemsDone: 1, itemsFailed: 1 }));
  await vi.waitFor(() => expect(store.reports.base).toMatchObject({ failed: 1, ready: 0 }));
  await vi.waitFor(() => expect(store.openIn('base')).toEqual([]));
  expect(store.reports.base?.items).toHaveLength(1);
});

test('a job whose end the list knew before the event leaves its report too, once', async () => {
  const failed = { number: 1, path: '/a', title: 'a', state: 'failed', warnings: [], error: null };
  const { store, hold, tell } = await follow([jobOf('one', { state: 'running' })], [
    failed,
  ] as unknown as JobItem[]);
  const ended = jobOf('one', { state: 'done', itemsDone: 1, itemsFailed: 1 });
  hold(ended);
  await store.refresh();
  await vi.waitFor(() => expect(store.reports.base).toMatchObject({ failed: 1 }));
  store.dismissReport('base');
  tell(ended);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.reports).toEqual({});
});

test('a job that the window first hears of when it has ended leaves its report', async () => {
  const failed = { number: 1, path: '/a', title: 'a', state: 'failed', warnings: [], error: null };
  const ended = jobOf('quick', { state: 'done', itemsDone: 1, itemsFailed: 1 });
  const heard = await follow([], [failed] as unknown as JobItem[]);
  heard.tell(ended);
  await vi.waitFor(() => expect(heard.store.reports.base).toMatchObject({ failed: 1 }));

  const listed = await follow([], [failed] as unknown as JobItem[]);
  listed.hold(ended);
  await listed.store.refresh();
  expect(listed.store.reports).toEqual({});
  listed.tell(ended);
  await vi.waitFor(() => expect(listed.store.reports.base).toMatchObject({ failed: 1 }));
});

test('a job that is tried again reports again', async () => {
  const failed = { number: 1, path: '/a', title: 'a', state: 'failed', warnings: [], error: null };
  const { store, tell } = await follow([], [failed] as unknown as JobItem[]);
  const ended = jobOf('one', { state: 'done', itemsDone: 1, itemsFailed: 1 });
  tell(ended);
  await vi.waitFor(() => expect(store.reports.base).toBeDefined());
  store.dismissReport('base');
  tell(jobOf('one', { state: 'queued' }));
  tell(ended);
  await vi.waitFor(() => expect(store.reports.base).toBeDefined());
});

test('a re-index leaves no list of files behind', async () => {
  const { store, tell } = await follow([jobOf('one', { state: 'running', kind: 'reindex' })]);
  tell(jobOf('one', { state: 'done', kind: 'reindex' }));
  await vi.waitFor(() => expect(store.all[0]?.state).toBe('done'));
  expect(store.reports).toEqual({});
});

test('what is told while the list is on its way is not overwritten by it', async () => {
  const { store, tell, rag } = await follow([jobOf('one', { state: 'running' })]);
  let answer = (_: { items: JobSummary[]; total: number }) => {};
  rag.listJobs.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const refreshed = store.refresh();
  tell(jobOf('one', { state: 'running', itemsDone: 1 }));
  answer({ items: [jobOf('one', { state: 'running' })], total: 1 });
  await refreshed;
  expect(store.all[0]?.itemsDone).toBe(1);
});

test('moving is among what waits, and ends at its ends', async () => {
  const { store, moved } = await follow([
    jobOf('r', { state: 'running' }),
    jobOf('a'),
    jobOf('b'),
    jobOf('c'),
  ]);
  expect(await store.move('a', -1)).toBe(false);
  expect(await store.move('b', -1)).toBe(true);
  expect(await store.move('a', 1)).toBe(true);
  expect(await store.move('b', 1)).toBe(true);
  expect(moved).toEqual([
    { jobId: 'b', before: 'a' },
    { jobId: 'a', before: 'c' },
    { jobId: 'b', before: null },
  ]);
});
