/**
 * The desktop host behind the door. This is the only file that imports `@tauri-apps/*`; it forwards and
 * translates, and decides nothing.
 */
import { Channel, invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { open } from '@tauri-apps/plugin-dialog';
import type { Backend, Closing, DropPosition, FileDrop, Host, Unsubscribe } from './backend';
import { toWireError } from './errors';
import { operationsOver, type Call } from './operations';
import type { Event } from './wire';

/** The name under which the host sends every [`Event`]. */
const EVENT = 'ancre://event';
/** The name under which the host says that the window waits with its closing. */
const CLOSING = 'ancre://closing';

const call: Call = async (group, name, input, onProgress) => {
  const channel = onProgress ? new Channel<never>(onProgress) : null;
  try {
    return await invoke(`plugin:${group}|${name}`, { input, onProgress: channel });
  } catch (refusal) {
    throw toWireError(refusal);
  }
};

async function command(name: string, input?: Record<string, unknown>): Promise<void> {
  try {
    await invoke(name, input);
  } catch (refusal) {
    throw toWireError(refusal);
  }
}

/** The host speaks in physical pixels, the page in CSS pixels. */
function inCssPixels(position: { x: number; y: number }): DropPosition {
  return { x: position.x / window.devicePixelRatio, y: position.y / window.devicePixelRatio };
}

function onFileDrop(listener: (drop: FileDrop) => void): Unsubscribe {
  const registered = getCurrentWebview().onDragDropEvent(({ payload }) => {
    switch (payload.type) {
      case 'enter':
      case 'drop':
        return listener({
          type: payload.type,
          paths: payload.paths,
          position: inCssPixels(payload.position),
        });
      case 'over':
        return listener({ type: 'over', position: inCssPixels(payload.position) });
      case 'leave':
        return listener({ type: 'leave' });
    }
  });
  return () => void registered.then((unlisten) => unlisten());
}

function onClosing(listener: (closing: Closing) => void): Unsubscribe {
  const registered = listen<Closing>(CLOSING, ({ payload }) => listener(payload));
  return () => void registered.then((unlisten) => unlisten());
}

const host: Host = {
  pickFiles: async () => (await open({ multiple: true, directory: false })) ?? [],
  pickFile: async () => await open({ multiple: false, directory: false }),
  pickFolder: async () => await open({ multiple: false, directory: true, recursive: true }),
  onFileDrop,
  openSource: (documentId) => command('open_source', { documentId }),
  revealDataFolder: () => command('reveal_data_folder'),
  onClosing,
  closeWindow: () => command('close_window'),
  quit: () => command('quit'),
  setLanguage: (language) => command('set_host_language', { language }),
};

/** Connects to the desktop host; resolves once events are heard, so that none is missed. */
export async function connect(): Promise<Backend> {
  const listeners = new Set<(event: Event) => void>();
  await listen<Event>(EVENT, ({ payload }) => {
    for (const listener of listeners) listener(payload);
  });
  return {
    ...operationsOver(call),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    host,
  };
}
