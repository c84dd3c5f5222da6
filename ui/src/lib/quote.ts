/**
 * A passage as runs to be set: the parts that the draft used, and the headings of Markdown, whose signs step
 * back so that the words stand out. Joined, the runs are the passage, letter by letter.
 */
import type { CharRange } from '../backend/wire';
import { piecesOf } from './chars';

/** A stretch of a passage that looks the same throughout. */
export interface Run {
  text: string;
  look: 'plain' | 'used' | 'heading' | 'sign';
}

/** Cuts a passage into runs. */
export function runsOf(content: string, usedRanges: readonly CharRange[]): Run[] {
  return piecesOf(content, usedRanges).flatMap(({ text, isMarked }): Run[] =>
    isMarked
      ? [{ text, look: 'used' }]
      : text
          .split(/^(#{1,6} .*)$/m)
          .flatMap((part, index): Run[] =>
            index % 2 === 0 ? [{ text: part, look: 'plain' }] : headingOf(part),
          )
          .filter((run) => run.text !== ''),
  );
}

function headingOf(line: string): Run[] {
  const at = line.indexOf(' ') + 1;
  return [
    { text: line.slice(0, at), look: 'sign' },
    { text: line.slice(at), look: 'heading' },
  ];
}
