/** The keys that work everywhere: the palette, the places, the search field, a new ticket. */
import { hasMod, isTyping } from '../lib/keys';
import { NEW, PLACES, route } from '../lib/route.svelte';
import { PLACE_LETTERS } from './places';

/** How long after `g` its letter may come, in milliseconds. */
const SEQUENCE_MS = 1200;

/** Listens until the answer is called. */
export function listenToKeys(togglePalette: () => void): () => void {
  let startedAt = -Infinity;

  /** Whether the key was one of ours. */
  function handle(event: KeyboardEvent): boolean {
    if (hasMod(event)) {
      if (event.key.toLowerCase() === 'k' && !event.shiftKey) {
        togglePalette();
        return true;
      }
      const place = PLACES[Number(event.key) - 1];
      if (place && !event.shiftKey && !event.altKey) {
        route.go({ place });
        return true;
      }
      return false;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event)) return false;
    const place = PLACE_LETTERS[event.key];
    if (place && event.timeStamp - startedAt < SEQUENCE_MS) {
      startedAt = -Infinity;
      route.go({ place });
      return true;
    }
    startedAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (event.key === '/') {
      // Where the field is, its own screen answers the key.
      if (route.address.place === 'search' && route.address.id !== 'measure') return false;
      route.go({ place: 'search' });
      return true;
    }
    if (event.key !== 'n') return false;
    route.go({ place: 'inbox', id: NEW });
    return true;
  }

  function listen(event: KeyboardEvent) {
    if (event.defaultPrevented || !handle(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  addEventListener('keydown', listen, { capture: true });
  return () => removeEventListener('keydown', listen, { capture: true });
}
