/**
 * The one door between the interface and whatever hosts it. Screens see this type and nothing else, so the
 * same screens run in the desktop window (`tauri.ts`) and over an in-memory twin (`memory.ts`) in tests and
 * in a browser during development.
 */
import type { Operations } from './operations';
import type { DocumentId, Event, Language } from './wire';

/** A place in the window, in CSS pixels. */
export interface DropPosition {
  x: number;
  y: number;
}

/** What happens while files are dragged over the window. */
export type FileDrop =
  | { type: 'enter'; paths: string[]; position: DropPosition }
  | { type: 'over'; position: DropPosition }
  | { type: 'leave' }
  | { type: 'drop'; paths: string[]; position: DropPosition };

/** A window that is asked to close for the first time while there is work. */
export interface Closing {
  /** Whether Ancre is found in the notification area; else the window becomes small. */
  hasTray: boolean;
}

/** Stops a subscription; calling it twice does nothing. */
export type Unsubscribe = () => void;

/** What only the surrounding system can do. */
export interface Host {
  /** Lets the person pick files; an empty list when they changed their mind. */
  pickFiles(): Promise<string[]>;
  /** Lets the person pick one file; `null` when they changed their mind. */
  pickFile(): Promise<string | null>;
  /** Lets the person pick a folder; `null` when they changed their mind. */
  pickFolder(): Promise<string | null>;
  /** Listens to files being dragged over the window. */
  onFileDrop(listener: (drop: FileDrop) => void): Unsubscribe;
  /** Opens the original of a document with the program that the system has for it. */
  openSource(documentId: DocumentId): Promise<void>;
  /** Shows the data folder in the system's file manager. */
  revealDataFolder(): Promise<void>;
  /** Listens to a window that waits until the person knows what closing it means. */
  onClosing(listener: (closing: Closing) => void): Unsubscribe;
  /** Closes the window as its own cross does. */
  closeWindow(): Promise<void>;
  /** Ends the program; work goes on at the next start. */
  quit(): Promise<void>;
  /** Lets what the host says by itself speak this language. */
  setLanguage(language: Language): Promise<void>;
}

/** Everything that a screen can ask or be told. */
export interface Backend extends Operations {
  /** Listens to what happens; every window hears everything. */
  subscribe(listener: (event: Event) => void): Unsubscribe;
  host: Host;
}
