/**
 * The part of a passage that tells why it was found: the stretch with the most matches, cut at words.
 * Positions are characters, as the host counts them.
 */
import type { CharRange } from '../../backend/wire';
import { CharText } from '../../lib/chars';

/** How many characters of a passage are shown before the whole is asked for. */
export const EXCERPT = 360;

/** How many characters stand before the first match, so that it is read in its sentence. */
const LEAD = 80;

export interface Excerpt {
  text: string;
  /** The matches within the text. */
  matches: CharRange[];
  isCutBefore: boolean;
  isCutAfter: boolean;
}

/** The most telling part of a text; the whole text where it is short. */
export function excerptOf(content: string, matches: readonly CharRange[], length = EXCERPT): Excerpt {
  const whole = new CharText(content);
  if (whole.length <= length * 1.25) {
    return { text: content, matches: [...matches], isCutBefore: false, isCutAfter: false };
  }
  const start = beginningOf(whole, bestStart(matches, length));
  const end = endOf(whole, Math.min(start + length, whole.length));
  const inside = matches
    .filter((range) => range.end > start && range.start < end)
    .map((range) => ({ start: Math.max(0, range.start - start), end: Math.min(range.end, end) - start }));
  return {
    text: whole.slice(start, end),
    matches: inside,
    isCutBefore: start > 0,
    isCutAfter: end < whole.length,
  };
}

/** Where a stretch begins that has the most matches; of equals the first. */
function bestStart(matches: readonly CharRange[], length: number): number {
  let best = { start: 0, count: 0 };
  for (const { start: at } of matches) {
    const start = Math.max(0, at - LEAD);
    const count = matches.filter((range) => range.start >= start && range.end <= start + length).length;
    if (count > best.count) best = { start, count };
  }
  return best.start;
}

/** The beginning of a word at or after a place. */
function beginningOf(whole: CharText, at: number): number {
  if (at === 0) return 0;
  const before = whole.slice(at - 1, at + LEAD / 2);
  const blank = before.search(/\s\S/);
  return blank < 0 ? at : at + [...before.slice(0, blank)].length;
}

/** The end of a word at or before a place. */
function endOf(whole: CharText, at: number): number {
  if (at >= whole.length) return whole.length;
  const tail = whole.slice(at - LEAD / 2, at + 1);
  const blank = tail.search(/\s\S*$/);
  return blank < 0 ? at : at - LEAD / 2 + [...tail.slice(0, blank)].length;
}
