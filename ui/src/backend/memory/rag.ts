/** Bases, documents and files over what the in-memory host holds. Only for tests and development. */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { IngestProgress, JobKind } from '../wire';
import { benchesOver } from './benches';
import { indexesOver } from './indexes';
import { ingest, itemsOf, previewOf, textItem, type Item } from './ingestion';
import { enqueue, jobsOver, type StoredJob } from './jobs';
import { libraryOver } from './library';
import { pictureOf } from './pictures';
import { EXTENSIONS, previewFile } from './reading';
import { rerankersOver } from './rerankers';
import { SAMPLES } from './samples';
import { passagesAround, searchIn } from './searching';
import { pageOf, type Store } from './store';

export function ragOver(
  store: Store,
  pause: () => Promise<void>,
  desk: Operations['desk'],
  canRecognise: boolean,
): Operations['rag'] {
  const work = (job: StoredJob, tell: (progress: IngestProgress) => void = () => {}) =>
    ingest(store, job, tell, pause);
  const run = (
    kbId: string,
    items: readonly Item[],
    tell?: (progress: IngestProgress) => void,
    kind?: JobKind,
  ) => work(enqueue(store, kbId, items, kind), tell);

  const rag: Operations['rag'] = {
    ...indexesOver(store, pause),
    ...rerankersOver(store),
    ...libraryOver(store, run),
    listKnowledgeBases: async () =>
      [...store.bases.keys()].map((id) => store.summary(id)).sort((a, b) => a.name.localeCompare(b.name)),
    getKnowledgeBase: async ({ kbId }) => store.summary(kbId),
    createKnowledgeBase: async ({ name, description = '', chunkSize = 2000, chunkOverlap = 200 }) => {
      if ([...store.bases.values()].some((base) => base.name === name)) {
        throw refusal('name_taken', 'This name is taken.');
      }
      const id = store.id();
      store.bases.set(id, {
        id,
        projectId: 'default',
        name,
        description,
        embeddingModelId: 'multilingual-e5-small',
        embeddingDim: 384,
        chunking: { size: chunkSize, overlap: chunkOverlap },
        createdAt: Date.now(),
        index: {
          generation: 1,
          embeddingVersion: '1',
          health: 'ok',
          isOutdated: false,
          building: null,
          previous: null,
          chunkingInUse: { size: chunkSize, overlap: chunkOverlap },
        },
      });
      store.emit({ type: 'knowledge_bases_changed' });
      return store.summary(id);
    },
    deleteKnowledgeBase: async ({ kbId }) => {
      const agents = store.agentsOf(kbId);
      if (agents.length > 0) throw refusal('knowledge_base_in_use', 'Agents use it.', { agents });
      for (const { document } of store.documentsOf(kbId)) store.documents.delete(document.id);
      for (const map of [store.questions, store.benchRuns]) {
        for (const [id, item] of map) if (item.kbId === kbId) map.delete(id);
      }
      store.bases.delete(kbId);
      store.emit({ type: 'knowledge_bases_changed' });
      return {};
    },
    listDocuments: async ({ kbId, status, page }) => {
      store.get(store.bases, kbId);
      const all = store.documentsOf(kbId).map(({ document }) => ({ ...document }));
      return pageOf(status ? all.filter((document) => document.status === status) : all, page);
    },
    readDocument: async ({ documentId }) => {
      const { document, text, outline, chunks, pagination, tokensOutsideWindow } = store.get(
        store.documents,
        documentId,
      );
      return {
        document,
        text,
        outline,
        language: null,
        chunks,
        tokensOutsideWindow: tokensOutsideWindow ?? chunks.map(() => 0),
        pagination: pagination ?? null,
        warnings: document.warnings,
        hasPagePictures: document.mime === 'application/pdf',
      };
    },
    deleteDocument: async ({ documentId }) => {
      const { document } = store.get(store.documents, documentId);
      store.deleteDocument(documentId);
      store.emit({ type: 'documents_changed', kbId: document.kbId });
      store.emit({ type: 'knowledge_bases_changed' });
      return {};
    },
    retryDocument: async ({ documentId }, onProgress) => {
      const { document, text } = store.get(store.documents, documentId);
      return run(document.kbId, [textItem(document.sourceUri, document.title, text)], onProgress);
    },
    listFormats: async () => ({ extensions: EXTENSIONS, canRecognise }),
    previewPaths: async ({ paths }) => previewOf(paths),
    previewFile: async (input) => {
      await pause();
      return previewFile(input);
    },
    recogniseDocument: async ({ documentId }, onProgress) => {
      const { document } = store.get(store.documents, documentId);
      const path = document.sourceUri;
      const items = itemsOf(path ? [path] : [], { recognise: true });
      const report = await run(document.kbId, items, onProgress, 'recognise');
      if (report.ready > 0) await rag.deleteDocument({ documentId });
      return report;
    },
    pagePicture: async ({ documentId, page }) => {
      const { document } = store.get(store.documents, documentId);
      await pause();
      return { png: pictureOf(document.title, page) };
    },
    ingest: async ({ kbId, title, text }, onProgress) => run(kbId, [textItem(null, title, text)], onProgress),
    ingestFiles: async ({ kbId, paths, password, recognise }, onProgress) =>
      run(kbId, itemsOf(paths, { password, recognise }), onProgress),
    resumeQueued: async () => ({
      ready: 0,
      failed: 0,
      waiting: 0,
      indexesBuilt: 0,
      indexesWaiting: 0,
      stopped: null,
    }),
    ...jobsOver(store, (job) => void work(job)),
    search: async (input) => searchIn(store, input),
    showAround: async (input) => passagesAround(store, input),
    ...benchesOver(store, pause),
    installSamples: async ({ language }, onProgress) => {
      const samples = SAMPLES[language];
      const { id: kbId } = await rag.createKnowledgeBase(samples.base);
      const agent = await desk.createAgent({
        ...samples.agent,
        instructions: '',
        kbIds: [kbId],
        topK: 6,
        maxDistance: null,
        searchMode: 'hybrid',
        signature: '',
      });
      const items = samples.documents.map(({ title, uri, text }) => textItem(uri, title, text));
      await run(kbId, items, onProgress);
      let ticketId = '';
      for (const ticket of samples.tickets.toReversed()) {
        ticketId = (await desk.createTicket({ ...ticket, agentId: agent.id })).id;
      }
      return { kbId, ticketId, at: Date.now() };
    },
  };
  return rag;
}
