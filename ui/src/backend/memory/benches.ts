/**
 * Questions and measurements over what the in-memory host holds. An import reads nothing: it makes one
 * question for each document and leaves one line out. Only for tests and development.
 */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import type { BenchResult, BenchRun, BenchSettings, Question } from '../wire';
import { searchIn } from './searching';
import { pageOf, type Store } from './store';

type Benches = Pick<
  Operations['rag'],
  | 'listQuestions'
  | 'saveQuestion'
  | 'deleteQuestion'
  | 'importQuestions'
  | 'runBench'
  | 'stopBench'
  | 'listBenchRuns'
  | 'deleteBenchRun'
>;

export function benchesOver(store: Store, pause: () => Promise<void>): Benches {
  /** The bases of which somebody stopped the measurement. */
  const stopped = new Set<string>();
  const questionsOf = (kbId: string) => {
    store.get(store.bases, kbId);
    return [...store.questions.values()].filter((question) => question.kbId === kbId);
  };
  const saveQuestion: Benches['saveQuestion'] = async ({ kbId, id, text, expected = [], mustRefuse }) => {
    store.get(store.bases, kbId);
    const isRefused = mustRefuse ?? false;
    if (!text.trim()) throw refusal('invalid_input', 'The question is empty.');
    if ((expected.length === 0) !== isRefused) throw refusal('invalid_input', 'What is expected?');
    const createdAt = id ? store.get(store.questions, id).createdAt : Date.now();
    const question: Question = {
      id: id ?? store.id(),
      kbId,
      text: text.trim(),
      expected,
      mustRefuse: isRefused,
      createdAt,
    };
    store.questions.set(question.id, question);
    return question;
  };
  return {
    listQuestions: async ({ kbId, page }) => pageOf(questionsOf(kbId), page),
    saveQuestion,
    deleteQuestion: async ({ questionId }) => {
      store.get(store.questions, questionId);
      store.questions.delete(questionId);
      return {};
    },
    importQuestions: async ({ kbId }) => {
      const documents = store.documentsOf(kbId).map(({ document }) => document);
      for (const { sourceId, title } of documents) {
        await saveQuestion({ kbId, text: title, expected: [{ sourceId, title }] });
      }
      const reason = 'it has no tab between the question and a title';
      const skipped = {
        line: documents.length + 1,
        code: 'no_tab' as const,
        detail: null,
        count: null,
        reason,
      };
      return { imported: documents.length, skipped: [skipped] };
    },
    runBench: async ({ kbId, settings = {} }, onProgress) => {
      const questions = questionsOf(kbId);
      if (questions.length === 0) throw refusal('invalid_input', 'The base has no questions.');
      const results: BenchResult[] = [];
      stopped.delete(kbId);
      for (const question of questions) {
        results.push(resultOf(store, question, settings));
        onProgress?.({ done: results.length, total: questions.length });
        await pause();
        if (stopped.has(kbId)) throw refusal('cancelled', 'The measurement was stopped.');
      }
      const run: BenchRun = {
        id: store.id(),
        kbId,
        settings,
        index: {
          kbId,
          generation: 1,
          embeddingModelId: store.get(store.bases, kbId).embeddingModelId,
          embeddingVersion: '1',
        },
        figures: figuresOf(questions, results, settings.topK ?? 6),
        results,
        createdAt: Date.now(),
      };
      store.benchRuns.set(run.id, run);
      return run;
    },
    stopBench: async ({ kbId }) => {
      store.get(store.bases, kbId);
      stopped.add(kbId);
      return {};
    },
    listBenchRuns: async ({ kbId }) => {
      store.get(store.bases, kbId);
      return [...store.benchRuns.values()].filter((run) => run.kbId === kbId).reverse();
    },
    deleteBenchRun: async ({ runId }) => {
      store.get(store.benchRuns, runId);
      store.benchRuns.delete(runId);
      return {};
    },
  };
}

function resultOf(
  store: Store,
  { id, kbId, text, expected }: Question,
  settings: BenchSettings,
): BenchResult {
  const { hits } = searchIn(store, {
    query: text,
    kbIds: [kbId],
    topK: 30,
    ...(settings.mode ? { mode: settings.mode } : {}),
    ...(settings.maxDistance == null ? {} : { maxDistance: settings.maxDistance }),
    ...(settings.rerank ? { rerank: true } : {}),
  });
  const documents = hits.filter(
    (hit, at) => hits.findIndex((other) => other.sourceId === hit.sourceId) === at,
  );
  const here = new Set(store.documentsOf(kbId).map(({ document }) => document.sourceId));
  const gone = expected.filter(({ sourceId }) => !here.has(sourceId)).map(({ title }) => title);
  const at = documents.findIndex((hit) => expected.some(({ sourceId }) => sourceId === hit.sourceId));
  return {
    questionId: id,
    text,
    rank: at < 0 ? null : at + 1,
    expected: expected.map(({ title }) => title),
    gone,
    topHits: documents.slice(0, 10).map((hit) => ({ title: hit.documentTitle, score: hit.score })),
    refused: !hits.some((hit) => hit.score > 0.5),
  };
}

function figuresOf(
  questions: readonly Question[],
  results: readonly BenchResult[],
  topK: number,
): BenchRun['figures'] {
  const mean = (values: number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  const isGone = ({ expected, gone }: BenchResult) => expected.length > 0 && gone.length === expected.length;
  const kind = (mustRefuse: boolean) =>
    results.filter((result, at) => questions[at]?.mustRefuse === mustRefuse && !isGone(result));
  const ranks = kind(false).map(({ rank }) => rank ?? Infinity);
  return {
    recallAtK: mean(ranks.map((rank) => Number(rank <= topK))) ?? 0,
    ndcgAt10: mean(ranks.map((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0))) ?? 0,
    mrr: mean(ranks.map((rank) => 1 / rank)) ?? 0,
    refusedRightly: mean(kind(true).map(({ refused }) => Number(refused))),
    refusedWrongly: mean(kind(false).map(({ refused }) => Number(refused))),
    questions: questions.length,
    gone: results.filter(isGone).length,
  };
}
