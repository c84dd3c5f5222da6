/**
 * How the in-memory host answers a ticket: it takes the sentences that share words with the question. It
 * shows every state that a draft can have, and is no measure of how the real one answers. Only for tests
 * and development.
 */
import { refusal } from '../errors';
import type { Agent, Draft, DraftCitation, Language, PassageView, Sentence } from '../wire';
import type { Store, StoredDocument, StoredTicket } from './store';

interface Found {
  stored: StoredDocument;
  chunk: number;
  sentence: string;
  words: number;
}

const PHRASES: Record<Language, { opening: string; closing: string; nothing: string; claim: string }> = {
  en: {
    opening: 'Hello, thank you for your message.',
    closing: 'Kind regards,',
    nothing: 'We have found nothing about this in our documents and will look into it.',
    claim: 'We will call you back tomorrow.',
  },
  fr: {
    opening: 'Bonjour, merci pour votre message.',
    closing: 'Cordialement,',
    nothing: "Nous n'avons rien trouvé à ce sujet dans nos documents et allons nous renseigner.",
    claim: 'Nous vous rappellerons demain.',
  },
};

/** The agent that answers: the one asked for, the ticket's own, or the only one. */
export function agentFor(store: Store, ticket: StoredTicket, agentId: string | undefined): Agent {
  const [only, ...others] = store.agents.values();
  const chosen = agentId ?? ticket.ticket.agentId;
  const agent = chosen ? store.get(store.agents, chosen) : others.length === 0 ? only : undefined;
  if (!agent) throw refusal('invalid_input', 'There is no agent to answer.');
  if (agent.kbIds.length === 0) throw refusal('agent_without_bases', 'This agent has no base.');
  return agent;
}

/** Writes a draft and keeps its passages. */
export function compose(store: Store, stored: StoredTicket, agent: Agent, withClaim: boolean): Draft {
  const question = stored.messages.map((message) => message.body).join(' ');
  const language: Language = /\b(le|la|est|vous|vieilles)\b/.test(question) ? 'fr' : 'en';
  const phrases = PHRASES[language];
  const messageId = store.id();
  const found = sentencesFor(store, agent, question);
  const numbers = new Map<string, number>();
  const citations: DraftCitation[] = [];
  const body = found.map((hit, at): Sentence => {
    const number = cite(store, messageId, numbers, citations, hit);
    return { text: hit.sentence, citations: [number], support: 'supported', startsParagraph: at === 0 };
  });
  if (body.length === 0) body.push(plain(phrases.nothing, true));
  else if (withClaim) body.push({ ...plain(phrases.claim, false), support: 'unsupported' });
  const sentences = [
    plain(phrases.opening, false),
    ...body,
    plain(`${phrases.closing} ${agent.signature || agent.name}`, true),
  ];
  return {
    runId: store.id(),
    ticketId: stored.ticket.id,
    messageId,
    status: found.length > 0 ? 'drafted' : 'no_evidence',
    agent: agent.name,
    risk: null,
    language,
    text: textOf(sentences),
    citations,
    sentences,
    reason: found.length > 0 ? null : 'No passage answers the question.',
    search: {
      mode: agent.searchMode,
      topK: agent.topK,
      maxDistance: agent.maxDistance,
      indexes: [],
    },
    timings: { searchMs: 12, generateMs: 31 },
    createdAt: Date.now(),
  };
}

function plain(text: string, startsParagraph: boolean): Sentence {
  return { text, citations: [], support: 'no_claim', startsParagraph };
}

function textOf(sentences: readonly Sentence[]): string {
  return sentences
    .map((sentence, at) => {
      const gap = at === 0 ? '' : sentence.startsParagraph ? '\n\n' : ' ';
      return gap + sentence.text + sentence.citations.map((number) => ` [${number}]`).join('');
    })
    .join('');
}

function sentencesFor(store: Store, agent: Agent, question: string): Found[] {
  const asked = stems(question);
  return [...store.documents.values()]
    .filter(({ document }) => agent.kbIds.includes(document.kbId) && document.status === 'ready')
    .flatMap((stored) =>
      stored.chunks.flatMap((range, chunk) =>
        stored.text
          .slice(range.start, range.end)
          .replace(/^#.*$/gm, '')
          .split(/(?<=[.!?])\s+/)
          .map((sentence) => sentence.trim())
          .filter(Boolean)
          .map((sentence) => ({
            stored,
            chunk,
            sentence,
            words: [...stems(sentence)].filter((stem) => asked.has(stem)).length,
          })),
      ),
    )
    .filter((hit) => hit.words >= 2)
    .sort((a, b) => b.words - a.words)
    .slice(0, 4);
}

function stems(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5)));
}

function cite(
  store: Store,
  messageId: string,
  numbers: Map<string, number>,
  citations: DraftCitation[],
  { stored, chunk, sentence, words }: Found,
): number {
  const { document, text } = stored;
  const range = stored.chunks[chunk] ?? { start: 0, end: text.length };
  const content = text.slice(range.start, range.end);
  const at = content.indexOf(sentence);
  const used = { start: at, end: at + sentence.length };
  const known = numbers.get(`${document.id}/${chunk}`);
  if (known) {
    store.passages.get(`${messageId}/${known}`)?.usedRanges.push(used);
    return known;
  }
  const number = citations.length + 1;
  numbers.set(`${document.id}/${chunk}`, number);
  const page = stored.pagination?.pages.findLast(({ start }) => start <= range.start);
  const source = {
    documentTitle: document.title,
    sourceUri: document.sourceUri,
    page: page?.number ?? null,
    pageKind: page ? (stored.pagination?.kind ?? null) : null,
    pageLabel: page?.label ?? null,
  };
  citations.push({
    number,
    chunkId: `${document.id}${chunk}`,
    ...source,
    contentPreview: content.slice(0, 80),
  });
  const headings = stored.outline.filter((heading) => heading.start <= range.start + at);
  const passage: PassageView = {
    number,
    ...source,
    sourceKind: document.sourceKind,
    sourceId: document.sourceId,
    documentId: document.id,
    kbId: document.kbId,
    kbName: store.get(store.bases, document.kbId).name,
    content,
    usedRanges: [used],
    position: chunk,
    range,
    heading: headings.at(-1)?.title ?? null,
    distance: Math.round(1000 * (0.31 - 0.028 * words)) / 1000,
    isDocumentThere: true,
    createdAt: Date.now(),
  };
  store.passages.set(`${messageId}/${number}`, passage);
  return number;
}
