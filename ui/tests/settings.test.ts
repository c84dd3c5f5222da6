/** The rerankers in the settings: what is installed, taking one in, what is refused, and taking one away. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import { faults, goTo, openWindow } from './window';

async function inSettings() {
  const opened = await openWindow();
  await goTo(opened.user, 'settings');
  const button = await screen.findByTestId('import-reranker');
  return { ...opened, button };
}

test('a reranker is taken in from a folder, and then searches can ask for it', async () => {
  const { user, backend, button } = await inSettings();
  expect(screen.getByText('None is installed.')).toBeVisible();
  backend.picks.folder = '/models/ms-marco';
  await user.click(button);
  await user.click(await screen.findByTestId('pick-reranker'));
  expect(screen.getByTestId('reranker-folder')).toHaveValue('/models/ms-marco');
  await user.type(screen.getByTestId('reranker-license'), 'Apache-2.0');
  expect(await faults()).toEqual([]);
  await user.click(screen.getByTestId('take-reranker'));
  const row = await within(await screen.findByTestId('rerankers')).findByRole('listitem');
  expect(row).toHaveTextContent('ms-marco');
  expect(row).toHaveTextContent('in use');
  expect(row).toHaveTextContent('Apache-2.0');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await goTo(user, 'search');
  expect(await screen.findByLabelText('Rerank')).toBeEnabled();
});

test('what is refused is said in the dialog, and what was typed stays', async () => {
  const { user, backend, button } = await inSettings();
  await user.click(button);
  await user.type(await screen.findByTestId('reranker-folder'), '/models/broken');
  await user.type(screen.getByTestId('reranker-name'), 'mine');
  backend.refuseNext('rag.importReranker', refusal('model_damaged', 'broken'));
  await user.keyboard('{Enter}');
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeVisible();
  expect(screen.getByTestId('reranker-name')).toHaveValue('mine');
  expect(backend.store.rerankers.size).toBe(0);
});

test('a reranker is taken away once that is confirmed', async () => {
  const { user, backend, button } = await inSettings();
  await user.click(button);
  await user.type(await screen.findByTestId('reranker-folder'), '/models/ms-marco');
  await user.type(screen.getByTestId('reranker-license'), 'MIT');
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Remove ms-marco' }));
  expect(backend.store.rerankers.size).toBe(1);
  await user.click(await screen.findByTestId('confirm'));
  expect(await screen.findByText('None is installed.')).toBeVisible();
  expect(backend.store.rerankers.size).toBe(0);
});
