/** Agents, tickets and drafts over what the in-memory host holds. Only for tests and development. */
import { refusal } from '../errors';
import type { Operations } from '../operations';
import { agentFor, compose } from './drafting';
import { pageOf, type Store } from './store';

export function deskOver(
  store: Store,
  pause: () => Promise<void>,
  withUnsupported: boolean,
): Operations['desk'] {
  return {
    listAgents: async () => [...store.agents.values()].sort((a, b) => a.name.localeCompare(b.name)),
    getAgent: async ({ agentId }) => store.get(store.agents, agentId),
    createAgent: async (details) => {
      if ([...store.agents.values()].some((agent) => agent.name === details.name)) {
        throw refusal('name_taken', 'This name is taken.');
      }
      const now = Date.now();
      const agent = { ...details, id: store.id(), projectId: 'default', createdAt: now, updatedAt: now };
      store.agents.set(agent.id, agent);
      store.emit({ type: 'agents_changed' });
      return agent;
    },
    updateAgent: async ({ agentId, details }) => {
      const agent = { ...store.get(store.agents, agentId), ...details, updatedAt: Date.now() };
      store.agents.set(agentId, agent);
      store.emit({ type: 'agents_changed' });
      return agent;
    },
    deleteAgent: async ({ agentId }) => {
      store.agents.delete(agentId);
      store.emit({ type: 'agents_changed' });
      return {};
    },
    listTickets: async ({ page }) => {
      const summaries = [...store.tickets.values()].reverse().map(({ ticket, messages, drafts }) => ({
        ...ticket,
        preview: messages[0]?.body.replace(/\s+/g, ' ').slice(0, 120) ?? '',
        agentName: ticket.agentId ? (store.agents.get(ticket.agentId)?.name ?? null) : null,
        latestRunStatus: drafts.at(-1)?.status ?? null,
      }));
      return pageOf(summaries, page);
    },
    createTicket: async ({ subject, body, agentId }) => {
      if (!body.trim()) throw refusal('invalid_input', 'The message is empty.');
      const now = Date.now();
      const id = store.id();
      store.tickets.set(id, {
        ticket: {
          id,
          projectId: 'default',
          subject: subject?.trim() || body.trim().split('\n')[0]!.slice(0, 80),
          status: 'open',
          agentId: agentId ?? null,
          createdAt: now,
          updatedAt: now,
        },
        messages: [
          {
            id: store.id(),
            ticketId: id,
            direction: 'inbound',
            body,
            language: null,
            runId: null,
            createdAt: now,
          },
        ],
        drafts: [],
      });
      store.emit({ type: 'tickets_changed' });
      return store.view(id);
    },
    getTicket: async ({ ticketId }) => store.view(ticketId),
    deleteTicket: async ({ ticketId }) => {
      store.get(store.tickets, ticketId);
      store.tickets.delete(ticketId);
      store.emit({ type: 'tickets_changed' });
      return {};
    },
    draftReply: async ({ ticketId, agentId }, onProgress) => {
      const stored = store.get(store.tickets, ticketId);
      const agent = agentFor(store, stored, agentId);
      for (const step of ['searching', 'writing', 'checking'] as const) {
        onProgress?.(step);
        await pause();
      }
      const draft = compose(store, stored, agent, withUnsupported);
      stored.drafts.push(draft);
      Object.assign(stored.ticket, { status: 'drafted', agentId: agent.id, updatedAt: Date.now() });
      store.emit({ type: 'ticket_drafted', ticketId });
      store.emit({ type: 'tickets_changed' });
      return draft;
    },
    getPassage: async ({ messageId, number }) => store.get(store.passages, `${messageId}/${number}`),
  };
}
