// The stories of work in the real window: thousands of files wait in a list that stays quick, the order of
// the queue is changed by keys, work rests, goes on and ends on demand, and of a folder each file says what
// became of it.

import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { Key, until } from './webdriver.mjs';

const DOCUMENTS = resolve('crates/extract/tests/documents');
const MANY = 2000;
const SMALL = 60;
const DAMAGED = 'price list.xls';
const HIDDEN = ['.draft.md', '.~lock.letter.odt#', '~$letter.docx'];

let ancre;
let window;
let base;
let folders;

before(async () => {
  ancre = await openAncre('progress');
  window = ancre.window;
  base = await window.call('rag', 'create_knowledge_base', { name: 'Help centre' });
  folders = await makeFolders(ancre.folder);
  await window.click('nav-progress');
  await shots(window, 'progress-empty');
});

after(async () => ancre?.close());

/** Two of many files, which is as much as is worked on at once; one as people have them; one with a note. */
async function makeFolders(within) {
  const made = { archive: 'Archive', drafts: 'Drafts', letters: 'Letters and price lists', note: 'One note' };
  for (const [key, name] of Object.entries(made)) {
    made[key] = join(within, name);
    await mkdir(join(made[key], 'inside'), { recursive: true });
  }
  const write = (folder, name, text) => writeFile(join(folder, name), text);
  for (let number = 1; number <= MANY; number += 1) {
    await write(made.archive, `archive ${number}.md`, `# Note ${number}\n\nNote ${number} of the archive.\n`);
    await write(made.drafts, `draft ${number}.md`, `# Draft ${number}\n\nDraft ${number} was never sent.\n`);
  }
  for (let number = 1; number <= SMALL; number += 1) {
    const place = number % 2 === 0 ? made.letters : join(made.letters, 'inside');
    await write(place, `letter ${number}.md`, `# Letter ${number}\n\nLetter ${number} was answered at once.\n`);
  }
  for (const name of HIDDEN) await write(made.letters, name, 'nothing to read\n');
  await copyFile(join(DOCUMENTS, 'derived__damaged_panic.xls'), join(made.letters, DAMAGED));
  await copyFile(join(DOCUMENTS, 'authored__truncated_xml.docx'), join(made.letters, 'torn.docx'));
  await write(made.note, 'note.md', '# A note\n\nThe bell at the back door rings twice.\n');
  return made;
}

async function jobs() {
  return (await window.call('rag', 'list_jobs')).items;
}

async function jobOf(title) {
  const job = (await jobs()).find((one) => one.title.includes(title));
  return job ?? assert.fail(`no work is called ${title}`);
}

async function openJob(title) {
  await (await window.findWith('job-row', title)).click();
  await until(`${title} is open`, () =>
    window.run(
      `(title) => document.querySelector('[data-testid="job-view"] h2')?.textContent.includes(title) ?? false`,
      title,
    ),
  );
}

async function becomes(state, limit) {
  await until(`it is ${state}`, () => window.has(`[data-testid="job-view"][data-state="${state}"]`), limit);
}

test('two thousand files stand in a list of which only what is in view is drawn', async () => {
  await window.click('nav-knowledge');
  await window.click('base-row');
  await window.find('add-files');
  await window.paste(folders.archive);
  await window.click('show-progress');
  await until('all files are known', async () => (await jobOf('Archive')).itemsTotal === MANY);
  await window.find('job-item');
  await shots(window, 'progress-many');

  await window.run(`() => document.querySelector('[data-testid="job-item"] [data-row]').focus()`);
  await window.press(Key.end);
  await until('the last file is shown and has the focus', () =>
    window.run(
      `(last) => document.activeElement?.closest('[aria-posinset]')?.getAttribute('aria-posinset') === last
        && document.activeElement.textContent.trim() !== ''`,
      String(MANY),
    ),
  );
  assert.ok((await window.count('job-item')) < 60, 'what is out of view is not drawn');
});

test('the order of what waits is changed by keys', async () => {
  await window.click('nav-knowledge');
  await window.click('base-row');
  await window.find('add-files');
  for (const folder of [folders.drafts, folders.letters, folders.note]) await window.paste(folder);
  const order = async () =>
    (await jobs()).filter(({ state }) => state === 'queued').map(({ title }) => title);
  await until('both wait', async () => (await order()).length === 2);
  const [first, second] = await order();
  await window.click('nav-progress');
  await openJob(second);
  await window.press(Key.alt, Key.up);
  await until('the second is the first', async () => (await order())[0] === second);
  await until('the list shows it', async () => {
    const rows = await window.run(
      `() => [...document.querySelectorAll('[data-testid="job-row"]')].map((row) => row.textContent)`,
    );
    return rows[2]?.includes(second) && rows[3]?.includes(first);
  });
  await shots(window, 'progress-order');
});

test('work is paused, goes on and is cancelled; what is finished stays', async () => {
  await openJob('Archive');
  await until('some of it is ready', async () => (await jobOf('Archive')).itemsDone > 0);
  await window.click('pause-job');
  await becomes('paused');
  const { itemsDone } = await jobOf('Archive');
  await shots(window, 'progress-paused');
  await window.click('resume-job');
  await until('it does not rest any more', async () => (await jobOf('Archive')).state !== 'paused');
  await window.click('cancel-job');
  await becomes('cancelled');
  const { total } = await window.call('rag', 'list_documents', { kbId: base.id, status: 'ready' });
  assert.ok(total >= itemsDone, `${total} documents of ${itemsDone} that were done`);
  await window.click('filter-cancelled');
  await window.findBy('[data-testid="job-item"][data-state="cancelled"]');
  await openJob('Drafts');
  await window.click('cancel-job');
  await becomes('cancelled');
});

test('each file of a folder says what became of it', async () => {
  await openJob('Letters');
  await becomes('done', 120_000);
  const job = await jobOf('Letters');
  assert.equal(job.itemsTotal, SMALL + HIDDEN.length + 2);
  assert.equal(job.itemsFailed, 1);
  assert.equal(job.itemsSkipped, HIDDEN.length);
  assert.equal(job.itemsFlagged, 1);
  await until('the filters count them', () =>
    window.run(
      `(counts) => Object.entries(counts).every(([name, count]) => {
        const words = document.querySelector('[data-testid="filter-' + name + '"]')?.textContent ?? '';
        return words.trim().endsWith(String(count));
      })`,
      { all: job.itemsTotal, ready: SMALL + 1, failed: 1, skipped: HIDDEN.length, flagged: 1 },
    ),
  );
  await shots(window, 'progress-done');

  await window.click('filter-skipped');
  await until('what was passed over is listed', async () => (await window.count('job-item')) === HIDDEN.length);
  await shots(window, 'progress-skipped');
  await window.click('filter-flagged');
  await window.findWith('job-item', 'torn');
  await until('only that is worth a look', async () => (await window.count('job-item')) === 1);
});

test('what failed is tried again once it is mended', async () => {
  await window.click('filter-failed');
  await window.findWith('job-item', DAMAGED);
  await copyFile(join(DOCUMENTS, 'docl__legacy_sample.xls'), join(folders.letters, DAMAGED));
  await window.click('retry-job');
  await until('nothing has failed any more', async () => {
    const { state, itemsFailed } = await jobOf('Letters');
    return state === 'done' && itemsFailed === 0;
  });
  await window.click('filter-ready');
  const item = await window.findWith('job-item', 'price list');
  assert.ok(item);
});
