/** What is decided about texts before they are shown: paths or words, titles, and the rows of a document. */
import { expect, test } from 'vitest';
import { pathsIn, titleOf } from './paste';
import { segmentsOf, tokensOutsideWindow } from './segments';

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
