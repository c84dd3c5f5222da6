/**
 * A long list of the host, fetched in pages as they come into view. What is on screen stays until its
 * replacement is there, and the same page is never asked for twice at once.
 */
import { toWireError } from '../backend/errors';
import type { Page, PageRequest, WireError } from '../backend/wire';
import { QUIET_MS } from './loaded.svelte';

const PAGE_SIZE = 100;

/** A list whose items are known by position once their page was fetched. */
export class PagedList<T> {
  /** Length of the whole list; undefined until the first answer. */
  total = $state<number>();
  error = $state.raw<WireError>();
  isWaiting = $state(false);
  #pages = $state.raw<ReadonlyMap<number, readonly T[]>>(new Map());
  #pending = new Set<number>();
  #generation = 0;
  #visible = { first: 0, last: 0 };
  readonly #ask: (page: PageRequest) => Promise<Page<T>>;

  constructor(ask: (page: PageRequest) => Promise<Page<T>>) {
    this.#ask = ask;
  }

  /** The item at a position, or undefined while its page is not there. */
  at(index: number): T | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE];
  }

  /** The items that are known, in order. */
  get known(): T[] {
    return [...this.#pages.entries()].sort(([a], [b]) => a - b).flatMap(([, items]) => [...items]);
  }

  /** Fetches what is missing of a visible range. */
  show(first: number, last: number): void {
    this.#visible = { first, last };
    for (const page of this.#visiblePages()) {
      if (!this.#pages.has(page) && !this.#pending.has(page)) void this.#fetch(page, this.#generation);
    }
  }

  /** Fetches the visible pages anew and forgets the others. */
  async refresh(): Promise<void> {
    const generation = ++this.#generation;
    this.#pending.clear();
    const late = setTimeout(() => (this.isWaiting = this.total === undefined), QUIET_MS);
    const pages = this.#visiblePages();
    await Promise.all(pages.map((page) => this.#fetch(page, generation)));
    clearTimeout(late);
    if (generation !== this.#generation) return;
    this.isWaiting = false;
    this.#pages = new Map([...this.#pages].filter(([page]) => pages.includes(page)));
  }

  /** Forgets everything, for another list in the same place. */
  clear(): void {
    this.#generation++;
    this.#pending.clear();
    this.#pages = new Map();
    this.#visible = { first: 0, last: 0 };
    this.total = undefined;
    this.error = undefined;
  }

  /** Begins at the top of another answer to the same question; what is shown stays until it is there. */
  restart(): void {
    this.#visible = { first: 0, last: 0 };
  }

  #visiblePages(): number[] {
    const first = Math.floor(this.#visible.first / PAGE_SIZE);
    const last = Math.floor(Math.max(this.#visible.last, this.#visible.first) / PAGE_SIZE);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  }

  async #fetch(page: number, generation: number): Promise<void> {
    this.#pending.add(page);
    try {
      const answer = await this.#ask({ offset: page * PAGE_SIZE, limit: PAGE_SIZE });
      if (generation !== this.#generation) return;
      this.#pages = new Map(this.#pages).set(page, answer.items);
      this.total = answer.total;
      this.error = undefined;
    } catch (caught) {
      if (generation === this.#generation) this.error = toWireError(caught);
    } finally {
      if (generation === this.#generation) this.#pending.delete(page);
    }
  }
}
