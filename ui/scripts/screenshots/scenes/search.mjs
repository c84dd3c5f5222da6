/** Scenes of searching and measuring. */
import { measure, nav, searchFor } from '../steps.mjs';

export const search = {
  search: {
    samples: true,
    go: async (page) => {
      await nav(page, 'search');
      await page.getByTestId('search-query').waitFor();
    },
  },
  'search-hits': {
    samples: true,
    go: async (page) => {
      await searchFor(page);
      await page.getByTestId('explain').first().click();
      await page.getByTestId('show-around').nth(1).click();
    },
  },
  'search-nothing': {
    samples: true,
    go: async (page) => {
      await nav(page, 'search');
      await page.getByTestId('search-query').fill('xylophone quartz');
      await page.getByTestId('search-mode').selectOption('text');
      await page.getByTestId('search-query').press('Enter');
      await page.getByTestId('search-summary').waitFor();
    },
  },
  'search-bases': {
    samples: true,
    go: async (page) => {
      await searchFor(page);
      await page.evaluate(() => window.ancre.rag.createKnowledgeBase({ name: 'Archive 2019' }));
      await page.getByTestId('search-bases').click();
      await page.getByRole('checkbox').first().waitFor();
    },
  },
  'search-kept': {
    samples: true,
    go: async (page) => {
      await searchFor(page);
      await page.getByTestId('keep-question').first().click();
      await page.getByTestId('toast').waitFor();
    },
  },
  'bench-empty': { samples: true, go: (page) => measure(page) },
  bench: {
    samples: true,
    go: async (page) => {
      await measure(page, 1);
      await page.getByTestId('result-row').first().locator('button').click();
    },
  },
  'bench-compare': { samples: true, go: (page) => measure(page, 2) },
  'bench-reranked': {
    samples: true,
    go: async (page) => {
      await page.evaluate(() =>
        window.ancre.rag.importReranker({ folder: '/models/ms-marco', license: 'Apache-2.0' }),
      );
      await measure(page, 1);
      await page.getByRole('checkbox').click();
      await page.getByTestId('run-bench').click();
      await page.getByTestId('comparison').waitFor();
    },
  },
  question: {
    samples: true,
    go: async (page) => {
      await measure(page);
      await page.getByTestId('add-question').click();
      await page.getByTestId('found-document').first().click();
    },
  },
  'import-questions': {
    samples: true,
    go: async (page) => {
      await measure(page);
      await page.getByTestId('import-questions').click();
    },
  },
  imported: {
    samples: true,
    go: async (page) => {
      await measure(page);
      await page.getByTestId('import-questions').click();
      await page.getByTestId('import-path').fill('/home/user/questions.tsv');
      await page.getByTestId('take-questions').click();
      await page.getByTestId('imported').waitFor();
    },
  },
};
