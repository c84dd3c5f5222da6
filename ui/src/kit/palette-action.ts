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
