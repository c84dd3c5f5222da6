/** Ways through the window that several scenes begin with. Each waits until what it leads to is there. */

export const nav = (page, place) => page.getByTestId(`nav-${place}`).click();
export const draftIn = async (page, row) => {
  await page.getByTestId('ticket-row').nth(row).click();
  await page.getByTestId('draft-reply').click();
  await page.getByTestId('draft').waitFor();
};
export const addFiles = async (page, files) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
  await page.evaluate((files) => (window.ancre.picks.files = files), files);
  await page.getByTestId('add-files').click();
  await page.getByTestId('job-report').waitFor();
};
export const openFile = async (page, file) => {
  await addFiles(page, [file]);
  await page.getByTestId('document-row').first().locator('[data-row]').click();
};
export const previewFile = async (page, file) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
  await page.evaluate((files) => (window.ancre.picks.files = files), [file]);
  await page.getByTestId('preview-file').click();
  await page.getByTestId('preview').waitFor();
};
export const openBase = async (page) => {
  await nav(page, 'knowledge');
  await page.getByTestId('base-row').first().click();
};
export const openReindex = async (page) => {
  await openBase(page);
  await page.getByTestId('base-settings').click();
  await page.getByTestId('open-reindex').click();
  await page.getByTestId('reindex-estimate').locator('dl').waitFor();
};
export const searchFor = async (page) => {
  await nav(page, 'search');
  const isFrench = (await page.evaluate(() => document.documentElement.lang)) === 'fr';
  const query = isFrench ? 'remboursement délai moyen de paiement' : 'refund how many working days';
  await page.getByTestId('search-query').fill(query);
  await page.getByTestId('search-query').press('Enter');
  await page.getByTestId('hit').first().waitFor();
};
/** Measures the sample base so many times, each in another way. */
export const measure = async (page, times = 0) => {
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
export const PATHS = ['/home/user/help', '/home/user/faq.md', '/home/user/.cache.md', '/home/user/logo.png'];
export const LONG = '/home/user/notes-empty.md';
