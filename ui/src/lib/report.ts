/** Shows a refusal as a notice, in the reader's language, with what to do next. */
import { toWireError } from '../backend/errors';
import { toasts } from '../kit/toasts.svelte';
import { locale } from './i18n.svelte';

/** Awaits something that may be refused; answers whether it was done. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (caught) {
    const error = toWireError(caught);
    toasts.show(locale.sentence(error), { hint: locale.hint(error), tone: 'bad' });
    return false;
  }
}
