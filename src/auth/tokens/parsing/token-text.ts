import { hash, randomBytes } from 'node:crypto';

/** Every token begins with this, so that it is recognised among passwords, and by scanners of source code. */
export const TOKEN_PREFIX = 'offt_';

const RANDOM_BYTES = 32;

/** A new token: the prefix and 256 random bits as 43 characters of base64url. It contains no colon. */
export function generateToken(): string {
  return TOKEN_PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether a password is meant as a token. No user's password begins like one. */
export function isTokenText(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX);
}

/** The digest under which a token is stored. A token is random, so a fast digest is as hard to reverse as a slow one. */
export function digestOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
