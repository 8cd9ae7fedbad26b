/** The credentials that a caller sent. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

const SCHEME_AND_TOKEN = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
// Enough for a user name of 100 and a password of 1,000 characters.
const MAX_HEADER = 8_192;
/** Keeps a byte order mark, which is part of the password. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The user name and password of an `Authorization` header, or undefined unless it is exactly `Basic <base64 of UTF-8
 * "user:password">` (RFC 7617), with or without padding. The first colon ends the user name.
 */
export function parseBasicCredentials(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  const token = SCHEME_AND_TOKEN.exec(header.trim())?.[1];
  const text = token === undefined ? undefined : decode(token);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return credentialsOf(text.slice(0, colon), text.slice(colon + 1));
}

/** Credentials as they are compared, or undefined if no user can have them. */
export function credentialsOf(username: string, password: string): Credentials | undefined {
  // RFC 7617 forbids control characters in both.
  if (username === '' || password === '' || /\p{Cc}/u.test(username + password)) return undefined;
  // Composed letters are normalized here and when a password is set (RFC 8265, OpaqueString).
  return { username: username.normalize('NFC'), password: password.normalize('NFC') };
}

function decode(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64');
  // Buffer also accepts invalid base64. Only valid base64 encodes back to the same text.
  if (bytes.toString('base64').replace(/=+$/, '') !== token.replace(/=+$/, '')) return undefined;
  try {
    return UTF_8.decode(bytes);
  } catch {
    return undefined;
  }
}
