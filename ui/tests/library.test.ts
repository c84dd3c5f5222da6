/** The library: every source once, the bases it is in, and its life from there. */
import { screen, waitFor, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import type { MemoryBackend } from '../src/backend/memory';
import { faults, goTo, openBase, openWindow } from './window';

const openLibrary = async (user: UserEvent) => {
  await goTo(user, 'knowledge');
  await user.click(await screen.findByTestId('open-library'));
  return screen.findAllByTestId('source-row');
};

const openSource = async (user: UserEvent, name: RegExp) => {
  await openLibrary(user);
  await user.click(screen.getByRole('button', { name }));
  return screen.findByTestId('source-facts');
};

const withSecond = async (backend: MemoryBackend) => {
  await backend.rag.createKnowledgeBase({ name: 'Second' });
};

test('the library lists every source with its bases, and finds them by words without accents', async () => {
  const { user, backend } = await openWindow();
  const [kbId = ''] = backend.store.bases.keys();
  await backend.rag.ingest({ kbId, title: 'Généralités', text: 'Un texte.' });
  const rows = await openLibrary(user);
  expect(rows).toHaveLength(4);
  expect(rows[1]).toHaveTextContent('Help centre');
  expect(await faults()).toEqual([]);
  await user.type(screen.getByTestId('library-search'), 'generalites');
  await waitFor(() => expect(screen.getAllByTestId('source-row')).toHaveLength(1));
  await user.type(screen.getByTestId('library-search'), ' nothing');
  await user.click(await screen.findByRole('button', { name: 'Show everything' }));
  await waitFor(() => expect(screen.getAllByTestId('source-row')).toHaveLength(4));
});

test('the library is filtered by base and by origin', async () => {
  const { user, backend } = await openWindow();
  await withSecond(backend);
  await openLibrary(user);
  await user.selectOptions(screen.getByTestId('library-base'), 'Second');
  expect(await screen.findByText('Nothing in the library matches')).toBeVisible();
  await user.selectOptions(screen.getByTestId('library-base'), 'Help centre');
  await waitFor(() => expect(screen.getAllByTestId('source-row')).toHaveLength(3));
  await user.selectOptions(screen.getByTestId('library-kind'), 'Texts');
  expect(await screen.findByText('Nothing in the library matches')).toBeVisible();
});

test('a source shows its text and outline, and the same source may stand differently in two bases', async () => {
  const { user, backend } = await openWindow();
  const { id: second } = await backend.rag.createKnowledgeBase({ name: 'Second' });
  const [source] = backend.store.sources.values();
  await backend.rag.attachSource({ sourceId: source?.id ?? '', kbId: second });
  for (const { document } of backend.store.documents.values()) {
    if (document.kbId === second)
      Object.assign(document, { status: 'error', failure: { code: 'disk_full', message: 'full' } });
  }
  await openSource(user, new RegExp(source?.title ?? ''));
  const [first, other] = screen.getAllByTestId('attachment');
  expect(first).toHaveAttribute('data-status', 'ready');
  expect(other).toHaveTextContent('Second Error The disk is full.');
  expect(screen.getByRole('navigation', { name: 'Outline' })).toBeVisible();
  expect(await faults()).toEqual([]);
  await user.click(within(other as HTMLElement).getByTestId('retry-attachment'));
  await waitFor(() => expect(screen.getAllByTestId('attachment')[1]).toHaveAttribute('data-status', 'ready'));
});

test('a source is renamed in its place, by keys alone', async () => {
  const { user, backend } = await openWindow();
  await openSource(user, /Returns and refunds/);
  await user.keyboard('{F2}');
  const field = await screen.findByTestId('source-title');
  expect(field).toHaveFocus();
  await user.keyboard('Half{Escape}');
  expect(await screen.findByRole('heading', { name: 'Returns and refunds' })).toBeVisible();
  await user.click(screen.getByTestId('rename-source'));
  await user.clear(await screen.findByTestId('source-title'));
  await user.keyboard('Sending back{Enter}');
  expect(await screen.findByRole('heading', { name: 'Sending back' })).toBeVisible();
  const titles = [...backend.store.documents.values()].map(({ document }) => document.title);
  expect(titles).toContain('Sending back');
});

test('a source is added to another base, switched off there, and taken out again', async () => {
  const { user, backend } = await openWindow();
  await withSecond(backend);
  await openSource(user, /Returns and refunds/);
  await user.click(screen.getByTestId('attach'));
  await waitFor(() => expect(screen.getAllByTestId('attachment')).toHaveLength(2));
  expect(await screen.findByText('Added to “Second”')).toBeVisible();
  expect(screen.getByText('It is in every base.')).toBeVisible();
  const second = () => screen.getAllByTestId('attachment')[1] as HTMLElement;
  await user.click(await within(second()).findByTestId('turn-attachment'));
  await waitFor(() => expect(second()).toHaveTextContent('Switched off'));
  await user.click(within(second()).getByTestId('detach'));
  await user.click(await screen.findByTestId('confirm'));
  await waitFor(() => expect(screen.getAllByTestId('attachment')).toHaveLength(1));
  expect(backend.store.sources.size).toBe(3);
});

test('a new version takes the place of a source, and is what is shown then', async () => {
  const { user, backend } = await openWindow();
  await openSource(user, /Returns and refunds/);
  await user.click(screen.getByTestId('replace-source'));
  backend.picks.files = ['/d/locked-returns.md'];
  await user.click(await screen.findByTestId('choose-file'));
  await user.click(screen.getByTestId('replace'));
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  expect(await screen.findByText('The new version is in place')).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('source-facts')).toHaveTextContent('version 2'));
  expect(backend.store.documents.size).toBe(3);
});

