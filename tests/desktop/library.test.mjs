// The stories of the library in the real window: one file in two bases is one source, which is renamed,
// replaced while it is searched, switched off, taken out of a base and deleted for good; and a base that
// an agent needs is not deleted.

import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { Key, until } from './webdriver.mjs';

const TITLE = 'Refunds, exchanges and what becomes of a parcel that nobody has ever collected at the counter';
const RENAMED = 'Refunds and exchanges';

let ancre;
let window;
let help;
let shop;
let refunds;

before(async () => {
  ancre = await openAncre('library');
  window = ancre.window;
  help = await window.call('rag', 'create_knowledge_base', { name: 'Help centre' });
  shop = await window.call('rag', 'create_knowledge_base', { name: 'Shops of Nantes and Saint-Nazaire' });
  refunds = join(ancre.folder, 'refunds.md');
  await writeFile(refunds, `# ${TITLE}\n\nA refund takes 5 working days once the parcel is back.\n`);
});

after(async () => ancre?.close());

async function openBase({ name }) {
  await window.click('nav-knowledge');
  await (await window.findWith('base-row', name)).click();
  await window.find('add-files');
}

async function openSource(title) {
  await window.click('nav-knowledge');
  await window.click('open-library');
  await (await window.findWith('source-row', title)).click();
  await window.find('source-facts');
}

/** What a search in that base finds first; undefined where it finds nothing. */
async function found({ id }, query = 'how long does a refund take?') {
  const { hits } = await window.call('rag', 'search', { query, kbIds: [id] });
  return hits[0];
}

async function documentsOf({ id }) {
  const { items } = await window.call('rag', 'list_documents', { kbId: id });
  return items;
}

const isReadyIn = (base) => async () => (await documentsOf(base))[0]?.status === 'ready';

test('one file in two bases is one source', async () => {
  await openBase(help);
  await window.paste(refunds);
  await until('it is ready in the first base', isReadyIn(help));
  await openBase(shop);
  await window.paste(refunds);
  await until('it is ready in the second base', isReadyIn(shop));

  await window.click('open-library');
  await window.find('source-row');
  assert.equal(await window.count('source-row'), 1);
  await shots(window, 'library');
  await openSource(TITLE);
  assert.equal(await window.count('attachment'), 2);
  await shots(window, 'library-source');
});

test('the same text under another name is already here', async () => {
  const copy = join(ancre.folder, 'a copy of the refunds.md');
  await copyFile(refunds, copy);
  await openBase(help);
  await window.paste(copy);
  const report = await window.find('job-report');
  await until('the report says so', async () => /already here/i.test(await report.text()));
  await window.click('open-library');
  await window.find('source-row');
  assert.equal(await window.count('source-row'), 1);
});

test('a new title is the title in every base', async () => {
  await openSource(TITLE);
  await window.click('rename-source');
  await window.fill('source-title', RENAMED);
  await window.press(Key.enter);
  await until('it has its new title', async () =>
    (await (await window.findBy('[data-testid="source-view"] h2')).text()) === RENAMED,
  );
  for (const base of [help, shop]) assert.equal((await documentsOf(base))[0].title, RENAMED);
});

test('a new version takes its place, and no search finds nothing meanwhile', async () => {
  const newer = join(ancre.folder, 'refunds of 2027.md');
  await writeFile(newer, `# ${RENAMED}\n\nA refund takes 3 working days once the parcel is back.\n`);
  await window.click('replace-source');
  await window.click('from-file');
  await window.fill('new-path', newer);
  await shots(window, 'library-replace');
  await window.click('replace');
  const answers = [];
  await until('the new version is found in both bases', async () => {
    const texts = await Promise.all([help, shop].map(async (base) => (await found(base))?.content ?? ''));
    answers.push(...texts);
    return texts.every((text) => text.includes('3 working days'));
  });
  assert.deepEqual(answers.filter((text) => !/[35] working days/.test(text)), []);
  await until('the window shows the new version', async () =>
    (await (await window.find('source-facts')).text()).includes('version 2'),
  );
  await window.click('open-library');
  await window.find('source-row');
  assert.equal(await window.count('source-row'), 1, 'the old version has gone');
});

test('a document that is switched off is not found until it is on again', async () => {
  await openBase(help);
  await window.click('turn-document');
  await until('it is not found in its base', async () => !(await found(help)));
  assert.ok(await found(shop), 'the other base has it still');
  await shots(window, 'library-switched-off');
  await window.click('turn-document');
  await until('it is found again', async () => (await found(help)) !== undefined);
});

test('a source is taken out of one base and put back', async () => {
  await openSource(RENAMED);
  const attachment = await window.findWith('attachment', help.name);
  await (await attachment.within('[data-testid="detach"]')).click();
  await window.click('confirm');
  await until('one base is left', async () => (await window.count('attachment')) === 1);
  assert.equal(await found(help), undefined);
  assert.ok(await found(shop));

  await window.choose('attach-base', help.id);
  await window.click('attach');
  await until('both bases have it', async () => (await window.count('attachment')) === 2);
  await until('it is found where it was put', async () => (await found(help)) !== undefined);
});

test('a deleted source leaves every base, after saying which', async () => {
  await window.click('delete-source');
  const losses = await (await window.find('delete-losses')).text();
  for (const { name } of [help, shop]) assert.ok(losses.includes(name), losses);
  await shots(window, 'library-delete');
  await window.click('confirm');
  await window.gone('[data-testid="source-view"]');
  for (const base of [help, shop]) assert.equal(await found(base), undefined);
  const { total } = await window.call('rag', 'list_sources');
  assert.equal(total, 0);
  await shots(window, 'library-empty');
});

test('a base that an agent has is not deleted, and the agents are named', async () => {
  const kbIds = [shop.id];
  const robin = await window.call('desk', 'create_agent', { name: 'Robin', kbIds });
  const camille = await window.call('desk', 'create_agent', { name: 'Camille', kbIds });
  await openBase(shop);
  await window.clickOn('[aria-label="Delete base"]');
  await until('both agents are named', async () =>
    /Camille and Robin/.test(await (await window.findBy('[role="alertdialog"] [role="alert"]')).text()),
  );
  assert.ok(await window.has('[data-testid="confirm"]:disabled'));
  await shots(window, 'library-base-in-use');

  for (const { id } of [robin, camille]) await window.call('desk', 'delete_agent', { agentId: id });
  await until('it may be deleted', () => window.has('[data-testid="confirm"]:enabled'));
  await window.click('confirm');
  await until('the other base is left', async () => (await window.count('base-row')) === 1);
});
