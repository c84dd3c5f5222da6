/**
 * The in-memory host in a browser, for developing screens and taking their pictures. The query says what it
 * holds: `samples=en|fr`, `delay=ms`, `unsupported`, `recognition=none`, `engine=loading|failed`, `start=` with the code that
 * the settings are refused with, `language=`, `theme=`; dragging
 * real files over the page stands for dragging them over the window.
 */
import { refusal } from '../errors';
import { createMemoryBackend, MEMORY_ENGINE, type MemoryBackend } from '../memory';
import type { EngineStatus, ErrorCode, Language, Theme } from '../wire';

export async function developmentBackend(query: URLSearchParams): Promise<MemoryBackend> {
  const samples = query.get('samples');
  const backend = await createMemoryBackend({
    ...(samples === 'en' || samples === 'fr' ? { samples } : {}),
    canRecognise: query.get('recognition') !== 'none',
    withUnsupported: query.has('unsupported'),
    engine: engineFor(query.get('engine')),
    delayMs: Number(query.get('delay') ?? 300),
  });
  backend.store.settings.language = query.get('language') as Language | null;
  backend.store.settings.theme = query.get('theme') as Theme | null;
  backend.picks = {
    files: ['/home/user/faq.md', '/home/user/faq-empty.md', '/home/user/photo.png'],
    folder: '/home/user/help',
  };
  const start = query.get('start') as ErrorCode | null;
  if (start) backend.refuseNext('settings.getSettings', refusal(start, 'The data could not be opened.'));
  forwardDrags(backend);
  Object.assign(window, { ancre: backend });
  return backend;
}

function engineFor(state: string | null): EngineStatus {
  if (state === 'loading') return { state: 'loading' };
  if (state === 'failed') return { state: 'failed', error: refusal('model_missing', 'There is no model.') };
  return MEMORY_ENGINE;
}

function forwardDrags(backend: MemoryBackend): void {
  const here = ({ clientX, clientY }: DragEvent) => ({ position: { x: clientX, y: clientY } });
  const paths = (event: DragEvent) =>
    Array.from(event.dataTransfer?.files ?? [], (file) => `/home/user/${file.name}`);
  addEventListener('dragenter', (event) => {
    if (!event.relatedTarget) backend.drag({ type: 'enter', paths: paths(event), ...here(event) });
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) backend.drag({ type: 'leave' });
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    backend.drag({ type: 'drop', paths: paths(event), ...here(event) });
  });
}
