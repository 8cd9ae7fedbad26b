import { isIP } from 'node:net';
import { fault, read, type Reading } from '../../values/index.js';

/** The longest URL of an endpoint, in characters. */
export const MAX_URL = 1_000;

/**
 * Reads the URL of an endpoint, in the notation in which it is stored. Its address is checked only when connecting: a name
 * can lead elsewhere by then.
 * @param allowPlain whether http is accepted.
 */
export function readEndpointUrl(text: string, allowPlain: boolean): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return fault('must be an https URL');
  if (url.protocol === 'http:' && !allowPlain) return fault('must begin with https://');
  if (url.username !== '' || url.password !== '') return fault('must have no user name and no password');
  if (url.href.length > MAX_URL) return fault(`must be at most ${MAX_URL} characters long`);
  url.hash = '';
  return read(url.href);
}

/** The host of a URL as `node:net` takes it: an IPv6 address has no brackets. URL has changed other notations of addresses. */
export function hostOf({ hostname }: URL): string {
  const inner = hostname.slice(1, -1);
  return hostname.startsWith('[') && isIP(inner) === 6 ? inner : hostname;
}
