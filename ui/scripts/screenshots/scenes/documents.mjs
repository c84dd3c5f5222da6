/** Scenes of documents, and the library that keeps their sources. */
import { addFiles, draftIn, nav, openFile } from '../steps.mjs';

export const documents = {
  document: {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.getByTestId('document-row').last().locator('[data-row]').click();
      await page.waitForTimeout(300);
    },
  },
  'document-pages': {
    samples: true,
    go: async (page) => {
      await openFile(page, '/home/user/handbook-mixed-garbled-damaged.pdf');
      await page.locator('img').first().waitFor();
    },
  },
  'document-report': {
    samples: true,
    go: (page) =>
      addFiles(page, [
        '/home/user/contract-locked.pdf',
        '/home/user/contract-sealed.docx',
        '/home/user/letters-scanned.pdf',
        '/home/user/handbook-mixed.pdf',
      ]),
  },
  'report-without-recognition': {
    samples: true,
    query: 'recognition=none',
    go: (page) => addFiles(page, ['/home/user/letters-scanned.pdf', '/home/user/handbook-mixed-damaged.pdf']),
  },
  'document-at': {
    samples: true,
    go: async (page) => {
      await page.evaluate(() => {
        for (const stored of window.ancre.store.documents.values()) {
          stored.document.sourceKind = 'inline';
          stored.tokensOutsideWindow = stored.chunks.map(() => 37);
        }
      });
      await draftIn(page, 0);
      await page.getByTestId('badge-1').first().click();
      await page.getByTestId('show-in-knowledge').click();
      await page.getByTestId('outside-window').first().waitFor();
    },
  },
  library: {
    samples: true,
    go: async (page) => {
      await addFiles(page, ['/home/user/handbook-mixed.pdf', '/home/user/notes-empty.md']);
      await page.evaluate(async () => {
        const { store, rag } = window.ancre;
        const { id: kbId } = await rag.createKnowledgeBase({ name: 'Guarantees since 1987' });
        const sources = [...store.sources.values()];
        for (const { id } of sources.slice(1)) await rag.attachSource({ sourceId: id, kbId });
        sources[2].version = 3;
        const [, , off] = store.documents.values();
        off.document.isEnabled = false;
        store.emit({ type: 'sources_changed' });
      });
      await page.getByTestId('open-library').click();
      await page.getByTestId('source-row').nth(4).waitFor();
    },
  },
  'library-source': {
    samples: true,
    go: async (page) => {
      await page.evaluate(async () => {
        const { store, rag } = window.ancre;
        const { id: kbId } = await rag.createKnowledgeBase({ name: 'Guarantees since 1987' });
        await rag.createKnowledgeBase({ name: 'Third' });
        const [source] = store.sources.values();
        await rag.attachSource({ sourceId: source.id, kbId });
        const failure = { code: 'disk_full', message: 'full' };
        for (const { document } of store.documents.values()) {
          if (document.kbId === kbId) Object.assign(document, { status: 'error', failure });
        }
      });
      await nav(page, 'knowledge');
      await page.getByTestId('open-library').click();
      await page.getByTestId('source-row').last().click();
      await page.getByTestId('attachment').nth(1).waitFor();
    },
  },
  'library-rename': {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('open-library').click();
      await page.getByTestId('source-row').first().click();
      await page.getByTestId('rename-source').click();
    },
  },
  'library-replace': {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('open-library').click();
      await page.getByTestId('source-row').first().click();
      await page.evaluate(() => (window.ancre.picks.files = ['/home/user/returns-locked.pdf']));
      await page.getByTestId('replace-source').click();
      await page.getByTestId('choose-file').click();
      await page.getByTestId('replace').click();
      await page.getByTestId('password').waitFor();
    },
  },
  'library-delete': {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('open-library').click();
      await page.getByTestId('source-row').first().click();
      await page.getByTestId('delete-source').click();
    },
  },
  'library-empty': {
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('open-library').click();
    },
  },
  'document-off': {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.getByTestId('turn-document').nth(1).click();
      await page.mouse.move(0, 0);
    },
  },
};
