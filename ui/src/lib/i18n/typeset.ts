/**
 * French spacing, so that translations can be written with plain spaces: a full no-break space before `:`
 * and inside guillemets, a narrow one before `; ! ? %`, as the Imprimerie nationale sets them. Applied to
 * the words of the interface only; what people wrote is shown as they wrote it.
 */

const FULL = '\u00a0';
const NARROW = '\u202f';

/** Sets the spaces of French marks, of numbers' sign, and the apostrophe. */
export function typesetFrench(text: string): string {
  return text
    .replace(/ ([:»])/g, `${FULL}$1`)
    .replace(/(«|nº) /g, `$1${FULL}`)
    .replace(/ ([;!?%])/g, `${NARROW}$1`)
    .replace(/'/g, '’');
}
