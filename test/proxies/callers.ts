import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Agent, request as requestHttp1 } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** A site that a proxy serves over TLS on this machine. */
export interface Site {
  readonly name: string;
  readonly port: number;
  /** The authority or self-signed certificate that the certificate is checked against. */
  readonly ca: string;
}

export interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** After so many bytes of the body the caller waits for the answer, and then stops sending. */
  readonly pausesAfter?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Milliseconds from the call to the first byte of the answer's body, and to its end. */
  readonly firstByte: number;
  readonly lastByte: number;
}

/** A client with one connection, which stays open between calls. */
export interface Caller {
  call(call: Call): Promise<Answer>;
  /** Sends the beginning of a body as `pausesAfter` says, and gives the call up without waiting for an answer. */
  giveUp(call: Call): Promise<void>;
  close(): void;
}

export const PROTOCOLS = ['HTTP/1.1', 'HTTP/2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export function newCaller(protocol: Protocol, site: Site): Caller {
  return protocol === 'HTTP/2' ? new Http2Caller(site) : new Http1Caller(site);
}

/** The host as browsers and programs send it. */
export function hostOf({ name, port }: Site): string {
  return `${name}:${port}`;
}

class Http1Caller implements Caller {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly site: Site) {}

  async call(call: Call): Promise<Answer> {
    const { body, pausesAfter } = call;
    const begin = performance.now();
    const request = this.begin(call);
    const answered = once(request, 'response');
    if (pausesAfter === undefined) request.end(body);
    else request.write(beginningOf(body, pausesAfter));
    const [response] = (await answered) as [IncomingMessage];
    const answer = {
      status: response.statusCode ?? 0,
      headers: response.headers,
      ...(await readBody(response, begin)),
    };
    if (pausesAfter !== undefined) request.destroy();
    return answer;
  }

  async giveUp(call: Call): Promise<void> {
    const request = this.begin(call);
    await new Promise((written) => request.write(beginningOf(call.body, call.pausesAfter), written));
    request.destroy();
  }

  private begin({ method = 'GET', path, headers = {}, body }: Call): ClientRequest {
    const { name, port, ca } = this.site;
    const length =
      body === undefined || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const request = requestHttp1({
      ...{ host: '127.0.0.1', port, path, method, servername: name, ca, agent: this.agent },
      headers: { Host: hostOf(this.site), ...length, ...headers },
    });
    // A connection that is closed after the answer may still be sending the body. Only the answer counts.
    return request.on('error', () => undefined);
  }

  close(): void {
    this.agent.destroy();
  }
}

class Http2Caller implements Caller {
  private session: ClientHttp2Session | undefined;

  constructor(private readonly site: Site) {}

  async call(call: Call): Promise<Answer> {
    const { body, pausesAfter } = call;
    const begin = performance.now();
    const stream = this.begin(call);
    const answered = once(stream, 'response');
    if (pausesAfter === undefined) stream.end(body);
    else stream.write(beginningOf(body, pausesAfter));
    const [head] = (await answered) as [Record<string, string | string[] | undefined>];
    const answer = {
      status: Number(head[constants.HTTP2_HEADER_STATUS]),
      headers: head,
      ...(await readBody(stream, begin)),
    };
    if (pausesAfter !== undefined) stream.close(constants.NGHTTP2_CANCEL);
    return answer;
  }

  async giveUp(call: Call): Promise<void> {
    const stream = this.begin(call);
    await new Promise((written) => stream.write(beginningOf(call.body, call.pausesAfter), written));
    stream.close(constants.NGHTTP2_CANCEL);
  }

  private begin({ method = 'GET', path, headers = {}, body }: Call): ClientHttp2Stream {
    const stream = this.connected().request({
      [constants.HTTP2_HEADER_METHOD]: method,
      [constants.HTTP2_HEADER_PATH]: path,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    });
    // The proxy may end the stream after the answer, while the body is still being sent. Only the answer counts.
    return stream.on('error', () => undefined);
  }

  close(): void {
    this.session?.destroy();
  }

  private connected(): ClientHttp2Session {
    if (this.session !== undefined && !this.session.closed && !this.session.destroyed) return this.session;
    const { name, port, ca } = this.site;
    const socket = connectTls({ host: '127.0.0.1', port, servername: name, ca, ALPNProtocols: ['h2'] });
    this.session = connectHttp2(`https://${hostOf(this.site)}`, {
      createConnection: () => socket,
      // In MB: for bodies of which the proxy does not want the rest.
      maxSessionMemory: 100,
    });
    this.session.on('error', () => undefined);
    return this.session;
  }
}

function beginningOf(body: string | Buffer = '', bytes = 0): Buffer {
  return Buffer.from(body).subarray(0, bytes);
}

async function readBody(body: Readable, begin: number): Promise<Pick<Answer, 'text' | 'firstByte' | 'lastByte'>> {
  const chunks: Buffer[] = [];
  let firstByte: number | undefined;
  for await (const chunk of body) {
    firstByte ??= performance.now() - begin;
    chunks.push(chunk as Buffer);
  }
  const lastByte = performance.now() - begin;
  return { text: Buffer.concat(chunks).toString(), firstByte: firstByte ?? lastByte, lastByte };
}

/** What a caller over HTTP/1.1 gets that sends `Expect: 100-continue`, and its body only after a 100. */
export async function callExpecting(
  site: Site,
  call: Call,
): Promise<{ continued: boolean; status: number; text: string }> {
  const { name, port, ca } = site;
  const { path, headers = {}, body = '' } = call;
  const request = requestHttp1({
    ...{ host: '127.0.0.1', port, path, method: 'POST', servername: name, ca, agent: false },
    headers: { Host: hostOf(site), Expect: '100-continue', 'Content-Length': Buffer.byteLength(body), ...headers },
  });
  let continued = false;
  request
    .on('error', () => undefined)
    .once('continue', () => {
      continued = true;
      request.end(body);
    });
  const answered = once(request, 'response');
  request.flushHeaders();
  const [response] = (await answered) as [IncomingMessage];
  const { text } = await readBody(response, 0);
  request.destroy();
  return { continued, status: response.statusCode ?? 0, text };
}
