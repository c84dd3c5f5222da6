/** Measuring a base with questions, and keeping its index. */
import { screen, waitFor, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { MemoryBackend } from '../src/backend/memory';
import { goTo, openBase, openWindow } from './window';

async function openMeasure(user: UserEvent): Promise<void> {
  await goTo(user, 'search');
  await user.click(await screen.findByTestId('tab-measure'));
  await screen.findByTestId('import-questions');
}

async function importAll(user: UserEvent): Promise<void> {
  await user.click(screen.getByTestId('import-questions'));
  await user.type(await screen.findByTestId('import-path'), '/d/questions.tsv');
  await user.click(screen.getByTestId('take-questions'));
  await screen.findByTestId('imported');
}

test('a question is added with the document that answers it, found by its title', async () => {
  const { user, backend } = await openWindow();
  await openMeasure(user);
  await user.click(screen.getByTestId('add-question'));
  await user.type(await screen.findByTestId('question-text'), 'When is my money back?');
  await user.type(screen.getByTestId('find-document'), 'refunds');
  await waitFor(() => expect(screen.getAllByTestId('found-document')).toHaveLength(1));
  await user.keyboard('{Enter}');
  expect(await screen.findByTestId('expected')).toHaveTextContent('Returns and refunds');
  await user.click(screen.getByTestId('save-question'));
  expect(await screen.findByTestId('question-row')).toHaveTextContent('When is my money back?');
  expect(backend.store.questions.size).toBe(1);
});

test('a deleted question comes back', async () => {
  const { user } = await openWindow();
  await openMeasure(user);
  await importAll(user);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  const before = (await screen.findAllByTestId('question-row')).length;
  await user.click(screen.getAllByRole('button', { name: 'Delete the question' })[0] as HTMLElement);
  await waitFor(() => expect(screen.getAllByTestId('question-row')).toHaveLength(before - 1));
  await user.click(await screen.findByTestId('toast-action'));
  await waitFor(() => expect(screen.getAllByTestId('question-row')).toHaveLength(before));
});

test('an import says which lines were left out and why', async () => {
  const { user } = await openWindow();
  await openMeasure(user);
  await importAll(user);
  expect(await screen.findByTestId('skipped-line')).toHaveTextContent('It has no tab');
});

test('two measurements stand side by side, figure by figure and question by question', async () => {
  const { user } = await openWindow();
  await openMeasure(user);
  await importAll(user);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByTestId('figures')).toHaveTextContent('Recall@6');
  expect(screen.getAllByTestId('result-row').length).toBeGreaterThan(1);
  await user.selectOptions(screen.getByTestId('bench-mode'), 'text');
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByTestId('comparison')).toHaveTextContent('better');
  expect(screen.getAllByTestId('difference').length).toBeGreaterThan(0);
  expect(screen.getAllByTestId('pair-row').length).toBeGreaterThan(1);
});

/** Opens the measuring of the first base, with a question for each of its documents. */
async function openMeasureWithQuestions(prepare: (backend: MemoryBackend) => Promise<unknown>) {
  const { user, backend } = await openWindow();
  await prepare(backend);
  await openMeasure(user);
  await importAll(user);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  return { user, backend };
}

const installReranker = ({ rag }: MemoryBackend) =>
  rag.importReranker({ folder: '/models/ms-marco', license: 'Apache-2.0' });

test('a measurement is reranked on demand, and that is said of it and of the comparison', async () => {
  const { user, backend } = await openMeasureWithQuestions(installReranker);
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByTestId('reranked')).toHaveTextContent('Not reranked');
  await user.click(screen.getByRole('checkbox', { name: 'Rerank' }));
  await user.click(screen.getByTestId('run-bench'));
  await screen.findByTestId('comparison');
  expect(screen.getByTestId('reranked')).toHaveTextContent('This one reranked, the other one not');
  await user.selectOptions(screen.getByTestId('compare-select'), 'Nothing');
  expect(screen.getByTestId('reranked')).toHaveTextContent(/^Reranked$/);
  const names = within(screen.getByTestId('run-select')).getAllByRole('option');
  expect(names.map(({ textContent }) => /reranked/.test(textContent))).toEqual([true, false]);
  const settings = [...backend.store.benchRuns.values()].map((run) => run.settings.rerank);
  expect(settings).toEqual([false, true]);
});

