import type { NextFunction, Request, Response } from 'express';
import { CrossSiteRequestError } from './errors.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what a page of another site has a browser do. A browser that was once given Basic credentials sends them
 * with every request, and a reversal is a POST that any form can make. Browsers tell where a request comes from
 * (Fetch Metadata); programs do not, and pass.
 */
export function refuseCrossSite(request: Request, _response: Response, next: NextFunction): void {
  const site = request.headers['sec-fetch-site'] ?? 'none';
  const own = site === 'same-origin' || site === 'none';
  next(own || READING.has(request.method) ? undefined : new CrossSiteRequestError());
}
