import { InvalidRequestError, MalformedJsonError } from '../problems/errors.js';

/** The body itself is the first level. */
const MAX_NESTING = 16;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON object. Stricter than `JSON.parse`: it refuses invalid UTF-8, repeated names (compared by {@link
 * foldFieldName}), of which `JSON.parse` would silently use the last, and more than 16 levels of nesting. It skips a
 * byte order mark.
 * @param what the name of the text in messages.
 * @param levels how many levels of nested objects are checked for repeated names. In a body this is 1, because deeper
 * names belong to unknown fields, which are ignored.
 * @throws MalformedJsonError, InvalidRequestError
 */
export function readJsonObject(bytes: Buffer, what = 'The body', levels = 1): Record<string, unknown> {
  const text = decode(bytes, what);
  const value = parse(text, what);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError(`${what} must be a JSON object.`);
  }
  const { depth, members } = measure(text, levels);
  if (depth > MAX_NESTING) throw new InvalidRequestError(`${what} is nested more than ${MAX_NESTING} levels deep.`);
  // JSON.parse keeps only the last of equal names, but keeps both names if they differ in letter case.
  if (members > countNames(value, levels))
    throw new InvalidRequestError(`${what} has one field twice; letter case makes no difference.`);
  return value as Record<string, unknown>;
}

/** Two field names are equal if they differ only in the case of ASCII letters; then this returns the same text. */
export function foldFieldName(name: string): string {
  return BEYOND_ASCII.test(name) ? lowerCaseAscii(name) : name.toLowerCase();
}

const BEYOND_ASCII = /\P{ASCII}/u;

function lowerCaseAscii(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function decode(bytes: Buffer, what: string): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new MalformedJsonError(`${what} is not valid UTF-8.`);
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which is personal data, and the caller might log it.
    throw new MalformedJsonError(text.trim() === '' ? `${what} is empty.` : `${what} is not valid JSON.`);
  }
}

/** The nesting depth of valid JSON, and the number of members (colons) in its first `levels` of objects. */
function measure(text: string, levels: number): { depth: number; members: number } {
  let [depth, deepest, members] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ':') members += depth <= levels ? 1 : 0;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return { depth: deepest, members };
}

/** The number of different names in the first `levels` of objects. An array is a level without names. */
function countNames(value: unknown, levels: number): number {
  if (levels === 0 || typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value).reduce<number>((sum, inner) => sum + countNames(inner, levels - 1), 0);
  return within + (Array.isArray(value) ? 0 : new Set(Object.keys(value).map(foldFieldName)).size);
}
