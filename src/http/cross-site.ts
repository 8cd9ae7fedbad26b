import type { Request } from 'express';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The headers by which a browser says for whom it makes a request. */
type ForeignHeader = 'Origin' | 'Sec-Fetch-Site';

/** As a browser writes an origin; other schemes, and `null` for a page that has none, are never the service's. */
const WEB_ORIGIN = /^https?:\/\/[^/?#@\\\s]+$/i;

/**
 * The header by which a request that changes something says that it comes from a page of another site; undefined for one
 * that is let in. A browser that was once given Basic credentials sends them with every request, and a reversal is a POST
 * that any form can make. Browsers name the page's origin; programs send neither header, and pass.
 * @param publicUrl the address that callers use, where it is not the one that requests arrive with.
 */
export function foreignHeader(request: Request, publicUrl: string | undefined): ForeignHeader | undefined {
  if (READING.has(request.method)) return undefined;
  const { origin, host, 'sec-fetch-site': site = 'none' } = request.headers;
  // Express's `host` is X-Forwarded-Host where TRUST_PROXY trusts the sender.
  if (origin !== undefined && !isOwn(origin, [host, request.host, publicUrl && new URL(publicUrl).host]))
    return 'Origin';
  return site === 'same-origin' || site === 'none' ? undefined : 'Sec-Fetch-Site';
}

/** Whether an origin has one of these hosts and its port. A host without a port has the default one of the origin's scheme. */
function isOwn(origin: string, hosts: readonly (string | undefined)[]): boolean {
  if (!WEB_ORIGIN.test(origin)) return false;
  const wanted = hostOf(origin);
  if (wanted === undefined) return false;
  const scheme = origin.slice(0, origin.indexOf('://'));
  return hosts.some((host) => host !== undefined && host !== '' && hostOf(`${scheme}://${host}`) === wanted);
}

/** Host and port, in one spelling and without the scheme's default port. */
function hostOf(url: string): string | undefined {
  return WEB_ORIGIN.test(url) && URL.canParse(url) ? new URL(url).host : undefined;
}
