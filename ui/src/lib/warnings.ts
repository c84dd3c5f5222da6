/**
 * What a person should know of how a document was read, said in their language: a sentence for each
 * warning, one word for a list of documents, and the flags that each page carries.
 */
import type { PageKind, Warning } from '../backend/wire';
import { locale } from './i18n.svelte';
import { pageList } from './place';

/** How many parts of a file are named before the rest is counted. */
const MOST_NAMES = 8;

/** What may be the matter with a page; the order is that in which they are told. */
export const PAGE_FLAGS = ['lost', 'scanned', 'garbled', 'recognised'] as const;
export type PageFlag = (typeof PAGE_FLAGS)[number];

/** A warning as one sentence; `kind` says what the pages are that it names. */
export function warningWords(warning: Warning, kind?: PageKind): string {
  const { t } = locale;
  switch (warning.code) {
    case 'replaced_characters':
      return t('warning.replaced', { encoding: warning.encoding });
    case 'partial': {
      const count = warning.pages.length;
      if (count === 0) return t('warning.partial');
      return t('warning.lost', { count, pages: pageList(warning.pages, kind) });
    }
    case 'scanned_pages':
      return t('warning.scanned', shares(warning, kind));
    case 'recognised_pages':
      return t('warning.recognised', shares(warning, kind));
    case 'garbled_pages':
      return t('warning.garbled', shares(warning, kind));
    case 'skipped_parts':
      return t('warning.skipped', { names: nameList(warning.names) });
    case 'outside_window':
      return t('warning.outside', { count: warning.passages, total: warning.total });
    case 'many_chunks':
      return t('warning.many', { count: warning.chunks, size: locale.size(warning.bytes) });
    case 'mostly_unprintable':
      return t('warning.unprintable', { percent: warning.percent });
    case 'little_text':
      return t('warning.little', { count: warning.characters, size: locale.size(warning.bytes) });
  }
}

function shares({ pages, total }: { pages: number[]; total: number }, kind: PageKind | undefined) {
  return { count: pages.length, total, pages: pageList(pages, kind) };
}

function nameList(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  const named = names.slice(0, MOST_NAMES);
  return locale.list(left > 0 ? [...named, locale.t('range.more', { count: left })] : named);
}

/** What the worst of a document's warnings is called in a list; undefined where none needs a mark. */
export function markOf(warnings: readonly Warning[]): string | undefined {
  const has = (code: Warning['code']) => warnings.some((warning) => warning.code === code);
  if (has('partial')) return locale.t('mark.partial');
  if (has('scanned_pages')) return locale.t('mark.scanned');
  if (has('garbled_pages')) return locale.t('mark.garbled');
  if (has('mostly_unprintable') || has('many_chunks') || has('little_text')) return locale.t('mark.odd');
  return undefined;
}

/** The flag that a warning puts on the pages it names. */
function flagOf({ code }: Warning): PageFlag | undefined {
  switch (code) {
    case 'partial':
      return 'lost';
    case 'scanned_pages':
      return 'scanned';
    case 'garbled_pages':
      return 'garbled';
    case 'recognised_pages':
      return 'recognised';
    default:
      return undefined;
  }
}

/** The pages that a warning names. */
export function pagesOf(warning: Warning): readonly number[] {
  return 'pages' in warning ? warning.pages : [];
}

/** The flags of each page that has any, by its number. */
export function flagsByPage(warnings: readonly Warning[]): ReadonlyMap<number, readonly PageFlag[]> {
  const flags = new Map<number, PageFlag[]>();
  for (const warning of warnings) {
    const flag = flagOf(warning);
    if (!flag) continue;
    for (const page of pagesOf(warning)) flags.set(page, [...(flags.get(page) ?? []), flag]);
  }
  return flags;
}

/** Whether pages of it are scans that nobody has read yet. */
export function hasScans(warnings: readonly Warning[]): boolean {
  return warnings.some(({ code }) => code === 'scanned_pages');
}
