/** Short notices that need no answer, newest last. Errors stay until they are dismissed. */

/** A notice. */
export interface Toast {
  id: number;
  text: string;
  hint?: string;
  tone: 'neutral' | 'bad';
}

/** How long a neutral notice stays, in milliseconds. */
const STAY_MS = 5000;

class Toasts {
  all = $state.raw<readonly Toast[]>([]);
  #next = 1;

  show(text: string, { hint, tone = 'neutral' }: { hint?: string; tone?: Toast['tone'] } = {}): void {
    const toast: Toast = { id: this.#next++, text, tone, ...(hint ? { hint } : {}) };
    this.all = [...this.all, toast].slice(-4);
    if (tone === 'neutral') setTimeout(() => this.dismiss(toast.id), STAY_MS);
  }

  dismiss(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }
}

/** The notices of this window. */
export const toasts = new Toasts();
