/**
 * Takes a picture of every screen over the in-memory host, in both languages, both themes and two sizes, and
 * fails when axe finds a fault there (contrast included, which only a real browser can measure) or when a
 * page scrolls sideways. Needs Debian's `chromium`; writes to `target/ui-screenshots` or the folder given.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';
import { SCENES } from './screenshots/scenes.mjs';

const OUT = process.argv[2] ?? '../target/ui-screenshots';
const ONLY = process.argv[3];
const SIZES = { small: { width: 1024, height: 700 }, large: { width: 1440, height: 900 } };
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const server = await createServer({ server: { port: 0, strictPort: false }, logLevel: 'error' });
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
});
const warm = await browser.newPage();
await warm.goto(address, { timeout: 60_000 });
await warm.close();
await mkdir(OUT, { recursive: true });
const faults = [];

for (const [name, { samples = false, query = '', go }] of SCENES) {
  if (ONLY && !name.match(ONLY)) continue;
  for (const language of ['en', 'fr']) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      // Light and dark differ by colours only, so each language is looked at in one size per theme.
      const theme = (language === 'en') === (size === 'large') ? 'light' : 'dark';
      const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: language });
      page.setDefaultTimeout(8000);
      // The desktop host freezes it, so what would break there breaks here.
      await page.addInitScript(() => Object.freeze(Object.prototype));
      page.on('pageerror', (error) => faults.push(`${name} ${language}: ${error.message}`));
      const search = [`language=${language}`, `theme=${theme}`, samples ? `samples=${language}` : '', query];
      if (!query.includes('delay')) search.push('delay=0');
      const label = `${name}-${language}-${theme}-${size}`;
      try {
        await page.goto(`${address}?${search.filter(Boolean).join('&')}`);
        await page.locator('[data-testid="nav-inbox"], [data-testid="start-failure"]').waitFor();
        await go(page);
        await page.waitForTimeout(250);
        await page.screenshot({ path: `${OUT}/${label}.png` });
        await page.evaluate(axeSource);
        const { violations } = await page.evaluate(() => window.axe.run());
        for (const { id, nodes } of violations) {
          faults.push(`${label}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
        }
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (sideways > 0) faults.push(`${label}: scrolls sideways by ${sideways} px`);
      } catch (error) {
        faults.push(`${label}: ${error.message}`);
        await page.screenshot({ path: `${OUT}/${label}.png` });
      }
      await page.close();
    }
  }
}

await browser.close();
await server.close();
console.log(faults.length > 0 ? faults.join('\n') : 'No faults.');
process.exitCode = faults.length > 0 ? 1 : 0;
