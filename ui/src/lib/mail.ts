/** Reads what a person pastes as a ticket: a whole mail whose first lines may name its subject. */

/** A subject and a message. */
export interface PastedMail {
  subject: string;
  body: string;
}

/** Takes the subject out of a pasted mail; undefined when its first line names none. */
export function readMail(text: string): PastedMail | undefined {
  const match =
    /^\s*(?:subject|objet|betreff|asunto|oggetto)[ \u00a0\u202f]*:[ \t\u00a0\u202f]*(.+)\r?\n?/i.exec(text);
  if (!match?.[1]) return undefined;
  return { subject: match[1].trim(), body: text.slice(match[0].length).trim() };
}
