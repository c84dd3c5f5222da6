/**
 * French spacing, so that translations can be written with plain spaces. Applied to the words of the
 * interface only; what people wrote is shown as they wrote it.
 */

const NARROW = '\u202f';

/** Puts a narrow no-break space before `; : ! ? %` and inside guillemets. */
export function typesetFrench(text: string): string {
  return text
    .replace(/ ([;:!?%»])/g, `${NARROW}$1`)
    .replace(/« /g, `«${NARROW}`)
    .replace(/'/g, '’');
}
