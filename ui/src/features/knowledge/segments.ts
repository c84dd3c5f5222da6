/**
 * A document's text in rows that can be shown one by one, each beginning at a heading or a chunk, so that a
 * book opens as quickly as a note. Joined, the rows are the text.
 */
import type { DocumentText } from '../../backend/wire';
import { CharText } from '../../lib/chars';

/** A row of a document's text. */
export interface Segment {
  start: number;
  /** The number of the chunk that begins here, from 1. */
  chunk?: number;
  /** The part at the beginning that the chunk before holds too. */
  shared: string;
  text: string;
  /** How many tokens at the end of the chunk that begins here lie outside the model's window. */
  tokensOutside?: number;
  /** The depth of the heading that the row begins with. */
  level?: number;
}

/** For each chunk, how many tokens lie outside the model's window; empty where the host does not tell. */
export function tokensOutsideWindow(read: DocumentText): readonly number[] {
  const { tokensOutsideWindow: told } = read as { tokensOutsideWindow?: unknown };
  return Array.isArray(told) && told.every((count) => typeof count === 'number') ? told : [];
}

/** Cuts a text at its chunks and headings; `outside` counts each chunk's tokens beyond the model's window. */
export function segmentsOf(
  { text, chunks, outline }: Pick<DocumentText, 'text' | 'chunks' | 'outline'>,
  outside: readonly number[] = [],
): Segment[] {
  const whole = new CharText(text);
  const chunkAt = new Map(chunks.map((range, index) => [range.start, index]));
  const levelAt = new Map(outline.map((heading) => [heading.start, heading.level]));
  const cuts = [...new Set([0, ...chunkAt.keys(), ...levelAt.keys()])].sort((a, b) => a - b);
  return cuts.flatMap((start, at): Segment[] => {
    const end = cuts[at + 1] ?? whole.length;
    if (end <= start) return [];
    const chunk = chunkAt.get(start);
    const before = chunk ? chunks[chunk - 1] : undefined;
    const sharedEnd = before ? Math.min(Math.max(before.end, start), end) : start;
    const level = levelAt.get(start);
    const tokensOutside = chunk === undefined ? 0 : (outside[chunk] ?? 0);
    return [
      {
        start,
        shared: whole.slice(start, sharedEnd),
        text: whole.slice(sharedEnd, end),
        ...(chunk === undefined ? {} : { chunk: chunk + 1 }),
        ...(tokensOutside > 0 ? { tokensOutside } : {}),
        ...(level === undefined ? {} : { level }),
      },
    ];
  });
}
