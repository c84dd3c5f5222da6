/** The actions that are there wherever the person is: the places, what can be made, language and theme, closing. */
import type { Host } from '../backend/backend';
import type { Language, Theme } from '../backend/wire';
import type { PaletteAction } from '../kit/palette-action';
import { locale } from '../lib/i18n.svelte';
import { LANGUAGES, MOD } from '../lib/keys';
import { attempt } from '../lib/report';
import { NEW, PLACES, route } from '../lib/route.svelte';
import type { Session } from '../lib/session.svelte';
import { PLACE_ICONS } from './places';

export function shellActions(session: Session, host: Host): PaletteAction[] {
  const { t } = locale;
  const make = { group: t('palette.group.make'), icon: 'plus' as const };
  const leave = { group: t('palette.group.window'), icon: 'close' as const };
  const look = { group: t('palette.group.look') };
  const language = (value: Language | null, name: string): PaletteAction => ({
    ...look,
    id: `language-${value ?? 'system'}`,
    label: t('palette.language', { language: name }),
    run: () => void attempt(() => session.setLanguage(value)),
  });
  const theme = (value: Theme | null, name: string): PaletteAction => ({
    ...look,
    id: `theme-${value ?? 'system'}`,
    label: t('palette.theme', { theme: name }),
    run: () => void attempt(() => session.setTheme(value)),
  });
  return [
    {
      ...make,
      id: 'new-ticket',
      label: t('inbox.newTicket'),
      keys: ['N'],
      run: () => route.go({ place: 'inbox', id: NEW }),
    },
    {
      ...make,
      id: 'new-base',
      label: t('knowledge.new'),
      run: () => route.go({ place: 'knowledge', id: NEW }),
    },
    { ...make, id: 'new-agent', label: t('agents.new'), run: () => route.go({ place: 'agents', id: NEW }) },
    ...PLACES.map((place, index): PaletteAction => ({
      id: `go-${place}`,
      group: t('palette.group.go'),
      label: t('palette.goTo', { place: t(`nav.${place}`) }),
      icon: PLACE_ICONS[place],
      keys: [MOD, String(index + 1)],
      run: () => route.go({ place }),
    })),
    language('en', LANGUAGES.en),
    language('fr', LANGUAGES.fr),
    language(null, t('settings.system')),
    theme('light', t('settings.light')),
    theme('dark', t('settings.dark')),
    theme(null, t('settings.system')),
    {
      ...leave,
      id: 'close-window',
      label: t('palette.closeWindow'),
      run: () => void attempt(() => host.closeWindow()),
    },
    { ...leave, id: 'quit', label: t('palette.quit'), run: () => void attempt(() => host.quit()) },
  ];
}
