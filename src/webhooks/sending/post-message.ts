import { type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
// The address is the one that Finance has chosen for an endpoint: docs/security.md, API7.
// eslint-disable-next-line no-restricted-imports -- This is the only file that calls another service over HTTP.
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { hostOf } from '../endpoints/endpoint-url.js';
import { PrivateAddressError, publicLookup } from './guarded-lookup.js';
import { isPublicAddress } from './public-address.js';
import type { SignedMessage } from './signed-message.js';

/** The limit of an attempt, from the look-up of the name to the end of the answer, in milliseconds. */
export const ATTEMPT_LIMIT_MS = 10_000;

/** Of an answer's body, this much is read, so that its sender is not cut off. It is not looked at. */
const MOST_BYTES_READ = 16_384;

/** http needs WEBHOOK_ALLOW_PRIVATE. */
export class PlainHttpError extends Error {
  constructor() {
    super('http is not allowed.');
  }
}

interface PostOptions {
  /** Whether the address may be private, and the URL http. */
  readonly allowPrivate: boolean;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/**
 * Sends a message to a URL over a new connection. Follows no redirect, uses no proxy, and connects only to a public address.
 * @returns the status of the answer. @throws any error of the connection, PrivateAddressError, PlainHttpError
 */
export async function postMessage(
  url: URL,
  { body, headers }: SignedMessage,
  { allowPrivate, signal }: PostOptions,
): Promise<number> {
  const isPlain = url.protocol === 'http:';
  if (isPlain && !allowPrivate) throw new PlainHttpError();
  const host = hostOf(url);
  // A connection to an address needs no look-up.
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddressError();
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    agent: false,
    signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_LIMIT_MS)]),
    ...(!allowPrivate && { lookup: publicLookup }),
  };
  const request = isPlain ? requestHttp(url, options) : requestHttps(url, options);
  request.end(body);
  return statusOf(request);
}

/** The status, after the answer has ended or enough of it was read. */
async function statusOf(request: ClientRequest): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    // An error after the answer has begun changes nothing.
    request.on('error', reject);
    request.once('close', () => reject(new Error('The connection was closed before an answer.')));
  });
  await readSome(response);
  return response.statusCode ?? 0;
}

async function readSome(response: IncomingMessage): Promise<void> {
  let read = 0;
  response.on('data', ({ length }: Buffer) => {
    read += length;
    if (read > MOST_BYTES_READ) response.destroy();
  });
  response.on('error', () => undefined);
  await new Promise<void>((resolve) => response.once('close', resolve));
}
