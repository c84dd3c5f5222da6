/**
 * Starts the interface in its host. In a browser during development there is no host, and an in-memory twin
 * stands in for it, set up by the address's query (`?samples=fr&delay=0`); production bundles leave it out.
 */
import '@fontsource-variable/source-sans-3/wght.css';
import { mount } from 'svelte';
import type { Backend } from './backend/backend';
import './kit/tokens.css';
import './kit/base.css';
import App from './shell/App.svelte';

async function connect(): Promise<Backend> {
  if (import.meta.env.DEV && !('__TAURI_INTERNALS__' in window)) {
    const { developmentBackend } = await import('./backend/memory/development');
    return developmentBackend(new URLSearchParams(location.search));
  }
  const tauri = await import('./backend/tauri');
  return tauri.connect();
}

const backend = await connect();
const target = document.getElementById('app');
if (target) mount(App, { target, props: { backend } });
