/**
 * Takes a picture of every screen over the in-memory host, in both languages, both themes and two sizes, and
 * fails when axe finds a fault there (contrast included, which only a real browser can measure) or when a
 * page scrolls sideways. Needs Debian's `chromium`; writes to `target/ui-screenshots` or the folder given.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const OUT = process.argv[2] ?? '../target/ui-screenshots';
const ONLY = process.argv[3];
const SIZES = { small: { width: 1024, height: 700 }, large: { width: 1440, height: 900 } };
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const nav = (page, place) => page.getByTestId(`nav-${place}`).click();
const draftIn = async (page, row) => {
  await page.getByTestId('ticket-row').nth(row).click();
  await page.getByTestId('draft-reply').click();
  await page.getByTestId('draft').waitFor();
};
const addFiles = async (page, files) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
  await page.evaluate((files) => (window.ancre.picks.files = files), files);
  await page.getByTestId('add-files').click();
  await page.getByTestId('job-report').waitFor();
};
const openFile = async (page, file) => {
  await addFiles(page, [file]);
  await page.getByTestId('document-row').first().locator('[data-row]').click();
};
const previewFile = async (page, file) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
  await page.evaluate((files) => (window.ancre.picks.files = files), [file]);
  await page.getByTestId('preview-file').click();
  await page.getByTestId('preview').waitFor();
};
const openBase = async (page) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
};
const openReindex = async (page) => {
  await openBase(page);
  await page.getByTestId('base-settings').click();
  await page.getByTestId('open-reindex').click();
  await page.getByTestId('reindex-estimate').locator('dl').waitFor();
};
const searchFor = async (page) => {
  await nav(page, 'search');
  const isFrench = (await page.evaluate(() => document.documentElement.lang)) === 'fr';
  const query = isFrench ? 'remboursement délai moyen de paiement' : 'refund how many working days';
  await page.getByTestId('search-query').fill(query);
  await page.getByTestId('search-query').press('Enter');
  await page.getByTestId('hit').first().waitFor();
};
/** Measures the sample base so many times, each in another way. */
const measure = async (page, times = 0) => {
  await nav(page, 'search');
  await page.getByTestId('tab-measure').click();
  if (times === 0) return;
  await page.evaluate(async () => {
    const { rag, store } = window.ancre;
    const [kbId] = store.bases.keys();
    await rag.importQuestions({ kbId, path: 'all.tsv' });
    await rag.saveQuestion({ kbId, text: 'Do you repair old mechanical clocks?', mustRefuse: true });
    const [first] = store.questions.values();
    await rag.saveQuestion({ kbId, text: 'Zwrot pieniędzy', expected: first.expected });
  });
  await nav(page, 'inbox');
  await nav(page, 'search');
  await page.getByTestId('tab-measure').click();
  for (const mode of ['hybrid', 'text'].slice(0, times)) {
    await page.getByTestId('bench-mode').selectOption(mode);
    await page.getByTestId('run-bench').click();
    await page.waitForTimeout(300);
  }
  await page.getByTestId('figures').waitFor();
};
const PATHS = ['/home/user/help', '/home/user/faq.md', '/home/user/.cache.md', '/home/user/logo.png'];
const LONG = '/home/user/notes-empty.md';

/** Each scene: what the host holds, and how to get there. */
const SCENES = {
  welcome: { query: '', go: async () => {} },
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
  delete: {
    samples: true,
    go: async (page) => {
      await nav(page, 'knowledge');
      await page.getByTestId('base-row').first().click();
      await page.locator('header .actions button').last().click();
    },
  },
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

const server = await createServer({ server: { port: 0, strictPort: false }, logLevel: 'error' });
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
});
const warm = await browser.newPage();
await warm.goto(address, { timeout: 60_000 });
await warm.close();
await mkdir(OUT, { recursive: true });
const faults = [];

for (const [name, { samples = false, query = '', go }] of Object.entries(SCENES)) {
  if (ONLY && !name.match(ONLY)) continue;
  for (const language of ['en', 'fr']) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      // Light and dark differ by colours only, so each language is looked at in one size per theme.
      const theme = (language === 'en') === (size === 'large') ? 'light' : 'dark';
      const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: language });
      page.setDefaultTimeout(8000);
      // The desktop host freezes it, so what would break there breaks here.
      await page.addInitScript(() => Object.freeze(Object.prototype));
      page.on('pageerror', (error) => faults.push(`${name} ${language}: ${error.message}`));
      const search = [`language=${language}`, `theme=${theme}`, samples ? `samples=${language}` : '', query];
      if (!query.includes('delay')) search.push('delay=0');
      const label = `${name}-${language}-${theme}-${size}`;
      try {
        await page.goto(`${address}?${search.filter(Boolean).join('&')}`);
        await page.locator('[data-testid="nav-inbox"], [data-testid="start-failure"]').waitFor();
        await go(page);
        await page.waitForTimeout(250);
        await page.screenshot({ path: `${OUT}/${label}.png` });
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => window.axe.run());
        for (const { id, nodes } of violations) {
          faults.push(`${label}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
        }
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (sideways > 0) faults.push(`${label}: scrolls sideways by ${sideways} px`);
      } catch (error) {
        faults.push(`${label}: ${error.message}`);
        await page.screenshot({ path: `${OUT}/${label}.png` });
      }
      await page.close();
    }
  }
}

await browser.close();
await server.close();
console.log(faults.length > 0 ? faults.join('\n') : 'No faults.');
process.exitCode = faults.length > 0 ? 1 : 0;
