import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Configuration } from '../../../config/index.js';
import { publicPath } from '../../../http/index.js';
import { isSessionToken } from './session-token.js';

/** How a cookie travels: encrypted, or without leaving this machine. */
interface CookieKind {
  readonly name: string;
  readonly secure: boolean;
  readonly path: string;
}

/** Names of this machine. Browsers treat plain HTTP to them as safe. */
const LOOPBACK = /^(localhost|[^.]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The cookie with the token of a session. Behind TLS its prefix `__Host-` keeps other hosts of the domain from setting
 * it. Over plain HTTP to another machine there is none, because everybody on the way could read it. That PUBLIC_URL begins
 * with https:// says so only of requests to its host: the service may also be reached past the proxy that encrypts.
 */
@Injectable()
export class SessionCookie {
  /** Name and port of PUBLIC_URL, if it begins with https://. */
  private readonly encryptedHost: string | undefined;
  private readonly loopbackPath: string;
  /**
   * A test system has a name of its own, because browsers send a cookie to all ports of a host: a login there would end
   * the session of the live service.
   */
  private readonly name: string;

  constructor({ http, mode }: Configuration) {
    const publicUrl = http.publicUrl === undefined ? undefined : new URL(http.publicUrl);
    this.encryptedHost = publicUrl?.protocol === 'https:' ? publicUrl.host : undefined;
    this.loopbackPath = `${publicPath(http)}/console`;
    this.name = mode === 'test' ? 'offertory-test' : 'offertory';
  }

  /** Whether a password may be sent in answer to this request: it is encrypted, or stays on this machine. */
  isPossible(request: Request): boolean {
    return this.kindFor(request) !== undefined;
  }

  /** The token that the browser sent, or undefined. A cookie that was sent twice is ignored: one of them is forged. */
  read(request: Request): string | undefined {
    const kind = this.kindFor(request);
    if (kind === undefined) return undefined;
    const values = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
      const [name, ...value] = pair.split('=');
      return name?.trim() === kind.name ? [value.join('=').trim()] : [];
    });
    const [token] = values;
    return values.length === 1 && token !== undefined && isSessionToken(token) ? token : undefined;
  }

  /** Sets the cookie. It ends with the browser; the session may end earlier. */
  set(request: Request, response: Response, token: string): void {
    const kind = this.kindFor(request);
    if (kind === undefined) throw new Error('A session cannot begin over plain HTTP');
    response.cookie(kind.name, token, optionsOf(kind));
  }

  clear(request: Request, response: Response): void {
    const kind = this.kindFor(request);
    if (kind !== undefined) response.clearCookie(kind.name, optionsOf(kind));
  }

  private kindFor(request: Request): CookieKind | undefined {
    if (request.secure || this.isOfPublicUrl(request)) return { name: `__Host-${this.name}`, secure: true, path: '/' };
    // Undefined for a request without a Host header.
    const hostname = request.hostname as string | undefined;
    if (hostname === undefined || !LOOPBACK.test(hostname)) return undefined;
    return { name: this.name, secure: false, path: this.loopbackPath };
  }

  private isOfPublicUrl(request: Request): boolean {
    // X-Forwarded-Host, if TRUST_PROXY trusts the sender. Undefined for a request without a Host header.
    const host = request.host as string | undefined;
    const url = `https://${host ?? ''}`;
    return this.encryptedHost !== undefined && URL.canParse(url) && new URL(url).host === this.encryptedHost;
  }
}

function optionsOf({ secure, path }: CookieKind): object {
  return { secure, path, httpOnly: true, sameSite: 'lax' };
}
