import type { Request } from 'express';
import type { HttpSettings } from '../config/index.js';

/** The settings of the address. */
type Address = Pick<HttpSettings, 'publicUrl' | 'basePath'>;

/** A host, with a port if need be. A request may have sent anything in its Host header. */
const HOST = /^[^\s/?#@\\]+$/;

/** The path under which callers reach the service: BASE_PATH, or without it that of PUBLIC_URL. Empty, or without a slash at the end. */
export function publicPath({ publicUrl, basePath }: Address): string {
  return basePath === '' && publicUrl !== undefined ? new URL(publicUrl).pathname.replace(/\/$/, '') : basePath;
}

/**
 * The absolute address at which callers reach the service, without a slash at the end: PUBLIC_URL, or without it the host
 * of the request. Behind a proxy this is X-Forwarded-Host and X-Forwarded-Proto if TRUST_PROXY trusts the sender.
 * @returns undefined for a request without a usable host.
 */
export function publicAddress(request: Request, { publicUrl, basePath }: Address): string | undefined {
  if (publicUrl !== undefined) {
    return `${new URL(publicUrl).origin}${publicPath({ publicUrl, basePath })}`;
  }
  // Undefined for a request of HTTP/1.0 without a Host header.
  const host = request.host as string | undefined;
  const origin = `${request.protocol}://${host ?? ''}`;
  if (host === undefined || !HOST.test(host) || !URL.canParse(origin)) return undefined;
  return `${new URL(origin).origin}${basePath}`;
}