test('a refusal of the new version stays in its dialog', async () => {
  const { user, backend } = await openWindow();
  await openSource(user, /Returns and refunds/);
  await user.click(screen.getByTestId('replace-source'));
  await user.click(await screen.findByTestId('from-text'));
  expect(await faults()).toEqual([]);
  await user.clear(screen.getByTestId('new-text'));
  await user.type(screen.getByTestId('new-text'), 'All is new.');
  backend.refuseNext('rag.replaceSource', refusal('data_in_use', 'in use'));
  await user.click(screen.getByTestId('replace'));
  const dialog = screen.getByRole('dialog');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Another Ancre is using this data');
  await user.click(screen.getByTestId('replace'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('deleting a source says first what each base loses', async () => {
  const { user, backend } = await openWindow();
  await openSource(user, /Returns and refunds/);
  await user.click(screen.getByTestId('delete-source'));
  const dialog = await screen.findByRole('alertdialog');
  expect(within(dialog).getByTestId('delete-losses')).toHaveTextContent(/Help centre\s*\d+ passages/);
  expect(dialog).toHaveTextContent('Drafts keep the passages they cite');
  await user.click(within(dialog).getByTestId('confirm'));
  await waitFor(() => expect(screen.getAllByTestId('source-row')).toHaveLength(2));
  expect(backend.store.sources.size).toBe(2);
});

test('a document is switched off in its base, says so, and leads to its source', async () => {
  const { user } = await openWindow();
  await openBase(user);
  const row = () => screen.getAllByTestId('document-row')[0] as HTMLElement;
  await user.click(within(row()).getByTestId('turn-document'));
  await waitFor(() => expect(row()).toHaveTextContent('Switched off'));
  expect(await faults()).toEqual([]);
  await user.click(within(row()).getByTestId('open-in-library'));
  expect(await screen.findByTestId('source-view')).toBeVisible();
});

test('the settings tell of room on the disk and give it back', async () => {
  const { user, backend } = await openWindow();
  const [sourceId = ''] = backend.store.sources.keys();
  await backend.rag.deleteSource({ sourceId });
  await goTo(user, 'settings');
  await user.click(await screen.findByTestId('compact'));
  expect(await screen.findByText(/given back$/)).toBeVisible();
  await waitFor(() => expect(screen.getByTestId('compact')).toBeDisabled());
});

test.each([
  ['en', 'Another Ancre is using this data folder; here it can only be read.'],
  ['fr', 'Une autre fenêtre d’Ancre utilise ce dossier de données'],
] as const)('a folder that another Ancre writes in is said to be read only (%s)', async (language, words) => {
  await openWindow({ samples: 'en' }, ({ store }) => {
    Object.assign(store.settings, { isReadOnly: true, language });
  });
  expect(await screen.findByTestId('read-only')).toHaveTextContent(words);
});
