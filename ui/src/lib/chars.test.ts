/** Slices by character: the host counts Unicode scalar values, JavaScript UTF-16 units. */
import { expect, test } from 'vitest';
import { CharText, piecesOf } from './chars';

test('an emoji counts as one character', () => {
  const text = new CharText('a😀b');
  expect(text.length).toBe(3);
  expect(text.slice(1, 2)).toBe('😀');
  expect(text.slice(2, 3)).toBe('b');
});

test('accents count as they are stored, composed or not', () => {
  expect(new CharText('été').slice(0, 1)).toBe('é');
  expect(new CharText('e\u0301te\u0301').length).toBe(5);
});

test('ranges beyond the end are cut off', () => {
  expect(new CharText('👍🏽 ok').slice(2, 99)).toBe(' ok');
  expect(new CharText('ok').slice(5, 9)).toBe('');
  expect(new CharText('😀').slice(3, 1)).toBe('');
});

test('pieces joined are the text, whatever the ranges', () => {
  const text = 'Élise 😀 paie 4,90 €. Merci 🙏🏽 !';
  const ranges = [
    { start: 6, end: 9 },
    { start: 0, end: 3 },
    { start: 2, end: 7 },
    { start: 20, end: 400 },
  ];
  const pieces = piecesOf(text, ranges);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  expect(pieces.filter((piece) => piece.isMarked)[0]?.text).toBe('Éli');
});

test('the marked piece is the one the host meant, after an emoji', () => {
  expect(piecesOf('😀 Bon. Oui.', [{ start: 2, end: 6 }])).toEqual([
    { text: '😀 ', isMarked: false },
    { text: 'Bon.', isMarked: true },
    { text: ' Oui.', isMarked: false },
  ]);
});
