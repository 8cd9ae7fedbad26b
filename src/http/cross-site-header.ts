import type { Request } from 'express';
import { isUnderConsole } from './areas.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What shows that a page of another site makes a request: a header, or that a browser's form lacks one. */
export type CrossSiteHeader = 'Origin' | 'Sec-Fetch-Site' | 'no Origin';

/** An origin as browsers write it. Other schemes, and `null` for a page without an origin, are never the service's. */
const WEB_ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i;

/**
 * The header that shows that a request with side effects comes from a page of another site; undefined for an allowed
 * request. A browser sends Basic credentials with every request once it has them, and any form can POST a reversal.
 * Browsers name the page's origin. Programs send neither header, and are allowed under /Api. The forms of the console come
 * from browsers only, so these must have an origin.
 * @param publicUrl the address that callers use, if it differs from the address in the requests.
 */
export function crossSiteHeader(request: Request, publicUrl: string | undefined): CrossSiteHeader | undefined {
  if (READING.has(request.method)) return undefined;
  const { origin, host, 'sec-fetch-site': site = 'none' } = request.headers;
  // Express's `host` is X-Forwarded-Host if TRUST_PROXY trusts the sender.
  if (origin !== undefined && !isOwn(origin, [host, request.host, publicUrl && new URL(publicUrl).host]))
    return 'Origin';
  if (origin === undefined && isUnderConsole(request.path)) return 'no Origin';
  return site === 'same-origin' || site === 'none' ? undefined : 'Sec-Fetch-Site';
}

/** Whether an origin has one of these hosts, with the same port. The default port is that of the origin's scheme. */
function isOwn(origin: string, hosts: readonly (string | undefined)[]): boolean {
  if (!WEB_ORIGIN.test(origin)) return false;
  const wanted = hostOf(origin);
  if (wanted === undefined) return false;
  const scheme = origin.slice(0, origin.indexOf('://'));
  return hosts.some((host) => host !== undefined && host !== '' && hostOf(`${scheme}://${host}`) === wanted);
}

/** Host and port, normalized and without the scheme's default port. */
function hostOf(url: string): string | undefined {
  return WEB_ORIGIN.test(url) && URL.canParse(url) ? new URL(url).host : undefined;
}
