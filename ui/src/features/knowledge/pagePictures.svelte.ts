/**
 * The pictures of a document's pages, drawn by the host when they come into view and kept while they are
 * likely to be looked at again.
 */
import type { Backend } from '../../backend/backend';
import type { DocumentId } from '../../backend/wire';
import { Loaded } from '../../lib/loaded.svelte';

/** How many pictures are kept; about as many as fit around the rows in view. */
const MOST_KEPT = 24;
/** Wide enough to read on a dense screen beside the text, in pixels. */
const WIDTH = 1000;

export class PagePictures {
  readonly #backend: Backend;
  readonly #documentId: DocumentId;
  /** In the order in which they were last wanted. */
  #kept = new Map<number, Loaded<string>>();

  constructor(backend: Backend, documentId: DocumentId) {
    this.#backend = backend;
    this.#documentId = documentId;
  }

  /** The picture of a page as an address for an image, or what became of asking for it. */
  of(page: number): Loaded<string> {
    const picture = this.#kept.get(page) ?? new Loaded<string>();
    this.#kept.delete(page);
    this.#kept.set(page, picture);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return picture;
  }

  load(page: number): Promise<void> {
    return this.of(page).load(async () => {
      const { png } = await this.#backend.rag.pagePicture({
        documentId: this.#documentId,
        page,
        width: WIDTH,
      });
      return `data:image/png;base64,${png}`;
    });
  }
}
