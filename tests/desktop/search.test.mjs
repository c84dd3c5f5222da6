// The stories of searching in the real window: passages are found by meaning and by words over the bases
// that are chosen, say why, and open where they stand; whatever is typed is a question; and a base is
// measured with questions of which the answer is known.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { Key, until } from './webdriver.mjs';

const HELP = {
  'Returns and refunds':
    'A parcel is sent back within thirty days.\n\nA refund takes 5 working days once the parcel is back in ' +
    'the warehouse of Nantes. It goes to the card that was used for the payment.\n\n' +
    'Gift cards are not refunded, but their amount can be used again for two years.',
  'Error codes of the app':
    'Error E-4012 means that the clock of the phone is wrong.\n\nError E-4013 means that the account is locked ' +
    'after five wrong passwords; it opens by itself after an hour.',
  'Opening hours of the shops': 'The shop in Nantes is open from 9 am to 6 pm, and closed on Sundays.',
  'Guarantee, repair and exchange of machines that were bought at one of the partners in Brittany':
    'A machine is repaired free of charge within two years of the day on the bill.',
};
const AIDE = {
  'Retours et remboursements':
    "Le remboursement est effectué sous 5 jours ouvrés dès que le colis est revenu à l'entrepôt de Nantes.",
  'Horaires des magasins': 'Le magasin de Nantes est ouvert de 9 h à 18 h, et fermé le dimanche.',
};
const QUESTION = 'how long until I get my money back for a parcel?';

let ancre;
let window;
let help;
let aide;

before(async () => {
  ancre = await openAncre('search');
  window = ancre.window;
  await window.click('nav-search');
  await shots(window, 'search-no-bases');
  help = await fill('Help centre', HELP);
  aide = await fill("Centre d'aide", AIDE);
  await window.find('search-query');
});

after(async () => ancre?.close());

/** A base whose passages are short, so that they have neighbours. */
async function fill(name, texts) {
  const base = await window.call('rag', 'create_knowledge_base', { name, chunkSize: 160, chunkOverlap: 0 });
  for (const [title, text] of Object.entries(texts)) {
    await window.call('rag', 'ingest', { kbId: base.id, title, text });
  }
  return base;
}

/** What was found in a line, which names the words that were looked for. */
async function summary() {
  return window.run(`() => document.querySelector('[data-testid="search-summary"]')?.textContent`);
}

/** Asks something else than before, and waits for the answer; an empty one is an answer too. */
async function search(query) {
  const before = await summary();
  await window.fill('search-query', query);
  await window.press(Key.enter);
  await until(`“${query}” is answered`, async () => {
    const after = await summary();
    return after !== undefined && after !== before;
  });
}

/** What is shown of the hits, the best first. */
async function hits() {
  return window.run(
    `() => [...document.querySelectorAll('[data-testid="hit"]')].map((hit) => ({
      title: hit.querySelector('.title').textContent,
      place: hit.querySelector('.place').textContent,
      text: hit.querySelector('[data-testid="hit-passage"]').textContent,
      marked: [...hit.querySelectorAll('[data-testid="hit-passage"] mark')].map((mark) => mark.textContent),
    }))`,
  );
}

async function untilFirst(what, holds) {
  await until(what, async () => {
    const [first] = await hits();
    return first !== undefined && holds(first);
  });
}

test('a question in other words finds its passage, and its words are marked', async () => {
  await shots(window, 'search-empty');
  await search('refund after how many working days?');
  await untilFirst('the passage is first', ({ text }) => text.includes('5 working days'));
  const [{ marked }] = await hits();
  for (const word of ['refund', 'working', 'days']) {
    assert.ok(marked.some((mark) => mark.toLowerCase().includes(word)), `${word} among ${marked}`);
  }
  await search(QUESTION);
  await untilFirst('it is found by its meaning too', ({ text }) => text.includes('5 working days'));
  await shots(window, 'search-hits');
});

test('a passage says why it was found and what stands around it', async () => {
  await window.click('explain');
  const why = await (await window.find('explanation')).text();
  assert.match(why, /Distance in meaning|meaning/i);
  assert.ok(why.includes('Help centre') || why.includes("Centre d'aide"), why);
  await window.click('show-around');
  await window.find('neighbour');
  await shots(window, 'search-why');
});

