/** The rerankers of the in-memory host, which order nothing. Only for tests and development. */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { Store } from './store';

type RerankerOperations = Pick<Operations['rag'], 'listRerankers' | 'importReranker' | 'removeReranker'>;

export function rerankersOver(store: Store): RerankerOperations {
  const list = () => [...store.rerankers.values()].map((it, at) => ({ ...it, isUsed: at === 0 }));
  return {
    listRerankers: async () => list(),
    importReranker: async ({
      folder,
      id = folder.split('/').at(-1) ?? folder,
      license,
      source,
      maxTokens,
    }) => {
      if (!license) throw refusal('invalid_input', 'The licence of the model is missing.');
      if (store.rerankers.has(id)) throw refusal('name_taken', 'This name is taken.');
      store.rerankers.set(id, {
        id,
        version: '1',
        maxTokens: maxTokens ?? 512,
        license,
        source: source ?? folder,
        isUsed: false,
        isRemovable: true,
        error: null,
      });
      return list();
    },
    removeReranker: async ({ id }) => {
      if (!store.rerankers.delete(id)) throw refusal('reranker_missing', 'There is no such reranker.');
      return {};
    },
  };
}
