import { visit } from 'jsonc-parser';
import { InvalidRequestError, MalformedJsonError } from './errors.js';

/** The body itself is the first level. */
const MAX_NESTING = 16;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON object in a body, or in something else that messages then call `what`. Stricter than `JSON.parse`: invalid
 * UTF-8, one name twice (by {@link foldFieldName}), which `JSON.parse` would settle silently, and more than 16 levels
 * are refused. A byte order mark is skipped.
 * @throws MalformedJsonError, InvalidRequestError
 */
export function readJsonObject(bytes: Buffer, what = 'The body'): Record<string, unknown> {
  const text = decode(bytes, what);
  const value = parse(text, what);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError(`${what} must be a JSON object.`);
  }
  assertNesting(text, what);
  assertNamesDiffer(text, what);
  return value as Record<string, unknown>;
}

/** Field names differ by more than the case of ASCII letters, or they are the same name. */
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
    // The parser's own message quotes the body, which is personal data and might be logged by the caller.
    throw new MalformedJsonError(text.trim() === '' ? `${what} is empty.` : `${what} is not valid JSON.`);
  }
}

/** Counts brackets outside of strings; the text is known to be valid JSON. Comes before any recursive parser. */
function assertNesting(text: string, what: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > MAX_NESTING)
        throw new InvalidRequestError(`${what} is nested more than ${MAX_NESTING} levels deep.`);
    } else if (character === '}' || character === ']') depth--;
  }
}

function assertNamesDiffer(text: string, what: string): void {
  const seen = new Set<string>();
  let depth = 0;
  const enter = (): void => {
    depth++;
  };
  const leave = (): void => {
    depth--;
  };
  visit(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (name) => {
      // Names inside of values belong to unknown fields, which are ignored.
      if (depth !== 1) return;
      const folded = foldFieldName(name);
      if (seen.has(folded))
        throw new InvalidRequestError(`${what} has one field twice; letter case makes no difference.`);
      seen.add(folded);
    },
  });
}
