import { isTokenText } from '../tokens/index.js';

/** RFC 6750, 2.1. */
const SCHEME_AND_TOKEN = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const MAX_HEADER = 8_192;

/** The token of an `Authorization` header, or undefined unless it is exactly `Bearer <a token of this service>`. */
export function parseBearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  const token = SCHEME_AND_TOKEN.exec(header.trim())?.[1];
  return token !== undefined && isTokenText(token) ? token : undefined;
}
