// The story of the real window: the built program, its real storage and its real model, from an
// empty data folder to the passage behind a number. Screenshots of each place are left in
// `target/screenshots/` for a person to look at.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { Key, openWindow, until } from './webdriver.mjs';

const PROGRAM = resolve('target/debug/ancre-desktop');
const SCREENSHOTS = resolve('target/screenshots');
const NAVIGATION = ['inbox', 'knowledge', 'agents', 'settings'];

let folder;
let window;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ancre-window-'));
  window = await openWindow(PROGRAM, {
    ANCRE_DATA: join(folder, 'data'),
    ANCRE_RUNTIME: resolve('runtime'),
  });
  await window.resize(1280, 820);
});

after(async () => {
  await window?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

async function shot(name) {
  // What has just changed is drawn a frame or two later, and colours may take 150 ms.
  await new Promise((resolve) => setTimeout(resolve, 400));
  await window.screenshot(join(SCREENSHOTS, `${name}.png`));
}

async function look(language, theme) {
  await window.call('settings', 'update_settings', { language, theme });
  await until(`the interface speaks ${language} and is ${theme}`, () =>
    window.run(
      `(language, theme) => document.documentElement.lang === language
        && document.documentElement.dataset.theme === theme`,
      language,
      theme,
    ),
  );
}

test('a newcomer is welcomed in an empty window', async () => {
  await window.find('install-samples');
  await look('en', 'light');
  await shot('welcome-en-light');
  await look('fr', 'dark');
  await shot('welcome-fr-dark');
  for (const place of ['knowledge', 'agents']) {
    await window.click(`nav-${place}`);
    await shot(`${place}-empty-fr-dark`);
  }
  await look('en', 'light');
});

test('a dropped file becomes a searchable document', async () => {
  const path = join(folder, 'Refunds and the very long title of a page that nobody shortened.md');
  await writeFile(
    path,
    '# Refunds\n\nA refund takes 5 working days once the parcel is back.\n\n' +
      '# Opening hours\n\nThe shop in Nantes is open from 9 am to 6 pm.\n',
  );
  const base = await window.call('rag', 'create_knowledge_base', { name: 'Help centre' });
  const report = await window.call('rag', 'ingest_files', { kbId: base.id, paths: [path] });
  assert.equal(report.ready, 1, JSON.stringify(report));

  await window.click('nav-knowledge');
  await (await window.findBy('[data-testid="base-row"]')).click();
  await window.find('document-row');
  const { hits } = await window.call('rag', 'search', {
    query: 'how long does a refund take?',
    kbIds: [base.id],
  });
  assert.match(hits[0].content, /5 working days/);

  await window.call('desk', 'create_agent', { name: 'Robin', kbIds: [base.id] });
});

test('a pasted ticket gets a draft whose first number opens its passage', async () => {
  await window.click('nav-inbox');
  await window.click('new-ticket');
  await window.type('ticket-subject', 'Refund');
  await window.type('ticket-body', 'Hello, how long does a refund take? Thank you, Claire');
  await window.click('create-ticket');
  await window.click('draft-reply');
  await window.click('badge-1');
  const quote = await window.find('passage-quote');
  await until('the passage is quoted', async () => (await quote.text()).includes('5 working days'));
  const used = await (await window.findBy('[data-testid="passage-quote"] mark')).text();
  assert.match(used, /A refund takes 5 working days/);
});

test('a document with a long title is shown whole in its base', async () => {
  await window.click('nav-knowledge');
  await (await window.findBy('[data-testid="base-row"]')).click();
  await (await window.findBy('[data-testid="document-row"]')).text();
  await window.resize(1024, 700);
  await shot('knowledge-long-title-en-light-1024x700');
  await window.resize(1280, 820);
  await window.click('nav-inbox');
  await (await window.findBy('[data-testid="ticket-row"]')).click();
  await window.click('badge-1');
  await window.find('passage-quote');
});

test('escape closes the passage and the keyboard opens it again', async () => {
  await window.press(Key.escape);
  await until('the passage is closed', async () => !(await window.has('[data-testid="passage-quote"]')));
  await window.run(`() => document.querySelector('[data-testid="badge-1"]').focus()`);
  await window.press(Key.enter);
  await window.find('passage-quote');
});

test('the samples give a cited draft in both languages', async () => {
  for (const language of ['en', 'fr']) {
    const { ticketId } = await window.call('rag', 'install_samples', { language });
    const draft = await window.call('desk', 'draft_reply', { ticketId });
    assert.equal(draft.status, 'drafted', draft.text);
    assert.equal(draft.language, language);
    assert.ok(draft.citations.length > 0);
  }
});

test('the arrows walk from number to number', async () => {
  await window.click('nav-inbox');
  await (await window.findBy('[data-testid="ticket-row"]')).click();
  await window.click('badge-1');
  await window.find('passage-quote');
  const badges = await window.run(
    `() => document.querySelectorAll('[data-testid^="badge-"]').length`,
  );
  assert.ok(badges > 1, 'the sample draft carries several numbers');
  const focused = () =>
    window.run(
      `() => [...document.querySelectorAll('[data-testid^="badge-"]')].indexOf(document.activeElement)`,
    );
  const first = await focused();
  await window.press(Key.right);
  await until('the next number has the focus', async () => (await focused()) === first + 1);
  await window.press(Key.left);
  await until('the first number has the focus', async () => (await focused()) === first);
});

test('each place is drawn in both languages and themes, at both sizes', async () => {
  for (const [width, height] of [[1280, 820], [1024, 700]]) {
    await window.resize(width, height);
    for (const language of ['en', 'fr']) {
      for (const theme of ['light', 'dark']) {
        await look(language, theme);
        for (const place of NAVIGATION) {
          await window.click(`nav-${place}`);
          await until(`${place} is shown`, () =>
            window.has(`[data-testid="nav-${place}"][aria-current="page"]`),
          );
          const first = { inbox: 'ticket-row', knowledge: 'base-row', agents: 'agent-row' }[place];
          if (first) await (await window.findBy(`[data-testid="${first}"]`)).click();
          if (place === 'inbox') await window.click('badge-1');
          const overflow = await window.run(
            '() => document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, `${place} at ${width} × ${height} scrolls sideways`);
          await shot(`${place}-${language}-${theme}-${width}x${height}`);
        }
      }
    }
  }
});
