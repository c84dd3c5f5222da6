/**
 * What the palette lists: the shell and the screens make such actions, the palette finds them by name. A
 * file of its own, so that those who offer actions need not import the component.
 */
import type { IconName } from './icons';

/** An action that can be found by its name. */
export interface PaletteAction {
  id: string;
  group: string;
  label: string;
  icon?: IconName;
  keys?: readonly string[];
  run: () => void;
}
