/**
 * How the in-memory host searches: words that are the same stand for the ranking by words, words that begin
 * the same for the ranking by meaning. It has every part of an answer and is no measure of how the real one
 * ranks. Only for tests and development.
 */
import { refusal } from '../errors';
import type { CharRange, Passage, Search, SearchHit, SearchMode, SearchResult, ShowAround } from '../wire';
import type { Store, StoredDocument } from './store';

const STOP_WORDS = new Set(
  'a an and are can do does for how i in is it my of the to what when where you le la les un une des du de et est je mon ma que quel quelle qui pour sur dans au aux'.split(
    ' ',
  ),
);

interface Found {
  hit: SearchHit;
  nearness: number;
}

/** Searches ready documents that are switched on, of the bases that are named. */
export function searchIn(
  store: Store,
  { query, kbIds, topK = 6, maxDistance, mode, rerank = false }: Search,
): SearchResult {
  if (!query.trim()) throw refusal('invalid_input', 'The question is empty.');
  if (topK < 1 || topK > 10_000) throw refusal('invalid_input', 'So many passages are not given.');
  for (const kbId of kbIds) store.get(store.bases, kbId);
  if (rerank && store.rerankers.size === 0) throw refusal('reranker_missing', 'There is no reranker.');
  const chosen = mode ?? 'hybrid';
  const terms = termsOf(query);
  const all = [...store.documents.values()]
    .filter(({ document }) => kbIds.includes(document.kbId))
    .filter(({ document }) => document.status === 'ready' && document.isEnabled)
    .flatMap((stored) => stored.chunks.map((_, at) => weigh(store, stored, at, terms)));
  rank(all, (found) => found.nearness, 'vectorRank', maxDistance ?? 2);
  rank(all, (found) => found.hit.lexicalScore ?? 0, 'lexicalRank', 2);
  for (const found of all) found.hit.score = scoreOf(found, chosen);
  const hits = all
    .map(({ hit }) => hit)
    .filter((hit) => isFound(hit, chosen))
    .sort((a, b) => b.score - a.score || a.distance - b.distance)
    .filter((hit, at, before) => before.findIndex((other) => other.content === hit.content) === at);
  return {
    hits: hits.slice(0, topK),
    mode: chosen,
    language: /\b(le|la|les|est|vous|je|quel|mon|ma)\b/i.test(query) ? 'fr' : 'en',
    terms: chosen === 'vector' ? [] : terms,
    gaps: [],
    isReranked: rerank || null,
    milliseconds: 3,
  };
}

/** A passage with those before and behind it. */
export function passagesAround(store: Store, { chunkId, before = 1, after = 1 }: ShowAround): Passage[] {
  for (const stored of store.documents.values()) {
    const at = stored.chunks.findIndex((_, position) => idOf(stored, position) === chunkId);
    if (at < 0) continue;
    const from = Math.max(0, at - before);
    return stored.chunks.slice(from, at + after + 1).map((_, step) => passageOf(stored, from + step));
  }
  throw refusal('not_found', 'It is not there.');
}

/** The words of a question that are looked for, each once. */
function termsOf(query: string): string[] {
  const words = query.match(/[\p{L}\p{N}]+(?:[-./@][\p{L}\p{N}]+)*/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return [...new Set(telling.length > 0 ? telling : words)];
}

function weigh(store: Store, stored: StoredDocument, at: number, terms: readonly string[]): Found {
  const passage = passageOf(stored, at);
  const { document } = stored;
  const inTitle = (term: string) => placesOf(document.title, term).length > 0;
  const places = terms.map((term) => placesOf(passage.content, term));
  const matched = terms.filter((term, index) => places[index]!.length > 0 || inTitle(term));
  const beginnings = terms.filter((term) => fold(passage.content).includes(fold(term).slice(0, 5)));
  const nearness = terms.length > 0 ? beginnings.length / terms.length : 0;
  const words = terms.length > 0 ? matched.length / terms.length : 0;
  return {
    nearness,
    hit: {
      ...passage,
      documentId: document.id,
      kbId: document.kbId,
      kbName: store.get(store.bases, document.kbId).name,
      sourceId: document.sourceId,
      documentTitle: document.title,
      sourceUri: document.sourceUri,
      language: null,
      distance: Math.round(1000 * (0.3 - 0.2 * nearness)) / 1000,
      score: 0,
      vectorRank: null,
      lexicalRank: null,
      lexicalScore: words > 0 ? words : null,
      matchedTerms: matched,
      matches: joined(places.flat()),
    },
  };
}

function rank(
  all: readonly Found[],
  weight: (found: Found) => number,
  place: 'vectorRank' | 'lexicalRank',
  maxDistance: number,
): void {
  const ranked = all.filter((found) => weight(found) > 0 && found.hit.distance <= maxDistance);
  ranked.sort((a, b) => weight(b) - weight(a)).forEach(({ hit }, at) => (hit[place] = at + 1));
}

function scoreOf({ hit, nearness }: Found, mode: SearchMode): number {
  const near = hit.vectorRank === null ? 0 : nearness;
  if (mode === 'vector') return 1 - hit.distance;
  return mode === 'text' ? (hit.lexicalScore ?? 0) : (near + (hit.lexicalScore ?? 0)) / 2;
}

function isFound(hit: SearchHit, mode: SearchMode): boolean {
  if (mode === 'vector') return hit.vectorRank !== null;
  return hit.lexicalRank !== null || (mode === 'hybrid' && hit.vectorRank !== null);
}

function passageOf(stored: StoredDocument, at: number): Passage {
  const range = stored.chunks[at]!;
  const page = stored.pagination?.pages.findLast(({ start }) => start <= range.start);
  return {
    chunkId: idOf(stored, at),
    position: at,
    ...range,
    content: stored.text.slice(range.start, range.end),
    heading: stored.outline.findLast((heading) => heading.start <= range.start)?.title ?? null,
    page: page?.number ?? null,
    pageKind: page ? (stored.pagination?.kind ?? null) : null,
    pageLabel: page?.label ?? null,
  };
}

function idOf({ document }: StoredDocument, at: number): string {
  return `${document.id}${at}`;
}

/** Lower case without diacritics; as long as the text itself, so that places stay. */
function fold(text: string): string {
  return [...text].map((letter) => letter.normalize('NFD')[0]!.toLowerCase()).join('');
}

function placesOf(text: string, term: string): CharRange[] {
  const folded = fold(text);
  const word = fold(term).replace(/[^\p{L}\p{N}]+/gu, '[^\\p{L}\\p{N}]+');
  const found = folded.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu'));
  return [...found].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

/** Ranges in order; those that touch become one. */
function joined(ranges: CharRange[]): CharRange[] {
  const result: CharRange[] = [];
  for (const range of ranges.sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}
