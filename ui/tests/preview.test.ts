/** Files that are looked into before they are added, and those that a password protects. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { addFiles, goTo, openBase, openWindow } from './window';

const position = { x: 10, y: 10 };

test('a single protected file asks for its password at once, and again when it is wrong', async () => {
  const { user, backend } = await openWindow();
  backend.drag({ type: 'drop', paths: ['/d/locked.pdf'], position });
  const dialog = await screen.findByRole('dialog', { name: 'Password needed' });
  expect(dialog).toHaveTextContent('“locked.pdf” is protected by a password.');
  const field = within(dialog).getByLabelText('Password');
  expect(field).toHaveFocus();
  expect(field).toHaveAttribute('type', 'password');
  expect(field).toHaveAttribute('autocomplete', 'off');

  await user.type(field, 'guess{Enter}');
  expect(await within(dialog).findByText(/The password does not open the file/)).toBeVisible();
  expect(field).toHaveValue('');
  expect(field).toHaveFocus();

  await user.type(field, 'secret');
  await user.click(within(dialog).getByRole('button', { name: 'Show the password' }));
  expect(field).toHaveAttribute('type', 'text');
  await user.click(within(dialog).getByTestId('unlock'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByTestId('job-report')).toHaveTextContent('1 ready'));
  expect(JSON.stringify([...backend.store.documents.values()])).not.toContain('secret');
});

test('a password is asked for by itself only once, and forgotten when the dialog closes', async () => {
  const { user, backend } = await openWindow();
  backend.drag({ type: 'drop', paths: ['/d/locked.pdf'], position });
  const first = await screen.findByRole('dialog', { name: 'Password needed' });
  await user.type(within(first).getByLabelText('Password'), 'half a pass');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await goTo(user, 'agents');
  await openBase(user);
  await screen.findByTestId('job-report');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByTestId('enter-password'));
  const again = await screen.findByRole('dialog', { name: 'Password needed' });
  expect(within(again).getByLabelText('Password')).toHaveValue('');
});

test('among several files none asks by itself, and one that is opened keeps the others’ reasons', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/locked.pdf', '/d/corrupt.pdf');
  const report = await screen.findByTestId('job-report');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(within(report).getByTestId('enter-password'));
  await user.type(await screen.findByLabelText('Password'), 'secret{Enter}');
  await waitFor(() => expect(screen.getByTestId('job-report')).toHaveTextContent('1 ready, 1 failed'));
  expect(screen.getByTestId('job-report')).toHaveTextContent('corrupt.pdf');
});

test.each([
  ['en', 'save it without a password'],
  ['fr', 'enregistrez-le sans mot de passe'],
] as const)('a file that no password opens says what to do instead (%s)', async (language, words) => {
  const { user } = await openWindow({ samples: 'en' }, ({ store }) => {
    store.settings.language = language;
  });
  await openBase(user);
  await addFiles(user, '/d/sealed.docx');
  expect(await screen.findByTestId('job-report')).toHaveTextContent(words);
  expect(screen.queryByTestId('enter-password')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a preview shows what would be read and adds it when asked', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  backend.picks.files = ['/d/mixed.pdf'];
  await user.click(screen.getByTestId('preview-file'));
  const dialog = await screen.findByRole('dialog', { name: 'Preview of mixed.pdf' });
  expect(await within(dialog).findByTestId('preview-facts')).toHaveTextContent(
    /^PDF · English · 6 pages · \d+ characters$/,
  );
  expect(dialog).toHaveTextContent('3 of 6 pages are scans and were not read: pages 2–3, 5.');
  expect(within(dialog).getByRole('note', { name: 'page 2, scan, not read' })).toBeVisible();
  const outline = within(dialog).getByRole('navigation', { name: 'Outline' });
  expect(within(outline).getByRole('button', { name: 'Part 4' })).toBeVisible();
  expect(backend.store.documents.size).toBe(3);

  await user.type(within(dialog).getByTestId('page-jump'), '4{Enter}');
  await waitFor(() => expect(within(dialog).getByRole('note', { name: 'page 4' })).toHaveFocus());
  await user.click(within(dialog).getByTestId('add-previewed'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(backend.store.documents.size).toBe(4));
});

test('an archive lists its files, and each that is read can be looked into', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  backend.picks.files = ['/d/all.zip'];
  await user.click(screen.getByTestId('preview-file'));
  const dialog = await screen.findByRole('dialog', { name: 'Preview of all.zip' });
  const list = await within(dialog).findByRole('list', { name: '3 files in this archive' });
  expect(within(list).getByText('logo.png').closest('div')).toHaveTextContent('not read');
  expect(within(list).getAllByTestId('preview-entry')).toHaveLength(2);

  await user.click(within(list).getByRole('button', { name: /prices.xlsx/ }));
  expect(await within(dialog).findByRole('note', { name: 'Prices, A2:D11' })).toBeVisible();
  expect(screen.getByRole('dialog')).toHaveAccessibleName('Preview of guide/prices.xlsx');
  await user.click(within(dialog).getByTestId('to-archive'));
  expect(await within(dialog).findAllByTestId('preview-entry')).toHaveLength(2);
});

test('a protected file is previewed with its password, which then adds it too', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  backend.picks.files = ['/d/locked.pdf'];
  await user.click(screen.getByTestId('preview-file'));
  const dialog = await screen.findByRole('dialog', { name: 'Preview of locked.pdf' });
  const field = await within(dialog).findByLabelText('Password');
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('guess{Enter}');
  expect(await within(dialog).findByText(/The password does not open the file/)).toBeVisible();
  await waitFor(() => expect(field).toHaveValue(''));
  expect(field).toHaveFocus();
  await user.type(field, 'secret{Enter}');
  await within(dialog).findByTestId('preview-facts');
  await user.click(within(dialog).getByTestId('add-previewed'));
  await waitFor(() => expect(screen.getByTestId('job-report')).toHaveTextContent('1 ready'));
});

test('a file that failed is looked into from the report, and says why', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/corrupt.pdf');
  await user.click(await screen.findByTestId('preview-item'));
  const dialog = await screen.findByRole('dialog', { name: 'Preview of corrupt.pdf' });
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'The file is damaged, and nothing could be read of it.',
  );
  expect(within(dialog).getByTestId('add-previewed')).toBeDisabled();
});

test.each([
  ['en', /Read are: PDF, Word, Excel, PowerPoint, OpenDocument, .*mail.*text, and ZIP/],
  ['fr', /Formats pris en charge : PDF, Word, Excel, PowerPoint, OpenDocument, .*courriels.*texte et ZIP/],
] as const)('files over the window are met by the formats that are read (%s)', async (language, words) => {
  const { backend } = await openWindow({ samples: 'en' }, ({ store }) => {
    store.settings.language = language;
  });
  backend.drag({ type: 'enter', paths: ['/d/a.pdf'], position });
  await waitFor(() => expect(screen.getByTestId('drop-overlay')).toHaveTextContent(words));
});
