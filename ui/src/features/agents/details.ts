/** What a person types about an agent, and what it means. */
import type { Agent, AgentDetails } from '../../backend/wire';
import { readDistance, readTopK } from '../../lib/limits';

/** The form's fields as they are typed. */
export interface AgentFields extends Omit<AgentDetails, 'topK' | 'maxDistance'> {
  topK: string;
  maxDistance: string;
}

/** The fields of an agent, or of one that is not made yet. */
export function fieldsOf(agent: Agent | undefined, decimal: string): AgentFields {
  return {
    name: agent?.name ?? '',
    description: agent?.description ?? '',
    instructions: agent?.instructions ?? '',
    kbIds: [...(agent?.kbIds ?? [])],
    topK: String(agent?.topK ?? 6),
    maxDistance: agent?.maxDistance == null ? '' : String(agent.maxDistance).replace('.', decimal),
    searchMode: agent?.searchMode ?? 'hybrid',
    signature: agent?.signature ?? '',
  };
}

/** The details that the fields mean; undefined while one of them is not right. */
export function detailsOf(fields: AgentFields): AgentDetails | undefined {
  const topK = readTopK(fields.topK);
  const maxDistance = readDistance(fields.maxDistance);
  const name = fields.name.trim();
  if (!name || topK === undefined || maxDistance === undefined) return undefined;
  return { ...fields, name, topK, maxDistance, kbIds: [...fields.kbIds] };
}
