/**
 * Words for where a passage lies: a page, a slide, a range of cells, in the reader's language. Page numbers
 * are names, not amounts, so they are never grouped in thousands.
 */
import type { PageKind, Pagination, TextPage } from '../backend/wire';
import { locale } from './i18n.svelte';

/** Where a passage begins, as hits, citations and passages carry it. */
export interface Place {
  page: number | null;
  pageKind: PageKind | null;
  pageLabel: string | null;
}

/** How many ranges of pages a list names before it counts the rest. */
const MOST_RANGES = 12;

/** “page 12”, “page xii (14)”, “about page 3”, “slide 4”, “Prices, A2:D21”; undefined without a page. */
export function placeWords({ page, pageKind, pageLabel }: Place): string | undefined {
  const { t } = locale;
  if (page === null) return undefined;
  const named = { page: String(page) };
  switch (pageKind) {
    case 'approximate_page':
      return t('place.aboutPage', named);
    case 'slide':
      return t('place.slide', named);
    case 'sheet':
      return pageLabel ? sheetWords(pageLabel) : t('place.sheet', named);
    default: {
      const isNamed = pageLabel !== null && pageLabel !== '' && pageLabel !== named.page;
      return isNamed ? t('place.pageLabel', { ...named, label: pageLabel }) : t('place.page', named);
    }
  }
}

/** The words for one of a text's pages. */
export function pageWords({ number, label }: Pick<TextPage, 'number' | 'label'>, kind: PageKind): string {
  return placeWords({ page: number, pageKind: kind, pageLabel: label }) ?? '';
}

/** `Prices!A2:D21`, and names with signs in quotes: `'Prices 2026'!A2:D21`. */
function sheetWords(label: string): string {
  const [, quoted, range] = /^(.*)!([^!]+)$/.exec(label) ?? [];
  const name = (quoted ?? label).replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
  return range ? locale.t('place.sheetRange', { name, range }) : locale.t('place.sheetName', { name });
}

/** What a list of pages calls each of them. */
function listKind(kind: PageKind): Exclude<PageKind, 'approximate_page'> {
  return kind === 'approximate_page' ? 'page' : kind;
}

/** “page 4”, “pages 1–3, 7”, “slides 2, 5 and 30 others”; the pages come in ascending order. */
export function pageList(pages: readonly number[], kind: PageKind = 'page'): string {
  const { t } = locale;
  const ranges: Array<{ first: number; last: number }> = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range && page === range.last + 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  const named = ranges.slice(0, MOST_RANGES);
  const words = named.map(({ first, last }) =>
    first === last ? String(first) : t('range.between', { first: String(first), last: String(last) }),
  );
  const left = ranges.slice(MOST_RANGES).reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const of = listKind(kind);
  return t(`pages.${of}`, { count: pages.length, list: joined(words, left) });
}

function joined(words: readonly string[], left: number): string {
  const { t } = locale;
  if (left > 0) {
    return t('range.moreAfter', { list: words.join(', '), more: t('range.more', { count: left }) });
  }
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : t('range.last', { list: words.slice(0, -1).join(', '), last });
}

/** How many pages there are: “40 pages”, “about 12 pages”, “3 sheets”. */
export function countWords({ kind, pages }: Pagination): string {
  return locale.t(`count.${kind}`, { count: lastNumber(pages) });
}

/** The highest number among pages. */
export function lastNumber(pages: readonly TextPage[]): number {
  return pages.reduce((highest, { number }) => Math.max(highest, number), 0);
}

/**
 * The page that a person means by what they typed: what the document itself calls it, its number, or the
 * name of a sheet; undefined where there is none.
 */
export function pageNamed(pages: readonly TextPage[], typed: string): TextPage | undefined {
  const name = typed.trim().toLowerCase();
  if (!name) return undefined;
  const labels = pages.map((page) => ({ page, label: page.label?.toLowerCase() ?? '' }));
  return (
    labels.find(({ label }) => label === name)?.page ??
    pages.find(({ number }) => String(number) === name) ??
    labels.find(({ label }) => label.replace(/!.*$/, '') === name)?.page
  );
}
