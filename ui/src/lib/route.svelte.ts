/**
 * Where the person is: one of the places and what is open in it, kept in the address's fragment so that
 * going back works. `new` in the second part stands for the place's dialog that makes something.
 */

export const PLACES = ['inbox', 'knowledge', 'agents', 'search', 'settings', 'progress'] as const;

/** A place in the navigation. */
export type Place = (typeof PLACES)[number];

/** A place, what is open in it, what is open in that, and where in a text it is open, in characters. */
export interface Address {
  place: Place;
  id?: string;
  sub?: string;
  at?: number;
}

/** The second part that opens the dialog for something new. */
export const NEW = 'new';

/** The second part that stands for the library among the bases. */
export const LIBRARY = 'library';

/** Reads a fragment; whatever is no place of ours is the inbox. */
export function parseFragment(fragment: string): Address {
  const [place, id, sub, at] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decodeURIComponent);
  const known = PLACES.find((name) => name === place);
  if (!known) return { place: 'inbox' };
  return {
    place: known,
    ...(id ? { id } : {}),
    ...(sub ? { sub } : {}),
    ...(at && /^\d+$/.test(at) ? { at: Number(at) } : {}),
  };
}

/** Writes an address as a fragment. */
export function fragmentOf({ place, id, sub, at }: Address): string {
  return `#/${[place, id, sub, at === undefined ? undefined : String(at)]
    .filter((part): part is string => !!part)
    .map(encodeURIComponent)
    .join('/')}`;
}

class Route {
  address = $state.raw<Address>(parseFragment(location.hash));
  /** Where the person was before, if they went on from there by a step of ours. */
  previous = $state.raw<Address>();

  constructor() {
    addEventListener('hashchange', () => {
      this.previous = undefined;
      this.address = parseFragment(location.hash);
    });
  }

  /** Goes to an address; `replace` leaves no trace to go back to. */
  go(address: Address, { replace = false } = {}): void {
    const fragment = fragmentOf(address);
    if (fragment !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', fragment);
    if (!replace) this.previous = this.address;
    this.address = address;
  }
}

/** The address of this window. */
export const route = new Route();
