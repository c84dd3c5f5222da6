/** The library over what the in-memory host holds: sources and the bases they are in. Only for tests and development. */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { IngestProgress, IngestReport, SourceSummary } from '../wire';
import { textItem, type Item } from './ingestion';
import { nameOf, pretend } from './reading';
import { outlineOf, pageOf, type Store, type StoredSource } from './store';

type Rag = Operations['rag'];
type Library = Pick<
  Rag,
  | 'updateKnowledgeBase'
  | 'listSources'
  | 'getSource'
  | 'readSource'
  | 'renameSource'
  | 'replaceSource'
  | 'attachSource'
  | 'deleteSource'
  | 'setDocumentEnabled'
  | 'getStorage'
  | 'compactStorage'
>;
type Run = (
  kbId: string,
  items: readonly Item[],
  tell?: (progress: IngestProgress) => void,
) => Promise<IngestReport>;

export function libraryOver(store: Store, run: Run): Library {
  let reclaimable = 0;
  const documentsOf = (sourceId: string) =>
    [...store.documents.values()].filter(({ document }) => document.sourceId === sourceId);
  const summary = (source: StoredSource): SourceSummary => {
    const { id, kind, uri, title, text, mime, warnings, version, createdAt } = source;
    const attachments = documentsOf(id).map(({ document }) => ({
      documentId: document.id,
      kbId: document.kbId,
      kbName: store.get(store.bases, document.kbId).name,
      status: document.status,
      isEnabled: document.isEnabled,
      chunkCount: document.chunkCount,
      failure: document.failure,
    }));
    return {
      ...{ id, kind, uri, title, mime, warnings, version, createdAt },
      sha256: '',
      byteCount: text.length,
      charCount: [...text].length,
      language: null,
      hasOriginal: !mime.startsWith('text/'),
      attachments: attachments.sort((a, b) => a.kbName.localeCompare(b.kbName)),
    };
  };
  const changed = (kbIds: readonly string[]) => {
    for (const kbId of new Set(kbIds)) store.emit({ type: 'documents_changed', kbId });
    store.emit({ type: 'sources_changed' });
    store.emit({ type: 'knowledge_bases_changed' });
  };
  const remove = (sourceId: string) => {
    const documents = documentsOf(sourceId);
    for (const { document } of documents) store.deleteDocument(document.id);
    reclaimable += store.get(store.sources, sourceId).text.length;
    store.sources.delete(sourceId);
    changed(documents.map(({ document }) => document.kbId));
  };
  const itemOf = ({ uri, title, text, mime, warnings, pagination }: StoredSource): Item => ({
    ...{ path: uri, title, text, mime, warnings, pagination },
  });

  const library: Library = {
    updateKnowledgeBase: async ({ kbId, name, description, chunkSize, chunkOverlap }) => {
      const base = store.get(store.bases, kbId);
      if ([...store.bases.values()].some((other) => other.id !== kbId && other.name === name)) {
        throw refusal('name_taken', 'This name is taken.');
      }
      base.name = name ?? base.name;
      base.description = description ?? base.description;
      base.chunking = {
        size: chunkSize ?? base.chunking.size,
        overlap: chunkOverlap ?? base.chunking.overlap,
      };
      const { size, overlap } = base.index.chunkingInUse;
      base.index.isOutdated = size !== base.chunking.size || overlap !== base.chunking.overlap;
      store.emit({ type: 'knowledge_bases_changed' });
      return store.summary(kbId);
    },
    listSources: async ({ query = '', kbId, kind, page }) => {
      if (kbId) store.get(store.bases, kbId);
      const words = folded(query).split(/\s+/);
      const isWanted = (source: SourceSummary) =>
        words.every((word) => folded(`${source.title}\n${source.uri ?? ''}`).includes(word)) &&
        (!kind || source.kind === kind) &&
        (!kbId || source.attachments.some((attachment) => attachment.kbId === kbId));
      return pageOf([...store.sources.values()].reverse().map(summary).filter(isWanted), page);
    },
    getSource: async ({ sourceId }) => summary(store.get(store.sources, sourceId)),
    readSource: async ({ sourceId }) => {
      const source = store.get(store.sources, sourceId);
      return {
        source: summary(source),
        text: source.text,
        outline: outlineOf(source.text),
        pagination: source.pagination,
        hasPagePictures: source.mime === 'application/pdf',
      };
    },
    renameSource: async ({ sourceId, title }) => {
      const source = store.get(store.sources, sourceId);
      if (!title.trim()) throw refusal('invalid_input', 'A source needs a title.');
      source.title = title.trim();
      const documents = documentsOf(sourceId);
      for (const { document } of documents) document.title = source.title;
      changed(documents.map(({ document }) => document.kbId));
      return summary(source);
    },
    replaceSource: async ({ sourceId, path, text, password, recognise }, onProgress) => {
      const old = store.get(store.sources, sourceId);
      if ((path === undefined) === (text === undefined)) {
        throw refusal('invalid_input', 'A new version is a file or a text.');
      }
      const item: Item =
        path === undefined
          ? textItem(null, old.title, text ?? '')
          : { path, ...pretend(nameOf(path), { password, recognise }) };
      if (item.failure) throw item.failure;
      const documents = documentsOf(sourceId);
      const source = store.source(item);
      const outcomes: IngestReport = { ...EMPTY, jobId: store.id(), outcomes: [] };
      if (source.id === sourceId) return outcomes;
      source.version = old.version + 1;
      let report = outcomes;
      for (const { document } of documents) {
        const one = await run(document.kbId, [item], onProgress);
        if (one.failed === 0) store.deleteDocument(document.id);
        report = joined(report, one);
      }
      if (documentsOf(sourceId).length === 0) remove(sourceId);
      return report;
    },
    attachSource: async ({ sourceId, kbId }, onProgress) =>
      run(kbId, [itemOf(store.get(store.sources, sourceId))], onProgress),
    deleteSource: async ({ sourceId }) => {
      store.get(store.sources, sourceId);
      remove(sourceId);
      return {};
    },
    setDocumentEnabled: async ({ documentId, isEnabled }) => {
      const { document } = store.get(store.documents, documentId);
      document.isEnabled = isEnabled;
      store.emit({ type: 'documents_changed', kbId: document.kbId });
      return { ...document };
    },
    getStorage: async () => {
      const originalsBytes = [...store.sources.values()].reduce((sum, { text }) => sum + text.length, 0);
      return {
        databaseBytes: 4 * originalsBytes + reclaimable,
        reclaimableBytes: reclaimable,
        cacheBytes: 0,
        originalsBytes,
      };
    },
    compactStorage: async () => {
      reclaimable = 0;
      return library.getStorage();
    },
  };
  return library;
}

const EMPTY = {
  kbId: null,
  ready: 0,
  alreadyHere: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  waiting: 0,
  stopped: null,
};

function joined(one: IngestReport, other: IngestReport): IngestReport {
  return {
    ...other,
    kbId: one.kbId ?? other.kbId,
    ready: one.ready + other.ready,
    alreadyHere: one.alreadyHere + other.alreadyHere,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    cancelled: one.cancelled + other.cancelled,
    waiting: one.waiting + other.waiting,
    outcomes: [...one.outcomes, ...other.outcomes],
    stopped: one.stopped ?? other.stopped,
  };
}

/** Without regard to case and accents. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/œ/g, 'oe')
    .replace(/æ/g, 'ae')
    .trim();
}
