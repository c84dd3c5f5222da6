/** Short notices that need no answer, newest last. Errors stay until they are dismissed. */

/** A notice. */
export interface Toast {
  id: number;
  text: string;
  hint?: string;
  tone: 'neutral' | 'bad';
  /** What can be done about it, such as taking it back. */
  action?: { label: string; run: () => void };
}

/** How long a neutral notice stays, in milliseconds. */
const STAY_MS = 5000;
/** What offers an action stays long enough to be reached. */
const STAY_WITH_ACTION_MS = 10_000;

class Toasts {
  all = $state.raw<readonly Toast[]>([]);
  #next = 1;

  show(text: string, { tone = 'neutral', ...more }: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
    const toast: Toast = { id: this.#next++, text, tone, ...more };
    this.all = [...this.all, toast].slice(-4);
    const stay = toast.action ? STAY_WITH_ACTION_MS : STAY_MS;
    if (tone === 'neutral') setTimeout(() => this.dismiss(toast.id), stay);
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }
}

/** The notices of this window. */
export const toasts = new Toasts();
