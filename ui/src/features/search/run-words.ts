/** A measurement's settings in words: what it is called, and whether a reranker had its say in one or both. */
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

/** Which of two measurements were reranked; nothing where neither was. */
export function rerankedWords(run: BenchRun, other: BenchRun): string | undefined {
  const { t } = locale;
  if (run.settings.rerank) return t(other.settings.rerank ? 'bench.rerankedBoth' : 'bench.rerankedThis');
  return other.settings.rerank ? t('bench.rerankedOther') : undefined;
}
