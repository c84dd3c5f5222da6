// The stories of documents in the real window: pages, a password, a scan, a damaged file, a look
// inside before adding. Files are the real ones that the readers' own tests use.

import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';

import { openAncre, shots } from './ancre.mjs';
import { Key, until } from './webdriver.mjs';

const DOCUMENTS = resolve('crates/extract/tests/documents');
const PASSWORD = 'openpassword';

let ancre;
let window;
let base;

before(async () => {
  ancre = await openAncre('documents');
  window = ancre.window;
  base = await window.call('rag', 'create_knowledge_base', { name: 'Documents' });
  await window.click('nav-knowledge');
  await (await window.findBy('[data-testid="base-row"]')).click();
  await window.find('add-files');
});

after(async () => ancre?.close());

/** Pastes those documents, as a file manager copies them. */
async function paste(...names) {
  await window.paste(names.map((name) => join(DOCUMENTS, name)).join('\n'));
}

async function documents() {
  const { items } = await window.call('rag', 'list_documents', {
    kbId: base.id,
    page: { offset: 0, limit: 100 },
  });
  return items;
}

async function openDocument(title) {
  await until(`${title} is listed`, () =>
    window.run(
      `(title) => {
        const rows = [...document.querySelectorAll('[data-testid="document-row"]')];
        const row = rows.find((row) => row.textContent.includes(title));
        (row?.querySelector('button, a') ?? row)?.click();
        return row !== undefined;
      }`,
      title,
    ),
  );
  await window.find('page-divider');
}

test('documents of many formats become searchable with their pages', async () => {
  await paste('docl__multi_page.pdf', 'docl__powerpoint_sample.pptx', 'cala__merged_range.xlsx');
  await until('all three are ready', async () =>
    (await documents()).filter((document) => document.status === 'ready').length === 3,
  );
  const { hits } = await window.call('rag', 'search', {
    query: 'WordPerfect, popular among legal professionals',
    kbIds: [base.id],
  });
  assert.equal(hits[0].pageKind, 'page');
  assert.ok(hits[0].page >= 1 && hits[0].page <= 3, `page ${hits[0].page}`);
});

test('a damaged document is read as far as it goes, and says so', async () => {
  await paste('authored__truncated_xml.docx', 'derived__damaged_panic.xls');
  await window.find('job-report');
  await until('the damaged document is there with its warning', async () =>
    (await documents()).some((document) =>
      document.warnings.some((warning) => warning.code === 'partial'),
    ),
  );
  await window.find('document-mark');
  await shots(window, 'documents-report');
});

/** Opens the preview of the file of that name from the report of the last job. */
async function preview(name) {
  await until(`the report offers a look at ${name}`, () =>
    window.run(
      `(name) => {
        const buttons = [...document.querySelectorAll('[data-testid="preview-item"]')];
        const button = buttons.find((button) =>
          button.closest('li, [data-testid="report-item"]')?.textContent.includes(name),
        );
        button?.click();
        return button !== undefined;
      }`,
      name,
    ),
  );
  await window.find('preview');
}

async function closePreview() {
  await window.press(Key.escape);
  await until('the preview has closed', async () => !(await window.has('[data-testid="preview"]')));
}

test('a look inside shows what ingestion read, or why it could not', async () => {
  await preview('authored__truncated_xml.docx');
  await window.find('preview-facts');
  const path = join(DOCUMENTS, 'authored__truncated_xml.docx');
  const read = await window.call('rag', 'preview_file', { path });
  const ingested = (await documents()).find(({ sourceUri }) => sourceUri === path);
  const { text } = await window.call('rag', 'read_document', { documentId: ingested.id });
  assert.equal(read.text, text, 'the same as ingestion');
  const shown = await window.run(
    `() => document.querySelector('[data-testid="preview"]').textContent`,
  );
  assert.ok(shown.includes(text.trim().split('\n')[0].replace(/^#+ /, '')), 'and it is on the screen');
  await shots(window, 'documents-preview');
  await closePreview();

  await preview('derived__damaged_panic.xls');
  await window.findBy('[data-testid="preview"] [role="alert"]');
  await shots(window, 'documents-preview-error');
  await closePreview();
});

test('a protected document asks for its password, twice when it was wrong', async () => {
  await paste('pypdf__libreoffice-writer-password.pdf');
  const field = await window.findBy('input[type="password"]');
  await field.type('wrong');
  await window.click('unlock');
  await until('it says that the password was wrong', () =>
    window.has('[role="dialog"] [aria-invalid="true"]'),
  );
  await shots(window, 'documents-password');
  await (await window.findBy('input[type="password"]')).type(PASSWORD);
  await window.click('unlock');
  await until('it is ready', async () =>
    (await documents()).some(({ title }) => title.includes('libreoffice-writer-password')),
  );
  await until('the dialog has closed', async () => !(await window.has('[role="dialog"]')));
});

test('a scan is offered to be recognised, and is searchable afterwards', async () => {
  await paste('tika__testOCR.pdf');
  await window.click('recognise');
  await until(
    'the recognised document is ready',
    async () =>
      (await documents()).some(
        ({ title, status, warnings }) =>
          title.includes('testOCR') &&
          status === 'ready' &&
          warnings.some((warning) => warning.code === 'recognised_pages'),
      ),
    90_000,
  );
});

test('a document is read page by page, each with its picture', async () => {
  await openDocument('The Evolution of the Word Processor');
  await (await window.find('page-jump')).type('3');
  await window.press(Key.enter);
  await until('page 3 is in view', () =>
    window.run(
      `() => {
        const page = document.querySelector('[data-testid="page-divider"][data-page="3"]');
        const place = page?.getBoundingClientRect();
        return place !== undefined && place.top >= 0 && place.bottom <= innerHeight;
      }`,
    ),
  );
  await (await window.findBy('[data-testid="page-divider"][data-page="3"] button')).click();
  await until('the picture of page 3 is shown', () =>
    window.run(
      `() => {
        const picture = document.querySelector('[data-testid="page-picture"] img');
        return picture !== null && picture.complete && picture.naturalWidth > 100;
      }`,
    ),
  );
  await shots(window, 'documents-page-picture');
});

test('a number of a draft says on which page its passage lies', async () => {
  await window.call('desk', 'create_agent', { name: 'Robin', kbIds: [base.id] });
  await window.click('nav-inbox');
  await window.click('new-ticket');
  await window.type('ticket-subject', 'Word processors');
  await window.type('ticket-body', 'Hello, who invented the first typewriter, and when? Thank you, Claire');
  await window.click('create-ticket');
  await window.click('draft-reply');
  await window.click('badge-1');
  await window.find('passage-quote');
  assert.match(await (await window.find('passage-whereabouts')).text(), /^page 1/);
  await shots(window, 'documents-citation');
});
