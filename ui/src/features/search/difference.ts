/** Differences between two figures, in words that are told by a sign as well as by a colour. */
import { locale } from '../../lib/i18n.svelte';

/** Below this a difference would be shown as nothing. */
const LEAST = 0.0005;

/** “+0.012”, “−0.040”, “±0”. */
export function signedWords(difference: number): string {
  if (Math.abs(difference) < LEAST) return '±0';
  const sign = difference > 0 ? '+' : '−';
  return sign + locale.number(Math.abs(difference), { minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

export function toneOf(difference: number): 'better' | 'worse' | 'same' {
  if (Math.abs(difference) < LEAST) return 'same';
  return difference > 0 ? 'better' : 'worse';
}
