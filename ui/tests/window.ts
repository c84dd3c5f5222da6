/** Opens the whole window over an in-memory host, in English unless told otherwise. */
import { render, screen, waitFor } from '@testing-library/svelte';
import axe from 'axe-core';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createMemoryBackend, type MemoryBackend, type MemoryOptions } from '../src/backend/memory';
import { route } from '../src/lib/route.svelte';
import App from '../src/shell/App.svelte';

export interface OpenWindow {
  backend: MemoryBackend;
  user: UserEvent;
}

/** What the file picker of the window that is open answers. */
let picks: string[] | undefined;

export async function openWindow(
  options: MemoryOptions = { samples: 'en' },
  prepare: (backend: MemoryBackend) => void = () => {},
): Promise<OpenWindow> {
  const backend = await createMemoryBackend(options);
  backend.store.settings.language ??= 'en';
  prepare(backend);
  route.go({ place: 'inbox' });
  picks = backend.picks.files;
  render(App, { backend });
  await screen.findByRole('main');
  return { backend, user: userEvent.setup() };
}

/** Goes to a place and waits for its heading. */
export async function goTo(user: UserEvent, place: string): Promise<void> {
  await user.click(screen.getByTestId(`nav-${place}`));
  await screen.findByRole('heading', { level: 1 });
}

/** Opens a ticket of the list and drafts its reply. */
export async function draftReply(user: UserEvent, row = 0): Promise<HTMLElement> {
  const tickets = await screen.findAllByTestId('ticket-row');
  await user.click(tickets[row] as HTMLElement);
  await user.click(await screen.findByTestId('draft-reply'));
  return screen.findByTestId('draft');
}

/** Opens the first base. */
export async function openBase(user: UserEvent): Promise<void> {
  await goTo(user, 'knowledge');
  await user.click(await screen.findByTestId('base-row'));
  await waitFor(() => screen.getAllByTestId('document-row'));
}

/** Adds files to the open base and waits until nothing runs in it. */
export async function addFiles(user: UserEvent, ...paths: string[]): Promise<void> {
  picks?.splice(0, Infinity, ...paths);
  await user.click(screen.getByTestId('add-files'));
  await screen.findByTestId('job-report');
}

/** Adds a file to the first base and opens its text. */
export async function openDocument(user: UserEvent, path: string): Promise<void> {
  await openBase(user);
  await addFiles(user, path);
  await user.click(screen.getByRole('button', { name: new RegExp(path) }));
  await screen.findByRole('navigation', { name: 'Outline' });
}

/** What axe finds wrong with the window; what needs drawing is measured by `scripts/screenshots.mjs`. */
export async function faults(): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, 'label-content-name-mismatch': { enabled: false } },
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
}
