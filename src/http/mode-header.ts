import type { Server } from 'node:http';
import type { Mode } from '../config/index.js';

/** Headers by their names. */
type Headers = Readonly<Record<string, string>>;

/** The headers by which each answer tells the mode of the instance (ADR 61). The live service has none. */
export function headersOfMode(mode: Mode): Headers {
  return mode === 'live' ? {} : { 'X-Offertory-Mode': mode };
}

/** Sets headers of each answer before anything else handles the request, so that no kind of answer lacks them. */
export function setOnEachAnswer(server: Server, headers: Headers): void {
  const all = new Map(Object.entries(headers));
  if (all.size > 0) server.prependListener('request', (_request, response) => response.setHeaders(all));
}
