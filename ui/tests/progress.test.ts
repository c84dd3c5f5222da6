/** All work in one place: what goes on, what one may do with it, and each of its files. */
import { screen, waitFor, within } from '@testing-library/svelte';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { MemoryBackend } from '../src/backend/memory';
import { faults, goTo, openWindow } from './window';

const PATHS = ['/d/a.md', '/d/empty.md', '/d/locked.pdf', '/d/scanned.pdf', '/d/mixed.pdf', '/d/a.png'];

/** Adds files to the base without the window's doing, and waits for what becomes of them. */
async function work(backend: MemoryBackend, paths = PATHS): Promise<string> {
  const [kbId = ''] = backend.store.bases.keys();
  return (await backend.rag.ingestFiles({ kbId, paths })).jobId;
}

/** Begins work that goes on until the test ends. */
function begin(backend: MemoryBackend, ...paths: string[]): void {
  const [kbId = ''] = backend.store.bases.keys();
  void backend.rag.ingestFiles({ kbId, paths });
}

const openJob = async (user: UserEvent, row = 0) => {
  await goTo(user, 'progress');
  const rows = await screen.findAllByTestId('job-row');
  await user.click(rows[row] as HTMLElement);
  await screen.findByTestId('job-view');
  return screen.findAllByTestId('job-item');
};

test('work that was there when the window opens is listed, and its failures are told', async () => {
  const { user } = await openWindow({ samples: 'en' }, (backend) => void work(backend));
  await openJob(user);
  await waitFor(() => expect(screen.getByTestId('job-view')).toHaveAttribute('data-state', 'done'));
  const facts = screen.getByTestId('job-facts');
  expect(facts).toHaveTextContent('Done, with failures');
  expect(facts).toHaveTextContent('6 of 6 done · 3 failed · 1 passed over · 2 worth a look');
  expect(screen.getAllByTestId('job-row')[0]).toHaveTextContent('Done, with failures');
  expect(await faults()).toEqual([]);
});

test.each([
  ['failed', 3],
  ['skipped', 1],
  ['flagged', 2],
  ['ready', 2],
] as const)('files are filtered by where they stand: %s', async (name, count) => {
  const { user, backend } = await openWindow();
  await work(backend);
  await openJob(user);
  await user.click(await screen.findByTestId(`filter-${name}`));
  await waitFor(() => expect(screen.getAllByTestId('job-item')).toHaveLength(count));
});

test('a failed file says why and what to do, and is tried again alone', async () => {
  const { user, backend } = await openWindow();
  await work(backend);
  await openJob(user);
  await user.click(await screen.findByTestId('filter-failed'));
  const row = (await screen.findByText('empty.md')).closest<HTMLElement>('[data-testid="job-item"]');
  expect(row).toHaveTextContent('There is no text in it.');
  const attempts = () => [...backend.store.jobs.values()].at(-1)?.items[1]?.attempts;
  const before = attempts();
  await user.click(within(row as HTMLElement).getByTestId('retry-item'));
  await waitFor(() => expect(attempts()).toBe((before ?? 0) + 1));
});

