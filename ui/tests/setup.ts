/** What jsdom lacks and components touch, and a clean slate between tests. */
import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/svelte';
import { afterEach, beforeEach, vi } from 'vitest';

vi.stubGlobal('matchMedia', (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => {},
  removeEventListener: () => {},
}));
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
Element.prototype.scrollIntoView = () => {};
Element.prototype.scrollTo = () => {};
Element.prototype.hasPointerCapture = () => false;
Element.prototype.animate ??= () => ({ cancel() {}, finished: Promise.resolve() }) as unknown as Animation;

// A busy machine is no fault of the interface; an element's whole page in a message helps nobody.
configure({
  asyncUtilTimeout: 10_000,
  getElementError: (message) => new Error(message ?? 'not found'),
});

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '#/inbox');
});

afterEach(() => cleanup());
