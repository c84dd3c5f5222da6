/**
 * Where a document came from: in words, and whether there is an original outside Ancre to open. Pasted and
 * sample texts have none; the document in Knowledge is their original.
 */
import type { Backend } from '../backend/backend';
import { toWireError } from '../backend/errors';
import type { Document, DocumentId } from '../backend/wire';
import { locale } from './i18n.svelte';
import { attempt } from './report';

type Source = Pick<Document, 'sourceKind' | 'sourceUri'>;

/** Whether there is a file or a page outside Ancre. */
export function hasOriginal({ sourceKind, sourceUri }: Source): boolean {
  return sourceKind !== 'inline' && sourceUri !== null;
}

/** The path or address that a person knows; one word where there is none. */
export function sourceWords({ sourceUri }: Pick<Source, 'sourceUri'>): string {
  if (sourceUri === null) return locale.t('passage.inline');
  return sourceUri.startsWith('sample:') ? locale.t('passage.sample') : sourceUri;
}

/** Opens the original; answers whether it is missing. Any other refusal is shown as a notice. */
export async function isOriginalMissing(backend: Backend, documentId: DocumentId): Promise<boolean> {
  let isMissing = false;
  await attempt(async () => {
    try {
      await backend.host.openSource(documentId);
    } catch (caught) {
      isMissing = ['not_found', 'file_not_found'].includes(toWireError(caught).code);
      if (!isMissing) throw caught;
    }
  });
  return isMissing;
}

/** The name of a file without its folders, or the title of what has no file. */
export function nameOf({ path, title }: { path: string | null; title: string }): string {
  return path?.split(/[\\/]/).at(-1) ?? title;
}

/** Where an outcome's file is on the disk: itself, or the archive that it was found in. */
export function placeOnDisk(path: string): { path: string; entry?: string } {
  const [, archive, entry] = /^(.+?\.zip)[\\/](.+)$/i.exec(path) ?? [];
  return archive && entry ? { path: archive, entry } : { path };
}
