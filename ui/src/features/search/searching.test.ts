/** What a search asks of the host. */
import { beforeEach, expect, test } from 'vitest';
import type { Backend } from '../../backend/backend';
import type { Search } from '../../backend/wire';
import { Searching } from './searching.svelte';

beforeEach(() => localStorage.clear());

/** A search over a host with one base and so many rerankers, and what it was asked. */
async function searchingWith(rerankers: number) {
  const asked: Search[] = [];
  const rag = {
    listKnowledgeBases: async () => [{ id: 'base' }],
    listRerankers: async () =>
      Array.from({ length: rerankers }, (_, at) => ({ id: `r${at}`, isUsed: at === 0 })),
    search: async (input: Search) => {
      asked.push(input);
      return { hits: [] };
    },
  };
  const searching = new Searching({ rag } as unknown as Backend);
  await searching.loadBases();
  await searching.loadRerankers();
  searching.query = 'refund';
  return { searching, asked };
}

test('a reranker is asked when somebody wants it, and not before', async () => {
  const { searching, asked } = await searchingWith(1);
  await searching.search();
  searching.choose({ rerank: true });
  await searching.search();
  expect(asked.map(({ rerank }) => rerank)).toEqual([false, true]);
});

test('a wish for a reranker that is gone does not keep anybody from searching', async () => {
  const { searching: before } = await searchingWith(1);
  before.choose({ rerank: true });
  const { searching, asked } = await searchingWith(0);
  expect(searching.choices.rerank).toBe(true);
  expect(searching.hasReranker).toBe(false);
  await searching.search();
  expect(asked[0]?.rerank).toBe(false);
});
