/**
 * What can be done right now, for the palette: the shell has its own actions, and each screen adds what
 * belongs to what is open in it for as long as it is shown.
 */
import { untrack } from 'svelte';
import type { PaletteAction } from '../kit/palette-action';

class Actions {
  #sources = $state.raw<ReadonlyArray<() => PaletteAction[]>>([]);

  /** Everything that screens offer at the moment. */
  get offered(): PaletteAction[] {
    return this.#sources.flatMap((source) => source());
  }

  /** Adds actions until the answer is called. */
  add(source: () => PaletteAction[]): () => void {
    this.#sources = [...this.#sources, source];
    return () => {
      this.#sources = this.#sources.filter((other) => other !== source);
    };
  }
}

/** The actions of this window. */
export const actions = new Actions();

/** Offers actions while the calling component is shown; they may depend on its state. */
export function offerActions(source: () => PaletteAction[]): void {
  $effect(() => untrack(() => actions.add(source)));
}
