/** Tickets, drafts and the passages behind their numbers, as a person meets them. */
import { screen, waitFor, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { refusal } from '../src/backend/errors';
import type { MemoryBackend } from '../src/backend/memory';
import { route } from '../src/lib/route.svelte';
import { draftReply, openWindow } from './window';

test('a badge opens its passage with the used sentence marked', async () => {
  const { user } = await openWindow();
  await draftReply(user);

  const [badge] = screen.getAllByTestId('badge-1');
  expect(badge).toHaveAccessibleName('Source 1: Returns and refunds');
  await user.click(badge as HTMLElement);

  const quote = await screen.findByTestId('passage-quote');
  const marked = [...quote.querySelectorAll('mark')].map((mark) => mark.textContent);
  expect(marked).toContain('A refund is paid within 5 working days after the parcel has reached us.');
  expect(quote.textContent).toContain('Gift cards are refunded');
  expect(within(screen.getByTestId('passage-panel')).getByText('/home/user/help/returns.md')).toBeVisible();
  expect(screen.getByTestId('passage-distance').textContent).toMatch(/^0\.\d{3}$/);
});

test('arrow keys walk through the badges and Escape gives the focus back', async () => {
  const { user } = await openWindow();
  await draftReply(user);
  const badges = within(screen.getByTestId('draft')).getAllByRole('button', { name: /^Source/ });
  badges[0]?.focus();
  await user.keyboard('{Enter}');
  await screen.findByTestId('passage-panel');

  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(badges[1]).toHaveFocus());
  expect(badges[1]).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  await waitFor(() => expect(badges[0]).toHaveFocus());

  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByTestId('passage-panel')).toBeNull());
  expect(badges[0]).toHaveFocus();
});

test('the walk goes badge by badge in the order of the text, and Home and End to its ends', async () => {
  const { user } = await openWindow();
  const draft = await draftReply(user);
  const badges = within(draft).getAllByRole('button', { name: /^Source/ });
  const numbers = badges.map((badge) => badge.textContent);
  expect(new Set(numbers).size).toBeLessThan(numbers.length);
  await user.click(badges[0] as HTMLElement);
  for (const badge of badges.slice(1)) {
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(badge).toHaveFocus());
  }
  await user.keyboard('{Home}');
  await waitFor(() => expect(badges[0]).toHaveFocus());
  await user.keyboard('{End}');
  await waitFor(() => expect(badges.at(-1)).toHaveFocus());
  expect(draft.querySelectorAll('[aria-expanded="true"]')).toHaveLength(1);
});

test('walking on shows the next passage', async () => {
  const { user } = await openWindow();
  await draftReply(user);
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  await screen.findByRole('heading', { name: 'Returns and refunds' });
  const panel = screen.getByTestId('passage-panel');
  for (let step = 0; step < 3; step++) await user.keyboard('{ArrowRight}');
  expect(await within(panel).findByRole('heading', { name: 'Delivery times and costs' })).toBeVisible();
});

test('a passage outlives its document and says that the original is gone', async () => {
  const { user, backend } = await openWindow();
  await draftReply(user);
  for (const { document } of [...backend.store.documents.values()]) {
    await backend.rag.deleteDocument({ documentId: document.id });
  }
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  expect(await screen.findByText(/no longer in its base/)).toBeVisible();
  expect(screen.queryByTestId('open-original')).toBeNull();
  expect(screen.queryByTestId('show-in-knowledge')).toBeNull();
});

test('the original of a source opens in its own program', async () => {
  const { user, backend } = await openWindow();
  await draftReply(user);
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Open the original' }));
  expect(backend.opened).toHaveLength(1);
});

/** Makes the sample documents what the desktop host makes of them: texts without a file. */
function withoutFiles({ store }: MemoryBackend): void {
  for (const { document } of store.documents.values()) {
    Object.assign(document, { sourceKind: 'inline', sourceUri: 'sample:en/returns.md' });
  }
}

test('a text without a file is shown in Knowledge, at the passage', async () => {
  const { user, backend } = await openWindow({ samples: 'en' }, withoutFiles);
  await draftReply(user);
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  const panel = await screen.findByTestId('passage-panel');
  expect(await within(panel).findByText('sample')).toBeVisible();
  expect(within(panel).queryByTestId('open-original')).toBeNull();
  await user.click(within(panel).getByTestId('show-in-knowledge'));
  expect(await screen.findByRole('navigation', { name: 'Outline' })).toBeVisible();
  const [passage] = backend.store.passages.values();
  expect(route.address).toEqual({
    place: 'knowledge',
    id: passage?.kbId,
    sub: passage?.documentId,
    at: passage?.range.start,
  });
  expect(screen.queryByTestId('open-original')).toBeNull();
});

test.each(['not_found', 'file_not_found'] as const)(
  'an original that is missing (%s) gives way to the document in Knowledge',
  async (code) => {
    const { user } = await openWindow({ samples: 'en' }, (backend) =>
      backend.refuseNext('host.openSource', refusal(code, 'missing')),
    );
    await draftReply(user);
    await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
    await user.click(await screen.findByTestId('open-original'));
    expect(await screen.findByText('The original is not where it was')).toBeVisible();
    await user.click(screen.getByTestId('show-in-knowledge'));
    expect(await screen.findByRole('navigation', { name: 'Outline' })).toBeVisible();
  },
);

