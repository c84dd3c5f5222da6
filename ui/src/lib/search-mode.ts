/** The ways of searching in words, for wherever one of them is chosen: the search, an agent, a measurement. */
import type { SearchMode } from '../backend/wire';
import { locale } from './i18n.svelte';

/** Each of them, the usual one first. */
export const MODES = ['hybrid', 'vector', 'text'] as const satisfies readonly SearchMode[];

/** The choices of a select. */
export function modeOptions(): Array<{ value: SearchMode; label: string }> {
  return MODES.map((value) => ({ value, label: locale.t(`mode.${value}`) }));
}
