/** What joins the places: first start, language, model, palette, keys, agents. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import { refusal } from '../src/backend/errors';
import { MEMORY_ENGINE } from '../src/backend/memory';
import { goTo, openWindow } from './window';

test('the first start leads to the first ticket by one click', async () => {
  const { user } = await openWindow({});
  await user.click(await screen.findByTestId('install-samples'));
  expect(await screen.findByRole('heading', { name: 'When will I get my refund?' })).toBeVisible();
  expect(screen.getByTestId('draft-reply')).toBeEnabled();
});

test('samples wait for the model and then go on by themselves', async () => {
  const { user, backend } = await openWindow({ engine: { state: 'loading' } });
  await user.click(await screen.findByTestId('install-samples'));
  expect(await screen.findByText('Waiting for the embedding model…')).toBeVisible();
  backend.setEngine(MEMORY_ENGINE);
  expect(await screen.findByRole('heading', { name: 'When will I get my refund?' })).toBeVisible();
});

test('one may start with own documents', async () => {
  const { user } = await openWindow({});
  await user.click(await screen.findByRole('button', { name: 'Start with my own documents' }));
  await user.type(await screen.findByTestId('base-name'), 'Mine');
  await user.click(screen.getByTestId('create-base'));
  expect(await screen.findByText('Drop files or folders here')).toBeVisible();
});

test('the language changes everything at once', async () => {
  const { user } = await openWindow();
  await goTo(user, 'settings');
  await user.selectOptions(screen.getByTestId('language-select'), 'fr');
  expect(await screen.findByRole('heading', { name: 'Réglages' })).toBeVisible();
  expect(screen.getByTestId('nav-inbox')).toHaveTextContent('Réception');
  expect(document.documentElement.lang).toBe('fr');
  expect(document.title).toBe('Réglages – Ancre');
});

test('the theme changes at once', async () => {
  const { user } = await openWindow();
  await goTo(user, 'settings');
  await user.selectOptions(screen.getByTestId('theme-select'), 'dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
  await user.selectOptions(screen.getByTestId('theme-select'), 'system');
  expect(document.documentElement.dataset.theme).toBe('light');
});

test('a model that failed says why and can be loaded again', async () => {
  const { user } = await openWindow({
    samples: 'en',
    engine: { state: 'failed', error: refusal('runtime_missing', 'no runtime') },
  });
  await goTo(user, 'settings');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('ONNX Runtime');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('multilingual-e5-small')).toBeVisible();
});

test('every action is found in the palette', async () => {
  const { user } = await openWindow();
  await screen.findAllByTestId('ticket-row');
  await user.keyboard('{Control>}k{/Control}');
  const palette = await screen.findByTestId('palette');
  await user.type(within(palette).getByRole('combobox'), 'new agent');
  await user.keyboard('{Enter}');
  expect(await screen.findByTestId('agent-name')).toBeVisible();
});

test('keys lead to the places', async () => {
  const { user } = await openWindow();
  await screen.findAllByTestId('ticket-row');
  await user.keyboard('gk');
  expect(await screen.findByRole('heading', { name: 'Knowledge' })).toBeVisible();
  await user.keyboard('{Control>}3{/Control}');
  expect(await screen.findByRole('heading', { name: 'Agents' })).toBeVisible();
});

test('letters typed in a field go to no place', async () => {
  const { user } = await openWindow();
  await user.click(await screen.findByTestId('new-ticket'));
  await user.type(await screen.findByTestId('ticket-subject'), 'gkn');
  expect(screen.getByTestId('ticket-subject')).toHaveValue('gkn');
  expect(screen.getByRole('dialog')).toBeVisible();
});

test('an agent is made with its bases and limits', async () => {
  const { user, backend } = await openWindow();
  await goTo(user, 'agents');
  await user.click(screen.getByTestId('new-agent'));
  await user.type(await screen.findByTestId('agent-name'), 'Second line');
  await user.click(screen.getByRole('checkbox', { name: 'Help centre' }));
  const distance = screen.getByLabelText(/Greatest distance/);
  await user.type(distance, '3');
  expect(screen.getByText('A number from 0 to 2, or nothing.')).toBeVisible();
  expect(screen.getByTestId('save-agent')).toBeDisabled();
  await user.clear(distance);
  await user.type(distance, '0,4');
  await user.click(screen.getByTestId('save-agent'));
  await waitFor(() => expect(backend.store.agents.size).toBe(2));
  const made = [...backend.store.agents.values()].at(-1);
  expect(made).toMatchObject({ name: 'Second line', topK: 6, maxDistance: 0.4 });
  expect(made?.kbIds).toHaveLength(1);
});

const START_FAILURES = [
  ['en', 'data_read_only', 'The data folder cannot be written to.', 'Change the permissions', 'Try again'],
  ['en', 'database_newer', 'The data was written by a newer version of Ancre.', 'Install that', 'Try again'],
  ['en', 'database_damaged', 'The database is damaged.', 'the folder “backups”', 'Try again'],
  ['fr', 'data_read_only', 'Impossible d’écrire dans le dossier des données.', 'Modifiez les', 'Réessayer'],
  ['fr', 'database_newer', 'Les données viennent d’une version plus récente', 'Installez', 'Réessayer'],
  ['fr', 'database_damaged', 'La base de données est endommagée.', '« backups »', 'Réessayer'],
] as const;

test.each(START_FAILURES)(
  'data that cannot be opened leave one calm page (%s, %s)',
  async (language, code, sentence, hint, again) => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue([language]);
    const { user } = await openWindow({ samples: 'en' }, (backend) => {
      backend.store.settings.language = language;
      backend.refuseNext('settings.getSettings', refusal(code, 'refused'));
    });
    const page = await screen.findByTestId('start-failure');
    expect(page).toHaveTextContent(sentence);
    expect(page).toHaveTextContent(hint);
    expect(screen.queryByTestId('nav-inbox')).toBeNull();
    await user.click(within(page).getByRole('button', { name: again }));
    expect(await screen.findByTestId('nav-inbox')).toBeVisible();
    expect(screen.queryByTestId('start-failure')).toBeNull();
    vi.restoreAllMocks();
  },
);
