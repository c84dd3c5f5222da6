/**
 * Hands the backend down the component tree, so that a screen names what it needs and a test can put
 * another backend around it.
 */
import { createContext } from 'svelte';
import type { Backend } from './backend';

/** `useBackend` inside components; `provideBackend` once, at the top. */
export const [useBackend, provideBackend] = createContext<Backend>();
