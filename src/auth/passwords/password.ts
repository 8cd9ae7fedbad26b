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
export interface NewPassword {
  readonly username: string;
  readonly password: string;
}

/**
 * Hashes a password, which is normalized as at the login.
 * @throws PasswordRefusedError for a password that is too short, or that could never log in, for example because it begins
 * like a token.
 */
export async function hashPassword(password: string): Promise<string> {
  return hash(assertUsable(password), OPTIONS);
}

/** Why others could guess a password (NIST SP 800-63B, 3.1.1.2): "must not be …". Undefined if it is hard to guess. */
export async function guessableFault({ username, password }: NewPassword): Promise<string | undefined> {
  const normalized = password.normalize('NFC');
  if (normalized.toLowerCase() === username.normalize('NFC').toLowerCase()) return 'must not be the user name';
  if (await isCommonPassword(normalized)) return 'must not be one that many people use: others try these first';
  return undefined;
}

/**
 * Hashes the password by which a user replaces the current one.
 * @throws PasswordRefusedError as {@link hashPassword}, and for a password that is easy to guess or not new.
 */
export async function hashReplacement(
  replacement: NewPassword & { readonly currentPassword: string },
): Promise<string> {
  const normalized = assertUsable(replacement.password);
  if (normalized === replacement.currentPassword.normalize('NFC'))
    refuse('must be another one than the current password');
  const fault = await guessableFault(replacement);
  if (fault !== undefined) refuse(fault);
  return hash(normalized, OPTIONS);
}

/** @returns the normalized password. */
function assertUsable(password: string): string {
  const normalized = password.normalize('NFC');
  const length = Array.from(normalized).length;
  if (length < MIN_PASSWORD_LENGTH) refuse(`must have at least ${MIN_PASSWORD_LENGTH} characters`);
  if (length > MAX_LENGTH) refuse(`must have at most ${MAX_LENGTH} characters`);
  if (/\p{Cc}/u.test(normalized)) refuse('must be on one line, without tabs');
  if (isTokenText(normalized)) refuse(`must not begin with ${TOKEN_PREFIX}, because tokens do`);
  return normalized;
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
