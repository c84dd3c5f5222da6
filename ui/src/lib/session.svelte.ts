/**
 * What every screen may want to know: the settings and the state of the embedding model. Language and theme
 * take effect here, at once and before the host has stored them.
 */
import { createContext } from 'svelte';
import type { Backend, Unsubscribe } from '../backend/backend';
import { toWireError } from '../backend/errors';
import type {
  EngineStatus,
  Language,
  Settings,
  Theme,
  UpdateSettings,
  WhenClosed,
  WireError,
} from '../backend/wire';
import { locale, systemLanguage } from './i18n.svelte';

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** The settings and the model's state, kept current. */
export class Session {
  settings = $state.raw<Settings>();
  engine = $state.raw<EngineStatus>({ state: 'loading' });
  error = $state.raw<WireError>();
  readonly #backend: Backend;
  #waiting: Array<() => void> = [];

  constructor(backend: Backend) {
    this.#backend = backend;
    locale.language = systemLanguage();
    this.#showTheme(null);
  }

  /** Reads the settings and follows their changes until the answer is called. */
  start(): Unsubscribe {
    void this.refresh();
    const followSystem = () => this.#showTheme(this.settings?.theme ?? null);
    darkSystem.addEventListener('change', followSystem);
    const unsubscribe = this.#backend.subscribe((event) => {
      if (event.type === 'engine_changed') this.#setEngine(event);
      if (event.type === 'settings_changed') void this.refresh();
      if (event.type === 'knowledge_bases_changed' || event.type === 'tickets_changed') this.#noteFirst();
    });
    return () => {
      unsubscribe();
      darkSystem.removeEventListener('change', followSystem);
    };
  }

  async refresh(): Promise<void> {
    try {
      this.#apply(await this.#backend.settings.getSettings());
      this.error = undefined;
    } catch (caught) {
      this.error = toWireError(caught);
    }
  }

  async setLanguage(language: Language | null): Promise<void> {
    locale.language = language ?? systemLanguage();
    await this.#update({ language });
  }

  async setTheme(theme: Theme | null): Promise<void> {
    this.#showTheme(theme);
    await this.#update({ theme });
  }

  async setWhenClosed(whenClosed: WhenClosed): Promise<void> {
    await this.#update({ whenClosed });
  }

  /** Tries again to load the model. */
  async reloadEngine(): Promise<void> {
    this.engine = { state: 'loading' };
    this.#setEngine(await this.#backend.settings.reloadEngine());
  }

  /** Resolves once the model can be used; throws why it cannot. */
  async whenReady(): Promise<void> {
    while (this.engine.state === 'loading') {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.engine.state === 'failed') throw this.engine.error;
  }

  async #update(change: UpdateSettings): Promise<void> {
    if (this.settings) this.settings = { ...this.settings, ...change };
    this.#apply(await this.#backend.settings.updateSettings(change));
  }

  #apply(settings: Settings): void {
    this.settings = settings;
    this.#setEngine(settings.engine);
    locale.language = settings.language ?? systemLanguage();
    this.#showTheme(settings.theme);
  }

  #setEngine(engine: EngineStatus): void {
    this.engine = engine;
    if (engine.state === 'loading') return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The first base or ticket ends the welcome. */
  #noteFirst(): void {
    if (this.settings?.isEmpty) void this.refresh();
  }

  #showTheme(theme: Theme | null): void {
    document.documentElement.dataset.theme = theme ?? (darkSystem.matches ? 'dark' : 'light');
  }
}

/** `useSession` inside components; `provideSession` once, at the top. */
export const [useSession, provideSession] = createContext<Session>();
