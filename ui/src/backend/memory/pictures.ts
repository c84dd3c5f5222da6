/**
 * The picture of a page that was never printed: grey lines with the document's title, drawn where there is
 * a canvas, and a single dot where there is none, as in tests. Only for tests and development.
 */

const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mM8c+bMfwAHegLsV2TxQwAAAABJRU5ErkJggg==';

/** A PNG in base64. */
export function pictureOf(title: string, page: number): string {
  const canvas = typeof document === 'undefined' ? undefined : document.createElement('canvas');
  const pen = isTest() ? undefined : canvas?.getContext('2d');
  if (!canvas || !pen) return DOT;
  Object.assign(canvas, { width: 700, height: 990 });
  pen.fillStyle = '#f7f4ec';
  pen.fillRect(0, 0, 700, 990);
  pen.fillStyle = '#3b3a36';
  pen.font = '32px serif';
  pen.fillText(title, 72, 110);
  pen.fillStyle = '#b9b3a4';
  for (let line = 0; line < 26; line++) pen.fillRect(72, 160 + 28 * line, line % 7 === 6 ? 300 : 556, 9);
  pen.fillStyle = '#3b3a36';
  pen.font = '22px serif';
  pen.fillText(String(page), 344, 950);
  return canvas.toDataURL('image/png').replace(/^.*,/, '');
}

/** Without layout there is no canvas either, and asking for one complains. */
function isTest(): boolean {
  return navigator.userAgent.includes('jsdom');
}