test('a passage opens its document where it stands, and one comes back to the same hits', async () => {
  const [{ title, text }] = await hits();
  await window.clickOn('[data-testid="hit"] [data-row]');
  const words = text.trim().slice(0, 40);
  await until('the passage is in view in its document', () =>
    window.run(
      `(words) => {
        const aimed = document.querySelector('.segment.aimed');
        const place = aimed?.getBoundingClientRect();
        return (aimed?.textContent.includes(words) ?? false) && place.top >= 0 && place.top < innerHeight;
      }`,
      words,
    ),
  );
  await shots(window, 'search-opened');
  await window.press(Key.escape);
  await untilFirst('the same hits are there', (first) => first.title === title);
});

test('only the bases that are chosen are searched', async () => {
  await window.click('search-bases');
  await shots(window, 'search-bases');
  await window.run(
    `(name) => [...document.querySelectorAll('[role="dialog"] label')]
      .find((label) => label.textContent.includes(name)).click()`,
    aide.name,
  );
  await window.press(Key.escape);
  await search('remboursement du colis');
  await untilFirst('the other base is searched', ({ place }) => place.includes(help.name));
  assert.ok((await hits()).every(({ place }) => !place.includes(aide.name)));
  await window.click('search-bases');
  await window.clickOn('[role="dialog"] .foot button');
  await window.press(Key.escape);
  await untilFirst('both are searched again', ({ place }) => place.includes(aide.name));
});

test('words are found as they are typed, and a search by words alone can be chosen', async () => {
  await search('E-4013');
  await untilFirst('the code is first', ({ text, marked }) => text.includes('E-4013') && marked.length > 0);
  await window.choose('search-mode', 'text');
  await until('only what has the words is left', async () => {
    const found = await hits();
    return found.length > 0 && found.every(({ text }) => text.includes('4013'));
  });
  await search('zebra');
  await until('nothing has that word', async () => (await window.count('hit')) === 0);
  await shots(window, 'search-nothing');
  await window.choose('search-mode', 'hybrid');
});

test('whatever is typed is a question', async () => {
  for (const query of ['AND OR "( * NEAR', '"refund', 'refund NOT (parcel', "'; DROP TABLE documents; --"]) {
    await search(query);
    assert.ok(!(await window.has('[role="alert"]')), `“${query}” is no error`);
  }
  await search('refund AND "working days"');
  await untilFirst('its words are found', ({ text }) => text.includes('5 working days'));
});

test('a search becomes a question that measures its base', async () => {
  await search(QUESTION);
  await untilFirst('the passage is first', ({ text }) => text.includes('5 working days'));
  await window.click('keep-question');
  await window.click('tab-measure');
  await window.findWith('question-row', QUESTION);
  await shots(window, 'measure-one-question');
});

test('questions come from a file, and lines that make none say why', async () => {
  const file = join(ancre.folder, 'questions.jsonl');
  const lines = [
    { question: 'when is the shop open?', expected: 'Opening hours of the shops' },
    { question: 'what does E-4013 mean?', expected: 'Error codes of the app' },
    { question: 'Wie lange gilt die Garantie?', expected: Object.keys(HELP).at(-1) },
    { question: 'do you sell live elephants?', mustRefuse: true },
    { question: 'who knows?', expected: 'A title that nothing has' },
  ];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  await window.click('import-questions');
  await shots(window, 'measure-import');
  await window.fill('import-path', file);
  await window.click('take-questions');
  await window.find('imported');
  assert.match(await (await window.find('skipped-line')).text(), /5/);
  await shots(window, 'measure-imported');
  await window.press(Key.escape);
  await until('they are listed', async () => (await window.count('question-row')) === lines.length);
});

test('two settings are compared question by question', async () => {
  await window.click('run-bench');
  await until('each question has its result', async () => (await window.count('result-row')) === 5);
  const recall = async () =>
    window.run(`() => Number(document.querySelector('[data-testid="figures"] .value').textContent)`);
  assert.ok((await recall()) > 0.7, `recall ${await recall()}`);
  await window.clickOn('[data-testid="result-row"] button');
  await shots(window, 'measure-run');

  await window.choose('bench-mode', 'text');
  await window.click('run-bench');
  await until('both are side by side', async () => (await window.count('pair-row')) === 5);
  await until('a question in other words fares worse by words alone', () =>
    window.has('[data-testid="pair-row"][data-change="worse"]'),
  );
  await shots(window, 'measure-comparison');
  const { length } = await window.call('rag', 'list_bench_runs', { kbId: help.id });
  assert.equal(length, 2, 'both measurements are kept');
});
