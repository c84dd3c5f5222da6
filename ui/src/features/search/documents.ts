/** Finds documents of a base by their titles, page by page, for as long as nobody asks for others. */
import type { Backend } from '../../backend/backend';
import type { Document, KnowledgeBaseId } from '../../backend/wire';

/** How many documents a picker shows. */
const MOST = 30;
const PAGE = 500;

/** Lower case without diacritics, so that « remboursee » finds « Remboursée ». */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The ready documents whose titles have every word that was typed, at most thirty. */
export async function documentsTitled(
  backend: Backend,
  kbId: KnowledgeBaseId,
  typed: string,
  isWanted: () => boolean,
): Promise<Document[]> {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const found: Document[] = [];
  for (let offset = 0; isWanted(); offset += PAGE) {
    const { items, total } = await backend.rag.listDocuments({
      kbId,
      status: 'ready',
      page: { offset, limit: PAGE },
    });
    found.push(...items.filter(({ title }) => words.every((word) => folded(title).includes(word))));
    if (found.length >= MOST || offset + PAGE >= total) break;
  }
  return found.slice(0, MOST);
}
