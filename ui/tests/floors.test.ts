/** The floors of the interface: who may import whom, read from the files themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

interface Import {
  file: string;
  target: string;
}

const imports: Import[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name))
  .flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
    return [...found].map(([, target = '']) => ({
      file: file.replaceAll('\\', '/'),
      target: target.startsWith('.')
        ? relative(SRC, resolve(SRC, dirname(file), target)).replaceAll('\\', '/')
        : target,
    }));
  });

function offending(isWrong: (one: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ file, target }) => `${file} imports ${target}`);
}

test('imports are found at all', () => expect(imports.length).toBeGreaterThan(100));

test('only the backend knows Tauri', () => {
  expect(
    offending(({ file, target }) => target.startsWith('@tauri-apps/') && file !== 'backend/tauri.ts'),
  ).toEqual([]);
});

test('features do not import each other', () => {
  const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];
  expect(
    offending(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)];
      return from !== undefined && to !== undefined && from !== to;
    }),
  ).toEqual([]);
});

test('the kit knows nothing of the product', () => {
  expect(
    offending(
      ({ file, target }) => file.startsWith('kit/') && /^(backend|features|lib|shell)\//.test(target),
    ),
  ).toEqual([]);
});

test('nothing below imports what is above', () => {
  expect(
    offending(
      ({ file, target }) =>
        (/^(lib|backend)\//.test(file) && /^(features|shell)\//.test(target)) ||
        (file.startsWith('features/') && target.startsWith('shell/')) ||
        (file.startsWith('backend/') && /^(lib|kit)\//.test(target)),
    ),
  ).toEqual([]);
});

test('the in-memory host is reached only from the development branch', () => {
  expect(
    offending(
      ({ file, target }) =>
        /^backend\/memory/.test(target) && !/^backend\/memory/.test(file) && file !== 'main.ts',
    ),
  ).toEqual([]);
});
