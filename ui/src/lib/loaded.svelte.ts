/**
 * Something asked from the host: its value, or why there is none. An older answer never overwrites a newer
 * one, and waiting shows only after 200 ms, so that quick answers do not flash.
 */
import { toWireError } from '../backend/errors';
import type { WireError } from '../backend/wire';

/** How long an answer may take before waiting is shown, in milliseconds. */
export const QUIET_MS = 200;

/** The last answer to a question that may be asked again. */
export class Loaded<T> {
  value = $state.raw<T>();
  error = $state.raw<WireError>();
  /** Whether the first answer is late enough to say so. */
  isWaiting = $state(false);
  #asked = 0;

  /** Asks; keeps the old value until the new one is there. */
  async load(ask: () => Promise<T>): Promise<void> {
    const turn = ++this.#asked;
    const late = setTimeout(() => (this.isWaiting = turn === this.#asked), QUIET_MS);
    try {
      const value = await ask();
      if (turn === this.#asked) {
        this.value = value;
        this.error = undefined;
      }
    } catch (caught) {
      if (turn === this.#asked) this.error = toWireError(caught);
    } finally {
      clearTimeout(late);
      if (turn === this.#asked) this.isWaiting = false;
    }
  }

  /** Forgets the answer, and any that is still on its way. */
  clear(): void {
    this.#asked++;
    this.value = undefined;
    this.error = undefined;
    this.isWaiting = false;
  }
}
