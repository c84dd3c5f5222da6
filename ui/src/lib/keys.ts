/** Keys: which modifier this system uses, and when typing must not be taken for a shortcut. */

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the key that goes with letters for commands. */
export const MOD = isApple ? '⌘' : 'Ctrl';

/** Whether that key is held. */
export function hasMod(event: KeyboardEvent): boolean {
  return isApple ? event.metaKey : event.ctrlKey;
}

/** Whether the person is writing, or has a dialog open that owns the keys. */
export function isTyping(event: Event): boolean {
  const target = event.target as Element | null;
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return true;
  return !!target?.closest?.('input, textarea, select, [contenteditable="true"]');
}

/** What can be done by keys, for the list in the settings; each way is pressed together or one by one. */
export const SHORTCUTS = [
  { key: 'shortcut.palette', ways: [[MOD, 'K']] },
  {
    key: 'shortcut.places',
    ways: [
      [MOD, '1–6'],
      ['G', 'I K A F S P'],
    ],
  },
  { key: 'shortcut.search', ways: [['/']] },
  { key: 'shortcut.newTicket', ways: [['N']] },
  { key: 'shortcut.draft', ways: [[MOD, '↵']] },
  { key: 'shortcut.lists', ways: [['↑', '↓']] },
  {
    key: 'shortcut.walk',
    ways: [
      ['←', '→'],
      ['J', 'K'],
    ],
  },
  { key: 'shortcut.close', ways: [['Esc']] },
] as const;

/** The languages by their own names. */
export const LANGUAGES = { en: 'English', fr: 'Français' } as const;
