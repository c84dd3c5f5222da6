/**
 * Indexes of bases over what the in-memory host holds: a new one is built beside the old one, answers
 * when it is whole, and can be taken back. Only for tests and development.
 */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { ChunkingSettings, IndexGeneration, InstalledModel } from '../wire';
import { change, enqueue, type StoredJob } from './jobs';
import type { Store } from './store';

type IndexOperations = Pick<
  Operations['rag'],
  'listModels' | 'estimateReindex' | 'reindex' | 'restoreGeneration' | 'discardGeneration'
>;

export const MODELS: readonly InstalledModel[] = [
  {
    id: 'multilingual-e5-small',
    version: '1',
    dimension: 384,
    maxTokens: 512,
    license: 'MIT',
    isDefault: true,
    error: null,
  },
  {
    id: 'other-model',
    version: '1',
    dimension: 256,
    maxTokens: 256,
    license: 'Apache-2.0',
    isDefault: false,
    error: null,
  },
];

/** How many passages the twin's models embed in a second. */
const PACE = 20;

export function indexesOver(store: Store, pause: () => Promise<void>): IndexOperations {
  const changed = (kbId: string) => {
    store.emit({ type: 'knowledge_bases_changed' });
    store.emit({ type: 'documents_changed', kbId });
  };

  return {
    listModels: async () => MODELS.map((model) => ({ ...model })),
    estimateReindex: async (input) => {
      wanted(store, input);
      const { counts } = store.summary(input.kbId);
      return {
        documents: counts.ready,
        chunks: counts.chunks,
        cachedChunks: 0,
        milliseconds: Math.round((counts.chunks / PACE) * 1000),
        diskBytes: counts.chunks * 6000,
        passagesPerSecond: PACE,
      };
    },
    reindex: async (input) => {
      const { model, chunking } = wanted(store, input);
      const base = store.summary(input.kbId);
      const building: IndexGeneration = {
        ...serving(store, input.kbId),
        number: base.index.generation + 1,
        state: 'building',
        embeddingModelId: model.id,
        embeddingVersion: model.version,
        embeddingDim: model.dimension,
        chunking,
        documents: 0,
        chunks: 0,
        createdAt: Date.now(),
        finishedAt: null,
      };
      store.get(store.bases, input.kbId).index.building = building;
      const job = enqueue(store, input.kbId, [], 'reindex');
      change(store, job, {
        title: base.name,
        state: 'running',
        step: 'indexing',
        startedAt: Date.now(),
      });
      changed(input.kbId);
      void build(store, input.kbId, job, pause).then(() => changed(input.kbId));
      return { ...job.summary };
    },
    restoreGeneration: async ({ kbId }) => {
      const { index } = store.get(store.bases, kbId);
      const { previous } = index;
      if (!previous) throw refusal('not_found', 'There is no previous index.');
      index.previous = { ...serving(store, kbId), state: 'previous' };
      serve(store, kbId, previous);
      changed(kbId);
      return store.summary(kbId);
    },
    discardGeneration: async ({ kbId }) => {
      store.get(store.bases, kbId).index.previous = null;
      changed(kbId);
      return store.summary(kbId);
    },
  };
}

function wanted(
  store: Store,
  { kbId, model, chunkSize, chunkOverlap }: Parameters<IndexOperations['reindex']>[0],
): { model: InstalledModel; chunking: ChunkingSettings } {
  const base = store.get(store.bases, kbId);
  const installed = MODELS.find(({ id }) => id === (model ?? base.embeddingModelId));
  if (!installed) throw refusal('model_missing', 'There is no such model.');
  const size = chunkSize ?? base.chunking.size;
  return { model: installed, chunking: { size, overlap: chunkOverlap ?? base.chunking.overlap } };
}

/** In twenty steps, so that there is something to watch and to stop. */
const STEPS = 20;

async function build(store: Store, kbId: string, job: StoredJob, pause: () => Promise<void>) {
  for (let step = 0; step < STEPS; step++) {
    await pause();
    if (job.summary.state === 'cancelled') {
      const base = store.bases.get(kbId);
      if (base) base.index.building = null;
      return;
    }
    const share = step / STEPS;
    const { itemsTotal, chunksTotal } = job.summary;
    change(store, job, {
      itemsDone: Math.floor(share * itemsTotal),
      chunksDone: Math.floor(share * chunksTotal),
      chunksPerMinute: 60 * PACE,
      remainingMs: Math.round(((1 - share) * chunksTotal * 1000) / PACE),
    });
  }
  const base = store.bases.get(kbId);
  const building = base?.index.building;
  if (!base || !building) return;
  if (job.summary.state !== 'running') {
    base.index.building = null;
    return;
  }
  base.index.previous = { ...serving(store, kbId), state: 'previous' };
  base.index.building = null;
  Object.assign(base.index, { health: 'ok', isOutdated: false });
  serve(store, kbId, building);
  change(store, job, { state: 'done', itemsDone: job.summary.itemsTotal, finishedAt: Date.now() });
}

function serve(store: Store, kbId: string, generation: IndexGeneration) {
  const base = store.get(store.bases, kbId);
  base.embeddingModelId = generation.embeddingModelId;
  base.embeddingDim = generation.embeddingDim;
  base.chunking = generation.chunking;
  base.index.generation = generation.number;
  base.index.embeddingVersion = generation.embeddingVersion;
  base.index.chunkingInUse = generation.chunking;
}

/** The index that answers, as a generation. */
function serving(store: Store, kbId: string): IndexGeneration {
  const { embeddingModelId, embeddingDim, index, counts, createdAt } = store.summary(kbId);
  return {
    number: index.generation,
    state: 'serving',
    embeddingModelId,
    embeddingVersion: index.embeddingVersion,
    embeddingDim,
    chunking: index.chunkingInUse,
    documents: counts.ready,
    chunks: counts.chunks,
    createdAt,
    finishedAt: createdAt,
  };
}
