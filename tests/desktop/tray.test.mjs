// The story of a window that is closed while there is work: it says so once, goes, and the work goes on; a
// second start brings it back. Under Xvfb no desktop draws the tray's icon, which is the case that matters
// most here: a window that nobody can find by an icon must be found by starting the program again.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { Key, openWindow, until } from './webdriver.mjs';

const PROGRAM = resolve('target/debug/ancre-desktop');
const SCREENSHOTS = resolve('target/screenshots');
/** Enough files that a person has the time to close the window. */
const FILES = 60;

let folder;
let window;
let base;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ancre-tray-'));
  window = await openWindow(PROGRAM, environment('data'));
  await window.resize(1280, 820);
  await window.find('install-samples');
  base = await window.call('rag', 'create_knowledge_base', { name: 'Help centre' });
});

after(async () => {
  await window?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

function environment(data) {
  return { ANCRE_DATA: join(folder, data), ANCRE_RUNTIME: resolve('runtime') };
}

/** Starts the program beside the one that runs; answers its exit code. */
function startAgain(data) {
  const started = spawn(PROGRAM, [], { env: { ...process.env, ...environment(data) }, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    started.on('error', reject);
    started.on('exit', resolve);
  });
}

/** Whether a program has the window of that data folder. */
function isRunning(data) {
  const { status } = spawnSync('flock', ['--nonblock', join(folder, data, 'window.lock'), 'true']);
  return status === 1;
}

/** Begins to index a folder of files, without waiting for its end. */
async function beginWork(name) {
  const place = join(folder, name);
  await mkdir(place);
  for (let number = 1; number <= FILES; number += 1) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `In ${name}, shelf ${number} keeps its parcels of kind ${line} for ${number + line} days.`,
    );
    await writeFile(join(place, `shelf-${number}.md`), `# Shelf ${number}\n\n${lines.join(' ')}\n`);
  }
  await window.run(
    `(input) => {
      window.__TAURI_INTERNALS__.invoke('plugin:rag|ingest_files', { input, onProgress: null }).catch(() => {});
    }`,
    { kbId: base.id, paths: [place] },
  );
  return until('the work has begun', async () => {
    const [job] = await jobs();
    return job.state === 'running' && job.itemsTotal === FILES && job;
  });
}

async function jobs() {
  return (await window.call('rag', 'list_jobs')).items;
}

function host(command) {
  return window.run('(command) => window.__TAURI_INTERNALS__.invoke(command)', command);
}

function isVisible() {
  return window.run(`() => window.__TAURI_INTERNALS__.invoke('plugin:window|is_visible', { label: 'main' })`);
}

test('the first close with work under way says that the work goes on', async () => {
  await beginWork('north');
  await host('close_window');
  await window.find('closing-notice');
  assert.equal(await isVisible(), true, 'the window waits until that was read');
  for (const [language, theme] of [
    ['fr', 'dark'],
    ['en', 'light'],
  ]) {
    await window.call('settings', 'update_settings', { language, theme });
    await until(`the interface speaks ${language}`, () =>
      window.run('(language) => document.documentElement.lang === language', language),
    );
    await new Promise((resolve) => setTimeout(resolve, 400));
    await window.screenshot(join(SCREENSHOTS, `closing-notice-${language}-${theme}.png`));
  }
  await window.press(Key.enter);
  await until('the window is hidden', async () => !(await isVisible()));
});

test('the work is done behind the closed window', async () => {
  const done = await until('the job is done', async () => {
    const [job] = await jobs();
    return job.state === 'done' && job;
  }, 120_000);
  assert.deepEqual([done.itemsDone, done.itemsFailed], [FILES, 0]);
  assert.equal(await isVisible(), false);
  const { hits } = await window.call('rag', 'search', { query: 'shelf 7 parcels', kbIds: [base.id] });
  assert.ok(hits.length > 0, 'what was indexed meanwhile is found');
});

test('a second start shows the window that is hidden, and ends', async () => {
  assert.equal(await startAgain('data'), 0);
  await until('the window is back', isVisible);
  assert.ok(isRunning('data'));
});

test('a window of another data folder is a window of its own', async () => {
  const other = await openWindow(PROGRAM, environment('other'));
  try {
    await other.find('install-samples');
    const { isReadOnly, dataFolder } = await other.call('settings', 'get_settings');
    assert.deepEqual([isReadOnly, dataFolder], [false, join(folder, 'other')]);
  } finally {
    await other.close();
  }
});

test('what was told once is not told again', async () => {
  await beginWork('south');
  await host('close_window');
  await until('the window is hidden', async () => !(await isVisible()));
  assert.equal(await window.has('[data-testid="closing-notice"]'), false);
  assert.equal(await startAgain('data'), 0);
  await until('the window is back', isVisible);
});

test('who chose to quit quits, and the work goes on at the next start', async () => {
  await beginWork('west');
  await window.call('settings', 'update_settings', { whenClosed: 'quit' });
  // The answer may be lost with the program that gives it.
  await host('close_window').catch(() => undefined);
  await until('the program has ended', () => !isRunning('data'));
  await window.close();

  window = await openWindow(PROGRAM, environment('data'));
  await window.find('nav-inbox');
  const done = await until('the job is done', async () => {
    const job = (await jobs()).find(({ title }) => title.includes('west'));
    return job?.state === 'done' && job;
  }, 120_000);
  assert.deepEqual([done.itemsDone, done.itemsFailed], [FILES, 0]);
});

test('without work the window closes for good', async () => {
  await window.call('settings', 'update_settings', { whenClosed: 'keep_working' });
  await host('close_window').catch(() => undefined);
  await until('the program has ended', () => !isRunning('data'));
});
