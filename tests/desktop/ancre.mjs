// What the stories of the real window share: the program with a data folder of its own, and pictures of a
// place for a person to look at, left in `target/screenshots/`.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { openWindow, until } from './webdriver.mjs';

const SCREENSHOTS = resolve('target/screenshots');
const LARGE = [1280, 820];
const SMALL = [1024, 700];

/**
 * The looks that a place is drawn in: opposite corners of language, theme and size. All of them, which
 * takes minutes, with `ANCRE_PICTURES=all`.
 */
const LOOKS =
  process.env.ANCRE_PICTURES === 'all'
    ? [LARGE, SMALL].flatMap((size) =>
        ['en', 'fr'].flatMap((language) => ['light', 'dark'].map((theme) => ({ language, theme, size }))),
      )
    : [
        { language: 'en', theme: 'light', size: LARGE },
        { language: 'fr', theme: 'dark', size: SMALL },
      ];

/** Starts Ancre in English with an empty data folder; `folder` is there for the story's files. */
export async function openAncre(name) {
  const folder = await mkdtemp(join(tmpdir(), `ancre-${name}-`));
  const window = await openWindow(resolve('target/debug/ancre-desktop'), {
    ANCRE_DATA: join(folder, 'data'),
    ANCRE_RUNTIME: resolve('runtime'),
  });
  const close = async () => {
    await window.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await window.resize(...LARGE);
    await window.find('install-samples');
    await look(window, 'en', 'light');
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, window, close };
}

/** Changes the language and the theme, and waits until the window has them. */
export async function look(window, language, theme) {
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

/** Draws what is shown in every look, none of which may scroll sideways, and goes back to the first. */
export async function shots(window, name) {
  for (const { language, theme, size } of LOOKS) {
    await window.resize(...size);
    await look(window, language, theme);
    // What has just changed is drawn a frame or two later, and colours may take 150 ms.
    await new Promise((resolve) => setTimeout(resolve, 400));
    const picture = `${name}-${language}-${theme}-${size.join('x')}`;
    await window.screenshot(join(SCREENSHOTS, `${picture}.png`));
    assert.deepEqual(await window.run(`() => (${tooWide})()`), [], `${picture} scrolls sideways`);
  }
  await window.resize(...LARGE);
  await look(window, 'en', 'light');
}

/** In the page: by how much it scrolls sideways, if it does, and the innermost of what stands out. */
function tooWide() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isOut = (element) => element.getBoundingClientRect().right > clientWidth;
  const outside = [...document.querySelectorAll('body *')]
    .filter((element) => isOut(element) && ![...element.children].some(isOut))
    .map(({ tagName, className, textContent }) => `${tagName}.${className}: ${textContent}`);
  return [`${scrollWidth - clientWidth} px`, ...outside];
}
