/** Tells pasted files from pasted words, and words' title from their text. */

/** The paths in a pasted text when it holds nothing else: absolute ones or `file:` addresses. */
export function pathsIn(text: string): string[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const paths = lines.map((line) => {
    if (line.startsWith('file://')) return decodeURIComponent(new URL(line).pathname);
    return /^(?:\/[^/\s]|[A-Za-z]:\\|\\\\)/.test(line) && !/[.!?]\s/.test(line) ? line : undefined;
  });
  return paths.length > 0 && paths.every((path) => path !== undefined) ? paths : undefined;
}

/** A title for a text: its first heading or line, shortened at a word. */
export function titleOf(text: string): string {
  const line =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '')
      .trim() ?? '';
  return line.length <= 80 ? line : `${line.slice(0, 80).replace(/\s+\S*$/, '')}…`;
}
