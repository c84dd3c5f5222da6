/**
 * The items of a job, by what the host can be asked for: a state, or a range of the list. It has no question
 * for items with warnings, so these are looked for through the list, which is only done where its job's
 * record says that there are some.
 */
import type { Backend } from '../backend/backend';
import type { JobId, JobItem, JobItemState } from '../backend/wire';

type Rag = Pick<Backend['rag'], 'listJobItems'>;

/** Items that are fetched at once. */
const PAGE_SIZE = 500;

/** The first items that stand somewhere. */
export async function itemsIn(rag: Rag, jobId: JobId, state: JobItemState, most: number): Promise<JobItem[]> {
  const { items } = await rag.listJobItems({ jobId, state, page: { offset: 0, limit: most } });
  return items;
}

/** The first items with warnings. */
export async function flaggedItems(rag: Rag, jobId: JobId, most = Infinity): Promise<JobItem[]> {
  const flagged: JobItem[] = [];
  for (let offset = 0; flagged.length < most; offset += PAGE_SIZE) {
    const { items, total } = await rag.listJobItems({ jobId, page: { offset, limit: PAGE_SIZE } });
    flagged.push(...items.filter(({ warnings }) => warnings.length > 0));
    if (items.length === 0 || offset + items.length >= total) break;
  }
  return flagged.slice(0, most);
}

/** The item of a number, wherever it is in the list. */
export async function itemNumbered(rag: Rag, jobId: JobId, number: number): Promise<JobItem | undefined> {
  const { items } = await rag.listJobItems({ jobId, page: { offset: number - 1, limit: 1 } });
  if (items[0]?.number === number) return items[0];
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { items: some, total } = await rag.listJobItems({ jobId, page: { offset, limit: PAGE_SIZE } });
    const found = some.find((item) => item.number === number);
    if (found || some.length === 0 || offset + some.length >= total) return found;
  }
}
