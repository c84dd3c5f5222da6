/**
 * How the in-memory host takes files: what `reading.ts` pretends of each goes through the states that the
 * real one goes through, in the order of its events. Only for tests and development.
 */
import { refusal } from '../errors';
import type { Document, IngestOutcome, IngestProgress, IngestReport, JobItem, PathsPreview } from '../wire';
import { change, isEnded, type StoredJob } from './jobs';
import { entriesOf, isRead, isUnread, nameOf, pretend, type How, type Pretended } from './reading';
import { chunksOf, outlineOf, type Store } from './store';

/** What is to be taken: a text that is there, or a file that is pretended. */
export interface Item extends Pretended {
  path: string | null;
  isSkipped?: boolean;
}

/** A text without pages, of which there is nothing to know. */
export function textItem(path: string | null, title: string, text: string): Item {
  const mime = path?.endsWith('.md') ? 'text/markdown' : 'text/plain';
  return { path, title, text, mime, pagination: null, warnings: [] };
}

export function previewOf(paths: readonly string[]): PathsPreview {
  const preview = { supported: 0, unsupported: 0, hidden: 0, folders: 0, unreadable: 0, byteCount: 0 };
  for (const path of filesOf(paths)) {
    if (nameOf(path).startsWith('.')) preview.hidden++;
    else if (isRead(path)) {
      preview.supported++;
      preview.byteCount += 35_000 + 100 * path.length;
    } else preview.unsupported++;
  }
  preview.folders = paths.filter(isFolder).length;
  return { ...preview, isTruncated: false };
}

export function itemsOf(paths: readonly string[], how: How = {}): Item[] {
  return filesOf(paths).flatMap((path): Item[] => {
    const name = nameOf(path);
    if (!isRead(path) || name.startsWith('.')) {
      const failure = refusal('unsupported', 'This kind is not read.');
      return [{ ...textItem(path, name, ''), isSkipped: true, failure }];
    }
    const entries = entriesOf(path);
    if (!entries) return [{ path, ...pretend(name, how) }];
    return entries
      .filter((entry) => entry.isSupported)
      .map((entry) => ({ path: `${path}/${entry.name}`, ...pretend(entry.name, how) }));
  });
}

/**
 * Takes the items of a job that have no outcome, one after the other; `pause` is awaited between steps. Between
 * two items it rests while the job is paused, and ends with it.
 */
