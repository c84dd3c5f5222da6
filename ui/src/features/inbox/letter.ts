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

/** The draft as the customer would read it, without numbers. */
export function plainText(draft: Draft): string {
  return paragraphsOf(draft)
    .map((paragraph) => paragraph.map((sentence) => sentence.text).join(' '))
    .join('\n\n');
}

/** Cuts off the last word, which keeps the numbers that follow it on its line. */
export function cutLastWord(text: string): [before: string, last: string] {
  const at = text.search(/\S+$/);
  return at > 0 ? [text.slice(0, at), text.slice(at)] : ['', text];
}
