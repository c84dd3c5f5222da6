/** Scenes of bases and what goes into them. */
import { addFiles, LONG, nav, openBase, openReindex, PATHS, previewFile } from '../steps.mjs';

export const knowledge = {
  knowledge: {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.getByTestId('add-files').click();
      await page.getByTestId('job-report').waitFor();
    },
  },
  'knowledge-empty': {
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('new-base').click();
      await page
        .getByTestId('base-name')
        .fill('Guarantee conditions for watches, clocks and barometers since 1987');
      await page.getByTestId('create-base').click();
      await page.getByText('PowerPoint').waitFor();
    },
  },
  'new-base': {
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('new-base').click();
      await page.locator('summary').click();
    },
  },
  job: {
    samples: true,
    query: 'delay=900',
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.evaluate(
        (paths) => window.ancre.drag({ type: 'drop', paths, position: { x: 1, y: 1 } }),
        [...PATHS, LONG],
      );
      await page.waitForTimeout(3000);
    },
  },
  drop: {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.evaluate(
        (paths) => window.ancre.drag({ type: 'enter', paths, position: { x: 1, y: 1 } }),
        PATHS,
      );
      await page.waitForTimeout(300);
    },
  },
  password: {
    samples: true,
    go: async (page) => {
      await addFiles(page, ['/home/user/contract-locked.pdf']);
      await page.getByTestId('password').fill('guess');
      await page.getByTestId('unlock').click();
      await page.locator('[aria-invalid="true"]').waitFor();
    },
  },
  preview: { samples: true, go: (page) => previewFile(page, '/home/user/prices-garbled.xlsx') },
  'preview-archive': { samples: true, go: (page) => previewFile(page, '/home/user/everything.zip') },
  'preview-locked': { samples: true, go: (page) => previewFile(page, '/home/user/contract-locked.pdf') },
  recognising: {
    samples: true,
    query: 'delay=1500',
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.evaluate(() => {
        const [kbId] = window.ancre.store.bases.keys();
        void window.ancre.rag.ingestFiles({ kbId, paths: ['/home/user/mixed.pdf'], recognise: true });
      });
      await page.waitForTimeout(2500);
    },
  },
  'read-only': {
    samples: true,
    go: async (page) => {
      await page.evaluate(() => {
        window.ancre.store.settings.isReadOnly = true;
        window.ancre.store.emit({ type: 'settings_changed' });
      });
      await page.getByTestId('read-only').waitFor();
    },
  },
  delete: {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.locator('header .actions button').last().click();
    },
  },
  'base-settings': {
    samples: true,
    go: async (page) => {
      await openBase(page);
      await page.getByTestId('base-settings').click();
    },
  },
  reindex: {
    samples: true,
    go: async (page) => {
      await openReindex(page);
    },
  },
  reindexing: {
    samples: true,
    query: 'delay=400',
    go: async (page) => {
      await openReindex(page);
      await page.getByTestId('start-reindex').click();
      await page.waitForTimeout(2000);
    },
  },
  'previous-index': {
    samples: true,
    go: async (page) => {
      await openReindex(page);
      await page.getByTestId('start-reindex').click();
      await page.getByTestId('previous-index').waitFor();
    },
  },
  'index-missing': {
    samples: true,
    go: async (page) => {
      await openBase(page);
      await page.evaluate(() => {
        const [base] = window.ancre.store.bases.values();
        base.index = { ...base.index, health: 'vectors_missing' };
        window.ancre.store.emit({ type: 'knowledge_bases_changed' });
      });
      await page.getByTestId('index-health').waitFor();
    },
  },
};
