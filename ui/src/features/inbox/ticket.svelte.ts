/**
 * The ticket that is open: its view, the run that drafts its reply, and the passage that is shown beside the
 * draft. Runs are kept by ticket, so that one goes on while another ticket is read.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../../backend/backend';
import { toWireError } from '../../backend/errors';
import type { AgentId, DraftStep, PassageView, TicketId, TicketView, WireError } from '../../backend/wire';
import { Loaded } from '../../lib/loaded.svelte';
import type { Session } from '../../lib/session.svelte';

/** Where a run is; `waiting` until the model is loaded. */
export type RunStep = DraftStep | 'waiting';

const steps = new SvelteMap<TicketId, RunStep>();
const failures = new SvelteMap<TicketId, WireError>();

/** One number in the draft's text; the same number may stand after several sentences. */
export interface Badge {
  sentence: number;
  number: number;
}

export class OpenTicket {
  readonly view = new Loaded<TicketView>();
  readonly passage = new Loaded<PassageView>();
  id = $state<TicketId>();
  /** Which badge is open, as a position in `badges`. */
  openBadge = $state<number>();
  readonly #backend: Backend;
  readonly #session: Session;

  constructor(backend: Backend, session: Session) {
    this.#backend = backend;
    this.#session = session;
  }

  /** The draft's badges in the order of its text. */
  get badges(): Badge[] {
    return (
      this.view.value?.draft?.sentences.flatMap(({ citations }, sentence) =>
        citations.map((number) => ({ sentence, number })),
      ) ?? []
    );
  }

  get step(): RunStep | undefined {
    return this.id ? steps.get(this.id) : undefined;
  }

  get failure(): WireError | undefined {
    return this.id ? failures.get(this.id) : undefined;
  }

  open(id: TicketId | undefined): void {
    if (id === this.id) return;
    this.id = id;
    this.view.clear();
    this.closePassage();
    if (id) void this.refresh();
  }

  async refresh(): Promise<void> {
    const id = this.id;
    if (id) await this.view.load(() => this.#backend.desk.getTicket({ ticketId: id }));
  }

  /** Drafts a reply, anew if there is one. */
  async draft(agentId: AgentId | undefined): Promise<void> {
    const ticketId = this.id;
    if (!ticketId || steps.has(ticketId)) return;
    failures.delete(ticketId);
    steps.set(ticketId, this.#session.engine.state === 'ready' ? 'searching' : 'waiting');
    try {
      await this.#session.whenReady();
      await this.#backend.desk.draftReply({ ticketId, ...(agentId ? { agentId } : {}) }, (step) =>
        steps.set(ticketId, step),
      );
      if (ticketId === this.id) {
        this.closePassage();
        await this.refresh();
      }
    } catch (caught) {
      failures.set(ticketId, toWireError(caught));
    } finally {
      steps.delete(ticketId);
    }
  }

  async showPassage(badge: number): Promise<void> {
    const messageId = this.view.value?.draft?.messageId;
    const number = this.badges[badge]?.number;
    if (!messageId || number === undefined) return;
    this.openBadge = badge;
    await this.passage.load(() => this.#backend.desk.getPassage({ messageId, number }));
  }

  /** Goes on by badges in the order of the text, also where a number repeats; stops at the ends. */
  walk(by: number): void {
    if (this.openBadge === undefined) return;
    const badge = Math.min(Math.max(0, this.openBadge + by), this.badges.length - 1);
    if (badge !== this.openBadge) void this.showPassage(badge);
  }

  closePassage(): void {
    this.openBadge = undefined;
    this.passage.clear();
  }
}
