/** Scenes of the inbox: tickets, drafts and their passages. */
import { draftIn, nav } from '../steps.mjs';

export const inbox = {
  'inbox-empty': {
    query: '',
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('new-base').click();
      await page.getByTestId('base-name').fill('FAQ');
      await page.getByTestId('create-base').click();
      await page.waitForTimeout(700);
      await nav(page, 'inbox');
    },
  },
  'new-ticket': { samples: true, go: (page) => page.getByTestId('new-ticket').click() },
  ticket: { samples: true, go: (page) => page.getByTestId('ticket-row').nth(1).click() },
  draft: { samples: true, query: 'unsupported', go: (page) => draftIn(page, 0) },
  'draft-list': {
    samples: true,
    go: async (page) => {
      await draftIn(page, 0);
      await page.evaluate(() => {
        const { store } = window.ancre;
        const { ticket, drafts } = [...store.tickets.values()].find((one) => one.drafts.length > 0);
        const sentences = structuredClone(drafts[0].sentences);
        sentences[1].text = 'You need:\n• the receipt\n• 2 minutes';
        drafts.push({ ...drafts[0], sentences });
        store.emit({ type: 'ticket_drafted', ticketId: ticket.id });
      });
      await page.getByText('the receipt').waitFor();
    },
  },
  passage: {
    samples: true,
    go: async (page) => {
      await draftIn(page, 0);
      await page.getByTestId('badge-1').first().click();
      await page.getByTestId('passage-quote').waitFor();
    },
  },
  'passage-long': {
    samples: true,
    go: async (page) => {
      await draftIn(page, 1);
      await page.getByTestId('badge-1').first().click();
      await page.getByTestId('passage-quote').waitFor();
    },
  },
  'passage-sample': {
    samples: true,
    go: async (page) => {
      await page.evaluate(() => {
        for (const { document } of window.ancre.store.documents.values()) {
          Object.assign(document, { sourceKind: 'inline', sourceUri: 'sample:en/returns.md' });
        }
      });
      await draftIn(page, 0);
      await page.getByTestId('badge-1').first().click();
      await page.getByTestId('show-in-knowledge').waitFor();
    },
  },
  'no-evidence': { samples: true, go: (page) => draftIn(page, 2) },
};
