/** What a person sees of how a document was read: pages, pictures, scans and recognition. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import { addFiles, draftReply, openBase, openDocument, openWindow } from './window';

const pageNames = () =>
  screen.getAllByTestId('page-divider').map((divider) => within(divider).getByRole('note').ariaLabel);

test('a document shows where its pages begin and what is the matter with them', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/mixed-garbled-damaged.pdf');
  expect(pageNames()).toEqual([
    'page i (1)',
    'page 2, scan, not read',
    'page 3, scan, not read',
    'page 4, looks garbled',
    'page 5, scan, not read',
    'page 6, lost',
  ]);
  const warnings = within(screen.getByTestId('warnings'));
  expect(warnings.getByText('3 of 6 pages are scans and were not read: pages 2–3, 5.')).toBeVisible();
  expect(warnings.getByText('The file is damaged: page 6 is lost, the rest is here.')).toBeVisible();
});

test('slides and sheets are called what they are', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/talk.pptx');
  expect(pageNames()[3]).toBe('slide 4');
  expect(screen.queryByTestId('warnings')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Show page picture' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await openDocument(user, '/d/prices.xlsx');
  expect(pageNames()[0]).toBe('Prices, A2:D11');
});

test('going to a page puts the focus where it begins', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/manual.pdf');
  await user.type(screen.getByRole('textbox', { name: 'Go to page' }), '4{Enter}');
  await waitFor(() => expect(screen.getByRole('note', { name: 'page 4' })).toHaveFocus());
  const field = screen.getByTestId('page-jump');
  await user.clear(field);
  await user.type(field, '99{Enter}');
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(field).toHaveAccessibleDescription('Not there: 1 to 6');
});

test('a warning leads from one of its pages to the next', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/mixed.pdf');
  await user.click(screen.getByRole('button', { name: 'Go to page 2' }));
  await waitFor(() => expect(screen.getByRole('note', { name: /^page 2,/ })).toHaveFocus());
  await user.click(screen.getByRole('button', { name: 'Go to page 3' }));
  await waitFor(() => expect(screen.getByRole('note', { name: /^page 3,/ })).toHaveFocus());
});

test('a doubtful page shows its picture by itself, any other when asked', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/garbled.pdf');
  const picture = await screen.findByRole('img', { name: 'Picture of page 4' });
  expect(picture).toHaveAttribute('src', expect.stringMatching(/^data:image\/png;base64,/));
  expect(screen.getAllByTestId('page-picture')).toHaveLength(1);

  await user.click(screen.getAllByRole('button', { name: 'Show page picture' })[0] as HTMLElement);
  expect(await screen.findByRole('img', { name: 'Picture of page 1' })).toBeVisible();
  await user.click(screen.getAllByRole('button', { name: 'Hide page picture' })[1] as HTMLElement);
  await waitFor(() => expect(screen.getAllByTestId('page-picture')).toHaveLength(1));
});

test('a picture that cannot be drawn says why and is drawn again on demand', async () => {
  const { user, backend } = await openWindow();
  backend.refuseNext('rag.pagePicture', refusal('worker_died', 'died'));
  await openDocument(user, '/d/garbled.pdf');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The reader stopped in the middle of this file.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('img', { name: 'Picture of page 4' })).toBeVisible();
});

test('a document in the list says in a word what is doubtful, and in sentences on its mark', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/mixed.pdf');
  const mark = await screen.findByTestId('document-mark');
  expect(mark).toHaveTextContent('partly scanned');
  expect(mark).toHaveAttribute('title', expect.stringContaining('3 of 6 pages are scans'));
});

test('the scans of a document are recognised from its view, and the new text is shown', async () => {
  const { user } = await openWindow();
  await openDocument(user, '/d/mixed.pdf');
  await user.click(screen.getByTestId('recognise'));
  expect(await screen.findByText(/of 3 of 6 pages was recognised from their pictures/)).toBeVisible();
  expect(pageNames()[1]).toBe('page 2, recognised text');
  expect(screen.queryByTestId('recognise')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await waitFor(() => expect(screen.getAllByText('mixed')).toHaveLength(1));
});

test('recognition that fails leaves the document as it is and says why', async () => {
  const { user, backend } = await openWindow();
  await openDocument(user, '/d/mixed.pdf');
  backend.refuseNext('rag.recogniseDocument', refusal('timeout', 'late'));
  await user.click(screen.getByTestId('recognise'));
  expect(await screen.findByText('Reading the file took too long and was stopped.')).toBeVisible();
  expect(pageNames()[1]).toBe('page 2, scan, not read');
  expect(screen.getByTestId('recognise')).toBeEnabled();
});

test('a file of nothing but scans is recognised from the report', async () => {
  const { user } = await openWindow();
  await openBase(user);
  await addFiles(user, '/d/scanned.pdf', '/d/corrupt.pdf');
  const report = await screen.findByTestId('job-report');
  expect(report).toHaveTextContent('2 failed');
  expect(report).toHaveTextContent('Its pages are scans: there is no text to read.');
  await user.click(within(report).getByTestId('recognise'));
  await waitFor(() => expect(screen.getByTestId('job-report')).toHaveTextContent('1 ready, 1 failed'));
  expect(screen.getByTestId('job-report')).toHaveTextContent(
    'The file is damaged, and nothing could be read',
  );
  expect(screen.getByTestId('job-report')).toHaveTextContent('recognised from their pictures');
});

test('recognition tells the page it is at', async () => {
  const { user, backend } = await openWindow({ samples: 'en', delayMs: 40 });
  await openBase(user);
  const [base] = backend.store.bases.keys();
  void backend.rag.ingestFiles({ kbId: base ?? '', paths: ['/d/mixed.pdf'], recognise: true });
  await screen.findByText('mixed: recognising page 2 of 3');
  await screen.findByTestId('job-report');
});

test.each([
  ['en', 'Text recognition is not installed.'],
  ['fr', 'La reconnaissance de texte n’est pas installée.'],
] as const)('where nothing recognises scans, this is said (%s)', async (language, words) => {
  const { user } = await openWindow({ samples: 'en', canRecognise: false }, ({ store }) => {
    store.settings.language = language;
  });
  await openBase(user);
  await addFiles(user, '/d/mixed.pdf');
  expect(await screen.findByTestId('job-report')).toHaveTextContent(words);
  expect(screen.queryByTestId('recognise')).toBeNull();
});

test('a citation names the page it leads to', async () => {
  const { user } = await openWindow({ samples: 'en' }, ({ store }) => {
    for (const stored of store.documents.values()) {
      const pages = [{ number: 12, label: null, start: 0 }];
      stored.pagination = { kind: 'approximate_page', pages };
    }
  });
  await draftReply(user);
  const [badge] = screen.getAllByTestId('badge-1');
  expect(badge).toHaveAccessibleName('Source 1: Returns and refunds, about page 12');
  expect(badge).toHaveAttribute('title', 'Returns and refunds, about page 12');
  await user.click(badge as HTMLElement);
  expect(await screen.findByTestId('passage-place')).toHaveTextContent(/^passage \d, about page 12$/);
});
