/** The questions of a base and its measurements, kept current while they are shown. */
import type { Backend } from '../../backend/backend';
import { toWireError } from '../../backend/errors';
import type {
  BenchProgress,
  BenchRun,
  BenchSettings,
  KnowledgeBaseId,
  Question,
  QuestionsImported,
  SaveQuestion,
  WireError,
} from '../../backend/wire';
import { toasts } from '../../kit/toasts.svelte';
import { locale } from '../../lib/i18n.svelte';
import { Loaded } from '../../lib/loaded.svelte';
import { PagedList } from '../../lib/paged.svelte';
import { attempt } from '../../lib/report';

export class Measuring {
  readonly kbId: KnowledgeBaseId;
  readonly questions: PagedList<Question>;
  readonly runs = new Loaded<BenchRun[]>();
  /** How far the measurement is that goes on. */
  progress = $state.raw<BenchProgress>();
  /** Whether it was asked to stop and has not yet. */
  isStopping = $state(false);
  /** Why the last measurement came to nothing. */
  error = $state.raw<WireError>();
  /** The measurement that is shown, where it is not the newest. */
  shown = $state<string>();
  /** The one that it is compared with. */
  compared = $state<string>();
  readonly #backend: Backend;

  constructor(backend: Backend, kbId: KnowledgeBaseId) {
    this.#backend = backend;
    this.kbId = kbId;
    this.questions = new PagedList((page) => backend.rag.listQuestions({ kbId, page }));
  }

  get run(): BenchRun | undefined {
    const all = this.runs.value ?? [];
    return all.find(({ id }) => id === this.shown) ?? all[0];
  }

  get other(): BenchRun | undefined {
    const { run } = this;
    return this.runs.value?.find(({ id }) => id === this.compared && id !== run?.id);
  }

  load(): void {
    void this.questions.refresh();
    void this.#loadRuns();
  }

  /** Makes or changes a question; throws why not. */
  async save(question: Omit<SaveQuestion, 'kbId'>): Promise<void> {
    await this.#backend.rag.saveQuestion({ kbId: this.kbId, ...question });
    await this.questions.refresh();
  }

  /** Deletes a question; the notice takes it back. */
  async delete({ id: questionId, text, expected, mustRefuse }: Question): Promise<void> {
    await attempt(async () => {
      await this.#backend.rag.deleteQuestion({ questionId });
      await this.questions.refresh();
      toasts.show(locale.t('bench.deleted'), {
        action: {
          label: locale.t('common.undo'),
          run: () => void attempt(() => this.save({ text, expected, mustRefuse })),
        },
      });
    });
  }

  async import(path: string): Promise<QuestionsImported> {
    const imported = await this.#backend.rag.importQuestions({ kbId: this.kbId, path });
    await this.questions.refresh();
    return imported;
  }

  /** Measures; what comes of it is shown. */
  async measure(settings: BenchSettings): Promise<void> {
    if (this.progress) return;
    this.error = undefined;
    this.progress = { done: 0, total: this.questions.total ?? 0 };
    try {
      const before = this.run?.id;
      const run = await this.#backend.rag.runBench({ kbId: this.kbId, settings }, (progress) => {
        this.progress = progress;
      });
      await this.#loadRuns();
      this.shown = run.id;
      this.compared = before;
    } catch (caught) {
      const error = toWireError(caught);
      if (!this.isStopping || error.code !== 'cancelled') this.error = error;
    } finally {
      this.progress = undefined;
      this.isStopping = false;
    }
  }

  /** Stops the measurement that goes on; nothing of it is kept. */
  async stop(): Promise<void> {
    if (!this.progress || this.isStopping) return;
    this.isStopping = true;
    const isTold = await attempt(() => this.#backend.rag.stopBench({ kbId: this.kbId }));
    if (!isTold) this.isStopping = false;
  }

  async deleteRun(runId: string): Promise<void> {
    await attempt(async () => {
      await this.#backend.rag.deleteBenchRun({ runId });
      await this.#loadRuns();
      toasts.show(locale.t('bench.runDeleted'));
    });
  }

  #loadRuns(): Promise<void> {
    const { kbId } = this;
    return this.runs.load(() => this.#backend.rag.listBenchRuns({ kbId }));
  }
}
