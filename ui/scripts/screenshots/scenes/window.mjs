/** Scenes of the window itself: its start, its settings, its palette and agents. */
import { nav } from '../steps.mjs';

export const window = {
  welcome: { query: '', go: async () => {} },
  'start-failure': {
    query: 'start=database_damaged',
    go: (page) => page.getByTestId('start-failure').waitFor(),
  },
  agents: {
    samples: true,
    go: async (page) => {
      await nav(page, 'agents');
      await page.getByTestId('agent-row').first().click();
    },
  },
  storage: {
    samples: true,
    go: async (page) => {
      await page.evaluate(async () => {
        const [sourceId] = window.ancre.store.sources.keys();
        await window.ancre.rag.deleteSource({ sourceId });
      });
      await nav(page, 'settings');
      await page.getByTestId('compact').scrollIntoViewIfNeeded();
    },
  },
  settings: { samples: true, go: (page) => nav(page, 'settings') },
  'engine-failed': { samples: true, query: 'engine=failed', go: (page) => nav(page, 'settings') },
  palette: {
    samples: true,
    go: async (page) => {
      await page.getByTestId('ticket-row').first().click();
      await page.keyboard.press('Control+k');
      await page.getByTestId('palette').waitFor();
    },
  },
};
