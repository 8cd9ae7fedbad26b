import { randomBytes, randomInt } from 'node:crypto';
import { Algorithm, hash, type Options, verify } from '@node-rs/argon2';
import { PasswordRefusedError } from '../errors.js';
import { isTokenText, TOKEN_PREFIX } from '../tokens/parsing/token-text.js';
import { isCommonPassword } from './common-passwords.js';

/** argon2id with OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, 2 passes, 1 lane. */
// 2 is Argon2id in the package's enum, which is ambient and cannot be imported by a single-file compiler.
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- see above
const ARGON2ID = 2 as Algorithm;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/** In characters. */
export const MIN_PASSWORD_LENGTH = 8;
const MAX_LENGTH = 1_000;
/** Without letters and digits that look alike, and without characters that are special in a shell. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GENERATED_LENGTH = 24;

/** A password that somebody wants to have. */
interface NewPassword {
  readonly username: string;
  readonly password: string;
  /** The password until now, if it is known. */
  readonly currentPassword?: string;
}

/**
 * Hashes a new password, which is normalized as at the login.
 * @throws PasswordRefusedError for a password that is too short, easy to guess or not new (NIST SP 800-63B, 3.1.1.2), or that
 * could never log in, for example because it begins like a token.
 */
export async function hashPassword({ username, password, currentPassword }: NewPassword): Promise<string> {
  const normalized = password.normalize('NFC');
  const length = Array.from(normalized).length;
  if (length < MIN_PASSWORD_LENGTH) refuse(`must have at least ${MIN_PASSWORD_LENGTH} characters`);
  if (length > MAX_LENGTH) refuse(`must have at most ${MAX_LENGTH} characters`);
  if (/\p{Cc}/u.test(normalized)) refuse('must be on one line, without tabs');
  if (isTokenText(normalized)) refuse(`must not begin with ${TOKEN_PREFIX}, because tokens do`);
  if (normalized === currentPassword?.normalize('NFC')) refuse('must be another one than the current password');
  if (normalized.toLowerCase() === username.normalize('NFC').toLowerCase()) refuse('must not be the user name');
  if (await isCommonPassword(normalized)) refuse('must not be one that many people use: others try these first');
  return hash(normalized, OPTIONS);
}

function refuse(fault: string): never {
  throw new PasswordRefusedError(fault);
}

export interface PasswordAndHash {
  readonly passwordHash: string;
  /** Normalized. */
  readonly password: string;
}

/** True when the password matches the hash. */
export async function verifyPassword({ passwordHash, password }: PasswordAndHash): Promise<boolean> {
  return verify(passwordHash, password);
}

/** A random password of 24 letters and digits, about 139 bits. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * A hash that is verified for unknown users, so that the time of an answer does not reveal which names exist. It has the
 * parameters of real hashes and random bytes in place of a digest, so no password matches it.
 */
export const DUMMY_HASH = [
  '$argon2id$v=19',
  `m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=${OPTIONS.parallelism}`,
  ...[16, 32].map((length) => randomBytes(length).toString('base64').replaceAll('=', '')),
].join('$');
