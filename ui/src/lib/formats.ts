/**
 * The formats that are read, in words that people use: extensions and media types grouped under the name of
 * the program or thing they belong to. What the host reads decides; a format unknown here is shown as it is.
 */
import { locale } from './i18n.svelte';

interface FormatGroup {
  /** A proper name, the same in both languages, or the word for a thing. */
  name: string | 'mail' | 'text';
  extensions: readonly string[];
  mimes: RegExp;
}

const GROUPS: readonly FormatGroup[] = [
  { name: 'PDF', extensions: ['pdf'], mimes: /\/pdf$/ },
  { name: 'Word', extensions: ['docx', 'doc'], mimes: /wordprocessingml|msword/ },
  { name: 'Excel', extensions: ['xlsx', 'xls'], mimes: /spreadsheetml|ms-excel/ },
  { name: 'PowerPoint', extensions: ['pptx', 'ppt'], mimes: /presentationml|ms-powerpoint/ },
  { name: 'OpenDocument', extensions: ['odt', 'ods', 'odp'], mimes: /opendocument/ },
  { name: 'RTF', extensions: ['rtf'], mimes: /\/rtf$/ },
  { name: 'EPUB', extensions: ['epub'], mimes: /epub/ },
  { name: 'H5P', extensions: ['h5p'], mimes: /h5p/ },
  { name: 'HTML', extensions: ['html', 'htm'], mimes: /html/ },
  { name: 'mail', extensions: ['eml'], mimes: /rfc822/ },
  { name: 'CSV', extensions: ['csv'], mimes: /\/csv$/ },
  { name: 'TSV', extensions: ['tsv'], mimes: /tab-separated/ },
  { name: 'JSON', extensions: ['json'], mimes: /\/json$/ },
  { name: 'XML', extensions: ['xml'], mimes: /\/xml$/ },
  { name: 'Markdown', extensions: ['md', 'markdown'], mimes: /markdown/ },
  { name: 'text', extensions: ['txt', 'log'], mimes: /^text\/plain/ },
  { name: 'ZIP', extensions: ['zip'], mimes: /\/zip$/ },
];

/** “PDF, Word, Excel, mail and ZIP”, in the reader's language. */
export function formatWords(extensions: readonly string[]): string {
  const known = GROUPS.filter((group) => group.extensions.some((one) => extensions.includes(one)));
  const names = known.map(nameOf);
  const others = extensions.filter((one) => !GROUPS.some((group) => group.extensions.includes(one)));
  return locale.list([...names, ...others.map((one) => `.${one}`)]);
}

/** What a person calls a media type; the type itself where there is no word for it. */
export function kindWords(mime: string): string {
  const group = GROUPS.find(({ mimes }) => mimes.test(mime));
  return group ? nameOf(group) : mime;
}

function nameOf({ name }: FormatGroup): string {
  if (name === 'mail') return locale.t('formats.mail');
  return name === 'text' ? locale.t('formats.text') : name;
}
