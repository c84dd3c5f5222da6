/** A draft as paragraphs of sentences, and as words for the clipboard. */
import type { Draft, Sentence } from '../../backend/wire';

/** A sentence with its place in the draft, which the badges count by. */
export interface PlacedSentence extends Sentence {
  index: number;
}

/** The draft's sentences, paragraph by paragraph. */
export function paragraphsOf(draft: Draft): PlacedSentence[][] {
  const paragraphs: PlacedSentence[][] = [];
  for (const [index, sentence] of draft.sentences.entries()) {
    const placed = { ...sentence, index };
    const last = paragraphs.at(-1);
    if (last && !sentence.startsParagraph) last.push(placed);
    else paragraphs.push([placed]);
  }
  return paragraphs;
}

/** What stands between two sentences of a paragraph: a space, or a new line after one that has lines of its own. */
export function gapBetween(before: string, after: string | undefined): string {
  if (after === undefined || /\n\s*$/.test(before) || /^\s*\n/.test(after)) return '';
  return before.includes('\n') ? '\n' : ' ';
}

/** The draft as the customer would read it, without numbers; a sentence keeps its own lines. */
export function plainText(draft: Draft): string {
  return paragraphsOf(draft)
    .map((paragraph) =>
      paragraph.map(({ text }, at) => text + gapBetween(text, paragraph[at + 1]?.text)).join(''),
    )
    .join('\n\n');
}

/** A sentence cut so that the numbers stay on the line of its last word, before any line break after it. */
export function cutLastWord(text: string): [before: string, last: string, after: string] {
  const [, before = '', last = text, after = ''] = /^([^]*?)(\S+)(\s*)$/.exec(text) ?? [];
  return [before, last, after];
}
