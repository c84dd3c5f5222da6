/** The new index of a base that is being built: how far it is, and stopping it. */
import type { Backend, Unsubscribe } from '../../backend/backend';
import type { JobSummary, KnowledgeBaseId } from '../../backend/wire';
import { attempt } from '../../lib/report';

export class Reindexing {
  /** The job, once something was heard of it; also when it has ended badly. */
  job = $state.raw<JobSummary>();
  isCancelling = $state(false);
  readonly #backend: Backend;
  readonly #kbId: KnowledgeBaseId;

  constructor(backend: Backend, kbId: KnowledgeBaseId) {
    this.#backend = backend;
    this.#kbId = kbId;
  }

  /** Follows the job until the answer is called, whoever began it. */
  start(): Unsubscribe {
    void this.#find();
    return this.#backend.subscribe((event) => {
      if (event.type === 'job_changed') this.follow(event.job);
    });
  }

  follow(job: JobSummary): void {
    if (job.kind !== 'reindex' || job.kbId !== this.#kbId) return;
    if (job.id !== this.job?.id || job.state !== 'running') this.isCancelling = false;
    this.job = job.state === 'done' || job.state === 'cancelled' ? undefined : job;
  }

  /** The job of which the events came before somebody looked; ended ones are not told again. */
  async #find(): Promise<void> {
    try {
      const { items } = await this.#backend.rag.listJobs({});
      const open = items.filter(({ state }) => ['running', 'queued', 'paused'].includes(state));
      if (!this.job) open.forEach((job) => this.follow(job));
    } catch {
      // Without the list the events still tell; the base itself says that an index is being built.
    }
  }

  async cancel(): Promise<void> {
    const { job } = this;
    if (!job) return;
    this.isCancelling = true;
    if (!(await attempt(() => this.#backend.rag.cancelJob({ jobId: job.id })))) this.isCancelling = false;
  }
}
