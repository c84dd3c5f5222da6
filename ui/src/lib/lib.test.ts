/** The small parts that screens stand on: mails, addresses, answers that come late, pages, throttling. */
import { expect, test, vi } from 'vitest';
import { toWireError } from '../backend/errors';
import { Loaded } from './loaded.svelte';
import { readMail } from './mail';
import { PagedList } from './paged.svelte';
import { fragmentOf, parseFragment } from './route.svelte';
import { throttled } from './throttle';

test('a mail gives its subject away in both languages', () => {
  expect(readMail('Subject: Parcel\n\nWhere is it?')).toEqual({ subject: 'Parcel', body: 'Where is it?' });
  expect(readMail('Objet : Colis\r\n\r\nOù est-il ?')).toEqual({ subject: 'Colis', body: 'Où est-il ?' });
  expect(readMail('Objet\u00a0: Colis')).toEqual({ subject: 'Colis', body: '' });
  expect(readMail('Subject to change')).toBeUndefined();
  expect(readMail('Hello')).toBeUndefined();
});

test('an address survives its fragment', () => {
  const address = { place: 'knowledge', id: 'a/b é', sub: 'c' } as const;
  expect(parseFragment(fragmentOf(address))).toEqual(address);
  expect(parseFragment(fragmentOf({ ...address, at: 12 }))).toEqual({ ...address, at: 12 });
  expect(parseFragment('#/knowledge/a/b/x')).toEqual({ place: 'knowledge', id: 'a', sub: 'b' });
  expect(parseFragment('#/nowhere/x')).toEqual({ place: 'inbox' });
  expect(parseFragment('')).toEqual({ place: 'inbox' });
});

test('an older answer does not overwrite a newer one', async () => {
  const loaded = new Loaded<string>();
  let answerFirst = (_: string) => {};
  const first = loaded.load(() => new Promise((resolve) => (answerFirst = resolve)));
  await loaded.load(async () => 'newer');
  answerFirst('older');
  await first;
  expect(loaded.value).toBe('newer');
});

test('waiting is shown only after a while', async () => {
  vi.useFakeTimers();
  const loaded = new Loaded<string>();
  void loaded.load(() => new Promise(() => {}));
  vi.advanceTimersByTime(150);
  expect(loaded.isWaiting).toBe(false);
  vi.advanceTimersByTime(100);
  expect(loaded.isWaiting).toBe(true);
  vi.useRealTimers();
});

test('a long list is fetched in pages as it comes into view', async () => {
  const ask = vi.fn(async ({ offset, limit }: { offset: number; limit: number }) => ({
    items: Array.from({ length: limit }, (_, at) => offset + at),
    total: 1000,
  }));
  const list = new PagedList<number>(ask);
  await list.refresh();
  expect(list.total).toBe(1000);
  expect(list.at(99)).toBe(99);
  expect(list.at(250)).toBeUndefined();
  list.show(240, 260);
  list.show(241, 261);
  await vi.waitFor(() => expect(list.at(250)).toBe(250));
  expect(ask).toHaveBeenCalledTimes(2);
});

test('a page that is refused leaves its reason', async () => {
  const list = new PagedList<number>(() => Promise.reject({ code: 'database_busy', message: 'busy' }));
  await list.refresh();
  expect(list.error?.code).toBe('database_busy');
});

test('a fault of our own becomes an internal error that keeps its words', () => {
  expect(toWireError(new Error('boom'))).toEqual({ code: 'internal', message: 'boom' });
});

test('many calls become a first and a last one', () => {
  vi.useFakeTimers();
  const work = vi.fn();
  const call = throttled(work, 100);
  for (let time = 0; time < 10; time++) call();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
