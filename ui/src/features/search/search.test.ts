/** What is read off passages and measurements. */
import { expect, test } from 'vitest';
import type { BenchResult, BenchRun, LineSkipped } from '../../backend/wire';
import { failedFirst, isGone, isRight, pairsOf } from './comparison';
import { locale } from '../../lib/i18n.svelte';
import { excerptOf } from './excerpt';
import { resultWords, skippedWords } from './result-words';
import { rerankedWords, runName } from './run-words';

const result = (questionId: string, rank: number | null, refused = false): BenchResult => ({
  questionId,
  text: questionId,
  rank,
  expected: ['A'],
  gone: [],
  topHits: [],
  refused,
});
const run = (results: BenchResult[]): BenchRun => ({
  id: 'r',
  kbId: 'k',
  settings: { topK: 3 },
  index: null,
  figures: {
    recallAtK: 0,
    ndcgAt10: 0,
    mrr: 0,
    refusedRightly: null,
    refusedWrongly: null,
    questions: 0,
    gone: 0,
  },
  results,
  createdAt: 0,
});

test('an excerpt begins near its matches and marks them, also behind signs of two units', () => {
  const content = `${'😀 filler '.repeat(60)}the needle is here${' filler'.repeat(80)}`;
  const start = [...content].join('').indexOf('needle');
  const at = [...content.slice(0, start)].length;
  const excerpt = excerptOf(content, [{ start: at, end: at + 6 }], 120);
  const [match] = excerpt.matches;
  expect([...excerpt.text].slice(match?.start, match?.end).join('')).toBe('needle');
  expect(excerpt).toMatchObject({ isCutBefore: true, isCutAfter: true });
  expect([...excerpt.text].length).toBeLessThanOrEqual(120);
});

test('a short passage is its own excerpt', () => {
  expect(excerptOf('short', [{ start: 0, end: 2 }])).toMatchObject({ text: 'short', isCutAfter: false });
});

test('what failed comes first, the worst of it at the top', () => {
  const sorted = failedFirst(run([result('good', 1), result('late', 5), result('lost', null)]));
  expect(sorted.map(({ questionId }) => questionId)).toEqual(['lost', 'late', 'good']);
  expect(isRight(result('late', 5), 3)).toBe(false);
  expect(isRight({ ...result('none', null, true), expected: [] }, 3)).toBe(true);
});

test('a question whose documents are gone is no failure, and is told apart', () => {
  const gone = { ...result('gone', null), gone: ['A'] };
  const partly = { ...result('partly', 1), expected: ['A', 'B'], gone: ['B'] };
  expect([isGone(gone), isGone(partly), isGone({ ...result('none', null), expected: [] })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(resultWords(gone)).toBe('document gone');
  const sorted = failedFirst(run([partly, gone, result('lost', null)]));
  expect(sorted.map(({ questionId }) => questionId)).toEqual(['lost', 'gone', 'partly']);
  expect(pairsOf(run([gone]), run([result('gone', 1)]))[0]?.change).toBe(0);
});

test('of two measurements what became worse comes first, and no question is lost', () => {
  const one = run([result('same', 1), result('better', 1), result('worse', 4), result('new', 1)]);
  const other = run([result('same', 1), result('better', 2), result('worse', 1), result('old', 1)]);
  const pairs = pairsOf(one, other);
  expect(pairs.map(({ questionId }) => questionId)).toEqual(['worse', 'better', 'same', 'new', 'old']);
  expect(pairs[0]?.change).toBeLessThan(0);
});

test('whether a measurement was reranked is said in its name, alone and beside another', () => {
  const plain = run([]);
  const reranked = { ...plain, settings: { ...plain.settings, rerank: true } };
  expect(runName(reranked)).toMatch(/^By meaning and words · reranked · /);
  expect(runName(plain)).not.toContain('reranked');
  expect(rerankedWords(reranked, undefined)).toBe('Reranked');
  expect(rerankedWords(plain, undefined)).toBe('Not reranked');
  expect(rerankedWords(reranked, plain)).toBe('This one reranked, the other one not');
  expect(rerankedWords(plain, reranked)).toBe('The other one reranked, this one not');
  expect(rerankedWords(reranked, reranked)).toBe('Both reranked');
  expect(rerankedWords(plain, plain)).toBe('Neither reranked');
});

test('why a line was left out is said in the language of the interface', () => {
  const line = (code: LineSkipped['code'], detail: string | null, count: number | null) =>
    skippedWords({ line: 4, code, detail, count, reason: 'not shown' });
  try {
    locale.language = 'fr';
    expect(line('unknown', 'Tarifs', null)).toBe(
      'Aucun document de la base ne s’appelle «\u00a0Tarifs\u00a0».',
    );
    expect(line('ambiguous', 'Tarifs', 2)).toContain('2 documents');
    expect(line('already_there', null, null)).toBe('La base a déjà cette question.');
  } finally {
    locale.language = 'en';
  }
  expect(line('not_json', 'EOF while parsing', null)).toContain('EOF while parsing');
  expect(line('too_long', null, 20_000)).toContain('20,000');
});
