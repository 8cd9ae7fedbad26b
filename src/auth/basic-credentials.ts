/** What a caller claims to be. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

const SCHEME_AND_TOKEN = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
// Nothing we read is longer: a user name of 100 and a password of 1,000 characters.
const MAX_HEADER = 8_192;
/** A byte order mark is part of a password, not to be skipped. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The user name and password of an `Authorization` header, or undefined where it is not `Basic <base64 of UTF-8
 * "user:password">` and nothing else (RFC 7617); whether the base64 is padded makes no difference. The first colon ends the user name; a password may hold more.
 */
export function parseBasicCredentials(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  const token = SCHEME_AND_TOKEN.exec(header.trim())?.[1];
  const text = token === undefined ? undefined : decode(token);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  // One spelling of composed letters, here and where passwords are set (RFC 8265, OpaqueString).
  const username = text.slice(0, colon).normalize('NFC');
  const password = text.slice(colon + 1).normalize('NFC');
  // RFC 7617 forbids control characters in both.
  if (password === '' || /\p{Cc}/u.test(text)) return undefined;
  return { username, password };
}

function decode(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64');
  // Buffer takes what is not base64, too: only what encodes back to the same text was.
  if (bytes.toString('base64').replace(/=+$/, '') !== token.replace(/=+$/, '')) return undefined;
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