test('a protected file is opened with its password where it failed', async () => {
  const { user, backend } = await openWindow();
  await work(backend);
  await openJob(user);
  await user.click(await screen.findByTestId('enter-password'));
  const field = await screen.findByLabelText('Password');
  await user.type(field, 'guess{Enter}');
  expect(await screen.findByText(/The password does not open the file/)).toBeVisible();
  await user.type(field, 'secret{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByTestId('job-facts')).toHaveTextContent('2 failed'));
});

test('a scan is recognised where it failed, in the same work', async () => {
  const { user, backend } = await openWindow();
  await work(backend, ['/d/scanned.pdf']);
  await openJob(user);
  await user.click(await screen.findByTestId('recognise'));
  await waitFor(() => expect([...backend.store.documents.values()].at(-1)?.document.title).toBe('scanned'));
  expect(screen.getAllByTestId('job-row')).toHaveLength(2);
});

test('running work is paused, goes on, and is cancelled', async () => {
  const { user, backend } = await openWindow({ samples: 'en', delayMs: 40 });
  begin(backend, '/d/a.md', '/d/b.md', '/d/c.md', '/d/d.md');
  await openJob(user);
  const view = screen.getByTestId('job-view');
  await user.click(await screen.findByTestId('pause-job'));
  await waitFor(() => expect(view).toHaveAttribute('data-state', 'paused'));
  expect(view).toHaveTextContent('Paused. What is finished can be searched.');
  await user.click(screen.getByTestId('resume-job'));
  await waitFor(() => expect(view).toHaveAttribute('data-state', 'running'));
  await user.click(screen.getByTestId('cancel-job'));
  await waitFor(() => expect(view).toHaveAttribute('data-state', 'cancelled'));
  expect(screen.getByTestId('job-facts')).toHaveTextContent('Cancelled');
});

test('the rail tells from afar that something works, and that something failed', async () => {
  const { backend } = await openWindow({ samples: 'en', delayMs: 30 });
  const entry = screen.getByTestId('nav-progress');
  expect(entry).toHaveAttribute('title', 'Nothing is running');
  begin(backend, '/d/empty.md');
  await waitFor(() => expect(entry).toHaveAttribute('title', '1 running'));
  await waitFor(() => expect(entry).toHaveAttribute('title', '1 with failures'));
});

/** Three pieces of work that wait, whatever the twin makes of queues. */
function queue(backend: MemoryBackend): void {
  for (const job of backend.store.jobs.values()) {
    const summary = { ...job.summary, state: 'queued' as const, finishedAt: null };
    backend.store.jobs.clear();
    for (const title of ['first', 'second', 'third']) {
      backend.store.jobs.set(title, { ...job, summary: { ...summary, id: title, title } });
    }
    return;
  }
}

test('what waits is moved by buttons and by keys, and stays selected', async () => {
  const { user } = await openWindow({ samples: 'en' }, queue);
  await openJob(user, 2);
  const titles = () => screen.getAllByTestId('job-row').map((row) => row.querySelector('.name')?.textContent);
  expect(titles()).toEqual(['first', 'second', 'third']);
  expect(screen.getByTestId('move-down')).toBeDisabled();
  await user.click(screen.getByTestId('move-up'));
  await waitFor(() => expect(titles()).toEqual(['first', 'third', 'second']));
  screen.getAllByTestId('job-row')[1]?.focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(titles()).toEqual(['third', 'first', 'second']));
  expect(screen.getAllByTestId('job-row')[0]).toHaveAttribute('aria-current', 'true');
});

test('everything that failed is tried again at once, and what has ended is cleared after asking', async () => {
  const { user, backend } = await openWindow();
  await work(backend, ['/d/empty.md', '/d/binary.md']);
  await openJob(user);
  await user.click(screen.getByTestId('retry-all'));
  expect(await screen.findByText('2 items are tried again')).toBeVisible();
  await waitFor(() => expect(screen.getAllByTestId('job-row')[0]).toHaveAttribute('data-state', 'done'));
  await user.click(screen.getByTestId('clear-jobs'));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('Documents and bases stay as they are.');
  await user.click(within(dialog).getByTestId('confirm'));
  expect(await screen.findByText('No work yet')).toBeVisible();
  expect(backend.store.documents.size).toBeGreaterThan(0);
});

test('a job of 10,000 files shows those in view, and the last of them on demand', async () => {
  const { user } = await openWindow({ samples: 'en' }, ({ store }) => {
    const [job] = store.jobs.values();
    if (!job) return;
    const [one] = job.items;
    job.items = Array.from({ length: 10_000 }, (_, at) => ({
      ...(one as NonNullable<typeof one>),
      number: at + 1,
      path: `/d/file-${at + 1}.md`,
    }));
    job.summary.itemsTotal = 10_000;
    job.summary.itemsDone = 10_000;
  });
  const items = await openJob(user);
  expect(items.length).toBeLessThan(100);
  expect(items[0]?.closest('[role="listitem"]')).toHaveAttribute('aria-setsize', '10000');
  expect(screen.getByTestId('filter-all')).toHaveTextContent('All 10,000');
});

test('a ready file leads to its document', async () => {
  const { user, backend } = await openWindow();
  await work(backend, ['/d/a.md']);
  const [item] = await openJob(user);
  await user.click(within(item as HTMLElement).getByRole('button', { name: /a\.md/ }));
  expect(await screen.findByRole('navigation', { name: 'Outline' })).toBeVisible();
});

test('the strip above the documents leads to its work, and can pause it', async () => {
  const { user, backend } = await openWindow({ samples: 'en', delayMs: 40 });
  await goTo(user, 'knowledge');
  await user.click(await screen.findByTestId('base-row'));
  begin(backend, '/d/a.md', '/d/b.md', '/d/c.md');
  const strip = await screen.findByTestId('job-strip');
  await user.click(within(strip).getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(strip).toHaveTextContent('Paused.'));
  await user.click(within(strip).getByTestId('show-progress'));
  expect(await screen.findByTestId('job-view')).toHaveAttribute('data-state', 'paused');
});
