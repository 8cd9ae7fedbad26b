import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const middleware = helmet({
  // If a browser shows an answer as a page, it may load and run nothing, and must not be in a frame.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  // The same for browsers that do not know frame-ancestors.
  xFrameOptions: { action: 'deny' },
  // RFC 6797 (7.2) forbids it over plain HTTP, which this service uses. The proxy with TLS sets it (Caddyfile).
  strictTransportSecurity: false,
  // These concern relations between pages; the API has no pages.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  // For Internet Explorer, Flash, and filters that browsers have removed.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/**
 * Headers that forbid a browser to run or embed an answer. Programs ignore them; they protect a user whose browser was
 * lured here. A page must relax the policy for itself alone. helmet's headers never vary, so they are computed once.
 */
const HEADERS = headers();

/** Sets the security headers of an answer. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}

/** The same headers as text, for answers that are written directly to a socket. */
export const SECURITY_HEADER_LINES: readonly string[] = HEADERS.map(([name, value]) => `${name}: ${value}`);

function headers(): [name: string, value: string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(response.req, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
