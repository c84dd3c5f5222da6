// A small client of the W3C WebDriver protocol: just what the window's stories need, so that no
// package has to follow. It starts WebKitWebDriver on a loopback port, which starts the program.

import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Keys by their code points in the protocol. */
export const Key = {
  enter: '\uE007',
  control: '\uE009',
  alt: '\uE00A',
  escape: '\uE00C',
  end: '\uE010',
  home: '\uE011',
  left: '\uE012',
  up: '\uE013',
  right: '\uE014',
  down: '\uE015',
};

/** Starts the program in a window of its own, with `environment` added to ours. */
export async function openWindow(program, environment) {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, ...environment, TAURI_WEBVIEW_AUTOMATION: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
    // A group of its own, so that nothing of it is left behind at the end.
    detached: true,
  });
  const address = `http://127.0.0.1:${port}`;
  await until('WebKitWebDriver answers', async () => (await fetch(`${address}/status`)).ok);
  const { sessionId } = await send(address, 'POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: program, args: [] } },
    },
  });
  return new Window(`${address}/session/${sessionId}`, driver);
}

/** Whether anything of a process group is still there. */
function isAlive(group) {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

class Window {
  #address;
  #driver;

  constructor(address, driver) {
    this.#address = address;
    this.#driver = driver;
  }

  /** Ends the program as a person would, then the driver; by force what has not ended after a while. */
  async close() {
    await this.#send('DELETE', '').catch(() => undefined);
    this.#driver.kill();
    await until('the program has ended', () => !isAlive(this.#driver.pid), 10_000).catch(() =>
      process.kill(-this.#driver.pid, 'SIGKILL'),
    );
  }

  /** Runs a function in the page and waits for its answer. */
  async run(script, ...args) {
    const body = `const done = arguments[arguments.length - 1];
      Promise.resolve((${script})(...Array.prototype.slice.call(arguments, 0, -1)))
        .then((value) => done({ value }), (error) => done({ error }));`;
    const answer = await this.#send('POST', '/execute/async', { script: body, args });
    if (answer.error) {
      throw new Error(`the page refused: ${JSON.stringify(answer.error)}`);
    }
    return answer.value;
  }

  /** Calls an operation of the host as the interface does. */
  async call(group, name, input = {}) {
    return this.run(
      'async (command, input) => window.__TAURI_INTERNALS__.invoke(command, { input, onProgress: null })',
      `plugin:${group}|${name}`,
      input,
    );
  }

  /** The element with that test id, once it is there. */
  async find(testId) {
    return this.findBy(`[data-testid="${testId}"]`);
  }

  /** The element of that CSS selector, once it is there. */
  async findBy(selector) {
    return until(`${selector} is shown`, () => this.#element('css selector', selector));
  }

  /** The first element with that test id that has those words in it, once it is there. */
  async findWith(testId, words) {
    const path = `//*[@data-testid="${testId}"][contains(., "${words}")]`;
    return until(`${testId} with “${words}” is shown`, () => this.#element('xpath', path));
  }

  async #element(using, value) {
    const found = await this.#send('POST', '/element', { using, value });
    return new Element((method, path, body) => this.#send(method, path, body), found[ELEMENT]);
  }

  /** Whether an element of that CSS selector is there now. */
  async has(selector) {
    return this.run('(selector) => document.querySelector(selector) !== null', selector);
  }

  /** How many elements with that test id are there now. */
  async count(testId) {
    return this.run('(id) => document.querySelectorAll(`[data-testid="${id}"]`).length', testId);
  }

  /** Waits until no element of that CSS selector is there any more. */
  async gone(selector) {
    await until(`${selector} is gone`, async () => !(await this.has(selector)));
  }

  async click(testId) {
    await this.clickOn(`[data-testid="${testId}"]`);
  }

  /** Clicks the element of that CSS selector; one that is drawn anew meanwhile is looked for again. */
  async clickOn(selector) {
    await until(`${selector} is clicked`, async () => {
      await (await this.#element('css selector', selector)).click();
      return true;
    });
  }

  async type(testId, text) {
    await (await this.find(testId)).type(text);
  }

  /** Puts those words in the place of what a field holds. */
  async fill(testId, text) {
    const field = await this.find(testId);
    await field.click();
    await this.press(Key.control, 'a');
    await field.type(text);
  }

  /** Chooses of a list the option with that value. */
  async choose(testId, value) {
    const list = `[data-testid="${testId}"]`;
    await this.clickOn(`${list} option[value="${value}"]`);
    await until(`${value} is chosen in ${testId}`, () =>
      this.run('(list, value) => document.querySelector(list)?.value === value', list, value),
    );
  }

  /** Pastes a text into the window; files are pasted as their paths, as a file manager copies them. */
  async paste(text) {
    await this.run(
      `(text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
        document.body.dispatchEvent(paste);
      }`,
      text,
    );
  }

  /** Presses keys together on whatever has the focus. */
  async press(...keys) {
    const actions = [
      ...keys.map((value) => ({ type: 'keyDown', value })),
      ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
    ];
    await this.#send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async resize(width, height) {
    await this.#send('POST', '/window/rect', { width, height });
    await until(`the window is ${width} × ${height}`, () =>
      this.run('(w, h) => innerWidth === w && innerHeight === h', width, height),
    );
  }

  /** Writes what the window shows to a PNG file. */
  async screenshot(path) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Buffer.from(await this.#send('GET', '/screenshot'), 'base64'));
  }

  #send(method, path, body) {
    return send(this.#address, method, path, body);
  }
}

class Element {
  #send;
  #id;

  constructor(send, id) {
    this.#send = send;
    this.#id = id;
  }

  /** The element of that CSS selector inside this one. */
  async within(selector) {
    const body = { using: 'css selector', value: selector };
    const found = await this.#send('POST', `/element/${this.#id}/element`, body);
    return new Element(this.#send, found[ELEMENT]);
  }

  click() {
    return this.#send('POST', `/element/${this.#id}/click`, {});
  }

  type(text) {
    return this.#send('POST', `/element/${this.#id}/value`, { text });
  }

  /** Its words as they are laid out; the driver's own answer lacks what is cut with an ellipsis. */
  text() {
    const body = { script: 'return arguments[0].innerText', args: [{ [ELEMENT]: this.#id }] };
    return this.#send('POST', '/execute/sync', body);
  }
}

/** Tries until it succeeds with something true; fails after `limit` milliseconds, saying what. */
export async function until(what, attempt, limit = 30_000) {
  const end = Date.now() + limit;
  let last;
  for (;;) {
    try {
      const value = await attempt();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${limit / 1000} s until ${what}${last ? `: ${last.message}` : ''}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function send(address, method, path, body) {
  const response = await fetch(address + path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
