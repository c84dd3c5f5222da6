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

/** The draft as the customer would read it, without numbers; a sentence keeps its own lines. */
export function plainText(draft: Draft): string {
  return paragraphsOf(draft)
    .map((paragraph) =>
      paragraph
        .map((sentence) => sentence.text)
        .reduce((before, text) =>
          /\n$/.test(before) || text.startsWith('\n') ? before + text : `${before} ${text}`,
        ),
    )
    .join('\n\n');
}

/** A sentence cut so that the numbers stay on the line of its last word, before any line break after it. */
export function cutLastWord(text: string): [before: string, last: string, after: string] {
  const [, before = '', last = text, after = ''] = /^([^]*?)(\S+)(\s*)$/.exec(text) ?? [];
  return [before, last, after];
}
