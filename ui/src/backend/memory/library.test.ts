import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBackend, type MemoryBackend } from '../memory';

describe('the library of the in-memory host', () => {
  let backend: MemoryBackend;
  let one: string;
  let two: string;
  beforeEach(async () => {
    backend = await createMemoryBackend();
    one = (await backend.rag.createKnowledgeBase({ name: 'One' })).id;
    two = (await backend.rag.createKnowledgeBase({ name: 'Two' })).id;
    await backend.rag.ingest({ kbId: one, title: 'Délais', text: 'Three days.' });
  });
  const only = async () => (await backend.rag.listSources({})).items[0]!;

  it('links one source into several bases and finds it by words', async () => {
    const report = await backend.rag.ingest({ kbId: two, title: 'Délais', text: 'Three days.' });
    expect(report.ready).toBe(1);
    const { items, total } = await backend.rag.listSources({ query: 'DELAIS' });
    expect(total).toBe(1);
    expect(items[0]?.attachments.map(({ kbName }) => kbName)).toEqual(['One', 'Two']);
    expect((await backend.rag.listSources({ query: '%' })).total).toBe(0);
  });

  it('keeps a detached source and attaches it again', async () => {
    const { id, attachments } = await only();
    await backend.rag.deleteDocument({ documentId: attachments[0]!.documentId });
    expect((await only()).attachments).toEqual([]);
    expect((await backend.rag.attachSource({ sourceId: id, kbId: two })).ready).toBe(1);
    expect((await only()).attachments[0]?.kbName).toBe('Two');
  });

  it('renames a source in every base', async () => {
    const renamed = await backend.rag.renameSource({ sourceId: (await only()).id, title: 'Times' });
    expect(renamed.title).toBe('Times');
    expect((await backend.rag.listDocuments({ kbId: one })).items[0]?.title).toBe('Times');
  });

  it('puts a new version in the place of the old one', async () => {
    const { id } = await only();
    const report = await backend.rag.replaceSource({ sourceId: id, text: 'Two days.' });
    expect(report.ready).toBe(1);
    expect((await backend.rag.listSources({})).total).toBe(1);
    expect(await only()).toMatchObject({ title: 'Délais', version: 2 });
    await expect(backend.rag.getSource({ sourceId: id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('deletes a source from every base', async () => {
    await backend.rag.deleteSource({ sourceId: (await only()).id });
    expect((await backend.rag.listSources({})).total).toBe(0);
    expect((await backend.rag.getKnowledgeBase({ kbId: one })).counts.ready).toBe(0);
  });
});
