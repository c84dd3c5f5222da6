/** A draft as paragraphs and as plain text, and a passage as runs: nothing is lost on the way. */
import { expect, test } from 'vitest';
import type { Draft, Sentence } from '../../backend/wire';
import { runsOf } from '../../lib/quote';
import { cutLastWord, paragraphsOf, plainText } from './letter';

const sentence = (text: string, startsParagraph = false): Sentence => ({
  text,
  citations: [1],
  support: 'supported',
  startsParagraph,
});
const draft = {
  sentences: [sentence('Hello,'), sentence('One.', true), sentence('Two.'), sentence('Bye', true)],
} as Draft;

test('sentences gather into paragraphs', () => {
  expect(paragraphsOf(draft).map((paragraph) => paragraph.map((one) => one.index))).toEqual([
    [0],
    [1, 2],
    [3],
  ]);
});

test('the plain text has paragraphs and no numbers', () => {
  expect(plainText(draft)).toBe('Hello,\n\nOne. Two.\n\nBye');
});

test('the last word goes with the numbers, its French mark included', () => {
  expect(cutLastWord('Le délai est de 5 jours.')).toEqual(['Le délai est de 5 ', 'jours.', '']);
  expect(cutLastWord('Oui.')).toEqual(['', 'Oui.', '']);
});

test('a sentence that is a list keeps its lines, and its numbers stay on the last of them', () => {
  const list = 'You need:\n• the receipt\n• 2 minutes';
  expect(cutLastWord(list)).toEqual(['You need:\n• the receipt\n• 2 ', 'minutes', '']);
  expect(cutLastWord('1. Open it.\n')).toEqual(['1. Open ', 'it.', '\n']);
  const withList = {
    sentences: [sentence('1. Open it.\n'), sentence('2. Wait.'), sentence(list, true), sentence('Bye.')],
  } as Draft;
  expect(plainText(withList)).toBe(`1. Open it.\n2. Wait.\n\n${list}\nBye.`);
});

test('the runs of a passage are the passage, with used words and headings told apart', () => {
  const content = '# 😀 Refunds\n\nPaid in 5 days. By card.\n## Gifts\n#hash';
  const runs = runsOf(content, [{ start: 13, end: 28 }]);
  expect(runs.map((run) => run.text).join('')).toBe(content);
  expect(runs.filter((run) => run.look === 'used').map((run) => run.text)).toEqual(['Paid in 5 days.']);
  expect(runs.filter((run) => run.look === 'heading').map((run) => run.text)).toEqual([
    '😀 Refunds',
    'Gifts',
  ]);
});
