/** Jobs and their items in words, pictures and tones: the same wherever they are shown. */
import type { EngineStatus, JobItemState, JobSummary, RecognitionProgress } from '../backend/wire';
import type { IconName } from '../kit/icons';
import { locale } from './i18n.svelte';
import { hasFailures } from './jobs.svelte';

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

/** How a state looks. */
export interface Look {
  tone: Tone;
  icon: IconName;
}

/** The look and the word of a job's state; work that ended with failures says so. */
export function stateOf(job: JobSummary): Look & { label: string } {
  const { t } = locale;
  const label = t(`job.state.${job.state}`);
  switch (job.state) {
    case 'queued':
      return { tone: 'neutral', icon: 'clock', label };
    case 'running':
      return { tone: 'accent', icon: 'progress', label };
    case 'paused':
      return { tone: 'warn', icon: 'pause', label };
    case 'cancelled':
      return { tone: 'neutral', icon: 'close', label };
    case 'failed':
      return { tone: 'bad', icon: 'alert', label };
    case 'done':
      return hasFailures(job)
        ? { tone: 'bad', icon: 'alert', label: t('job.state.doneWithFailures') }
        : { tone: 'good', icon: 'check', label };
  }
}

const ITEM_LOOKS: Record<JobItemState, Look> = {
  queued: { tone: 'neutral', icon: 'clock' },
  reading: { tone: 'accent', icon: 'progress' },
  splitting: { tone: 'accent', icon: 'progress' },
  embedding: { tone: 'accent', icon: 'progress' },
  ready: { tone: 'good', icon: 'check' },
  failed: { tone: 'bad', icon: 'alert' },
  already_here: { tone: 'good', icon: 'copy' },
  skipped: { tone: 'neutral', icon: 'skip' },
  cancelled: { tone: 'neutral', icon: 'close' },
};

/** The look and the word of an item's state. */
export function itemStateOf(state: JobItemState): Look & { label: string } {
  return { ...ITEM_LOOKS[state], label: locale.t(`item.${state}`) };
}

/** Whether an item is being worked on. */
export function isBusy(state: JobItemState): boolean {
  return state === 'reading' || state === 'splitting' || state === 'embedding';
}

/** What a job is at, in one line. */
export function doing(
  job: JobSummary,
  engine: EngineStatus,
  recognition?: RecognitionProgress & { title: string },
): string {
  const { t } = locale;
  if (job.state === 'paused') return t('job.pausedHere');
  if (job.state === 'queued') return engine.state === 'loading' ? t('job.waiting') : t('job.queuedHere');
  const title = job.current;
  if (recognition && recognition.title) {
    const page = Math.min(recognition.pagesDone + 1, recognition.pagesTotal);
    const total = String(recognition.pagesTotal);
    return t('job.recognising', { title: recognition.title, page: String(page), total });
  }
  if (title && job.step === 'reading') return t('job.reading', { title });
  if (title && job.step === 'indexing') return t('job.indexing', { title });
  if (job.step === 'indexing' && engine.state === 'loading') return t('job.waiting');
  const step = job.step ?? 'finding';
  return t(`job.step.${step}`);
}

/** How far a job is: files, failures, pace and time left. */
export function factsOf(job: JobSummary): string {
  const { t, number, duration } = locale;
  const { itemsDone: done, itemsTotal: total, chunksPerMinute: pace, remainingMs } = job;
  if (total === 0) return '';
  return [
    t('job.items', { done, total }),
    ...(job.itemsFailed > 0 ? [t('job.failed', { count: job.itemsFailed })] : []),
    ...(pace === null ? [] : [t('job.perMinute', { rate: number(pace) })]),
    ...(remainingMs ? [t('job.left', { duration: duration(remainingMs) })] : []),
  ].join(' · ');
}

/** What became of a job's items, where they are not simply ready. */
export function outcomeOf(job: JobSummary): string {
  const { t } = locale;
  const { itemsDone, itemsTotal, itemsFailed, itemsAlreadyHere, itemsSkipped, itemsFlagged } = job;
  return [
    t('job.items', { done: itemsDone, total: itemsTotal }),
    ...(itemsFailed > 0 ? [t('job.failed', { count: itemsFailed })] : []),
    ...(itemsAlreadyHere > 0 ? [t('job.alreadyHere', { count: itemsAlreadyHere })] : []),
    ...(itemsSkipped > 0 ? [t('job.skipped', { count: itemsSkipped })] : []),
    ...(itemsFlagged > 0 ? [t('job.flagged', { count: itemsFlagged })] : []),
  ].join(' · ');
}

/**
 * How much of a job is done, between 0 and 1, or undefined while that cannot be told. Passages count within
 * the items that are known, so that one long document moves it too.
 */
export function shareOf(job: JobSummary, recognition?: RecognitionProgress): number | undefined {
  const { itemsDone, itemsTotal, chunksDone, chunksTotal } = job;
  if (itemsTotal === 0) return undefined;
  const items = itemsDone / itemsTotal;
  if (recognition) {
    return Math.min(1, items + recognition.pagesDone / (recognition.pagesTotal + 1) / itemsTotal);
  }
  if (job.step === 'finding' || chunksTotal === 0) return items;
  const chunks = chunksDone / chunksTotal;
  return Math.min(1, Math.max(items, itemsTotal === 1 ? chunks : items + (chunks - items) / itemsTotal));
}
