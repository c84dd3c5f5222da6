/** Bases, documents and what happens when files are dropped, as a person meets them. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import { goTo, openBase, openWindow } from './window';

const position = { x: 10, y: 10 };
const PATHS = ['/d/help', '/d/faq.md', '/d/.hidden.md', '/d/logo.png'];

test('dragging files shows what will happen before they are dropped', async () => {
  const { backend } = await openWindow();
  backend.drag({ type: 'enter', paths: PATHS, position });
  await waitFor(() =>
    expect(screen.getByTestId('drop-preview')).toHaveTextContent(
      '3 files will be read into “Help centre”, 2 of kinds not read, 1 hidden passed over, 109.3 kB',
    ),
  );
  backend.drag({ type: 'leave' });
  await waitFor(() => expect(screen.queryByTestId('drop-overlay')).toBeNull());
});

test('dropped files are read with progress and end in a report with reasons', async () => {
  const { backend } = await openWindow({ samples: 'en', delayMs: 15 });
  backend.drag({ type: 'drop', paths: ['/d/faq.md', '/d/empty.md', '/d/faq.md', '/d/a.png'], position });

  const strip = await screen.findByTestId('job-strip');
  await waitFor(() => expect(strip).toHaveTextContent(/\d of 4 done/));
  expect(within(strip).getByRole('progressbar')).toBeInTheDocument();

  const report = await screen.findByTestId('job-report');
  expect(report).toHaveTextContent('1 ready, 1 already here, 1 failed, 1 passed over');
  expect(report).toHaveTextContent('empty.md');
  expect(report).toHaveTextContent('There is no text in it.');
  expect(screen.queryByTestId('job-strip')).toBeNull();
});

test('a running job is stopped and what it did not reach is told', async () => {
  const { backend, user } = await openWindow({ samples: 'en', delayMs: 40 });
  backend.drag({ type: 'drop', paths: ['/d/a.md', '/d/b.md', '/d/c.md', '/d/e.md'], position });
  await screen.findByText(/Reading|Indexing/);
  await user.click(screen.getByTestId('cancel-job'));
  expect(await screen.findByTestId('job-report')).toHaveTextContent(/\d not reached/);
});

test('a drop without a single base asks where to', async () => {
  const { backend, user } = await openWindow({ samples: 'en' });
  await backend.rag.createKnowledgeBase({ name: 'Second' });
  backend.drag({ type: 'drop', paths: ['/d/faq.md'], position });
  const dialog = await screen.findByRole('dialog', { name: 'Into which base?' });
  await user.selectOptions(within(dialog).getByRole('combobox'), 'Second');
  await user.click(within(dialog).getByTestId('drop-read'));
  await screen.findByTestId('job-report');
  expect(await screen.findByRole('heading', { name: 'Second' })).toBeVisible();
  expect(await screen.findByTestId('document-row')).toHaveTextContent('faq');
});

test('a failed document says why and can be tried again', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  backend.picks.files = ['/d/binary.md'];
  await user.click(screen.getByTestId('add-files'));
  const row = await waitFor(() => {
    const [first] = screen.getAllByTestId('document-row');
    expect(first).toHaveAttribute('data-status', 'error');
    return first as HTMLElement;
  });
  expect(row).toHaveTextContent('The file holds binary data, not text.');
  await waitFor(() => expect(within(row).getByTestId('retry-document')).toBeEnabled());
  await user.click(within(row).getByTestId('retry-document'));
  await waitFor(() =>
    expect(screen.getAllByTestId('document-row')[0]).toHaveAttribute('data-status', 'ready'),
  );
});

test('documents are filtered by where they stand', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  backend.picks.files = ['/d/empty.md'];
  await user.click(screen.getByTestId('add-files'));
  await user.click(await screen.findByRole('button', { name: 'Error 1' }));
  await waitFor(() => expect(screen.getAllByTestId('document-row')).toHaveLength(1));
});

test('a pasted text becomes a document with its first line for a title', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await user.click(screen.getByTestId('paste-text'));
  await user.click(await screen.findByTestId('text-body'));
  await user.paste('# Opening hours\n\nMonday to Friday.');
  await user.click(screen.getByTestId('add-text'));
  await waitFor(() => expect(screen.getAllByTestId('document-row')[0]).toHaveTextContent('Opening hours'));
});

test('a base that agents use is not deleted and says which they are', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await user.click(screen.getByRole('button', { name: 'Delete base' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('with its 3 documents');
  expect(dialog).toHaveTextContent('Used by First line.');
  expect(within(dialog).getByTestId('confirm')).toBeDisabled();
});

test('a name that is taken is told beside the field', async () => {
  const { user } = await openWindow();
  await goTo(user, 'knowledge');
  await user.click(screen.getByTestId('new-base'));
  await user.type(await screen.findByTestId('base-name'), 'Help centre');
  await user.click(screen.getByTestId('create-base'));
  expect(await screen.findByText(/This name is taken/)).toBeVisible();
  expect(screen.getByTestId('base-name')).toHaveAttribute('aria-invalid', 'true');
});

test('a document shows its outline and where its passages begin', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await user.click(screen.getByRole('button', { name: /Returns and refunds/ }));
  const outline = await screen.findByRole('navigation', { name: 'Outline' });
  expect(within(outline).getByRole('button', { name: 'Damaged articles' })).toBeVisible();
  expect(screen.getByLabelText('Passage 2')).toHaveTextContent('2');
});

test('a job that could not start says why', async () => {
  const { backend } = await openWindow({ samples: 'en' }, (one) =>
    one.refuseNext('rag.ingestFiles', refusal('disk_full', 'full')),
  );
  backend.drag({ type: 'drop', paths: ['/d/a.md'], position });
  expect(await screen.findByTestId('job-report')).toHaveTextContent('The disk is full. Make room');
});

test.each([
  ['en', '3 of 6 pages are scans and were not read: pages 2–3, 5.'],
  ['fr', '3 pages sur 6 sont numérisées et n’ont pas été lues : pages 2 à 3 et 5.'],
] as const)(
  'what is doubtful in a document is in the report in the reader’s language (%s)',
  async (language, words) => {
    const { backend } = await openWindow({ samples: 'en' }, ({ store }) => {
      store.settings.language = language;
    });
    backend.drag({ type: 'drop', paths: ['/d/mixed.pdf'], position });
    const report = await screen.findByTestId('job-report');
    expect(within(report).getByText('mixed.pdf').closest('li')).toHaveTextContent(words);
  },
);

test.each([
  ['en', 'The end of this passage (37 tokens) is outside the model’s window and is not searched by meaning.'],
  [
    'fr',
    'La fin de ce passage (37 jetons) dépasse la fenêtre du modèle et échappe à la recherche par le sens.',
  ],
] as const)('a passage longer than the model’s window says so (%s)', async (language, words) => {
  const { user } = await openWindow({ samples: 'en' }, ({ store }) => {
    store.settings.language = language;
    for (const stored of store.documents.values()) {
      stored.tokensOutsideWindow = stored.chunks.map((_, at) => (at === 0 ? 37 : 0));
    }
  });
  await openBase(user);
  await user.click(screen.getByRole('button', { name: /Returns and refunds/ }));
  expect(await screen.findAllByTestId('outside-window')).toHaveLength(1);
  expect(screen.getByTestId('outside-window')).toHaveTextContent(words);
});

test('an original that is missing is told where its text is shown', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  await user.click(screen.getByRole('button', { name: /Returns and refunds/ }));
  backend.refuseNext('host.openSource', refusal('file_not_found', 'missing'));
  await user.click(await screen.findByTestId('open-original'));
  expect(await screen.findByText('The original is not where it was')).toBeVisible();
});
