/** axe finds no fault on any screen; what needs drawing is measured by `scripts/screenshots.mjs`. */
import { screen, waitFor } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { addFiles, draftReply, faults, goTo, openBase, openDocument, openWindow } from './window';

test('the first start', async () => {
  await openWindow({});
  await screen.findByTestId('install-samples');
  expect(await faults()).toEqual([]);
});

test('the inbox with a draft and its passage', async () => {
  const { user } = await openWindow({ samples: 'en', withUnsupported: true });
  await draftReply(user);
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  await screen.findByTestId('passage-quote');
  expect(await faults()).toEqual([]);
});

test('the dialog for a ticket', async () => {
  const { user } = await openWindow();
  await user.click(await screen.findByTestId('new-ticket'));
  await screen.findByTestId('ticket-body');
  expect(await faults()).toEqual([]);
});

test('a base with its documents', async () => {
  const { user } = await openWindow();
  await openBase(user);
  expect(await faults()).toEqual([]);
});

test('a document with pages, warnings and a picture', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/mixed-garbled-damaged.pdf');
  await screen.findAllByRole('img', { name: /^Picture of page/ });
  expect(await faults()).toEqual([]);
});

test('a report with everything that can be done about its items', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/locked.pdf', '/d/sealed.docx', '/d/scanned.pdf', '/d/mixed.pdf');
  expect(await faults()).toEqual([]);
});

test('the dialog for a password', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/locked.pdf');
  await screen.findByRole('dialog');
  expect(await faults()).toEqual([]);
});

test.each(['/d/mixed.pdf', '/d/all.zip', '/d/locked.pdf', '/d/corrupt.pdf'])(
  'the preview of %s',
  async (path) => {
    const { user, backend } = await openWindow();
    await openBase(user);
    backend.picks.files = [path];
    await user.click(screen.getByTestId('preview-file'));
    const dialog = await screen.findByTestId('preview');
    await waitFor(() => expect(dialog.querySelector('[role="status"]')).toBeNull());
    expect(await faults()).toEqual([]);
  },
);

test('a search with its explanation and what stands around', async () => {
  const { user } = await openWindow();
  await goTo(user, 'search');
  await user.type(await screen.findByTestId('search-query'), 'refund{Enter}');
  await user.click((await screen.findAllByTestId('explain'))[0] as HTMLElement);
  await user.click(screen.getAllByTestId('show-around')[0] as HTMLElement);
  await screen.findAllByTestId('neighbour');
  expect(await faults()).toEqual([]);
});

test('a measurement beside another, and the dialog for a question', async () => {
  const { user, backend } = await openWindow();
  const [kbId = ''] = backend.store.bases.keys();
  await backend.rag.importQuestions({ kbId, path: 'all.tsv' });
  await backend.rag.runBench({ kbId, settings: {} });
  await goTo(user, 'search');
  await user.click(await screen.findByTestId('tab-measure'));
  await user.click(await screen.findByTestId('run-bench'));
  await screen.findByTestId('comparison');
  expect(await faults()).toEqual([]);
  await user.click(screen.getByTestId('add-question'));
  await screen.findByTestId('find-document');
  expect(await faults()).toEqual([]);
});

test('the settings of a base and the dialog for a new index', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await user.click(screen.getByTestId('base-settings'));
  await screen.findByTestId('index-facts');
  expect(await faults()).toEqual([]);
  await user.click(screen.getByTestId('open-reindex'));
  await screen.findByTestId('reindex-model');
  expect(await faults()).toEqual([]);
});

test('an agent', async () => {
  const { user } = await openWindow();
  await goTo(user, 'agents');
  await user.click(await screen.findByTestId('agent-row'));
  await screen.findByTestId('agent-name');
  expect(await faults()).toEqual([]);
});

test('the settings', async () => {
  const { user } = await openWindow();
  await goTo(user, 'settings');
  expect(await faults()).toEqual([]);
});

test('the palette', async () => {
  const { user } = await openWindow();
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByTestId('palette');
  expect(await faults()).toEqual([]);
});
