import { describe, expect, it } from 'vitest';
import { createMemoryBackend, type MemoryBackend } from '../memory';
import type { JobSummary } from '../wire';

async function withBase(delayMs = 0): Promise<{ backend: MemoryBackend; kbId: string }> {
  const backend = await createMemoryBackend({ delayMs });
  const { id: kbId } = await backend.rag.createKnowledgeBase({ name: 'Help' });
  return { backend, kbId };
}

/** The job, once it looks as it should. */
async function awaitJob(backend: MemoryBackend, looks: (job: JobSummary) => boolean): Promise<JobSummary> {
  for (;;) {
    const { items } = await backend.rag.listJobs({});
    const job = items.find(looks);
    if (job) return job;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe('the jobs of the in-memory host', () => {
  it('move on item by item, and say so', async () => {
    const { backend, kbId } = await withBase();
    const states: string[] = [];
    backend.subscribe((event) => {
      if (event.type === 'job_changed' && states.at(-1) !== event.job.state) states.push(event.job.state);
    });
    const report = await backend.rag.ingestFiles({ kbId, paths: ['/a/guide.md', '/a/empty.md'] });
    expect(states).toEqual(['queued', 'running', 'done']);
    const job = await backend.rag.getJob({ jobId: report.jobId });
    expect(job).toMatchObject({
      title: expect.stringContaining('+1'),
      itemsTotal: 2,
      itemsDone: 2,
      itemsFailed: 1,
    });
    const { items, total } = await backend.rag.listJobItems({ jobId: job.id, state: 'failed' });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ number: 2, error: { code: 'empty' } });
  });

  it('rest while they are paused and end when they are cancelled', async () => {
    const { backend, kbId } = await withBase(1);
    const paths = Array.from({ length: 6 }, (_, number) => `/a/page-${number}.md`);
    const ingested = backend.rag.ingestFiles({ kbId, paths });
    const { id: jobId } = await awaitJob(backend, (job) => job.itemsDone >= 1);
    await backend.rag.pauseJob({ jobId });
    await new Promise((resolve) => setTimeout(resolve, 80));
    const resting = await backend.rag.getJob({ jobId });
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await backend.rag.getJob({ jobId })).toEqual(resting);
    await backend.rag.resumeJob({ jobId });
    await backend.rag.cancelJob({ jobId });
    const report = await ingested;
    expect(report.ready + report.cancelled).toBe(6);
    expect(report.cancelled).toBeGreaterThan(0);
    await expect(backend.rag.pauseJob({ jobId })).rejects.toMatchObject({ code: 'job_ended' });
    await backend.rag.retryJob({ jobId });
    await awaitJob(backend, (job) => job.state === 'done' && job.itemsDone === 6);
    await backend.rag.clearJobs();
    expect((await backend.rag.listJobs({})).total).toBe(0);
  });
});
