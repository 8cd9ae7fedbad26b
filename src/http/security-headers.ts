import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

const middleware = helmet({
  // Taken for a page after all, an answer may load and run nothing, and stand in no frame.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  // The same for browsers that do not know frame-ancestors.
  xFrameOptions: { action: 'deny' },
  // Over plain HTTP, which is all this service speaks, RFC 6797 (7.2) forbids it: whoever ends TLS sets it (Caddyfile).
  strictTransportSecurity: false,
  // What pages may do to each other, and there is none.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  // For Internet Explorer, Flash, and filters that browsers have dropped.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/**
 * They tell a browser to do nothing with an answer but hand it to whoever asked for it. Callers are programs and do not
 * care; this is for the day somebody lures a browser here. A page of ours would widen the policy for itself alone.
 * helmet's, which are the same for every answer: worked out once.
 */
const HEADERS = headers();

/** Gives an answer its security headers. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}

/** The same headers for what is written to a socket by hand. */
export const SECURITY_HEADER_LINES: readonly string[] = HEADERS.map(([name, value]) => `${name}: ${value}`);

function headers(): [name: string, value: string][] {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(response.req, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
