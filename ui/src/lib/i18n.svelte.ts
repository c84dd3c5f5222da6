/**
 * The interface's language: words, plurals, numbers, dates and sizes. One instance serves the whole window;
 * what a component read from it is shown anew when the language changes. Chosen by the settings, else by
 * the system; nothing is stored here.
 */
import type { ErrorCode, Language, WireError } from '../backend/wire';
import { en } from './i18n/en';
import { errorsEn, lockedHintEn, type ErrorText } from './i18n/errors.en';
import { errorsFr, lockedHintFr } from './i18n/errors.fr';
import { fr } from './i18n/fr';
import type { Message, Values } from './i18n/messages';
import { typesetFrench } from './i18n/typeset';
import { isLocked } from './password';

/** The key of a message. */
export type Key = keyof typeof en;

const DICTIONARIES: Record<Language, Record<Key, Message>> = { en, fr };
const ERRORS: Record<Language, Record<ErrorCode, ErrorText>> = { en: errorsEn, fr: errorsFr };
const LOCKED_HINTS: Record<Language, string> = { en: lockedHintEn, fr: lockedHintFr };
const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The language that the system asks for, or English. */
export function systemLanguage(preferred: readonly string[] = navigator.languages): Language {
  for (const tag of preferred) {
    const language = tag.slice(0, 2).toLowerCase();
    if (language === 'fr' || language === 'en') return language;
  }
  return 'en';
}

class Locale {
  #language = $state<Language>('en');

  get language(): Language {
    return this.#language;
  }

  /** Changes the language of everything on screen, and tells assistive technology. */
  set language(language: Language) {
    this.#language = language;
    document.documentElement.lang = language;
  }

  /** The words for a key, with their values put in. */
  t = <K extends Key>(key: K, ...[values]: Values<(typeof en)[K]>): string => {
    const message = DICTIONARIES[this.#language][key];
    return this.#fill(message, values);
  };

  /** What went wrong, as one sentence. */
  sentence = (error: Pick<WireError, 'code' | 'message'>): string => {
    const text = this.#errorText(error.code);
    return text ? this.#set(text.sentence) : error.message;
  };

  /** What to do next, if there is something to do. */
  hint = (error: Pick<WireError, 'code' | 'message' | 'details'> & { hint?: string }): string => {
    if (isLocked(error)) return this.#set(LOCKED_HINTS[this.#language]);
    const text = this.#errorText(error.code);
    return text ? this.#set(text.hint) : (error.hint ?? '');
  };

  number = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(this.#language, options).format(value);

  /** A cosine distance, with the three decimals that tell neighbours apart. */
  distance = (value: number): string =>
    this.number(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });

  /** A size in bytes, in the largest unit that keeps it at 1 or more; decimal units, as systems show. */
  size = (bytes: number): string => {
    const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZE_UNITS.length - 1);
    return this.number(bytes / 1000 ** power, {
      style: 'unit',
      unit: SIZE_UNITS[power] ?? 'byte',
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: power === 0 ? 0 : 1,
    });
  };

  /** What a language is called. */
  languageName = (language: Language): string =>
    new Intl.DisplayNames(this.#language, { type: 'language' }).of(language) ?? language;

  list = (items: readonly string[]): string => new Intl.ListFormat(this.#language).format(items);

  dateTime = (moment: number): string =>
    new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);

  /** How long ago a moment was, in the coarsest words that help; beyond a week, the date. */
  ago = (moment: number, now: number = Date.now()): string => {
    const past = Math.max(0, now - moment);
    const relative = new Intl.RelativeTimeFormat(this.#language, { numeric: 'auto', style: 'short' });
    if (past < MINUTE) return this.t('time.now');
    if (past < HOUR) return relative.format(-Math.floor(past / MINUTE), 'minute');
    if (past < DAY) return relative.format(-Math.floor(past / HOUR), 'hour');
    if (past < 7 * DAY) return relative.format(-Math.floor(past / DAY), 'day');
    return new Intl.DateTimeFormat(this.#language, { dateStyle: 'medium' }).format(moment);
  };

  /** A short measured time in seconds, to two figures. */
  seconds = (milliseconds: number): string =>
    this.number(milliseconds / 1000, {
      style: 'unit',
      unit: 'second',
      unitDisplay: 'short',
      maximumSignificantDigits: 2,
    });

  /** A length of time in at most two units, rounded up so that it never says zero. */
  duration = (milliseconds: number): string => {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
      this.number(value, { style: 'unit', unit: name, unitDisplay: 'short' });
    if (seconds < 60) return unit(seconds, 'second');
    if (seconds < 3600) {
      const rest = seconds % 60;
      const minutes = unit(Math.floor(seconds / 60), 'minute');
      return rest && seconds < 600 ? `${minutes} ${unit(rest, 'second')}` : minutes;
    }
    return `${unit(Math.floor(seconds / 3600), 'hour')} ${unit(Math.floor((seconds % 3600) / 60), 'minute')}`;
  };

  /** The text of a code; a newer host may send one that this interface does not know. */
  #errorText(code: ErrorCode): ErrorText | undefined {
    return ERRORS[this.#language][code];
  }

  #fill(message: Message, values: Record<string, string | number> | undefined): string {
    const words = typeof message === 'string' ? message : this.#plural(message, Number(values?.count));
    return this.#set(words).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values?.[name];
      return typeof value === 'number' ? this.number(value) : (value ?? whole);
    });
  }

  #plural(message: Exclude<Message, string>, count: number): string {
    const category = new Intl.PluralRules(this.#language).select(count);
    return (category === 'one' || category === 'many' ? message[category] : undefined) ?? message.other;
  }

  #set(words: string): string {
    return this.#language === 'fr' ? typesetFrench(words) : words;
  }
}

/** The language of this window. */
export const locale = new Locale();
