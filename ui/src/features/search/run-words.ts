/** A measurement's settings in words: what it is called, and whether a reranker was asked for it. */
import type { BenchRun } from '../../backend/wire';
import { locale } from '../../lib/i18n.svelte';
import { USUAL_TOP_K } from './comparison';

/** A measurement's name in a list. What tells measurements apart comes first: the end may be cut off. */
export function runName({ settings, createdAt }: BenchRun): string {
  const { t, dateTime, distance } = locale;
  return [
    t(`mode.${settings.mode ?? 'hybrid'}`),
    ...(settings.rerank ? [t('bench.reranked')] : []),
    dateTime(createdAt),
    t('bench.firstK', { count: settings.topK ?? USUAL_TOP_K }),
    ...(settings.maxDistance == null ? [] : [t('bench.upTo', { distance: distance(settings.maxDistance) })]),
  ].join(' · ');
}

/** Whether a measurement was reranked, and where there is another one, which of the two. */
export function rerankedWords({ settings }: BenchRun, other: BenchRun | undefined): string {
  const { t } = locale;
  const isReranked = settings.rerank ?? false;
  if (!other) return t(isReranked ? 'bench.rerankedOnly' : 'bench.notReranked');
  if (isReranked === (other.settings.rerank ?? false)) {
    return t(isReranked ? 'bench.rerankedBoth' : 'bench.rerankedNeither');
  }
  return t(isReranked ? 'bench.rerankedThis' : 'bench.rerankedOther');
}
