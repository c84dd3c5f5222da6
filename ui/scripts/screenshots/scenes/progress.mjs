/** Scenes of the progress centre. */
import { addFiles, nav } from '../steps.mjs';

export const progress = {
  'progress-empty': { go: (page) => nav(page, 'progress') },
  progress: {
    samples: true,
    query: 'delay=900',
    go: async (page) => {
      await page.evaluate(() => {
        const { store, rag } = window.ancre;
        const [kbId] = store.bases.keys();
        const paths = ['guide', 'prices', 'empty', 'returns', 'mixed.pdf', 'hours', 'a.png'].map(
          (name) => `/home/user/help/${name.includes('.') ? name : `${name}.md`}`,
        );
        void rag.ingestFiles({ kbId, paths });
        window.ancre.more = [...store.jobs.values()].at(-1);
        const next = (title, change) => {
          const job = structuredClone(window.ancre.more);
          Object.assign(job.summary, { id: title, title, ...change });
          store.jobs.set(title, job);
        };
        next('contrats-2026 +212', { state: 'queued', itemsTotal: 213, itemsDone: 0 });
        next('archives +9999', { state: 'paused', itemsTotal: 10000, itemsDone: 3120 });
        const ended = { itemsTotal: 40, itemsDone: 40, itemsFailed: 3, finishedAt: Date.now() - 9e5 };
        next('manuel.pdf +39', { state: 'done', startedAt: Date.now() - 14e5, ...ended });
        store.emit({ type: 'jobs_changed' });
      });
      await nav(page, 'progress');
      await page.waitForTimeout(4500);
    },
  },
  'progress-queued': {
    samples: true,
    go: async (page) => {
      await page.evaluate(() => {
        const { store } = window.ancre;
        const [job] = store.jobs.values();
        for (const title of ['first +212', 'second +3', 'third.pdf']) {
          const one = structuredClone(job);
          const error = { code: 'disk_full', message: 'full' };
          const put = title === 'second +3' ? { error, nextAttemptAt: Date.now() + 6e5, attempts: 2 } : {};
          Object.assign(one.summary, { id: title, title, state: 'queued', finishedAt: null, ...put });
          for (const item of one.items) item.state = 'queued';
          store.jobs.set(title, one);
        }
        store.emit({ type: 'jobs_changed' });
      });
      await nav(page, 'progress');
      await page.getByTestId('job-row').nth(1).click();
    },
  },
  'progress-failures': {
    samples: true,
    go: async (page) => {
      await addFiles(page, [
        '/home/user/contract-locked.pdf',
        '/home/user/contract-sealed.docx',
        '/home/user/letters-scanned.pdf',
        '/home/user/handbook-mixed.pdf',
        '/home/user/notes-empty.md',
        '/home/user/photo.png',
      ]);
      await nav(page, 'progress');
      await page.getByTestId('job-item').nth(5).waitFor();
    },
  },
};