test('an original that does not open for another reason says which', async () => {
  const { user } = await openWindow({ samples: 'en' }, (backend) =>
    backend.refuseNext('host.openSource', refusal('permission_denied', 'no')),
  );
  await draftReply(user);
  await user.click(screen.getAllByTestId('badge-1')[0] as HTMLElement);
  await user.click(await screen.findByTestId('open-original'));
  expect(await screen.findByText('The system does not allow the file to be read.')).toBeVisible();
  expect(screen.getByTestId('open-original')).toBeVisible();
});

test('a sentence that no passage carries is told apart by a sign and words', async () => {
  const { user } = await openWindow({ samples: 'en', withUnsupported: true });
  const draft = await draftReply(user);
  expect(within(draft).getByText('(Not carried by a passage)', { exact: false })).toBeInTheDocument();
  expect(screen.getByText(/1 sentence is not carried by a passage/)).toBeVisible();
});

test('a draft without evidence says so and what to do', async () => {
  const { user } = await openWindow();
  await draftReply(user, 2);
  const notice = screen.getByTestId('no-evidence');
  expect(notice).toHaveTextContent('Nothing in the knowledge answers this');
  await user.click(within(notice).getByRole('button', { name: 'Open knowledge' }));
  expect(await screen.findByRole('heading', { name: 'Knowledge' })).toBeVisible();
});

test('the steps of a run are shown while it lasts', async () => {
  const { user } = await openWindow({ samples: 'en', delayMs: 60 });
  await user.click((await screen.findAllByTestId('ticket-row'))[0] as HTMLElement);
  await user.click(await screen.findByTestId('draft-reply'));
  expect(await screen.findByText('Searching')).toBeVisible();
  expect(screen.getByTestId('draft-reply')).toBeDisabled();
  await screen.findByTestId('draft');
  await waitFor(() => expect(screen.queryByText('Searching')).toBeNull());
});

test('a refused draft says why and can be tried again', async () => {
  const { user } = await openWindow({ samples: 'en' }, (backend) =>
    backend.refuseNext('desk.draftReply', refusal('agent_without_bases', 'no bases')),
  );
  await user.click((await screen.findAllByTestId('ticket-row'))[0] as HTMLElement);
  await user.click(await screen.findByTestId('draft-reply'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('This agent has no knowledge base to search.');
  expect(alert).toHaveTextContent('give it at least one base');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByTestId('draft')).toBeVisible();
});

test('a pasted mail fills subject and message and becomes a ticket', async () => {
  const { user } = await openWindow();
  await user.click(await screen.findByTestId('new-ticket'));
  const body = await screen.findByTestId('ticket-body');
  await user.click(body);
  await user.paste('Subject: Where is my parcel?\n\nIt left a week ago.');
  expect(screen.getByTestId('ticket-subject')).toHaveValue('Where is my parcel?');
  expect(body).toHaveValue('It left a week ago.');
  await user.click(screen.getByTestId('create-ticket'));
  expect(await screen.findByRole('heading', { name: 'Where is my parcel?' })).toBeVisible();
});

test('arrow keys open the tickets one after the other', async () => {
  const { user } = await openWindow();
  const [first] = await screen.findAllByTestId('ticket-row');
  first?.focus();
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('heading', { level: 2 })).toHaveTextContent('Delivery to Portugal');
});

test('deleting a ticket says what goes and does it once confirmed', async () => {
  const { user, backend } = await openWindow();
  await user.click((await screen.findAllByTestId('ticket-row'))[0] as HTMLElement);
  await user.click(await screen.findByRole('button', { name: 'Delete ticket' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('its messages, its drafts and the passages kept with them');
  await user.click(within(dialog).getByTestId('confirm'));
  await waitFor(() => expect(backend.store.tickets.size).toBe(2));
});

test('the draft is copied with and without its numbers', async () => {
  const { user } = await openWindow();
  await draftReply(user);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toContain('has reached us. [1]');
  await user.click(screen.getByRole('button', { name: 'Copy without numbers' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).not.toContain('['));
});

test('a list in a draft keeps its lines on screen and in the clipboard', async () => {
  const list = 'You need:\n• the receipt\n• 2 minutes';
  const { user, backend } = await openWindow();
  await draftReply(user);
  const [stored] = [...backend.store.tickets.values()].filter(({ drafts }) => drafts.length > 0);
  const [first] = stored?.drafts ?? [];
  const sentences = first?.sentences.map((one, at) => (at === 1 ? { ...one, text: list } : one)) ?? [];
  if (first) stored?.drafts.push({ ...first, text: `${list} [1]`, sentences });
  await waitFor(() => expect(screen.getByTestId('draft-reply')).toBeEnabled());
  backend.store.emit({ type: 'ticket_drafted', ticketId: stored?.ticket.id ?? '' });
  await waitFor(() => expect(screen.getByTestId('draft').textContent).toContain(list));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(`${list} [1]`);
  await user.click(screen.getByRole('button', { name: 'Copy without numbers' }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toContain(`\n\n${list}`));
});
