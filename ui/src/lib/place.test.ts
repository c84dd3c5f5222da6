/** Where passages lie and what documents lack, in the words of both languages. */
import { beforeEach, expect, test } from 'vitest';
import type { TextPage } from '../backend/wire';
import { formatWords, kindWords } from './formats';
import { locale } from './i18n.svelte';
import { isLocked, isUnlockable } from './password';
import { countWords, pageList, pageNamed, placeWords } from './place';
import { placeOnDisk } from './source';
import { flagsByPage, markOf, warningWords } from './warnings';

/** Spaces as people type them, for they are checked elsewhere. */
const plain = (words: string | undefined) => words?.replace(/[\u00a0\u202f]/g, ' ');

beforeEach(() => (locale.language = 'en'));

const PLACES = [
  [{ page: 1200, pageKind: 'page', pageLabel: null }, 'page 1200', 'page 1200'],
  [{ page: 14, pageKind: 'page', pageLabel: 'xii' }, 'page xii (14)', 'page xii (14)'],
  [{ page: 14, pageKind: 'page', pageLabel: '14' }, 'page 14', 'page 14'],
  [{ page: 3, pageKind: 'approximate_page', pageLabel: null }, 'about page 3', 'vers la page 3'],
  [{ page: 4, pageKind: 'slide', pageLabel: null }, 'slide 4', 'diapositive 4'],
  [{ page: 2, pageKind: 'sheet', pageLabel: null }, 'sheet 2', 'feuille 2'],
  [{ page: 2, pageKind: 'sheet', pageLabel: 'Tarifs!A2:D21' }, 'Tarifs, A2:D21', 'feuille Tarifs, A2:D21'],
  [{ page: 2, pageKind: 'sheet', pageLabel: "'L''été!'!A2:B3" }, "L'été!, A2:B3", "feuille L'été!, A2:B3"],
  [{ page: 2, pageKind: 'sheet', pageLabel: 'Tarifs' }, 'sheet Tarifs', 'feuille Tarifs'],
  [{ page: 7, pageKind: null, pageLabel: null }, 'page 7', 'page 7'],
] as const;

test.each(PLACES)('%j lies at “%s” and « %s »', (place, english, french) => {
  expect(placeWords(place)).toBe(english);
  locale.language = 'fr';
  expect(plain(placeWords(place))).toBe(french);
});

test('a passage of a text without pages lies on none', () => {
  expect(placeWords({ page: null, pageKind: null, pageLabel: null })).toBeUndefined();
});

test('pages are named in ranges, as each language joins them', () => {
  expect(pageList([4])).toBe('page 4');
  expect(pageList([1, 2, 3, 7])).toBe('pages 1–3, 7');
  expect(pageList([2, 5], 'slide')).toBe('slides 2, 5');
  locale.language = 'fr';
  expect(pageList([1, 2, 3, 7])).toBe('pages 1 à 3 et 7');
  expect(pageList([1, 2, 3, 5, 7], 'slide')).toBe('diapositives 1 à 3, 5 et 7');
});

test('a list of pages that nobody would read to the end counts the rest', () => {
  const odd = Array.from({ length: 40 }, (_, at) => 2 * at + 1);
  expect(pageList(odd)).toBe('pages 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 28 others');
});

const WARNINGS = [
  [
    { code: 'scanned_pages', pages: [1, 2, 3, 7], total: 40 },
    '4 of 40 pages are scans and were not read: pages 1–3, 7.',
    '4 pages sur 40 sont numérisées et n’ont pas été lues : pages 1 à 3 et 7.',
  ],
  [
    { code: 'scanned_pages', pages: [7], total: 40 },
    '1 of 40 pages is a scan and was not read: page 7.',
    '1 page sur 40 est numérisée et n’a pas été lue : page 7.',
  ],
  [
    { code: 'recognised_pages', pages: [1, 2], total: 2 },
    'The text of 2 of 2 pages was recognised from their pictures: pages 1–2.',
    'Le texte de 2 pages sur 2 a été reconnu d’après leur image : pages 1 à 2.',
  ],
  [
    { code: 'garbled_pages', pages: [9], total: 12 },
    'The text of 1 of 12 pages looks garbled: page 9.',
    'Le texte de 1 page sur 12 paraît altéré : page 9.',
  ],
  [
    { code: 'partial', pages: [6, 7] },
    'The file is damaged: pages 6–7 are lost, the rest is here.',
    'Le fichier est endommagé : les pages 6 à 7 sont perdues, le reste est là.',
  ],
  [
    { code: 'partial', pages: [] },
    'The file is damaged: what could be read of it is here.',
    'Le fichier est endommagé : voici ce qui a pu en être lu.',
  ],
  [
    { code: 'replaced_characters', encoding: 'UTF-8' },
    'Some bytes are not UTF-8 and are shown as “�”.',
    'Certains octets ne sont pas en UTF-8 et sont affichés « � ».',
  ],
  [
    { code: 'skipped_parts', names: ['logo.png', 'plan.dwg'] },
    'Parts of it were not read: logo.png and plan.dwg.',
    'Certaines parties n’ont pas été lues : logo.png et plan.dwg.',
  ],
  [
    { code: 'outside_window', passages: 2, total: 30 },
    '2 of 30 passages end outside the model’s window; their ends are not searched by meaning.',
    '2 passages sur 30 dépassent la fenêtre du modèle ; leur fin échappe à la recherche par le sens.',
  ],
  [
    { code: 'many_chunks', chunks: 5000, bytes: 40_000 },
    '5,000 passages came out of a file of 40 kB. Have a look whether it is what you meant.',
    'Un fichier de 40 ko a donné 5 000 passages. Vérifiez que c’est bien ce que vous vouliez.',
  ],
  [
    { code: 'mostly_unprintable', percent: 75 },
    '75% of the characters cannot be printed: the file is hardly a text.',
    '75 % des caractères ne sont pas imprimables : ce fichier n’est guère un texte.',
  ],
  [
    { code: 'little_text', characters: 7, bytes: 2_000_000 },
    'There are only 7 characters of text in this file of 2 MB.',
    'Il n’y a que 7 caractères de texte dans ce fichier de 2 Mo.',
  ],
] as const;

