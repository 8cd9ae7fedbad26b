import type { Request } from 'express';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True for what a page of another site has a browser do, which is refused. A browser that was once given Basic credentials sends them
 * with every request, and a reversal is a POST that any form can make. Browsers tell where a request comes from
 * (Fetch Metadata); programs do not, and pass.
 */
export function isCrossSite(request: Request): boolean {
  const site = request.headers['sec-fetch-site'] ?? 'none';
  const own = site === 'same-origin' || site === 'none';
  return !own && !READING.has(request.method);
}
