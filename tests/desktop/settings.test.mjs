// The story of a reranker in the real window: taken in from a folder in the settings, where a folder that
// will not do is refused with its reason, asked for in a search, and taken away again.

import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { Key, until } from './webdriver.mjs';

// A graph of two kilobytes that is for tests, with the tokenizer beside it.
const CROSS_ENCODER = resolve('crates/models/tests/cross_encoder/one_logit');

let ancre;
let window;

before(async () => {
  ancre = await openAncre('settings');
  window = ancre.window;
  await window.call('rag', 'install_samples', { language: 'en' });
  await window.click('nav-settings');
  await window.find('import-reranker');
});

after(async () => ancre?.close());

/** Brings what stands at the end of the settings into view. */
async function show(testId) {
  await window.run(
    `(id) => document.querySelector('[data-testid="' + id + '"]').scrollIntoView({ block: 'center' })`,
    testId,
  );
}

test('a folder without a model is refused in the dialog, with a reason', async () => {
  await show('import-reranker');
  await shots(window, 'settings-no-reranker');
  await window.click('import-reranker');
  await window.fill('reranker-folder', ancre.folder);
  await window.fill('reranker-license', 'MIT');
  await window.press(Key.enter);
  await until('the reason is shown', () =>
    window.run(`() => document.querySelector('[role="dialog"] [role="alert"]')?.textContent.includes('no reranker here')`),
  );
  await shots(window, 'settings-reranker-refused');
  await window.press(Key.escape);
  await until('the dialog is gone', async () => !(await window.has('[role="dialog"]')));
});

test('a reranker is taken in, and a search that asks for it is ordered by it', async () => {
  const folder = join(ancre.folder, 'tiny-cross-encoder');
  await mkdir(folder);
  for (const file of ['model.onnx', 'tokenizer.json']) {
    await copyFile(join(CROSS_ENCODER, file), join(folder, file));
  }
  await window.click('import-reranker');
  await window.fill('reranker-folder', folder);
  await window.fill('reranker-license', 'MIT');
  await window.press(Key.enter);
  const list = await window.find('rerankers');
  assert.match(await list.text(), /tiny-cross-encoder[\s\S]*MIT/);
  await show('rerankers');
  await shots(window, 'settings-reranker');
  const [base] = await window.call('rag', 'list_knowledge_bases');
  const asked = { query: 'refund', kbIds: [base.id], rerank: true };
  const { isReranked } = await window.call('rag', 'search', asked);
  assert.equal(isReranked, true);
});

test('a reranker is taken away once that is confirmed', async () => {
  await window.click('nav-settings');
  await show('rerankers');
  await window.run(`() => document.querySelector('[data-testid="rerankers"] button').click()`);
  await window.find('confirm');
  await shots(window, 'settings-remove-reranker');
  await window.click('confirm');
  await until('the list is gone', async () => !(await window.has('[data-testid="rerankers"]')));
  assert.deepEqual(await window.call('rag', 'list_rerankers'), []);
});
