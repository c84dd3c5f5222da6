/**
 * What the in-memory host pretends to read in a file. It never opens one, but judges by the name: the ending
 * says what pages it has, and words in it what is the matter with it.
 *
 * - `empty`, `binary`, `corrupt`: fails for that reason
 * - `locked`: protected by the password `secret`; `sealed`: protected for good
 * - `scanned`: nothing but scans; `mixed`: some pages are scans
 * - `garbled`, `damaged`: what is there is doubtful, or a page is lost
 *
 * Only for tests and development.
 */
import { refusal } from '../errors';
import type {
  ArchiveEntry,
  FilePreview,
  PageKind,
  Pagination,
  PreviewFile,
  Warning,
  WireError,
} from '../wire';
import { outlineOf } from './store';

export const EXTENSIONS = [
  ...['md', 'markdown', 'txt', 'log', 'csv', 'tsv', 'json', 'xml', 'html', 'htm', 'pdf', 'docx', 'xlsx'],
  ...['xls', 'ods', 'pptx', 'odt', 'odp', 'rtf', 'epub', 'h5p', 'eml', 'zip'],
];

const MIMES: Record<string, string> = {
  md: 'text/markdown',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

const KINDS: Record<string, PageKind> = {
  pdf: 'page',
  docx: 'approximate_page',
  pptx: 'slide',
  xlsx: 'sheet',
};

const PAGES = 6;
const SCANS = [2, 3, 5];

/** How a file is to be read. */
export interface How {
  password?: string | undefined;
  recognise?: boolean | undefined;
}

/** What reading a file gave. */
export interface Pretended {
  title: string;
  text: string;
  mime: string;
  pagination: Pagination | null;
  warnings: Warning[];
  /** How many pages were recognised. */
  recognised?: number;
  failure?: WireError;
}

/** Reads a file of this name. */
export function pretend(name: string, { password, recognise = false }: How = {}): Pretended {
  const title = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const ending = endingOf(name);
  const kind = KINDS[ending];
  const isAllScanned = name.includes('scanned');
  const scans = isAllScanned ? pagesUpTo(PAGES) : name.includes('mixed') ? SCANS : [];
  const unread = recognise ? [] : scans;
  const body = kind ? pagesOf(name, kind, unread) : { text: textOf(name), pagination: null };
  const failure = failureOf(name, password, isAllScanned && !recognise);
  return {
    title,
    ...body,
    mime: MIMES[ending] ?? 'text/plain',
    warnings: warningsOf(name, scans, recognise),
    ...(recognise ? { recognised: scans.length } : {}),
    ...(failure ? { failure } : {}),
  };
}

/** What ingestion would read of a file. */
export function previewFile({ path, entry, password }: PreviewFile): FilePreview {
  const name = entry ?? nameOf(path);
  const { failure, recognised: _, ...read } = pretend(name, { password });
  const entries = entry === undefined ? entriesOf(path) : undefined;
  if (failure) throw failure;
  return {
    ...read,
    text: entries ? '' : read.text,
    language: 'en',
    encoding: read.mime.startsWith('text/') ? 'UTF-8' : null,
    outline: entries ? [] : outlineOf(read.text),
    entries: entries ?? null,
  };
}

/** What is in an archive; undefined where the file is none. */
export function entriesOf(path: string): ArchiveEntry[] | undefined {
  if (endingOf(path) !== 'zip') return undefined;
  return [
    { name: 'guide/start.md', byteCount: 4200, isSupported: true },
    { name: 'guide/prices.xlsx', byteCount: 18_300, isSupported: true },
    { name: 'logo.png', byteCount: 9100, isSupported: false },
  ];
}

/** Whether a refusal keeps a file from becoming a document at all. */
export function isUnread({ code }: WireError): boolean {
  return ['password', 'wrong_password', 'no_text_layer', 'corrupt'].includes(code);
}

export function isRead(path: string): boolean {
  return EXTENSIONS.includes(endingOf(path));
}

export function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

function endingOf(path: string): string {
  return path.split('.').at(-1)?.toLowerCase() ?? '';
}

function textOf(name: string): string {
  return `# ${name}\n\nThis is what ${name} says.`;
}

function pagesUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

function failureOf(name: string, password: string | undefined, isScan: boolean): WireError | undefined {
  if (name.includes('sealed')) return refusal('password', 'It is protected.', { canUnlock: false });
  if (name.includes('locked') && password === undefined) {
    return refusal('password', 'It is protected.', { canUnlock: true });
  }
  if (name.includes('locked') && password !== 'secret') return refusal('wrong_password', 'It does not open.');
  if (name.includes('corrupt')) return refusal('corrupt', 'It is damaged.');
  if (name.includes('empty')) return refusal('empty', 'There is no text in it.');
  if (name.includes('binary')) return refusal('binary', 'It is binary.');
  return isScan ? refusal('no_text_layer', 'Its pages are scans.') : undefined;
}

function warningsOf(name: string, scans: number[], isRecognised: boolean): Warning[] {
  const code = isRecognised ? 'recognised_pages' : 'scanned_pages';
  const warnings: Warning[] = [];
  if (scans.length > 0) warnings.push({ code, pages: scans, total: PAGES });
  if (name.includes('garbled')) warnings.push({ code: 'garbled_pages', pages: [4], total: PAGES });
  if (name.includes('damaged')) warnings.push({ code: 'partial', pages: [6] });
  return warnings;
}

/** Pages with a heading and a sentence each; those that were not read, or are lost, have nothing. */
function pagesOf(name: string, kind: PageKind, unread: readonly number[]) {
  const lost = name.includes('damaged') ? [6] : [];
  let text = '';
  const pages = pagesUpTo(PAGES)
    .filter((number) => !lost.includes(number))
    .map((number) => {
      const start = [...text].length;
      if (!unread.includes(number)) {
        text += `${text ? '\n\n' : ''}## Part ${number}\n\nThis is what ${name} says in its part ${number}.`;
      }
      return { number, label: labelOf(kind, number), start: start > 0 ? start + 2 : 0 };
    });
  for (const page of pages) page.start = Math.min(page.start, [...text].length);
  return { text, pagination: { kind, pages } satisfies Pagination };
}

function labelOf(kind: PageKind, number: number): string | null {
  if (kind === 'sheet') return `Prices!A${10 * number - 8}:D${10 * number + 1}`;
  return kind === 'page' && number === 1 ? 'i' : null;
}
