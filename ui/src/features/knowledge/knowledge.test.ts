/** What is decided about texts before they are shown: paths or words, titles, and the rows of a document. */
import { expect, test } from 'vitest';
import { pathsIn, titleOf } from './paste';
import { paginationOf, rowAt, rowsOf, segmentsOf, tokensOutsideWindow } from './segments';

test('paths are told from words', () => {
  expect(pathsIn('/home/me/a.md\n/home/me/b c.txt')).toEqual(['/home/me/a.md', '/home/me/b c.txt']);
  expect(pathsIn('file:///home/me/%C3%A9t%C3%A9.md')).toEqual(['/home/me/été.md']);
  expect(pathsIn('C:\\Users\\me\\a.md')).toEqual(['C:\\Users\\me\\a.md']);
  expect(pathsIn('Dear all,\n/home/me/a.md')).toBeUndefined();
  expect(pathsIn('/ is the root.')).toBeUndefined();
});

test('a title is the first line without its marks, cut at a word', () => {
  expect(titleOf('## Hours\n\nMonday')).toBe('Hours');
  expect(titleOf('word '.repeat(40))).toHaveLength(80);
  expect(titleOf('')).toBe('');
});

test('segments joined are the text, with what chunks share set apart', () => {
  const text = '# 😀 One\n\nalpha beta\n\n# Two\n\ngamma';
  const chunks = [
    { start: 0, end: 19 },
    { start: 14, end: 34 },
  ];
  const outline = [
    { level: 1, title: '😀 One', start: 0 },
    { level: 1, title: 'Two', start: 21 },
  ];
  const segments = segmentsOf({ text, chunks, outline });
  expect(segments.map((segment) => segment.shared + segment.text).join('')).toBe(text);
  expect(segments.map((segment) => segment.chunk)).toEqual([1, 2, undefined]);
  expect(segments[1]?.shared).toBe(' beta');
  expect(segments[2]?.level).toBe(1);
});

test('tokens outside the window go with the row where their chunk begins', () => {
  const chunks = [
    { start: 0, end: 5 },
    { start: 5, end: 10 },
  ];
  const segments = segmentsOf({ text: '0123456789', chunks, outline: [] }, [0, 12]);
  expect(segments.map((segment) => segment.tokensOutside)).toEqual([undefined, 12]);
});

test('a host that does not tell of the window leaves nothing outside it', () => {
  expect(tokensOutsideWindow({} as never)).toEqual([]);
  expect(tokensOutsideWindow({ tokensOutsideWindow: [0, 3] } as never)).toEqual([0, 3]);
});

/** A text of three pages, of which the second and the last hold nothing. */
const PAGED = '0123456789';
const PAGES = [
  { number: 1, label: null, start: 0 },
  { number: 2, label: null, start: 5 },
  { number: 3, label: null, start: 5 },
  { number: 4, label: null, start: 10 },
];

test('pages cut a text, and one without text has a piece of its own', () => {
  const chunks = [
    { start: 0, end: 7 },
    { start: 7, end: 10 },
  ];
  const segments = segmentsOf({ text: PAGED, chunks, outline: [] }, [], PAGES);
  expect(segments.map(({ page, text }) => [page?.number, text])).toEqual([
    [1, '01234'],
    [2, ''],
    [3, '56'],
    [undefined, '789'],
    [4, ''],
  ]);
});

test('a page beside its picture is one row, and the others stay in pieces', () => {
  const chunks = [{ start: 7, end: 10 }];
  const segments = segmentsOf({ text: PAGED, chunks, outline: [] }, [], PAGES);
  const rows = rowsOf(segments, (page) => page === 3);
  expect(rows.map((row) => [row.page?.number, row.segments.length])).toEqual([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 1],
  ]);
  expect(rowAt(rows, 8)).toBe(2);
  expect(rowAt(rows, 0)).toBe(0);
});

test('a lost page stands where it would have been', () => {
  const kept = PAGES.filter(({ number }) => number !== 3);
  const warnings = [{ code: 'partial' as const, pages: [3, 5] }];
  const pagination = { kind: 'page' as const, pages: kept };
  const whole = paginationOf({ text: PAGED, pagination, warnings });
  expect(whole?.pages.map(({ number, start }) => [number, start])).toEqual([
    [1, 0],
    [2, 5],
    [3, 10],
    [4, 10],
    [5, 10],
  ]);
  expect(paginationOf({ text: PAGED, pagination: null, warnings })).toBeUndefined();
});

test('a long text without passages is cut at its lines', () => {
  const text = 'A line of words 😀.\n'.repeat(1000);
  const segments = segmentsOf({ text, chunks: [], outline: [] });
  expect(segments.length).toBeGreaterThan(3);
  expect(segments.map((segment) => segment.text).join('')).toBe(text);
  expect(segments.every((segment) => segment.text.endsWith('\n'))).toBe(true);
});
