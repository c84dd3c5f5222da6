/**
 * What a measurement says of each question, and what differs between two of them. A question counts as
 * answered when what was expected is among the passages that an agent would get, or when it was refused as
 * it should be. One whose documents are all gone from the base is neither right nor wrong.
 */
import type { BenchFigures, BenchResult, BenchRun } from '../../backend/wire';

/** The passages that an agent gets, where a measurement's settings do not say. */
export const USUAL_TOP_K = 6;

export const FIGURES = ['recallAtK', 'ndcgAt10', 'mrr', 'refusedRightly'] as const satisfies ReadonlyArray<
  keyof BenchFigures
>;
export type Figure = (typeof FIGURES)[number];

/** Whether a question must be refused. */
export function mustRefuse({ expected }: BenchResult): boolean {
  return expected.length === 0;
}

/** Whether everything that a question expects was gone from the base, so that nothing could be found. */
export function isGone({ expected, gone }: BenchResult): boolean {
  return expected.length > 0 && gone.length === expected.length;
}

/** Whether a measurement answered a question as it should be. */
export function isRight(result: BenchResult, topK: number): boolean {
  if (mustRefuse(result)) return result.refused === true;
  return result.rank !== null && result.rank <= topK && !result.refused;
}

/** What failed first, the worst of it at the top: not found, found late, gone, then the rest. */
export function failedFirst(run: BenchRun): BenchResult[] {
  const topK = run.settings.topK ?? USUAL_TOP_K;
  return [...run.results].sort((a, b) => badness(b, topK) - badness(a, topK));
}

function badness(result: BenchResult, topK: number): number {
  if (isGone(result)) return 0.5;
  if (isRight(result, topK)) return 0;
  if (mustRefuse(result)) return 2;
  if (result.rank === null) return 3;
  return result.rank > topK ? 2 - 1 / result.rank : 1;
}

/** One question in two measurements. */
export interface Pair {
  questionId: string;
  text: string;
  one: BenchResult | undefined;
  other: BenchResult | undefined;
  /** Above zero: the one is better than the other. */
  change: number;
}

/** Every question of two measurements, what became worse first, then better, then the rest. */
export function pairsOf(one: BenchRun, other: BenchRun): Pair[] {
  const others = new Map(other.results.map((result) => [result.questionId, result]));
  const pairs = one.results.map((result): Pair => pairOf(result, others.get(result.questionId)));
  const known = new Set(one.results.map(({ questionId }) => questionId));
  for (const result of other.results) {
    if (known.has(result.questionId)) continue;
    pairs.push({
      questionId: result.questionId,
      text: result.text,
      one: undefined,
      other: result,
      change: 0,
    });
  }
  const weight = ({ change }: Pair) => (change < 0 ? change - 2 : -change);
  return pairs.sort((a, b) => weight(a) - weight(b));
}

function pairOf(one: BenchResult, other: BenchResult | undefined): Pair {
  const isMeasured = other && !isGone(one) && !isGone(other);
  const change = isMeasured ? merit(one) - merit(other) : 0;
  return { questionId: one.questionId, text: one.text, one, other, change };
}

/** How well a question was answered, in [0, 1]. */
function merit(result: BenchResult): number {
  if (mustRefuse(result)) return Number(result.refused ?? false);
  return result.rank === null ? 0 : 1 / result.rank;
}
