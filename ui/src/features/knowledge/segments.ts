/**
 * A document's text in rows that can be shown one by one, each beginning at a page, a heading or a chunk, so
 * that a book opens as quickly as a note. Joined, the rows are the text.
 */
import type { DocumentText, Pagination, TextPage } from '../../backend/wire';
import { CharText } from '../../lib/chars';

/** Nothing longer than this, in characters, is drawn as one piece. */
const LONGEST = 4000;

/** A piece of a document's text. */
export interface Segment {
  start: number;
  /** The page that begins here. */
  page?: TextPage;
  /** The number of the chunk that begins here, from 1. */
  chunk?: number;
  /** The part at the beginning that the chunk before holds too. */
  shared: string;
  text: string;
  /** How many tokens at the end of the chunk that begins here lie outside the model's window. */
  tokensOutside?: number;
  /** The depth of the heading that the piece begins with. */
  level?: number;
}

/** A text that may have pages, and what is known of them. */
type Paged = Pick<DocumentText, 'text' | 'pagination' | 'warnings'>;

/** What is drawn as one row: a piece, or a whole page beside its picture. */
export interface Row {
  page: TextPage | undefined;
  segments: [Segment, ...Segment[]];
}

/** For each chunk, how many tokens lie outside the model's window; empty where the host does not tell. */
export function tokensOutsideWindow(read: DocumentText): readonly number[] {
  const { tokensOutsideWindow: told } = read as { tokensOutsideWindow?: unknown };
  return Array.isArray(told) && told.every((count) => typeof count === 'number') ? told : [];
}

/**
 * The pages of a text in order, if it has any. Those that a damaged file lost have no beginning of their
 * own; they stand where they would have been, so that what is missing is seen at its place.
 */
export function paginationOf({ text, pagination, warnings }: Paged): Pagination | undefined {
  if (!pagination || pagination.pages.length === 0) return undefined;
  const pages = [...pagination.pages];
  const known = new Set(pages.map(({ number }) => number));
  const lost = warnings.flatMap((warning) => (warning.code === 'partial' ? warning.pages : []));
  const length = lost.length > 0 ? new CharText(text).length : 0;
  for (const number of lost.filter((one) => !known.has(one))) {
    const next = pages.findIndex((page) => page.number > number);
    const at = next < 0 ? pages.length : next;
    pages.splice(at, 0, { number, label: null, start: pages[at]?.start ?? length });
  }
  return { kind: pagination.kind, pages };
}

/**
 * Cuts a text at its pages, chunks and headings; `outside` counts each chunk's tokens beyond the model's
 * window. A page without text is a piece without text.
 */
export function segmentsOf(
  { text, chunks, outline }: Pick<DocumentText, 'text' | 'chunks' | 'outline'>,
  outside: readonly number[] = [],
  pages: readonly TextPage[] = [],
): Segment[] {
  const whole = new CharText(text);
  const chunkAt = new Map(chunks.map((range, index) => [range.start, index]));
  const levelAt = new Map(outline.map((heading) => [heading.start, heading.level]));
  const pagesAt = byStart(pages);
  const known = [0, ...chunkAt.keys(), ...levelAt.keys(), ...pagesAt.keys()];
  const cuts = withinReach(
    [...new Set(known)].sort((a, b) => a - b),
    whole,
  );
  return cuts.flatMap((start, at): Segment[] => {
    const end = Math.max(start, cuts[at + 1] ?? whole.length);
    const here = pagesAt.get(start) ?? [];
    const empty = end > start ? here.slice(0, -1) : here;
    const bare = empty.map((page): Segment => ({ start, page, shared: '', text: '' }));
    if (end === start) return bare;
    const page = here.at(-1);
    const chunk = chunkAt.get(start);
    const before = chunk ? chunks[chunk - 1] : undefined;
    const sharedEnd = before ? Math.min(Math.max(before.end, start), end) : start;
    const level = levelAt.get(start);
    const tokensOutside = chunk === undefined ? 0 : (outside[chunk] ?? 0);
    return [
      ...bare,
      {
        start,
        shared: whole.slice(start, sharedEnd),
        text: whole.slice(sharedEnd, end),
        ...(page === undefined ? {} : { page }),
        ...(chunk === undefined ? {} : { chunk: chunk + 1 }),
        ...(tokensOutside > 0 ? { tokensOutside } : {}),
        ...(level === undefined ? {} : { level }),
      },
    ];
  });
}

/** Rows to draw: one for each piece, but one for a whole page where its picture stands beside it. */
export function rowsOf(segments: readonly Segment[], hasPicture: (page: number) => boolean): Row[] {
  const rows: Row[] = [];
  for (const segment of segments) {
    const open = rows.at(-1);
    if (!segment.page && open?.page && hasPicture(open.page.number)) open.segments.push(segment);
    else rows.push({ page: segment.page, segments: [segment] });
  }
  return rows;
}

/** The row that a character of the text is in. */
export function rowAt(rows: readonly Row[], start: number): number {
  return Math.max(
    0,
    rows.findLastIndex((row) => row.segments[0].start <= start),
  );
}

function byStart(pages: readonly TextPage[]): Map<number, TextPage[]> {
  const groups = new Map<number, TextPage[]>();
  for (const page of pages) {
    const group = groups.get(page.start);
    if (group) group.push(page);
    else groups.set(page.start, [page]);
  }
  return groups;
}

/** Adds cuts, at line ends where there are any, so that no piece is too long to draw. */
function withinReach(cuts: readonly number[], whole: CharText): number[] {
  return cuts.flatMap((start, at) => {
    const end = cuts[at + 1] ?? whole.length;
    const all = [start];
    for (let from = start; end - from > LONGEST; all.push(from)) {
      const piece = whole.slice(from, from + LONGEST);
      const line = piece.lastIndexOf('\n');
      from += line > 0 ? [...piece.slice(0, line + 1)].length : LONGEST;
    }
    return all;
  });
}
