/** What a person sets of a base: the fields as they are typed, and what they mean. */
import type { Backend } from '../../backend/backend';
import type { ChunkingSettings, KnowledgeBaseSummary } from '../../backend/wire';

/** The limits of the host, in characters. */
const SIZE = { least: 100, most: 20_000 };

/** How texts are cut, as it is typed. */
export interface ChunkingFields {
  size: string;
  overlap: string;
}

export function chunkingFields({ size, overlap }: ChunkingSettings): ChunkingFields {
  return { size: String(size), overlap: String(overlap) };
}

/** What the fields mean; undefined while they mean nothing that the host would take. */
export function readChunking({ size, overlap }: ChunkingFields): ChunkingSettings | undefined {
  const read = (typed: string) => Number(typed.trim() || NaN);
  const chunking = { size: read(size), overlap: read(overlap) };
  const isSize = Number.isInteger(chunking.size) && chunking.size >= SIZE.least && chunking.size <= SIZE.most;
  const isOverlap =
    Number.isInteger(chunking.overlap) && chunking.overlap >= 0 && chunking.overlap <= chunking.size / 2;
  return isSize && isOverlap ? chunking : undefined;
}

/** Changes a base; how texts are cut applies at the next indexing. */
export function updateBase(
  backend: Backend,
  base: KnowledgeBaseSummary,
  details: { name: string; description: string; chunking: ChunkingSettings },
): Promise<KnowledgeBaseSummary> {
  return backend.rag.updateKnowledgeBase({
    kbId: base.id,
    name: details.name,
    description: details.description,
    chunkSize: details.chunking.size,
    chunkOverlap: details.chunking.overlap,
  });
}
