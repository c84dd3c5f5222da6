/**
 * Slices of text by characters, where a character is a Unicode scalar value as in the host's ranges.
 * JavaScript counts UTF-16 units, so every offset that comes over the wire passes through here before it
 * meets a string. Graphemes are not considered: the host's ranges may lie inside one.
 */
import type { CharRange } from '../backend/wire';

/** A text whose positions are looked up by character instead of by UTF-16 unit. */
export class CharText {
  readonly text: string;
  /** Where each character begins in UTF-16 units; absent when every character is one unit. */
  readonly #starts: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
    if (/[\ud800-\udbff][\udc00-\udfff]/.test(text)) this.#starts = startsOf(text);
  }

  /** How many characters the text has. */
  get length(): number {
    return this.#starts?.length ?? this.text.length;
  }

  /** The characters from `start` up to but not including `end`; what lies outside is cut off. */
  slice(start: number, end: number): string {
    return this.text.slice(this.#unit(start), this.#unit(Math.max(start, end)));
  }

  #unit(character: number): number {
    const at = Math.min(Math.max(character, 0), this.length);
    return this.#starts ? (this.#starts[at] ?? this.text.length) : at;
  }
}

function startsOf(text: string): Uint32Array {
  const starts = new Uint32Array(text.length);
  let count = 0;
  let unit = 0;
  for (const character of text) {
    starts[count++] = unit;
    unit += character.length;
  }
  return starts.subarray(0, count);
}

/** A piece of a text that is or is not within one of the marked ranges. */
export interface Piece {
  text: string;
  isMarked: boolean;
}

/**
 * Cuts a text into marked and unmarked pieces, in order; joined they are the text again. Ranges may come
 * unsorted, overlap or reach beyond the end.
 */
export function piecesOf(text: string, ranges: readonly CharRange[]): Piece[] {
  const whole = new CharText(text);
  const pieces: Piece[] = [];
  const push = (start: number, end: number, isMarked: boolean) => {
    const piece = whole.slice(start, end);
    if (piece) pieces.push({ text: piece, isMarked });
  };
  let at = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const start = Math.max(at, range.start);
    if (range.end <= start) continue;
    push(at, start, false);
    push(start, range.end, true);
    at = range.end;
  }
  push(at, whole.length, false);
  return pieces;
}