test('without a reranker the wish for one cannot be made, the reason is given, and one measures all the same', async () => {
  const { user, backend } = await openMeasureWithQuestions(async () => {});
  const box = screen.getByRole('checkbox', { name: 'Rerank' });
  expect(box).toBeDisabled();
  expect(box).toHaveAccessibleDescription('no reranker installed');
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByTestId('reranked')).toHaveTextContent('Not reranked');
  expect([...backend.store.benchRuns.values()][0]?.settings.rerank).toBe(false);
});

test('a reranker that was taken away meanwhile is no longer asked', async () => {
  const { user, backend } = await openMeasureWithQuestions(installReranker);
  await user.click(screen.getByRole('checkbox', { name: 'Rerank' }));
  await backend.rag.removeReranker({ id: 'ms-marco' });
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByRole('alert')).toHaveTextContent('No reranker is installed');
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Rerank' })).toBeDisabled());
  await user.click(screen.getByTestId('run-bench'));
  expect(await screen.findByTestId('reranked')).toHaveTextContent('Not reranked');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a measurement can be stopped, and then nothing of it is kept', async () => {
  const { user, backend } = await openWindow({ samples: 'en', delayMs: 500 });
  await openMeasure(user);
  await importAll(user);
  await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await user.click(screen.getByTestId('run-bench'));
  await user.click(await screen.findByTestId('stop-bench'));
  await waitFor(() => expect(screen.queryByTestId('stop-bench')).toBeNull(), { timeout: 5_000 });
  expect(screen.queryByTestId('figures')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(backend.store.benchRuns.size).toBe(0);
  expect(screen.getByTestId('run-bench')).toBeEnabled();
});

test('a re-index says first what it costs; the previous index can be brought back or discarded', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  await user.click(screen.getByTestId('base-settings'));
  expect(await screen.findByTestId('index-facts')).toHaveTextContent('In order');
  await user.click(screen.getByTestId('open-reindex'));
  await user.selectOptions(await screen.findByTestId('reindex-model'), 'other-model');
  await waitFor(() => expect(screen.getByTestId('reindex-estimate')).toHaveTextContent('Passages'));
  await waitFor(() => expect(screen.getByTestId('start-reindex')).toBeEnabled());
  await user.click(screen.getByTestId('start-reindex'));
  expect(await screen.findByTestId('previous-index')).toHaveTextContent('multilingual-e5-small');
  await user.click(screen.getByTestId('restore-index'));
  await user.click(await screen.findByTestId('confirm'));
  await waitFor(() => expect(screen.getByTestId('previous-index')).toHaveTextContent('other-model'));
  await user.click(screen.getByTestId('discard-index'));
  expect(await screen.findByRole('alertdialog')).toHaveTextContent('other-model');
  await user.click(screen.getByTestId('confirm'));
  await waitFor(() => expect(screen.queryByTestId('previous-index')).toBeNull());
  expect([...backend.store.bases.values()][0]?.embeddingModelId).toBe('multilingual-e5-small');
});

test('a re-index is stopped while it goes on', async () => {
  const { user, backend } = await openWindow({ samples: 'en', delayMs: 60 });
  await openBase(user);
  await backend.rag.reindex({ kbId: [...backend.store.bases.keys()][0] ?? '' });
  const strip = await screen.findByTestId('reindexing');
  expect(screen.queryByTestId('job-strip')).toBeNull();
  await waitFor(() => expect(within(strip).getByTestId('cancel-reindex')).toBeEnabled());
  await user.click(within(strip).getByTestId('cancel-reindex'));
  await waitFor(() => expect(screen.queryByTestId('reindexing')).toBeNull());
  expect(screen.queryByTestId('previous-index')).toBeNull();
});

test('a changed name and passage length are saved and apply later', async () => {
  const { user, backend } = await openWindow();
  await openBase(user);
  await user.click(screen.getByTestId('base-settings'));
  const name = await screen.findByTestId('settings-name');
  await user.clear(name);
  await user.type(name, 'Answers');
  const size = screen.getByTestId('chunk-size');
  await user.clear(size);
  await user.type(size, '50');
  expect(screen.getByTestId('save-base')).toBeDisabled();
  await user.type(size, '0');
  await user.click(screen.getByTestId('save-base'));
  expect(await screen.findByRole('heading', { name: 'Answers', level: 2 })).toBeVisible();
  expect(await screen.findByTestId('index-health')).toHaveTextContent('not as the settings say');
  expect([...backend.store.bases.values()][0]?.chunking.size).toBe(500);
});
