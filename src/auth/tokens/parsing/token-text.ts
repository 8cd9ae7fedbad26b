import { hash, randomBytes } from 'node:crypto';
import type { Mode } from '../../../config/index.js';

/** Every token begins with this, so that it is recognised among passwords, and by scanners of source code. */
export const TOKEN_PREFIX = 'offt_';

/** What the tokens of each mode begin with, so that one of the other mode is recognised without a look-up (ADR 61). */
const PREFIXES: Readonly<Record<Mode, string>> = { live: TOKEN_PREFIX, test: `${TOKEN_PREFIX}test_` };

const RANDOM_BYTES = 32;
/** The random part in base64url. */
const RANDOM_CHARACTERS = 43;

const TEST_TOKEN_LENGTH = PREFIXES.test.length + RANDOM_CHARACTERS;

/** A new token: the prefix of the mode and 256 random bits as 43 characters of base64url. It contains no colon. */
export function generateToken(mode: Mode): string {
  return PREFIXES[mode] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether a password is meant as a token. No user's password begins like one. */
export function isTokenText(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX);
}

/** The mode in which a token was made. The random part of a live token may begin as those of a test system do, but is shorter. */
export function modeOfToken(token: string): Mode {
  return token.length === TEST_TOKEN_LENGTH && token.startsWith(PREFIXES.test) ? 'test' : 'live';
}

/** The digest under which a token is stored. A token is random, so a fast digest is as hard to reverse as a slow one. */
export function digestOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