test.each(WARNINGS)('%j is said in both languages', (warning, english, french) => {
  const heard = JSON.parse(JSON.stringify(warning));
  expect(warningWords(heard)).toBe(english);
  locale.language = 'fr';
  expect(plain(warningWords(heard))).toBe(french);
});

test('the worst of a document’s warnings marks it in a list', () => {
  const scans = { code: 'scanned_pages' as const, pages: [1], total: 2 };
  expect(markOf([])).toBeUndefined();
  expect(markOf([{ code: 'recognised_pages', pages: [1], total: 2 }])).toBeUndefined();
  expect(markOf([scans])).toBe('partly scanned');
  expect(markOf([scans, { code: 'partial', pages: [] }])).toBe('partial');
});

test('a page carries every flag that names it', () => {
  const flags = flagsByPage([
    { code: 'recognised_pages', pages: [1, 2], total: 3 },
    { code: 'garbled_pages', pages: [2], total: 3 },
  ]);
  expect(flags.get(1)).toEqual(['recognised']);
  expect(flags.get(2)).toEqual(['recognised', 'garbled']);
  expect(flags.has(3)).toBe(false);
});

test('a page is found by its number, its own name or the name of its sheet', () => {
  const pages: TextPage[] = [
    { number: 1, label: 'i', start: 0 },
    { number: 2, label: '1', start: 10 },
    { number: 3, label: 'Tarifs!A1:B2', start: 20 },
  ];
  expect(pageNamed(pages, 'I')?.number).toBe(1);
  expect(pageNamed(pages, '1')?.number).toBe(2);
  expect(pageNamed(pages, ' 3 ')?.number).toBe(3);
  expect(pageNamed(pages, 'tarifs')?.number).toBe(3);
  expect(pageNamed(pages, '4')).toBeUndefined();
  expect(pageNamed(pages, ' ')).toBeUndefined();
});

test('sheets are counted once, however many ranges they have', () => {
  const sheet = (number: number) => ({ number, label: null, start: 0 });
  expect(countWords({ kind: 'sheet', pages: [sheet(1), sheet(1), sheet(2)] })).toBe('2 sheets');
});

test('formats are named as people name them, and unknown ones by their ending', () => {
  expect(formatWords(['md', 'markdown', 'pdf', 'docx', 'eml', 'txt', 'zip', 'xyz'])).toBe(
    'PDF, Word, mail, Markdown, text, ZIP, and .xyz',
  );
  locale.language = 'fr';
  expect(formatWords(['pdf', 'eml', 'log'])).toBe('PDF, courriels et texte');
  expect(kindWords('application/pdf')).toBe('PDF');
  expect(kindWords('application/x-moon')).toBe('application/x-moon');
});

test('a protected file is opened by a password unless the host says that none would', () => {
  expect(isUnlockable({ code: 'password', details: { canUnlock: true } })).toBe(true);
  expect(isUnlockable({ code: 'wrong_password' })).toBe(true);
  expect(isUnlockable({ code: 'empty' })).toBe(false);
  const locked = { code: 'password' as const, message: '', details: { canUnlock: false } };
  expect(isLocked(locked)).toBe(true);
  expect(locale.hint(locked)).toContain('save it without a password');
  locale.language = 'fr';
  expect(locale.hint(locked)).toContain('sans mot de passe');
});

test('a file of an archive lies where its archive lies', () => {
  expect(placeOnDisk('/d/all.zip/guide/start.md')).toEqual({ path: '/d/all.zip', entry: 'guide/start.md' });
  expect(placeOnDisk('/d/all.zip')).toEqual({ path: '/d/all.zip' });
});
