/** What became of a question, in a few words. */
import type { BenchResult, LineSkipped } from '../../backend/wire';
import { locale } from '../../lib/i18n.svelte';
import { isGone, mustRefuse } from './comparison';

/** “1st”, “not found”, “refused”; a dash where the question was not asked. */
export function resultWords(result: BenchResult | undefined): string {
  const { t } = locale;
  if (!result) return '–';
  if (isGone(result)) return t('bench.gone');
  if (mustRefuse(result) && result.refused === null) return t('bench.notJudged');
  if (mustRefuse(result)) return result.refused ? t('bench.refused') : t('bench.notRefused');
  if (result.rank !== null && result.refused) return t('bench.refusedWrongly');
  if (result.rank === null) return t('bench.notFound');
  return t('bench.rank', { rank: result.rank });
}

/** Why a line of an imported file made no question, as a sentence. */
export function skippedWords({ code, detail, count }: LineSkipped): string {
  const { t } = locale;
  const name = detail ?? '';
  switch (code) {
    case 'not_json':
      return t('bench.lineNotJson', { detail: name });
    case 'too_long':
      return t('bench.lineTooLong', { count: count ?? 0 });
    case 'ambiguous':
      return t('bench.lineAmbiguous', { count: count ?? 0, name });
    case 'unknown':
      return t('bench.lineUnknown', { name });
    case 'no_tab':
      return t('bench.lineNoTab');
    case 'empty':
      return t('bench.lineEmpty');
    case 'nothing_expected':
      return t('bench.lineNothingExpected');
    case 'refused_and_expected':
      return t('bench.lineRefusedAndExpected');
    case 'already_there':
      return t('bench.lineAlreadyThere');
  }
}
