/** What closing the window means: the notice before it goes for the first time, and the choice in the settings. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import { faults, goTo, openWindow } from './window';

async function askedToClose(hasTray = true) {
  const opened = await openWindow();
  await screen.findAllByTestId('ticket-row');
  opened.backend.askToClose({ hasTray });
  const notice = await screen.findByRole('dialog', { name: 'The work goes on' });
  return { ...opened, notice };
}

test('the first close with work under way says that the work goes on, and Enter closes', async () => {
  const { user, backend, notice } = await askedToClose();
  expect(notice).toHaveTextContent('notification area');
  await waitFor(() => expect(screen.getByTestId('closing-keep')).toHaveFocus());
  expect(await faults()).toEqual([]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(backend.gone).toBe('closed'));
  expect(backend.store.settings.hasSeenClosingNotice).toBe(true);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('where there is no tray the window is said to become small', async () => {
  const { notice } = await askedToClose(false);
  expect(notice).toHaveTextContent('minimised');
  expect(within(notice).getByTestId('closing-keep')).toHaveTextContent('Minimise and keep working');
});

test('one may quit instead', async () => {
  const { user, backend } = await askedToClose();
  await user.click(screen.getByTestId('closing-quit'));
  await waitFor(() => expect(backend.gone).toBe('quit'));
});

test('escape leaves the window open', async () => {
  const { user, backend } = await askedToClose();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(backend.store.settings.hasSeenClosingNotice).toBe(true));
  expect(backend.gone).toBeUndefined();
});

test('the window closes even when that cannot be noted', async () => {
  const { user, backend } = await askedToClose();
  backend.refuseNext('settings.updateSettings', refusal('disk_full', 'full'));
  await user.click(screen.getByTestId('closing-keep'));
  await waitFor(() => expect(backend.gone).toBe('closed'));
});

test('what closing does is chosen in the settings, in both languages', async () => {
  const { user, backend } = await openWindow();
  await goTo(user, 'settings');
  const choice = screen.getByLabelText('When the window is closed');
  expect(choice).toHaveValue('keep_working');
  await user.selectOptions(choice, 'Quit');
  await waitFor(() => expect(backend.store.settings.whenClosed).toBe('quit'));
  expect(await screen.findByText('Work that is not done goes on at the next start.')).toBeVisible();
  await user.selectOptions(screen.getByTestId('language-select'), 'fr');
  expect(await screen.findByLabelText('À la fermeture de la fenêtre')).toHaveDisplayValue('Quitter');
  expect(backend.language).toBe('fr');
});

test.each([
  ['close the window', 'closed'],
  ['quit ancre', 'quit'],
])('the palette can %s', async (words, gone) => {
  const { user, backend } = await openWindow();
  await screen.findAllByTestId('ticket-row');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(within(await screen.findByTestId('palette')).getByRole('combobox'), words);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(backend.gone).toBe(gone));
});