export async function ingest(
  store: Store,
  job: StoredJob,
  tell: (progress: IngestProgress) => void,
  pause: () => Promise<void>,
): Promise<IngestReport> {
  const { id: jobId } = job.summary;
  const kbId = job.summary.kbId ?? '';
  const base = store.get(store.bases, kbId);
  const outcomes: IngestOutcome[] = [];
  const isStopped = () => isEnded(job.summary.state);
  const state: IngestProgress = {
    jobId,
    kbId,
    phase: 'finding',
    itemsTotal: job.items.length,
    itemsDone: 0,
    itemsFailed: 0,
    chunksDone: 0,
    chunksTotal: 0,
    chunksEmbedded: 0,
    current: null,
    remainingMs: null,
    outcome: null,
    recognition: null,
  };
  const say = (changed: Partial<IngestProgress>) => {
    Object.assign(state, { outcome: null, recognition: null }, changed);
    tell({ ...state });
    store.emit({ type: 'job_progressed', ...state });
  };
  const stand = (item: JobItem, changed: Partial<JobItem>) => {
    if (isStopped() && !isEnded(changed.state ?? item.state)) return;
    Object.assign(item, changed);
    change(store, job, isStopped() ? {} : { current: item.title });
  };
  const end = (item: JobItem, outcome: IngestOutcome) => {
    outcomes.push(outcome);
    const { result, documentId, chunkCount, error, warnings } = outcome;
    const state = result === 'waiting' ? 'queued' : result;
    stand(item, { state, documentId, chunkCount, chunksDone: chunkCount, error, warnings });
    say({
      itemsDone: outcomes.length,
      itemsFailed: outcomes.filter(({ result }) => result === 'failed').length,
      outcome,
    });
    store.emit({ type: 'documents_changed', kbId });
  };

  change(store, job, { state: 'running', step: 'reading', startedAt: job.summary.startedAt ?? Date.now() });
  say({});
  for (const [index, item] of job.work.entries()) {
    const entry = job.items[index];
    if (!entry || (isEnded(entry.state) && entry.state !== 'cancelled')) continue;
    const outcome = { path: item.path, title: item.title, documentId: null, chunkCount: 0, error: null };
    while (job.summary.state === 'paused') await pause();
    if (isStopped()) {
      end(entry, { ...outcome, result: 'cancelled', warnings: [] });
      continue;
    }
    stand(entry, { state: 'reading' });
    const remainingMs = 800 * (job.items.length - outcomes.length);
    change(store, job, { remainingMs });
    say({ phase: 'reading', current: item.title, remainingMs });
    await pause();
    if (item.isSkipped) {
      end(entry, { ...outcome, result: 'skipped', error: item.failure ?? null, warnings: [] });
      continue;
    }
    for (let page = 0; page < (item.recognised ?? 0); page++) {
      say({ recognition: { pagesDone: page, pagesTotal: item.recognised ?? 0 } });
      await pause();
    }
    if (item.failure && isUnread(item.failure)) {
      end(entry, { ...outcome, result: 'failed', error: item.failure, warnings: item.warnings });
      continue;
    }
    const { warnings } = item;
    const twin = store.documentsOf(kbId).find(({ text }) => text === item.text);
    if (twin && twin.document.status !== 'error') {
      end(entry, { ...outcome, result: 'already_here', documentId: twin.document.id, warnings });
      continue;
    }
    const document = twin?.document ?? added(store, kbId, item);
    const chunks = chunksOf(item.text, base.chunking);
    document.status = 'indexing';
    stand(entry, {
      state: 'embedding',
      documentId: document.id,
      chunkCount: chunks.length,
      attempts: entry.attempts + 1,
    });
    change(store, job, { step: 'indexing' });
    document.failure = null;
    store.emit({ type: 'documents_changed', kbId });
    for (let done = 0; done <= chunks.length; done++) {
      const embedded = state.chunksEmbedded + (done > 0 ? 1 : 0);
      stand(entry, { chunksDone: done });
      say({ phase: 'indexing', chunksDone: done, chunksTotal: chunks.length, chunksEmbedded: embedded });
      await pause();
    }
    if (item.failure) {
      const { code, message } = item.failure;
      Object.assign(document, { status: 'error', failure: { code, message } });
      end(entry, { ...outcome, result: 'failed', documentId: document.id, error: item.failure, warnings });
      continue;
    }
    Object.assign(document, { status: 'ready', chunkCount: chunks.length, ingestedAt: Date.now() });
    store.documents.set(document.id, {
      document,
      text: item.text,
      outline: outlineOf(item.text),
      chunks,
      pagination: item.pagination,
    });
    end(entry, { ...outcome, result: 'ready', documentId: document.id, chunkCount: chunks.length, warnings });
  }
  if (!isStopped()) change(store, job, { state: 'done', finishedAt: Date.now() });
  say({ phase: 'finished', current: null, remainingMs: 0 });
  store.emit({ type: 'knowledge_bases_changed' });
  const count = (result: IngestOutcome['result']) => outcomes.filter((one) => one.result === result).length;
  return {
    jobId,
    kbId,
    ready: count('ready'),
    alreadyHere: count('already_here'),
    failed: count('failed'),
    skipped: count('skipped'),
    cancelled: count('cancelled'),
    waiting: 0,
    outcomes,
    stopped: job.summary.state === 'cancelled' ? refusal('cancelled', 'It was stopped.') : null,
  };
}

function added(store: Store, kbId: string, item: Item): Document {
  const { path, text, mime, warnings } = item;
  const source = store.source(item);
  const document: Document = {
    id: store.id(),
    kbId,
    sourceId: source.id,
    sourceKind: path ? 'upload' : 'inline',
    sourceUri: path,
    title: source.title,
    mime,
    sha256: '',
    status: 'queued',
    charCount: [...text].length,
    chunkCount: 0,
    isEnabled: true,
    failure: null,
    createdAt: Date.now(),
    ingestedAt: null,
    warnings,
  };
  store.documents.set(document.id, { document, text, outline: outlineOf(text), chunks: [] });
  return document;
}

/** A path without an ending is a folder with three files in it. */
function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    isFolder(path) ? ['guide.md', 'prices.csv', 'logo.png'].map((name) => `${path}/${name}`) : [path],
  );
}

function isFolder(path: string): boolean {
  return !nameOf(path).includes('.');
}
