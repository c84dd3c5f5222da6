/** Searching: what is found and why, what stands around it, and the way to the document and back. */
import { screen, waitFor, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import { goTo, openWindow } from './window';

async function searchFor(user: UserEvent, query: string): Promise<void> {
  await goTo(user, 'search');
  await user.type(await screen.findByTestId('search-query'), `${query}{Enter}`);
  await screen.findByTestId('search-summary');
}

test('a question finds passages with its words marked, and each says why it was found', async () => {
  const { user } = await openWindow();
  await searchFor(user, 'refund working days');
  const [hit] = screen.getAllByTestId('hit') as [HTMLElement];
  expect(within(hit).getByRole('button', { name: /^Returns and refunds/ })).toBeVisible();
  expect([...hit.querySelectorAll('mark')].map((mark) => mark.textContent)).toContain('refund');
  await user.click(within(hit).getByTestId('explain'));
  const why = await within(hit).findByTestId('explanation');
  expect(why).toHaveTextContent('place 1 by words');
  expect(why).toHaveTextContent('Help centre');
});

test('what stands around a passage is shown in its place', async () => {
  const { user } = await openWindow();
  await searchFor(user, 'refund');
  const [button] = screen.getAllByTestId('show-around') as [HTMLElement];
  await user.click(button);
  expect((await screen.findAllByTestId('neighbour')).length).toBeGreaterThan(0);
  await user.click(button);
  await waitFor(() => expect(screen.queryByTestId('neighbour')).toBeNull());
});

test('keys lead from the field to a passage, into its document, and back to the same passages', async () => {
  const { user } = await openWindow();
  await screen.findAllByTestId('ticket-row');
  await user.keyboard('/');
  const field = await screen.findByTestId('search-query');
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('refund{Enter}');
  await screen.findByTestId('search-summary');
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(document.activeElement).toHaveTextContent('Returns and refunds'));
  await user.keyboard('{Enter}');
  await screen.findByRole('navigation', { name: 'Outline' });
  await user.keyboard('{Escape}');
  expect(await screen.findByTestId('search-query')).toHaveValue('refund');
  expect(screen.getAllByTestId('hit').length).toBeGreaterThan(0);
});

test('a passage is kept as the answer to its question, and that can be taken back', async () => {
  const { user, backend } = await openWindow();
  await searchFor(user, 'refund');
  await user.click(screen.getAllByTestId('keep-question')[0] as HTMLElement);
  await screen.findByText('Kept as a question of “Help centre”');
  const [kept] = backend.store.questions.values();
  expect(kept).toMatchObject({ text: 'refund', expected: [{ title: 'Returns and refunds' }] });
  await user.click(screen.getByTestId('toast-action'));
  await waitFor(() => expect(backend.store.questions.size).toBe(0));
});

test('words that no passage has lead on to searching by meaning', async () => {
  const { user } = await openWindow();
  await goTo(user, 'search');
  await user.selectOptions(await screen.findByTestId('search-mode'), 'text');
  await user.type(screen.getByTestId('search-query'), 'refunding{Enter}');
  expect(await screen.findByText('Nothing was found')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Search by meaning too' }));
  expect((await screen.findAllByTestId('hit')).length).toBeGreaterThan(0);
});

test('a base that is left out is not searched, also the next time', async () => {
  const { user, backend } = await openWindow();
  await backend.rag.createKnowledgeBase({ name: 'Archive' });
  await goTo(user, 'search');
  await user.click(await screen.findByTestId('search-bases'));
  await user.click(await screen.findByText('Help centre'));
  await user.keyboard('{Escape}');
  await user.type(screen.getByTestId('search-query'), 'refund{Enter}');
  expect(await screen.findByText('Nothing was found')).toBeVisible();
  expect(localStorage.getItem('search:choices')).toContain([...backend.store.bases.keys()][0]);
});

test('a search that is refused says why and can be tried again', async () => {
  const { user, backend } = await openWindow();
  backend.refuseNext('rag.search', refusal('model_missing', 'no model'));
  await goTo(user, 'search');
  await user.type(await screen.findByTestId('search-query'), 'refund{Enter}');
  const alert = await screen.findByRole('alert');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect((await screen.findAllByTestId('hit')).length).toBeGreaterThan(0);
});
