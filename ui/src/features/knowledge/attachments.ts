/** How a source stands in a base: the word and the look, the same in the library and beside its text. */
import type { DocumentStatus, SourceAttachment } from '../../backend/wire';
import type { IconName } from '../../kit/icons';
import { locale } from '../../lib/i18n.svelte';

interface Look {
  tone: 'neutral' | 'good' | 'bad' | 'accent';
  icon: IconName;
  isBusy: boolean;
  label: string;
}

const LOOKS = {
  queued: { tone: 'neutral', icon: 'clock' },
  indexing: { tone: 'accent', icon: 'progress' },
  ready: { tone: 'good', icon: 'check' },
  error: { tone: 'bad', icon: 'alert' },
} as const satisfies Record<DocumentStatus, Pick<Look, 'tone' | 'icon'>>;

export function attachmentLook({ status, isEnabled }: SourceAttachment): Look {
  if (status === 'ready' && !isEnabled) {
    return { tone: 'neutral', icon: 'eyeOff', isBusy: false, label: locale.t('document.disabled') };
  }
  return { ...LOOKS[status], isBusy: status === 'indexing', label: locale.t(`document.status.${status}`) };
}
