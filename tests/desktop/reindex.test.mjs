// The story of a base that gets another index in the real window: what it costs is said first, the old
// index answers until the new one is whole, and comes back until it is discarded.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { until } from './webdriver.mjs';

/** So many sections of some 500 characters: seconds of embedding, so that the building can be watched. */
const SECTIONS = 60;
const SHORT = { size: 400, overlap: 40 };
const QUESTION = 'which article has the number 1043?';

let ancre;
let window;
let base;

before(async () => {
  ancre = await openAncre('reindex');
  window = ancre.window;
  base = await window.call('rag', 'create_knowledge_base', { name: 'Catalogue' });
  await window.call('rag', 'ingest', { kbId: base.id, title: 'The catalogue of spare parts', text: catalogue() });
  await window.click('nav-knowledge');
  await window.click('base-row');
});

after(async () => ancre?.close());

function catalogue() {
  const section = (_, number) =>
    `# Article ${1000 + number}\n\n` +
    `Article ${1000 + number} fits the machines of series ${String.fromCharCode(65 + (number % 26))}. ` +
    'It is made of stainless steel, is delivered within three days, and is exchanged free of charge when ' +
    'it breaks within two years. Before it is put in, the machine is switched off and left to cool for an ' +
    `hour; then the ${number + 2} screws of the cover are taken out in the order of their numbers.`;
  return Array.from({ length: SECTIONS }, section).join('\n\n');
}

async function summary() {
  return window.call('rag', 'get_knowledge_base', { kbId: base.id });
}

async function answer() {
  const { hits } = await window.call('rag', 'search', { query: QUESTION, kbIds: [base.id] });
  return hits[0]?.content ?? '';
}

const lengthOf = (text) => [...text].length;

test('what a new index costs is said before it is made', async () => {
  await window.click('base-settings');
  await window.find('index-facts');
  await shots(window, 'reindex-settings');
  await window.click('open-reindex');
  await window.fill('chunk-size', String(SHORT.size));
  await window.fill('chunk-overlap', String(SHORT.overlap));
  const cost = await window.call('rag', 'estimate_reindex', {
    kbId: base.id,
    chunkSize: SHORT.size,
    chunkOverlap: SHORT.overlap,
  });
  assert.ok(cost.chunks > (await summary()).counts.chunks, 'shorter passages are more passages');
  assert.ok(cost.milliseconds > 0 && cost.diskBytes > 0);
  await until('passages, time and disk are shown', async () => {
    const said = await window.run(
      `() => [...document.querySelectorAll('[data-testid="reindex-estimate"] dd')].map((dd) => dd.textContent)`,
    );
    const [documents, passages, time, disk] = said.map((words) => words.trim());
    return documents === '1' && passages === String(cost.chunks) && /\d/.test(time) && /\d.*B$/.test(disk);
  });
  await shots(window, 'reindex-cost');
});

test('the old index answers until the new one is whole', async () => {
  await window.click('start-reindex');
  await window.find('reindexing');
  let answersMeanwhile = 0;
  await until(
    'the new index answers',
    async () => {
      const before = await summary();
      const text = await answer();
      const after = await summary();
      assert.match(text, /Article 1043/);
      if (before.index.building && after.index.building) {
        answersMeanwhile += 1;
        assert.equal(after.index.generation, 1, 'the old one');
        assert.ok(lengthOf(text) > SHORT.size, 'with its long passages');
      }
      return after.index.generation === 2;
    },
    120_000,
  );
  assert.ok(answersMeanwhile > 0, 'it was asked while the new one was built');
  assert.ok(lengthOf(await answer()) <= SHORT.size);
  await window.find('previous-index');
  await window.gone('[data-testid="reindexing"]');
  await shots(window, 'reindex-previous');
});

test('the previous index is brought back, and the other one is kept for it', async () => {
  await window.click('restore-index');
  await shots(window, 'reindex-restore');
  await window.click('confirm');
  await until('the first index answers', async () => (await summary()).index.generation === 1);
  assert.ok(lengthOf(await answer()) > SHORT.size);
  assert.equal((await summary()).index.previous.number, 2);
});

test('a discarded index is gone, and the other one answers on', async () => {
  await window.click('discard-index');
  await window.findBy('[role="alertdialog"]');
  await shots(window, 'reindex-discard');
  await window.click('confirm');
  await window.gone('[data-testid="previous-index"]');
  assert.equal((await summary()).index.previous, null);
  assert.match(await answer(), /Article 1043/);
});
