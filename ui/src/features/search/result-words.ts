/** What became of a question, in a few words. */
import type { BenchResult } from '../../backend/wire';
import { locale } from '../../lib/i18n.svelte';
import { mustRefuse } from './comparison';

/** “1st”, “not found”, “refused”; a dash where the question was not asked. */
export function resultWords(result: BenchResult | undefined): string {
  const { t } = locale;
  if (!result) return '–';
  if (mustRefuse(result)) return result.refused ? t('bench.refused') : t('bench.notRefused');
  if (result.rank !== null && result.refused) return t('bench.refusedWrongly');
  if (result.rank === null) return t('bench.notFound');
  return t('bench.rank', { rank: result.rank });
}
