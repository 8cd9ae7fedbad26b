import { createHmac, timingSafeEqual } from 'node:crypto';

const LONGEST = 500;

/** A longer message is cut, and ends with "…". */
function shortened(message: string): string {
  return message.length > LONGEST ? `${message.slice(0, LONGEST - 1)}…` : message;
}

/**
 * A message for the next page, as a query: what a form has done. It is signed for the session, so that no link can make the
 * console say something. An address ends up in logs of proxies, so the message names ids and figures, never persons.
 */
export function flashQuery(whole: string, formToken: string): string {
  const message = shortened(whole);
  return new URLSearchParams({ flash: message, mac: macOf(message, formToken) }).toString();
}

/** The message in the query of a page; undefined if there is none, or if it is not of this session. */
export function readFlash(query: Readonly<Record<string, unknown>>, formToken: string): string | undefined {
  const { flash, mac } = query;
  if (typeof flash !== 'string' || typeof mac !== 'string' || flash.length > LONGEST) return undefined;
  const [sent, expected] = [Buffer.from(mac), Buffer.from(macOf(flash, formToken))];
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? flash : undefined;
}

function macOf(message: string, formToken: string): string {
  return createHmac('sha256', formToken).update(`flash ${message}`).digest('base64url').slice(0, 22);
}
