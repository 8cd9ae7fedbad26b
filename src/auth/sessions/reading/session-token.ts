import { createHash, createHmac, randomBytes } from 'node:crypto';

const BYTES = 32;
/** 32 bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

/** A new token of a session, which only the cookie holds. */
export function generateSessionToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Whether a text has the form of a token. */
export function isSessionToken(text: string): boolean {
  return FORM.test(text);
}

/** The SHA-256 of a token, which the database holds. Nobody can try all tokens, so a fast digest is enough. */
export function digestOfSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The text that each form of a session must contain. A page of another site cannot know it. */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}
