/**
 * The words of the interface: both dictionaries complete and alike, every key in use, every error code with
 * its sentence, and numbers, dates and spaces as each language writes them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { locale, systemLanguage } from './i18n.svelte';
import { en } from './i18n/en';
import { errorsEn } from './i18n/errors.en';
import { errorsFr } from './i18n/errors.fr';
import { fr } from './i18n/fr';
import type { Message } from './i18n/messages';
import { typesetFrench } from './i18n/typeset';

const formsOf = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message));
const placeholdersOf = (words: string) => [...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

beforeEach(() => (locale.language = 'en'));

test('both dictionaries have the same keys', () => {
  expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
});

test.each(Object.keys(en) as Array<keyof typeof en>)('%s has the same placeholders in both', (key) => {
  const [wanted] = formsOf(en[key]);
  for (const form of [...formsOf(en[key]), ...formsOf(fr[key])]) {
    expect(form.trim()).not.toBe('');
    expect(placeholdersOf(form)).toEqual(placeholdersOf(wanted ?? ''));
  }
});

test('every key is used somewhere', () => {
  const src = resolve(import.meta.dirname, '..');
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|svelte)$/.test(name) && !/i18n[\\/]|\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(src, name), 'utf8'))
    .join('\n');
  // Keys are written out, or as a template whose last part is a value: `document.status.${status}`.
  const written = new Set([...code.matchAll(/'([a-z]+(?:\.\w+)+)'/g)].map(([, key]) => key));
  const beginnings = [...code.matchAll(/`([a-z]+\.(?:\w+\.)*)\$\{\w+(?:\.\w+)*\}`/g)].map(
    ([, start = '']) => start,
  );
  const isUsed = (key: string) =>
    written.has(key) || beginnings.includes(key.slice(0, key.lastIndexOf('.') + 1));
  expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([]);
});

test('the embedding model is never called a language model, which would write', () => {
  const words = (texts: object) => JSON.stringify(texts);
  expect(words({ ...en, 'agents.instructionsHint': '' })).not.toMatch(/language model/i);
  expect(words({ ...fr, 'agents.instructionsHint': '' })).not.toMatch(/modèle de lang/i);
  expect(words(errorsEn)).not.toMatch(/language model/i);
  expect(words(errorsFr)).not.toMatch(/modèle de lang/i);
});

test('a damaged database says where its copies are', () => {
  expect(errorsEn.database_damaged.hint).toContain('“backups” of the data folder');
  expect(errorsFr.database_damaged.hint).toContain('« backups » du dossier des données');
});

test('the guides quote the errors as the window says them', () => {
  const plain = (words: string) => words.replace(/[\u00a0\u202f]/g, ' ');
  const quoted = (guide: string) => {
    const text = plain(readFileSync(resolve(import.meta.dirname, '../../../docs/guide', guide), 'utf8'));
    const table = text.split(/^\| (?:what you read|ce que vous lisez) .*\n.*\n/m)[1] ?? '';
    return [...table.matchAll(/^\| (.+?) \|/gm)].map(([, sentence]) => sentence);
  };
  for (const [guide, language] of [
    ['user-guide.en.md', 'en'],
    ['guide-utilisateur.fr.md', 'fr'],
  ] as const) {
    locale.language = language;
    const codes = Object.keys(errorsEn) as Array<keyof typeof errorsEn>;
    const said = codes.map((code) => plain(locale.sentence({ code, message: '' })));
    expect(quoted(guide).length).toBeGreaterThan(5);
    expect(said).toEqual(expect.arrayContaining(quoted(guide)));
  }
});

test.each(Object.keys(errorsEn) as Array<keyof typeof errorsEn>)(
  '%s has a sentence and a hint in both',
  (code) => {
    for (const text of [errorsEn[code], errorsFr[code]]) {
      expect(text.sentence).toMatch(/^[A-ZÀÉÎ].*[.!?]$/);
      expect(text.hint).toMatch(/^[A-ZÀÉÎ].*[.!?]$/);
    }
    expect(errorsFr[code].sentence).not.toBe(errorsEn[code].sentence);
  },
);

test('a code that is not known yet shows the words of the host', () => {
  const error = { code: 'from_the_future' as never, message: 'The moon is full.', hint: 'Wait.' };
  expect(locale.sentence(error)).toBe('The moon is full.');
  expect(locale.hint(error)).toBe('Wait.');
});

test('plurals follow the language: zero is singular in French only', () => {
  expect(locale.t('knowledge.documents', { count: 0 })).toBe('0 documents');
  expect(locale.t('knowledge.documents', { count: 1 })).toBe('1 document');
  locale.language = 'fr';
  expect(locale.t('knowledge.documents', { count: 0 })).toBe('0 document');
  expect(locale.t('knowledge.documents', { count: 2 })).toBe('2 documents');
  expect(locale.t('knowledge.documents', { count: 1_000_000 })).toMatch(/^1.000.000 de documents$/);
});

test('French spaces are set in the words of the interface and not in those of people', () => {
  expect(typesetFrench('« Oui » : non ; si ! quoi ? 5 %')).toBe(
    '«\u00a0Oui\u00a0»\u00a0: non\u202f; si\u202f! quoi\u202f? 5\u202f%',
  );
  locale.language = 'fr';
  expect(locale.t('draft.badge', { number: 1, title: 'Quoi ?' })).toBe('Source 1\u00a0: Quoi ?');
});

test('sizes, distances and durations are written as the language does', () => {
  expect(locale.size(4_200_000)).toBe('4.2 MB');
  expect(locale.size(1)).toBe('1 byte');
  expect(locale.distance(0.1)).toBe('0.100');
  expect(locale.duration(75_000)).toBe('1 min 15 sec');
  expect(locale.duration(10)).toBe('1 sec');
  locale.language = 'fr';
  expect(locale.size(4_200_000)).toMatch(/^4,2\sMo$/);
  expect(locale.distance(0.1)).toBe('0,100');
});

test('times are relative for a week and then a date', () => {
  const now = Date.UTC(2026, 10, 30, 12);
  expect(locale.ago(now - 5_000, now)).toBe('just now');
  expect(locale.ago(now - 3 * 60_000, now)).toBe('3 min. ago');
  expect(locale.ago(now - 86_400_000, now)).toBe('yesterday');
  expect(locale.ago(now - 30 * 86_400_000, now)).toBe('Oct 31, 2026');
});

test('the system language is the first that is spoken here', () => {
  expect(systemLanguage(['de-DE', 'fr-CH', 'en'])).toBe('fr');
  expect(systemLanguage(['de'])).toBe('en');
});
