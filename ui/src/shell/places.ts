/** The picture of each place, and the letter that goes to it after `g`. */
import type { IconName } from '../kit/icons';
import type { Place } from '../lib/route.svelte';

export const PLACE_ICONS: Record<Place, IconName> = {
  inbox: 'inbox',
  knowledge: 'library',
  agents: 'bot',
  search: 'search',
  settings: 'settings',
  progress: 'activity',
};

export const PLACE_LETTERS: Record<string, Place> = {
  i: 'inbox',
  k: 'knowledge',
  a: 'agents',
  f: 'search',
  s: 'settings',
  p: 'progress',
};
